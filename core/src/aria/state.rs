//! States and values: WAI-ARIA 1.2 "Supported States and Properties" with HTML-AAM "HTML Attribute State and Property
//! Mappings". A native state wins over an ARIA one.

use super::AriaFrame;
use super::disabled::Disabled;
use super::implicit_role::is_focusable;
use super::role::Role;
use crate::page::secret::is_secret_field;
use crate::page::{Element, FieldValue, Namespace, NodeIdx};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

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

/// How a value is told to be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invalid {
    /// `aria-invalid=grammar`
    Grammar,
    /// `aria-invalid=spelling`
    Spelling,
    /// In another way: `aria-invalid=true`, or an unknown word.
    Other,
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
    pub invalid: Option<Invalid>,
    /// What helps to fill it in (`aria-autocomplete`): `inline`, `list` or `both`.
    pub autocomplete: Option<&'static str>,
    /// What belongs in it, as HTML's `autocomplete` has it (`email`, `shipping postal-code` …), lower case.
    pub autofill: Option<String>,
    /// Its value is a secret: a password, a one-time code, data of a payment card.
    pub secret: bool,
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
        expanded: expanded(aria, at, element, role),
        disabled: match aria.disabled[at as usize] {
            Disabled::No => false,
            Disabled::Above => takes_disabled(role) || is_focusable(element),
            Disabled::Yes => true,
        },
        readonly: readonly(element),
        required: is_field(element) && element.has_attr("required")
            || is_true(element, "aria-required"),
        invalid: token(element, "aria-invalid").and_then(invalid),
        autocomplete: token(element, "aria-autocomplete").and_then(|word| match word {
            "inline" => Some("inline"),
            "list" => Some("list"),
            "both" => Some("both"),
            _ => None,
        }),
        autofill: autofill(element),
        secret: is_field(element) && is_secret(element),
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

/// "Used in Roles" and "Inherits into Roles" of `aria-disabled`.
fn takes_disabled(role: Role) -> bool {
    matches!(role, Role::Application | Role::Separator | Role::Toolbar)
        || role.is_a(Role::Group)
        || role.is_a(Role::Widget)
}

/// WAI-ARIA 1.2 "aria-invalid": an unknown word means `true`.
fn invalid(word: &str) -> Option<Invalid> {
    match word {
        "false" => None,
        "grammar" => Some(Invalid::Grammar),
        "spelling" => Some(Invalid::Spelling),
        _ => Some(Invalid::Other),
    }
}

/// HTML "Autofill": the field's own tokens, without `on` and `off`.
fn autofill(element: &Element) -> Option<String> {
    let words = token(element, "autocomplete").filter(|_| is_field(element))?;
    let words = words.to_ascii_lowercase();
    let words: Vec<&str> = words.split_ascii_whitespace().collect();
    (!matches!(words[..], ["on" | "off"])).then(|| words.join(" "))
}

/// The field holds a secret, by its live state or by what its author said of it.
pub(super) fn is_secret(element: &Element) -> bool {
    matches!(element.control.as_ref().map(|c| &c.value), Some(FieldValue::Secret { .. }))
        || is_secret_field(&element.input_type(), element.attr("autocomplete").unwrap_or(""), false)
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

/// HTML-AAM `open` of `details`, and WAI-ARIA 1.2 "aria-expanded" with its "Used in Roles" and "Inherits into Roles".
///
/// SPEC DIFFERENCE: HTML-AAM tells of a drop-down `select` whether its list is open. A list that is open is the browser's
/// own window, which no page and no capture sees; nothing is told rather than a guess.
fn expanded(aria: &AriaFrame<'_>, at: NodeIdx, element: &Element, role: Role) -> Option<bool> {
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
    flag(element, "aria-expanded").filter(|_| takes_expanded(role))
}

fn takes_expanded(role: Role) -> bool {
    matches!(
        role,
        Role::Application
            | Role::Button
            | Role::Checkbox
            | Role::Combobox
            | Role::Link
            | Role::Listbox
            | Role::Row
            | Role::Switch
            | Role::Tab
            | Role::Treeitem
    ) || role.is_a(Role::Gridcell)
        || role.is_a(Role::Menuitem)
        || role.is_a(Role::Link)
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

pub(super) fn token<'e>(element: &'e Element, name: &str) -> Option<&'e str> {
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
