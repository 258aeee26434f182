// Runs in the page's own world, first of all scripts, in every frame.
(() => {
  const send = globalThis.__backlotEvent;
  if (!send) return;
  const types = [
    "pointerdown", "pointerup", "mousedown", "mouseup", "click", "auxclick", "dblclick", "contextmenu",
    "focus", "blur", "focusin", "focusout", "beforeinput", "input", "change", "keydown", "keyup",
    "submit", "reset", "invalid", "toggle", "wheel", "cancel", "copy", "cut", "paste",
    "dragstart", "dragenter", "dragover", "dragleave", "drop", "dragend",
  ];
  const moves = [
    "pointerover", "pointerout", "pointermove", "mouseover", "mouseout", "mousemove",
  ];
  if (globalThis.__backlotLogsMoves) types.push(...moves);
  const withValue = new Set(["beforeinput", "input", "change"]);
  const name = (at) => {
    if (at === at.window) return "window";
    if (at.nodeType === 9) return "#document";
    if (at.nodeType === 11) return "#shadow";
    const id = at.getAttribute?.("id");
    return String(at.localName).toLowerCase() + (id ? `#${id}` : "");
  };
  const value = (target) => {
    if (target.type === "checkbox" || target.type === "radio") return ` checked=${target.checked}`;
    return typeof target.value === "string" ? ` value=${JSON.stringify(target.value)}` : "";
  };
  // What kind of edit, which key.
  const how = (event) => {
    if (event.type.startsWith("key")) return ` key=${JSON.stringify(event.key)}`;
    if (!event.inputType) return "";
    return ` ${event.inputType}${event.data === null ? "" : ` ${JSON.stringify(event.data)}`}`;
  };
  let last = "";
  const log = (event) => {
    if (event.target === window) return;
    const path = event.composedPath();
    const line = `${event.type} ${event.isTrusted ? 1 : 0} ${path.map(name).join("<")}`;
    const whole = line + (withValue.has(event.type) ? value(path[0]) : "") + how(event);
    // It comes as often as time allows.
    const again = event.type === "dragover" && whole === last;
    last = whole;
    if (!again) send(whole);
  };
  for (const type of types) window.addEventListener(type, log, true);
})();
