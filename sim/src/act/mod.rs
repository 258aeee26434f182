//! Writes: guarded dispatch, in-page events and their default actions.

mod caret;
mod choose;
mod click;
mod clipboard;
mod dispatch;
mod edit;
mod event;
mod focus;
mod form;
mod keys;
mod open;
mod pattern;
mod pointer;
mod select;
mod tabbing;
mod typing;
mod valid;
