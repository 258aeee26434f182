// Selectors and texts become the steps of a locator.

function textMatch(value, isWhole) {
    if (value instanceof RegExp) return { pattern: { source: value.source, flags: value.flags } };
    return isWhole ? { whole: value } : { part: value };
}

// Pieces of a text between separators that stand outside quotes and brackets.
function splitOutside(text, separator) {
    const pieces = [];
    let depth = 0;
    let quote = "";
    let from = 0;
    for (let at = 0; at < text.length; at++) {
        const character = text[at];
        if (character === "\\") at++;
        else if (quote) quote = character === quote ? "" : quote;
        else if (character === '"' || character === "'") quote = character;
        else if (character === "(" || character === "[") depth++;
        else if (character === ")" || character === "]") depth--;
        else if (depth === 0 && text.startsWith(separator, at)) {
            pieces.push(text.slice(from, at));
            from = at + separator.length;
            at = from - 1;
        }
    }
    return [...pieces, text.slice(from)];
}

// `"Save"`, `/save/i` or `Save`, as in `text=…`.
function quotedText(text) {
    const regex = /^\/(.*)\/([a-z]*)$/s.exec(text);
    if (regex) return { pattern: { source: regex[1], flags: regex[2] } };
    const quoted = /^(["'])(.*)\1([is]?)$/s.exec(text);
    if (!quoted) return { part: text };
    const inner = quoted[2].replace(/\\(.)/gs, "$1");
    return quoted[3] === "i" ? { part: inner } : { whole: inner };
}

const ROLE_FLAGS = ["checked", "disabled", "expanded", "pressed", "selected"];

// `button[name="Save"][pressed]`
function roleSelector(method, text) {
    const found = /^([a-z]+)((?:\[[^\]]*\])*)$/i.exec(text.trim());
    if (!found) throw failure(method, `selector: ${stringify(`role=${text}`)} is not of the form role=button[name="Save"]`);
    const role = { role: found[1] };
    for (const [, inner] of found[2].matchAll(/\[([^\]]*)\]/g)) {
        const [, key, value] = /^\s*([\w-]+)\s*(?:=\s*(.*?))?\s*$/s.exec(inner) ?? [];
        if (key === "name" && value) role.name = /^["'].*["']$/.test(value) ? { whole: value.slice(1, -1) } : quotedText(value);
        else if (key === "level" && value) role.level = Number(value);
        else if (key === "include-hidden") role.includeHidden = value !== "false";
        else if (ROLE_FLAGS.includes(key)) role[key] = value !== "false";
        else throw failure(method, `selector: [${inner}] is not supported in role=`);
    }
    return { role };
}

// Playwright's own pseudo-classes, which no browser knows.
const OWN_PSEUDO = /^:(has-text|text-is|text-matches|text|visible|nth-match|left-of|right-of|above|below|near)(?![\w-])/;

const NAMES_OWN = /:(has-text|text|visible|nth-match|left-of|right-of|above|below|near)(?![a-z])/;

function closing(text, open) {
    let quote = "";
    let depth = 0;
    for (let at = open; at < text.length; at++) {
        const character = text[at];
        if (character === "\\") at++;
        else if (quote) quote = character === quote ? "" : quote;
        else if (character === '"' || character === "'") quote = character;
        else if (character === "(") depth++;
        else if (character === ")" && --depth === 0) return at;
    }
    return text.length;
}

function ownPseudo(method, name, argument) {
    const text = quotedText((argument ?? "").trim());
    const value = text.whole ?? text.part ?? "";
    if (name === "visible") return { filter: { visible: true } };
    if (name === "has-text") return { filter: { hasText: text.pattern ? text : { part: value } } };
    if (name === "text") return { and: [{ text: text.pattern ? text : { part: value } }] };
    if (name === "text-is") return { and: [{ text: { whole: value } }] };
    throw failure(method, `selector: :${name}() is not supported; use locator.filter, nth or getByRole`);
}

// One complex selector without commas.
function complexSteps(method, css) {
    const steps = [];
    let plain = "";
    let own = [];
    const flush = () => {
        if (plain.trim() || own.length > 0) steps.push({ css: plain.trim() || "*" }, ...own);
        plain = "";
        own = [];
    };
    for (let at = 0; at < css.length; ) {
        const rest = css.slice(at);
        const pseudo = OWN_PSEUDO.exec(rest);
        if (pseudo) {
            const after = at + pseudo[0].length;
            const end = css[after] === "(" ? closing(css, after) : after - 1;
            own.push(ownPseudo(method, pseudo[1], css[after] === "(" ? css.slice(after + 1, end) : undefined));
            at = end + 1;
            continue;
        }
        if (own.length > 0 && /^\s*[>+~]/.test(rest)) {
            throw failure(method, `selector: ${stringify(css)}: ${rest.trim()[0]} behind one of Playwright's own pseudo-classes is not supported; chain locators`);
        }
        if (own.length > 0 && /^\s/.test(rest)) {
            flush();
            at += /^\s+/.exec(rest)[0].length;
            continue;
        }
        // What is looked for inside may be a pseudo-class of ours, which only a filter can ask for.
        if (rest.startsWith(":has(")) {
            const end = closing(css, at + 4);
            const inner = css.slice(at + 5, end);
            if (NAMES_OWN.test(inner)) {
                own.push({ filter: { has: complexSteps(method, inner.trim()) } });
                at = end + 1;
                continue;
            }
        }
        const brackets = { "(": () => closing(css, at), "[": () => at + splitOutside(rest.slice(1), "]")[0].length + 1 };
        const end = Object.hasOwn(brackets, css[at]) ? brackets[css[at]]() : at;
        if (end > at && css[at] === "(" && NAMES_OWN.test(css.slice(at, end))) {
            throw failure(method, `selector: ${stringify(css)}: Playwright's own pseudo-classes are supported inside :has(), and nowhere else in brackets; use locator.filter`);
        }
        plain += css.slice(at, end + 1);
        at = end + 1;
    }
    flush();
    return steps;
}

// `a > b c d` as `a > b`, `c`, `d`: a step looks into open shadow trees, where the browser's own descendants end.
function descendantSteps(css) {
    if (splitOutside(css, ",").length > 1 || /[\n\t]/.test(css)) return [{ css }];
    const groups = [];
    for (const piece of splitOutside(css.trim(), " ")) {
        const isGlued = groups.length > 0 && (/^[>+~]/.test(piece) || /[>+~]$/.test(groups.at(-1)));
        if (isGlued) groups.push(`${groups.pop()} ${piece}`);
        else if (piece !== "") groups.push(piece);
    }
    const isCombined = (group) => [">", "+", "~"].some((combinator) => splitOutside(group, combinator).length > 1);
    // What stands before a combinator may lie outside of what the descendant before it found.
    const last = groups.findLastIndex(isCombined);
    return [...(last < 0 ? [] : [groups.slice(0, last + 1).join(" ")]), ...groups.slice(last + 1)].map((one) => ({ css: one }));
}

function cssSteps(method, css) {
    if (!NAMES_OWN.test(css)) return descendantSteps(css);
    const [first, ...others] = splitOutside(css, ",").map((one) => complexSteps(method, one.trim()));
    return [...first, ...others.map((steps) => ({ or: steps }))];
}

const ENGINES = {
    css: (method, body) => cssSteps(method, body),
    text: (method, body) => [{ text: quotedText(body) }],
    role: (method, body) => [roleSelector(method, body)],
    ref: (method, body) => [{ ref: body }],
    id: (method, body) => [{ css: `[id=${stringify(body)}]` }],
    "data-testid": (method, body) => [{ testId: { whole: body } }],
    "data-test-id": (method, body) => [{ css: `[data-test-id=${stringify(body)}]` }],
    nth: (method, body) => [{ nth: count(method, "nth", Number(body)) }],
    visible: (method, body) => [{ filter: { visible: body !== "false" } }],
};

// The steps of a selector: CSS, or parts with engines, chained by `>>`.
function selectorSteps(method, selector) {
    string(method, "selector", selector);
    if (selector.trim() === "") throw failure(method, "selector: it is empty");
    return splitOutside(selector, ">>").flatMap((part) => {
        const text = part.trim();
        const engine = /^([a-z][\w-]*)=(.*)$/s.exec(text);
        if (engine && Object.hasOwn(ENGINES, engine[1])) return ENGINES[engine[1]](method, engine[2].trim());
        if (engine?.[1] === "xpath" || /^\.?\.?\//.test(text) || text === "..") {
            throw failure(method, "selector: XPath is not supported; use CSS, getByRole or getByText");
        }
        if (engine) throw failure(method, `selector: there is no engine ${engine[1]}=; there are ${Object.keys(ENGINES).join("=, ")}=`);
        if (/^["']/.test(text)) return [{ text: quotedText(text) }];
        return cssSteps(method, text);
    });
}

const filtering = { hasText: pattern, hasNotText: pattern, has: locator, hasNot: locator, visible: boolean };

// The steps of `filter`, and of the options of `locator`.
function filterSteps(method, options) {
    const found = read(method, options, filtering);
    const filter = {};
    if (found.hasText !== undefined) filter.hasText = textMatch(found.hasText);
    if (found.hasNotText !== undefined) filter.hasNotText = textMatch(found.hasNotText);
    if (found.has) filter.has = facts.get(found.has).steps;
    if (found.hasNot) filter.hasNot = facts.get(found.hasNot).steps;
    if (found.visible !== undefined) filter.visible = found.visible;
    return Object.keys(filter).length > 0 ? [{ filter }] : [];
}

const roleOptions = {
    checked: boolean,
    disabled: boolean,
    exact: boolean,
    expanded: boolean,
    includeHidden: boolean,
    level: count,
    name: pattern,
    pressed: boolean,
    selected: boolean,
};

function roleStep(method, word, options) {
    const { name, exact, ...rest } = read(method, options, roleOptions);
    const role = { role: string(method, "role", word), ...rest };
    if (name !== undefined) role.name = textMatch(name, exact);
    return { role };
}

// `getByText` and its like: the step's word in the host.
const BY_TEXT = {
    getByText: "text",
    getByLabel: "label",
    getByPlaceholder: "placeholder",
    getByAltText: "altText",
    getByTitle: "title",
};
