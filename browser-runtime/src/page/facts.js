// The facts about one element: what a classifier may know, and never what a field holds.

const ROLES = new Set(["button", "link", "textbox", "searchbox", "checkbox", "radio", "combobox", "listbox", "option", "switch", "tab",
  "menuitem", "menuitemcheckbox", "menuitemradio", "slider", "spinbutton", "treeitem", "gridcell", "img", "heading", "listitem"]);
const BUILT_CHOICES = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio", "option", "listbox", "radiogroup", "combobox"]);
const INPUT_ROLES = { button: "button", submit: "button", reset: "button", image: "button", file: "button", checkbox: "checkbox",
  radio: "radio", range: "slider", number: "spinbutton", search: "searchbox", color: "button" };
const TEXT_TYPES = new Set(["text", "url", "number"]);

function roleOf(element) {
  for (const token of lower(element, "role").split(/\s+/u)) if (ROLES.has(token)) return token;
  const tag = tagOf(element);
  if (isLink(element)) return "link";
  if (!isHtml(element)) return "generic";
  if (tag === "input") return INPUT_ROLES[inputType(element)] ?? "textbox";
  if (tag === "button" || tag === "summary") return "button";
  if (tag === "select") return has(element, "multiple") || Number(attr(element, "size")) > 1 ? "listbox" : "combobox";
  if (tag === "textarea" || isEditable(element)) return "textbox";
  if (tag === "img") return "img";
  if (tag === "option") return "option";
  if (/^h[1-6]$/u.test(tag)) return "heading";
  return tag === "li" ? "listitem" : "generic";
}

// Hints by which a field tells that it wants a secret or a detail of identity. The words are those
// of the autofill field names (HTML standard) and of common field names; the strictest hint wins.
const AUTOFILL = [
  ["password", /^(current-password|new-password)$/u],
  ["one_time_code", /^one-time-code$/u],
  ["payment", /^(cc-.*|transaction-.*)$/u],
  ["identity", /^(name|honorific-.*|given-name|additional-name|family-name|nickname|username|organization.*|street-address|address-.*|country.*|postal-code|bday.*|sex|tel.*|email|impp|webauthn|photo)$/u],
];
const WORDS = [
  ["password", /\b(pass ?word|passwd|pass ?phrase|pwd|pin ?code|secret ?key|api ?key|access ?token|seed ?phrase|recovery ?phrase)\b/u],
  ["one_time_code", /\b(otp|totp|one ?time|2fa|mfa|two ?factor|pass ?code|(verification|security|sms|auth|authentication|confirmation|login) ?code)\b/u],
  ["payment", /\b(card ?(number|no|num|holder|code)|cc ?(number|num|name|exp|csc)|credit ?card|debit ?card|cvv2?|cvc2?|csc|iban|bic|swift|sort ?code|routing ?number|account ?number|expiry|expiration ?date|exp ?(date|month|year))\b/u],
  ["identity", /\b(e ?mail|phone|mobile|telephone|first ?name|last ?name|full ?name|given ?name|family ?name|surname|user ?name|login|street|address|post ?code|postal ?code|zip|zip ?code|birth ?(day|date)|date of birth|dob|ssn|social security|passport|tax ?id|national ?id|driver s? ?licen[cs]e)\b/u],
];

// `camelCase`, `snake_case` and punctuation as words.
const asWords = (text) => text.replace(/([a-z0-9])([A-Z])/gu, "$1 $2").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();

function hintedKind(element, texts) {
  const found = new Set();
  for (const token of lower(element, "autocomplete").split(/\s+/u)) {
    for (const [kind, pattern] of AUTOFILL) if (pattern.test(token)) found.add(kind);
  }
  const named = [attr(element, "name"), attr(element, "id"), ...texts].map(asWords);
  for (const [kind, pattern] of WORDS) if (named.some((text) => pattern.test(text))) found.add(kind);
  if (D.style(element).webkitTextSecurity !== "none") found.add("password");
  if (looksLikeCodeBox(element, named)) found.add("one_time_code");
  for (const [kind] of WORDS) if (found.has(kind)) return kind;
  return null;
}

// A short box for digits is a code box when it says "code" or "pin", or holds a single digit.
function looksLikeCodeBox(element, named) {
  const numeric = lower(element, "inputmode") === "numeric" || lower(element, "type") === "number" || /^\^?(\\d|\[0-9\])[*+{\d,}]*\$?$/u.test(attr(element, "pattern"));
  const length = Number(attr(element, "maxlength"));
  if (!numeric || !(length >= 1 && length <= 10)) return false;
  return length === 1 || named.some((text) => /\b(code|pin|digits?)\b/u.test(text));
}

function fieldKind(element, role, texts) {
  const tag = isHtml(element) ? tagOf(element) : "";
  const type = typeOf(element);
  if (type === "password") return "password";
  if (type === "file") return "file";
  if (isCheckInput(element)) return "native_choice";
  if (tag === "select") return autofillKind(element) ?? "select";
  const isBox = tag === "textarea" || (tag === "input" && !isButtonInput(element) && type !== "hidden");
  if (isBox) return hintedKind(element, texts) ?? boxKind(tag, type, role);
  if (isEditable(element)) return hintedKind(element, texts) ?? "editable";
  const roles = lower(element, "role").split(/\s+/u);
  return roles.some((token) => BUILT_CHOICES.has(token)) || BUILT_CHOICES.has(role) || tag === "option" ? "built_choice" : "none";
}

function boxKind(tag, type, role) {
  if (tag === "textarea") return "multiline";
  if (type === "email" || type === "tel") return "identity";
  if (type === "search" || (type === "text" && role === "searchbox")) return "search";
  // Dates, colours and ranges are no text to type: none of the kinds that typing is covered in.
  return TEXT_TYPES.has(type) ? "text" : "none";
}

function autofillKind(element) {
  for (const token of lower(element, "autocomplete").split(/\s+/u)) {
    for (const [kind, pattern] of AUTOFILL) if (pattern.test(token)) return kind;
  }
  return null;
}

// Disabled natively (`:disabled` knows fieldsets), by `aria-disabled`, or inert, own or around it.
function isDisabled(element) {
  if (isHtml(element) && D.matches(element, ":disabled")) return true;
  for (const around of upwards(element)) {
    if (lower(around, "aria-disabled") === "true" || has(around, "inert")) return true;
    if (around !== element && (isTag(around, "button") || isTag(around, "fieldset")) && D.matches(around, ":disabled")) return true;
  }
  return false;
}

function dialogName(element, budget) {
  const dialog = enclosing(element, (around) =>
    isTag(around, "dialog") || /^(dialog|alertdialog)$/u.test(lower(around, "role")) || lower(around, "aria-modal") === "true" || has(around, "popover"));
  if (dialog === null) return null;
  const name = accessibleName(dialog, "dialog", budget);
  return name === "" ? headingInside(dialog, budget) : name;
}

// A dialog without a name is known by its first heading.
function headingInside(dialog, budget) {
  for (const node of downwards(dialog, budget)) {
    if (isElement(node) && (/^h[1-6]$/u.test(tagOf(node)) || lower(node, "role") === "heading")) return renderedText(node, budget);
  }
  return null;
}

const optionText = getter(HTMLOptionElement, "text");
const optionLabel = getter(HTMLOptionElement, "label");
const optionValue = getter(HTMLOptionElement, "value");
const selectOptions = getter(HTMLSelectElement, "options");

// The options of a select, each with every text that names it. One more than the bound is given when
// there are more, so that the rule that refuses them sees it.
function optionsOf(element, limit, state) {
  if (!isTag(element, "select")) return [];
  const options = selectOptions(element);
  const count = collectionLength(options);
  const given = [];
  for (let index = 0; index < Math.min(count, LIMITS.optionsMax + 1); index += 1) {
    const option = collectionItem(options, index);
    const group = enclosing(option, (around) => isTag(around, "optgroup"));
    const shorten = (text) => cut(text.toWellFormed(), limit, state);
    given.push({
      label: shorten(attr(option, "label")),
      value: shorten(optionValue(option)),
      text: shorten(collapse(optionText(option))),
      name: shorten(collapse(attr(option, "aria-label") || optionLabel(option))),
      title: shorten(attr(option, "title")),
      group: shorten(group === null ? "" : attr(group, "label") || legendOf(group)),
    });
  }
  return given;
}

const legendOf = (group) => {
  const legend = childList(group).find((node) => isTag(node, "legend"));
  return legend === undefined ? "" : allText(legend);
};

// All facts of one element, and the text it shows. `limit` is the number of scalar values read of each label source.
function factsOf(element, limit) {
  const budget = newBudget(LIMITS.factNodesMax, LIMITS.readMs);
  const state = { cut: false };
  const role = roleOf(element);
  const name = cut(accessibleName(element, role, budget), limit, state);
  const sources = labelSources(element, role, budget);
  const texts = [name, ...sources.aria_label, ...sources.labelledby, ...sources.label, ...sources.placeholder, ...sources.title];
  const found = targetsOf(element, budget);
  const labels = {};
  for (const [source, all] of Object.entries(sources)) labels[source] = distinct(all, name, limit, state);
  const dialog = dialogName(element, budget);
  const options = optionsOf(element, limit, state);
  const facts = {
    role,
    name,
    labels,
    dialog_name: dialog === null ? null : cut(dialog, limit, state),
    field_kind: fieldKind(element, role, texts),
    options,
    targets: Array.from(found.targets).slice(0, LIMITS.targetsMax),
    in_form: found.inForm,
    download: found.download,
    disabled: isDisabled(element),
    truncated: state.cut || budget.cut,
  };
  return { facts, shown: cut(sources.visible_text[0], limit, state), spent: LIMITS.factNodesMax - budget.left };
}

// Each text once, none that is empty or exactly the name (requirement RUN-6).
function distinct(texts, name, limit, state) {
  const kept = new Set();
  for (const text of texts) {
    const short = cut(text, limit, state);
    if (short !== "" && short !== name) kept.add(short);
  }
  if (kept.size > LIMITS.sourceTextsMax) state.cut = true;
  return Array.from(kept).slice(0, LIMITS.sourceTextsMax);
}
