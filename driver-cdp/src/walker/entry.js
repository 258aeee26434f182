// What the driver calls. Every function takes one value and gives one string.

// Counts changes of every document that can be seen, while a settle waits.
let watch = null;

function watchChanges() {
  if (!watch) {
    watch = { count: 0, observers: [] };
    const roots = [document];
    for (let root; (root = roots.pop()); ) {
      const observer = new MutationObserver(() => watch && watch.count++);
      observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
      watch.observers.push(observer);
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) roots.push(element.shadowRoot);
        else if (element.localName === "iframe" && element.contentDocument) roots.push(element.contentDocument);
      }
    }
  }
  for (const observer of watch.observers) if (observer.takeRecords().length) watch.count++;
  return watch.count;
}

function unwatch() {
  for (const observer of watch?.observers ?? []) observer.disconnect();
  watch = null;
  return null;
}

function about() {
  return {
    visible: document.visibilityState === "visible", title: text(document.title, 4000), url: text(location.href, 4000),
  };
}

// Numbers of what receives pointer events at a point of the top viewport.
function nodeAt({ x, y }) {
  let at = document.elementFromPoint(x, y);
  for (let inner = at; inner?.shadowRoot; ) {
    inner = inner.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === at) break;
    at = inner;
  }
  return at ? { ...seen(document), n: numberOf(at) } : null;
}

// The document as HTML. Its copy stands in a document that is shown nowhere, so that no code of the page runs for it.
function html({ secrets }) {
  secretTokens = new Set(secrets);
  const copy = document.implementation.createHTMLDocument("").importNode(document.documentElement, true);
  const inputs = document.documentElement.querySelectorAll("input");
  copy.querySelectorAll("input").forEach((field, at) => {
    if (inputs[at] && isSecret(inputs[at])) field.removeAttribute("value");
  });
  const doctype = document.doctype ? `${new XMLSerializer().serializeToString(document.doctype)}` : "";
  return text(doctype + copy.outerHTML, 10000000);
}

const functions = {
  capture, probe, hitTest, scroll, click, type, select, arm, armKeys, renew, disarm, focusOn, blurOn, watchChanges, unwatch, about, nodeAt, html,
};
globalThis.__backlot = Object.fromEntries(
  Object.entries(functions).map(([name, run]) => [name, (argument) => JSON.stringify(run(argument))]));
// The one function that gives a thing instead of a string: the driver hands it to a script of the page's own world.
globalThis.__backlot.node = find;
