// `context`, `browser`, and the start of a body.

class Context {
    pages() {
        return host.pages().map(pageOf);
    }

    browser() {
        return browser;
    }

    async waitForEvent(event, options) {
        return newTab("context.waitForEvent", "page", event, options);
    }

    async newPage() {
        return pageOf(await ask("context.newPage", { op: "newPage" }));
    }

    async cookies(urls) {
        if (urls !== undefined) throw failure("context.cookies", "urls: not supported; filter the cookies by domain");
        return ask("context.cookies", { op: "cookies" });
    }

    setDefaultTimeout(timeout) {
        waits.action = waits.navigation = milliseconds("context.setDefaultTimeout", "timeout", timeout);
    }

    setDefaultNavigationTimeout(timeout) {
        waits.navigation = milliseconds("context.setDefaultNavigationTimeout", "timeout", timeout);
    }

    toString() {
        return "context";
    }

    toJSON() {
        return "context";
    }
}

class Browser {
    contexts() {
        return [context];
    }

    version() {
        return host.version();
    }

    // A body runs only while its session's browser is there.
    isConnected() {
        return true;
    }

    toString() {
        return "browser";
    }

    toJSON() {
        return "browser";
    }
}

const context = expose("context", new Context(), {});
const browser = expose("browser", new Browser(), {});

const then = Promise.prototype.then;

function start(body) {
    const running = body(pageOf(host.page), context, browser, bodyConsole);
    apply(then, running, [finishWith, (error) => host.finish("thrown", messageOf(error))]);
}
