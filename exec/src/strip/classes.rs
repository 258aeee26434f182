//! Classes, and what TypeScript adds at run time: enums and parameter properties.

use super::blank::Blanks;
use oxc_ast::ast::{
    BindingPattern, Class, ClassElement, Expression, Function, MethodDefinition,
    MethodDefinitionKind, MethodDefinitionType, PropertyDefinition, PropertyDefinitionType,
    Statement, TSEnumDeclaration, TSEnumMemberName,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use oxc_syntax::keyword::is_reserved_keyword;
use serde_json::Value;

/// What may stand before a member or a parameter and means nothing at run time.
pub(super) const MODIFIERS: &[&str] =
    &["public", "private", "protected", "readonly", "override", "declare", "abstract"];

impl Blanks<'_> {
    pub(super) fn strip_class<'a>(&mut self, it: &Class<'a>) {
        if it.declare {
            return self.blank_statement(it.span);
        }
        if it.r#abstract {
            let name = it.id.as_ref().map_or(it.body.span.start, |id| id.span.start);
            self.blank_words(it.span.start, name, &["abstract"]);
        }
        if let (Some(first), Some(last)) = (it.implements.first(), it.implements.last()) {
            let before = self.text(it.span.start, first.span.start);
            if let Some(at) = before.rfind("implements") {
                self.blank(it.span.start + at as u32, last.span.end);
            }
        }
        walk::walk_class(self, it);
    }

    pub(super) fn strip_class_element<'a>(&mut self, it: &ClassElement<'a>) {
        match it {
            ClassElement::TSIndexSignature(it) => self.blank_statement(it.span),
            ClassElement::AccessorProperty(it) => {
                self.refuse(it.span.start, "accessor fields are not supported; use get and set");
            }
            ClassElement::PropertyDefinition(it) => self.strip_property(it),
            ClassElement::MethodDefinition(it) => self.strip_method(it),
            ClassElement::StaticBlock(_) => walk::walk_class_element(self, it),
        }
    }

    fn strip_property<'a>(&mut self, it: &PropertyDefinition<'a>) {
        if it.declare || it.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition {
            return self.blank_statement(it.span);
        }
        let key = it.key.span();
        self.blank_words(it.span.start, key.start, MODIFIERS);
        if it.optional || it.definite {
            let end = it.type_annotation.as_ref().map_or(it.span.end, |types| types.span.start + 1);
            self.blank_mark(key.end, end, b"?!");
        }
        walk::walk_property_definition(self, it);
    }

    fn strip_method<'a>(&mut self, it: &MethodDefinition<'a>) {
        let bodiless = it.value.body.is_none();
        if bodiless || it.r#type == MethodDefinitionType::TSAbstractMethodDefinition {
            return self.blank_statement(it.span);
        }
        let key = it.key.span();
        self.blank_words(it.span.start, key.start, MODIFIERS);
        if it.optional {
            self.blank_mark(key.end, it.value.params.span.start, b"?");
        }
        if it.kind == MethodDefinitionKind::Constructor {
            self.write_parameter_properties(&it.value);
        }
        walk::walk_method_definition(self, it);
    }

    /// `constructor(private x) {}` sets `this.x`, behind a call of `super` if there is one.
    fn write_parameter_properties(&mut self, constructor: &Function<'_>) {
        let Some(body) = &constructor.body else { return };
        let mut text = String::new();
        for item in &constructor.params.items {
            if !(item.accessibility.is_some() || item.readonly || item.r#override) {
                continue;
            }
            if let BindingPattern::BindingIdentifier(name) = &item.pattern {
                text.push_str(&format!(" this.{0} = {0};", name.name));
            }
        }
        let after_super = body.statements.iter().find(|statement| is_super_call(statement));
        let at = match after_super {
            Some(statement) => statement.span().end,
            None => {
                body.span.start
                    + 1
                    + directives_length(
                        body.directives.last().map(GetSpan::span),
                        body.span.start + 1,
                    )
            }
        };
        if !text.is_empty() {
            self.insert(at, format!(";{text}"));
        }
    }

    /// `enum E { A, B = 2 }` becomes a function that fills an object; initialisers stay where they are.
    pub(super) fn write_enum<'a>(&mut self, it: &TSEnumDeclaration<'a>) {
        let name = it.id.name.as_str();
        let mut from = it.span.start;
        let mut previous: Option<String> = None;
        self.insert(from, format!("var {name} = (function ({name}) {{"));
        for member in &it.body.members {
            let (key, constant) = match &member.id {
                TSEnumMemberName::Identifier(id) => (id.name.as_str(), Some(id.name.as_str())),
                TSEnumMemberName::String(text) | TSEnumMemberName::ComputedString(text) => {
                    (text.value.as_str(), None)
                }
                TSEnumMemberName::ComputedTemplateString(text) => {
                    return self.refuse(text.span.start, "an enum's member needs a plain name");
                }
            };
            let key = Value::from(key).to_string();
            let place = format!("{name}[{key}]");
            match &member.initializer {
                Some(value) => {
                    self.blank(from, value.span().start);
                    self.insert(value.span().start, format!("{place} = "));
                    self.visit_expression(value);
                    from = value.span().end;
                }
                None => {
                    self.blank(from, member.span.end);
                    let next = previous.map_or("0".to_owned(), |place| format!("{place} + 1"));
                    self.insert(member.span.end, format!("{place} = {next}"));
                    from = member.span.end;
                }
            }
            let mut after =
                format!("; if (typeof {place} !== \"string\") {name}[{place}] = {key};");
            // Later initialisers may name earlier members, but for words that cannot stand alone.
            let is_word = |constant: &&str| *constant != name && !is_reserved_keyword(constant);
            if let Some(constant) = constant.filter(is_word) {
                after.push_str(&format!(" var {constant} = {place};"));
            }
            self.insert(from, after);
            previous = Some(place);
        }
        self.blank(from, it.span.end);
        self.insert(it.span.end, format!(" return {name}; }})({{}});"));
    }
}

fn is_super_call(statement: &Statement<'_>) -> bool {
    let Statement::ExpressionStatement(statement) = statement else { return false };
    let Expression::CallExpression(call) = &statement.expression else { return false };
    matches!(call.callee, Expression::Super(_))
}

fn directives_length(last: Option<oxc_span::Span>, from: u32) -> u32 {
    last.map_or(0, |span| span.end - from)
}
