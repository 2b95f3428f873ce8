// What an element is called: each label source apart, and the accessible name.
//
// The walk is deny-biased: text that is present but faint, tiny or off screen is read too, since
// more text can only ask for more approvals (requirement CLS-7).

const SKIPPED = new Set(["script", "style", "template", "noscript", "head", "datalist"]);
// Elements whose content is what a person entered or would choose, never what they are called.
const OPAQUE = new Set(["select", "textarea", "input"]);
const BUTTON_TYPES = new Set(["submit", "button", "reset", "image"]);

const inputType = getter(HTMLInputElement, "type");
const inputValue = getter(HTMLInputElement, "value");
const labelControl = getter(HTMLLabelElement, "control");
const labelsGetters = [HTMLInputElement, HTMLButtonElement, HTMLSelectElement, HTMLTextAreaElement, HTMLMeterElement, HTMLOutputElement, HTMLProgressElement]
  .map((type) => [type, getter(type, "labels")]);
const editableGetter = getter(HTMLElement, "isContentEditable");

const collapse = (text) => text.replace(/\s+/gu, " ").trim().toWellFormed();
const typeOf = (element) => (isTag(element, "input") ? inputType(element) : "");
const isButtonInput = (element) => BUTTON_TYPES.has(typeOf(element));
const isEditable = (element) => isHtml(element) && element instanceof HTMLElement && editableGetter(element);
const isOpaque = (element) => OPAQUE.has(tagOf(element)) || isEditable(element);
const isCheckInput = (element) => typeOf(element) === "checkbox" || typeOf(element) === "radio";

// A text cut to `limit` scalar values; whether it was cut is noted in `state`.
function cut(text, limit, state) {
  if (text.length <= limit) return text;
  const points = [];
  for (const point of text) {
    if (points.length === limit) {
      state.cut = true;
      break;
    }
    points.push(point);
  }
  return points.join("");
}

// The strings of a `content` property; counters and images say nothing that can be read here.
function generatedText(element, pseudo) {
  const content = D.style(element, pseudo).content;
  if (content === "none" || content === "normal" || content === "") return "";
  let text = "";
  for (const [, quoted] of content.matchAll(/"((?:[^"\\]|\\.)*)"/gu)) text += quoted.replace(/\\(.)/gu, "$1");
  for (const [, name] of content.matchAll(/attr\(\s*([\w-]+)/gu)) text += attr(element, name);
  return text;
}

const isInline = (display) => display.startsWith("inline") || display === "contents" || display.startsWith("ruby");

// Appends the rendered text below `node`. With `names`, what replaces text for assistive technology
// (labels, alternative texts) stands in its place.
function appendText(node, shown, out, budget, names, depth) {
  if (depth > LIMITS.depthMax / 3) budget.cut = true;
  if (budget.cut) return;
  for (const child of flatChildren(node)) {
    budget.left -= 1;
    if (budget.left < 0 || budget.late()) {
      budget.cut = true;
      return;
    }
    if (isText(child)) {
      if (shown) out.push(D.nodeValue(child));
    } else if (!SKIPPED.has(tagOf(child))) {
      appendElement(child, out, budget, names, depth);
    }
  }
}

function appendElement(element, out, budget, names, depth) {
  if (isTag(element, "br")) return void out.push(" ");
  const style = D.style(element);
  if (style.display === "none") return;
  const edge = isInline(style.display) ? "" : " ";
  out.push(edge);
  const replacement = names ? replacementText(element) : "";
  if (replacement !== "") {
    out.push(replacement);
  } else if (!isOpaque(element) && !(isSvg(element) && /^(title|desc|metadata)$/u.test(tagOf(element)))) {
    out.push(generatedText(element, "::before"));
    appendText(element, style.visibility === "visible", out, budget, names, depth + 1);
    out.push(generatedText(element, "::after"));
  } else if (isButtonInput(element)) {
    out.push(buttonValue(element));
  }
  out.push(edge);
}

// What stands for an element in the name of another.
function replacementText(element) {
  const label = attr(element, "aria-label").trim();
  if (label !== "") return label;
  if (isTag(element, "img") || isTag(element, "area") || typeOf(element) === "image") return attr(element, "alt");
  if (isSvg(element) && tagOf(element) === "svg") return svgTitle(element);
  return "";
}

function svgTitle(element) {
  for (const child of childList(element)) {
    if (isElement(child) && tagOf(child) === "title") return allText(child);
  }
  return "";
}

// What a button-like input shows; without a value the browser's own word for it.
function buttonValue(element) {
  const type = typeOf(element);
  if (type === "image") return attr(element, "alt") || "Submit";
  const value = inputValue(element);
  if (value !== "" || has(element, "value")) return value;
  return type === "submit" ? "Submit" : type === "reset" ? "Reset" : "";
}

// Text as rendered, over the flat tree.
function renderedText(element, budget, names = false) {
  if (isOpaque(element)) return "";
  const out = [generatedText(element, "::before")];
  appendText(element, D.style(element).visibility === "visible", out, budget, names, 0);
  out.push(generatedText(element, "::after"));
  return collapse(out.join(""));
}

// Every text node below, shown or not: what `aria-labelledby` may point at is often hidden.
function allText(element) {
  const budget = newBudget(LIMITS.factNodesMax, LIMITS.readMs);
  const out = [];
  for (const node of downwards(element, budget)) {
    if (isText(node) && !isOpaque(flatParent(node) ?? element)) out.push(D.nodeValue(node));
  }
  return collapse(out.join(""));
}

// The texts of the elements that an id list names, in the element's own tree. Each contributes what
// it shows, or all it holds when hidden, and its own label.
function referencedTexts(element, name, budget) {
  const texts = [];
  for (const id of attr(element, name).split(/\s+/u).slice(0, LIMITS.sourceTextsMax)) {
    const target = byId(element, id);
    if (target === null) continue;
    texts.push(collapse(attr(target, "aria-label")), renderedText(target, budget, true) || allText(target));
    if (isButtonInput(target)) texts.push(collapse(buttonValue(target)));
  }
  return texts.filter((text) => text !== "");
}

// The `<label>` elements of a control, and for other elements the one around it.
function labelElementsOf(element) {
  for (const [type, labels] of labelsGetters) {
    if (element instanceof type) return Array.from(labels(element) ?? []);
  }
  const found = [];
  const id = attr(element, "id");
  if (id !== "" && tagOf(element).includes("-")) {
    const root = D.rootNode(element);
    const all = isRoot(root) ? D.fragmentQuery(root, "label[for]") : D.documentQuery(document, "label[for]");
    for (const label of all) if (attr(label, "for") === id) found.push(label);
  }
  return found;
}

const enclosing = (element, wanted) => {
  for (const around of upwards(element)) if (wanted(around)) return around;
  return null;
};

// The controls that a click on the element may be forwarded to: by a label around it, by itself, or
// by a label inside it.
function forwardedControls(element, budget) {
  const labels = [enclosing(element, (around) => isTag(around, "label"))];
  for (const node of downwards(element, budget)) if (isTag(node, "label")) labels.push(node);
  const controls = new Set(labels.map((label) => (label === null ? null : labelControl(label))));
  controls.delete(null);
  controls.delete(element);
  return Array.from(controls);
}

const ROLES_NAMED_BY_CONTENT = new Set(["button", "link", "checkbox", "radio", "switch", "option", "tab", "menuitem",
  "menuitemcheckbox", "menuitemradio", "treeitem", "gridcell", "heading", "listitem", "generic"]);

// The accessible name, after the Accessible Name and Description Computation 1.2, shortened to the
// steps that name something one can act on.
function accessibleName(element, role, budget) {
  const referenced = referencedTexts(element, "aria-labelledby", budget);
  if (referenced.length > 0) return collapse(referenced.join(" "));
  const label = collapse(attr(element, "aria-label"));
  if (label !== "") return label;
  const native = nativeName(element, budget);
  if (native !== "") return native;
  if (ROLES_NAMED_BY_CONTENT.has(role) && !isEditable(element)) {
    const content = renderedText(element, budget, true);
    if (content !== "") return content;
  }
  return collapse(attr(element, "title") || attr(element, "placeholder") || attr(element, "aria-placeholder"));
}

function nativeName(element, budget) {
  if (isButtonInput(element)) return collapse(buttonValue(element));
  const labels = labelElementsOf(element).map((label) => renderedText(label, budget, true) || allText(label));
  if (labels.length > 0) return collapse(labels.join(" "));
  if (isTag(element, "img") || isTag(element, "area")) return collapse(attr(element, "alt"));
  if (isSvg(element)) return collapse(svgTitle(element));
  const naming = { fieldset: "legend", table: "caption", figure: "figcaption" }[tagOf(element)];
  if (naming === undefined) return "";
  const child = childList(element).find((node) => isTag(node, naming));
  return child === undefined ? "" : renderedText(child, budget, true);
}
