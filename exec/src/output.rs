//! What a body writes.

/// Lines of one stream, up to a size.
#[derive(Debug)]
pub(crate) struct Output {
    text: String,
    lines: u64,
    limit: usize,
    cut: bool,
}

impl Output {
    pub(crate) fn new(limit: usize) -> Self {
        Self { text: String::new(), lines: 0, limit, cut: false }
    }

    pub(crate) fn line(&mut self, line: &str) {
        if self.cut {
            return;
        }
        if self.lines > 0 {
            self.text.push('\n');
        }
        self.lines += 1;
        let room = self.limit.saturating_sub(self.text.len());
        let fits = line.floor_char_boundary(room);
        self.text.push_str(&line[..fits]);
        self.cut = fits < line.len() || self.text.len() >= self.limit;
    }

    /// The text; if something was cut off, its last line says so.
    pub(crate) fn take(&mut self) -> String {
        let mut text = std::mem::take(&mut self.text);
        if self.cut {
            text.push_str(&format!(
                "\n[output cut: more than {} KiB were written; log less, or return what you need]",
                self.limit / 1024
            ));
        }
        text
    }
}
