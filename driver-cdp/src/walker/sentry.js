// Stands on the window before any listener of the page. Each frame has a world of its own for it, which shares no script
// object with the walker's; what they share is the tree. So it asks through an event whose type no page can guess: the
// walker listens for it while trusted input is under way, and cancels it if the real event must not reach the page.
(() => {
  const ask = (event) => {
    if (!event.isTrusted) return;
    const at = event.composedPath()[0];
    const question = new CustomEvent("SECRET_TYPE-" + event.type, { bubbles: true, composed: true, cancelable: true });
    if (at.dispatchEvent(question)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  for (const type of [
    "pointerover", "mouseover", "pointermove", "mousemove", "pointerdown", "mousedown",
    "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu", "wheel",
    "keydown", "keypress", "beforeinput", "keyup",
  ]) {
    window.addEventListener(type, ask, { capture: true, passive: false });
  }
})();
