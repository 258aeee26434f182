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

// What a body threw.
function messageOf(error) {
    try {
        if (isError(error)) return String(error.message);
        return String(error);
    } catch {
        return "the code threw a value that cannot be turned into a string";
    }
}
