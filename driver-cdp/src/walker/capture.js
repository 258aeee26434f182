// The page as facts. Decides nothing: what a fact means is the driver's and core's affair.

const HTML = "http://www.w3.org/1999/xhtml";
const NAMESPACES = { [HTML]: 0, "http://www.w3.org/2000/svg": 1, "http://www.w3.org/1998/Math/MathML": 2 };
// Subtrees that are never captured.
const SKIPPED = new Set(["head", "script", "style", "template", "link", "meta"]);
// Input types without a live text of their own.
const NO_TEXT = new Set(["checkbox", "radio", "hidden", "submit", "reset", "button", "image"]);
let LIMITS = { text: 0, attribute: 0, depth: 0, frameDepth: 0, matches: 0 };
let keptAttributes = new Set();

function capture(spec) {
  LIMITS = spec.limits;
  keptAttributes = new Set([...spec.attributes, ...spec.more]);
  secretTokens = new Set(spec.secrets);
  sweep();
  const walk = { spec, left: spec.nodes, frames: [] };
  captureFrame(walk, document, null, 0, 0);
  const marked = spec.mark ? find(spec.mark.node) : null;
  const roots = spec.selectors.length ? openRoots(document) : [];
  return {
    frames: walk.frames,
    mark: marked ? markOf(marked, spec.mark.context) : null,
    matches: spec.selectors.map((selector) => matchesOf(selector, roots)),
  };
}

// A document and the shadow trees in it that scripts of ours can see into.
function openRoots(root) {
  const roots = [root];
  for (const at of roots) {
    for (const element of at.querySelectorAll("*")) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
    }
  }
  return roots;
}

// Numbers of the elements that a selector matches; null if it is none.
function matchesOf(selector, roots) {
  const numbers = [];
  try {
    for (const root of roots) {
      for (const element of root.querySelectorAll(selector)) {
        if (numbers.length === LIMITS.matches) return numbers;
        numbers.push(numberOf(element));
      }
    }
  } catch {
    return null;
  }
  return numbers;
}

// `owner` is [frame place, node place] or null; `depth` counts tree levels, `level` frames.
function captureFrame(walk, doc, owner, depth, level) {
  const view = doc.defaultView;
  const frame = {
    ...seen(doc), o: owner, u: text(view.location.href, LIMITS.attribute), t: text(doc.title, LIMITS.attribute),
    w: view.innerWidth, h: view.innerHeight, g: 0, c: 0, a: null, m: [], n: [],
  };
  const place = walk.frames.push(frame) - 1;
  const state = {
    walk, doc, view, frame, place, level,
    focused: focusedIn(doc),
    pseudo: walk.spec.styles && mentionsPseudo(doc),
    // Slots, to be filled once the places of the light nodes are known.
    slots: [],
    places: new Map(),
  };
  walkTree(state, depth);
  for (const [record, nodes] of state.slots) {
    const places = nodes.map((node) => state.places.get(node)).filter((at) => at !== undefined);
    if (places.length) record.l = places;
  }
}

// A frame whose document cannot be had (1: another origin) or is not wanted (2: too deep).
function gapFrame(walk, element, owner, gap) {
  let url = "";
  try {
    if (element.src) url = element.src;
  } catch {
    // An element without a readable source has none to tell.
  }
  walk.frames.push({
    d: documentNumber(element), f: frameNumber(element), o: owner, u: text(url, LIMITS.attribute), t: "",
    w: 0, h: 0, g: gap, c: 0, a: null, m: [], n: [],
  });
}

function focusedIn(doc) {
  let focused = doc.activeElement;
  if (!focused || focused === doc.body || focused === doc.documentElement) return null;
  while (focused.shadowRoot && focused.shadowRoot.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}

function walkTree(state, depth) {
  // Parallel stacks: node, place of its parent (-1 none, -2 not kept), depth, whether it lies in a skipped part.
  const nodes = [], parents = [], depths = [], skips = [];
  const push = (node, parent, level, skipped) => {
    nodes.push(node);
    parents.push(parent);
    depths.push(level);
    skips.push(skipped);
  };
  const pushChildren = (of, parent, level, skipped) => {
    for (let child = of.lastChild; child; child = child.previousSibling) {
      if (isCaptured(child)) push(child, parent, level, skipped || isSkippedChild(of, child));
    }
  };
  for (let root = state.doc.lastChild; root; root = root.previousSibling) {
    if (isCaptured(root)) push(root, -1, depth + 1, false);
  }
  while (nodes.length) {
    const node = nodes.pop(), parent = parents.pop(), level = depths.pop();
    let skipped = skips.pop();
    let place = -2;
    if (parent === -2 || level > LIMITS.depth || state.walk.left === 0) {
      state.frame.c++;
    } else {
      state.walk.left--;
      place = record(state, node, parent, level, skipped);
    }
    if (node.nodeType === 3 || node.nodeType === 4) continue;
    if (node.nodeType === 1) {
      if (isSecretArea(node)) continue;
      skipped ||= isUntilFound(node);
    }
    pushChildren(node, place, level + 1, skipped);
    if (node.shadowRoot) push(node.shadowRoot, place, level + 1, skipped);
  }
}

function isCaptured(node) {
  const type = node.nodeType;
  return type === 3 || type === 4 || type === 1 && !SKIPPED.has(node.localName);
}

function record(state, node, parent, level, skipped) {
  const list = state.frame.n;
  const place = list.length;
  const made = { i: numberOf(node) };
  if (parent >= 0) made.p = parent;
  list.push(made);
  if (node.nodeType === 11) {
    made.h = node.mode === "closed" ? 2 : 1;
    if (state.walk.spec.styles && !state.pseudo) state.pseudo = mentionsPseudo(node);
    return place;
  }
  if (node.parentNode.shadowRoot) state.places.set(node, place);
  if (node.nodeType !== 1) {
    made.x = text(node.data, LIMITS.text);
    return place;
  }
  recordElement(state, node, made, place, level, skipped);
  return place;
}

function recordElement(state, element, made, place, level, skipped) {
  const { walk, view } = state;
  made.t = element.localName;
  const namespace = NAMESPACES[element.namespaceURI] ?? 3;
  if (namespace !== 0) made.s = namespace;
  const control = namespace === 0 ? controlOf(element) : null;
  if (control) made.v = control;
  const attributes = attributesOf(element, control !== null && control.k === 2);
  if (attributes.length) made.a = attributes;
  if (walk.spec.styles) {
    made.y = styleBits(view.getComputedStyle(element), skipped);
    // With scripts on, noscript has a computed display and no box all the same; its text is markup.
    if (namespace === 0 && element.localName === "noscript" && !element.checkVisibility()) made.y &= ~7;
    if (state.pseudo) {
      const before = pseudoText(element, "::before");
      const after = pseudoText(element, "::after");
      if (before) made.b = before;
      if (after) made.e = after;
    }
  }
  const box = walk.spec.boxes ? boxOf(element) : null;
  if (box) made.r = box;
  if (element === state.focused) state.frame.a = place;
  if (namespace !== 0) return;
  if ((made.t === "dialog" || element.popover) && element.matches(":modal")) state.frame.m.push(place);
  if (made.t === "slot" && element.getRootNode().nodeType === 11) {
    state.slots.push([made, element.assignedNodes()]);
  }
  if (made.t === "iframe" || made.t === "frame" || made.t === "object") innerFrame(state, element, made, place, level);
}

function innerFrame(state, element, made, place, level) {
  const inner = element.contentDocument;
  if (!inner && (made.t === "object" || !element.contentWindow)) return;
  made.f = state.walk.frames.length;
  const owner = [state.place, place];
  if (!inner) gapFrame(state.walk, element, owner, 1);
  else if (state.level >= LIMITS.frameDepth) gapFrame(state.walk, element, owner, 2);
  else captureFrame(state.walk, inner, owner, level, state.level + 1);
}

function attributesOf(element, secret) {
  const kept = [];
  for (const { name, value } of element.attributes) {
    if (!keptAttributes.has(name) && !name.startsWith("aria-")) continue;
    // The attribute is the secret's default value.
    if (secret && name === "value") continue;
    kept.push(name.toWellFormed(), text(value, LIMITS.attribute));
  }
  return kept;
}

// {k: 0 no text, 1 text in v, 2 secret and v tells if it is filled; c checked, d indeterminate, o selected}
function controlOf(element) {
  const tag = element.localName;
  if (tag === "option") return element.selected ? { k: 0, o: 1 } : { k: 0 };
  if (tag === "select") return { k: 0 };
  if (tag === "textarea") return fieldOf(element);
  if (tag !== "input") return null;
  const type = element.type;
  if (type === "checkbox" || type === "radio") {
    const control = { k: 0 };
    if (element.checked) control.c = 1;
    if (element.indeterminate) control.d = 1;
    return control;
  }
  return NO_TEXT.has(type) ? { k: 0 } : fieldOf(element);
}

function fieldOf(element) {
  if (isSecret(element)) return { k: 2, v: element.value === "" ? "" : "1" };
  if (element.type === "file") {
    return { k: 1, v: text(Array.from(element.files ?? [], (file) => file.name).join(", "), LIMITS.text) };
  }
  return { k: 1, v: text(element.value, LIMITS.text) };
}

// [x, y, width, height], or null where there is no box.
function boxOf(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  if (width === 0 && height === 0 && element.getClientRects().length === 0) return null;
  return [x, y, width, height];
}
