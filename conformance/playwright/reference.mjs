// Runs every body with the real playwright-core and prints one JSON line for each: see README.md.
// usage: node reference.mjs FOLDER [NAME-PART] — FOLDER is what `scripts/playwright` prints.
import { createServer } from "node:http";
import { readFile, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

const [folder, only = ""] = process.argv.slice(2);
const here = import.meta.dirname;
const { chromium } = createRequire(join(folder, "package.json"))("playwright-core");
const AsyncFunction = (async () => {}).constructor;

const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://host");
    try {
        const page = await readFile(join(here, "pages", pathname.replace(/[^\w.-]/g, "")));
        response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
    } catch {
        response.writeHead(404, { "content-type": "text/html; charset=utf-8" }).end("<h1>Not found</h1>");
    }
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const origin = `http://127.0.0.1:${server.address().port}`;
const normal = (text) => text.replaceAll(origin, "http://host");

function logText(value) {
    if (typeof value === "string") return value;
    if (value instanceof Error) return String(value);
    if (value === undefined) return "undefined";
    try {
        return JSON.stringify(value) ?? String(value);
    } catch {
        return String(value);
    }
}

function resultOf(value) {
    if (value === undefined) return {};
    let text;
    try {
        text = JSON.stringify(value);
    } catch {
        text = undefined;
    }
    return { result: JSON.parse(normal(text ?? JSON.stringify(String(value)))) };
}

const browser = await chromium.launch({
    executablePath: process.env.BACKLOT_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
});

async function run(name) {
    const source = await readFile(join(here, "bodies", name), "utf8");
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(8000);
    page.setDefaultNavigationTimeout(10000);
    await page.goto(`${origin}/${/^\/\/ page: (\S+)/.exec(source)[1]}`);
    const out = [];
    const err = [];
    const write = (lines) => (...args) => void lines.push(args.map(logText).join(" "));
    const fake = { log: write(out), info: write(out), debug: write(out), warn: write(err), error: write(err) };
    let end;
    try {
        const body = new AsyncFunction("page", "context", "browser", "console", source);
        end = resultOf(await body(page, context, browser, fake));
    } catch (error) {
        end = { error: normal(error instanceof Error ? error.message : String(error)) };
    }
    await context.close();
    const stdout = normal(out.join("\n"));
    const stderr = normal(err.join("\n"));
    return { body: name.replace(/\.js$/, ""), ...end, stdout, ...(stderr && { stderr }) };
}

for (const name of (await readdir(join(here, "bodies"))).sort()) {
    if (name.includes(only)) console.log(JSON.stringify(await run(name)));
}
await browser.close();
server.close();
