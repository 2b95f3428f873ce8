// One pass over the page as rendered: what one can act on, in document order, each with its facts,
// and the text between.

const ACTIVE_ROLES = new Set([...ROLES, "menu", "radiogroup", "progressbar"]);
for (const role of ["img", "heading", "listitem", "menu", "radiogroup", "progressbar"]) ACTIVE_ROLES.delete(role);

// The elements of the newest observation, by reference. Nodes, not selectors: nothing is found again.
let observed = { revision: null, elements: new Map() };

const checkedGetter = getter(HTMLInputElement, "checked");
const detailsOpen = getter(HTMLDetailsElement, "open");

function isActionable(element, style, around) {
  const tag = isHtml(element) ? tagOf(element) : "";
  if (isLink(element) || tag === "button" || tag === "select" || tag === "textarea" || tag === "summary") return true;
  if (tag === "input") return inputType(element) !== "hidden";
  if (tag === "label") return labelStandsForControl(element);
  if (isEditable(element) && !isEditable(around)) return true;
  if (lower(element, "role").split(/\s+/u).some((role) => ACTIVE_ROLES.has(role))) return true;
  if (has(element, "tabindex") && Number(attr(element, "tabindex")) >= 0) return true;
  if (has(element, "onclick") || has(element, "popovertarget") || has(element, "commandfor")) return true;
  // A pointer cursor that is not inherited marks what listens without saying so.
  return style.cursor === "pointer" && D.style(around).cursor !== "pointer";
}

// A label is worth a reference of its own when its control cannot be pointed at.
function labelStandsForControl(label) {
  const control = labelControl(label);
  return control !== null && !isRendered(control);
}

const isRendered = (element) => D.visible(element, { visibilityProperty: true }) && D.rects(element).length > 0;

function flushText(pass) {
  const text = collapse(pass.text.join(""));
  pass.text = [];
  if (text === "") return;
  pass.chars += text.length;
  if (pass.texts >= LIMITS.textsMax || pass.chars > LIMITS.textCharsMax) return void pass.omitted.add("text");
  pass.texts += 1;
  pass.entries.push({ ref: null, role: "text", name: text });
}

// What an agent needs to know of the state; never what a field holds.
function stateOf(element) {
  const state = {};
  const tristate = (name, key) => {
    const value = lower(element, name);
    if (value === "mixed") state[key] = value;
    else if (value === "true" || value === "false") state[key] = value === "true";
  };
  for (const key of ["checked", "expanded", "selected", "pressed"]) tristate(`aria-${key}`, key);
  if (isCheckInput(element)) state.checked = checkedGetter(element);
  const details = isTag(element, "summary") ? flatParent(element) : null;
  if (details !== null && isTag(details, "details")) state.expanded = detailsOpen(details);
  return state;
}

function list(element, pass) {
  flushText(pass);
  if (pass.elements.size >= LIMITS.elementsMax) return pass.omitted.add("elements");
  const ref = `${pass.prefix}${pass.elements.size}`;
  const { facts, shown, spent } = factsOf(element, LIMITS.observedChars);
  pass.elements.set(ref, element);
  pass.factNodes += spent;
  const entry = { ref, role: facts.role, name: facts.name, value_kind: facts.field_kind, disabled: facts.disabled, ...stateOf(element) };
  if (shown !== facts.name && shown !== "") entry.visible_text = shown;
  if (facts.options.length > 0) entry.options = facts.options.slice(0, LIMITS.optionsMax).map((option) => option.name || option.text);
  pass.entries.push(entry);
  // Facts that cost too much are left out whole: an absent fact means no coverage.
  if (pass.factNodes > LIMITS.passNodesMax) pass.omitted.add("facts");
  else pass.facts[ref] = facts;
  return facts.truncated;
}

function walk(node, pass, quiet, depth) {
  if (depth > LIMITS.depthMax / 3) return void pass.omitted.add("depth");
  for (const child of flatChildren(node)) {
    pass.budget.left -= 1;
    if (pass.budget.left < 0 || pass.budget.late()) pass.budget.cut = true;
    if (pass.budget.cut) return;
    if (isElement(child)) visit(child, node, pass, quiet, depth);
    else if (!quiet && D.style(node).visibility === "visible") pass.text.push(D.nodeValue(child));
  }
}

function visit(element, around, pass, quiet, depth) {
  const tag = tagOf(element);
  if (SKIPPED.has(tag)) return;
  if (isTag(element, "br")) return void pass.text.push(" ");
  const style = D.style(element);
  if (style.display === "none") {
    if (typeOf(element) === "file") list(element, pass);
    return;
  }
  noteUnreadable(element, tag, pass);
  const block = !isInline(style.display);
  if (block && !quiet) flushText(pass);
  let within = quiet;
  if (isActionable(element, style, around) && (isRendered(element) || typeOf(element) === "file")) {
    const cutShort = list(element, pass);
    within = quiet || !cutShort;
  }
  if (!isOpaque(element)) {
    if (!within) pass.text.push(generatedText(element, "::before"));
    walk(element, pass, within, depth + 1);
    if (!within) pass.text.push(generatedText(element, "::after"));
  }
  if (block && !quiet) flushText(pass);
}

function noteUnreadable(element, tag, pass) {
  if (tag === "iframe" || tag === "frame") pass.omitted.add("frame");
  else if (tag === "canvas") pass.omitted.add("canvas");
  else if (tag === "object" || tag === "embed") pass.omitted.add("embedded");
}

// Observes the page. References start with `prefix`, random per revision, so that no reference of an
// older revision can be mistaken for one of this.
function observe({ revision, prefix }) {
  const pass = {
    prefix, entries: [], facts: {}, elements: new Map(), omitted: new Set(), text: [], texts: 0, chars: 0, factNodes: 0,
    budget: newBudget(LIMITS.nodesMax, LIMITS.passMs),
  };
  const top = D.documentElement(document);
  if (top !== null) walk(top, pass, false, 0);
  flushText(pass);
  if (pass.budget.cut) pass.omitted.add("nodes");
  observed = { revision, elements: pass.elements };
  return {
    observation: {
      revision,
      page: { origin: location.origin, path: location.pathname, title: cut(collapse(documentTitle(document)), LIMITS.observedChars, {}) },
      elements: pass.entries,
      omitted: Array.from(pass.omitted),
    },
    facts: pass.facts,
    url: location.href,
  };
}

const documentTitle = getter(Document, "title");

// The element behind a reference, or why there is none.
function find({ revision, ref }) {
  if (observed.revision === null || observed.revision !== revision) return { refused: "stale_revision" };
  const element = observed.elements.get(ref);
  if (element === undefined || !D.isConnected(element) || D.ownerDocument(element) !== document) return { refused: "stale_element" };
  return { element };
}

// The live facts of one element, and those as an observation would carry them, to compare.
function liveFacts(element) {
  const { facts } = factsOf(element, LIMITS.liveChars);
  const seen = factsOf(element, LIMITS.observedChars).facts;
  return { facts, seen, url: location.href };
}

function read(which) {
  const { element, refused } = find(which);
  return refused === undefined ? liveFacts(element) : { refused };
}
