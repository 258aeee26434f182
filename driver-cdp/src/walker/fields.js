// Text into fields and choices in lists, as DOM events.

// Input types that take no text.
const NOT_TYPED = new Set([...NO_TEXT, "file"]);

function type({ guard, text: wanted, append, slow, submit }) {
  const failed = guardFails(guard);
  if (failed) return failed;
  const node = find(guard.node);
  const isField = node.namespaceURI === HTML
    && (node.localName === "textarea" || node.localName === "input" && !NOT_TYPED.has(node.type));
  if (!isField && !node.isContentEditable || node.readOnly === true) return { k: "unfit" };
  node.focus({ preventScroll: true });
  const goal = isField ? (append ? node.value + wanted : wanted) : (append ? node.textContent + wanted : wanted);
  const typed = isField ? typeField(node, wanted, append, slow) : typeEditable(node, wanted, append);
  if (!typed) return { k: "cancelled" };
  const prevented = submit ? pressEnter(node) : false;
  return evidence(node, goal, prevented);
}

function typeField(node, wanted, append, slow) {
  const view = node.ownerDocument.defaultView;
  if (slow && wanted !== "") {
    let first = !append;
    for (const character of wanted) {
      const key = character === "\n" ? "Enter" : character;
      if (!press(node, "keydown", key)) {
        if (!insert(node, character, first ? "" : node.value, "insertText")) return false;
        first = false;
      }
      press(node, "keyup", key);
    }
  } else if (!insert(node, wanted, append ? node.value : "", append ? "insertText" : "insertReplacementText")) {
    return false;
  }
  node.dispatchEvent(new view.Event("change", { bubbles: true }));
  return true;
}

// One insertion behind `kept`; false if the page cancelled it.
function insert(node, data, kept, inputType) {
  const view = node.ownerDocument.defaultView;
  const facts = { bubbles: true, composed: true, view, data, inputType };
  if (!node.dispatchEvent(new view.InputEvent("beforeinput", { ...facts, cancelable: true }))) return false;
  node.value = kept + data;
  node.dispatchEvent(new view.InputEvent("input", facts));
  return true;
}

// Whether the page cancelled it.
function press(node, type, key) {
  const view = node.ownerDocument.defaultView;
  const code = key === "Enter" ? "Enter" : /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : /^\d$/.test(key) ? `Digit${key}` : "";
  return !node.dispatchEvent(new view.KeyboardEvent(type, { bubbles: true, cancelable: true, composed: true, view, key, code }));
}

function pressEnter(node) {
  const prevented = press(node, "keydown", "Enter");
  press(node, "keyup", "Enter");
  if (!prevented && node.form) node.form.requestSubmit();
  return prevented;
}

// The outermost element that is edited together with this one.
function hostOf(node) {
  let host = node;
  while (host.parentElement && host.parentElement.isContentEditable) host = host.parentElement;
  return host;
}

function typeEditable(node, wanted, append) {
  const doc = node.ownerDocument;
  const selection = doc.defaultView.getSelection();
  selection.selectAllChildren(node);
  if (append) selection.collapseToEnd();
  // The browser tells of its own insertion with `input` alone; editors that keep a model listen for this one.
  const facts = { bubbles: true, composed: true, cancelable: true, view: doc.defaultView };
  const means = wanted === "" ? { inputType: "deleteContentBackward" } : { inputType: "insertText", data: wanted };
  if (!hostOf(node).dispatchEvent(new doc.defaultView.InputEvent("beforeinput", { ...facts, ...means }))) return false;
  const before = node.textContent;
  if (wanted === "") return append || before === "" || doc.execCommand("delete");
  doc.execCommand("insertText", false, wanted);
  return node.textContent !== before || before === wanted;
}

function select({ guard, options }) {
  const failed = guardFails(guard);
  if (failed) return failed;
  const node = find(guard.node);
  if (node.localName !== "select" || node.namespaceURI !== HTML) return { k: "unfit" };
  if (options.some((at) => at >= node.options.length) || !node.multiple && options.length !== 1) return { k: "unfit" };
  const view = node.ownerDocument.defaultView;
  const before = Array.from(node.options, (option) => option.selected).join();
  if (node.multiple) Array.from(node.options).forEach((option, at) => { option.selected = options.includes(at); });
  else node.selectedIndex = options[0];
  if (before !== Array.from(node.options, (option) => option.selected).join()) {
    node.dispatchEvent(new view.Event("input", { bubbles: true, composed: true }));
    node.dispatchEvent(new view.Event("change", { bubbles: true }));
  }
  return evidence(node, null, false);
}
