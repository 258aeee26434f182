//! The screenshot action: the viewport, the whole page, an element, or the viewport with its refs.

use super::report::Report;
use super::{BrowserTool, schema};
use crate::action::{Failure, Phase, wrong_reply};
use crate::aria;
use crate::page::{CaptureSpec, NodeKey, Rect, TabId};
use crate::port::{
    Host, ImageFormat, Label, Launcher, Millis, Op, Point, Reply, ScreenshotArea, ScreenshotSpec,
    ScrollWhat, TabInfo,
};
use crate::refs;
use crate::snapshot::build;
use crate::tool::Args;
use alloc::{format, vec::Vec};

/// Most labels of a picture.
const LABELS_MAX: usize = 150;
/// Quality of JPEG.
const JPEG_QUALITY: u8 = 85;

impl<L: Launcher, H: Host + Clone> BrowserTool<L, H> {
    pub(super) async fn screenshot(
        &self,
        tab: &TabInfo,
        args: &Args,
        deadline: Millis,
    ) -> Result<Report, Failure> {
        let (elem_ref, css) = (args.text("ref"), args.text("element"));
        let full = args.flag("fullPage") == Some(true);
        let labels = args.flag("labels") == Some(true);
        let is_part = elem_ref.is_some() || css.is_some();
        if full && is_part || labels && (full || is_part) || elem_ref.is_some() && css.is_some() {
            return Err(schema::bad("give one of fullPage, ref, element and labels"));
        }
        let deadline = self.clear_read(tab, deadline).await?;
        let mut report = self.report(tab);
        report.url(&tab.url);
        if labels {
            report.add(self.labelled_picture(tab, deadline).await?);
            return Ok(report);
        }
        let format = format_of(args);
        let area = match (elem_ref, css) {
            (None, None) if full => ScreenshotArea::Page,
            (None, None) => ScreenshotArea::Viewport,
            (Some(text), _) => {
                let (entry, others) = self.book.borrow().look_up(tab.tab, text)?;
                let found = self.engine.find(tab.tab, &entry, &others, deadline).await?;
                self.box_of(tab.tab, found.resolved.key, deadline).await?
            }
            (None, Some(css)) => {
                let target = self.target_by_css(tab.tab, css, deadline).await?;
                self.box_of(tab.tab, target.entry.key, deadline).await?
            }
        };
        let spec = ScreenshotSpec { area, format, labels: Vec::new() };
        report.add(self.picture(tab.tab, spec, deadline).await?);
        Ok(report)
    }

    /// The viewport with a box and its ref for each element that has one there. The refs are good from now on.
    pub(super) async fn labelled_picture(
        &self,
        tab: &TabInfo,
        deadline: Millis,
    ) -> Result<Report, Failure> {
        let spec = CaptureSpec::GEOMETRY;
        let capture = self.read(tab.tab, spec, deadline, Phase::Read).await?;
        let views = aria::frames(&capture);
        let built = build(&capture, &views);
        let lines: Vec<_> = built.lines.iter().filter(|line| line.has_ref()).collect();
        let entries = refs::entries_at(lines.iter().map(|line| line.at), &capture, &views);
        let labels: Vec<Label> = {
            let mut book = self.book.borrow_mut();
            book.renew(tab.tab, capture.top().document, &entries);
            // A frame's own boxes are not in the top viewport.
            let shown = lines.iter().filter(|line| line.at.0 == 0 && !line.offscreen);
            let shown = shown.filter_map(|line| Some((line, line.rect.filter(Rect::has_area)?)));
            let labels = shown.filter_map(|(line, rect)| {
                Some(Label { text: format!("e{}", book.number(line.key)?), rect })
            });
            labels.take(LABELS_MAX).collect()
        };
        let labelled = labels.len();
        let area = ScreenshotArea::Viewport;
        let spec = ScreenshotSpec { area, format: ImageFormat::Png, labels };
        let mut report = self.picture(tab.tab, spec, deadline).await?;
        report.fact("labels", true);
        // The page may have scrolled since: what had no place in the picture is not in it.
        let lost = report.images.first().map_or(0, |image| image.labels_skipped as usize);
        let drawn = labelled.saturating_sub(lost);
        report.fact("labelsCount", drawn);
        report.fact("labelsSkipped", lines.len() - drawn);
        Ok(report)
    }

    /// An element's box in the top viewport, brought into view.
    async fn box_of(
        &self,
        tab: TabId,
        node: NodeKey,
        deadline: Millis,
    ) -> Result<ScreenshotArea, Failure> {
        let what = ScrollWhat::IntoView(node);
        self.engine.ask(Op::Scroll { tab, what }, deadline, Phase::Precheck).await?;
        let probe = self.engine.ask(Op::Probe { tab, node }, deadline, Phase::Precheck).await?;
        let Reply::Probe(probe) = probe else { return Err(wrong_reply(Phase::Precheck)) };
        let gone = || Failure::not_actionable(&crate::action::NotActionable::Detached);
        let probe = probe.ok_or_else(gone)?;
        if !probe.rendered || !probe.rect.has_area() {
            let why = crate::action::NotActionable::NotVisible("it has no size on the page");
            return Err(Failure::not_actionable(&why));
        }
        let Rect { x, y, width, height } = probe.rect;
        let corner = |x, y| {
            let points = crate::frame::points_from_top(Point { x, y }, &probe.frames);
            let points = points.map_err(|error| {
                Failure::not_actionable(&crate::action::NotActionable::UnsupportedFrame(
                    error.reason,
                ))
            })?;
            // One point for each frame, and there is at least the top one.
            points.first().copied().ok_or_else(gone)
        };
        let (from, to) = (corner(x, y)?, corner(x + width, y + height)?);
        Ok(ScreenshotArea::Box(Rect {
            x: from.x,
            y: from.y,
            width: to.x - from.x,
            height: to.y - from.y,
        }))
    }

    async fn picture(
        &self,
        tab: TabId,
        spec: ScreenshotSpec,
        deadline: Millis,
    ) -> Result<Report, Failure> {
        let asked = self.engine.ask(Op::Screenshot { tab, spec }, deadline, Phase::Read).await?;
        let Reply::Screenshot(image) = asked else { return Err(wrong_reply(Phase::Read)) };
        let mut report = Report::default();
        report.fact("imageType", image.mime_type.as_str());
        report.fact("width", image.width);
        report.fact("height", image.height);
        report.images.push(image);
        Ok(report)
    }
}

fn format_of(args: &Args) -> ImageFormat {
    match args.text("type") {
        Some("jpeg") => ImageFormat::Jpeg(JPEG_QUALITY),
        _ => ImageFormat::Png,
    }
}
