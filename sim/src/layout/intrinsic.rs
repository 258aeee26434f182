//! Smallest and largest content widths.

use super::{Flow, NESTED_MAX, metrics, resolve};
use crate::style::{Computed, Display, Size};
use backlot_core::page::NodeId;

impl Flow<'_> {
    /// Content widths of a box: broken wherever it can be, and not broken at all.
    pub(super) fn intrinsic(&mut self, id: NodeId) -> (f32, f32) {
        if let Some(known) = self.widths.get(&id) {
            return *known;
        }
        if self.deep >= NESTED_MAX {
            return (0.0, 0.0);
        }
        self.deep += 1;
        let widths = self.intrinsic_of(id);
        self.deep -= 1;
        self.widths.insert(id, widths);
        widths
    }

    fn intrinsic_of(&mut self, id: NodeId) -> (f32, f32) {
        let Some(style) = self.style(id) else { return (0.0, 0.0) };
        if let Some((width, _)) = metrics::content_size(self.dom, id, &style) {
            return (width, width);
        }
        if matches!(style.display, Display::Table | Display::InlineTable) {
            return self.table_widths(id, &style);
        }
        let children = self.box_children(id);
        let in_row =
            matches!(style.display, Display::Flex | Display::InlineFlex) && !style.boxes.column;
        let pseudos = [self.styles.before(id), self.styles.after(id)].into_iter().flatten();
        let told = pseudos.filter(|pseudo| pseudo.style.display == Display::Inline);
        let pseudo: f32 =
            told.map(|pseudo| metrics::text_width(&pseudo.told, pseudo.style.font_size)).sum();
        let (mut min, mut max, mut line) = (0.0_f32, 0.0_f32, pseudo);
        let gap = resolve(style.boxes.gap.1, 0.0).unwrap_or(0.0);
        for child in children {
            if self.is_out(child) {
                continue;
            }
            if self.dom.text(child).is_some() {
                let (word, all, breaks) = self.text_widths(child, &style);
                min = min.max(word);
                line += all;
                if breaks {
                    max = max.max(line);
                    line = 0.0;
                }
                continue;
            }
            if self.dom.is_html(child, "br") {
                max = max.max(line);
                line = 0.0;
                continue;
            }
            let (own_min, own_max) = self.outer_widths(child);
            let inline = !self.is_block_level(child);
            if in_row {
                line += own_max + if line > 0.0 { gap } else { 0.0 };
                min = if style.boxes.wrap { min.max(own_min) } else { min + own_min };
            } else if inline {
                line += own_max;
                min = min.max(own_min);
            } else {
                max = max.max(line).max(own_max);
                line = 0.0;
                min = min.max(own_min);
            }
        }
        (min, max.max(line).max(min))
    }

    /// With padding, border and margins, and the style's own width where there is one.
    pub(super) fn outer_widths(&mut self, id: NodeId) -> (f32, f32) {
        let Some(style) = self.style(id) else { return (0.0, 0.0) };
        let edges = self.edges(id, 0.0);
        let margin = self.margins(id, 0.0);
        let extra = edges[1] + edges[3] + margin[1] + margin[3];
        let own = if style.border_box { margin[1] + margin[3] } else { extra };
        let pixels = |size: Size| match size {
            Size::Given { px, percent: 0.0 } => Some(px + own),
            _ => None,
        };
        let (min, max) = match pixels(style.width) {
            Some(width) if style.display != Display::Inline => (width, width),
            _ => {
                let (min, max) = self.intrinsic(id);
                (min + extra, max + extra)
            }
        };
        let floor = pixels(style.min_width).unwrap_or(0.0);
        let ceiling = pixels(style.max_width).unwrap_or(f32::MAX);
        (min.min(ceiling).max(floor), max.min(ceiling).max(floor))
    }

    /// Longest word, whole width, and whether a forced break ends the line.
    fn text_widths(&self, id: NodeId, style: &Computed) -> (f32, f32, bool) {
        let text = self.dom.text(id).unwrap_or_default();
        let width = |text: &str| metrics::text_width(text, style.font_size);
        if super::inline::keeps_space(style.white_space) {
            let widest = text.lines().map(width).fold(0.0, f32::max);
            return (widest, widest, text.contains('\n'));
        }
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let mut all = width(&words.join(" "));
        let spaced = |at: Option<char>| at.is_some_and(|c| c.is_ascii_whitespace());
        let first = self.dom.prev_sibling(id).is_some() && spaced(text.chars().next());
        let last = self.dom.next_sibling(id).is_some() && spaced(text.chars().next_back());
        if words.is_empty() {
            all = if first && last { width(" ") } else { 0.0 };
        } else {
            all += if first { width(" ") } else { 0.0 } + if last { width(" ") } else { 0.0 };
        }
        let longest = words.iter().map(|word| width(word)).fold(0.0, f32::max);
        let whole = style.white_space == crate::style::WhiteSpace::NoWrap;
        (if whole { all } else { longest }, all, false)
    }
}
