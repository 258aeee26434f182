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
    if (!(pointsDrift(node, guard.points) <= guard.tolerance)) return { k: "moved" };
    const hit = hitAt(node, guard.points);
    if (hit.k !== "target") return { k: "covered", hit };
  }
  return null;
}

// How far the frames around a node have moved since these points were told: each point may meet its frame as before and not be
// the same place any more. CSS pixels.
function pointsDrift(node, points) {
  const chain = chainOf(node.ownerDocument);
  // The hit test has a word for too few points.
  if (points.length !== chain.length) return 0;
  let most = 0;
  for (let level = chain.length - 1; level > 0; level--) {
    const { r, border, padding, layout } = frameStep(chain[level]);
    const x = r[0] + (border[0] + padding[0] + points[level].x) * (r[2] / layout[0]);
    const y = r[1] + (border[1] + padding[1] + points[level].y) * (r[3] / layout[1]);
    most = Math.max(most, Math.abs(x - points[level - 1].x), Math.abs(y - points[level - 1].y));
  }
  return most;
}

// {k: "done"} with what the node holds now; `wanted` is the value asked for, where one was.
function evidence(node, wanted, prevented) {
  const control = node.namespaceURI === HTML ? controlOf(node) : null;
  const answer = { k: "done", value: null, matches: null, selected: [], prevented };
  if (control && control.k === 1) answer.value = text(node.value, LIMITS.text);
  if (wanted !== null && control && control.k !== 0) answer.matches = node.value === wanted;
  if (wanted !== null && !control) answer.matches = squashed(node.textContent) === squashed(wanted);
  if (node.localName === "select" && node.namespaceURI === HTML) {
    answer.selected = Array.from(node.options).flatMap((option, at) => (option.selected ? [at] : []));
  }
  return answer;
}

// Without white space: an editing host turns spaces and line breaks into other things.
function squashed(value) {
  return value.replace(/\s+/g, "");
}

