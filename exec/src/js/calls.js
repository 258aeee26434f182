// Calls through the door, and what all objects of the API share.

const pending = new Map();
// What each object of the API is about; the objects themselves show only methods.
const facts = new WeakMap();

class TimeoutError extends Error {
    get name() {
        return "TimeoutError";
    }
}

function failure(method, message) {
    return new Error(`${method}: ${message}`);
}

function kindOf(value) {
    if (value === null) return "null";
    if (Array.isArray(value)) return "array";
    return typeof value;
}

// A promise of the call's answer.
function ask(method, call) {
    return new Promise((resolve, reject) => {
        let id;
        try {
            id = host.call(stringify(call));
        } catch (error) {
            return reject(failure(method, error.message));
        }
        pending.set(id, { method, timeout: call.timeout, resolve, reject });
    });
}

function settle(id, isOk, text) {
    const waiting = pending.get(id);
    if (!waiting) return;
    pending.delete(id);
    const answer = parse(text);
    if (isOk) return waiting.resolve(answer);
    const Kind = answer.isTimeout ? TimeoutError : Error;
    const isUntold = answer.isTimeout && waiting.timeout !== undefined && !answer.message.startsWith("Timeout ");
    const what = isUntold ? `Timeout ${waiting.timeout}ms exceeded. ${answer.message}` : answer.message;
    const error = new Kind(`${waiting.method}: ${what}`);
    error.code = answer.code;
    doorErrors.set(error, answer.code);
    waiting.reject(error);
}

// What to do instead of a method that Playwright has and this engine lacks.
const INSTEAD = {
    "page.on": "events are not delivered; wait for what follows (locator.waitFor, page.waitForURL, page.waitForEvent('popup'))",
    "page.waitForNavigation": "use page.waitForURL or page.waitForLoadState",
    "page.waitForRequest": "requests are not seen here; wait for what the page shows, or for page.waitForLoadState('networkidle')",
    "page.waitForResponse": "responses are not seen here; wait for what the page shows, or for page.waitForLoadState('networkidle')",
    "page.route": "requests cannot be intercepted",
    "page.setContent": "use page.goto('about:blank'), then page.evaluate to set document.body.innerHTML",
    "page.frame": "only the main frame can be acted on",
    "page.frames": "only the main frame can be acted on",
    "page.frameLocator": "only the main frame can be acted on; page.goto the frame's own URL",
    "page.mainFrame": "page is its own main frame: call its methods",
    "page.pdf": "use page.screenshot",
    "page.exposeFunction": "use page.evaluate and return a value",
    "page.addInitScript": "use page.evaluate after page.goto",
    "page.addScriptTag": "use page.evaluate",
    "page.addStyleTag": "use page.evaluate",
    "page.evaluateHandle": "use page.evaluate, or page.locator for elements",
    "page.$$eval": "use page.evaluate with document.querySelectorAll, or locator.all()",
    "page.tap": "use page.click",
    "page.pause": "use page.waitForTimeout",
    "page.request": "use page.evaluate with fetch",
    "page.setInputFiles": "files cannot be chosen",
    "locator.setInputFiles": "files cannot be chosen",
    "locator.evaluateAll": "use locator.all() and locator.evaluate for each, or page.evaluate",
    "locator.evaluateHandle": "use locator.evaluate",
    "locator.elementHandle": "use the locator itself",
    "locator.elementHandles": "use locator.all()",
    "locator.frameLocator": "only the main frame can be acted on",
    "locator.contentFrame": "only the main frame can be acted on",
    "locator.ariaSnapshot": "take a snapshot with browser_snapshot",
    "locator.tap": "use locator.click",
    "locator.selectText": "use locator.press('Control+A')",
    "locator.dispatchEvent": "use locator.click or locator.evaluate",
    "context.newContext": "a session has one context",
    "context.close": "close the session with browser_close, or one page with page.close()",
    "context.route": "requests cannot be intercepted",
    "context.on": "events are not delivered; use context.waitForEvent('page')",
    "context.addCookies": "set document.cookie with page.evaluate",
    "context.clearCookies": "clear them with page.evaluate",
    "context.storageState": "use context.cookies() and page.evaluate",
    "browser.newContext": "a session has one context; open another session with browser_open",
    "browser.newPage": "use context.newPage()",
    "browser.close": "close the session with browser_close",
};

function methodsOf(target) {
    const names = new Set();
    for (let at = target; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
        for (const name of Object.getOwnPropertyNames(at)) names.add(name);
    }
    for (const name of ["constructor", "toString", "toJSON"]) names.delete(name);
    return [...names].sort();
}

// Calling it, or anything of it, throws an error that names it and says what there is.
function missing(label, name, target) {
    const method = `${label}.${name}`;
    const refuse = () => {
        const all = methodsOf(target);
        const near = all.filter((one) => one.toLowerCase().startsWith(name.slice(0, 3).toLowerCase()));
        const instead = INSTEAD[method] ?? `${label} has: ${(near.length > 0 ? near : all).join(", ")}`;
        throw new Error(`${method} is not supported by this engine; ${instead}`);
    };
    return new Proxy(refuse, {
        get: (it, key) => (typeof key === "symbol" || key in it ? it[key] : refuse()),
    });
}

// An object of the API: what it lacks is told by name.
function expose(label, target, about) {
    const exposed = new Proxy(target, {
        get(it, key, self) {
            // A promise asks whether it was given another promise, and JSON whether a value has a form of its own.
            if (typeof key === "symbol" || key in it || key === "then") return Reflect.get(it, key, self);
            return missing(label, key, it);
        },
    });
    facts.set(exposed, about);
    return exposed;
}
