// The steps of an act that happen in the page: aiming, focusing, preparing text, choosing, scrolling,
// and reading back. None of them clicks, submits or dispatches a key.

const viewWidth = () => window.innerWidth;
const viewHeight = () => window.innerHeight;
const focusHtml = uncurry(HTMLElement.prototype.focus);
const focusSvg = uncurry(SVGElement.prototype.focus);
const inputSelect = uncurry(HTMLInputElement.prototype.select);
const areaSelect = uncurry(HTMLTextAreaElement.prototype.select);
const areaValue = getter(HTMLTextAreaElement, "value");
const areaRange = uncurry(HTMLTextAreaElement.prototype.setSelectionRange);
const readOnly = (element) => has(element, "readonly");
const optionSelected = getter(HTMLOptionElement, "selected");
const optionDisabled = getter(HTMLOptionElement, "disabled");
const setSelected = uncurry(descriptor(HTMLOptionElement, "selected").set);
const selectMultiple = getter(HTMLSelectElement, "multiple");

// The middle of the largest box of the element, in whole CSS pixels inside the viewport.
function middleOf(element) {
  let best = null;
  for (const rect of D.rects(element)) {
    const left = Math.max(rect.left, 0);
    const top = Math.max(rect.top, 0);
    const right = Math.min(rect.right, viewWidth());
    const bottom = Math.min(rect.bottom, viewHeight());
    const area = (right - left) * (bottom - top);
    if (right > left && bottom > top && (best === null || area > best.area)) best = { left, top, right, bottom, area };
  }
  if (best === null) return null;
  const x = Math.min(Math.floor((best.left + best.right) / 2), viewWidth() - 1);
  const y = Math.min(Math.floor((best.top + best.bottom) / 2), viewHeight() - 1);
  return { x, y };
}

const isWhollyShown = (element) => {
  const box = D.box(element);
  return box.top >= 0 && box.left >= 0 && box.bottom <= viewHeight() && box.right <= viewWidth();
};

// Whether a press at the point would reach the element.
function reaches(element, x, y) {
  const hit = deepHit(x, y);
  if (hit === null) return { refused: "outside_view" };
  if (isInside(hit, element) || labelThatForwards(hit) === element) return { x, y };
  return { refused: "covered", cover: roleOf(hit) };
}

function pressPoint(element) {
  const middle = middleOf(element);
  return middle === null ? { refused: "not_visible" } : reaches(element, middle.x, middle.y);
}

// Brings the element into view, finds the point to press and arms the guard.
function aim({ act, ...which }) {
  const { element, refused } = find(which);
  if (refused !== undefined) return { refused };
  if (!isRendered(element)) return { refused: "not_visible" };
  let point = isWhollyShown(element) ? pressPoint(element) : { refused: "not_visible" };
  if (point.refused !== undefined) {
    // Out of the view, or scrolled out of a box of its own that is in view.
    D.intoView(element, { behavior: "instant", block: "center", inline: "center" });
    point = pressPoint(element);
  }
  if (point.refused === undefined) arm({ act, kind: "pointer", element });
  return point;
}

// After the pointer arrived: the guard must have seen it come, still stand, and the point must still
// reach the element. The facts read here are the ones that the guard holds the press to.
function confirmPress({ x, y, ...which }) {
  const { element, refused } = find(which);
  if (refused !== undefined) return { refused };
  if (armed === null || armed.element !== element || !listenersStand()) return { refused: "guard_blind" };
  if (armed.seenAt === null || armed.seenAt.x !== x || armed.seenAt.y !== y) return { refused: "pointer_unseen" };
  const point = reaches(element, x, y);
  if (point.refused !== undefined) return point;
  armed.facts = fingerprint(element);
  return liveFacts(element);
}

// Focuses the element under an armed guard; it must itself hold the focus then.
function focus({ act, ...which }) {
  const { element, refused } = find(which);
  if (refused !== undefined) return { refused };
  if (!isRendered(element)) return { refused: "not_visible" };
  if (!listenersStand()) return { refused: "guard_blind" };
  if (!isWhollyShown(element)) D.intoView(element, { behavior: "instant", block: "center", inline: "center" });
  if (deepActive() !== element) {
    if (element instanceof HTMLElement) focusHtml(element);
    else if (element instanceof SVGElement) focusSvg(element);
  }
  return confirmKey({ act, ...which });
}

// The facts after focusing (focus acts too), with the guard armed on them.
function confirmKey({ act, ...which }) {
  const { element, refused } = find(which);
  if (refused !== undefined) return { refused };
  if (deepActive() !== element || EMBEDDED.has(tagOf(element))) return { refused: "focus_not_held" };
  if (!listenersStand()) return { refused: "guard_blind" };
  arm({ act, kind: "key", element });
  return liveFacts(element);
}

const valueOf = (element) => (isTag(element, "textarea") ? areaValue(element) : inputValue(element));
let expected = null;

// Puts the selection where the text belongs and notes what the field should hold afterwards. The
// value stays here: it never leaves the page.
function prepareText({ text, append, ...which }) {
  const { element, refused } = find(which);
  if (refused !== undefined) return { refused };
  const multiline = isTag(element, "textarea");
  if (!multiline && (!isTag(element, "input") || isButtonInput(element) || isCheckInput(element))) return { refused: "not_typable" };
  if (!multiline && !/^(text|search|url|number|email|tel|password)$/u.test(inputType(element))) return { refused: "not_typable" };
  if (readOnly(element)) return { refused: "read_only" };
  expected = { element, value: append ? valueOf(element) + text : text };
  if (!append) {
    if (multiline) areaSelect(element);
    else inputSelect(element);
    return { caret: "selected", empty: valueOf(element) === "", multiline };
  }
  if (multiline) areaRange(element, valueOf(element).length, valueOf(element).length);
  return { caret: multiline ? "end" : "end_key", empty: valueOf(element) === "", multiline };
}

// Whether the field holds what was typed.
function textKept() {
  const kept = expected !== null && D.isConnected(expected.element) && valueOf(expected.element) === expected.value;
  expected = null;
  return { kept };
}

const labelOfOption = (option) => collapse(optionLabel(option));

// The options that a selection names, the first match of each; or why it names none.
function chosenOptions(element, values, labels) {
  const options = Array.from({ length: collectionLength(selectOptions(element)) }, (_, index) => collectionItem(selectOptions(element), index));
  const wanted = values.length > 0 ? values : labels.map(collapse);
  const textOf = values.length > 0 ? optionValue : labelOfOption;
  const chosen = wanted.map((text) => options.find((option) => textOf(option) === text));
  if (chosen.includes(undefined)) return { refused: "no_such_option" };
  const group = (option) => enclosing(option, (around) => isTag(around, "optgroup"));
  if (chosen.some((option) => optionDisabled(option) || (group(option) !== null && has(group(option), "disabled")))) return { refused: "option_disabled" };
  if (chosen.length > 1 && !selectMultiple(element)) return { refused: "one_option_only" };
  return { chosen, options };
}

// Chooses in one step with the last look: nothing of the page runs between the two.
function choose({ facts, values, labels, ...which }) {
  const { element, refused } = find(which);
  if (refused !== undefined) return { refused };
  if (!isTag(element, "select")) return { refused: "not_a_select" };
  if (fingerprint(element) !== facts) return { refused: "element_changed" };
  const selection = chosenOptions(element, values, labels);
  if (selection.refused !== undefined) return selection;
  const { chosen, options } = selection;
  const isChosen = (option) => chosen.includes(option);
  if (options.every((option) => optionSelected(option) === isChosen(option))) return { kept: true, already: true };
  for (const option of options) if (optionSelected(option) !== isChosen(option)) setSelected(option, isChosen(option));
  dispatchOn(element, new Event("input", { bubbles: true, composed: true }));
  dispatchOn(element, new Event("change", { bubbles: true }));
  return { kept: options.every((option) => optionSelected(option) === isChosen(option)), already: false };
}

function print(which) {
  const { element, refused } = find(which);
  return refused === undefined ? { print: fingerprint(element) } : { refused };
}

// Whether a native check box or radio is set; null for everything else.
function checkedState(which) {
  const { element, refused } = find(which);
  if (refused !== undefined) return { refused };
  return { checked: isCheckInput(element) ? checkedGetter(element) : null, radio: typeOf(element) === "radio" };
}

const scrollsItself = (element) => {
  const style = D.style(element);
  return [style.overflowX, style.overflowY].some((value) => value === "auto" || value === "scroll");
};

// Scrolls the nearest scroll area around the element, or the page.
function scroll({ dx, dy, ...which }) {
  if (which.ref === null) {
    if (observed.revision !== which.revision) return { refused: "stale_revision" };
    window.scrollBy({ left: dx, top: dy, behavior: "instant" });
    return {};
  }
  const { element, refused } = find(which);
  if (refused !== undefined) return { refused };
  const area = enclosing(element, scrollsItself);
  if (area === null) window.scrollBy({ left: dx, top: dy, behavior: "instant" });
  else D.elementScroll(area, { left: dx, top: dy, behavior: "instant" });
  return {};
}
