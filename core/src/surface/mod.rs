//! The tool sets. Each is a thin layer over the same engine; none knows another.

pub mod catalog;
