//! What core needs of the program around it, on tokio.

use crate::clock;
use backlot_core::gatekeeper::ApprovalRequest;
use backlot_core::port::{Approval, Host, Millis};

/// Who answers approvals.
#[derive(Debug, Clone)]
pub enum Approver {
    /// Everything is approved.
    Accept,
    /// Nothing is; the note tells how to allow it.
    Decline(String),
}

/// Time, sleep, chance and approvals of this process. All hosts and ports of a process share one clock.
#[derive(Debug, Clone)]
pub struct TokioHost {
    approver: Approver,
}

impl TokioHost {
    /// A host with this approver.
    pub fn new(approver: Approver) -> Self {
        Self { approver }
    }
}

impl Host for TokioHost {
    fn now(&self) -> Millis {
        clock::now()
    }

    async fn sleep_until(&self, moment: Millis) {
        tokio::time::sleep_until(clock::instant(moment)).await;
    }

    /// # Panics
    /// If the system has no random source: a nonce that can be guessed is worse than none.
    fn nonce(&self) -> u64 {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).expect("the system gives random bytes");
        u64::from_le_bytes(bytes)
    }

    async fn approve(&self, _request: &ApprovalRequest) -> Approval {
        match &self.approver {
            Approver::Accept => Approval::Accept,
            Approver::Decline(note) => Approval::Decline { note: note.clone() },
        }
    }
}
