// Pages to names and roles in jsdom and dom-accessibility-api, for side-by-side figures with our own:
//   node benches/jsdom/names.mjs FOLDER_OF_PACKAGES RUNS PAGE...
// One line of JSON for each page: {page, elements, named, ms}; `ms` is the median of the runs, each from HTML.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [folder, runs, ...pages] = process.argv.slice(2);
const load = createRequire(join(folder, "package.json"));
const { JSDOM } = load("jsdom");
const { computeAccessibleName, getRole } = load("dom-accessibility-api");

function once(html) {
  const dom = new JSDOM(html);
  let elements = 0;
  let named = 0;
  for (const element of dom.window.document.querySelectorAll("*")) {
    elements++;
    const role = getRole(element);
    const name = computeAccessibleName(element);
    if (role !== null && name !== "") named++;
  }
  dom.window.close();
  return { elements, named };
}

for (const page of pages) {
  const html = readFileSync(page, "utf8");
  let seen = once(html);
  const times = [];
  for (let run = 0; run < Number(runs); run++) {
    const start = performance.now();
    seen = once(html);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  console.log(JSON.stringify({ page, ...seen, ms: times[Math.floor(times.length / 2)] }));
}
