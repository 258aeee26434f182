// Identity of nodes, documents and frames: numbers that last as long as the thing and are never given again.

const nodeNumbers = new WeakMap();
const nodesByNumber = new Map();
let lastNode = 0;
let sweepAt = 50000;

function numberOf(node) {
  let number = nodeNumbers.get(node);
  if (number === undefined) {
    number = ++lastNode;
    nodeNumbers.set(node, number);
    nodesByNumber.set(number, new WeakRef(node));
  }
  return number;
}

// Forgets the numbers of collected nodes, now and then.
function sweep() {
  if (nodesByNumber.size < sweepAt) return;
  for (const [number, reference] of nodesByNumber) {
    if (reference.deref() === undefined) nodesByNumber.delete(number);
  }
  sweepAt = 2 * Math.max(nodesByNumber.size, 25000);
}

// Documents and, where a document cannot be seen, frame elements stand in one row of numbers.
const documentNumbers = new WeakMap();
let lastDocument = 0;

function documentNumber(documentOrElement) {
  let number = documentNumbers.get(documentOrElement);
  if (number === undefined) {
    number = ++lastDocument;
    documentNumbers.set(documentOrElement, number);
  }
  return number;
}

// The top frame is 0; every other frame is known by its element.
const frameNumbers = new WeakMap();
let lastFrame = 0;

function frameNumber(element) {
  if (element === null) return 0;
  let number = frameNumbers.get(element);
  if (number === undefined) {
    number = ++lastFrame;
    frameNumbers.set(element, number);
  }
  return number;
}

// The frame element around a document; null for the top document and for one that is shown nowhere.
function ownerOf(doc) {
  return doc === document || !doc.defaultView ? null : doc.defaultView.frameElement;
}

// The document is shown: every document on the way to the top is the one its frame shows now.
function isActive(doc) {
  for (let at = doc; at !== document; ) {
    const owner = ownerOf(at);
    if (!owner || !owner.isConnected || owner.contentDocument !== at) return false;
    at = owner.ownerDocument;
  }
  return true;
}

// Documents from the top one down to the given one.
function chainOf(doc) {
  const chain = [doc];
  while (chain[0] !== document) chain.unshift(ownerOf(chain[0]).ownerDocument);
  return chain;
}

// {d, f} for the driver's own key of a document.
function seen(doc) {
  return { d: documentNumber(doc), f: frameNumber(ownerOf(doc)) };
}

// The node that the driver means, if it is still where it was.
function find(key) {
  const node = nodesByNumber.get(key.n)?.deref();
  if (!node || !node.isConnected) return null;
  const doc = node.ownerDocument;
  return documentNumbers.get(doc) === key.d && isActive(doc) ? node : null;
}

// At most `max` code units, never half a character: one lone surrogate would cost the whole answer.
function text(value, max) {
  let kept = value.length > max ? value.slice(0, max) : value;
  if (kept !== value && /[\uD800-\uDBFF]$/.test(kept)) kept = kept.slice(0, -1);
  return kept.toWellFormed();
}

function collapse(value) {
  return value.replace(/\s+/g, " ").trim();
}

// Parent in the flat tree: a slotted node's slot, a shadow root's host.
function flatParent(node) {
  if (node.assignedSlot) return node.assignedSlot;
  const parent = node.parentNode;
  if (parent && parent.nodeType === 11 && parent.host) return parent.host;
  return parent && parent.nodeType === 1 ? parent : null;
}

// Secret fields: by type, by `autocomplete`, or because the node was once seen as a password field.
const oncePassword = new WeakSet();
let secretTokens = new Set();

function isSecret(control) {
  if (control.type === "password") oncePassword.add(control);
  if (oncePassword.has(control)) return true;
  const tokens = control.getAttribute("autocomplete");
  return tokens !== null && tokens.toLowerCase().split(/\s+/).some((token) => secretTokens.has(token));
}
