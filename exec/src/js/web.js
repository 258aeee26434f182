// The few globals of the web that bodies use and the language lacks.

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

class TextEncoder {
    encode(text = "") {
        const bytes = [];
        for (const character of String(text).toWellFormed()) {
            const code = character.codePointAt(0);
            if (code < 0x80) bytes.push(code);
            else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
            else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
            else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
        }
        return Uint8Array.from(bytes);
    }
}

function bytesOfBase64(text) {
    const clean = text.replace(/[\s=]/g, "");
    const bytes = new Uint8Array(Math.floor((clean.length * 3) / 4));
    let bits = 0;
    let held = 0;
    let at = 0;
    for (let index = 0; index < clean.length; index++) {
        const value = BASE64.indexOf(clean[index]);
        if (value < 0) throw new Error("not base64");
        bits = ((bits << 6) | value) & 0xffffff;
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes[at++] = (bits >> held) & 255;
        }
    }
    return bytes;
}

function base64OfBytes(bytes) {
    let text = "";
    for (let at = 0; at < bytes.length; at += 3) {
        const [a, b, c] = [bytes[at], bytes[at + 1], bytes[at + 2]];
        text += BASE64[a >> 2] + BASE64[((a & 3) << 4) | ((b ?? 0) >> 4)];
        text += b === undefined ? "=" : BASE64[((b & 15) << 2) | ((c ?? 0) >> 6)];
        text += c === undefined ? "=" : BASE64[c & 63];
    }
    return text;
}

// As much of Node's Buffer as a picture needs.
class Buffer extends Uint8Array {
    static from(value, encoding) {
        if (typeof value !== "string") return super.from(value);
        const bytes = encoding === "base64" ? bytesOfBase64(value) : new TextEncoder().encode(value);
        return new Buffer(bytes);
    }

    toString(encoding = "utf8") {
        if (encoding === "base64") return base64OfBytes(this);
        if (encoding === "hex") return Array.prototype.map.call(this, (byte) => byte.toString(16).padStart(2, "0")).join("");
        return decodeURIComponent(Array.prototype.map.call(this, (byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""));
    }

    toJSON() {
        return { type: "Buffer", data: Array.from(this) };
    }
}

class URLSearchParams {
    #pairs = [];
    #changed;

    constructor(init = "", changed = () => {}) {
        this.#changed = changed;
        if (typeof init === "string") {
            for (const part of init.replace(/^\?/, "").split("&")) {
                if (part === "") continue;
                const [name, ...value] = part.split("=");
                this.#pairs.push([unescapeForm(name), unescapeForm(value.join("="))]);
            }
        } else {
            const entries = typeof init[Symbol.iterator] === "function" ? init : Object.entries(init);
            for (const [name, value] of entries) this.#pairs.push([String(name), String(value)]);
        }
    }

    get(name) {
        return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null;
    }

    getAll(name) {
        return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value);
    }

    has(name) {
        return this.#pairs.some(([key]) => key === String(name));
    }

    append(name, value) {
        this.#pairs.push([String(name), String(value)]);
        this.#changed();
    }

    set(name, value) {
        const at = this.#pairs.findIndex(([key]) => key === String(name));
        if (at < 0) return this.append(name, value);
        this.#pairs[at] = [String(name), String(value)];
        this.#pairs = this.#pairs.filter(([key], index) => index <= at || key !== String(name));
        this.#changed();
    }

    delete(name) {
        this.#pairs = this.#pairs.filter(([key]) => key !== String(name));
        this.#changed();
    }

    sort() {
        this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
        this.#changed();
    }

    forEach(callback) {
        for (const [name, value] of this.#pairs) callback(value, name, this);
    }

    get size() {
        return this.#pairs.length;
    }

    *entries() {
        yield* this.#pairs.map(([name, value]) => [name, value]);
    }

    *keys() {
        for (const [name] of this.#pairs) yield name;
    }

    *values() {
        for (const [, value] of this.#pairs) yield value;
    }

    [Symbol.iterator]() {
        return this.entries();
    }

    toString() {
        return this.#pairs.map((pair) => pair.map(escapeForm).join("=")).join("&");
    }
}

function unescapeForm(text) {
    try {
        return decodeURIComponent(text.replaceAll("+", " "));
    } catch {
        return text;
    }
}

const escapeForm = (text) =>
    encodeURIComponent(text.toWellFormed()).replace(/[!'()~]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`).replaceAll("%20", "+");

const PORTS = { "http:": "80", "https:": "443", "ws:": "80", "wss:": "443", "ftp:": "21" };
const PARTS = /^([a-z][a-z0-9+.-]*:)(?:\/\/(?:([^@/?#]*)@)?(\[[^\]]*\]|[^:/?#]*)(?::(\d*))?)?([^?#]*)(\?[^#]*)?(#.*)?$/is;

function withoutDots(path) {
    const kept = [];
    const parts = path.split("/");
    parts.forEach((part, at) => {
        const isLast = at === parts.length - 1;
        if (part === "..") {
            if (kept.length > 1) kept.pop();
            if (isLast) kept.push("");
        } else if (part !== ".") kept.push(part);
        else if (isLast) kept.push("");
    });
    return kept.join("/");
}

// A relative URL as an absolute one.
function resolved(text, base) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return text;
    const from = new URL(base);
    const root = `${from.protocol}//${from.host}`;
    if (text.startsWith("//")) return from.protocol + text;
    if (text.startsWith("/")) return root + text;
    if (text.startsWith("?")) return root + from.pathname + text;
    if (text.startsWith("#")) return root + from.pathname + from.search + text;
    return text === "" ? root + from.pathname + from.search : root + from.pathname.replace(/[^/]*$/, "") + text;
}

const escapePart = (text) => text.toWellFormed().replace(/[^\x21\x23-\x3b\x3d\x3f-\x7e]/gu, (one) => encodeURIComponent(one));

class URL {
    #params;

    constructor(url, base) {
        let text = String(url).trim();
        if (base !== undefined) text = resolved(text, base);
        const parts = PARTS.exec(text);
        const isSpecial = parts && Object.hasOwn(PORTS, parts[1].toLowerCase());
        if (!parts || (isSpecial && !parts[3])) throw new TypeError(`Invalid URL: ${text}`);
        const [, protocol, login = "", hostname = "", port = "", path, search = "", hash = ""] = parts;
        this.protocol = protocol.toLowerCase();
        [this.username, this.password = ""] = login.split(":");
        this.hostname = hostname.toLowerCase();
        this.port = port === PORTS[this.protocol] ? "" : port;
        this.pathname = isSpecial ? escapePart(withoutDots(path || "/")) : path;
        this.search = search === "?" ? "" : escapePart(search);
        this.hash = hash === "#" ? "" : escapePart(hash);
    }

    static canParse(url, base) {
        try {
            return Boolean(new URL(url, base));
        } catch {
            return false;
        }
    }

    get host() {
        return this.hostname + (this.port && `:${this.port}`);
    }

    get origin() {
        return Object.hasOwn(PORTS, this.protocol) ? `${this.protocol}//${this.host}` : "null";
    }

    get searchParams() {
        const params = new URLSearchParams(this.search, () => {
            const text = params.toString();
            this.search = text && `?${text}`;
        });
        return (this.#params ??= params);
    }

    get href() {
        const login = this.username && `${this.username}${this.password && `:${this.password}`}@`;
        const slashes = this.hostname || this.protocol === "file:" ? "//" : "";
        return this.protocol + slashes + login + this.host + this.pathname + this.search + this.hash;
    }

    toString() {
        return this.href;
    }

    toJSON() {
        return this.href;
    }
}

// A copy of what JSON and the collections can hold; cycles stay cycles.
function structuredClone(value, seen = new Map()) {
    if (typeof value === "function" || typeof value === "symbol") throw new Error(`${kindOf(value)} cannot be cloned`);
    if (value === null || typeof value !== "object") return value;
    if (seen.has(value)) return seen.get(value);
    if (value instanceof Date) return new Date(value);
    if (value instanceof RegExp) return new RegExp(value.source, value.flags);
    const copy = value instanceof Map ? new Map() : value instanceof Set ? new Set() : Array.isArray(value) ? [] : {};
    seen.set(value, copy);
    if (value instanceof Map) for (const [key, one] of value) copy.set(structuredClone(key, seen), structuredClone(one, seen));
    else if (value instanceof Set) for (const one of value) copy.add(structuredClone(one, seen));
    else for (const key of Object.keys(value)) copy[key] = structuredClone(value[key], seen);
    return copy;
}

define("TextEncoder", TextEncoder);
define("Buffer", Buffer);
define("URL", URL);
define("URLSearchParams", URLSearchParams);
define("structuredClone", (value) => structuredClone(value));
if (typeof globalThis.queueMicrotask !== "function") define("queueMicrotask", (callback) => void Promise.resolve().then(callback));
