// What the runtime may call, by name. Answers are JSON texts made here, so no getter of the page can
// take part in writing them.

// Reaches the closed root that a node found below the DOM is, or lies in, and the roots around it.
function adopt(node) {
  for (let root = D.rootNode(node), step = 0; isRoot(root) && step < LIMITS.depthMax; root = D.rootNode(D.host(root)), step += 1) {
    if (D.openRoot(D.host(root)) === null) closedRoots.set(D.host(root), root);
  }
}

const elementCount = uncurry(Document.prototype.getElementsByTagName);
const size = () => ({ elements: collectionLength(elementCount(document, "*")) });

// How deep the element's subtree goes, so that the runtime knows how to look below it.
function depthBelow(which) {
  const { element, refused } = find(which);
  if (refused !== undefined) return { refused };
  let deepest = 0;
  let nodes = 0;
  const stack = [[element, 0]];
  while (stack.length > 0 && nodes < LIMITS.factNodesMax) {
    const [node, depth] = stack.pop();
    nodes += 1;
    deepest = Math.max(deepest, depth);
    if (isElement(node)) for (const child of flatChildren(node)) stack.push([child, depth + 1]);
  }
  return { deepest, nodes };
}

const calls = Object.freeze({ observe, read, aim, confirmPress, focus, confirmKey, prepareText, textKept, choose, print,
  checkedState, scroll, disarm, depthBelow, size, place: () => ({ url: location.href, origin: location.origin, path: location.pathname, title: cut(collapse(documentTitle(document)), LIMITS.observedChars, {}) }) });

Object.defineProperty(globalThis, "hallpass", {
  value: Object.freeze({
    call: (name, argument) => JSON.stringify(calls[name](argument)),
    element: (which) => find(which).element ?? null,
    adopt,
  }),
});
