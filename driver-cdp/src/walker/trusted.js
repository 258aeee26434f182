// The one-shot guard around trusted input.
//
// It answers the sentries (sentry.js) of the target's frames: an event that would miss the target reaches no listener of the
// page. What may be met differs by the kind of input, so each kind gives a judge: `judge(event)` says "hit", "pass" (on the way,
// or none of ours) or "miss".

const POINTER_EVENTS = [
  "pointerover", "mouseover", "pointermove", "mousemove", "pointerdown", "mousedown",
  "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu", "wheel",
];
const KEY_EVENTS = ["keydown", "keypress", "beforeinput", "keyup"];
let armed = null;

// `docs`: in whose windows the sentries ask. `ms`: a driver that went away must not leave a page that takes no input.
function stand({ node, docs, secret, ms, judge, done }) {
  const views = viewsOf(docs);
  const record = { missed: null, last: null };
  const guard = { node, docs, record, done, end: performance.now() + ms };
  const check = (question) => {
    if (performance.now() > guard.end) return;
    const type = question.type.slice(secret.length + 1);
    if (record.missed === null) {
      if (judge(type, question.composedPath()) !== "miss") return;
      const at = question.composedPath()[0];
      record.missed = coverOf(at.nodeType === 1 ? at : at.documentElement ?? document.documentElement);
    }
    // What follows a miss is part of a sequence that is given up.
    question.preventDefault();
  };
  // Whether the page cancels it is known once all its listeners have run.
  const keep = (event) => { if (event.isTrusted) record.last = event; };
  const types = [...POINTER_EVENTS, ...KEY_EVENTS].map((type) => `${secret}-${type}`);
  const kept = ["click", "contextmenu", "keydown", "wheel"];
  guard.stop = () => {
    for (const view of views) {
      for (const type of types) view.removeEventListener(type, check, true);
      for (const type of kept) view.removeEventListener(type, keep, true);
    }
  };
  for (const view of views) {
    for (const type of types) view.addEventListener(type, check, true);
    for (const type of kept) view.addEventListener(type, keep, true);
  }
  armed = guard;
  return { k: "armed" };
}

// The driver's binding stands in our world alone.
function tellHit() {
  globalThis.__backlotTold?.("hit");
}

function isOn(node, path) {
  return path.includes(node) || path.some((at) => at.localName === "label" && at.control === node);
}

const viewsOf = (chain) => chain.map((doc) => doc.defaultView);
const ownersOf = (chain) => chain.map(ownerOf).filter((owner) => owner !== null);

// Pointer input. `presses`: how many there will be; after as many clicks (or releases of another button) the rest is the page's
// own affair. `drop`: the guard of another node that may be met too, once the button is down.
function arm({ guard, secret, ms, button, presses, drop }) {
  disarm();
  const failed = guardFails(guard) ?? (drop ? guardFails(drop) : null);
  if (failed) return failed;
  const node = find(guard.node);
  const target = drop ? find(drop.node) : null;
  const chain = chainOf(node.ownerDocument);
  const chains = target ? [...new Set([...chain, ...chainOf(target.ownerDocument)])] : chain;
  const owners = ownersOf(chains);
  const lastType = button === 0 ? "click" : "mouseup";
  let pressed = 0;
  let rest = presses;
  const judge = (type, path) => {
    if (presses > 0 && rest === 0) return "pass";
    const hits = isOn(node, path);
    if (hits && type.endsWith("down")) pressed++;
    if (hits && type === lastType && --rest === 0) tellHit();
    // The frames around it are entered on the way.
    if (hits || path.some((at) => owners.includes(at))) return "hit";
    // A press and a release in different elements click what holds both.
    const isShared = /click$/.test(type) && path[0].nodeType === 1 && path[0].contains(node);
    if (presses === 0 && isShared) return "pass";
    if (target && pressed > 0) {
      // A drag passes over whatever lies between; it must end where it was meant to.
      return !/up$|click$/.test(type) || isOn(target, path) || isShared && path[0].contains(target) ? "pass" : "miss";
    }
    return "miss";
  };
  const done = (record) => {
    if (record.missed && pressed === 0) return { k: "covered", hit: record.missed };
    if (presses === 0) return evidence(node, null, record.last?.defaultPrevented === true);
    // A target that its own press took away has had its click, as far as one can be had.
    if (pressed === 0 || record.missed && node.isConnected) return { k: "torn" };
    return evidence(node, null, record.last?.defaultPrevented === true);
  };
  return stand({ node, docs: chains, secret, ms, judge, done });
}

// Keys. The first event must reach the target; where the page itself moves the focus then, the keys follow it as a person's do.
function armKeys({ guard, secret, ms, focus }) {
  disarm();
  const failed = guardFails(guard);
  if (failed) return failed;
  const node = find(guard.node);
  if (focus && !giveFocus(node)) return { k: "unfit" };
  if (!holdsFocus(node)) return { k: "unfit" };
  let met = false;
  const judge = (_, path) => {
    if (!met && !path.includes(node)) return "miss";
    if (!met) tellHit();
    met = true;
    return "hit";
  };
  const done = (record) => {
    if (record.missed) return { k: "covered", hit: record.missed };
    return evidence(node, null, record.last?.defaultPrevented === true);
  };
  return stand({ node, docs: chainOf(node.ownerDocument), secret, ms, judge, done });
}

// The guard of a sequence that goes on: it stands so much longer, if all its documents are still there.
function renew({ ms }) {
  if (!armed || armed.docs.some((doc) => doc.defaultView === null)) return { k: "gone" };
  armed.end = performance.now() + ms;
  return { k: "armed" };
}

function disarm() {
  if (!armed) return { k: "gone" };
  const { record, stop, done } = armed;
  armed = null;
  stop();
  return done(record);
}

function focusOn({ guard }) {
  const failed = guardFails(guard);
  if (failed) return failed;
  const node = find(guard.node);
  return giveFocus(node) ? evidence(node, null, false) : { k: "unfit" };
}

function blurOn({ guard }) {
  const failed = guardFails(guard);
  if (failed) return failed;
  const node = find(guard.node);
  if (typeof node.blur === "function") node.blur();
  return evidence(node, null, false);
}

function giveFocus(node) {
  if (typeof node.focus === "function" && !holdsFocus(node)) node.focus({ preventScroll: true });
  return holdsFocus(node);
}

// The node is what keys go to. Where nothing has the focus that is the body, or the root element where there is none.
function holdsFocus(node) {
  const doc = node.ownerDocument;
  const root = node.getRootNode();
  if ((root.activeElement ?? null) === node) return true;
  const nothing = doc.activeElement === null || doc.activeElement === doc.body || doc.activeElement === doc.documentElement;
  return nothing && (node === doc.body || node === doc.documentElement && !doc.body);
}
