// Bounds for what the engine does inside itself: it counts calls and loop turns, and not the work of one call of its own.
// Everything here is taken from the realm before the body runs.

const { Array, Date, Error, Function, Map, Number, Object, Promise, Proxy, RangeError, RegExp, Set, String, SyntaxError, TypeError, WeakMap } = globalThis;
const { parse, stringify: plainStringify } = JSON;
const { apply, construct } = Reflect;
const charge = host.charge;

const { slice: plainSlice, split: plainSplit } = String.prototype;

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
const coding = ["encodeURI", "encodeURIComponent", "decodeURI", "decodeURIComponent", "escape", "unescape"];
guardAll(globalThis, "globalThis", coding, (method, self, args) => {
    if (args.length > 0 && typeof args[0] !== "symbol") args[0] = String(args[0]);
    pay(lengthOf(args[0]));
});

// Names that a replacer of JSON.stringify may list: each is looked up in each object.
const MAX_NAMES = 200;

// A replacer is called for each value, and the engine counts calls.
function stringify(value, replacer, indent) {
    if (Array.isArray(replacer)) {
        if (replacer.length > MAX_NAMES) throw new RangeError(`JSON.stringify: at most ${MAX_NAMES} names can be listed`);
    } else if (typeof replacer !== "function") {
        replacer = (key, found) => found;
    }
    const text = plainStringify(value, replacer, indent);
    pay(lengthOf(text) / 4);
    return text;
}
Object.defineProperty(JSON, "stringify", { value: stringify, writable: true, configurable: true });

// One operation of big integers may take minutes, and nothing counts it.
for (const name of ["BigInt", "BigInt64Array", "BigUint64Array"]) delete globalThis[name];
for (const name of ["getBigInt64", "getBigUint64", "setBigInt64", "setBigUint64"]) delete DataView.prototype[name];

const BIG = /(?<![\w$.])[0-9][0-9a-fox_]*n/gi;
const { exec: execute } = RegExp.prototype;

// Code that is made at run time; what only looks like a big integer there, in a string, is refused too.
function checkMade(text) {
    BIG.lastIndex = 0;
    const found = apply(execute, BIG, [text]);
    if (!found) return;
    const before = apply(plainSplit, apply(plainSlice, text, [0, found.index]), ["\n"]);
    const place = `line ${before.length}, column ${before[before.length - 1].length + 1}`;
    throw new SyntaxError(`code made at run time holds ${found[0]} at ${place}: big integers are not supported; use numbers`);
}

const plainEval = globalThis.eval;
const guardedEval = {
    eval(text) {
        if (typeof text === "string") checkMade(text);
        return plainEval(text);
    },
}.eval;
Object.defineProperty(globalThis, "eval", { value: guardedEval, writable: true, configurable: true });

// The makers of functions, each with its prototype; the ones that come after the first inherit from it.
let first;
for (const one of [function () {}, async function () {}, function* () {}, async function* () {}]) {
    const prototype = Object.getPrototypeOf(one);
    const original = prototype.constructor;
    const { name } = original;
    const maker = {
        [name]: function (...parts) {
            const texts = parts.map(String);
            texts.forEach(checkMade);
            return construct(original, texts, new.target ?? original);
        },
    }[name];
    Object.defineProperty(maker, "length", { value: 1, configurable: true });
    Object.defineProperty(maker, "prototype", { value: prototype, writable: false });
    if (first) Object.setPrototypeOf(maker, first);
    else globalThis.Function = first = maker;
    Object.defineProperty(prototype, "constructor", { value: maker, writable: original === Function, configurable: true });
}
guardAll(Object, "Object", ["keys", "values", "entries", "assign", "fromEntries", "freeze", "getOwnPropertyNames"], (method, self, args) => {
    for (const one of args) pay(lengthOf(one));
});
