use super::*;
use crate::aria;
use crate::page::outline;

fn of(page: &str, chars_max: usize) -> Markdown {
    let capture = outline::capture(page).unwrap_or_else(|error| panic!("{error} in\n{page}"));
    let views = aria::frames(&capture);
    markdown(&capture, &views, 0, None, chars_max)
}

fn check(page: &str, expected: &str) {
    assert_eq!(of(page, usize::MAX).text, expected, "{page}");
}

#[test]
fn headings_paragraphs_and_rules() {
    check(
        "h1 \"One\"\np \"Two\"\n  br\n  \"three\"\nhr\np \" \"\ndiv \"Four\"",
        "# One\n\nTwo\\\nthree\n\n---\n\nFour",
    );
}

#[test]
fn links_emphasis_and_code_stand_in_their_line() {
    let page = "p\n  \"See \"\n  a [href=http://a.test/x]\n    \"the \"\n    b \"page\"\n  \" or \"\n  code \"a_b `c`\"\n  \".\"";
    check(page, "See [the **page**](http://a.test/x) or `a_b 'c'`.");
    check("p\n  a [href=javascript:x] \"No\"\n  a [href=http://a.test/] \"\"", "No");
}

#[test]
fn lists_nest_and_count() {
    let page = "ol [start=3]\n  li \"One\"\n  li\n    \"Two\"\n    ul\n      li \"Inner\"\n  li \"Three\"\np \"After\"";
    check(page, "3. One\n4. Two\n   - Inner\n5. Three\n\nAfter");
    check("ul\n  li\n    p \"One\"\n    p \"more\"\n  li \"Two\"", "- One\n\n  more\n\n- Two");
}

#[test]
fn quotes_and_code_blocks() {
    check("blockquote\n  p \"One\"\n  p \"Two\"", "> One\n\n> Two");
    check("pre \"<<<end\\nx\"", "```\n\\u003c<<end\nx\n```");
    check("pre \"a\\n  b ``` c\\n\"", "````\na\n  b ``` c\n````");
}

#[test]
fn tables_have_a_line_for_each_row() {
    let page = "table\n  caption \"People\"\n  tr\n    th \"Name\"\n    th \"Age\"\n  tr\n    td \"A|b\"\n    td [colspan=2] \"7\"";
    check(page, "People\n\n| Name | Age |  |\n| --- | --- | --- |\n| A\\|b | 7 |  |");
}

#[test]
fn pictures_speak_and_fields_are_silent() {
    let page = "p\n  img [alt=\"A cat\"] [src=http://a.test/c.png]\n  img [alt=\"\"] [src=x]\n  input [type=password] (value=\"s3cret\")";
    check(page, "![A cat](http://a.test/c.png)");
}

#[test]
fn hidden_text_is_left_out() {
    check(
        "div {block}\n  p {none} \"no\"\n  p {block hidden}\n    \"no\"\n    b {inline} \"yes\"",
        "**yes**",
    );
}

#[test]
fn page_text_makes_no_structure() {
    check(
        "p \"# no\"\np \"- no\"\np \"1. no\"\np \"> no\"",
        "\\# no\n\n\\- no\n\n1\\. no\n\n\\> no",
    );
    check("p \"a*b* [x](y) <b> a_b _c_\"", "a\\*b\\* \\[x\\](y) \\<b> a_b \\_c_");
    check("p \"3.14 -1 #tag\"", "3.14 -1 #tag");
    check("p \"a\u{202e}b\"", "a\\u{202e}b");
}

#[test]
fn a_heading_in_a_link_is_both() {
    check(
        "a [href=http://a.test/] {block}\n  h2 {block} \"One\"\n  p {block} \"Two\"",
        "## [One](http://a.test/)\n\n[Two](http://a.test/)",
    );
}

#[test]
fn it_is_cut_at_the_limit() {
    let cut = of("p \"abcdef\"", 4);
    assert_eq!((cut.text.as_str(), cut.is_cut), ("abcd", true));
    assert!(!of("p \"abcdef\"", 6).is_cut);
}
