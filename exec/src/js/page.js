// Pages, and their keyboard and mouse.

const pages = new Map();

// One object for each page, however often it is asked for.
function pageOf(id) {
    let page = pages.get(id);
    if (!page) {
        page = expose("page", new Page(), { id });
        const about = facts.get(page);
        about.keyboard = expose("page.keyboard", new Keyboard(), { id });
        about.mouse = expose("page.mouse", new Mouse(), { id, x: 0, y: 0 });
        pages.set(id, page);
    }
    return page;
}

// What `goto` and its like answer: the document's response, or null.
class Response {
    url() {
        return facts.get(this).url;
    }

    status() {
        return facts.get(this).status;
    }

    ok() {
        const { status } = facts.get(this);
        return status === 0 || (status >= 200 && status <= 299);
    }

    toJSON() {
        return facts.get(this);
    }
}

function responseOf(answer) {
    if (answer === null || answer.status === null || answer.status === undefined) return null;
    return expose("response", new Response(), { url: answer.url, status: answer.status });
}

async function navigate(self, name, extra, options) {
    const method = `page.${name}`;
    const found = read(method, options, navigating);
    const { id } = facts.get(self);
    const call = { op: name, page: id, ...extra, waitUntil: found.waitUntil ?? "load", timeout: navigationWait(found) };
    return responseOf(await ask(method, call));
}

// A wish that is asked again until it holds.
async function poll(method, timeout, every, holds) {
    const end = host.now() + timeout;
    for (;;) {
        const found = await holds();
        if (found) return found;
        if (host.now() + every > end) throw new TimeoutError(`${method}: Timeout ${timeout}ms exceeded.`);
        await ask(method, { op: "sleep", ms: every });
    }
}

const POLL = 100;

// The one event that is waited for: a tab that was not there at the call.
async function newTab(method, name, event, options) {
    if (event !== name) throw failure(method, `event ${logText(event)} is not supported; only ${quoted(name)} is`);
    const timeout = actionWait(read(method, options, timed));
    const before = host.pages();
    const id = await poll(method, timeout, POLL, async () => (await ask(method, { op: "pages" })).find((one) => !before.includes(one)));
    return pageOf(id);
}

class Page extends Finding {
    get keyboard() {
        return facts.get(this).keyboard;
    }

    get mouse() {
        return facts.get(this).mouse;
    }

    context() {
        return context;
    }

    url() {
        return host.url(facts.get(this).id);
    }

    isClosed() {
        return !host.pages().includes(facts.get(this).id);
    }

    viewportSize() {
        const [width, height] = host.viewport(facts.get(this).id);
        return width === undefined ? null : { width, height };
    }

    setDefaultTimeout(timeout) {
        waits.action = waits.navigation = milliseconds("page.setDefaultTimeout", "timeout", timeout);
    }

    setDefaultNavigationTimeout(timeout) {
        waits.navigation = milliseconds("page.setDefaultNavigationTimeout", "timeout", timeout);
    }

    async goto(url, options) {
        return navigate(this, "goto", { url: String(url instanceof URL ? url : string("page.goto", "url", url)) }, options);
    }

    async reload(options) {
        return navigate(this, "reload", {}, options);
    }

    async goBack(options) {
        return navigate(this, "goBack", {}, options);
    }

    async goForward(options) {
        return navigate(this, "goForward", {}, options);
    }

    async title() {
        return ask("page.title", { op: "title", page: facts.get(this).id });
    }

    async content() {
        return ask("page.content", { op: "content", page: facts.get(this).id });
    }

    async setViewportSize(size) {
        const method = "page.setViewportSize";
        const { width, height } = read(method, size, { width: count, height: count });
        if (width === undefined || height === undefined) throw failure(method, "viewportSize: expected {width, height}");
        await ask(method, { op: "setViewportSize", page: facts.get(this).id, width, height });
    }

    async close(options) {
        read("page.close", options, { reason: ignored });
        await ask("page.close", { op: "closePage", page: facts.get(this).id });
    }

    async bringToFront() {
        await ask("page.bringToFront", { op: "bringToFront", page: facts.get(this).id });
    }

    async evaluate(script, argument) {
        const { id } = facts.get(this);
        const unbounded = { timeout: 0 };
        if (isLocator(argument)) return evaluateIn("page.evaluate", id, facts.get(argument).steps, script, undefined, {});
        return evaluateIn("page.evaluate", id, undefined, script, argument, unbounded);
    }

    async waitForFunction(script, argument, options) {
        const method = "page.waitForFunction";
        const found = read(method, options, { timeout: milliseconds, polling: ignored });
        const { id } = facts.get(this);
        const value = await poll(method, actionWait(found), POLL, () => evaluateIn(method, id, undefined, script, argument, found));
        return { jsonValue: async () => value, dispose: async () => {} };
    }

    async waitForTimeout(ms) {
        await ask("page.waitForTimeout", { op: "sleep", ms: milliseconds("page.waitForTimeout", "timeout", ms) });
    }

    async waitForLoadState(state = "load", options) {
        const method = "page.waitForLoadState";
        oneOf("load", "domcontentloaded", "networkidle", "commit")(method, "state", state);
        const timeout = navigationWait(read(method, options, timed));
        await ask(method, { op: "waitForLoadState", page: facts.get(this).id, state, timeout });
    }

    async waitForURL(url, options) {
        const method = "page.waitForURL";
        const found = read(method, options, navigating);
        const { id } = facts.get(this);
        const timeout = navigationWait(found);
        const waitUntil = found.waitUntil ?? "load";
        if (typeof url === "function") {
            await poll(method, timeout, POLL, async () => url(new URL(await ask(method, { op: "url", page: id }))));
            return void (await ask(method, { op: "waitForLoadState", page: id, state: waitUntil, timeout }));
        }
        if (url instanceof URL) url = url.href;
        pattern(method, "url", url);
        const wanted = url instanceof RegExp ? { pattern: [url.source, url.flags] } : { glob: url };
        await ask(method, { op: "waitForUrl", page: id, ...wanted, waitUntil, timeout });
    }

    async waitForEvent(event, options) {
        return newTab("page.waitForEvent", "popup", event, options);
    }

    async waitForSelector(selector, options) {
        const method = "page.waitForSelector";
        const found = read(method, options, waitingFor);
        const { id } = facts.get(this);
        const state = found.state ?? "visible";
        const element = named(this, method, selector, found);
        const { steps } = facts.get(element);
        await ask(method, { op: "waitFor", page: id, locator: steps, state, timeout: actionWait(found) });
        return state === "attached" || state === "visible" ? element : null;
    }

    async screenshot(options) {
        return picture("page.screenshot", facts.get(this).id, undefined, options);
    }

    async $(selector) {
        const element = named(this, "page.$", selector, {});
        return (await query(element, "page.$", { kind: "count" }, {})) > 0 ? element : null;
    }

    async $$(selector) {
        return further(this, selectorSteps("page.$$", selector), `locator(${shown(selector)})`).all();
    }

    async $eval(selector, script, argument) {
        const { page, steps } = facts.get(named(this, "page.$eval", selector, {}));
        return evaluateIn("page.$eval", page, steps, script, argument, {});
    }

    async getAttribute(selector, name, options) {
        const method = "page.getAttribute";
        const found = read(method, options, asking);
        const question = { kind: "attribute", name: string(method, "name", name) };
        return query(named(this, method, selector, found), method, question, found);
    }

    async innerHTML(selector, options) {
        const method = "page.innerHTML";
        const found = read(method, options, asking);
        return innerHtml(named(this, method, selector, found), method, found);
    }

    async dragAndDrop(source, target, options) {
        const method = "page.dragAndDrop";
        const found = read(method, options, acting);
        const action = { kind: "dragTo", target: facts.get(named(this, method, target, found)).steps };
        await act(named(this, method, source, found), method, action, found);
    }

    toString() {
        return `page ${facts.get(this)?.id ?? ""}`;
    }

    toJSON() {
        return String(this);
    }
}

// Methods of a page that take a selector mean the first match, unless `strict` is asked for.
function named(page, method, selector, options) {
    const steps = selectorSteps(method, selector);
    return further(page, options.strict ? steps : [...steps, { nth: 0 }], `locator(${shown(selector)})`);
}

const PAGE_ACTIONS = ["click", "dblclick", "fill", "type", "press", "check", "uncheck", "setChecked", "selectOption", "hover", "focus"];
for (const name of PAGE_ACTIONS) {
    Page.prototype[name] = async function (selector, ...args) {
        const method = `page.${name}`;
        const [action, options] = ACTIONS[name](method, ...args);
        const answer = await act(named(this, method, selector, options), method, action, options);
        return name === "selectOption" ? answer : undefined;
    };
}
for (const [name, kind] of Object.entries(QUESTIONS)) {
    Page.prototype[name] = async function (selector, options) {
        const method = `page.${name}`;
        const found = read(method, options, asking);
        return query(named(this, method, selector, found), method, { kind }, found);
    };
}

class Keyboard {
    async press(key, options) {
        const method = "keyboard.press";
        await keys(this, method, [stroke(method, key)], read(method, options, { delay: milliseconds }));
    }

    async type(text, options) {
        const method = "keyboard.type";
        await keys(this, method, strokesOf(string(method, "text", text)), read(method, options, { delay: milliseconds }));
    }

    async insertText(text) {
        const method = "keyboard.insertText";
        await keys(this, method, [{ insert: { text: string(method, "text", text) } }], {});
    }

    async down(key) {
        await keys(this, "keyboard.down", [{ down: { key: singleKey("keyboard.down", key) } }], {});
    }

    async up(key) {
        await keys(this, "keyboard.up", [{ up: { key: singleKey("keyboard.up", key) } }], {});
    }
}

function singleKey(method, key) {
    return stroke(method, key).press.key;
}

async function keys(self, method, strokes, options) {
    if (strokes.length === 0) return;
    await ask(method, { op: "keyboard", page: facts.get(self).id, strokes, delay: options.delay ?? 0 });
}

class Mouse {
    async move(x, y, options) {
        const method = "mouse.move";
        const about = facts.get(this);
        const { steps = 1 } = read(method, options, { steps: count });
        const [fromX, fromY] = [about.x, about.y];
        number(method, "x", x);
        number(method, "y", y);
        for (let step = 1; step <= steps; step++) {
            about.x = fromX + ((x - fromX) * step) / steps;
            about.y = fromY + ((y - fromY) * step) / steps;
            await mouse(this, method, "move");
        }
    }

    async down(options) {
        await mouse(this, "mouse.down", { down: pressed("mouse.down", options, 1) });
    }

    async up(options) {
        await mouse(this, "mouse.up", { up: pressed("mouse.up", options, 1) });
    }

    async click(x, y, options) {
        await mouseClick(this, "mouse.click", x, y, options, 1);
    }

    async dblclick(x, y, options) {
        await mouseClick(this, "mouse.dblclick", x, y, options, 2);
    }

    async wheel(dx, dy) {
        await mouse(this, "mouse.wheel", { wheel: { dx: number("mouse.wheel", "deltaX", dx), dy: number("mouse.wheel", "deltaY", dy) } });
    }
}

function pressed(method, options, clicks) {
    const found = read(method, options, { button, clickCount });
    return { button: found.button ?? "left", count: found.clickCount ?? clicks };
}

async function mouseClick(self, method, x, y, options, clicks) {
    const about = facts.get(self);
    const click = pressed(method, options, clicks);
    about.x = number(method, "x", x);
    about.y = number(method, "y", y);
    await mouse(self, method, { click });
}

function mouse(self, method, how) {
    const { id, x, y } = facts.get(self);
    return ask(method, { op: "mouse", page: id, x, y, act: how });
}
