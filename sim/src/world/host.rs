//! The host program's side of core.

use super::{Sleep, World};
use backlot_core::gatekeeper::ApprovalRequest;
use backlot_core::port::{Approval, Host, Millis};
use std::future::Future;

/// Virtual time, numbers from the seed, and a fixed answer to approval requests.
#[derive(Debug, Clone)]
pub struct SimHost {
    world: World,
}

impl SimHost {
    pub(super) fn new(world: World) -> Self {
        Self { world }
    }
}

impl Host for SimHost {
    fn now(&self) -> Millis {
        Millis(self.world.state.borrow().now)
    }

    fn sleep_until(&self, moment: Millis) -> impl Future<Output = ()> {
        Sleep::new(&self.world.state, moment.0)
    }

    fn nonce(&self) -> u64 {
        self.world.state.borrow_mut().nonces.draw()
    }

    async fn approve(&self, _request: &ApprovalRequest) -> Approval {
        self.world.state.borrow().approval.clone()
    }
}
