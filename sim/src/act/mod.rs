//! Writes: guarded dispatch, in-page events and their default actions.

mod click;
mod dispatch;
mod event;
mod focus;
mod form;
mod keys;
mod pointer;
mod select;
mod typing;
mod valid;
