//! Bodies against a door that writes down what it is asked.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod arguments;
mod calls;
mod conformance;
mod escapes;
mod locators;
mod rules;
mod starved;
mod support;
