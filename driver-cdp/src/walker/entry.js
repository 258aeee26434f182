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

const functions = { capture, probe, hitTest, scroll, click, type, select, arm, disarm, watchChanges, unwatch, about };
globalThis.__backlot = Object.fromEntries(
  Object.entries(functions).map(([name, run]) => [name, (argument) => JSON.stringify(run(argument))]));
