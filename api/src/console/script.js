// Keeps the page fresh and its buttons safe. The page works without it.
//
// Nothing here moves what stands under the cursor: new cards come last, closed ones keep their
// place and height, and a card that is new or changed cannot be allowed for a short time.
"use strict";

const REFRESH_MILLIS = 2000;
const INERT_MILLIS = 700;
const FETCH_MILLIS_MAX = 10000;

/** What the server sent for an element, without the parts that count down. */
const shapes = new WeakMap();
/** When each button may be used again. */
const timers = new WeakMap();

function shapeOf(element) {
  const copy = element.cloneNode(true);
  for (const live of copy.querySelectorAll("[data-live]")) live.textContent = "";
  return copy.outerHTML;
}

function arm(element) {
  for (const button of element.querySelectorAll("button.approve")) {
    button.disabled = true;
    clearTimeout(timers.get(button));
    timers.set(button, setTimeout(() => { button.disabled = false; }, INERT_MILLIS));
  }
}

function admit(element) {
  shapes.set(element, shapeOf(element));
  arm(element);
  return element;
}

function countDown(element, fresh) {
  for (const live of element.querySelectorAll("[data-live]")) {
    const next = fresh.querySelector(`[data-live="${live.dataset.live}"]`);
    if (next && next.textContent !== live.textContent) live.textContent = next.textContent;
  }
}

function close(element) {
  if (element.classList.contains("nothing")) {
    element.remove();
    return;
  }
  const note = document.createElement("p");
  note.textContent = element.classList.contains("card") ? "This question is closed." : "This permission has ended.";
  element.style.minHeight = `${element.offsetHeight}px`;
  element.replaceChildren(note);
  element.classList.add("closed");
  element.removeAttribute("data-key");
}

function updateKeyed(region, next) {
  const gone = new Map();
  for (const element of region.querySelectorAll(":scope > [data-key]")) gone.set(element.dataset.key, element);
  let added = 0;
  for (const fresh of next.querySelectorAll(":scope > [data-key]")) {
    const old = gone.get(fresh.dataset.key);
    gone.delete(fresh.dataset.key);
    if (!old) {
      region.append(admit(document.adoptNode(fresh)));
      if (fresh.classList.contains("card")) added += 1;
    } else if (shapes.get(old) === shapeOf(fresh)) {
      countDown(old, fresh);
    } else {
      const height = old.offsetHeight;
      old.replaceWith(admit(document.adoptNode(fresh)));
      fresh.style.minHeight = `${height}px`;
    }
  }
  for (const element of gone.values()) close(element);
  return added;
}

function updateWhole(region, next) {
  if (region.innerHTML !== next.innerHTML) region.replaceChildren(...next.childNodes);
}

function say(text) {
  const news = document.getElementById("news");
  if (news && news.textContent !== text) news.textContent = text;
}

async function refresh() {
  const response = await fetch("/console/part", {
    cache: "no-store",
    credentials: "same-origin",
    redirect: "error",
    signal: AbortSignal.timeout(FETCH_MILLIS_MAX),
  });
  if (response.status === 401) {
    location.reload();
    return;
  }
  if (!response.ok) throw new Error(`status ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  let added = 0;
  for (const region of document.querySelectorAll("[data-region]")) {
    const next = page.getElementById(region.id);
    if (!next) continue;
    if (region.dataset.region === "cards" || region.dataset.region === "running") added += updateKeyed(region, next);
    else updateWhole(region, next);
  }
  document.body.classList.remove("stale");
  if (added > 0) say("A new question waits for you.");
}

async function keepFresh() {
  if (!document.hidden) {
    try {
      await refresh();
    } catch {
      document.body.classList.add("stale");
      say("This page is not up to date: Hallpass does not answer.");
    }
  }
  setTimeout(keepFresh, REFRESH_MILLIS);
}

// A double click and a held key count once.
document.addEventListener("submit", (event) => {
  const whole = event.target.closest("[data-key]") ?? event.target;
  if (whole.dataset.sent) event.preventDefault();
  else whole.dataset.sent = "yes";
}, true);
document.addEventListener("keydown", (event) => {
  if (event.repeat && event.target instanceof HTMLButtonElement) event.preventDefault();
}, true);

// A page that comes back from the browser's memory may show what is no longer so.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
// What keeps a place for the cursor can go when nobody looks.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) for (const element of document.querySelectorAll(".closed")) element.remove();
});

if (document.querySelector("[data-region]")) {
  for (const element of document.querySelectorAll("[data-region] > [data-key]")) admit(element);
  setTimeout(keepFresh, REFRESH_MILLIS);
}
