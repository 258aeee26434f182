//! Bugs that can be put into this code, to see that fuzz and cases find them: `backlot-conformance mutants`.
//!
//! Each is read at one place (rarely two) by [`is`]. Without the feature `planted`, which no program that is shipped has, `is` is
//! `false` when it is compiled, so nothing of a bug is left.

/// What a bug is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    /// Refs and what they mean.
    Refs,
    /// Frames and their geometry.
    Frames,
    /// Acting and what is reported of it.
    Acting,
    /// Rules, approvals, permits.
    Policy,
    /// What the text of a result may hold.
    Text,
    /// Roles, names, descriptions, states, hidden-ness.
    Accessibility,
}

macro_rules! bugs {
    ($($bug:ident $area:ident $name:literal $about:literal;)*) => {
        /// A bug.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Bug {
            $(#[doc = $about] $bug,)*
        }

        impl Bug {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$bug,)*];

            /// The name that commands take.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$bug => $name,)*
                }
            }

            /// What it does, in a few words.
            pub fn about(self) -> &'static str {
                match self {
                    $(Self::$bug => $about,)*
                }
            }

            /// What it is about.
            pub fn area(self) -> Area {
                match self {
                    $(Self::$bug => Area::$area,)*
                }
            }
        }
    };
}

bugs! {
    OldSnapshotAccepted Refs "old-snapshot-accepted" "a ref of an older snapshot is looked up in the newest one";
    NonceIgnored Refs "nonce-ignored" "a ref of another document is looked up in this one";
    NumberReused Refs "number-reused" "the next snapshot gives the same refs again";
    LikenessIgnored Refs "likeness-ignored" "a node is the same thing whatever became of it";
    ContextIgnored Refs "context-ignored" "a row that became another row is the same row";
    TwinsIgnored Refs "twins-ignored" "a node that took over another one's name is merely renamed";
    ApartIgnored Refs "apart-ignored" "the part of the page that tells twins apart is not compared";
    LoaderKept Refs "loader-kept" "a frame's new document has the identity of the old one";
    MarkIgnored Refs "mark-ignored" "a node's mark is not compared in the task of the write";
    MarkWithoutContext Refs "mark-without-context" "a node's mark leaves out the row it stands in";
    FrameOffsetForgotten Frames "frame-offset-forgotten" "points in a frame are not moved to where the frame is";
    FrameBorderForgotten Frames "frame-border-forgotten" "points in a frame are not moved by its border";
    FramePaddingForgotten Frames "frame-padding-forgotten" "points in a frame are not moved by its padding";
    FrameScrollForgotten Frames "frame-scroll-forgotten" "a frame's place is told without the scroll offset around it";
    FrameDriftIgnored Frames "frame-drift-ignored" "a frame that moved after the hit test is not noticed";
    HitInnermostOnly Frames "hit-innermost-only" "the hit test looks into the innermost frame only";
    GuardSkipped Acting "guard-skipped" "nothing is checked again in the task of the write";
    HitTestSkipped Acting "hit-test-skipped" "a click is not hit-tested";
    DisabledIgnored Acting "disabled-ignored" "a disabled target is acted on";
    InertIgnored Acting "inert-ignored" "an inert target is acted on";
    HiddenIgnored Acting "hidden-ignored" "a target that nobody sees is acted on";
    StabilityIgnored Acting "stability-ignored" "a moving target is not waited for";
    UnknownRetried Acting "unknown-retried" "a write whose answer was lost is done again";
    UnknownSaidNone Acting "unknown-said-none" "a write whose answer was lost is said to have had no effect";
    NotSentSaidDone Acting "not-sent-said-done" "a write that was held back is said to be done";
    EvidenceIgnored Acting "evidence-ignored" "what was typed is verified without a look at the field";
    LaterChangeIgnored Acting "later-change-ignored" "input that the page took back is verified";
    LabelBeforeValue Acting "label-before-value" "an option is chosen by label where another one has the value";
    AppendReplaces Acting "append-replaces" "appended text replaces what was there";
    DoubleClickedOnce Acting "double-clicked-once" "a double click is a single one";
    SubmitForgotten Acting "submit-forgotten" "text is entered and not submitted";
    RestNotAwaited Acting "rest-not-awaited" "the page is read before it has come to rest";
    EventDropped Acting "event-dropped" "the cursor of events moves one too far";
    DeadlineDropped Acting "deadline-dropped" "a navigation has no deadline";
    LaneSkipped Acting "lane-skipped" "two calls run in one tab at once";
    GoneTabReplaced Acting "gone-tab-replaced" "the visible tab takes the place of one that is gone";
    DenyOverridden Policy "deny-overridden" "a rule that allows beats one that denies";
    AskOverridden Policy "ask-overridden" "a rule that allows beats one that asks";
    WildcardCoversNothing Policy "wildcard-covers-nothing" "a rule for every tool covers none";
    WildcardCoversReads Policy "wildcard-covers-reads" "a rule for every write covers reads";
    CategoryIgnored Policy "category-ignored" "a rule for a category covers nothing";
    RuleOriginIgnored Policy "rule-origin-ignored" "a rule for one origin covers all";
    RevisionIgnored Policy "revision-ignored" "a write goes on after the policy changed";
    PolicyIgnored Policy "policy-ignored" "the policy `untrusted` lets writes through";
    SensitiveIgnored Policy "sensitive-ignored" "sensitive sites are written to";
    SchemeIgnored Policy "scheme-ignored" "any scheme is navigated to";
    ApprovalSkipped Policy "approval-skipped" "nobody is asked";
    GrantEverywhere Policy "grant-everywhere" "what was granted on one origin is granted on all";
    SrcdocWithoutOrigin Policy "srcdoc-without-origin" "a document without a URL of its own has no origin";
    SecretsPrinted Text "secrets-printed" "passwords are printed";
    EscapeOff Text "escape-off" "what looks like a ref in page text is left as it is";
    FenceForged Text "fence-forged" "what looks like a fence in page text is left as it is";
    LinesKept Text "lines-kept" "a line break in a value stays one";
    InvisiblesKept Text "invisibles-kept" "characters that are not seen stay in page text";
    RoleFallbackOff Accessibility "role-fallback-off" "only the first token of a role attribute counts";
    NoneConflictIgnored Accessibility "none-conflict-ignored" "a focusable element loses its role to `none`";
    ContextNotRequired Accessibility "context-not-required" "a role counts without the one it must lie in";
    SecondHop Accessibility "second-hop" "what a reference names follows its own references";
    HiddenReferenceSilent Accessibility "hidden-reference-silent" "a hidden element says nothing where it is referred to";
    EmbeddedValueIgnored Accessibility "embedded-value-ignored" "a field in a label does not say its value";
    LabelForgotten Accessibility "label-forgotten" "a field is not named by its label";
    BlocksRunTogether Accessibility "blocks-run-together" "the words of blocks are not parted";
    PseudoSilent Accessibility "pseudo-silent" "generated text is no part of a name";
    TooltipForgotten Accessibility "tooltip-forgotten" "a title names nothing";
    TitleSaidTwice Accessibility "title-said-twice" "a title that names describes too";
    FieldsetForgotten Accessibility "fieldset-forgotten" "a disabled group leaves its fields enabled";
    DetailsOpen Accessibility "details-open" "what a closed details holds is told";
    VisibleChildLost Accessibility "visible-child-lost" "an invisible element hides its visible children";
    OwnsIgnored Accessibility "owns-ignored" "aria-owns moves nothing";
    FenceRepeated Text "fence-repeated" "every fence has the same number";
}

/// Whether this bug is on.
#[cfg(not(feature = "planted"))]
#[inline]
pub const fn is(_bug: Bug) -> bool {
    false
}

// What is compiled without the feature holds no bug.
#[cfg(not(feature = "planted"))]
const _: () = assert!(!is(Bug::GuardSkipped));

#[cfg(feature = "planted")]
pub use switch::{is, turn};

#[cfg(feature = "planted")]
mod switch {
    use super::Bug;
    use core::sync::atomic::{AtomicU8, Ordering};

    /// Place of the bug that is on, from 1; 0 for none.
    static ON: AtomicU8 = AtomicU8::new(0);

    /// Whether this bug is on.
    #[inline]
    pub fn is(bug: Bug) -> bool {
        ON.load(Ordering::Relaxed) == bug as u8 + 1
    }

    /// Turns one bug on, for the whole process, and all others off.
    pub fn turn(on: Option<Bug>) {
        ON.store(on.map_or(0, |bug| bug as u8 + 1), Ordering::Relaxed);
    }
}
