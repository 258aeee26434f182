//! The simulated browser through its port.

mod capture;
mod drive;
