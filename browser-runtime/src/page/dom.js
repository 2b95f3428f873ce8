// Access to the document that a page cannot steer.
//
// Prototypes are our own in an isolated world, but named form controls and named images shadow the
// members of `form` and `document` in every world ("DOM clobbering", HTML standard, named
// properties). So members are taken from the prototypes once and called on the node.

const LIMITS = Object.freeze({
  nodesMax: 50_000, // nodes one walk visits: three times the largest honest pages seen
  factNodesMax: 4_000, // nodes below one element that its facts look at
  passNodesMax: 250_000, // fact visits in one observation: keeps nested widgets from going quadratic
  depthMax: 1_500, // steps up or down; the parser itself stops at 512
  elementsMax: 2_000, // elements listed in one observation
  textsMax: 2_000, // readable texts listed in one observation
  textCharsMax: 200_000, // characters of readable text in one observation
  observedChars: 256, // of one label source in the facts (ADR-0129, decision 6)
  liveChars: 1_024, // of one label source on the live page (ADR-0129, decision 7)
  sourceTextsMax: 64, // texts of one label source
  optionsMax: 4_096, // options of a select
  targetsMax: 256, // links and submissions of one element
  urlBytesMax: 8_192, // of one target
  passMs: 1_500, // of one observation
  readMs: 300, // of one element's facts
});

const UNREADABLE = "about:unreadable";

// Turns a method into a function of its receiver.
const uncurry = (method) => Function.prototype.call.bind(method);
const descriptor = (type, key) => Object.getOwnPropertyDescriptor(type.prototype, key);
const getter = (type, key) => uncurry(descriptor(type, key).get);

const D = Object.freeze({
  nodeType: getter(Node, "nodeType"),
  parentNode: getter(Node, "parentNode"),
  firstChild: getter(Node, "firstChild"),
  nextSibling: getter(Node, "nextSibling"),
  nodeValue: getter(Node, "nodeValue"),
  isConnected: getter(Node, "isConnected"),
  ownerDocument: getter(Node, "ownerDocument"),
  rootNode: uncurry(Node.prototype.getRootNode),
  localName: getter(Element, "localName"),
  namespace: getter(Element, "namespaceURI"),
  openRoot: getter(Element, "shadowRoot"),
  assignedSlot: getter(Element, "assignedSlot"),
  textAssignedSlot: getter(Text, "assignedSlot"),
  attribute: uncurry(Element.prototype.getAttribute),
  hasAttribute: uncurry(Element.prototype.hasAttribute),
  matches: uncurry(Element.prototype.matches),
  rects: uncurry(Element.prototype.getClientRects),
  box: uncurry(Element.prototype.getBoundingClientRect),
  visible: uncurry(Element.prototype.checkVisibility),
  intoView: uncurry(Element.prototype.scrollIntoView),
  elementScroll: uncurry(Element.prototype.scrollBy),
  assigned: uncurry(HTMLSlotElement.prototype.assignedNodes),
  documentById: uncurry(Document.prototype.getElementById),
  fragmentById: uncurry(DocumentFragment.prototype.getElementById),
  documentHit: uncurry(Document.prototype.elementFromPoint),
  rootHit: uncurry(ShadowRoot.prototype.elementFromPoint),
  documentActive: getter(Document, "activeElement"),
  rootActive: getter(ShadowRoot, "activeElement"),
  documentElement: getter(Document, "documentElement"),
  documentQuery: uncurry(Document.prototype.querySelectorAll),
  fragmentQuery: uncurry(DocumentFragment.prototype.querySelectorAll),
  host: getter(ShadowRoot, "host"),
  style: window.getComputedStyle.bind(window),
});

const isElement = (node) => node !== null && D.nodeType(node) === 1;
const isText = (node) => node !== null && (D.nodeType(node) === 3 || D.nodeType(node) === 4);
const isRoot = (node) => node !== null && D.nodeType(node) === 11 && node instanceof ShadowRoot;
const isHtml = (node) => D.namespace(node) === "http://www.w3.org/1999/xhtml";
const isSvg = (node) => D.namespace(node) === "http://www.w3.org/2000/svg";
const tagOf = (node) => D.localName(node).toLowerCase();
const isTag = (node, tag) => isElement(node) && isHtml(node) && D.localName(node) === tag;
const attr = (node, name) => D.attribute(node, name) ?? "";
const has = (node, name) => D.hasAttribute(node, name);
const lower = (node, name) => attr(node, name).trim().toLowerCase();
// A closed root shows in no property, so the runtime finds it below the DOM and hands it over.
const closedRoots = new WeakMap();
const rootOf = (element) => D.openRoot(element) ?? closedRoots.get(element) ?? null;

// Children as rendered: a host shows its root, a slot shows what is assigned to it.
function flatChildren(node) {
  if (isElement(node)) {
    const root = rootOf(node);
    if (root !== null) return childList(root);
    if (isTag(node, "slot")) {
      const assigned = D.assigned(node);
      if (assigned.length > 0) return assigned;
    }
  }
  return childList(node);
}

function childList(node) {
  const children = [];
  for (let child = D.firstChild(node); child !== null; child = D.nextSibling(child)) {
    if (isElement(child) || isText(child)) children.push(child);
    if (children.length > LIMITS.nodesMax) break;
  }
  return children;
}

// The slot of a child of a closed host: `assignedSlot` does not tell it.
function closedSlotOf(node, root) {
  for (const slot of D.fragmentQuery(root, "slot")) {
    if (D.assigned(slot).includes(node)) return slot;
  }
  return null;
}

// The parent as rendered, or null at the top.
function flatParent(node) {
  const slot = isElement(node) ? D.assignedSlot(node) : isText(node) ? D.textAssignedSlot(node) : null;
  if (slot !== null) return slot;
  const parent = D.parentNode(node);
  if (parent === null) return null;
  if (isRoot(parent)) return D.host(parent);
  if (!isElement(parent)) return null;
  const closed = closedRoots.get(parent);
  return closed === undefined ? parent : closedSlotOf(node, closed) ?? parent;
}

// The element itself and everything around it, innermost first.
function* upwards(element) {
  let node = element;
  for (let step = 0; node !== null && step < LIMITS.depthMax; step += 1) {
    if (isElement(node)) yield node;
    node = flatParent(node);
  }
}

const isInside = (node, container) => {
  for (const around of upwards(isElement(node) ? node : flatParent(node))) {
    if (around === container) return true;
  }
  return false;
};

// Everything below an element in rendered order. `budget.left` counts down and `budget.cut` tells
// that something was left out.
function* downwards(element, budget) {
  const stack = [flatChildren(element).reverse()];
  while (stack.length > 0) {
    const level = stack.at(-1);
    const node = level.pop();
    if (node === undefined) {
      stack.pop();
      continue;
    }
    budget.left -= 1;
    if (budget.left < 0 || stack.length > LIMITS.depthMax || budget.late()) {
      budget.cut = true;
      return;
    }
    yield node;
    if (isElement(node)) stack.push(flatChildren(node).reverse());
  }
}

// A budget of nodes and milliseconds; the clock is asked every 64 nodes only.
function newBudget(nodes, ms) {
  const end = performance.now() + ms;
  let asked = 0;
  return {
    left: nodes,
    cut: false,
    late() {
      asked += 1;
      return asked % 64 === 0 && performance.now() > end;
    },
  };
}

function byId(element, id) {
  if (id === "") return null;
  const root = D.rootNode(element);
  if (isRoot(root)) return D.fragmentById(root, id);
  return root === document ? D.documentById(document, id) : null;
}

// The topmost element at a point, looking into every root that we can see.
function deepHit(x, y) {
  let hit = D.documentHit(document, x, y);
  for (let depth = 0; hit !== null && depth < LIMITS.depthMax; depth += 1) {
    const root = rootOf(hit);
    if (root === null) return hit;
    const inner = D.rootHit(root, x, y);
    if (inner === null || D.rootNode(inner) !== root) return hit;
    hit = inner;
  }
  return hit;
}

// The element that the keyboard would reach, looking into every root that we can see.
function deepActive() {
  let active = D.documentActive(document);
  for (let depth = 0; active !== null && depth < LIMITS.depthMax; depth += 1) {
    const root = rootOf(active);
    const inner = root === null ? null : D.rootActive(root);
    if (inner === null) return active;
    active = inner;
  }
  return active;
}
