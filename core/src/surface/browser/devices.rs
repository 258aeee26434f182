// table: devices by name
//! Devices to pretend to be. Sizes and scales as the makers give them, viewports less the browser's own bars.

use crate::port::Device;

/// Name, viewport, screen, scale, mobile and touch, `User-Agent` (empty: the browser's own).
type Row = (&'static str, (u32, u32), (u32, u32), f64, bool, &'static str);

const IPHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                      Version/17.5 Mobile/15E148 Safari/604.1";
const IPAD: &str = "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 \
                    Mobile/15E148 Safari/604.1";
const ANDROID: &str = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Mobile \
                       Safari/537.36";

const DEVICES: &[Row] = &[
    ("Desktop Chrome", (1280, 720), (1920, 1080), 1.0, false, ""),
    ("Desktop Chrome HiDPI", (1280, 720), (1792, 1120), 2.0, false, ""),
    ("Galaxy S9+", (320, 658), (320, 658), 4.5, true, ANDROID),
    ("Pixel 5", (393, 727), (393, 851), 2.75, true, ANDROID),
    ("Pixel 7", (412, 839), (412, 915), 2.625, true, ANDROID),
    ("iPad Mini", (768, 1024), (768, 1024), 2.0, true, IPAD),
    ("iPhone 13", (390, 664), (390, 844), 3.0, true, IPHONE),
    ("iPhone 14", (390, 664), (390, 844), 3.0, true, IPHONE),
    ("iPhone 15", (393, 659), (393, 852), 3.0, true, IPHONE),
    ("iPhone SE", (320, 568), (320, 568), 2.0, true, IPHONE),
];

/// The device of exactly this name.
pub(super) fn device(name: &str) -> Option<Device> {
    let (_, viewport, screen, scale, is_mobile, user_agent) =
        DEVICES.iter().find(|(known, ..)| *known == name)?;
    Some(Device {
        user_agent: (*user_agent).into(),
        viewport: *viewport,
        screen: *screen,
        scale: *scale,
        is_mobile: *is_mobile,
        has_touch: *is_mobile,
    })
}

/// All names, in order.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    DEVICES.iter().map(|(name, ..)| *name)
}
