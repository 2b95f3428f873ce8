// The guard: our listeners stand on the window's capture phase from document start, so they run
// before every listener of the page (and decide inside the event, without awaiting anything).
//
// While an act is armed, a trusted press, key or text event passes only when it is aimed at the
// element that was read, and that element still reads the same. Everything else is stopped with its
// default action. Unarmed, every real press and key is stopped: all input comes from acts, and what
// arrives here unasked was meant for the document before this one. In a frame, where no act is ever
// aimed, every trusted press, key and text event is (requirements RUN-8 and RUN-9).

const PRESSES = new Set(["pointerdown", "pointerup", "mousedown", "mouseup", "click", "dblclick"]);
const KEYS = new Set(["keydown", "keypress", "keyup", "beforeinput", "input", "textInput", "compositionstart", "compositionupdate", "compositionend"]);
const NEVER_OURS = new Set(["auxclick", "contextmenu", "touchstart", "touchmove", "touchend", "touchcancel", "dragstart", "drag",
  "dragenter", "dragover", "dragleave", "drop", "dragend", "paste", "cut", "copy"]);
const MOVES = new Set(["pointermove", "mousemove"]);
// What a page's own script can make trusted (`execCommand`, a label's click passed on) is no input.
const UNASKED = new Set([...PRESSES, "keydown", "keypress", "keyup", "auxclick", "contextmenu"]);
const FACTS_AT = new Set(["pointerdown", "mousedown", "click"]);

const isTop = window.parent === window;
const eventTrusted = (event) => event.isTrusted; // unforgeable: an own property of every event
const composedPath = uncurry(Event.prototype.composedPath);
const preventDefault = uncurry(Event.prototype.preventDefault);
const stopAll = uncurry(Event.prototype.stopImmediatePropagation);
const dispatchOn = uncurry(EventTarget.prototype.dispatchEvent);
const listenOn = uncurry(EventTarget.prototype.addEventListener);
const pointX = getter(MouseEvent, "clientX");
const pointY = getter(MouseEvent, "clientY");
const pointerType = getter(PointerEvent, "pointerType");

let armed = null;
// A name that no page can listen for: hearing our own call on it proves that our listeners stand.
const probeName = `probe-${crypto.randomUUID()}`;
let probeHeard = 0;

// Everything that a permission rested on, as one text to compare.
const fingerprint = (element) => JSON.stringify([location.href, factsOf(element, LIMITS.liveChars).facts]);
// What may not change while text is typed; labels may (a counter of characters left).
const fieldPrint = (element) => {
  const found = targetsOf(element, newBudget(LIMITS.factNodesMax, LIMITS.readMs));
  return JSON.stringify([location.href, fieldKind(element, roleOf(element), []), Array.from(found.targets)]);
};

// The innermost element that the event is aimed at. A closed root hides it from the event's path, so
// there the place (for a key act the focus) tells.
function aimedAt(event) {
  const first = composedPath(event)[0];
  if (!(first instanceof Node)) return null;
  const element = isElement(first) ? first : flatParent(first);
  if (element === null || rootOf(element) === null) return element;
  if (armed.kind === "key" || !(event instanceof MouseEvent)) return deepActive() ?? element;
  return deepHit(pointX(event), pointY(event)) ?? element;
}

// The label around `element`, when nothing in between takes the click for itself.
function labelThatForwards(element) {
  for (const around of upwards(element)) {
    if (isTag(around, "label")) return labelControl(around);
    if (isLink(around) || isTag(around, "button") || isTag(around, "input") || isTag(around, "select") || isTag(around, "textarea") || isTag(around, "summary")) return null;
  }
  return null;
}

const isPressTarget = (target) => isInside(target, armed.element) || labelThatForwards(target) === armed.element;
// The browser itself clicks on: a label's control, and for Enter the form's default button.
const isForwardedClick = (event, target) => event.type === "click" && armed.forwarded.includes(target);

function judge(event) {
  if (armed.stopped !== null || NEVER_OURS.has(event.type)) return "elsewhere";
  const target = aimedAt(event);
  if (target === null) return "elsewhere";
  if (PRESSES.has(event.type)) {
    if (isForwardedClick(event, target)) return "";
    if (armed.kind === "key") return event.type === "click" && target === armed.element ? "" : "elsewhere";
    if (!isPressTarget(target)) return "elsewhere";
    return FACTS_AT.has(event.type) && fingerprint(armed.element) !== armed.facts ? "changed" : "";
  }
  if (armed.kind !== "key") return event.type === "input" ? "" : "elsewhere";
  if (target !== armed.element) return event.type === "keyup" ? "late" : "elsewhere";
  if (event.type !== "keydown" && event.type !== "beforeinput") return "";
  return sameField() ? "" : "changed";
}

function sameField() {
  const same = armed.begun ? fieldPrint(armed.element) === armed.field : fingerprint(armed.element) === armed.facts;
  armed.begun = true;
  return same;
}

function stop(event, why) {
  preventDefault(event);
  stopAll(event);
  // A key released after the focus moved on is kept from the page, but it is no attempt at anything.
  if (why === "late" || armed === null) return;
  armed.stopped ??= { event: event.type, why };
  tell({ stopped: armed.stopped });
}

// Tells the runtime at once: the document may be gone before it can ask.
function tell(message) {
  const binding = globalThis.hallpassTell;
  if (typeof binding === "function") binding(JSON.stringify({ act: armed.act, ...message }));
}

// A click that the browser passes on by itself, from a label or a script, has no pointer.
const isReal = (event) => event.type !== "click" || !(event instanceof PointerEvent) || pointerType(event) !== "";

function onEvent(event) {
  if (event.type === probeName) {
    probeHeard += 1;
    return;
  }
  if (!eventTrusted(event)) return;
  const moves = MOVES.has(event.type);
  if (!isTop) {
    if (!moves) stop(event, "late");
    return;
  }
  if (armed === null) {
    if (UNASKED.has(event.type) && isReal(event)) stop(event, "late");
    return;
  }
  if (moves) {
    armed.seenAt = { x: pointX(event), y: pointY(event) };
    return;
  }
  let why = "changed";
  try {
    why = judge(event);
  } finally {
    if (why !== "") stop(event, why);
  }
  if (why === "" && !armed.passed.includes(event.type)) {
    armed.passed.push(event.type);
    tell({ passed: event.type });
  }
}

for (const type of [...PRESSES, ...KEYS, ...NEVER_OURS, ...MOVES, probeName]) listenOn(window, type, onEvent, { capture: true, passive: false });

// Whether our listeners still stand: `document.open()` takes them away with the page's own.
function listenersStand() {
  const before = probeHeard;
  dispatchOn(window, new Event(probeName));
  return probeHeard === before + 1;
}

function arm({ act, kind, element }) {
  const budget = newBudget(LIMITS.factNodesMax, LIMITS.readMs);
  const forwarded = kind === "pointer" ? forwardedControls(element, budget) : [];
  const form = kind === "key" ? formOwner(element) : null;
  const button = form === null ? null : defaultButton(form);
  if (button !== null) forwarded.push(button);
  armed = { act, kind, element, forwarded, facts: "", field: fieldPrint(element), begun: false, seenAt: null, stopped: null, passed: [] };
  armed.facts = fingerprint(element);
}

// Ends the watch and tells what it saw.
function disarm() {
  const report = armed === null ? { armed: false } : { armed: true, stopped: armed.stopped, passed: armed.passed };
  armed = null;
  return report;
}
