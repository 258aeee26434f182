// From values to text.

// What the engine calls an error of its own kind stays the same whatever the body does to its globals.
const ErrorOfRealm = Error;
const StringOf = String;

function isError(value) {
    return value instanceof ErrorOfRealm;
}

// One argument of a console call.
function logText(value) {
    if (typeof value === "string") return value;
    if (isError(value)) return StringOf(value);
    if (value === undefined) return "undefined";
    try {
        const text = stringify(value);
        if (text !== undefined) return text;
    } catch {
        // Cycles and big integers have no JSON.
    }
    return StringOf(value);
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
        host.finish("text", StringOf(value));
    } catch (error) {
        host.finish("thrown", `the result can be turned neither into JSON nor into a string: ${messageOf(error)}`);
    }
}

// What a body threw.
function messageOf(error) {
    try {
        if (isError(error)) return StringOf(error.message);
        return StringOf(error);
    } catch {
        return "the code threw a value that cannot be turned into a string";
    }
}
