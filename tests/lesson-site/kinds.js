// The kinds of steps. Each puts its widgets into `box`, calls `changed` after every input, and gives
// `next()`: the one act that is still missing, as a line of text, or null when the answer is right.
//
// Lines: "Tap: NAME", "Type: TEXT", "Choose: OPTION", "Tick: NAME", "Untick: NAME", "Pick: NAME",
// "Press: KEY on NAME", "Scroll: down", "Scroll: down on NAME".

export function make(tag, fields = {}, text = "") {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(fields)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

// Buttons in a row that tell which of them are on.
function buttons(box, names, tapped) {
  const row = box.appendChild(make("div", { class: "tiles" }));
  return names.map((name) => {
    const button = row.appendChild(make("button", { type: "button", "aria-pressed": "false" }, name));
    button.addEventListener("click", () => tapped(name, button));
    return button;
  });
}

const press = (button, on) => button.setAttribute("aria-pressed", String(on));

function tiles(box, { options, answer }, changed) {
  let chosen = null;
  const all = buttons(box, options, (name) => {
    chosen = name;
    for (const [index, button] of all.entries()) press(button, options[index] === name);
    changed();
  });
  return { next: () => (chosen === answer ? null : `Tap: ${answer}`) };
}

function choose(box, { field, options, answer }, changed) {
  const label = box.appendChild(make("label", {}, `${field} `));
  const select = label.appendChild(make("select", { "aria-label": field }));
  for (const option of ["—", ...options]) select.append(make("option", {}, option));
  select.addEventListener("change", changed);
  return { next: () => (select.value === answer ? null : `Choose: ${answer}`) };
}

// Native check boxes or radios, each inside its label.
function choices(box, type, names, changed) {
  return names.map((name) => {
    const label = box.appendChild(make("label", { class: "choice" }));
    const input = label.appendChild(make("input", { type, name: "choice" }));
    label.append(` ${name}`);
    input.addEventListener("change", changed);
    return { name, input };
  });
}

function tick(box, { options, answers }, changed) {
  const all = choices(box, "checkbox", options, changed);
  return {
    next() {
      const wrong = all.find(({ name, input }) => input.checked !== answers.includes(name));
      if (wrong === undefined) return null;
      return `${wrong.input.checked ? "Untick" : "Tick"}: ${wrong.name}`;
    },
  };
}

function pick(box, { options, answer }, changed) {
  const all = choices(box, "radio", options, changed);
  return { next: () => (all.find(({ name }) => name === answer).input.checked ? null : `Pick: ${answer}`) };
}

const plain = (text) => text.trim().toLowerCase().replace(/[.!¡?¿]/gu, "");

// A field that is right once it holds the answer; with `enter`, Enter must follow.
function field(box, element, { field: name, answer }, changed, enter) {
  const label = box.appendChild(make("label", {}, `${name} `));
  label.append(element);
  element.setAttribute("autocomplete", "off");
  element.setAttribute("spellcheck", "false");
  let entered = !enter;
  element.addEventListener("input", changed);
  element.addEventListener("keydown", (event) => {
    if (!enter || event.key !== "Enter") return;
    entered = plain(element.value) === plain(answer);
    changed();
  });
  return {
    next() {
      if (plain(element.value) !== plain(answer)) return `Type: ${answer}`;
      return entered ? null : `Press: Enter on ${name}`;
    },
    finished: enter,
  };
}

const write = (box, step, changed) => field(box, make("input", { type: "text" }), step, changed, true);
const find = (box, step, changed) => field(box, make("input", { type: "search" }), step, changed, true);
const compose = (box, step, changed) => field(box, make("textarea", { rows: "3" }), step, changed, false);

function pairs(box, { pairs: all }, changed) {
  const partner = new Map(all.flatMap(([left, right]) => [[left, right], [right, left]]));
  const matched = new Set();
  let open = null;
  const names = [...all.map(([left]) => left), ...all.map(([, right]) => right).toReversed()];
  const made = buttons(box, names, (name) => {
    if (open !== null && partner.get(open) === name) matched.add(name).add(open);
    open = matched.has(name) || open === name ? null : name;
    for (const [index, button] of made.entries()) press(button, matched.has(names[index]) || names[index] === open);
    changed();
  });
  return {
    next() {
      if (open !== null) return `Tap: ${partner.get(open)}`;
      const left = all.find(([name]) => !matched.has(name));
      return left === undefined ? null : `Tap: ${left[0]}`;
    },
    finished: true,
  };
}

function order(box, { words, answer }, changed) {
  let said = [];
  const line = box.appendChild(make("p", { class: "card" }, "…"));
  const made = buttons(box, words, (name) => {
    // A wrong word starts the sentence again.
    said = answer[said.length] === name ? [...said, name] : [];
    line.textContent = said.join(" ") || "…";
    for (const [index, button] of made.entries()) press(button, said.includes(words[index]));
    changed();
  });
  return { next: () => (said.length === answer.length ? null : `Tap: ${answer[said.length]}`) };
}

function cards(box, { field: name, words }, changed) {
  const card = box.appendChild(make("div", { class: "card", tabindex: "0", role: "group", "aria-label": name }, words[0]));
  let at = 0;
  card.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
    at = Math.min(Math.max(at + by, 0), words.length - 1);
    card.textContent = words[at];
    changed();
  });
  return { next: () => (at === words.length - 1 ? null : `Press: ArrowRight on ${name}`), finished: true };
}

function passage(box, { lines }, changed) {
  const story = box.appendChild(make("div", { class: "passage", lang: "es" }));
  for (const line of lines) story.append(make("p", {}, line));
  let read = false;
  const look = () => {
    const end = window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 4;
    if (!end || read) return;
    read = true;
    changed();
  };
  window.addEventListener("scroll", look, { passive: true });
  return { next: () => (read ? null : "Scroll: down"), finished: true };
}

function wordlist(box, { field: name, words }, changed) {
  const list = box.appendChild(make("div", { class: "wordlist", tabindex: "0", role: "group", "aria-label": name }));
  for (const word of words) list.append(make("p", {}, word));
  let read = false;
  list.addEventListener("scroll", () => {
    read = read || list.scrollTop + list.clientHeight >= list.scrollHeight - 4;
    changed();
  });
  return { next: () => (read ? null : `Scroll: down on ${name}`), finished: true };
}

function hints(box, { field: name }, changed) {
  const [{ input }] = choices(box, "checkbox", [name], changed);
  input.checked = true;
  return { next: () => (input.checked ? `Untick: ${name}` : null), finished: true };
}

export const KINDS = { tiles, choose, tick, pick, write, find, compose, pairs, order, cards, passage, wordlist, hints };
