//! What only a real browser can say. A missing browser fails these tests with the hint how to install one.

mod act;
mod capture;
mod support;
