// The label sources of an element, each apart (requirement CLS-1): its own, those of what lies
// inside it, and those of what a click on it would activate or change (requirement CLS-3).

const emptySources = () =>
  ({ aria_label: [], labelledby: [], label: [], title: [], placeholder: [], alt: [], value: [], visible_text: [] });

const COMMANDED = [
  [HTMLButtonElement, "popoverTargetElement"], [HTMLInputElement, "popoverTargetElement"], [HTMLButtonElement, "commandForElement"],
  [HTMLButtonElement, "interestForElement"], [HTMLAnchorElement, "interestForElement"], [HTMLAreaElement, "interestForElement"],
].filter(([type, key]) => descriptor(type, key) !== undefined).map(([type, key]) => [type, getter(type, key)]);

// What the attributes of one element call it.
function addOwnAttributes(element, sources) {
  const add = (list, text) => {
    const short = collapse(text);
    if (short !== "") list.push(short);
  };
  add(sources.aria_label, attr(element, "aria-label"));
  for (const name of ["title", "aria-description", "aria-roledescription", "aria-keyshortcuts", "download"]) add(sources.title, attr(element, name));
  for (const name of ["placeholder", "aria-placeholder"]) add(sources.placeholder, attr(element, name));
  add(sources.alt, attr(element, "alt"));
  add(sources.value, attr(element, "aria-valuetext"));
  if (isButtonInput(element)) {
    add(sources.value, buttonValue(element));
    add(sources.value, attr(element, "value"));
  }
  if (isTag(element, "button")) add(sources.value, attr(element, "value"));
  if (isSvg(element)) addSvgTexts(element, sources);
}

// The title and description of a drawing are not rendered, yet name it.
function addSvgTexts(element, sources) {
  for (const child of childList(element)) {
    if (isElement(child) && /^(title|desc)$/u.test(tagOf(child))) sources.alt.push(allText(child));
  }
}

// Everything by which another control is known, as one more label of this element.
function labelsOfControl(control, budget) {
  const sources = emptySources();
  addOwnAttributes(control, sources);
  return [
    accessibleName(control, roleOf(control), budget), ...sources.aria_label, ...referencedTexts(control, "aria-labelledby", budget),
    ...sources.title, ...sources.placeholder, ...sources.alt, ...sources.value,
    ...labelElementsOf(control).map((label) => renderedText(label, budget)), renderedText(control, budget),
  ];
}

// The name of the group in which a choice is made: "Yes" alone says nothing.
function groupNames(element, role, budget) {
  if (!isCheckInput(element) && !BUILT_CHOICES.has(role)) return [];
  const names = [];
  for (const around of upwards(element)) {
    if (around === element) continue;
    if (isTag(around, "fieldset")) names.push(legendOf(around));
    if (/^(radiogroup|group|listbox|menu)$/u.test(lower(around, "role"))) names.push(accessibleName(around, "group", budget));
  }
  return names;
}

// What a command of the button or link would show, close or tell: named by its name or heading.
function commandedNames(element, budget) {
  const names = [];
  for (const [type, commanded] of COMMANDED) {
    const target = element instanceof type ? commanded(element) : null;
    if (target !== null) names.push(accessibleName(target, "dialog", budget), headingInside(target, budget) ?? "", attr(target, "id"));
  }
  if (has(element, "command")) names.push(attr(element, "command"));
  return names;
}

// Where Enter in a one-line field of a form leads is said by the form's default button.
function implicitSubmissionNames(element, budget) {
  if (!isTag(element, "input") || isButtonInput(element) || isCheckInput(element)) return [];
  const form = ownForm(element);
  const button = form === null ? null : defaultButton(form);
  return button === null ? [] : labelsOfControl(button, budget);
}

function addInside(element, sources, budget) {
  for (const node of downwards(element, budget)) {
    if (!isElement(node) || SKIPPED.has(tagOf(node))) continue;
    addOwnAttributes(node, sources);
    if (has(node, "aria-labelledby")) sources.labelledby.push(...referencedTexts(node, "aria-labelledby", budget));
    if (isCheckInput(node) || labelElementsOf(node).length > 0) sources.label.push(...labelsOfControl(node, budget));
    sources.label.push(...commandedNames(node, budget));
  }
}

function labelSources(element, role, budget) {
  const sources = emptySources();
  addOwnAttributes(element, sources);
  sources.labelledby.push(...referencedTexts(element, "aria-labelledby", budget));
  sources.title.push(...referencedTexts(element, "aria-describedby", budget));
  sources.visible_text.push(renderedText(element, budget));
  sources.label.push(
    ...labelElementsOf(element).flatMap((label) => [renderedText(label, budget), collapse(attr(label, "aria-label")), collapse(attr(label, "title"))]),
    ...groupNames(element, role, budget),
    ...commandedNames(element, budget),
    ...implicitSubmissionNames(element, budget),
  );
  for (const control of forwardedControls(element, budget)) sources.label.push(...labelsOfControl(control, budget));
  if (!isOpaque(element)) addInside(element, sources, budget);
  addActivators(element, sources, budget);
  return sources;
}

// A click inside a link, button, label or summary activates that one: what it is called counts.
function addActivators(element, sources, budget) {
  for (const around of upwards(element)) {
    if (around === element) continue;
    const activates = isLink(around) || isTag(around, "button") || isTag(around, "summary") || isTag(around, "label");
    if (!activates) continue;
    addOwnAttributes(around, sources);
    sources.labelledby.push(...referencedTexts(around, "aria-labelledby", budget));
    sources.visible_text.push(renderedText(around, budget));
    sources.label.push(...commandedNames(around, budget));
  }
}
