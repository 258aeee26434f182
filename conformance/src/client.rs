//! A client of one of the surfaces in an arm: calls in, results out.

use crate::arm::Arm;
use crate::session::Session;
use backlot_core::action::ToolResult;
use backlot_core::gatekeeper::{Policy, PolicyState};
use backlot_core::surface::Surface;
use backlot_core::surface::browser::BrowserTool;
use backlot_core::tool::{Level, ToolCall};
use serde_json::Value;

/// Which tool set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SurfaceName {
    Catalog,
    Browser,
}

impl SurfaceName {
    pub(crate) fn parse(word: &str) -> Result<Self, String> {
        match word {
            "catalog" => Ok(Self::Catalog),
            "browser" => Ok(Self::Browser),
            other => Err(format!("there is no surface {other}; catalog, toolkit and browser are")),
        }
    }

    /// It works in a browser that is there before the first call.
    pub(crate) fn is_given_a_browser(self) -> bool {
        self == Self::Catalog
    }
}

/// A tool set on an arm.
pub(crate) enum Client<'a, A: Arm> {
    Catalog(Session<'a, A>),
    Browser(&'a A, Box<BrowserTool<A::Launcher, A::Host>>),
}

impl<'a, A: Arm> Client<'a, A> {
    pub(crate) fn new(arm: &'a A, surface: SurfaceName, policy: Policy, levels: &[Level]) -> Self {
        let state = PolicyState::new(policy);
        match surface {
            SurfaceName::Catalog => Self::Catalog(Session::new(arm, policy, levels)),
            SurfaceName::Browser => {
                Self::Browser(arm, Box::new(BrowserTool::new(arm.launcher(), arm.host(), state)))
            }
        }
    }

    pub(crate) fn call(&self, name: &str, arguments: Value) -> ToolResult {
        match self {
            Self::Catalog(session) => session.call(name, arguments),
            Self::Browser(arm, tool) => {
                arm.block_on(tool.call(&ToolCall { name: name.into(), arguments }))
            }
        }
    }

    /// Ends what the surface has opened.
    pub(crate) fn close(&self) {
        match self {
            Self::Catalog(_) => {}
            Self::Browser(arm, tool) => arm.block_on(tool.dispose()),
        }
    }
}
