use super::{HEAD, TAIL, strip};

fn body(code: &str) -> String {
    let whole = strip(code).unwrap_or_else(|error| panic!("{code}: {error}"));
    whole.strip_prefix(HEAD).unwrap().strip_suffix(TAIL).unwrap().to_owned()
}

/// Without the blanks.
fn squeezed(code: &str) -> String {
    body(code).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn types_are_blanked_and_lines_stay() {
    let code =
        "const a: number = 1;\ninterface X {\n  y: string;\n}\n\nreturn a as\n  unknown as number;";
    let stripped = body(code);
    assert_eq!(stripped.lines().count(), code.lines().count());
    assert!(stripped.lines().nth(5).unwrap().starts_with("return a"));
    assert_eq!(squeezed(code), "const a = 1; ; return a ;");
}

#[test]
fn each_form_of_a_type_goes() {
    for (code, expected) in [
        ("let x!: string;", "let x ;"),
        (
            "function f<T>(a?: T, ...b: T[]): T | undefined { return a }",
            "function f (a , ...b ) { return a }",
        ),
        ("const f = async <T,>(x: T): Promise<T> => x;", "const f = async (x ) => x;"),
        ("const m = new Map<string, number>();", "const m = new Map ();"),
        ("const y = x! + x!.z;", "const y = x + x .z;"),
        ("const o = {a: 1} satisfies Record<string, number>;", "const o = {a: 1} ;"),
        ("const v = <any>x;", "const v = x;"),
        ("try { a } catch (e: unknown) { b }", "try { a } catch (e ) { b }"),
        ("declare const q: number; q", "; q"),
        ("function f(this: Window, a: number) {}", "function f( a ) {}"),
        ("function f(a: string): void; function f(a: any) {}", "; function f(a ) {}"),
        (
            "const [a, b]: [number, string] = c; const {d}: {d: number} = e;",
            "const [a, b] = c; const {d} = e;",
        ),
        ("type A = 1\nf<A>()", "; f ()"),
        ("for (const x of y as string[]) {}", "for (const x of y ) {}"),
        ("const g = f<string>;", "const g = f ;"),
        ("(x as any).y = (z as Foo)!.w", "(x ).y = (z ) .w"),
        ("const a = b ? (c as D) : (e): F => e;", "const a = b ? (c ) : (e) => e;"),
    ] {
        assert_eq!(squeezed(code), expected, "{code}");
    }
}

#[test]
fn classes_lose_what_means_nothing_at_run_time() {
    let code = "abstract class A<T> extends B<T> implements C, D {\n  private readonly x?: number = 1;\n  declare z: string;\n  [key: string]: any;\n  abstract f(): void;\n  public static async g(a: string): Promise<void> {}\n  constructor(private a: number, public readonly b = 2) { super(); }\n}";
    let expected = "class A extends B { x = 1; ; ; ; static async g(a ) {} constructor( a , b = 2) { super();; this.a = a; this.b = b; } }";
    assert_eq!(squeezed(code), expected);
}

#[test]
fn enums_are_written_out_in_place() {
    let code = "enum E {\n  A,\n  B = A + 2,\n  C,\n  D = 'd'\n}";
    let stripped = body(code);
    assert_eq!(stripped.lines().count(), code.lines().count());
    assert!(stripped.lines().nth(2).unwrap().contains("E[\"B\"] = A + 2; if"), "{stripped}");
}

#[test]
fn a_type_that_ended_a_statement_still_does() {
    assert_eq!(squeezed("a = b as any\n(c)"), "a = b ; (c)");
    assert_eq!(squeezed("a = b as any;\n(c)"), "a = b ; (c)");
    assert_eq!(squeezed("a = b\ntype C = 1\n(d)"), "a = b ; (d)");
}

#[test]
fn a_return_type_over_lines_leaves_the_arrow_on_its_line() {
    let stripped = body("const f = (x: number): {\n  a: number\n} => x;");
    assert!(stripped.contains(") => x"), "{stripped}");
    assert_eq!(stripped.lines().count(), 3);
}

#[test]
fn errors_name_the_place_in_the_body() {
    for (code, expected) in [
        ("const a = 1;\nreturn (;", "code does not parse at line 2, column 9"),
        ("import fs from 'fs';", "line 1, column 1: import is not possible"),
        ("\n  export const a = 1;", "line 2, column 3: export is not possible"),
        ("const fs = await import('fs');", "line 1, column 18: import is not possible"),
        ("class A {\n @foo b() {} }", "line 2, column 2: decorators"),
        ("namespace A { export const b = 1 }", "namespaces are not supported"),
        ("}); (async () => {", "closes a bracket"),
        ("if (a) {", "too early"),
    ] {
        let error = strip(code).unwrap_err();
        assert!(error.contains(expected), "{code}: {error}");
    }
}

#[test]
fn deep_nesting_is_an_error_and_not_an_overflow() {
    let most = crate::Limits::default().code;
    for level in [
        "(",
        "[",
        "{",
        "`${",
        "let a: A<",
        "!",
        "await ",
        "a=>",
        "a?b:",
        "if(a)",
        "a+",
        "a=",
        "a**",
        "new ",
        "a.b?.",
        "let a: keyof ",
        "let a: b extends c ? d : ",
        "function f(){",
        "class A{a=class{",
        "x as ",
        "<T>",
        "a||b&&",
    ] {
        let (start, level) =
            level.split_once(": ").map_or(("", level), |(_, level)| ("let a: ", level));
        let code = format!("{start}{}x", level.repeat((most - 10) / level.len()));
        let _ = strip(&code);
    }
}
