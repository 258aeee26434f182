//! The tool sets. Each is a thin layer over the same engine; none knows another.

pub mod browser;
pub mod catalog;
pub mod toolkit;

use crate::action::ToolResult;
use crate::tool::{Registry, ToolCall};
use core::future::Future;

/// A tool set for one client.
pub trait Surface {
    /// Its tools.
    fn registry(&self) -> &Registry;

    /// Carries one call out. Ends by the call's deadline; fails only by a result that says so.
    fn call(&self, call: &ToolCall) -> impl Future<Output = ToolResult>;

    /// Ends what it has opened and still owns. It may be called again.
    fn dispose(&self) -> impl Future<Output = ()>;
}
