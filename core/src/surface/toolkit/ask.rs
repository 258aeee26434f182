//! Questions of code bodies about what a locator finds.

use super::door::{CallError, Query};
use super::find::{One, strict};
use super::limits;
use super::page::{SessionDoor, error, failed, timed_out};
use crate::action::Phase;
use crate::aria::{AriaFrame, Tristate, inner_text, text_content};
use crate::frame::{Point, points_from_top};
use crate::locate::{Locator, Patterns};
use crate::page::{FieldValue, NodeKey};
use crate::port::{Browser, Host, Millis, Op, Probe, Reply, TabInfo};
use alloc::{string::String, vec::Vec};
use serde_json::{Value, json};

impl<B: Browser, H: Host> SessionDoor<B, H> {
    pub(super) async fn query(
        &self,
        page: &str,
        locator: &Locator,
        query: &Query,
        patterns: &dyn Patterns,
        timeout: u64,
    ) -> Result<Value, CallError> {
        let tab = self.tab(page)?;
        let until = self.until(timeout);
        match query {
            Query::Count | Query::AllTextContents | Query::AllInnerTexts => {
                let seen = self.see(tab.tab, locator, patterns, until).await?;
                let frame = seen.capture.top();
                let aria = AriaFrame::new(frame);
                let found = seen.found.iter();
                Ok(match query {
                    Query::Count => json!(seen.found.len()),
                    Query::AllTextContents => {
                        found.map(|at| Value::from(text_content(frame, *at))).collect()
                    }
                    _ => found.map(|at| Value::from(inner_text(&aria, *at))).collect(),
                })
            }
            Query::IsVisible | Query::IsHidden => {
                let seen = self.see(tab.tab, locator, patterns, until).await?;
                let visible = match &seen.found[..] {
                    [] => false,
                    [at] => self.is_visible(&tab, seen.capture.top().key(*at), until).await?,
                    several => return Err(strict(&seen.capture, several)),
                };
                Ok((visible == (*query == Query::IsVisible)).into())
            }
            Query::BoundingBox => {
                let one = self.find_one(&tab, locator, patterns, until).await?;
                self.bounding_box(&tab, one.entry.key, until).await
            }
            Query::IsEnabled | Query::IsDisabled | Query::IsEditable => {
                let one = self.find_one(&tab, locator, patterns, until).await?;
                let Some(probe) = self.probe(&tab, one.entry.key, until).await? else {
                    return Err(error("detached", "the element is gone"));
                };
                Ok(match query {
                    Query::IsEnabled => !probe.disabled,
                    Query::IsDisabled => probe.disabled,
                    _ => !probe.disabled && !probe.readonly,
                }
                .into())
            }
            Query::Attribute { name } => {
                let name = name.to_ascii_lowercase();
                let one = self.find_one_with(&tab, locator, &[&name], patterns, until).await?;
                let value = one.element().and_then(|element| element.attr(&name));
                Ok(value.map_or(Value::Null, Value::from))
            }
            asked => {
                let one = self.find_one(&tab, locator, patterns, until).await?;
                answer(&one, asked)
            }
        }
    }

    async fn probe(
        &self,
        tab: &TabInfo,
        node: NodeKey,
        until: Millis,
    ) -> Result<Option<Probe>, CallError> {
        let deadline = until.max(self.session.engine.now().plus(limits::STATUS_MS));
        match self.op(Op::Probe { tab: tab.tab, node }, deadline, Phase::Read).await? {
            Reply::Probe(probe) => Ok(probe),
            _ => Err(failed(&crate::action::wrong_reply(Phase::Read))),
        }
    }

    async fn bounding_box(
        &self,
        tab: &TabInfo,
        node: NodeKey,
        until: Millis,
    ) -> Result<Value, CallError> {
        let Some(probe) = self.probe(tab, node, until).await?.filter(|probe| probe.rendered) else {
            return Ok(Value::Null);
        };
        let corner = Point { x: probe.rect.x, y: probe.rect.y };
        let points: Vec<Point> = points_from_top(corner, &probe.frames)
            .map_err(|why| error("unsupported_frame", why.reason))?;
        let top = points.first().copied().unwrap_or(corner);
        Ok(json!({
            "x": top.x, "y": top.y, "width": probe.rect.width, "height": probe.rect.height
        }))
    }
}

/// What the capture itself tells.
fn answer(one: &One, query: &Query) -> Result<Value, CallError> {
    let frame = one.capture.top();
    let aria = AriaFrame::new(frame);
    Ok(match query {
        Query::TextContent => text_content(frame, one.at).into(),
        Query::InnerText => inner_text(&aria, one.at).into(),
        Query::InputValue => input_value(one)?,
        Query::IsChecked => match aria.states(one.at).checked {
            Some(state) => (state == Tristate::True).into(),
            None => return Err(error("not_editable", "it is not a checkbox or radio button")),
        },
        _ => return Err(timed_out("the question cannot be answered")),
    })
}

fn input_value(one: &One) -> Result<Value, CallError> {
    let none = || error("not_editable", "it is not an input, textarea or select element");
    let element = one.element().ok_or_else(none)?;
    if element.is_html("select") {
        let frame = one.capture.top();
        let selected = (one.at + 1..frame.node(one.at).end).find_map(|at| {
            let option = frame.element(at).filter(|element| element.is_html("option"))?;
            option.control.as_ref().filter(|control| control.selected)?;
            let text = || crate::page::collapse(&text_content(frame, at));
            Some(option.attr("value").map_or_else(text, String::from))
        });
        return Ok(selected.unwrap_or_default().into());
    }
    match element.control.as_ref().map(|control| &control.value) {
        Some(FieldValue::Text(value)) => Ok(value.clone().into()),
        Some(FieldValue::Secret { .. }) => Err(error(
            "secret",
            "the field holds a secret, which never leaves the page; browser_snapshot tells whether it is filled",
        )),
        Some(FieldValue::None) => Ok(element.attr("value").unwrap_or("on").into()),
        None => Err(none()),
    }
}
