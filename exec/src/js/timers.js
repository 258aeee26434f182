// Timers on the door's clock.

const timers = new Map();

function startTimer(name, callback, ms, args, isRepeated) {
    if (typeof callback !== "function") throw new TypeError(`${name}: callback: expected function, got ${kindOf(callback)}`);
    const delay = Number(ms);
    const wait = delay > 0 ? delay : 0;
    const id = host.startTimer(wait);
    const timer = { callback, args, wait, isRepeated, current: id };
    timers.set(id, timer);
    return id;
}

// A repeated timer has a new number in the host each time, and keeps the one that the body knows.
const aliases = new Map();

function stopTimer(id) {
    const current = aliases.get(id) ?? id;
    aliases.delete(id);
    if (timers.delete(current)) host.stopTimer(current);
}

function fire(current) {
    const timer = timers.get(current);
    if (!timer) return;
    timers.delete(current);
    if (timer.isRepeated) {
        const next = host.startTimer(timer.wait);
        timers.set(next, timer);
        aliases.set(timer.current, next);
    }
    try {
        apply(timer.callback, undefined, timer.args);
    } catch (error) {
        host.finish("thrown", messageOf(error));
    }
}

function define(name, value) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}

define("setTimeout", (callback, ms, ...args) => startTimer("setTimeout", callback, ms, args, false));
define("setInterval", (callback, ms, ...args) => startTimer("setInterval", callback, ms, args, true));
define("setImmediate", (callback, ...args) => startTimer("setImmediate", callback, 0, args, false));
define("clearTimeout", stopTimer);
define("clearInterval", stopTimer);
define("clearImmediate", stopTimer);
