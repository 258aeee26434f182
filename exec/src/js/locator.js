// Locators: values that say which elements are meant; each call resolves them anew.

const quoted = (text) => `'${String(text).replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
const shown = (value) => (value instanceof RegExp ? String(value) : quoted(value));

function shownOptions(options) {
    const parts = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
    if (parts.length === 0) return "";
    return `, { ${parts.map(([key, value]) => `${key}: ${typeof value === "string" ? quoted(value) : String(value)}`).join(", ")} }`;
}

function isLocator(value) {
    return value instanceof Locator && facts.has(value);
}

function makeLocator(page, steps, words) {
    return expose("locator", new Locator(), { page, steps, words });
}

// What pages and locators have in common: starting a locator. `this` is where it starts.
class Finding {
    locator(selector, options) {
        const method = `${labelOf(this)}.locator`;
        const steps = isLocator(selector) ? facts.get(selector).steps : selectorSteps(method, selector);
        const words = isLocator(selector) ? String(selector) : `locator(${shown(selector)})`;
        return further(this, [...steps, ...filterSteps(method, options)], words);
    }

    getByRole(role, options) {
        return further(this, [roleStep(`${labelOf(this)}.getByRole`, role, options)], `getByRole(${shown(role)}${shownOptions(options)})`);
    }

    getByTestId(id) {
        pattern(`${labelOf(this)}.getByTestId`, "testId", id);
        return further(this, [{ testId: textMatch(id, true) }], `getByTestId(${shown(id)})`);
    }
}
for (const [name, step] of Object.entries(BY_TEXT)) {
    Finding.prototype[name] = function (text, options) {
        const method = `${labelOf(this)}.${name}`;
        const { exact } = read(method, options, { exact: boolean });
        pattern(method, "text", text);
        return further(this, [{ [step]: textMatch(text, exact) }], `${name}(${shown(text)}${shownOptions(options)})`);
    };
}

const labelOf = (self) => (self instanceof Locator ? "locator" : "page");

function further(self, steps, words) {
    const about = facts.get(self);
    if (!(self instanceof Locator)) return makeLocator(about.id, steps, words);
    return makeLocator(about.page, [...about.steps, ...steps], `${about.words}.${words}`);
}

function act(self, method, action, options) {
    const { page, steps } = facts.get(self);
    return ask(method, { op: "act", page, locator: steps, action, timeout: actionWait(options) });
}

function query(self, method, question, options) {
    const { page, steps } = facts.get(self);
    return ask(method, { op: "query", page, locator: steps, query: question, timeout: actionWait(options) });
}

// Options of `selectOption`: words, `{value}`, `{label}` or `{index}`, one or several.
function optionWishes(method, values) {
    const list = values === null ? [] : Array.isArray(values) ? values : [values];
    return list.map((one) => {
        if (typeof one === "string") return { either: one };
        if (isLocator(one)) throw failure(method, "values: a locator is not supported; give the option's value or label");
        if (one === null || typeof one !== "object") throw expected(method, "values", "string, {value}, {label} or {index}", one);
        if (typeof one.value === "string") return { value: one.value };
        if (typeof one.label === "string") return { label: one.label };
        if (one.index !== undefined) return { index: count(method, "index", one.index) };
        throw failure(method, "values: an option needs value, label or index");
    });
}

const typing = { ...acting, delay: milliseconds };

// The actions, by name; `prefix` is `locator` or `page` in errors.
const ACTIONS = {
    click: (method, options) => [clickAction((options = read(method, options, clicking)), 1), options],
    dblclick: (method, options) => [clickAction((options = read(method, options, clicking)), 2), options],
    fill: (method, value, options) => [{ kind: "fill", value: string(method, "value", value) }, read(method, options, acting)],
    clear: (method, options) => [{ kind: "fill", value: "" }, read(method, options, acting)],
    type: (method, text, options) => {
        const found = read(method, options, typing);
        return [{ kind: "type", text: string(method, "text", text), delay: found.delay ?? 0 }, found];
    },
    press: (method, key, options) => [{ kind: "press", strokes: [stroke(method, key)] }, read(method, options, acting)],
    check: (method, options) => [{ kind: "setChecked", checked: true }, read(method, options, acting)],
    uncheck: (method, options) => [{ kind: "setChecked", checked: false }, read(method, options, acting)],
    setChecked: (method, checked, options) => [
        { kind: "setChecked", checked: boolean(method, "checked", checked) },
        read(method, options, acting),
    ],
    selectOption: (method, values, options) => [
        { kind: "selectOption", options: optionWishes(method, values) },
        read(method, options, acting),
    ],
    hover: (method, options) => [{ kind: "hover" }, read(method, options, acting)],
    focus: (method, options) => [{ kind: "focus" }, read(method, options, acting)],
    blur: (method, options) => [{ kind: "blur" }, read(method, options, acting)],
    scrollIntoViewIfNeeded: (method, options) => [{ kind: "scrollIntoView" }, read(method, options, acting)],
};
ACTIONS.pressSequentially = ACTIONS.type;

// The questions, by name.
const QUESTIONS = {
    textContent: "textContent",
    innerText: "innerText",
    inputValue: "inputValue",
    isVisible: "isVisible",
    isHidden: "isHidden",
    isEnabled: "isEnabled",
    isDisabled: "isDisabled",
    isEditable: "isEditable",
    isChecked: "isChecked",
};
const asking = { timeout: milliseconds, strict: boolean };

async function evaluateIn(method, page, steps, script, argument, options) {
    const call = { op: "evaluate", page, ...scriptOf(method, script, argument), timeout: actionWait(options) };
    if (steps) call.locator = steps;
    return (await ask(method, call))?.value;
}

function innerHtml(self, method, options) {
    const { page, steps } = facts.get(self);
    return evaluateIn(method, page, steps, (element) => element.innerHTML, undefined, options);
}

class Locator extends Finding {
    filter(options) {
        const steps = filterSteps("locator.filter", options);
        return further(this, steps, `filter(${shownOptions(options).slice(2)})`);
    }

    nth(index) {
        if (!Number.isInteger(index)) throw expected("locator.nth", "index", "a whole number", index);
        return further(this, [{ nth: index }], `nth(${index})`);
    }

    first() {
        return further(this, [{ nth: 0 }], "first()");
    }

    last() {
        return further(this, [{ nth: -1 }], "last()");
    }

    and(other) {
        return further(this, [{ and: facts.get(locator("locator.and", "locator", other)).steps }], `and(${other})`);
    }

    or(other) {
        return further(this, [{ or: facts.get(locator("locator.or", "locator", other)).steps }], `or(${other})`);
    }

    page() {
        return pageOf(facts.get(this).page);
    }

    async all() {
        const found = await query(this, "locator.all", { kind: "count" }, {});
        return Array.from({ length: found }, (_, index) => this.nth(index));
    }

    async count() {
        return query(this, "locator.count", { kind: "count" }, {});
    }

    async allTextContents() {
        return query(this, "locator.allTextContents", { kind: "allTextContents" }, {});
    }

    async allInnerTexts() {
        return query(this, "locator.allInnerTexts", { kind: "allInnerTexts" }, {});
    }

    async getAttribute(name, options) {
        const method = "locator.getAttribute";
        return query(this, method, { kind: "attribute", name: string(method, "name", name) }, read(method, options, asking));
    }

    async innerHTML(options) {
        return innerHtml(this, "locator.innerHTML", read("locator.innerHTML", options, asking));
    }

    async boundingBox(options) {
        return query(this, "locator.boundingBox", { kind: "boundingBox" }, read("locator.boundingBox", options, timed));
    }

    async dragTo(target, options) {
        const method = "locator.dragTo";
        const action = { kind: "dragTo", target: facts.get(locator(method, "target", target)).steps };
        await act(this, method, action, read(method, options, acting));
    }

    async evaluate(script, argument, options) {
        const { page, steps } = facts.get(this);
        const method = "locator.evaluate";
        return evaluateIn(method, page, steps, script, argument, read(method, options, timed));
    }

    async waitFor(options) {
        const method = "locator.waitFor";
        const { page, steps } = facts.get(this);
        const found = read(method, options, waitingFor);
        await ask(method, { op: "waitFor", page, locator: steps, state: found.state ?? "visible", timeout: actionWait(found) });
    }

    async screenshot(options) {
        const { page, steps } = facts.get(this);
        return picture("locator.screenshot", page, steps, options);
    }

    toString() {
        return facts.get(this)?.words ?? "locator";
    }

    toJSON() {
        return String(this);
    }
}

const waitingFor = { timeout: milliseconds, state: oneOf("attached", "detached", "visible", "hidden"), strict: boolean };

for (const [name, reading] of Object.entries(ACTIONS)) {
    Locator.prototype[name] = async function (...args) {
        const method = `locator.${name}`;
        const [action, options] = reading(method, ...args);
        const answer = await act(this, method, action, options);
        return name === "selectOption" ? answer : undefined;
    };
}
for (const [name, kind] of Object.entries(QUESTIONS)) {
    Locator.prototype[name] = async function (options) {
        const method = `locator.${name}`;
        return query(this, method, { kind }, read(method, options, asking));
    };
}

const shooting = {
    timeout: milliseconds,
    fullPage: boolean,
    type: oneOf("png", "jpeg"),
    quality: count,
    animations: ignored,
    caret: ignored,
    scale: ignored,
};

async function picture(method, page, steps, options) {
    const found = read(method, options, shooting);
    if (found.quality > 100) throw failure(method, `quality: expected 0 to 100, got ${found.quality}`);
    if (found.quality !== undefined && found.type !== "jpeg") throw failure(method, "quality: only for type jpeg");
    const shot = { fullPage: found.fullPage ?? false, jpegQuality: found.type === "jpeg" ? (found.quality ?? 80) : null };
    const call = { op: "screenshot", page, shot, timeout: actionWait(found) };
    if (steps) call.locator = steps;
    const { base64 } = await ask(method, call);
    return Buffer.from(base64, "base64");
}
