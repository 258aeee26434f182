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

