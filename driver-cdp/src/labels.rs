//! Words drawn over a picture: a frame around each box and its word beside it. The page knows nothing of it.

use backlot_core::page::Rect;
use backlot_core::port::Label;
use std::io::Cursor;

/// Colour of frames and of the ground of words.
const FRAME: [u8; 3] = [0xd0, 0x00, 0x60];
/// Colour of words.
const INK: [u8; 3] = [0xff, 0xff, 0xff];
/// Picture dots for one dot of a letter.
const DOT: i64 = 2;
/// Size of a letter in its own dots.
const LETTER: (i64, i64) = (3, 5);

/// A picture with labels on it, and how many of them lie outside it.
///
/// `scale`: picture dots for one CSS pixel; `origin`: the picture's corner in the viewport.
pub(crate) fn draw(
    bytes: &[u8],
    labels: &[Label],
    origin: (f64, f64),
    scale: f64,
) -> Result<(Vec<u8>, u32), String> {
    let mut picture = Picture::decode(bytes)?;
    let mut skipped = 0;
    for label in labels {
        let left = (label.rect.x - origin.0) * scale;
        let top = (label.rect.y - origin.1) * scale;
        let place = Rect {
            x: left,
            y: top,
            width: label.rect.width * scale,
            height: label.rect.height * scale,
        };
        let shown = Rect {
            x: 0.0,
            y: 0.0,
            width: f64::from(picture.width),
            height: f64::from(picture.height),
        };
        if place.has_area() && place.touches(&shown) {
            picture.label(&label.text, &place);
        } else {
            skipped += 1;
        }
    }
    Ok((picture.encode()?, skipped))
}

struct Picture {
    width: u32,
    height: u32,
    channels: usize,
    color: png::ColorType,
    data: Vec<u8>,
}

impl Picture {
    fn decode(bytes: &[u8]) -> Result<Self, String> {
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
        let size = reader.output_buffer_size().ok_or("the picture is too large")?;
        let mut data = vec![0; size];
        let frame = reader.next_frame(&mut data).map_err(|error| error.to_string())?;
        data.truncate(frame.buffer_size());
        let channels = frame.color_type.samples();
        if channels < 3 {
            return Err("the picture has no colours".into());
        }
        let (width, height) = (frame.width, frame.height);
        Ok(Self { width, height, channels, color: frame.color_type, data })
    }

    fn encode(&self) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(self.color);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(|error| error.to_string())?;
        writer.write_image_data(&self.data).map_err(|error| error.to_string())?;
        writer.finish().map_err(|error| error.to_string())?;
        Ok(bytes)
    }

    fn label(&mut self, text: &str, place: &Rect) {
        // Pictures are far smaller than 2^63 dots.
        let (left, top) = (place.x as i64, place.y as i64);
        let (right, bottom) = ((place.x + place.width) as i64, (place.y + place.height) as i64);
        self.fill((left, top), (right, top + 2), FRAME);
        self.fill((left, bottom - 2), (right, bottom), FRAME);
        self.fill((left, top), (left + 2, bottom), FRAME);
        self.fill((right - 2, top), (right, bottom), FRAME);
        let advance = (LETTER.0 + 1) * DOT;
        let letters = i64::try_from(text.chars().count()).unwrap_or_default();
        let (width, height) = (letters * advance + DOT, (LETTER.1 + 2) * DOT);
        // Above the box, or in it where there is no room above.
        let y = if top >= height { top - height } else { top };
        self.fill((left, y), (left + width, y + height), FRAME);
        for (at, letter) in (0..).zip(text.chars()) {
            self.letter(letter, (left + DOT + at * advance, y + DOT));
        }
    }

    fn letter(&mut self, letter: char, (x, y): (i64, i64)) {
        for (row, bits) in (0..).zip(shape(letter)) {
            for column in (0..LETTER.0).filter(|column| bits >> (LETTER.0 - 1 - column) & 1 == 1) {
                let from = (x + column * DOT, y + row * DOT);
                self.fill(from, (from.0 + DOT, from.1 + DOT), INK);
            }
        }
    }

    /// Fills the dots from one corner up to, not including, the other, as far as the picture goes.
    fn fill(&mut self, from: (i64, i64), to: (i64, i64), color: [u8; 3]) {
        let within = |value: i64, most: u32| value.clamp(0, most.into()) as usize;
        let (left, right) = (within(from.0, self.width), within(to.0, self.width));
        for y in within(from.1, self.height)..within(to.1, self.height) {
            for x in left..right {
                let at = (y * self.width as usize + x) * self.channels;
                self.data[at..at + 3].copy_from_slice(&color);
            }
        }
    }
}

/// A letter of refs as five rows of three dots; others are a block.
fn shape(letter: char) -> [u8; 5] {
    match letter {
        '0' => [7, 5, 5, 5, 7],
        '1' => [2, 6, 2, 2, 7],
        '2' => [7, 1, 7, 4, 7],
        '3' => [7, 1, 7, 1, 7],
        '4' => [5, 5, 7, 1, 1],
        '5' => [7, 4, 7, 1, 7],
        '6' => [7, 4, 7, 5, 7],
        '7' => [7, 1, 1, 1, 1],
        '8' => [7, 5, 7, 5, 7],
        '9' => [7, 5, 7, 1, 7],
        'a' => [7, 5, 7, 5, 5],
        'e' => [7, 4, 7, 4, 7],
        'l' => [4, 4, 4, 4, 7],
        's' => [7, 4, 7, 1, 6],
        'x' => [5, 5, 2, 5, 5],
        '_' => [0, 0, 0, 0, 7],
        _ => [7, 7, 7, 7, 7],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blank(width: u32, height: u32) -> Vec<u8> {
        let data = vec![0x80; (width * height * 3) as usize];
        Picture { width, height, channels: 3, color: png::ColorType::Rgb, data }.encode().unwrap()
    }

    fn at(picture: &Picture, x: u32, y: u32) -> &[u8] {
        let at = (y * picture.width + x) as usize * picture.channels;
        &picture.data[at..at + 3]
    }

    #[test]
    fn a_label_frames_its_box_and_no_more() {
        let rect = Rect { x: 20.0, y: 40.0, width: 30.0, height: 20.0 };
        let inside = Label { text: "e1".into(), rect };
        let outside = Label { text: "e2".into(), rect: Rect { x: 500.0, ..rect } };
        let (bytes, skipped) =
            draw(&blank(200, 100), &[inside, outside], (10.0, 0.0), 2.0).unwrap();
        assert_eq!(skipped, 1);
        let picture = Picture::decode(&bytes).unwrap();
        assert_eq!(at(&picture, 20, 80), FRAME, "the corner of the box, scaled and moved");
        assert_eq!(at(&picture, 40, 90), [0x80; 3], "inside the box");
        assert_eq!(at(&picture, 19, 80), [0x80; 3], "beside the box");
        assert_eq!(at(&picture, 22, 68), INK, "the first dot of the e");
    }

    #[test]
    fn what_is_no_picture_is_an_error() {
        assert!(draw(b"no picture", &[], (0.0, 0.0), 1.0).is_err());
    }
}
