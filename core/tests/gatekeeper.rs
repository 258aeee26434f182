//! The Gatekeeper's order, as an exhaustive table: policy, effects, rules, grant, destination, sensitivity.

use backlot_core::gatekeeper::{
    CallId, DenyReason, Destination, Policy, PolicyState, Question, Rule, RuleVerdict,
    TargetIdentity, Verdict, check,
};
use backlot_core::page::TabId;
use backlot_core::tool::{Category, Effects};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Allow,
    Ask,
    Deny,
}

fn word(verdict: &Verdict) -> Word {
    match verdict {
        Verdict::Allow(_) => Word::Allow,
        Verdict::Ask(..) => Word::Ask,
        Verdict::Deny(_) => Word::Deny,
    }
}

const ORIGIN: &str = "https://shop.test";

fn target(origin: &str) -> TargetIdentity {
    TargetIdentity { tab: Some(TabId(1)), origin: origin.into(), ..TargetIdentity::default() }
}

fn question<'a>(
    effects: Effects,
    origin: &str,
    destination: Option<&'a Destination>,
) -> Question<'a> {
    let (tool, category) = match effects {
        Effects::Read => ("read_page", None),
        Effects::Write => ("click", Some(Category::Click)),
    };
    Question { call: CallId(1), tool, effects, category, target: target(origin), destination }
}

fn rule(tool: &str, verdict: RuleVerdict) -> Rule {
    Rule { tool: tool.into(), origin: "*".into(), verdict }
}

/// What the order says, written a second time and independently of the code.
fn expected(policy: Policy, effects: Effects, verdicts: &[RuleVerdict], granted: bool) -> Word {
    if verdicts.contains(&RuleVerdict::Deny) {
        return Word::Deny;
    }
    if verdicts.contains(&RuleVerdict::Ask) {
        return Word::Ask;
    }
    if granted || verdicts.contains(&RuleVerdict::Allow) {
        return Word::Allow;
    }
    match (policy, effects) {
        (Policy::Always, _) | (Policy::Untrusted, Effects::Write) => Word::Ask,
        (Policy::Untrusted | Policy::Auto, Effects::Read) | (Policy::Auto, Effects::Write) => {
            Word::Allow
        }
    }
}

#[test]
fn every_policy_effect_rule_and_grant() {
    let all = [RuleVerdict::Allow, RuleVerdict::Ask, RuleVerdict::Deny];
    for policy in [Policy::Always, Policy::Untrusted, Policy::Auto] {
        for effects in [Effects::Read, Effects::Write] {
            for mask in 0..8u8 {
                for granted in [false, true] {
                    for backwards in [false, true] {
                        let mut chosen: Vec<RuleVerdict> =
                            (0..3).filter(|bit| mask >> bit & 1 == 1).map(|bit| all[bit]).collect();
                        if backwards {
                            chosen.reverse();
                        }
                        let question = question(effects, ORIGIN, None);
                        let mut state = PolicyState::new(policy);
                        for verdict in &chosen {
                            // A rule must name a read's tool: a wildcard covers writes only.
                            state.add_rule(rule(question.tool, *verdict));
                        }
                        if granted {
                            state.grant(question.tool, ORIGIN);
                        }
                        let found = word(&check(&state, &question));
                        let wanted = expected(policy, effects, &chosen, granted);
                        assert_eq!(
                            found, wanted,
                            "{policy:?} {effects:?} {chosen:?} granted {granted}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_wildcard_deny_beats_an_exact_allow_and_covers_no_read() {
    let mut state = PolicyState::new(Policy::Auto);
    state.add_rule(Rule {
        tool: "click".into(),
        origin: ORIGIN.into(),
        verdict: RuleVerdict::Allow,
    });
    state.add_rule(rule("*", RuleVerdict::Deny));
    assert_eq!(word(&check(&state, &question(Effects::Write, ORIGIN, None))), Word::Deny);
    assert_eq!(word(&check(&state, &question(Effects::Read, ORIGIN, None))), Word::Allow);
    state = PolicyState::new(Policy::Auto);
    state.add_rule(rule("category:click", RuleVerdict::Ask));
    assert_eq!(word(&check(&state, &question(Effects::Write, ORIGIN, None))), Word::Ask);
}

#[test]
fn what_is_judged_is_the_canonical_destination() {
    let state = PolicyState::new(Policy::Auto);
    let verdict = |url: &str| {
        let destination = Destination::parse(url).unwrap();
        check(&state, &question(Effects::Write, destination.origin(), Some(&destination)))
    };
    for url in [
        " javascript:alert(1)",
        "JAVASCRIPT:x",
        "\tdata:text/html,x",
        "file:///etc/hosts",
        "chrome://settings",
        "about:config",
        "about:blank#x",
        "view-source:http://a.test/",
        "blob:http://a.test/1",
    ] {
        assert!(matches!(verdict(url), Verdict::Deny(DenyReason::Scheme { .. })), "{url}");
    }
    // The empty page is where one leaves another page for.
    assert!(matches!(verdict("about:blank"), Verdict::Allow(_)));
    for url in [
        "https://www.PayPal.com./x",
        "http://paypal.com:8080/",
        "https://a@stripe.com/",
        "https://x.gov.uk",
    ] {
        assert!(matches!(verdict(url), Verdict::Deny(DenyReason::Sensitive { .. })), "{url}");
    }
    for url in
        ["https://paypal.com.evil.test/", "https://paypal.com@evil.test/", "http://127.0.0.1:8080/"]
    {
        assert_eq!(word(&verdict(url)), Word::Allow, "{url}");
    }
}

#[test]
fn a_permit_needs_the_same_target_and_the_same_policy() {
    let mut state = PolicyState::new(Policy::Auto);
    let clearance =
        |state: &PolicyState| match check(state, &question(Effects::Write, ORIGIN, None)) {
            Verdict::Allow(clearance) => clearance,
            other => panic!("{other:?}"),
        };
    assert!(clearance(&state).permit(&state, &target(ORIGIN)).is_ok());
    assert_eq!(
        clearance(&state).permit(&state, &target("https://other.test")),
        Err(DenyReason::TargetChanged)
    );
    let old = clearance(&state);
    state.add_rule(rule("type", RuleVerdict::Deny));
    assert_eq!(old.permit(&state, &target(ORIGIN)), Err(DenyReason::PolicyChanged));
}
