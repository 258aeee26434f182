//! A client of one of the surfaces in an arm: calls in, results out.

use crate::arm::Arm;
use crate::session::Session;
use backlot_core::action::ToolResult;
use backlot_core::gatekeeper::{Policy, PolicyState};
use backlot_core::surface::Surface;
use backlot_core::surface::browser::BrowserTool;
use backlot_core::surface::toolkit::{DomainPolicy, Toolkit};
use backlot_core::tool::{Level, ToolCall};
use backlot_exec::Runner;
use serde_json::Value;

/// Which tool set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SurfaceName {
    Catalog,
    Toolkit,
    Browser,
}

impl SurfaceName {
    pub(crate) fn parse(word: &str) -> Result<Self, String> {
        match word {
            "catalog" => Ok(Self::Catalog),
            "toolkit" => Ok(Self::Toolkit),
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
    Catalog(Box<Session<'a, A>>),
    Toolkit(&'a A, Box<Toolkit<A::Launcher, A::Host, Runner>>),
    Browser(&'a A, Box<BrowserTool<A::Launcher, A::Host>>),
}

impl<'a, A: Arm> Client<'a, A> {
    pub(crate) fn new(arm: &'a A, surface: SurfaceName, policy: Policy, levels: &[Level]) -> Self {
        let state = PolicyState::new(policy);
        match surface {
            SurfaceName::Catalog => Self::Catalog(Box::new(Session::new(arm, policy, levels))),
            SurfaceName::Toolkit => {
                let (launcher, host) = (arm.launcher(), arm.host());
                let runner = Runner::default();
                let tools = Toolkit::new(launcher, host, runner, state, DomainPolicy::default());
                Self::Toolkit(arm, Box::new(tools))
            }
            SurfaceName::Browser => {
                Self::Browser(arm, Box::new(BrowserTool::new(arm.launcher(), arm.host(), state)))
            }
        }
    }

    pub(crate) fn call(&self, name: &str, arguments: Value) -> ToolResult {
        let call = || ToolCall { name: name.into(), arguments: arguments.clone() };
        match self {
            Self::Catalog(session) => session.call(name, arguments),
            Self::Toolkit(arm, tools) => arm.block_on(tools.call(&call())),
            Self::Browser(arm, tool) => arm.block_on(tool.call(&call())),
        }
    }

    /// Ends what the surface has opened.
    pub(crate) fn close(&self) {
        match self {
            Self::Catalog(_) => {}
            Self::Toolkit(arm, tools) => arm.block_on(tools.dispose()),
            Self::Browser(arm, tool) => arm.block_on(tool.dispose()),
        }
    }
}
