//! Mirrors tables of a standard: HTML-AAM and SVG-AAM element mappings.
//! which `role` tokens count.

use super::hidden::Hidden;
use super::role::Role;
use super::tree::{FlatTree, is_blank};
use crate::page::{Element, Namespace, NodeIdx};
use crate::planted::{self, Bug};
use alloc::{collections::BTreeMap, vec, vec::Vec};

/// Roles of every node of a frame.
#[derive(Debug)]
pub(super) struct Roles {
    own: Vec<Role>,
    exposed: Vec<Role>,
    /// What a role in need of another context was before it lost it; names still come from that.
    asked: BTreeMap<NodeIdx, Role>,
}

/// What a node learns from above.
#[derive(Debug, Clone, Copy)]
struct Around {
    /// The nearest role that is told.
    context: Role,
    /// The same, looking through `group` and `rowgroup`.
    past_groups: Role,
    /// The nearest `table`, `grid` or `treegrid`.
    table: Role,
    /// In `article`, `aside`, `nav` or `section`, elements or roles.
    in_sectioning: bool,
    /// In `main`, element or role, or in sectioning content.
    in_main_or_sectioning: bool,
    /// Below a role whose children are presentational, and not in a `select`: what takes focus keeps its role, and a list
    /// without its options would be none.
    flattened: bool,
}

impl Around {
    const TOP: Self = Self {
        context: Role::NoRole,
        past_groups: Role::NoRole,
        table: Role::NoRole,
        in_sectioning: false,
        in_main_or_sectioning: false,
        flattened: false,
    };

    fn below(self, element: Option<&Element>, role: Role) -> Self {
        let mut below = self;
        if !role.is_transparent() {
            below.context = role;
            if !matches!(role, Role::Group | Role::Rowgroup) {
                below.past_groups = role;
            }
        }
        if role.is_a(Role::Table) {
            below.table = role;
        } else if element.is_some_and(|e| e.is_html("table")) {
            below.table = Role::NoRole;
        }
        let section = element.is_some_and(|e| {
            e.namespace == Namespace::Html
                && matches!(e.tag.as_str(), "article" | "aside" | "nav" | "section")
        }) || matches!(
            role,
            Role::Article | Role::Complementary | Role::Navigation | Role::Region
        );
        let main = role == Role::Main || element.is_some_and(|e| e.is_html("main"));
        below.in_sectioning |= section;
        below.in_main_or_sectioning |= section || main;
        below.flattened |= role.is_presentational_children();
        below.flattened &= !element.is_some_and(|e| e.is_html("select"));
        below
    }
}

impl Roles {
    pub(super) fn new(tree: &FlatTree<'_>, hidden: &[Hidden]) -> Self {
        let count = tree.frame.nodes.len();
        let mut roles = Self {
            own: vec![Role::NoRole; count],
            exposed: vec![Role::NoRole; count],
            asked: BTreeMap::new(),
        };
        let headers = header_axes(tree);
        let mut around: Vec<Around> = Vec::with_capacity(count);
        for (at, _) in (0..).zip(&tree.frame.nodes) {
            let mut above = match tree.parent(at) {
                Some(parent) => around[parent as usize]
                    .below(tree.frame.element(parent), roles.own[parent as usize]),
                None => Around::TOP,
            };
            if let Some(owner) = tree.owner_of(at, hidden) {
                above.context = first_token(tree, owner).unwrap_or(roles.own[owner as usize]);
                above.past_groups = above.context;
            }
            around.push(above);
            if let Some(element) = tree.frame.element(at) {
                roles.decide(tree, at, element, above, &headers);
            }
        }
        roles
    }

    /// The role without regard to presentational ancestors.
    pub(super) fn own(&self, at: NodeIdx) -> Role {
        self.own[at as usize]
    }

    /// The role as told.
    pub(super) fn exposed(&self, at: NodeIdx) -> Role {
        self.exposed[at as usize]
    }

    /// The role that decides where the name comes from: for an element that lost its role for want of context, the lost
    /// one, since that is what its author made it look like.
    pub(super) fn naming(&self, at: NodeIdx) -> Role {
        self.asked.get(&at).copied().unwrap_or(self.own[at as usize])
    }

    fn decide(
        &mut self,
        tree: &FlatTree<'_>,
        at: NodeIdx,
        element: &Element,
        above: Around,
        headers: &BTreeMap<NodeIdx, Role>,
    ) {
        let native = || implicit(tree, at, element, above, headers);
        let mut own = None;
        let most = if planted::is(Bug::RoleFallbackOff) { 1 } else { usize::MAX };
        for token in element.attr("role").unwrap_or("").split_ascii_whitespace().take(most) {
            let Some(role) = Role::parse(token) else { continue };
            if role == Role::None && conflicts_with_none(element) {
                break;
            }
            if matches!(role, Role::Region | Role::Form) && !has_author_name(tree, at, element) {
                continue;
            }
            if !in_required_context(role, above) {
                self.asked.entry(at).or_insert(role);
                continue;
            }
            own = Some(role);
            break;
        }
        if own.is_some() {
            self.asked.remove(&at);
        }
        let own = own.unwrap_or_else(native);
        self.own[at as usize] = own;
        let flat = above.flattened && !conflicts_with_none(element) && own != Role::NoRole;
        self.exposed[at as usize] = if flat { Role::None } else { own };
    }
}

fn first_token(tree: &FlatTree<'_>, at: NodeIdx) -> Option<Role> {
    tree.frame.element(at)?.attr("role")?.split_ascii_whitespace().find_map(Role::parse)
}

/// WAI-ARIA 1.3 draft, "Required Accessibility Parent Role".
///
/// SPEC DIFFERENCE: Chromium keeps some orphaned roles (`menuitem`, `tab`); Core-AAM says to ignore the token.
fn in_required_context(role: Role, above: Around) -> bool {
    let (context, past) = (above.context, above.past_groups);
    match role {
        _ if planted::is(Bug::ContextNotRequired) => true,
        Role::Listitem => context.is_a(Role::List),
        Role::Option => past == Role::Listbox,
        Role::Menuitem | Role::Menuitemcheckbox | Role::Menuitemradio => past.is_a(Role::Menu),
        Role::Tab => past == Role::Tablist,
        Role::Treeitem => past == Role::Tree || past == Role::Treeitem,
        Role::Row => past.is_a(Role::Table),
        Role::Rowgroup => context.is_a(Role::Table),
        Role::Cell | Role::Gridcell | Role::Columnheader | Role::Rowheader => context == Role::Row,
        _ => true,
    }
}

/// WAI-ARIA 1.2 "Presentational Roles Conflict Resolution": what takes focus or carries a global attribute keeps its role.
pub(super) fn conflicts_with_none(element: &Element) -> bool {
    is_focusable(element) && !planted::is(Bug::NoneConflictIgnored)
        || element.attributes.iter().any(|(name, value)| {
            GLOBAL_ATTRIBUTES.contains(&name.as_str()) && !value.trim().is_empty()
        })
}

/// "Global States and Properties" but for `aria-hidden`, which is no reason to stay.
const GLOBAL_ATTRIBUTES: &[&str] = &[
    "aria-atomic",
    "aria-braillelabel",
    "aria-brailleroledescription",
    "aria-busy",
    "aria-controls",
    "aria-current",
    "aria-describedby",
    "aria-description",
    "aria-details",
    "aria-dropeffect",
    "aria-flowto",
    "aria-grabbed",
    "aria-keyshortcuts",
    "aria-label",
    "aria-labelledby",
    "aria-live",
    "aria-owns",
    "aria-relevant",
    "aria-roledescription",
];

/// HTML "focusable area", as far as attributes tell.
pub(super) fn is_focusable(element: &Element) -> bool {
    if element.attr("tabindex").is_some_and(|value| value.trim().parse::<i32>().is_ok()) {
        return !is_natively_disabled(element);
    }
    if element.attr("contenteditable").is_some_and(|v| !v.eq_ignore_ascii_case("false")) {
        return true;
    }
    match (element.namespace, element.tag.as_str()) {
        (Namespace::Html, "a" | "area") => element.has_attr("href"),
        (Namespace::Svg, "a") => element.has_attr("href") || element.has_attr("xlink:href"),
        (Namespace::Html, "button" | "select" | "textarea") => !element.has_attr("disabled"),
        (Namespace::Html, "input") => {
            !element.has_attr("disabled") && element.input_type() != "hidden"
        }
        (Namespace::Html, "iframe" | "summary") => true,
        _ => false,
    }
}

fn is_natively_disabled(element: &Element) -> bool {
    element.namespace == Namespace::Html
        && matches!(element.tag.as_str(), "button" | "select" | "textarea" | "input")
        && element.has_attr("disabled")
}

/// The author gave the element a name: enough to make a landmark of it, without computing the name.
fn has_author_name(tree: &FlatTree<'_>, at: NodeIdx, element: &Element) -> bool {
    let filled = |name| element.attr(name).is_some_and(|value| !is_blank(value));
    has_aria_name(tree, at, element) || filled("title")
}

fn has_aria_name(tree: &FlatTree<'_>, at: NodeIdx, element: &Element) -> bool {
    element.attr("aria-label").is_some_and(|value| !is_blank(value))
        || (element.has_attr("aria-labelledby")
            && tree.references(at, "aria-labelledby").iter().any(|target| tree.has_naming(*target)))
}

fn implicit(
    tree: &FlatTree<'_>,
    at: NodeIdx,
    element: &Element,
    above: Around,
    headers: &BTreeMap<NodeIdx, Role>,
) -> Role {
    match element.namespace {
        Namespace::Html => html(tree, at, element, above, headers),
        Namespace::Svg => svg(tree, at, element),
        Namespace::MathMl if element.tag == "math" => Role::Math,
        Namespace::MathMl | Namespace::Other => Role::Generic,
    }
}

fn html(
    tree: &FlatTree<'_>,
    at: NodeIdx,
    element: &Element,
    above: Around,
    headers: &BTreeMap<NodeIdx, Role>,
) -> Role {
    let named = || has_author_name(tree, at, element);
    match element.tag.as_str() {
        "a" | "area" if element.has_attr("href") => Role::Link,
        "address" | "details" | "fieldset" | "hgroup" | "optgroup" => Role::Group,
        "article" => Role::Article,
        "aside" if above.in_sectioning && !named() => Role::Generic,
        "aside" => Role::Complementary,
        "blockquote" => Role::Blockquote,
        "br" | "wbr" => Role::NoRole,
        "button" => Role::Button,
        "audio" | "canvas" | "embed" | "iframe" | "object" | "video" => Role::NoRole,
        "caption" if above.context.is_a(Role::Table) => Role::Caption,
        "figcaption" => Role::Caption,
        "code" => Role::Code,
        "datalist" => Role::Listbox,
        "dd" => Role::Definition,
        "del" | "s" => Role::Deletion,
        "dfn" | "dt" => Role::Term,
        "dialog" => Role::Dialog,
        "em" => Role::Emphasis,
        "figure" => Role::Figure,
        "footer" if above.in_main_or_sectioning => Role::Sectionfooter,
        "footer" => Role::Contentinfo,
        "form" => Role::Form,
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Role::Heading,
        "header" if above.in_main_or_sectioning => Role::Sectionheader,
        "header" => Role::Banner,
        "hr" => Role::Separator,
        "html" => Role::Document,
        "img" => image(tree, at, element),
        "input" => input(tree, at, element),
        "ins" => Role::Insertion,
        "li" if above.context.is_a(Role::List) => Role::Listitem,
        "main" => Role::Main,
        "mark" => Role::Mark,
        "menu" | "ol" | "ul" | "dir" => Role::List,
        "meter" => Role::Meter,
        "nav" => Role::Navigation,
        "option" => Role::Option,
        "output" => Role::Status,
        "p" => Role::Paragraph,
        "progress" => Role::Progressbar,
        "search" => Role::Search,
        "section" if named() => Role::Region,
        "select" if is_listbox(element) => Role::Listbox,
        "select" => Role::Combobox,
        "strong" => Role::Strong,
        "sub" => Role::Subscript,
        // HTML-AAM has no ARIA role for it; what a user sees is a button that opens and closes.
        "summary" if is_summary(tree, at) => Role::Button,
        "sup" => Role::Superscript,
        "table" => Role::Table,
        "thead" | "tbody" | "tfoot" if above.context.is_a(Role::Table) => Role::Rowgroup,
        "tr" if above.past_groups.is_a(Role::Table) => Role::Row,
        "td" => cell(above),
        "th" => match headers.get(&at) {
            Some(role) if cell(above) != Role::Generic => *role,
            _ => cell(above),
        },
        "textarea" => Role::Textbox,
        "time" => Role::Time,
        _ => Role::Generic,
    }
}

fn cell(above: Around) -> Role {
    match above.table {
        _ if above.context != Role::Row => Role::Generic,
        Role::Grid | Role::Treegrid => Role::Gridcell,
        _ => Role::Cell,
    }
}

fn is_summary(tree: &FlatTree<'_>, at: NodeIdx) -> bool {
    tree.frame.node(at).parent.is_some_and(|parent| tree.summary(parent) == Some(at))
}

/// `select` shown as a list: `multiple`, or a `size` above 1.
pub(super) fn is_listbox(select: &Element) -> bool {
    let size = select.attr("size").and_then(|size| size.trim().parse::<u32>().ok());
    select.has_attr("multiple") || size.is_some_and(|size| size > 1)
}

/// HTML-AAM `img`: by its alternative text, its ARIA name and its source.
fn image(tree: &FlatTree<'_>, at: NodeIdx, element: &Element) -> Role {
    let filled = |name| element.attr(name).is_some_and(|value| !is_blank(value));
    match element.attr("alt") {
        _ if has_aria_name(tree, at, element) => return Role::Image,
        Some("") => return Role::None,
        Some(_) => return Role::Image,
        None => {}
    }
    if filled("title") || filled("src") || filled("srcset") {
        return Role::Image;
    }
    Role::Generic
}

/// HTML-AAM `input`, by type.
fn input(tree: &FlatTree<'_>, at: NodeIdx, element: &Element) -> Role {
    let suggests = || {
        element
            .attr("list")
            .and_then(|id| tree.lookup.by_id(at, id))
            .and_then(|list| tree.frame.element(list))
            .is_some_and(|list| list.is_html("datalist"))
    };
    match element.input_type().as_str() {
        // SPEC DIFFERENCE: HTML-AAM gives `file` and `color` no role; browsers show buttons.
        "button" | "image" | "reset" | "submit" | "file" | "color" => Role::Button,
        "checkbox" if element.has_attr("switch") => Role::Switch,
        "checkbox" => Role::Checkbox,
        "hidden" => Role::NoRole,
        "number" => Role::Spinbutton,
        "radio" => Role::Radio,
        "range" => Role::Slider,
        // SPEC DIFFERENCE: HTML-AAM gives passwords, dates and times no role; they are fields to type into.
        "password" | "date" | "datetime-local" | "month" | "time" | "week" => Role::Textbox,
        _ if suggests() => Role::Combobox,
        "search" => Role::Searchbox,
        _ => Role::Textbox,
    }
}

fn svg(tree: &FlatTree<'_>, at: NodeIdx, element: &Element) -> Role {
    let titled = || {
        tree.frame.children(at).any(|child| {
            tree.frame.element(child).is_some_and(|e| {
                e.namespace == Namespace::Svg && e.tag == "title" && tree.has_naming(child)
            })
        })
    };
    let named = || {
        has_aria_name(tree, at, element)
            || element.attr("xlink:title").is_some_and(|title| !is_blank(title))
            || titled()
    };
    match element.tag.as_str() {
        // SPEC DIFFERENCE: the SVG-AAM draft calls every `svg` a document. One that only draws is a picture to whoever sees it,
        // and to browsers.
        "svg" if tree.is_picture(at) => Role::Image,
        "svg" => Role::GraphicsDocument,
        "a" if element.has_attr("href") || element.has_attr("xlink:href") => Role::Link,
        "g" if named() => Role::Group,
        "image" if named() || element.has_attr("href") || element.has_attr("xlink:href") => {
            Role::Image
        }
        "use" if named() => Role::GraphicsObject,
        "circle" | "ellipse" | "line" | "path" | "polygon" | "polyline" | "rect" | "mesh"
            if named() =>
        {
            Role::GraphicsSymbol
        }
        "defs" | "desc" | "title" | "metadata" | "symbol" | "clipPath" | "mask" | "pattern"
        | "linearGradient" | "radialGradient" | "marker" | "filter" | "style" | "script" => {
            Role::NoRole
        }
        _ => Role::Generic,
    }
}

/// The axis of each `th`, one look at each row: by `scope`, else as HTML's "internal algorithm for scanning and assigning
/// header cells" comes out for tables without spans.
fn header_axes(tree: &FlatTree<'_>) -> BTreeMap<NodeIdx, Role> {
    let mut axes = BTreeMap::new();
    for row in tree.rows() {
        let cells: Vec<(NodeIdx, &Element)> = tree
            .frame
            .children(*row)
            .filter_map(|child| Some((child, tree.frame.element(child)?)))
            .filter(|(_, e)| e.is_html("td") || e.is_html("th"))
            .collect();
        for (place, (cell, element)) in cells.iter().enumerate() {
            if element.is_html("td") {
                continue;
            }
            let data = |place: Option<usize>| {
                place.and_then(|p| cells.get(p)).is_some_and(|(_, e)| e.is_html("td"))
            };
            let beside_data = data(place.checked_sub(1)) || data(Some(place + 1));
            let role = match element.attr("scope").map(str::to_ascii_lowercase).as_deref() {
                Some("col" | "colgroup") => Role::Columnheader,
                Some("row" | "rowgroup") => Role::Rowheader,
                _ if beside_data => Role::Rowheader,
                _ => Role::Columnheader,
            };
            axes.insert(*cell, role);
        }
    }
    axes
}
