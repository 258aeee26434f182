//! What of TypeScript goes, node by node.

use super::blank::Blanks;
use super::no_modules;
use oxc_ast::ast::{
    ArrowFunctionExpression, BigIntLiteral, Class, ClassElement, Decorator, ExportAllDeclaration,
    ExportDeclaration, ExportDefaultDeclaration, ExportFromDeclaration, ExportNamedDeclaration,
    FormalParameter, Function, ImportDeclaration, ImportExpression, TSAsExpression,
    TSEnumDeclaration, TSExternalModuleDeclaration, TSGlobalDeclaration, TSImportEqualsDeclaration,
    TSInterfaceDeclaration, TSNamespaceDeclaration, TSNonNullExpression, TSSatisfiesExpression,
    TSThisParameter, TSTypeAliasDeclaration, TSTypeAnnotation, TSTypeAssertion,
    TSTypeParameterDeclaration, TSTypeParameterInstantiation, VariableDeclaration,
    VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;

impl Blanks<'_> {
    /// `x as T`: what stands behind the expression goes. Where a bracket opens on the next line, a type would have ended the
    /// statement, and a blank would not.
    fn drop_cast(&mut self, expression: Span, whole: Span) {
        self.blank(expression.end, whole.end);
        if matches!(self.next_byte(whole.end), Some((b'(' | b'[' | b'`', true))) {
            self.put(whole.end - 1, b';');
        }
    }

    fn refuse_namespace(&mut self, span: Span) {
        self.refuse(span.start, "namespaces are not supported; use plain objects and functions");
    }
}

impl<'a> Visit<'a> for Blanks<'_> {
    fn visit_ts_type_annotation(&mut self, it: &TSTypeAnnotation<'a>) {
        self.blank(it.span.start, it.span.end);
    }

    fn visit_ts_type_parameter_declaration(&mut self, it: &TSTypeParameterDeclaration<'a>) {
        self.blank(it.span.start, it.span.end);
    }

    fn visit_ts_type_parameter_instantiation(&mut self, it: &TSTypeParameterInstantiation<'a>) {
        self.blank(it.span.start, it.span.end);
    }

    fn visit_ts_as_expression(&mut self, it: &TSAsExpression<'a>) {
        self.visit_expression(&it.expression);
        self.drop_cast(it.expression.span(), it.span);
    }

    fn visit_ts_satisfies_expression(&mut self, it: &TSSatisfiesExpression<'a>) {
        self.visit_expression(&it.expression);
        self.drop_cast(it.expression.span(), it.span);
    }

    fn visit_ts_type_assertion(&mut self, it: &TSTypeAssertion<'a>) {
        self.blank_joined(it.span.start, it.expression.span().start);
        self.visit_expression(&it.expression);
    }

    fn visit_ts_non_null_expression(&mut self, it: &TSNonNullExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank(it.span.end - 1, it.span.end);
    }

    fn visit_ts_this_parameter(&mut self, it: &TSThisParameter<'a>) {
        self.blank(it.span.start, it.span.end);
        if let Some((b',', _)) = self.next_byte(it.span.end) {
            let end = self.source.len() as u32;
            self.blank_mark(it.span.end, end, b",");
        }
    }

    fn visit_ts_type_alias_declaration(&mut self, it: &TSTypeAliasDeclaration<'a>) {
        self.blank_statement(it.span);
    }

    fn visit_ts_interface_declaration(&mut self, it: &TSInterfaceDeclaration<'a>) {
        self.blank_statement(it.span);
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        if it.declare { self.blank_statement(it.span) } else { self.write_enum(it) }
    }

    fn visit_ts_namespace_declaration(&mut self, it: &TSNamespaceDeclaration<'a>) {
        self.refuse_namespace(it.span);
    }

    fn visit_ts_external_module_declaration(&mut self, it: &TSExternalModuleDeclaration<'a>) {
        self.refuse_namespace(it.span);
    }

    fn visit_ts_global_declaration(&mut self, it: &TSGlobalDeclaration<'a>) {
        self.blank_statement(it.span);
    }

    fn visit_ts_import_equals_declaration(&mut self, it: &TSImportEqualsDeclaration<'a>) {
        self.refuse(it.span.start, &no_modules("import"));
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        self.refuse(it.span.start, &no_modules("import"));
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        self.refuse(it.span.start, &no_modules("import"));
    }

    fn visit_export_named_declaration(&mut self, it: &ExportNamedDeclaration<'a>) {
        self.refuse(it.span.start, &no_modules("export"));
    }

    fn visit_export_declaration(&mut self, it: &ExportDeclaration<'a>) {
        self.refuse(it.span.start, &no_modules("export"));
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        self.refuse(it.span.start, &no_modules("export"));
    }

    fn visit_export_default_declaration(&mut self, it: &ExportDefaultDeclaration<'a>) {
        self.refuse(it.span.start, &no_modules("export"));
    }

    fn visit_export_all_declaration(&mut self, it: &ExportAllDeclaration<'a>) {
        self.refuse(it.span.start, &no_modules("export"));
    }

    fn visit_big_int_literal(&mut self, it: &BigIntLiteral<'a>) {
        let why = "big integers are not supported; use numbers, or a string as the script of page.evaluate";
        self.refuse(it.span.start, why);
    }

    fn visit_decorator(&mut self, it: &Decorator<'a>) {
        self.refuse(it.span.start, "decorators are not supported; call the function instead");
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        if it.declare {
            return self.blank_statement(it.span);
        }
        walk::walk_variable_declaration(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if let Some(annotation) = it.type_annotation.as_ref().filter(|_| it.definite) {
            self.blank_mark(it.id.span().end, annotation.span.start + 1, b"!");
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        if it.declare || it.body.is_none() {
            return self.blank_statement(it.span);
        }
        walk::walk_function(self, it, flags);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        walk::walk_arrow_function_expression(self, it);
        // No line may end between `async` and the parameters, nor between those and the arrow.
        if let Some(generics) = &it.type_parameters {
            self.blank_joined(generics.span.start, generics.span.end);
        }
        if let Some(returned) = &it.return_type {
            let close = it.params.span.end - 1;
            if self.text(close, returned.span.end).contains('\n') {
                self.blank(close, returned.span.end);
                self.put(returned.span.end - 1, b')');
            }
        }
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        let pattern = it.pattern.span();
        self.blank_words(it.span.start, pattern.start, super::classes::MODIFIERS);
        if it.optional {
            let end = it.type_annotation.as_ref().map_or(it.span.end, |types| types.span.start + 1);
            self.blank_mark(pattern.end, end, b"?");
        }
        walk::walk_formal_parameter(self, it);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        self.strip_class(it);
    }

    fn visit_class_element(&mut self, it: &ClassElement<'a>) {
        self.strip_class_element(it);
    }
}
