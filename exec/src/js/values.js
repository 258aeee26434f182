// From values to text.

function isError(value) {
    return value instanceof Error;
}

// One argument of a console call.
function logText(value) {
    if (typeof value === "string") return value;
    if (isError(value)) return String(value);
    if (value === undefined) return "undefined";
    try {
        const text = stringify(value);
        if (text !== undefined) return text;
    } catch {
        // Cycles and big integers have no JSON.
    }
    return String(value);
}

// What a body returned.
function finishWith(value) {
    if (value === undefined) return host.finish("nothing", "");
    let text;
    try {
        text = stringify(value);
    } catch {
        text = undefined;
    }
    if (text !== undefined) return host.finish("json", text);
    try {
        host.finish("text", String(value));
    } catch (error) {
        host.finish("thrown", `the result can be turned neither into JSON nor into a string: ${messageOf(error)}`);
    }
}

// Errors that came through the door, with their codes.
const doorErrors = new WeakMap();

// What a body threw. What came through the door says its code first.
function messageOf(error) {
    try {
        if (doorErrors.has(error)) return `${doorErrors.get(error)}: ${error.message}`;
        if (isError(error)) return String(error.message);
        return String(error);
    } catch {
        return "the code threw a value that cannot be turned into a string";
    }
}
