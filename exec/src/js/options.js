// Arguments and options: what does not fit is told with the method's and the argument's name.

// How long is waited, in milliseconds, where nothing is said.
const waits = { action: 8000, navigation: 10000 };
// So much before the end of the whole run, a wait ends by itself: its error says more than the run's.
const MARGIN = 250;

function expected(method, argument, wanted, value) {
    return failure(method, `${argument}: expected ${wanted}, got ${kindOf(value)}`);
}

const number = (method, name, value) => {
    if (typeof value !== "number" || !Number.isFinite(value)) throw expected(method, name, "number", value);
    return value;
};
const count = (method, name, value) => {
    if (!Number.isInteger(number(method, name, value)) || value < 0 || value > 4294967295) {
        throw failure(method, `${name}: expected a whole number from 0, got ${value}`);
    }
    return value;
};
const milliseconds = (method, name, value) => {
    if (number(method, name, value) < 0) throw failure(method, `${name}: expected milliseconds from 0, got ${value}`);
    return Math.min(Math.round(value), 4294967295);
};
const string = (method, name, value) => {
    if (typeof value !== "string") throw expected(method, name, "string", value);
    return value;
};
const boolean = (method, name, value) => {
    if (typeof value !== "boolean") throw expected(method, name, "boolean", value);
    return value;
};
const pattern = (method, name, value) => {
    if (typeof value !== "string" && !(value instanceof RegExp)) throw expected(method, name, "string or RegExp", value);
    return value;
};
const oneOf = (...words) => (method, name, value) => {
    if (!words.includes(value)) throw failure(method, `${name}: expected one of ${words.join(", ")}, got ${logText(value)}`);
    return value;
};
const locator = (method, name, value) => {
    if (!isLocator(value)) throw expected(method, name, "a locator", value);
    return value;
};
const ignored = () => undefined;

const REFUSED = {
    force: "the element must be actionable; remove what covers it first",
    position: "the middle of what is visible is acted on; use page.mouse with locator.boundingBox() for another point",
    trial: "use locator.isVisible, isEnabled or waitFor",
    steps: "use page.mouse for single steps",
    sourcePosition: "use page.mouse",
    targetPosition: "use page.mouse",
    path: "there is no file access; the picture is returned",
    clip: "take the picture of a locator",
    mask: "nothing is masked",
    referer: "the browser sends its own",
};

// The options that were given; `allowed` says what each is read by.
function read(method, options, allowed) {
    const found = {};
    if (options === undefined || options === null) return found;
    if (typeof options !== "object") throw expected(method, "options", "object", options);
    for (const key of Object.keys(options)) {
        if (options[key] === undefined) continue;
        if (Object.hasOwn(allowed, key)) {
            found[key] = allowed[key](method, key, options[key]);
        } else if (options[key] !== false) {
            const why = Object.hasOwn(REFUSED, key) ? REFUSED[key] : `there are ${Object.keys(allowed).join(", ") || "none"}`;
            throw failure(method, `option ${key} is not supported; ${why}`);
        }
    }
    return found;
}

// A wait that ends before the run does; 0 waits as long as the run lasts.
function capped(timeout, otherwise) {
    const wanted = timeout ?? otherwise;
    const left = Math.max(1, host.left() - MARGIN);
    return Math.round(wanted === 0 ? left : Math.min(wanted, left));
}

const actionWait = (options) => capped(options.timeout, waits.action);
const navigationWait = (options) => capped(options.timeout, waits.navigation);

const timed = { timeout: milliseconds };
const acting = { timeout: milliseconds, noWaitAfter: ignored, strict: boolean };
const loadStates = oneOf("load", "domcontentloaded", "networkidle", "commit");
const navigating = { timeout: milliseconds, waitUntil: loadStates };

const MODIFIERS = { Alt: "alt", Control: "control", ControlOrMeta: "control", Meta: "meta", Shift: "shift" };

function modifiers(method, name, value) {
    if (!Array.isArray(value)) throw expected(method, name, "array", value);
    const held = { alt: false, control: false, meta: false, shift: false };
    for (const word of value) {
        held[MODIFIERS[oneOf(...Object.keys(MODIFIERS))(method, name, word)]] = true;
    }
    return held;
}

const clickCount = (method, name, value) => {
    if (count(method, name, value) < 1 || value > 3) throw failure(method, `${name}: expected 1, 2 or 3, got ${value}`);
    return value;
};
const button = oneOf("left", "middle", "right");
const clicking = { ...acting, button, clickCount, modifiers };

function clickAction(options, clicks) {
    const held = options.modifiers ?? { alt: false, control: false, meta: false, shift: false };
    return { kind: "click", button: options.button ?? "left", count: options.clickCount ?? clicks, modifiers: held };
}

function stroke(method, key) {
    try {
        return parse(host.stroke(string(method, "key", key)));
    } catch (error) {
        throw error.message.startsWith(method) ? error : failure(method, error.message);
    }
}

// Each character as a key, where the keyboard has one.
function strokesOf(text) {
    return [...text].map((character) => {
        if (character === "\n" || character === "\r") return parse(host.stroke("Enter"));
        if (character === "\t") return parse(host.stroke("Tab"));
        return character >= " " && character <= "~" ? parse(host.stroke(character)) : { insert: { text: character } };
    });
}

// A function's source, or an expression.
function scriptOf(method, script, argument) {
    const isFunction = typeof script === "function";
    if (!isFunction && typeof script !== "string") throw expected(method, "pageFunction", "function or string", script);
    const source = isFunction ? Function.prototype.toString.call(script) : script;
    if (isFunction && source.includes("[native code]")) {
        throw failure(method, "pageFunction: a built-in function has no source; wrap it: () => …");
    }
    return { source, isFunction, argument: jsonOf(method, argument) };
}

function jsonOf(method, value) {
    if (value === undefined) return undefined;
    let text;
    try {
        text = stringify(value);
    } catch (error) {
        throw failure(method, `arg: it has no form in JSON: ${error.message}`);
    }
    if (text === undefined) throw expected(method, "arg", "a value that has a form in JSON", value);
    return parse(text);
}
