// Computed style as one number, and the text of ::before and ::after.

// Display words as the driver numbers them: none 0, contents 1, inline 2, inline-block 3, block 4, table-cell 5.
const DISPLAYS = new Map([
  // No computed value: the element is outside the flat tree.
  ["", 0], ["none", 0], ["contents", 1],
  ["inline", 2], ["inline list-item", 2], ["run-in", 2], ["math", 2], ["inline math", 2],
  ["ruby", 2], ["ruby-base", 2], ["ruby-text", 2], ["ruby-base-container", 2], ["ruby-text-container", 2],
  ["inline-block", 3], ["inline-flex", 3], ["inline-grid", 3], ["inline-table", 3], ["inline flow-root", 3],
  ["-webkit-inline-box", 3], ["-webkit-inline-flex", 3], ["inline grid-lanes", 3], ["inline-grid-lanes", 3],
  ["table-cell", 5],
]);
const VISIBILITIES = { visible: 0, hidden: 1, collapse: 2 };
const TRANSFORMS = { uppercase: 1, lowercase: 2, capitalize: 3 };

function displayOf(style) {
  return DISPLAYS.get(style.display) ?? 4;
}

// Bits: display 0-2, visibility 3-4, cursor 5, contents skipped 6, out of flow 7, text transform 8-9.
function styleBits(style, skipped) {
  const position = style.position;
  const out = style.float !== "none" && style.float !== "" || position === "absolute" || position === "fixed";
  return displayOf(style)
    | (VISIBILITIES[style.visibility] ?? 0) << 3
    | (style.cursor === "pointer" ? 32 : 0)
    | (skipped || style.contentVisibility === "hidden" ? 64 : 0)
    | (out ? 128 : 0)
    | (TRANSFORMS[style.textTransform] ?? 0) << 8;
}

// The element opens a part that is skipped while it is closed: its own child is asked about.
function isSkippedChild(parent, child) {
  if (parent.localName !== "details" || parent.hasAttribute("open")) return false;
  if (parent.namespaceURI !== HTML) return false;
  for (let at = parent.firstElementChild; at; at = at.nextElementSibling) {
    if (at.localName === "summary" && at.namespaceURI === HTML) return at !== child;
  }
  return true;
}

function isUntilFound(element) {
  return element.getAttribute("hidden")?.toLowerCase() === "until-found";
}

// Whether a tree scope's sheets may give pseudo-elements content: a sheet says so, or cannot be read.
function mentionsPseudo(scope) {
  const sheets = [...scope.styleSheets, ...(scope.adoptedStyleSheets ?? [])];
  return sheets.some((sheet) => !sheet.disabled && sheetMentionsPseudo(sheet));
}

function sheetMentionsPseudo(sheet) {
  try {
    return rulesMentionPseudo(sheet.cssRules, 0);
  } catch {
    return true;
  }
}

function rulesMentionPseudo(rules, depth) {
  if (depth > 32) return true;
  for (const rule of rules) {
    if (rule.selectorText !== undefined && /before|after/i.test(rule.selectorText)) return true;
    if (rule.styleSheet && sheetMentionsPseudo(rule.styleSheet)) return true;
    if (rule.cssRules && rule.cssRules.length && rulesMentionPseudo(rule.cssRules, depth + 1)) return true;
  }
  return false;
}

// [text, is block] of a pseudo-element; null where there is none, or none with text.
function pseudoText(element, which) {
  const style = element.ownerDocument.defaultView.getComputedStyle(element, which);
  const content = style.content;
  if (content === "none" || content === "normal" || content === "" || style.display === "none") return null;
  const found = contentText(content, element);
  return found === "" ? null : [text(found, LIMITS.text), style.display === "inline" ? 0 : 1];
}

// Strings and attr() of a computed `content`; what stands behind a slash is the alternative text and wins.
function contentText(content, element) {
  let shown = "";
  let alternative = null;
  const token = /"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|(\/)|attr\(\s*([^\s,)]+)[^)]*\)|[\w-]+\([^)]*\)|[^\s"'/]+/g;
  for (const match of content.matchAll(token)) {
    let piece = "";
    if (match[3]) {
      alternative = "";
      continue;
    } else if (match[1] !== undefined || match[2] !== undefined) {
      piece = unescapeCss(match[1] ?? match[2]);
    } else if (match[4]) {
      piece = element.getAttribute(match[4]) ?? "";
    }
    if (alternative === null) shown += piece;
    else alternative += piece;
  }
  return alternative ?? shown;
}

function unescapeCss(value) {
  return value.replace(/\\(?:([0-9a-fA-F]{1,6})\s?|\n|([^]))/g, (_, code, character) => {
    if (code !== undefined) {
      const point = parseInt(code, 16);
      return point === 0 || point > 0x10ffff ? "\uFFFD" : String.fromCodePoint(point);
    }
    return character ?? "";
  });
}
