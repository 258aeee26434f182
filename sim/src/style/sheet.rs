//! Style sheets: rules, nesting, `@media`, `@supports`, `@layer`.

use super::block::{Block, Declared, declared};
use super::media::{self, Media};
use super::selector::{self, Sim};
use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState,
    QualifiedRuleParser, RuleBodyItemParser, RuleBodyParser, StyleSheetParser,
};
use selectors::SelectorList;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A rule of a sheet.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub(crate) selectors: SelectorList<Sim>,
    pub(crate) block: Rc<Block>,
    /// Place of its layer; rules outside layers have the last one.
    pub(crate) layer: u32,
}

/// The place of rules outside layers.
pub(crate) const UNLAYERED: u32 = u32::MAX;

/// All rules of one tree scope, in order.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    pub(crate) rules: Vec<Rule>,
    /// Places of layers by their full names, in the order in which they are met.
    layers: BTreeMap<Vec<String>, u32>,
}

impl Rules {
    /// Parses a sheet and appends its rules. `media` decides `@media`.
    pub(crate) fn add(&mut self, css: &str, media: Media, notes: &mut BTreeSet<String>) {
        let mut input = Parser::new(css);
        let mut parser = SheetParser {
            out: self,
            notes,
            media,
            parent: None,
            layer: Vec::new(),
            own: Block::default(),
        };
        for _rule in StyleSheetParser::new(&mut input, &mut parser) {}
    }

    fn layer(&mut self, path: &[String]) -> u32 {
        let mut place = UNLAYERED;
        // A layer is met where the first one in it is.
        for end in 1..=path.len() {
            let next = u32::try_from(self.layers.len()).unwrap_or(UNLAYERED - 1);
            place = *self.layers.entry(path[..end].to_vec()).or_insert(next);
        }
        place
    }

    /// How strong each layer is, by its place: what is in a layer itself beats the layers in it.
    pub(crate) fn strengths(&self) -> Vec<u32> {
        let mut keys: Vec<(Vec<u32>, u32)> = Vec::new();
        for (path, place) in &self.layers {
            let mut key: Vec<u32> =
                (1..=path.len()).filter_map(|end| self.layers.get(&path[..end]).copied()).collect();
            key.push(u32::MAX);
            keys.push((key, *place));
        }
        keys.sort();
        let mut strengths = vec![0; keys.len()];
        for (strength, (_, place)) in (0_u32..).zip(keys) {
            strengths[place as usize] = strength;
        }
        strengths
    }
}

struct SheetParser<'a> {
    out: &'a mut Rules,
    notes: &'a mut BTreeSet<String>,
    media: Media,
    /// Selectors of the style rule around.
    parent: Option<SelectorList<Sim>>,
    layer: Vec<String>,
    /// Declarations of the style rule that is being read.
    own: Block,
}

enum At {
    /// Its rules hold.
    Open,
    /// Its rules do not.
    Closed,
    Layer(Vec<Vec<String>>),
}

type Refused = ParseError<()>;

/// `a.b`
fn layer_path(name: &str) -> Vec<String> {
    name.split('.').map(str::trim).filter(|part| !part.is_empty()).map(str::to_string).collect()
}

impl SheetParser<'_> {
    fn nested_rules(&mut self, input: &mut Parser<'_>) {
        if self.parent.is_some() {
            for _item in RuleBodyParser::new(input, self) {}
        } else {
            for _rule in StyleSheetParser::new(input, self) {}
        }
    }

    fn flush(&mut self) {
        let block = std::mem::take(&mut self.own);
        if let Some(selectors) = self.parent.clone()
            && !block.is_empty()
        {
            let layer = self.out.layer(&self.layer.clone());
            self.out.rules.push(Rule { selectors, block: Rc::new(block), layer });
        }
    }
}

impl<'i> QualifiedRuleParser<'i> for SheetParser<'_> {
    type Prelude = SelectorList<Sim>;
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<Self::Prelude, Refused> {
        let start = input.position();
        let nested = self.parent.is_some();
        let list = selector::parse(input, nested).filter(|_| input.is_exhausted());
        match list {
            Some(list) => Ok(match &self.parent {
                Some(parent) => list.replace_parent_selector(parent),
                None => list,
            }),
            None => {
                while input.next().is_ok() {}
                let text: String = input.slice_from(start).trim().chars().take(60).collect();
                self.notes.insert(format!("unsupported: selector {text}"));
                Err(input.new_error_for_next_token())
            }
        }
    }

    fn parse_block(
        &mut self,
        selectors: SelectorList<Sim>,
        _start: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<(), Refused> {
        self.flush();
        let around = self.parent.replace(selectors);
        for _item in RuleBodyParser::new(input, self) {}
        self.flush();
        self.parent = around;
        Ok(())
    }
}

impl<'i> DeclarationParser<'i> for SheetParser<'_> {
    type Declaration = ();
    type Error = ();

    fn parse_value(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
        _start: &ParserState,
    ) -> Result<(), Refused> {
        match declared(&name, input) {
            Some((value, important)) => {
                self.own.push(value, important);
                Ok(())
            }
            None => {
                self.notes.insert(format!("unsupported: property {}", name.to_ascii_lowercase()));
                Err(input.new_error_for_next_token())
            }
        }
    }
}

impl<'i> AtRuleParser<'i> for SheetParser<'_> {
    type Prelude = At;
    type AtRule = ();
    type Error = ();

    fn parse_prelude(&mut self, name: CowRcStr<'i>, input: &mut Parser<'i>) -> Result<At, Refused> {
        let name = name.to_ascii_lowercase();
        let start = input.position();
        while input.next().is_ok() {}
        let text = input.slice_from(start).trim().to_string();
        Ok(match name.as_str() {
            "media" if media::matches(&text, self.media) => At::Open,
            "supports" if media::supports(&text) => At::Open,
            "layer" => At::Layer(text.split(',').map(layer_path).collect()),
            "media"
            | "supports"
            | "font-face"
            | "keyframes"
            | "-webkit-keyframes"
            | "page"
            | "property"
            | "charset"
            | "namespace"
            | "counter-style"
            | "view-transition"
            | "font-feature-values" => At::Closed,
            _ => {
                self.notes.insert(format!("unsupported: @{name}"));
                At::Closed
            }
        })
    }

    fn rule_without_block(&mut self, at: At, _start: &ParserState) -> Result<(), ()> {
        if let At::Layer(names) = at {
            for name in names {
                let path = [self.layer.as_slice(), name.as_slice()].concat();
                self.out.layer(&path);
            }
        }
        Ok(())
    }

    fn parse_block(
        &mut self,
        at: At,
        _start: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<(), Refused> {
        match at {
            At::Open => self.nested_rules(input),
            At::Closed => while input.next().is_ok() {},
            At::Layer(names) => {
                let mut name = names.into_iter().next().unwrap_or_default();
                if name.is_empty() {
                    // An anonymous layer is one of its own.
                    name = vec![format!("({})", self.out.layers.len())];
                }
                let around = self.layer.clone();
                self.layer.extend(name);
                let path = self.layer.clone();
                self.out.layer(&path);
                self.nested_rules(input);
                self.layer = around;
            }
        }
        Ok(())
    }
}

impl<'i> RuleBodyItemParser<'i, (), ()> for SheetParser<'_> {
    fn parse_declarations(&self) -> bool {
        self.parent.is_some()
    }
    fn parse_qualified(&self) -> bool {
        true
    }
}

/// Parses the `style` attribute.
pub(crate) fn inline(css: &str) -> Block {
    let mut block = Block::default();
    let mut input = Parser::new(css);
    let mut parser = InlineParser;
    for (value, important) in RuleBodyParser::new(&mut input, &mut parser).flatten() {
        block.push(value, important);
    }
    block
}

struct InlineParser;

impl<'i> DeclarationParser<'i> for InlineParser {
    type Declaration = (Declared, bool);
    type Error = ();

    fn parse_value(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
        _start: &ParserState,
    ) -> Result<(Declared, bool), Refused> {
        declared(&name, input).ok_or_else(|| input.new_error_for_next_token())
    }
}

impl AtRuleParser<'_> for InlineParser {
    type Prelude = ();
    type AtRule = (Declared, bool);
    type Error = ();
}

impl QualifiedRuleParser<'_> for InlineParser {
    type Prelude = ();
    type QualifiedRule = (Declared, bool);
    type Error = ();
}

impl<'i> RuleBodyItemParser<'i, (Declared, bool), ()> for InlineParser {
    fn parse_declarations(&self) -> bool {
        true
    }
    fn parse_qualified(&self) -> bool {
        false
    }
}
