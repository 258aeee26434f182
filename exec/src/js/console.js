// `console`: log, info and debug go to stdout, warn and error to stderr.

function joined(args) {
    let line = "";
    for (let at = 0; at < args.length; at++) line += (at > 0 ? " " : "") + logText(args[at]);
    return line;
}

const counts = new Map();
const clocks = new Map();
let indent = "";

const write = (toStderr) => (...args) => {
    const line = joined(args);
    host.log(toStderr, indent === "" ? line : indent + line.replaceAll("\n", `\n${indent}`));
};
const out = write(false);
const err = write(true);

// Rows as lines of cells, the names of the columns first.
function table(data, columns) {
    if (data === null || typeof data !== "object") return out(data);
    const rows = Object.entries(data);
    const names = columns ?? [...new Set(rows.flatMap(([, row]) => (row !== null && typeof row === "object" ? Object.keys(row) : ["value"])))];
    out(["index", ...names].join(" | "));
    for (const [index, row] of rows) {
        const cell = (name) => (row !== null && typeof row === "object" ? row[name] : name === "value" ? row : undefined);
        out([index, ...names.map((name) => (cell(name) === undefined ? "" : logText(cell(name))))].join(" | "));
    }
}

const bodyConsole = {
    log: out,
    info: out,
    debug: out,
    dir: (value) => out(value),
    warn: err,
    error: err,
    trace: (...args) => err("Trace:", ...args),
    assert: (holds, ...args) => {
        if (!holds) err("Assertion failed", ...args);
    },
    table,
    count: (label = "default") => {
        counts.set(label, (counts.get(label) ?? 0) + 1);
        out(`${label}: ${counts.get(label)}`);
    },
    countReset: (label = "default") => void counts.delete(label),
    group: (...args) => {
        if (args.length > 0) out(...args);
        indent += "  ";
    },
    groupEnd: () => {
        indent = indent.slice(2);
    },
    time: (label = "default") => void clocks.set(label, host.now()),
    timeLog: (label = "default", ...args) => {
        if (clocks.has(label)) out(`${label}: ${host.now() - clocks.get(label)}ms`, ...args);
    },
    timeEnd: (label = "default") => {
        bodyConsole.timeLog(label);
        clocks.delete(label);
    },
    clear: () => {},
};
bodyConsole.groupCollapsed = bodyConsole.group;
