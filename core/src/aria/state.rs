//! States and values: WAI-ARIA 1.2 "Supported States and Properties" with HTML-AAM "HTML Attribute State and Property
//! Mappings". A native state wins over an ARIA one.

use super::AriaFrame;
use super::implicit_role::is_focusable;
use super::role::Role;
use super::tree::FlatTree;
use crate::page::{Element, FieldValue, Namespace, NodeIdx};
use alloc::string::{String, ToString};
use alloc::{vec, vec::Vec};

/// A state with a middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tristate {
    /// No.
    False,
    /// Yes.
    True,
    /// Neither.
    Mixed,
}

/// The states of one element; `None` where the element has no such state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct States {
    /// Depth of a heading or tree item, from 1.
    pub level: Option<u32>,
    /// Of checkboxes, radio buttons and switches.
    pub checked: Option<Tristate>,
    /// Of toggle buttons.
    pub pressed: Option<Tristate>,
    /// Of options, tabs, rows, cells.
    pub selected: Option<bool>,
    /// What it opens is open.
    pub expanded: Option<bool>,
    /// Takes no input.
    pub disabled: bool,
    /// Its value cannot be edited.
    pub readonly: bool,
    /// Must be filled in.
    pub required: bool,
    /// Its value is told to be wrong.
    pub invalid: bool,
    /// The word of `aria-current` (`page`, `step`, `true` …).
    pub current: Option<String>,
    /// It is being updated.
    pub busy: bool,
    /// The document's focused element.
    pub focused: bool,
    /// What it opens: `menu`, `listbox`, `tree`, `grid` or `dialog`.
    pub has_popup: Option<&'static str>,
    /// Lies down, where that is told.
    pub horizontal: Option<bool>,
    /// The element that a composite acts on in its stead (`aria-activedescendant`).
    pub active_descendant: Option<NodeIdx>,
    /// A dialog that keeps the rest of the page from being used.
    pub modal: bool,
    /// More than one item can be selected.
    pub multiselectable: bool,
    /// `aria-valuetext`.
    pub value_text: Option<String>,
    /// The value of a range, as written.
    pub value_now: Option<String>,
    /// Its least value.
    pub value_min: Option<String>,
    /// Its greatest value.
    pub value_max: Option<String>,
}

/// The states of one element.
pub(super) fn of(aria: &AriaFrame<'_>, at: NodeIdx) -> States {
    let Some(element) = aria.tree.frame.element(at) else { return States::default() };
    let role = aria.roles.own(at);
    let mut states = States {
        level: level(element, role),
        checked: checked(element, role),
        pressed: pressed(element, role),
        selected: selected(element, role),
        expanded: expanded(aria, at, element),
        disabled: match aria.disabled[at as usize] {
            Disabled::No => false,
            Disabled::Above => takes_disabled(role) || is_focusable(element),
            Disabled::Yes => true,
        },
        readonly: readonly(element),
        required: is_field(element) && element.has_attr("required")
            || is_true(element, "aria-required"),
        invalid: token(element, "aria-invalid").is_some_and(|value| value != "false"),
        current: token(element, "aria-current").filter(|word| *word != "false").map(current_word),
        busy: is_true(element, "aria-busy"),
        focused: aria.tree.frame.focused == Some(at),
        has_popup: has_popup(element),
        horizontal: horizontal(element, role),
        active_descendant: token(element, "aria-activedescendant")
            .and_then(|id| aria.tree.lookup.by_id(at, id)),
        modal: aria.tree.frame.modal.contains(&at) || is_true(element, "aria-modal"),
        multiselectable: element.is_html("select") && element.has_attr("multiple")
            || is_true(element, "aria-multiselectable"),
        ..States::default()
    };
    values(element, role, &mut states);
    states
}

/// Whether an element is disabled, and how it came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Disabled {
    /// It is not.
    No,
    /// By `aria-disabled` further up: that counts for the roles that have the state.
    Above,
    /// By its own attributes, or as a form control by those of its group.
    Yes,
}

/// HTML "Enabling and disabling form controls" and WAI-ARIA 1.2 "aria-disabled", for every node.
pub(super) fn disabled(tree: &FlatTree<'_>) -> Vec<Disabled> {
    let mut by_fieldset = vec![false; tree.frame.nodes.len()];
    let mut by_aria = vec![false; tree.frame.nodes.len()];
    let mut answers = Vec::with_capacity(tree.frame.nodes.len());
    // The first legend of each disabled fieldset: what stands in it stays usable.
    let mut free_legend: Vec<Option<NodeIdx>> = vec![None; tree.frame.nodes.len()];
    for (at, _) in (0..).zip(&tree.frame.nodes) {
        let place = at as usize;
        let parent = tree.parent(at).map(|parent| parent as usize);
        let Some(element) = tree.frame.element(at) else {
            by_fieldset[place] = parent.is_some_and(|parent| by_fieldset[parent]);
            by_aria[place] = parent.is_some_and(|parent| by_aria[parent]);
            answers.push(Disabled::No);
            continue;
        };
        let mut above = parent.is_some_and(|parent| by_fieldset[parent]);
        if let Some(parent) = parent
            && free_legend[parent] == Some(at)
        {
            // Free of this fieldset, not of one further out.
            above = tree
                .parent(at)
                .and_then(|fieldset| tree.parent(fieldset))
                .is_some_and(|outer| by_fieldset[outer as usize]);
        }
        let own = element.has_attr("disabled");
        by_fieldset[place] = above;
        if element.is_html("fieldset") && own {
            by_fieldset[place] = true;
            free_legend[place] = tree.first_child(at, "legend");
        }
        let group = |tag: &str| own && element.is_html(tag);
        if group("select") || group("optgroup") {
            by_fieldset[place] = true;
        }
        let listed = element.namespace == Namespace::Html
            && matches!(
                element.tag.as_str(),
                "button" | "fieldset" | "input" | "optgroup" | "option" | "select" | "textarea"
            );
        let own_aria = token(element, "aria-disabled") == Some("true");
        by_aria[place] = own_aria || parent.is_some_and(|parent| by_aria[parent]);
        answers.push(if own_aria || listed && (own || above) {
            Disabled::Yes
        } else if by_aria[place] {
            Disabled::Above
        } else {
            Disabled::No
        });
    }
    answers
}

/// "Used in Roles" and "Inherits into Roles" of `aria-disabled`.
fn takes_disabled(role: Role) -> bool {
    matches!(role, Role::Application | Role::Separator | Role::Toolbar)
        || role.is_a(Role::Group)
        || role.is_a(Role::Widget)
}

/// WAI-ARIA 1.2 "aria-haspopup": `true` means a menu, an unknown word nothing.
fn has_popup(element: &Element) -> Option<&'static str> {
    match token(element, "aria-haspopup")? {
        "true" | "menu" => Some("menu"),
        "listbox" => Some("listbox"),
        "tree" => Some("tree"),
        "grid" => Some("grid"),
        "dialog" => Some("dialog"),
        _ => None,
    }
}

/// WAI-ARIA 1.2 "aria-orientation", with the defaults of the roles that have one.
fn horizontal(element: &Element, role: Role) -> Option<bool> {
    let default = match role {
        Role::Menubar | Role::Separator | Role::Slider | Role::Tablist | Role::Toolbar => true,
        Role::Listbox | Role::Menu | Role::Scrollbar | Role::Tree | Role::Treegrid => false,
        Role::Radiogroup => {
            return token(element, "aria-orientation").and_then(orientation);
        }
        _ => return None,
    };
    Some(token(element, "aria-orientation").and_then(orientation).unwrap_or(default))
}

fn orientation(word: &str) -> Option<bool> {
    match word {
        "horizontal" => Some(true),
        "vertical" => Some(false),
        _ => None,
    }
}

fn level(element: &Element, role: Role) -> Option<u32> {
    let given = token(element, "aria-level").and_then(|value| value.parse().ok());
    let given = given.filter(|level| *level > 0);
    match role {
        Role::Heading => {
            let native = match element.tag.strip_prefix('h') {
                Some(digit) if element.namespace == Namespace::Html => digit.parse().ok(),
                _ => None,
            };
            Some(given.or(native).unwrap_or(2))
        }
        Role::Treeitem | Role::Row | Role::Listitem | Role::Comment => given,
        _ => None,
    }
}

fn checked(element: &Element, role: Role) -> Option<Tristate> {
    let kind = element.input_type();
    if kind == "checkbox" || kind == "radio" {
        let (on, mixed) = match &element.control {
            Some(control) => (control.checked, control.indeterminate && kind == "checkbox"),
            None => (element.has_attr("checked"), false),
        };
        return Some(if mixed {
            Tristate::Mixed
        } else if on {
            Tristate::True
        } else {
            Tristate::False
        });
    }
    let given = tristate(element, "aria-checked");
    match role {
        Role::Radio | Role::Menuitemradio | Role::Switch if given == Some(Tristate::Mixed) => {
            Some(Tristate::False)
        }
        Role::Checkbox | Role::Switch | Role::Radio => given.or(Some(Tristate::False)),
        Role::Menuitemcheckbox | Role::Menuitemradio => given.or(Some(Tristate::False)),
        Role::Option | Role::Treeitem => given,
        _ => None,
    }
}

fn pressed(element: &Element, role: Role) -> Option<Tristate> {
    tristate(element, "aria-pressed").filter(|_| role == Role::Button)
}

fn selected(element: &Element, role: Role) -> Option<bool> {
    if element.is_html("option") {
        return Some(match &element.control {
            Some(control) => control.selected,
            None => element.has_attr("selected"),
        });
    }
    let given = flag(element, "aria-selected");
    match role {
        Role::Option | Role::Tab => given.or(Some(false)),
        Role::Row | Role::Gridcell | Role::Columnheader | Role::Rowheader | Role::Treeitem => given,
        _ => None,
    }
}

fn expanded(aria: &AriaFrame<'_>, at: NodeIdx, element: &Element) -> Option<bool> {
    let frame = aria.tree.frame;
    if element.is_html("details") {
        return Some(element.has_attr("open"));
    }
    if element.is_html("summary")
        && let Some(parent) = frame.node(at).parent
        && aria.tree.summary(parent) == Some(at)
    {
        return frame.element(parent).map(|details| details.has_attr("open"));
    }
    flag(element, "aria-expanded")
}

fn readonly(element: &Element) -> bool {
    // HTML "The readonly attribute": only of fields that are typed into.
    let native = element.is_html("textarea")
        || matches!(
            element.input_type().as_str(),
            "date"
                | "datetime-local"
                | "email"
                | "month"
                | "number"
                | "password"
                | "search"
                | "tel"
                | "text"
                | "time"
                | "url"
                | "week"
        );
    native && element.has_attr("readonly") || is_true(element, "aria-readonly")
}

fn is_field(element: &Element) -> bool {
    element.is_html("input") || element.is_html("select") || element.is_html("textarea")
}

fn values(element: &Element, role: Role, states: &mut States) {
    if !role.is_a(Role::Range) && role != Role::Separator {
        return;
    }
    let given = |name| token(element, name).map(ToString::to_string);
    states.value_text = given("aria-valuetext");
    states.value_now = match element.control.as_ref().map(|control| &control.value) {
        Some(FieldValue::Text(value)) => Some(value.clone()),
        Some(FieldValue::Secret { .. }) => None,
        Some(FieldValue::None) | None => given("value"),
    };
    states.value_now = states.value_now.take().filter(|v| !v.is_empty());
    states.value_now = states.value_now.take().or_else(|| given("aria-valuenow"));
    let (least, greatest) = bounds(element, role);
    states.value_min = given("min").or_else(|| given("aria-valuemin")).or(least);
    states.value_max = given("max").or_else(|| given("aria-valuemax")).or(greatest);
}

/// The bounds of a range that gives none itself, by HTML and by WAI-ARIA 1.2's "Implicit Value for Role".
fn bounds(element: &Element, role: Role) -> (Option<String>, Option<String>) {
    let greatest = match role {
        Role::Meter | Role::Progressbar if element.namespace == Namespace::Html => {
            if element.tag == "meter" || element.tag == "progress" { "1" } else { "100" }
        }
        Role::Meter | Role::Progressbar | Role::Scrollbar | Role::Slider => "100",
        _ => return (None, None),
    };
    (Some("0".into()), Some(greatest.into()))
}

/// WAI-ARIA 1.2 "aria-current": an unknown word means `true`.
fn current_word(word: &str) -> String {
    match word {
        "page" | "step" | "location" | "date" | "time" => word.into(),
        _ => "true".into(),
    }
}

fn token<'e>(element: &'e Element, name: &str) -> Option<&'e str> {
    element.attr(name).map(str::trim).filter(|value| !value.is_empty())
}

fn flag(element: &Element, name: &str) -> Option<bool> {
    match token(element, name)? {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

fn is_true(element: &Element, name: &str) -> bool {
    flag(element, name) == Some(true)
}

fn tristate(element: &Element, name: &str) -> Option<Tristate> {
    match token(element, name)? {
        "true" => Some(Tristate::True),
        "false" => Some(Tristate::False),
        "mixed" => Some(Tristate::Mixed),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::outline;

    fn check(text: &str, expected: impl Fn(&States) -> bool) {
        let frame = outline::frame(text).unwrap();
        let at = outline::find(&frame, "x").unwrap();
        let states = AriaFrame::new(&frame).states(at);
        assert!(expected(&states), "{text}: {states:?}");
    }

    #[test]
    fn a_disabled_fieldset_spares_its_first_legend() {
        check("fieldset [disabled]\n  input#x", |s| s.disabled);
        check("fieldset [disabled]\n  legend\n    input#x", |s| !s.disabled);
        check("fieldset [disabled]\n  legend\n  legend\n    input#x", |s| s.disabled);
        let nested = "fieldset [disabled]\n  fieldset [disabled]\n    legend\n      input#x";
        check(nested, |s| s.disabled);
        check("fieldset [disabled]\n  a#x [href=a]", |s| !s.disabled);
    }

    #[test]
    fn options_are_disabled_with_their_group_and_select() {
        check("select\n  optgroup [disabled]\n    option#x", |s| s.disabled);
        check("select [disabled]\n  option#x", |s| s.disabled);
        check("select\n  option#x", |s| !s.disabled);
        check("div [aria-disabled=true]\n  button#x", |s| s.disabled);
        check("div [aria-disabled=true]\n  p#x", |s| !s.disabled);
        check("div [aria-disabled=true]\n  p#x [tabindex=0]", |s| s.disabled);
        check("div#x [aria-disabled=true]", |s| s.disabled);
    }

    #[test]
    fn checkedness_is_live_and_native_wins() {
        let is = |state| move |s: &States| s.checked == Some(state);
        check("input#x [type=checkbox] (checked) [aria-checked=false]", is(Tristate::True));
        check("input#x [type=checkbox] (checked) (indeterminate)", is(Tristate::Mixed));
        check("input#x [type=checkbox] [checked] (value=on)", is(Tristate::False));
        check("div#x [role=checkbox] [aria-checked=mixed]", is(Tristate::Mixed));
        check("div#x [role=switch] [aria-checked=mixed]", is(Tristate::False));
        check("div#x [aria-checked=true]", |s| s.checked.is_none());
    }

    #[test]
    fn levels_and_current_words() {
        check("h3#x", |s| s.level == Some(3));
        check("h3#x [aria-level=5]", |s| s.level == Some(5));
        check("div#x [role=heading]", |s| s.level == Some(2));
        check("h3#x [aria-level=0]", |s| s.level == Some(3));
        check("a#x [aria-current=page]", |s| s.current.as_deref() == Some("page"));
        check("a#x [aria-current=here]", |s| s.current.as_deref() == Some("true"));
        check("a#x [aria-current=false]", |s| s.current.is_none());
    }

    #[test]
    fn expansion_comes_from_details_or_aria() {
        check("details [open]\n  summary#x", |s| s.expanded == Some(true));
        check("details\n  summary#x", |s| s.expanded == Some(false));
        check("button#x [aria-expanded=true]", |s| s.expanded == Some(true));
        check("button#x [aria-expanded=undefined]", |s| s.expanded.is_none());
    }

    #[test]
    fn popups_orientation_and_focus() {
        check("button#x [aria-haspopup=true] (focused)", |s| {
            s.has_popup == Some("menu") && s.focused
        });
        check("button#x [aria-haspopup=false]", |s| s.has_popup.is_none() && !s.focused);
        check("div#x [role=tablist]", |s| s.horizontal == Some(true));
        check("div#x [role=tablist] [aria-orientation=vertical]", |s| s.horizontal == Some(false));
        check("input#x [role=combobox] [aria-activedescendant=o]\np#o", |s| {
            s.active_descendant == Some(1)
        });
    }

    #[test]
    fn ranges_have_values() {
        check("input#x [type=range] [min=1] [max=9] (value=4)", |s| {
            (s.value_now.as_deref(), s.value_min.as_deref(), s.value_max.as_deref())
                == (Some("4"), Some("1"), Some("9"))
        });
        check("input#x (value=4)", |s| s.value_now.is_none());
        check("progress#x", |s| s.value_max.as_deref() == Some("1"));
        check("div#x [role=slider]", |s| s.value_max.as_deref() == Some("100"));
        check("div#x [role=spinbutton]", |s| s.value_max.is_none());
    }

    #[test]
    fn readonly_is_for_fields_that_are_typed_into() {
        check("input#x [readonly]", |s| s.readonly);
        check("input#x [type=checkbox] [readonly]", |s| !s.readonly);
        check("div#x [role=grid] [aria-readonly=true]", |s| s.readonly);
    }
}
