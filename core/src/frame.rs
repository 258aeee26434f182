//! Frame geometry: points of a nested frame in the viewports around it.
//!
//! Borders, padding, scrolling (which boxes relative to a viewport contain already), nesting and positive axis-aligned scale
//! are exact. Everything else is [`UnsupportedFrame`]: a write never uses approximate coordinates.

use crate::page::{DocumentKey, Rect};
use crate::planted::{self, Bug};
use alloc::{string::String, vec, vec::Vec};
use serde::{Deserialize, Serialize};

/// A point in CSS pixels, relative to a frame's viewport.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// One frame on the way from the top to a node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FrameStep {
    /// Its document.
    pub document: DocumentKey,
    /// Size of its viewport.
    pub viewport: Rect,
    /// The frame element's border box in the parent's viewport; `None` for the top frame.
    pub owner_rect: Option<Rect>,
    /// Left and top border of the frame element, CSS pixels before any transform.
    pub border: (f64, f64),
    /// Left and top padding of the frame element, likewise.
    pub padding: (f64, f64),
    /// Layout width and height of the frame element before any transform; with `owner_rect` this gives the scale.
    pub layout_size: (f64, f64),
    /// A transform around the frame element that is not a translation or positive axis-aligned scale: its reason.
    pub unsupported: Option<String>,
}

/// Why a point cannot be mapped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct UnsupportedFrame {
    /// A reason word such as `non_axis_aligned_transform`.
    pub reason: String,
}

/// The point in each viewport from the top frame's to the innermost one's, given in the innermost.
///
/// # Errors
/// A frame on the way is transformed in a way that is not translation or positive axis-aligned scale.
pub fn points_from_top(point: Point, frames: &[FrameStep]) -> Result<Vec<Point>, UnsupportedFrame> {
    let mut points = vec![point];
    let mut inner = point;
    for step in frames.iter().skip(1).rev() {
        inner = to_parent(inner, step)?;
        points.push(inner);
    }
    points.reverse();
    Ok(points)
}

fn to_parent(point: Point, step: &FrameStep) -> Result<Point, UnsupportedFrame> {
    if let Some(reason) = &step.unsupported {
        return Err(UnsupportedFrame { reason: reason.clone() });
    }
    let invalid = || UnsupportedFrame { reason: "invalid_frame_dimensions".into() };
    let owner = step.owner_rect.ok_or_else(invalid)?;
    let scale = (owner.width / step.layout_size.0, owner.height / step.layout_size.1);
    if ![scale.0, scale.1].iter().all(|scale| scale.is_finite() && *scale > 0.0) {
        return Err(invalid());
    }
    let (mut border, mut padding, mut offset) = (step.border, step.padding, (owner.x, owner.y));
    for (bug, forgotten) in [
        (Bug::FrameBorderForgotten, &mut border),
        (Bug::FramePaddingForgotten, &mut padding),
        (Bug::FrameOffsetForgotten, &mut offset),
    ] {
        if planted::is(bug) {
            *forgotten = (0.0, 0.0);
        }
    }
    Ok(Point {
        x: offset.0 + (border.0 + padding.0 + point.x) * scale.0,
        y: offset.1 + (border.1 + padding.1 + point.y) * scale.1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{FrameId, LoaderId};

    fn step(owner: Option<(f64, f64, f64, f64)>, border: f64, layout: (f64, f64)) -> FrameStep {
        FrameStep {
            document: DocumentKey { frame: FrameId(0), loader: LoaderId(0) },
            viewport: Rect::default(),
            owner_rect: owner.map(|(x, y, width, height)| Rect { x, y, width, height }),
            border: (border, border),
            padding: (0.0, 0.0),
            layout_size: layout,
            unsupported: None,
        }
    }

    #[test]
    fn borders_nesting_and_scale_add_up() {
        // catalog.md 10.5: frame 275x150 at (100, 50), layout 220x120, border 10, so a scale of 1.25.
        let frames = [
            step(None, 0.0, (0.0, 0.0)),
            step(Some((100.0, 50.0, 275.0, 150.0)), 10.0, (220.0, 120.0)),
        ];
        let points = points_from_top(Point { x: 20.0, y: 30.0 }, &frames).unwrap();
        assert_eq!(points, [Point { x: 137.5, y: 100.0 }, Point { x: 20.0, y: 30.0 }]);
        let nested = [
            step(None, 0.0, (0.0, 0.0)),
            step(Some((100.0, 50.0, 220.0, 120.0)), 10.0, (220.0, 120.0)),
            step(Some((30.0, 20.0, 120.0, 70.0)), 5.0, (120.0, 70.0)),
        ];
        let points = points_from_top(Point { x: 10.0, y: 10.0 }, &nested).unwrap();
        assert_eq!(points[0], Point { x: 155.0, y: 95.0 });
    }

    #[test]
    fn a_rotated_or_flat_frame_is_not_mapped() {
        let mut rotated = step(Some((0.0, 0.0, 10.0, 10.0)), 0.0, (10.0, 10.0));
        rotated.unsupported = Some("non_axis_aligned_transform".into());
        let top = step(None, 0.0, (0.0, 0.0));
        let origin = Point { x: 0.0, y: 0.0 };
        assert_eq!(
            points_from_top(origin, &[top.clone(), rotated]).unwrap_err().reason,
            "non_axis_aligned_transform"
        );
        let flat = step(Some((0.0, 0.0, 0.0, 10.0)), 0.0, (0.0, 10.0));
        assert_eq!(
            points_from_top(origin, &[top, flat]).unwrap_err().reason,
            "invalid_frame_dimensions"
        );
    }
}
