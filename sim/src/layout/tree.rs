//! The boxes that layout places: elements and texts of the flat tree, pseudo-elements, and the boxes that tables need around
//! loose rows and cells.

use super::marker::Inside;
use crate::dom::{Data, Dom};
use crate::style::{
    Computed, Display, Position, PseudoStyle, Size, Styles, WhiteSpace, has_no_box,
};
use backlot_core::page::NodeId;
use std::rc::Rc;

/// Box children and parents. Numbers from the document's node count on are boxes that no node of the document has.
pub(super) struct Tree<'a> {
    dom: &'a Dom,
    styles: &'a Styles,
    children: Vec<Rc<[NodeId]>>,
    parents: Vec<Option<NodeId>>,
    made: Vec<Made>,
    /// What a box without children has.
    none: Rc<[NodeId]>,
}

/// A box or text that no node of the document stands for.
struct Made {
    /// The element that it belongs to, which receives its events.
    owner: NodeId,
    what: Content,
}

enum Content {
    Box(Rc<Computed>),
    Text(String),
}

impl<'a> Tree<'a> {
    pub(super) fn new(dom: &'a Dom, styles: &'a Styles, root: NodeId) -> Self {
        let count = dom.node_count();
        let none: Rc<[NodeId]> = Rc::new([]);
        let mut tree = Self {
            dom,
            styles,
            children: vec![Rc::clone(&none); count],
            parents: vec![None; count],
            made: Vec::new(),
            none,
        };
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if tree.made_at(id).is_some() {
                // Its children were given to it when it was made.
                open.extend(tree.children(id).iter().filter(|at| tree.text(**at).is_none()));
                continue;
            }
            let gathered = tree.gather(id);
            let children = tree.with_table_boxes(id, gathered);
            open.extend(children.iter().filter(|at| tree.text(**at).is_none()));
            tree.adopt(id, children);
        }
        tree
    }

    pub(super) fn children(&self, id: NodeId) -> Rc<[NodeId]> {
        Rc::clone(self.children.get(id.0 as usize).unwrap_or(&self.none))
    }

    /// The box around.
    pub(super) fn parent(&self, id: NodeId) -> Option<NodeId> {
        *self.parents.get(id.0 as usize)?
    }

    pub(super) fn style(&self, id: NodeId) -> Option<&Rc<Computed>> {
        match self.made_at(id) {
            Some(Made { what: Content::Box(style), .. }) => Some(style),
            Some(_) => None,
            None => self.styles.get(id),
        }
    }

    pub(super) fn text(&self, id: NodeId) -> Option<&str> {
        match self.made_at(id) {
            Some(Made { what: Content::Text(text), .. }) => Some(text),
            Some(_) => None,
            None => self.dom.text(id),
        }
    }

    /// Local name of an HTML element; the empty string for anything else.
    pub(super) fn tag(&self, id: NodeId) -> &'a str {
        if self.made_at(id).is_some() { "" } else { self.dom.html_tag(id) }
    }

    /// The node of the document, if the box is one's own.
    pub(super) fn node(&self, id: NodeId) -> Option<NodeId> {
        self.made_at(id).is_none().then_some(id)
    }

    /// The element that receives what hits the box.
    pub(super) fn owner(&self, id: NodeId) -> NodeId {
        self.made_at(id).map_or(id, |made| made.owner)
    }

    /// Tables whose borders collapse.
    pub(super) fn tables(&self) -> Vec<NodeId> {
        let ids = (0..self.count()).filter_map(|at| u32::try_from(at).ok().map(NodeId));
        let collapses = |id: &NodeId| {
            self.style(*id).is_some_and(|style| style.border_collapse && super::is_table(style))
        };
        ids.filter(|id| self.exists(*id)).filter(collapses).collect()
    }

    fn exists(&self, id: NodeId) -> bool {
        self.parent(id).is_some()
    }

    /// How many numbers there are.
    pub(super) fn count(&self) -> usize {
        self.children.len()
    }

    fn made_at(&self, id: NodeId) -> Option<&Made> {
        (id.0 as usize).checked_sub(self.dom.node_count()).and_then(|at| self.made.get(at))
    }

    fn make(&mut self, owner: NodeId, what: Content) -> NodeId {
        let id = NodeId(u32::try_from(self.children.len()).unwrap_or(u32::MAX));
        self.made.push(Made { owner, what });
        self.children.push(Rc::clone(&self.none));
        self.parents.push(None);
        id
    }

    fn adopt(&mut self, id: NodeId, children: Vec<NodeId>) {
        for child in &children {
            self.parents[child.0 as usize] = Some(id);
        }
        self.children[id.0 as usize] = children.into();
    }

    /// Flat-tree children that take part in layout, with those of `display: contents` in their place.
    fn gather(&mut self, id: NodeId) -> Vec<NodeId> {
        let mut children = Vec::new();
        let is_hidden = self.styles.get(id).is_some_and(|style| style.content_hidden);
        if is_hidden || is_drawn_by_browser(self.dom, id) {
            return children;
        }
        let closed = self.dom.is_html(id, "details") && !self.dom.has_attr(id, "open");
        let styles = self.styles;
        if let Some(style) = styles.get(id).filter(|style| style.display == Display::ListItem) {
            children.extend(
                super::marker::inside(self.dom, id, style)
                    .map(|marker| self.make_marker(id, style, marker)),
            );
        }
        children.extend(styles.before(id).and_then(|pseudo| self.make_pseudo(id, pseudo)));
        let mut open: Vec<NodeId> = self.dom.flat_children(id).into_iter().rev().collect();
        while let Some(at) = open.pop() {
            match self.dom.data(at) {
                Data::Text(_) if !closed => children.push(at),
                Data::Element(_) => match self.styles.get(at) {
                    Some(style) if style.display == Display::Contents => {
                        open.extend(self.dom.flat_children(at).into_iter().rev());
                    }
                    Some(style) if style.display == Display::None => {}
                    Some(_) if has_no_box(self.dom, at) => {}
                    Some(_) if styles.is_skipped(at) && !styles.is_skipped(id) => {}
                    Some(_) => children.push(at),
                    None => {}
                },
                _ => {}
            }
        }
        children.extend(styles.after(id).and_then(|pseudo| self.make_pseudo(id, pseudo)));
        children
    }

    fn make_marker(&mut self, owner: NodeId, around: &Computed, marker: Inside) -> NodeId {
        let mut style = Computed::inheriting(around);
        match marker {
            Inside::Room(width) => {
                style.display = Display::InlineBlock;
                style.width = Size::Given { px: width, percent: 0.0 };
                self.make(owner, Content::Box(Rc::new(style)))
            }
            Inside::Text(text) => {
                style.white_space = WhiteSpace::Pre;
                let id = self.make(owner, Content::Box(Rc::new(style)));
                let text = self.make(owner, Content::Text(text));
                self.adopt(id, vec![text]);
                id
            }
        }
    }

    fn make_pseudo(&mut self, owner: NodeId, pseudo: &PseudoStyle) -> Option<NodeId> {
        if pseudo.style.display == Display::None {
            return None;
        }
        let id = self.make(owner, Content::Box(Rc::clone(&pseudo.style)));
        if !pseudo.shown.is_empty() {
            let text = self.make(owner, Content::Text(pseudo.shown.clone()));
            self.adopt(id, vec![text]);
        }
        Some(id)
    }

    /// Puts tables, rows and cells around what asks for them (CSS Tables 3, "Fixup").
    fn with_table_boxes(&mut self, id: NodeId, children: Vec<NodeId>) -> Vec<NodeId> {
        let Some(own) = self.style(id).cloned() else { return children };
        match own.display {
            Display::Table | Display::InlineTable => {
                let fits = |display| {
                    matches!(
                        display,
                        Display::RowGroup | Display::Row | Display::Caption | Display::Column
                    )
                };
                self.wrapped(id, children, &own, &|d| !fits(d), Display::Row)
            }
            Display::RowGroup => {
                self.wrapped(id, children, &own, &|d| d != Display::Row, Display::Row)
            }
            Display::Row => {
                self.wrapped(id, children, &own, &|d| d != Display::Cell, Display::Cell)
            }
            _ if own.display.is_flex_or_grid() => children,
            _ => {
                let table = if own.display == Display::Inline {
                    Display::InlineTable
                } else {
                    Display::Table
                };
                self.wrapped(id, children, &own, &is_table_part, table)
            }
        }
    }

    /// Puts a box of this kind around each run of children that must not stand here.
    fn wrapped(
        &mut self,
        id: NodeId,
        children: Vec<NodeId>,
        own: &Computed,
        asks: &dyn Fn(Display) -> bool,
        around: Display,
    ) -> Vec<NodeId> {
        let display = |tree: &Self, at: NodeId| match tree.style(at) {
            Some(style) if matches!(style.position, Position::Absolute | Position::Fixed) => None,
            Some(style) => Some(style.display),
            None => Some(Display::Inline),
        };
        let strays = |tree: &Self, at: NodeId| display(tree, at).is_some_and(asks);
        let is_blank = |tree: &Self, at: NodeId| {
            tree.text(at).is_some_and(|text| text.bytes().all(|b| b.is_ascii_whitespace()))
        };
        let loose = |tree: &Self, at: NodeId| strays(tree, at) && !is_blank(tree, at);
        if !children.iter().any(|at| loose(self, *at)) {
            let drops = own.display != Display::Inline && !is_flow(own.display);
            return children.into_iter().filter(|at| !(drops && is_blank(self, *at))).collect();
        }
        let mut fixed = Vec::new();
        let mut run: Vec<NodeId> = Vec::new();
        let owner = self.owner(id);
        for child in children.into_iter().map(Some).chain([None]) {
            let joins = child
                .is_some_and(|at| loose(self, at) || (!run.is_empty() && (is_blank(self, at))));
            if let (true, Some(at)) = (joins, child) {
                run.push(at);
                continue;
            }
            if !run.is_empty() {
                let mut style = Computed::inheriting(own);
                style.display = around;
                let made = self.make(owner, Content::Box(Rc::new(style)));
                let inside = self.with_table_boxes(made, std::mem::take(&mut run));
                self.adopt(made, inside);
                fixed.push(made);
            }
            fixed.extend(child);
        }
        fixed
    }
}

fn is_table_part(display: Display) -> bool {
    matches!(
        display,
        Display::RowGroup | Display::Row | Display::Cell | Display::Column | Display::Caption
    )
}

fn is_flow(display: Display) -> bool {
    !matches!(display, Display::Table | Display::InlineTable | Display::RowGroup | Display::Row)
}

/// SIM DIFFERENCE: what is drawn in `svg` has no boxes.
///
/// What is in it has no boxes of its own: the browser draws the control.
fn is_drawn_by_browser(dom: &Dom, id: NodeId) -> bool {
    match dom.html_tag(id) {
        "iframe" | "embed" | "img" | "br" => true,
        "select" => !crate::layout::metrics::is_listbox(dom, id),
        "canvas" => dom.scripting,
        "object" => dom.has_attr(id, "data"),
        _ => crate::layout::metrics::is_svg(dom, id),
    }
}
