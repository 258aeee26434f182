//! Limits of a capture, each with its unit. Hitting one is told: in [`super::Frame::cut`] or as a [`super::FrameGap`].

/// Most nodes of one capture, all frames together.
pub const NODES_MAX: u32 = 400_000;
/// Most UTF-16 code units kept of one text node or live value.
pub const TEXT_UNITS_MAX: u32 = 100_000;
/// Most UTF-16 code units kept of one attribute value, title or URL.
pub const ATTRIBUTE_UNITS_MAX: u32 = 4_000;
/// Deepest element that is captured, counted in tree levels across frames and shadow roots. Chromium's own parser
/// stops nesting at 512 levels, so only pages built by script get here.
pub const DEPTH_MAX: u32 = 1_000;
/// Deepest nesting of frames that is captured; the top frame counts as 0.
pub const FRAME_DEPTH_MAX: u32 = 4;
/// Most nodes given for one selector.
pub const MATCHES_MAX: u32 = 20_000;
