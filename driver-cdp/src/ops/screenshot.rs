//! `Op::Screenshot`.

use crate::labels;
use crate::session::Link;
use backlot_core::page::{Rect, TabId};
use backlot_core::port::{DriverError, Image, ImageFormat, Millis, ScreenshotArea, ScreenshotSpec};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// Longest side of a picture, dots: models take no more in.
const SIDE_MAX: f64 = 2_000.0;
/// Most bytes of a picture, before Base64.
const BYTES_MAX: usize = 5_000_000;
/// Quality of a JPEG that takes the place of a PNG that is too large.
const SUBSTITUTE_QUALITY: u8 = 80;

const METHOD: &str = "Page.captureScreenshot";

/// Takes a picture, scaled down to the limits.
pub(super) async fn screenshot(
    link: &Link,
    tab: TabId,
    spec: &ScreenshotSpec,
    deadline: Millis,
) -> Result<Image, DriverError> {
    // A page that is not in front paints nothing.
    let target = link.book().tab(tab)?.target.clone();
    link.browser("Target.activateTarget", json!({ "targetId": target }), deadline).await?;
    let metrics = link.tab(tab, "Page.getLayoutMetrics", json!({}), deadline).await?;
    let seen = rect(&metrics["cssVisualViewport"], "clientWidth", "clientHeight");
    let seen = Rect {
        x: metrics["cssVisualViewport"]["pageX"].as_f64().unwrap_or_default(),
        y: metrics["cssVisualViewport"]["pageY"].as_f64().unwrap_or_default(),
        ..seen
    };
    let area = match spec.area {
        ScreenshotArea::Viewport => seen,
        ScreenshotArea::Page => rect(&metrics["cssContentSize"], "width", "height"),
        // Boxes are in the viewport, clips in the document.
        ScreenshotArea::Box(wanted) => {
            Rect { x: wanted.x + seen.x, y: wanted.y + seen.y, ..wanted }
        }
    };
    if !area.has_area() {
        let reason = "there is nothing to see: the area is empty".into();
        return Err(DriverError::Refused { method: METHOD.into(), reason });
    }
    let ratio = link.tab(
        tab,
        "Runtime.evaluate",
        json!({ "expression": "devicePixelRatio", "returnByValue": true }),
        deadline,
    );
    let ratio = ratio.await?["result"]["value"].as_f64().unwrap_or(1.0).max(0.1);
    let scale = (SIDE_MAX / (area.width.max(area.height) * ratio)).min(1.0);
    // Labels are drawn on dots, so they need a PNG.
    let format = if spec.labels.is_empty() { spec.format } else { ImageFormat::Png };
    let shot = Shot { link, tab, area, scale, beyond: spec.area != ScreenshotArea::Viewport };
    let mut format = format;
    let mut bytes = shot.take(format, deadline).await?;
    let mut labels_skipped = 0;
    if !spec.labels.is_empty() {
        let origin = (area.x - seen.x, area.y - seen.y);
        let drawn = labels::draw(&bytes, &spec.labels, origin, scale * ratio).map_err(failed)?;
        (bytes, labels_skipped) = drawn;
    } else if bytes.len() > BYTES_MAX && format == ImageFormat::Png {
        format = ImageFormat::Jpeg(SUBSTITUTE_QUALITY);
        bytes = shot.take(format, deadline).await?;
    }
    if bytes.len() > BYTES_MAX {
        return Err(failed(format!(
            "the picture has {} bytes, {BYTES_MAX} at most go",
            bytes.len()
        )));
    }
    let dots = |css: f64| (css * scale * ratio).round() as u32;
    Ok(Image {
        mime_type: match format {
            ImageFormat::Png => "image/png".into(),
            ImageFormat::Jpeg(_) => "image/jpeg".into(),
        },
        width: dots(area.width),
        height: dots(area.height),
        base64: STANDARD.encode(bytes),
        labels_skipped,
    })
}

struct Shot<'a> {
    link: &'a Link,
    tab: TabId,
    area: Rect,
    scale: f64,
    beyond: bool,
}

impl Shot<'_> {
    async fn take(&self, format: ImageFormat, deadline: Millis) -> Result<Vec<u8>, DriverError> {
        let Rect { x, y, width, height } = self.area;
        let mut params = json!({
            "format": "png",
            "clip": { "x": x, "y": y, "width": width, "height": height, "scale": self.scale },
            "captureBeyondViewport": self.beyond,
        });
        if let ImageFormat::Jpeg(quality) = format {
            params["format"] = "jpeg".into();
            params["quality"] = quality.min(100).into();
        }
        let answer = self.link.tab(self.tab, METHOD, params, deadline).await?;
        let text = answer["data"].as_str().unwrap_or_default();
        STANDARD.decode(text).map_err(|error| failed(error.to_string()))
    }
}

fn rect(value: &Value, width: &str, height: &str) -> Rect {
    let number = |name: &str| value[name].as_f64().unwrap_or_default();
    Rect { x: number("x"), y: number("y"), width: number(width), height: number(height) }
}

fn failed(reason: String) -> DriverError {
    DriverError::Refused { method: METHOD.into(), reason }
}
