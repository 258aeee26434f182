//! Globs for URLs: `*` stands for characters within a segment, `**` for any, `?` for one, `{a,b}` for one of these.

use super::limits;
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

/// A glob with its choices written out.
pub(super) struct Glob {
    forms: Vec<String>,
}

impl Glob {
    /// # Errors
    /// Why it cannot be used.
    pub(super) fn new(glob: &str) -> Result<Self, String> {
        if glob.chars().nth(limits::GLOB_CHARS_MAX).is_some() {
            let most = limits::GLOB_CHARS_MAX;
            return Err(format!("the glob is too long: at most {most} characters are possible"));
        }
        let mut forms = vec![String::new()];
        let mut rest = glob;
        while let Some((before, behind)) = rest.split_once('{')
            && let Some((choices, after)) = behind.split_once('}')
        {
            let choices: Vec<&str> = choices.split(',').collect();
            if forms.len() * choices.len() > limits::GLOB_FORMS_MAX {
                return Err(format!(
                    "the glob has too many {{…}} choices: they may stand for {} forms at most; use a RegExp",
                    limits::GLOB_FORMS_MAX
                ));
            }
            let longer = |form: &String| {
                choices
                    .iter()
                    .map(|choice| [form.as_str(), before, choice].concat())
                    .collect::<Vec<_>>()
            };
            forms = forms.iter().flat_map(longer).collect();
            rest = after;
        }
        forms.iter_mut().for_each(|form| form.push_str(rest));
        Ok(Self { forms })
    }

    /// # Errors
    /// The URL is too long for this glob.
    pub(super) fn fits(&self, text: &str) -> Result<bool, String> {
        let mut left = limits::GLOB_STEPS_MAX;
        for form in &self.forms {
            match fits(form.as_bytes(), text.as_bytes(), &mut left) {
                Some(true) => return Ok(true),
                Some(false) => {}
                None => {
                    let why = "the glob is too much work on the page's URL; use a shorter glob";
                    return Err(why.to_string());
                }
            }
        }
        Ok(false)
    }
}

/// Only the last star is ever tried again. `None`: the work left is not enough.
fn fits(glob: &[u8], text: &[u8], left: &mut u32) -> Option<bool> {
    let (mut g, mut t) = (0, 0);
    // Where to go on after a star took one more byte: place behind the star, place in the text, whether it crosses `/`.
    let mut retry: [Option<(usize, usize)>; 2] = [None, None];
    loop {
        *left = left.checked_sub(1)?;
        if g < glob.len() && glob[g..].starts_with(b"**") {
            g += 2;
            retry = [None, Some((g, t))];
            continue;
        }
        if g < glob.len() && glob[g] == b'*' {
            g += 1;
            retry[0] = Some((g, t));
            continue;
        }
        if t == text.len() && g == glob.len() {
            return Some(true);
        }
        if t < text.len() && g < glob.len() && (glob[g] == text[t] || glob[g] == b'?') {
            g += 1;
            t += 1;
            continue;
        }
        match retry {
            [Some((back, from)), _] if from < text.len() && text[from] != b'/' => {
                retry[0] = Some((back, from + 1));
                (g, t) = (back, from + 1);
            }
            [_, Some((back, from))] if from < text.len() => {
                retry = [None, Some((back, from + 1))];
                (g, t) = (back, from + 1);
            }
            _ => return Some(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Glob, limits};
    use alloc::{format, string::String};

    fn glob_fits(glob: &str, text: &str) -> Result<bool, String> {
        Glob::new(glob)?.fits(text)
    }

    #[test]
    fn globs_fit_as_in_playwright() {
        for (glob, text, wanted) in [
            ("**/login", "http://a.test/x/login", true),
            ("**/login", "http://a.test/login?x", false),
            ("**/log*", "http://a.test/login", true),
            ("http://a.test/*/c", "http://a.test/b/c", true),
            ("http://a.test/*/c", "http://a.test/b/b/c", false),
            ("**/{a,b}.html", "http://x/b.html", true),
            ("**/*.html", "http://x/a/b.html", true),
            ("http://x/", "http://x/", true),
            ("**", "", true),
            ("*", "a/b", false),
            ("{a,b}{c,d}", "bc", true),
            ("{a,b}{c,d}", "ab", false),
            ("x{a", "x{a", true),
            ("x}a{", "x}a{", true),
            ("{}", "", true),
        ] {
            assert_eq!(glob_fits(glob, text), Ok(wanted), "{glob} {text}");
        }
    }

    #[test]
    fn choices_are_bounded() {
        assert!(glob_fits(&"{a}".repeat(200_000), "a").unwrap_err().contains("too long"));
        let error = glob_fits(&"{a,b}".repeat(40), "a").unwrap_err();
        assert!(error.contains("too many {…} choices"), "{error}");
        assert_eq!(glob_fits(&"{a,b}".repeat(8), &"ab".repeat(4)), Ok(true));
        let most = "{a}".repeat(limits::GLOB_CHARS_MAX / 3);
        assert_eq!(glob_fits(&most, &"a".repeat(limits::GLOB_CHARS_MAX / 3)), Ok(true));
        let (glob, text) = (format!("**{}b", "a".repeat(4_000)), "a".repeat(2_000_000));
        assert!(glob_fits(&glob, &text).unwrap_err().contains("too much work"));
    }
}
