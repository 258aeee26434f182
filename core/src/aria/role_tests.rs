//! Which role each kind of element gets.

use super::{AriaFrame, Role};
use crate::page::outline;

fn check(text: &str, expected: Role) {
    let frame = outline::frame(text).unwrap();
    let at = outline::find(&frame, "x").unwrap();
    assert_eq!(AriaFrame::new(&frame).role(at), expected, "{text}");
}

#[test]
fn the_first_valid_token_counts() {
    check("div#x [role=\"foo widget button link\"]", Role::Button);
    check("nav#x [role=\"foo\"]", Role::Navigation);
    check("div#x [role=BUTTON]", Role::Button);
    check("nav#x [role=\"region group\"]", Role::Group);
    check("nav#x [role=\"region group\"] [aria-label=n]", Role::Region);
}

#[test]
fn none_gives_way_to_focus_and_global_attributes() {
    check("button#x [role=none]", Role::Button);
    check("h1#x [role=none] [aria-label=n]", Role::Heading);
    check("h1#x [role=none] [aria-hidden=false]", Role::None);
    check("input#x [role=none] [disabled]", Role::None);
}

#[test]
fn a_role_out_of_its_context_does_not_count() {
    check("div [role=list]\n  div#x [role=listitem]", Role::Listitem);
    check("p#x [role=listitem]", Role::Paragraph);
    check("div [role=menu]\n  div [role=group]\n    div#x [role=menuitem]", Role::Menuitem);
    check("button#x [role=menuitem]", Role::Button);
    check("div [role=tablist]\n  div\n    button#x [role=tab]", Role::Tab);
    check("div [role=tablist] [aria-owns=x]\nbutton#x [role=tab]", Role::Tab);
    check("li#x", Role::Generic);
    check("ul\n  li#x", Role::Listitem);
    check("ul [role=none]\n  li#x", Role::Generic);
}

#[test]
fn landmarks_depend_on_what_is_around_them() {
    check("header#x", Role::Banner);
    check("main\n  header#x", Role::Sectionheader);
    check("article\n  div\n    footer#x", Role::Sectionfooter);
    check("div [role=main]\n  footer#x", Role::Sectionfooter);
    check("main\n  aside#x", Role::Complementary);
    check("article\n  aside#x", Role::Generic);
    check("article\n  aside#x [title=n]", Role::Complementary);
    check("section#x", Role::Generic);
    check("section#x [aria-labelledby=h]\n  h2#h \"n\"", Role::Region);
    check("section#x [aria-labelledby=h]\n  h2#h", Role::Generic);
}

#[test]
fn images_are_told_by_text_name_and_source() {
    check("img#x [alt=a]", Role::Image);
    check("img#x [alt] [src=a] [title=t]", Role::None);
    check("img#x [alt] [aria-label=t]", Role::Image);
    check("img#x [src=a]", Role::Image);
    check("img#x", Role::Generic);
}

#[test]
fn inputs_and_selects_go_by_type_list_and_size() {
    check("input#x", Role::Textbox);
    check("input#x [type=Range]", Role::Slider);
    check("input#x [list=l]\ndatalist#l", Role::Combobox);
    check("input#x [type=search] [list=nowhere]", Role::Searchbox);
    check("input#x [type=checkbox] [switch]", Role::Switch);
    check("select#x", Role::Combobox);
    check("select#x [size=4]", Role::Listbox);
    check("select#x [multiple]", Role::Listbox);
}

#[test]
fn table_parts_follow_the_role_of_their_table() {
    check("table\n  tr\n    td#x", Role::Cell);
    check("table [role=grid]\n  tr\n    td#x", Role::Gridcell);
    check("table [role=none]\n  tr\n    td#x", Role::Generic);
    check("table [role=none]\n  tr#x\n    td", Role::Generic);
    check("table\n  tr\n    th#x\n    th", Role::Columnheader);
    check("table\n  tr\n    th#x\n    td", Role::Rowheader);
    check("table\n  tr\n    th#x [scope=col]\n    td", Role::Columnheader);
}

#[test]
fn children_of_buttons_are_flat_unless_they_take_focus() {
    check("button\n  h2#x", Role::None);
    check("button\n  a#x [href=a]", Role::Link);
    check("button\n  h2#x [aria-label=n]", Role::Heading);
    check("button\n  select\n    option#x", Role::Option);
}

#[test]
fn a_summary_is_one_as_the_first_of_its_details() {
    check("details\n  p\n  summary#x", Role::Button);
    check("details\n  summary\n  summary#x", Role::Generic);
    check("summary#x", Role::Generic);
}

#[test]
fn svg_shapes_have_roles_where_they_are_named() {
    check("svg#x", Role::Image);
    check("svg\n  circle#x", Role::None);
    check("svg\n  text \"n\"\n  circle#x", Role::Generic);
    check("svg\n  circle#x\n    title \"n\"", Role::GraphicsSymbol);
    check("svg\n  g#x [aria-label=n]", Role::Group);
    check("svg\n  a#x [xlink:href=a]", Role::Link);
}

#[test]
fn an_svg_that_only_draws_is_a_picture() {
    check("svg#x\n  circle", Role::Image);
    check("svg#x\n  title \"n\"\n  desc \"d\"\n  g\n    path", Role::Image);
    check("svg#x\n  title \"n\"", Role::Image);
    check("svg#x\n  g\n    title \"n\"", Role::GraphicsDocument);
    check("svg#x\n  text \"n\"", Role::GraphicsDocument);
    check("svg#x\n  a [href=a]\n    circle", Role::GraphicsDocument);
    check("svg#x [aria-label=n]\n  circle [aria-label=n]", Role::GraphicsDocument);
}
