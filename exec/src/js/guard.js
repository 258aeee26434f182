// Bounds for what the engine does inside itself: it counts calls and loop turns, and not the work of one call of its own.
// Everything here is taken from the realm before the body runs.

const { Array, Date, Error, Function, Map, Number, Object, Promise, Proxy, RangeError, RegExp, Set, String, TypeError, WeakMap } = globalThis;
const { stringify, parse } = JSON;
const { apply } = Reflect;
const charge = host.charge;

// Elements of an array-like that one call may walk over; far more than the memory limit lets a real array hold.
const MAX_LENGTH = 10_000_000;
// Work below this is not counted.
const FREE = 256;

function pay(units) {
    if (units > FREE && charge(units)) throw new Error("interrupted");
}

function lengthOf(value) {
    if (typeof value === "string") return value.length;
    if (value === null || (typeof value !== "object" && typeof value !== "function")) return 0;
    const length = Number(value.length);
    return length > 0 ? length : 0;
}

function payFor(method, value) {
    const length = lengthOf(value);
    if (length > MAX_LENGTH) {
        throw new RangeError(`${method}: a length of ${length} is too much; at most ${MAX_LENGTH} elements are walked over`);
    }
    pay(length);
    return length;
}

function guardMethod(owner, label, name, cost) {
    const original = owner[name];
    if (typeof original !== "function") return;
    const method = `${label}.${name}`;
    const guarded = {
        [name](...args) {
            cost(method, this, args);
            return apply(original, this, args);
        },
    }[name];
    Object.defineProperty(guarded, "length", { value: original.length, configurable: true });
    Object.defineProperty(owner, name, { value: guarded, writable: true, configurable: true });
}

function guardAll(owner, label, names, cost) {
    for (const name of names) guardMethod(owner, label, name, cost);
}

// `push` and `pop` and their like do not walk.
const CHEAP = new Set(["constructor", "at", "push", "pop", "keys", "values", "entries"]);
const walking = Object.getOwnPropertyNames(Array.prototype).filter((name) => !CHEAP.has(name));
guardAll(Array.prototype, "Array", walking, (method, self, args) => {
    payFor(method, self);
    if (method === "Array.concat") for (const one of args) payFor(method, one);
    if (method === "Array.flat" || method === "Array.sort") pay(lengthOf(self) * 10);
});
guardAll(Array, "Array", ["from"], (method, self, args) => payFor(method, args[0]));
guardAll(Function.prototype, "Function", ["apply"], (method, self, args) => payFor(method, args[1]));
guardAll(Reflect, "Reflect", ["apply", "construct"], (method, self, args) => payFor(method, args[method === "Reflect.apply" ? 2 : 1]));

const typed = Object.getPrototypeOf(Uint8Array.prototype);
const typedWalking = Object.getOwnPropertyNames(typed).filter((name) => {
    const { value } = Object.getOwnPropertyDescriptor(typed, name);
    return typeof value === "function" && !CHEAP.has(name);
});
guardAll(typed, "TypedArray", typedWalking, (method, self) => pay(lengthOf(self) / 4));

// A search may compare every place with every character of what is searched for.
const searching = ["indexOf", "lastIndexOf", "includes", "split", "replaceAll", "replace"];
guardAll(String.prototype, "String", searching, (method, self, args) => {
    const text = lengthOf(typeof self === "string" ? self : String(self));
    const wanted = typeof args[0] === "string" ? args[0].length : 1;
    pay((text * Math.max(1, Math.min(wanted, text - wanted + 1))) / 16);
});
const copying = ["repeat", "padStart", "padEnd", "toUpperCase", "toLowerCase", "normalize", "concat", "localeCompare"];
guardAll(String.prototype, "String", copying, (method, self, args) => {
    const times = method === "String.repeat" ? Number(args[0]) || 1 : 1;
    // What is too long for a string fails at once.
    pay(Math.min(lengthOf(self) * times, MAX_LENGTH * 8) / 64);
});
guardAll(JSON, "JSON", ["parse"], (method, self, args) => pay(lengthOf(args[0]) / 4));
guardAll(Object, "Object", ["keys", "values", "entries", "assign", "fromEntries", "freeze", "getOwnPropertyNames"], (method, self, args) => {
    for (const one of args) pay(lengthOf(one));
});
