//! Style sheets: rules, nesting, `@media`, `@supports`, `@layer`.

use super::block::{Block, Declared, declared};
use super::media::{self, Media};
use super::selector::{self, Sim};
use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState,
    QualifiedRuleParser, RuleBodyItemParser, RuleBodyParser, StyleSheetParser,
};
use selectors::SelectorList;
use std::collections::BTreeSet;
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
    layers: Vec<String>,
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
        if path.is_empty() {
            return UNLAYERED;
        }
        let name = path.join(".");
        let at = self.layers.iter().position(|layer| *layer == name).unwrap_or_else(|| {
            self.layers.push(name);
            self.layers.len() - 1
        });
        u32::try_from(at).unwrap_or(UNLAYERED - 1)
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
    Layer(Vec<String>),
}

type Refused = ParseError<()>;

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
            "layer" => At::Layer(text.split(',').map(|name| name.trim().to_string()).collect()),
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
                let mut path = self.layer.clone();
                path.push(name);
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
                    name = format!("({})", self.out.layers.len());
                }
                self.layer.push(name);
                let path = self.layer.clone();
                self.out.layer(&path);
                self.nested_rules(input);
                self.layer.pop();
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
