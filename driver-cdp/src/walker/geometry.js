// One node's state, what lies at a point, scrolling.

function probe({ node: key }) {
  const node = find(key);
  if (!node || node.nodeType !== 1) return null;
  const style = node.ownerDocument.defaultView.getComputedStyle(node);
  const { x, y, width, height } = node.getBoundingClientRect();
  return {
    r: [x, y, width, height],
    y: styleBits(style, false),
    rendered: isRendered(node),
    disabled: isDisabled(node),
    inert: isInert(node),
    readonly: node.readOnly === true || node.getAttribute("aria-readonly") === "true",
    frames: chainOf(node.ownerDocument).map(frameStep),
  };
}

function isRendered(node) {
  for (let at = node; at; at = ownerOf(at.ownerDocument)) {
    if (!isRenderedHere(at)) return false;
  }
  return true;
}

function isRenderedHere(element) {
  let at = element;
  // An element without a box of its own is as rendered as its parent.
  while (at && !at.checkVisibility()) {
    if (at.ownerDocument.defaultView.getComputedStyle(at).display !== "contents") return false;
    at = flatParent(at);
  }
  return at !== null;
}

function isDisabled(element) {
  if (element.matches(":disabled") || element.localName === "option" && element.closest("select:disabled")) return true;
  for (let at = element; at; at = flatParent(at)) {
    if (at.getAttribute("aria-disabled") === "true") return true;
  }
  return false;
}

function isInert(element) {
  for (let at = element; at; at = ownerOf(at.ownerDocument)) {
    const modals = at.ownerDocument.querySelectorAll("dialog:modal");
    const modal = modals[modals.length - 1];
    let inside = !modal;
    for (let up = at; up; up = flatParent(up)) {
      if (up.hasAttribute("inert")) return true;
      // A modal dialog escapes the inertness around it, not its own.
      if (up === modal) {
        inside = true;
        break;
      }
    }
    if (!inside) return true;
  }
  return false;
}

// What says that a node still means the same thing; compared as a whole, never read.
const CONTEXTS = "tr,li,article,option,dialog,[role=row],[role=listitem],[role=article],[role=option],[role=dialog]";

function markOf(element, contextKey) {
  const own = ["type", "role", "aria-label", "aria-labelledby", "alt", "title", "placeholder", "name"]
    .map((name) => element.getAttribute(name));
  let context = contextKey ? find(contextKey) : flatParent(element);
  while (!contextKey && context && !context.matches(CONTEXTS)) context = flatParent(context);
  const facts = [element.localName, own, someText(element, 200), context ? someText(context, 200) : null];
  return JSON.stringify(facts).toWellFormed();
}

// The first characters of an element's text, without reading all of it, and without what a secret field holds.
function someText(element, max) {
  if (isSecretArea(element)) return "";
  const texts = element.ownerDocument.createTreeWalker(
    element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
    (node) => (node.nodeType === 3 ? NodeFilter.FILTER_ACCEPT
      : isSecretArea(node) || SKIPPED.has(node.localName) || node.localName === "noscript" ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP));
  let found = "";
  while (found.length < max && texts.nextNode()) found = collapse(`${found} ${text(texts.currentNode.data, 4 * max)}`);
  return text(found, max);
}

function isSecretArea(element) {
  return element.localName === "textarea" && element.namespaceURI === HTML && isSecret(element);
}

function frameStep(doc) {
  const view = doc.defaultView;
  const step = { ...seen(doc), w: view.innerWidth, h: view.innerHeight };
  const owner = ownerOf(doc);
  if (!owner) return step;
  const style = owner.ownerDocument.defaultView.getComputedStyle(owner);
  const px = (name) => parseFloat(style[name]) || 0;
  const { x, y, width, height } = owner.getBoundingClientRect();
  const across = px("borderLeftWidth") + px("borderRightWidth") + px("paddingLeft") + px("paddingRight");
  const down = px("borderTopWidth") + px("borderBottomWidth") + px("paddingTop") + px("paddingBottom");
  const content = style.boxSizing !== "border-box";
  return {
    ...step,
    r: [x, y, width, height],
    border: [px("borderLeftWidth"), px("borderTopWidth")],
    padding: [px("paddingLeft"), px("paddingTop")],
    layout: [px("width") + (content ? across : 0), px("height") + (content ? down : 0)],
    unsupported: unsupportedTransform(owner),
  };
}

function unsupportedTransform(element) {
  for (let at = element; at; at = flatParent(at)) {
    const style = at.ownerDocument.defaultView.getComputedStyle(at);
    if (style.transform !== "none" && style.transform !== "") {
      const matrix = /^matrix\(([^)]*)\)$/.exec(style.transform)?.[1].split(",").map(Number);
      if (!matrix) return style.transform.startsWith("matrix3d(") ? "non_axis_aligned_transform" : "unparseable_transform";
      if (matrix.some(Number.isNaN)) return "unparseable_transform";
      const [a, b, c, d] = matrix;
      if (b !== 0 || c !== 0 || a <= 0 || d <= 0) return "non_axis_aligned_transform";
    }
    if ((style.rotate || "none") !== "none" || (style.scale || "none") !== "none") return "individual_transform";
    if ((style.zoom || "1") !== "1") return "zoom";
    if ((style.perspective || "none") !== "none") return "perspective";
  }
  return null;
}

function hitTest({ node: key, points }) {
  const node = find(key);
  return node && node.nodeType === 1 ? hitAt(node, points) : { k: "gone" };
}

// In each frame from the top, the frame element on the way must be hit; in the last one the node.
function hitAt(node, points) {
  const chain = chainOf(node.ownerDocument);
  for (let level = 0; level < chain.length; level++) {
    const point = points[level];
    if (!point) return { k: "nothing" };
    const hit = deepestAt(chain[level], point.x, point.y);
    if (!hit) return { k: "nothing" };
    const last = level === chain.length - 1;
    if (last ? receivesFor(hit, node) : hit === ownerOf(chain[level + 1])) continue;
    // What lies behind the target does not cover it: the target itself takes no pointer there.
    return last && isAround(hit, node) ? { k: "nothing" } : coverOf(hit);
  }
  return { k: "target" };
}

function deepestAt(doc, x, y) {
  let hit = doc.elementFromPoint(x, y);
  while (hit && hit.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner.getRootNode() !== hit.shadowRoot) break;
    hit = inner;
  }
  return hit;
}

function receivesFor(hit, node) {
  // What is given to a frame inside goes to the document in it, which is another target.
  if (hit !== node && ["iframe", "frame", "object", "embed"].includes(hit.localName)) return false;
  for (let at = hit; at; at = flatParent(at)) {
    if (at === node || at.localName === "label" && at.control === node) return true;
  }
  return false;
}

function isAround(outer, node) {
  for (let at = flatParent(node); at; at = flatParent(at)) if (at === outer) return true;
  return false;
}

function coverOf(hit) {
  return {
    k: "covered", n: numberOf(hit), ...seen(hit.ownerDocument), tag: hit.localName.toLowerCase(),
    id: text(hit.id ?? "", 100), text: text(someText(hit, 60), 60),
  };
}

function scroll({ node: key, how }) {
  const node = key ? find(key) : null;
  if (key && !node) return null;
  if (how.into) return scrollIntoView(node);
  const scroller = node ? scrollerOf(node) : rootScroller(document);
  const page = scroller.clientHeight;
  const before = scroller.scrollTop;
  const tops = {
    pixels: () => before + how.by, pages: () => before + how.by * page, start: () => 0, end: () => scroller.scrollHeight,
  };
  scroller.scrollTo({ top: tops[how.unit](), behavior: "instant" });
  return scrolled(scroller, scroller.scrollTop - before);
}

function scrolled(scroller, moved) {
  const { scrollTop, clientHeight, scrollHeight } = scroller;
  return { moved, start: scrollTop < 1, end: scrollTop + clientHeight > scrollHeight - 1 };
}

function rootScroller(doc) {
  return doc.scrollingElement ?? doc.documentElement;
}

function scrollerOf(node) {
  const root = rootScroller(node.ownerDocument);
  for (let at = node; at && at !== root; at = flatParent(at)) {
    if (at.nodeType !== 1 || at.scrollHeight <= at.clientHeight) continue;
    const { overflowY } = at.ownerDocument.defaultView.getComputedStyle(at);
    if (overflowY === "auto" || overflowY === "scroll") return at;
  }
  return root;
}

function scrollIntoView(node) {
  const before = topOf(node);
  if (!isWhollyInView(node)) {
    const tall = node.getBoundingClientRect().height > node.ownerDocument.defaultView.innerHeight;
    node.scrollIntoView({ block: tall ? "start" : "center", inline: "nearest", behavior: "instant" });
  }
  return scrolled(scrollerOf(node), before - topOf(node));
}

// Top edge in the top frame's viewport, frames' borders aside.
function topOf(node) {
  let top = 0;
  for (let at = node; at; at = ownerOf(at.ownerDocument)) top += at.getBoundingClientRect().top;
  return top;
}

function isWhollyInView(node) {
  let { left, top, right, bottom } = node.getBoundingClientRect();
  for (let at = node; at; ) {
    const view = at.ownerDocument.defaultView;
    for (let up = flatParent(at); up; up = flatParent(up)) {
      if (up === rootScroller(up.ownerDocument) || up === up.ownerDocument.body) break;
      const { overflowX, overflowY } = view.getComputedStyle(up);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const box = up.getBoundingClientRect();
      if (left < box.left || top < box.top || right > box.right || bottom > box.bottom) return false;
    }
    if (left < 0 || top < 0 || right > view.innerWidth || bottom > view.innerHeight) return false;
    at = ownerOf(at.ownerDocument);
    if (at) {
      const box = at.getBoundingClientRect();
      left += box.left + at.clientLeft;
      right += box.left + at.clientLeft;
      top += box.top + at.clientTop;
      bottom += box.top + at.clientTop;
    }
  }
  return true;
}
