use crate::capture::Rects;
use crate::world::{Page, State};
use backlot_core::page::{CaptureSpec, FrameId};

impl State {
    pub(crate) fn boxes(&self, _page: &Page, spec: CaptureSpec) -> Option<Rects> {
        spec.boxes.then(Rects::new)
    }
    pub(crate) fn fit_frame(&mut self, _frame: FrameId) {}
    pub(crate) fn autofocus(&mut self, _frame: FrameId) {}
}
