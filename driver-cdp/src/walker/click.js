// A click as DOM events.

function click({ guard, button, double }) {
  const failed = guardFails(guard);
  if (failed) return failed;
  const node = find(guard.node);
  const point = guard.points[guard.points.length - 1]
    ?? { x: guard.rect.x + guard.rect.width / 2, y: guard.rect.y + guard.rect.height / 2 };
  const mouse = mouseOn(node, point, button);
  let prevented = false;
  for (let count = 1; count <= (double ? 2 : 1); count++) prevented = clickOnce(node, mouse, count, button) || prevented;
  if (double && button === 0) mouse("dblclick", 2, 0);
  return evidence(node, null, prevented);
}

// Gives `send(type, detail, buttons)`, which dispatches one event and tells whether it was cancelled.
function mouseOn(node, point, button) {
  const view = node.ownerDocument.defaultView;
  return (type, detail, buttons) => {
    const pointer = type.startsWith("pointer");
    const shared = {
      bubbles: true, cancelable: true, composed: true, view, detail, button, buttons,
      clientX: point.x, clientY: point.y, screenX: view.screenX + point.x, screenY: view.screenY + point.y,
    };
    const isPointer = pointer || type === "click" || type === "contextmenu";
    const event = isPointer
      ? new view.PointerEvent(type, { ...shared, pointerId: 1, pointerType: "mouse", isPrimary: true })
      : new view.MouseEvent(type, shared);
    return !node.dispatchEvent(event);
  };
}

function clickOnce(node, mouse, count, button) {
  const held = button === 2 ? 2 : 1;
  mouse("pointerdown", 0, held);
  if (!mouse("mousedown", count, held)) focusFrom(node);
  const menu = button === 2 ? mouse("contextmenu", 0, held) : false;
  mouse("pointerup", 0, 0);
  mouse("mouseup", count, 0);
  return button === 2 ? menu : mouse("click", count, 0);
}

// What a press does to the focus: the nearest focusable element gets it, or nothing has it.
function focusFrom(node) {
  for (let at = node; at; at = flatParent(at)) {
    if (isFocusable(at)) {
      at.focus({ preventScroll: true });
      return;
    }
  }
  const active = node.ownerDocument.activeElement;
  if (active && active !== node.ownerDocument.body) active.blur();
}

function isFocusable(element) {
  if (element.matches(":disabled") || typeof element.focus !== "function") return false;
  return element.tabIndex >= 0 || /^\s*[+-]?\d/.test(element.getAttribute("tabindex") ?? "");
}
