// Where activating an element could lead: every link and submission that the click, or Enter, could
// start (requirements COV-6 and COV-8). What cannot be read becomes `about:unreadable`.

const anchorHref = getter(HTMLAnchorElement, "href");
const areaHref = getter(HTMLAreaElement, "href");
const formAction = getter(HTMLFormElement, "action");
const formElements = getter(HTMLFormElement, "elements");
const controlFormAction = [HTMLInputElement, HTMLButtonElement].map((type) => [type, getter(type, "formAction")]);
const formOwners = [HTMLInputElement, HTMLButtonElement, HTMLSelectElement, HTMLTextAreaElement, HTMLFieldSetElement, HTMLOutputElement, HTMLObjectElement]
  .map((type) => [type, getter(type, "form")]);
const buttonType = getter(HTMLButtonElement, "type");
const collectionLength = getter(HTMLCollection, "length");
const collectionItem = uncurry(HTMLCollection.prototype.item);
const useHref = getter(SVGUseElement, "href");
const svgLinkHref = getter(SVGAElement, "href");

const EMBEDDED = new Set(["iframe", "frame", "object", "embed", "portal", "fencedframe", "canvas", "map", "foreignobject"]);

const isSubmitControl = (element) =>
  (isTag(element, "button") && buttonType(element) === "submit") || typeOf(element) === "submit" || typeOf(element) === "image";
const isHtmlLink = (element) => (isTag(element, "a") || isTag(element, "area")) && has(element, "href");
const isSvgLink = (element) => isSvg(element) && tagOf(element) === "a";
const isLink = (element) => isHtmlLink(element) || isSvgLink(element);

// The form owner: the platform's answer where there is one, else the `form` attribute of a custom
// element, else the form around it as rendered.
function formOwner(element) {
  for (const [type, form] of formOwners) {
    if (element instanceof type) {
      const owner = form(element);
      if (owner !== null) return owner;
      break;
    }
  }
  if (tagOf(element).includes("-") && has(element, "form")) {
    const named = byId(element, attr(element, "form"));
    if (named !== null && isTag(named, "form")) return named;
  }
  return enclosing(element, (around) => isTag(around, "form"));
}

// The first submit button among the form's controls, in tree order (HTML standard, implicit
// submission). A disabled one is returned too: it blocks the submission, and may be enabled later.
function defaultButton(form) {
  const controls = formElements(form);
  const count = Math.min(collectionLength(controls), LIMITS.factNodesMax);
  for (let index = 0; index < count; index += 1) {
    const control = collectionItem(controls, index);
    if (isSubmitControl(control)) return control;
  }
  // `form.elements` leaves image buttons out, though they submit.
  const budget = newBudget(LIMITS.factNodesMax, LIMITS.readMs);
  for (const node of downwards(form, budget)) if (isElement(node) && typeOf(node) === "image") return node;
  return null;
}

const ownForm = (element) => {
  for (const [type, form] of formOwners) if (element instanceof type) return form(element);
  return null;
};

// An absolute URL, or the mark of one that cannot be used.
function cleanUrl(url) {
  if (typeof url !== "string" || url === "" || url.length > LIMITS.urlBytesMax) return UNREADABLE;
  return url.toWellFormed();
}

function addLink(element, found) {
  if (isHtmlLink(element)) {
    const url = isTag(element, "area") ? areaHref(element) : anchorHref(element);
    found.targets.add(cleanUrl(url));
    if (isTag(element, "area")) found.targets.add(UNREADABLE);
    if (has(element, "download")) found.download = true;
    for (const ping of attr(element, "ping").split(/\s+/u)) if (ping !== "") found.targets.add(resolve(element, ping));
  } else {
    const href = svgLinkHref(element);
    for (const url of [href.baseVal, href.animVal, attr(element, "href"), attr(element, "xlink:href")]) {
      if (url !== "") found.targets.add(resolve(element, url));
    }
    if (has(element, "download")) found.download = true;
  }
}

function resolve(element, url) {
  try {
    return cleanUrl(new URL(url, baseUri(element)).href);
  } catch {
    return UNREADABLE;
  }
}

const baseUri = getter(Node, "baseURI");

// Where the form goes when `submitter` submits it. `method=dialog` stays in the document.
function addSubmission(form, submitter, found) {
  found.inForm = true;
  const method = lower(form, "method");
  const own = submitter !== null && has(submitter, "formaction") ? submitter : null;
  if (own !== null) {
    for (const [type, action] of controlFormAction) if (own instanceof type) found.targets.add(cleanUrl(action(own)));
  }
  if (own === null) {
    found.targets.add(method === "dialog" ? location.href : cleanUrl(formAction(form)));
  }
}

// A `use` whose copy comes from another document, or could hold a link or embedded content.
function useIsUnreadable(element) {
  const href = useHref(element);
  for (const url of [href.baseVal, href.animVal]) {
    if (url === "") continue;
    if (!url.startsWith("#")) return true;
    const copied = byId(element, url.slice(1));
    if (copied === null) continue;
    const budget = newBudget(LIMITS.factNodesMax, LIMITS.readMs);
    for (const node of [copied, ...downwards(copied, budget)]) {
      if (!isElement(node)) continue;
      if (isSvgLink(node) || EMBEDDED.has(tagOf(node)) || tagOf(node) === "use") return true;
    }
    if (budget.cut) return true;
  }
  return false;
}

function addWhatActivates(element, found) {
  if (isLink(element)) addLink(element, found);
  if (EMBEDDED.has(tagOf(element)) || has(element, "usemap")) found.targets.add(UNREADABLE);
  if (isSvg(element) && tagOf(element) === "use" && useIsUnreadable(element)) found.targets.add(UNREADABLE);
  if (isSubmitControl(element)) {
    const form = ownForm(element) ?? formOwner(element);
    if (form !== null) addSubmission(form, element, found);
  }
}

// Every target of the element, whether a form is involved, and whether something downloads.
function targetsOf(element, budget) {
  const found = { targets: new Set(), inForm: false, download: false };
  for (const around of upwards(element)) addWhatActivatesAround(around, element, found);
  addWhatActivates(element, found);
  for (const node of downwards(element, budget)) {
    if (isElement(node)) addWhatActivates(node, found);
    if (found.targets.size > LIMITS.targetsMax) budget.cut = true;
    if (budget.cut) break;
  }
  const controls = forwardedControls(element, budget);
  for (const control of controls) addWhatActivates(control, found);
  for (const owned of [element, ...controls]) {
    const form = formOwner(owned);
    if (form !== null && !isSubmitControl(owned)) addSubmission(form, isNonSubmitButton(owned) ? null : defaultButton(form), found);
  }
  return found;
}

// A button of type `button` or `reset` does not submit; its form's own action still counts, since
// any click on an element in a form does.
const isNonSubmitButton = (element) => isTag(element, "button") || typeOf(element) === "button" || typeOf(element) === "reset";

// Around the element only what takes its activation: a link or a submit control, not an embedded
// document that happens to be an ancestor (an ancestor is never in another document).
function addWhatActivatesAround(around, element, found) {
  if (around === element) return;
  if (isLink(around)) addLink(around, found);
  if (isSubmitControl(around)) addWhatActivates(around, found);
}
