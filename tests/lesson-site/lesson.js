// One unit of the lesson: shows its steps in turn. The line in #task always says the next act, so
// that whoever reads the page, person or program, can go on without guessing.

import { KINDS, make } from "./kinds.js";
import { UNITS } from "./steps.js";

const unit = UNITS[location.pathname.split("/").at(-1)];
const at = (id) => document.getElementById(id);
let index = 0;

function say(line) {
  if (at("task").textContent !== line) at("task").textContent = line;
}

function tell(text, good) {
  at("feedback").textContent = text;
  at("feedback").className = good ? "feedback good" : "feedback";
}

function control(name, tapped) {
  const button = make("button", { type: "button", class: "primary" }, name);
  button.addEventListener("click", tapped);
  at("controls").replaceChildren(button);
}

function finish() {
  at("progress").value = 1;
  at("count").textContent = "Unit done";
  at("step").replaceChildren(make("h2", {}, "¡Bien! This unit is done."));
  tell("", true);
  at("controls").replaceChildren(make("a", { class: "button primary", href: unit.next }, unit.label));
  say(`Tap: ${unit.label}`);
}

function show() {
  window.scrollTo(0, 0);
  const step = unit.steps[index];
  if (step === undefined) return finish();
  at("progress").value = index / unit.steps.length;
  at("count").textContent = `Step ${index + 1} of ${unit.steps.length}`;
  tell("", false);
  let right = false;
  const box = make("div");
  at("step").replaceChildren(make("h2", {}, step.ask), box);
  const { next, finished } = KINDS[step.kind](box, step, () => refresh());
  const pass = () => {
    right = true;
    tell("Right!", true);
    control("Continue", () => {
      index += 1;
      show();
    });
  };
  const refresh = () => {
    const missing = next();
    if (missing === null && finished && !right) pass();
    say(right ? "Tap: Continue" : (missing ?? "Tap: Check"));
  };
  at("controls").replaceChildren();
  if (!finished) {
    control("Check", () => {
      if (next() === null) pass();
      else tell("Not yet. Look again.", false);
      refresh();
    });
  }
  refresh();
}

show();
