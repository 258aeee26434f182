//! A port that answers from a transcript.

use super::{DriverError, Millis, Op, Port, Reply};
use alloc::{collections::VecDeque, format, string::String};
use core::cell::RefCell;

/// Answers each op as a transcript of [`super::Traced`] says, one op after another. Lines of other writers are passed over.
#[derive(Debug)]
pub struct Replayed {
    /// Lines of ops and answers that are left, without their marks.
    lines: RefCell<VecDeque<(bool, String)>>,
}

impl Replayed {
    /// Begins at the first line.
    pub fn new(transcript: &str) -> Self {
        let lines = transcript.lines().filter_map(|line| {
            let is_op = line.starts_with("> ");
            (is_op || line.starts_with("< ")).then(|| (is_op, line[2..].into()))
        });
        Self { lines: RefCell::new(lines.collect()) }
    }

    /// Ops that were not asked for yet.
    pub fn left(&self) -> usize {
        self.lines.borrow().iter().filter(|(is_op, _)| *is_op).count()
    }

    fn next(&self, wanted: bool) -> Option<String> {
        let mut lines = self.lines.borrow_mut();
        match lines.front() {
            Some((is_op, _)) if *is_op == wanted => lines.pop_front().map(|(_, line)| line),
            _ => None,
        }
    }
}

impl Port for Replayed {
    /// # Errors
    /// What the transcript says, and [`DriverError::Refused`] where it has another op here or none.
    async fn call(&self, op: Op, _deadline: Millis) -> Result<Reply, DriverError> {
        let refused = |reason: String| DriverError::Refused { method: op.name().into(), reason };
        let asked = serde_json::to_string(&op).map_err(|error| refused(format!("{error}")))?;
        match self.next(true) {
            Some(line) if line == asked => {}
            Some(line) => {
                return Err(refused(format!("the transcript has another op here: {line}")));
            }
            None => return Err(refused("the transcript has no more ops here".into())),
        }
        let told = self.next(false).ok_or_else(|| refused("the op has no answer".into()))?;
        serde_json::from_str(&told).map_err(|error| refused(format!("no answer: {error}")))?
    }
}
