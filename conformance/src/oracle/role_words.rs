//! Chromium's words for roles, in terms of ours. Words that are not here are roles of WAI-ARIA and stand for themselves.

/// Chromium's own word, and our role word for the same; the empty one where ours tells nothing.
const WORDS: &[(&str, &str)] = &[
    ("Abbr", ""),
    ("Audio", ""),
    ("Canvas", ""),
    ("ColorWell", "button"),
    ("ComboBoxGrouping", "combobox"),
    ("ComboBoxMenuButton", "combobox"),
    ("ComboBoxSelect", "combobox"),
    ("Date", "textbox"),
    ("DateTime", "textbox"),
    ("DescriptionList", ""),
    ("DescriptionListDetail", "definition"),
    ("DescriptionListTerm", "term"),
    ("Details", "group"),
    ("DisclosureTriangle", "button"),
    ("DisclosureTriangleGrouped", "button"),
    ("EmbeddedObject", ""),
    ("Figcaption", "caption"),
    ("FooterAsNonLandmark", "sectionfooter"),
    ("HeaderAsNonLandmark", "sectionheader"),
    ("Iframe", ""),
    ("IframePresentational", ""),
    ("InputTime", "textbox"),
    ("LabelText", ""),
    // Chromium's guess that a table only lays out; HTML-AAM gives it the same role as any other.
    ("LayoutTable", "table"),
    ("LayoutTableCell", "cell"),
    ("LayoutTableRow", "row"),
    ("Legend", ""),
    ("LineBreak", ""),
    ("ListMarker", ""),
    ("MathMLMath", "math"),
    ("MenuListOption", "option"),
    ("MenuListPopup", ""),
    ("Pre", ""),
    ("RootWebArea", "document"),
    ("Ruby", ""),
    ("RubyAnnotation", ""),
    ("Section", ""),
    ("SvgRoot", "graphics-document"),
    ("ToggleButton", "button"),
    ("Unknown", ""),
    ("Video", ""),
    ("generic", ""),
    ("image", "img"),
    ("none", ""),
    ("presentation", ""),
];

/// A role word of Chromium's tree in our words.
pub(super) fn ours(theirs: &str) -> &str {
    match WORDS.binary_search_by(|(word, _)| (*word).cmp(theirs)) {
        Ok(at) => WORDS[at].1,
        // Parts of a formula, one word for each element of MathML.
        Err(_) if theirs.starts_with("MathML") => "",
        Err(_) => theirs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_for_the_binary_search() {
        assert!(WORDS.is_sorted());
        assert_eq!(ours("image"), "img");
        assert_eq!(ours("button"), "button");
    }
}
