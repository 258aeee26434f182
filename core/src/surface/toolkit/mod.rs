//! The toolkit of seed 002: six tools over sessions, pages and code bodies.

mod door;

pub use door::{
    Action, CallError, CodeEnd, CodeRunner, LoadWait, OptionWish, PageCall, PageDoor, PointerAct,
    Query, Shot, WaitState,
};
