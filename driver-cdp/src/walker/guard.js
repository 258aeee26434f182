// What must still hold in the task of a write, and the one-shot guard around trusted input.

// The answer that holds a write back, or null.
function guardFails(guard) {
  const node = find(guard.node);
  if (!node || node.nodeType !== 1) return { k: "gone" };
  const chain = chainOf(node.ownerDocument).map(documentNumber);
  if (chain.length !== guard.chain.length || chain.some((doc, at) => doc !== guard.chain[at])) return { k: "gone" };
  if (markOf(node, guard.context) !== guard.mark) return { k: "recycled" };
  if (isDisabled(node) || isInert(node)) return { k: "not_enabled" };
  const { left, top, right, bottom } = node.getBoundingClientRect();
  const { x, y, width, height } = guard.rect;
  const drift = Math.max(
    Math.abs(left - x), Math.abs(top - y), Math.abs(right - x - width), Math.abs(bottom - y - height));
  if (!(drift <= guard.tolerance)) return { k: "moved" };
  if (guard.points.length) {
    const hit = hitAt(node, guard.points);
    if (hit.k !== "target") return { k: "covered", hit };
  }
  return null;
}

// {k: "done"} with what the node holds now; `wanted` is the value asked for, where one was.
function evidence(node, wanted, prevented) {
  const control = node.namespaceURI === HTML ? controlOf(node) : null;
  const answer = { k: "done", value: null, matches: null, selected: [], prevented };
  if (control && control.k === 1) answer.value = text(node.value, LIMITS.text);
  if (wanted !== null && control && control.k !== 0) answer.matches = node.value === wanted;
  if (wanted !== null && !control) answer.matches = node.textContent === wanted;
  if (node.localName === "select" && node.namespaceURI === HTML) {
    answer.selected = Array.from(node.options).flatMap((option, at) => (option.selected ? [at] : []));
  }
  return answer;
}

const POINTER_EVENTS = [
  "pointerover", "mouseover", "pointermove", "mousemove", "pointerdown", "mousedown",
  "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu",
];
let armed = null;

// Answers the sentries (sentry.js) of the target's frames: an event of the sequence that would miss the target reaches no
// listener of the page.
function arm({ guard, secret, ms, button, double }) {
  disarm();
  const failed = guardFails(guard);
  if (failed) return failed;
  const node = find(guard.node);
  const chain = chainOf(node.ownerDocument);
  const owners = chain.map(ownerOf).filter((owner) => owner !== null);
  const record = { pressed: 0, missed: null, last: null };
  // The sequence is over with its last event; what comes then is the page's own affair.
  const lastType = `${secret}-${button === 2 ? "mouseup" : "click"}`;
  let rest = double ? 2 : 1;
  // A driver that went away must not leave a page that takes no clicks.
  const end = performance.now() + ms;
  const check = (question) => {
    if (rest === 0 || performance.now() > end) return;
    const path = question.composedPath();
    const hits = path.includes(node) || path.some((at) => at.localName === "label" && at.control === node);
    // What follows a miss is part of a sequence that is given up.
    if (record.missed === null) {
      if (hits && question.type.endsWith("down")) record.pressed++;
      if (hits && question.type === lastType) rest--;
      // The frames around it are entered on the way.
      if (hits || path.some((at) => owners.includes(at))) return;
      record.missed = coverOf(path[0].nodeType === 1 ? path[0] : path[0].documentElement ?? document.documentElement);
    }
    question.preventDefault();
  };
  // Whether the page cancels it is known once all its listeners have run.
  const keep = (event) => { record.last = event; };
  const views = chain.map((doc) => doc.defaultView);
  const types = POINTER_EVENTS.map((type) => `${secret}-${type}`);
  for (const view of views) {
    for (const type of types) view.addEventListener(type, check, true);
    for (const type of ["click", "contextmenu"]) view.addEventListener(type, keep, true);
  }
  armed = { node, record, views, types, check, keep };
  return { k: "armed" };
}

function disarm() {
  if (!armed) return { k: "gone" };
  const { node, record, views, types, check, keep } = armed;
  armed = null;
  for (const view of views) {
    for (const type of types) view.removeEventListener(type, check, true);
    for (const type of ["click", "contextmenu"]) view.removeEventListener(type, keep, true);
  }
  if (record.missed && record.pressed === 0) return { k: "covered", hit: record.missed };
  // A target that its own press took away has had its click, as far as one can be had.
  if (record.pressed === 0 || record.missed && node.isConnected) return { k: "torn" };
  return evidence(node, null, record.last?.defaultPrevented === true);
}
