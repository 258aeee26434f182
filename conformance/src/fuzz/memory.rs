//! The refs that were given, with what they stood for then.

use super::judge::Aimed;
use super::scenario::SITES;
use backlot_core::page::{NodeKey, TabId};
use backlot_sim::World;
use std::collections::{BTreeMap, BTreeSet};

/// Refs that one snapshot gave: text, node, item.
type Given = Vec<(String, NodeKey, Option<String>)>;

#[derive(Debug, Default)]
pub(super) struct Memory {
    /// By age, the newest last.
    snapshots: Vec<(TabId, Given)>,
    /// Which node each ref was given for.
    bound: BTreeMap<String, NodeKey>,
    /// Origins of the documents of nodes that got a ref.
    origins: BTreeMap<NodeKey, String>,
}

impl Memory {
    /// Keeps the refs of a tab's newest snapshot. Whether that was not known yet; an error where a ref was given for another
    /// node.
    pub(super) fn remember(
        &mut self,
        world: &World,
        tab: TabId,
        refs: Vec<(String, NodeKey)>,
        items: &BTreeMap<NodeKey, String>,
    ) -> Result<bool, String> {
        let Some((newest, key)) = refs.first() else { return Ok(false) };
        let is_known =
            |(_, given): &(TabId, Given)| given.first().is_some_and(|one| one.0 == *newest);
        if self.snapshots.iter().any(is_known) && self.bound.get(newest) == Some(key) {
            return Ok(false);
        }
        for (text, key) in &refs {
            self.origins.extend(world.origin_of(*key).map(|origin| (*key, origin)));
            if let Some(other) = self.bound.insert(text.clone(), *key)
                && other != *key
            {
                return Err(format!("the ref {text} was given for two nodes"));
            }
        }
        let given = refs.into_iter().map(|(text, key)| (text, key, items.get(&key).cloned()));
        self.snapshots.push((tab, given.collect()));
        Ok(true)
    }

    /// The ref that was given to an item, so many snapshots ago, with its tab.
    pub(super) fn aim(&self, item: &str, age: u32) -> Option<(String, TabId, Aimed)> {
        let place = item.strip_prefix('#').and_then(|place| place.parse::<usize>().ok());
        let keys: Vec<char> = SITES.iter().flat_map(|(_, key, _)| key.chars()).collect();
        let (mut left, mut newer) = (age, BTreeSet::new());
        for (tab, given) in self.snapshots.iter().rev() {
            let found = match place {
                Some(place) => given.get(place),
                None => given.iter().find(|(_, _, of)| {
                    of.as_deref().is_some_and(|of| of.trim_start_matches(&keys[..]) == item)
                }),
            };
            let is_stale = !newer.insert(*tab);
            let Some((text, node, of)) = found else { continue };
            if left == 0 {
                let aimed = Aimed { node: *node, item: of.clone(), is_stale };
                return Some((text.clone(), *tab, aimed));
            }
            left -= 1;
        }
        None
    }

    /// Tabs that a snapshot was taken of.
    pub(super) fn tabs(&self) -> BTreeSet<TabId> {
        self.snapshots.iter().map(|(tab, _)| *tab).collect()
    }

    /// The one of them that was read last, besides this one.
    pub(super) fn other_tab(&self, tab: TabId) -> Option<TabId> {
        self.snapshots.iter().rev().map(|(other, _)| *other).find(|other| *other != tab)
    }

    /// Origin of a node's document when its ref was given.
    pub(super) fn origin(&self, node: NodeKey) -> Option<String> {
        self.origins.get(&node).cloned()
    }
}
