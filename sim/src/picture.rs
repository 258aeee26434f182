//! How large a picture is: only the headers of image files are read.

/// Width and height of a PNG, GIF, JPEG, WebP, BMP or SVG file, CSS pixels; `None` for what is none of them or broken.
pub(crate) fn size(bytes: &[u8]) -> Option<(f32, f32)> {
    let found = png(bytes)
        .or_else(|| gif(bytes))
        .or_else(|| jpeg(bytes))
        .or_else(|| webp(bytes))
        .or_else(|| bmp(bytes))
        .or_else(|| svg(bytes))?;
    (found.0 > 0.0 && found.1 > 0.0).then_some(found)
}

/// The same for a `data:` URL.
pub(crate) fn data_url_size(url: &str) -> Option<(f32, f32)> {
    let (head, payload) = url.trim().strip_prefix("data:")?.split_once(',')?;
    let plain: Vec<u8> = percent_encoding(payload);
    let is_base64 =
        head.rsplit(';').next().is_some_and(|word| word.trim().eq_ignore_ascii_case("base64"));
    if is_base64 { size(&base64(&plain)) } else { size(&plain) }
}

fn pair(width: u32, height: u32) -> (f32, f32) {
    let side = |side: u32| f32::from(u16::try_from(side).unwrap_or(u16::MAX));
    (side(width), side(height))
}

fn big(bytes: &[u8], at: usize, count: usize) -> Option<u32> {
    Some(bytes.get(at..at + count)?.iter().fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
}

fn little(bytes: &[u8], at: usize, count: usize) -> Option<u32> {
    Some(bytes.get(at..at + count)?.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
}

fn png(bytes: &[u8]) -> Option<(f32, f32)> {
    bytes.starts_with(b"\x89PNG\r\n\x1a\n").then_some(())?;
    Some(pair(big(bytes, 16, 4)?, big(bytes, 20, 4)?))
}

fn gif(bytes: &[u8]) -> Option<(f32, f32)> {
    bytes.starts_with(b"GIF8").then_some(())?;
    Some(pair(little(bytes, 6, 2)?, little(bytes, 8, 2)?))
}

fn bmp(bytes: &[u8]) -> Option<(f32, f32)> {
    bytes.starts_with(b"BM").then_some(())?;
    let height = little(bytes, 22, 4)?.cast_signed().unsigned_abs();
    Some(pair(little(bytes, 18, 4)?, height))
}

fn webp(bytes: &[u8]) -> Option<(f32, f32)> {
    (bytes.starts_with(b"RIFF") && bytes.get(8..12)? == b"WEBP").then_some(())?;
    Some(match bytes.get(12..16)? {
        b"VP8X" => pair(little(bytes, 24, 3)? + 1, little(bytes, 27, 3)? + 1),
        b"VP8L" => {
            let bits = little(bytes, 21, 4)?;
            pair((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1)
        }
        b"VP8 " => pair(little(bytes, 26, 2)? & 0x3fff, little(bytes, 28, 2)? & 0x3fff),
        _ => return None,
    })
}

/// The size stands in the start-of-frame segment.
fn jpeg(bytes: &[u8]) -> Option<(f32, f32)> {
    bytes.starts_with(b"\xff\xd8").then_some(())?;
    let mut at = 2;
    while let Some(marker) = bytes.get(at..at + 2) {
        let is_frame = matches!(marker[1], 0xc0..=0xcf) && !matches!(marker[1], 0xc4 | 0xc8 | 0xcc);
        if marker[0] != 0xff {
            return None;
        }
        if is_frame {
            return Some(pair(big(bytes, at + 7, 2)?, big(bytes, at + 5, 2)?));
        }
        at += 2 + usize::try_from(big(bytes, at + 2, 2)?).ok()?.max(2);
    }
    None
}

fn svg(bytes: &[u8]) -> Option<(f32, f32)> {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4_096)]).into_owned();
    let (_, rest) = text.split_once("<svg")?;
    let tag = rest.split_once('>').map_or(rest, |(tag, _)| tag);
    let attribute = |name: &str| {
        let (_, rest) = tag.split_once(&format!(" {name}="))?;
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        rest[1..].split_once(quote).map(|(value, _)| value.trim().to_string())
    };
    let number = |text: String| text.trim_end_matches("px").parse::<f32>().ok();
    let view: Option<Vec<f32>> = attribute("viewBox")
        .map(|text| text.split([' ', ',']).filter_map(|word| word.parse().ok()).collect());
    let view = view.filter(|view| view.len() == 4).map(|view| (view[2], view[3]));
    let (width, height) =
        (attribute("width").and_then(number), attribute("height").and_then(number));
    Some(match (width, height, view) {
        (Some(width), Some(height), _) => (width, height),
        (Some(width), None, Some(view)) => (width, width * view.1 / view.0),
        (None, Some(height), Some(view)) => (height * view.0 / view.1, height),
        (None, None, Some(view)) => view,
        (width, height, None) => (width.unwrap_or(300.0), height.unwrap_or(150.0)),
    })
}

fn percent_encoding(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let hex = |at: usize| {
        let pair = bytes.get(at..at + 2).and_then(|pair| std::str::from_utf8(pair).ok())?;
        u8::from_str_radix(pair, 16).ok()
    };
    let mut plain = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], hex(at + 1)) {
            (b'%', Some(byte)) => {
                plain.push(byte);
                at += 3;
            }
            (byte, _) => {
                plain.push(byte);
                at += 1;
            }
        }
    }
    plain
}

/// Decodes base64 (RFC 4648, section 4) and passes over everything else.
fn base64(text: &[u8]) -> Vec<u8> {
    let (mut plain, mut bits, mut count) = (Vec::new(), 0_u32, 0_u32);
    for byte in text {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            plain.push((bits >> count & 0xff) as u8);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_tell_the_size() {
        let check = |url: &str, expected: Option<(f32, f32)>| {
            assert_eq!(data_url_size(url), expected, "{url}");
        };
        check(
            "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
            Some((1.0, 1.0)),
        );
        check("data:image/svg+xml,<svg width='20' height=\"30px\"></svg>", Some((20.0, 30.0)));
        check("data:image/svg+xml,%3Csvg viewBox='0 0 8 4' width='16'/%3E", Some((16.0, 8.0)));
        check("data:image/png,nonsense", None);
        check("data:,", None);
        check("http://a.test/", None);
        assert_eq!(
            size(b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x11\x08\x00\x05\x00\x07"),
            Some((7.0, 5.0))
        );
        assert_eq!(size(b"\xff\xd8\xff\xe0\x00\x00"), None, "a segment of no length ends");
    }
}
