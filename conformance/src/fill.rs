//! What stands for refs, ids and addresses in the arguments of a case's steps.

use serde_json::Value;

/// What a step can take from the steps before it.
pub(crate) struct Given<'a> {
    /// Texts of the results so far, one for each step.
    pub(crate) texts: &'a [String],
    /// What programs read of them.
    pub(crate) details: &'a [Value],
    /// URL of the case's page.
    pub(crate) page: &'a str,
}

/// Replaces what stands for something, in all strings of the arguments.
pub(crate) fn fill(arguments: &mut Value, given: &Given<'_>) -> Result<(), String> {
    match arguments {
        Value::Object(map) => map.values_mut().try_for_each(|value| fill(value, given)),
        Value::Array(list) => list.iter_mut().try_for_each(|value| fill(value, given)),
        Value::String(text) => {
            if let Some(field) = text.strip_prefix('$') {
                *arguments = field_of(field, given)?;
                return Ok(());
            }
            if let Some(wanted) = text.strip_prefix('@').filter(|rest| !rest.starts_with('{')) {
                *text = elem_ref(wanted, given)?;
                return Ok(());
            }
            *text = text.replace("{page}", given.page);
            while let Some(start) = text.find("@{") {
                let end = text[start..].find('}').ok_or_else(|| format!("{text}: no }}"))? + start;
                let found = elem_ref(&text[start + 2..end], given)?;
                text.replace_range(start..=end, &found);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// `1.sessionId`, `2.pages.0.pageId`
fn field_of(wanted: &str, given: &Given<'_>) -> Result<Value, String> {
    let missing = || format!("${wanted}: no result before has that field");
    let (step, path) = wanted.split_once('.').ok_or_else(missing)?;
    let step: usize = step.parse().map_err(|_| missing())?;
    let pointer = format!("/{}", path.replace('.', "/"));
    let details = given.details.get(step.wrapping_sub(1)).ok_or_else(missing)?;
    details.pointer(&pointer).cloned().ok_or_else(missing)
}

/// `role "name"` in the newest result that has it, `2 role "name"` in that of step 2.
fn elem_ref(wanted: &str, given: &Given<'_>) -> Result<String, String> {
    let (line, searched) = match wanted.split_once(' ') {
        Some((number, line)) if number.parse::<usize>().is_ok() => {
            let at: usize = number.parse().unwrap_or_default();
            (line, given.texts.get(at.wrapping_sub(1)..at).unwrap_or_default())
        }
        _ => (wanted, given.texts),
    };
    let found =
        searched.iter().rev().find_map(|text| ref_of(text, line).or_else(|| tag_ref(text, line)));
    found.ok_or_else(|| format!("no result before has a line `- {line}` with a ref"))
}

fn ref_of(text: &str, wanted: &str) -> Option<String> {
    let start = format!("- {wanted}");
    text.lines().map(str::trim_start).find_map(|line| {
        let rest = line.strip_prefix(&start)?;
        let at = rest.starts_with(' ').then(|| rest.find("[ref=")).flatten()?;
        rest[at + 5..].split(']').next().map(str::to_owned)
    })
}

/// The same in the toolkit's tree, where the line is a tag in a JSON string: `<button ref=\"l7\">Save</button>`.
fn tag_ref(text: &str, wanted: &str) -> Option<String> {
    let (role, name) = wanted.split_once(' ')?;
    let name = name.trim_matches('"');
    let text = text.replace("\\\"", "\"").replace("\\n", "\n").replace("\\t", "\t");
    text.lines().find_map(|line| {
        let rest = line.trim_start().strip_prefix(&format!("<{role} ref=\""))?;
        let (elem_ref, rest) = rest.split_once('"')?;
        let shown = rest.split_once('>')?.1;
        (shown.split('<').next() == Some(name)).then(|| elem_ref.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn filled(mut arguments: Value) -> Result<Value, String> {
        let texts = [
            "- button \"Save all\" [ref=s1]\n  - button \"Save\" [disabled] [ref=s2]".to_owned(),
            "{\"tree\": \"<main>\\n\\t<button ref=\\\"l7\\\" disabled=\\\"true\\\">Send</button>\"}".to_owned(),
        ];
        let details = [json!({}), json!({ "sessionId": "ses-1", "pages": [{ "pageId": "p" }] })];
        let given = Given { texts: &texts, details: &details, page: "http://x/" };
        fill(&mut arguments, &given).map(|()| arguments)
    }

    #[test]
    fn refs_ids_and_addresses_are_filled_in() {
        for (given, wanted) in [
            (json!({ "ref": "@button \"Save\"" }), json!({ "ref": "s2" })),
            (json!({ "ref": "@1 button \"Save all\"" }), json!({ "ref": "s1" })),
            (json!({ "code": "a('ref=@{button \"Send\"}')" }), json!({ "code": "a('ref=l7')" })),
            (
                json!({ "a": ["$2.sessionId", { "b": "$2.pages.0.pageId" }] }),
                json!({ "a": ["ses-1", { "b": "p" }] }),
            ),
            (json!({ "url": "{page}#x", "n": 1 }), json!({ "url": "http://x/#x", "n": 1 })),
        ] {
            assert_eq!(filled(given.clone()), Ok(wanted), "{given}");
        }
        for wrong in ["@button \"Sav\"", "$2.none", "$9.sessionId", "@{button \"No\"}"] {
            assert!(filled(json!({ "x": wrong })).is_err(), "{wrong}");
        }
    }
}
