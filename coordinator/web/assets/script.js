// Pages are complete without this script. It opens the meanings of terms in place, adds arrow keys and a reading line to the chart and to strips, and updates the live view.
"use strict";

document.documentElement.classList.add("scripted");

/** Opens the meaning of a term beside it, where the link would lead to the glossary. */
for (const term of document.querySelectorAll("a.term")) {
  const meaning = document.getElementById(`term-${term.hash.slice(1)}`);
  if (!meaning || !meaning.showPopover) continue;
  term.setAttribute("aria-haspopup", "dialog");
  term.addEventListener("click", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    meaning.showPopover();
    const [at, size] = [term.getBoundingClientRect(), meaning.getBoundingClientRect()];
    const left = Math.min(at.left, document.documentElement.clientWidth - size.width - 8);
    const isRoomBelow = at.bottom + size.height + 8 <= document.documentElement.clientHeight;
    meaning.style.left = `${Math.max(8, left)}px`;
    meaning.style.top = `${Math.max(8, isRoomBelow ? at.bottom + 4 : at.top - size.height - 4)}px`;
  });
}

/** Lets arrow keys move within a set of elements, one of them reachable by Tab; calls `read` for the one pointed at. */
function moveByArrows(all, neighbour, read) {
  if (all.length === 0) return;
  let current = all[0];
  const makeCurrent = (one) => {
    current.tabIndex = -1;
    current = one;
    current.tabIndex = 0;
  };
  for (const one of all) one.tabIndex = -1;
  makeCurrent(current);
  for (const one of all) {
    one.addEventListener("focus", () => { makeCurrent(one); read(one); });
    one.addEventListener("mouseenter", () => read(one));
    one.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const next = neighbour(one, event.key);
      if (next === undefined) return;
      event.preventDefault();
      if (next) next.focus();
    });
  }
}

/** Returns the box that an arrow key leads to: `undefined` for other keys, `null` at the rim. */
function inChart(tables) {
  return (box, key) => {
    const cell = box.parentElement;
    const row = cell.parentElement;
    const at = Array.prototype.indexOf.call(row.cells, cell);
    const rowAt = row.sectionRowIndex;
    const table = row.closest("table");
    const beside = tables[tables.indexOf(table) + (key === "ArrowRight" ? 1 : -1)];
    const box_in = (target, index) => (target && target.cells[index] ? target.cells[index].querySelector("a") : null);
    const body = table.tBodies[0];
    switch (key) {
      case "ArrowLeft":
        if (at > 1) return box_in(row, at - 1);
        return beside ? box_in(beside.tBodies[0].rows[rowAt], row.cells.length - 1) : null;
      case "ArrowRight":
        if (at < row.cells.length - 1) return box_in(row, at + 1);
        return beside ? box_in(beside.tBodies[0].rows[rowAt], 1) : null;
      case "ArrowUp": return box_in(body.rows[rowAt - 1], at);
      case "ArrowDown": return box_in(body.rows[rowAt + 1], at);
      case "Home": return box_in(row, 1);
      case "End": return box_in(row, row.cells.length - 1);
      case "PageUp": return box_in(body.rows[Math.max(0, rowAt - 8)], at);
      case "PageDown": return box_in(body.rows[Math.min(body.rows.length - 1, rowAt + 8)], at);
      default: return undefined;
    }
  };
}

function inStrip(all) {
  return (one, key) => {
    const at = all.indexOf(one);
    switch (key) {
      case "ArrowLeft": return all[at - 1] || null;
      case "ArrowRight": return all[at + 1] || null;
      case "ArrowUp":
      case "ArrowDown": {
        // The nearest box of the next line in the current layout.
        const sign = key === "ArrowDown" ? 1 : -1;
        const place = one.getBoundingClientRect();
        let best = null;
        for (let i = at + sign; i >= 0 && i < all.length; i += sign) {
          const other = all[i].getBoundingClientRect();
          if (Math.abs(other.top - place.top) < 4) continue;
          if (best && Math.abs(other.top - best.top) > 4) break;
          const away = Math.abs(other.left - place.left);
          if (!best || away < best.away) best = { box: all[i], top: other.top, away };
        }
        return best ? best.box : null;
      }
      case "Home": return all[0];
      case "End": return all[all.length - 1];
      default: return undefined;
    }
  };
}

const reading = document.getElementById("reading");
const read = (one) => { if (reading) reading.textContent = one.dataset.says; };

/** Copies the title of a box, which only a mouse can show, to the reading line. */
function takeTitles(all) {
  for (const one of all) {
    one.dataset.says = one.title;
    one.removeAttribute("title");
  }
}

const boxes = Array.from(document.querySelectorAll(".boxes tbody a"));
takeTitles(boxes);
moveByArrows(boxes, inChart(Array.from(document.querySelectorAll(".boxes"))), read);

const heaps = Array.from(document.querySelectorAll(".heaps li"));
takeTitles(heaps);
moveByArrows(heaps, inStrip(heaps), read);

const live = document.getElementById("live");
if (live && window.EventSource) {
  const link = document.getElementById("link");
  let failed = 0;
  const connect = () => {
    const events = new EventSource(live.dataset.events);
    events.addEventListener("open", () => { failed = 0; link.textContent = "Connected; what you see is kept up to date."; });
    events.addEventListener("now", (event) => {
      // Keep the focus where it is on a link.
      const at = live.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
      live.innerHTML = event.data;
      if (at) {
        const again = Array.from(live.querySelectorAll("a")).find((one) => one.getAttribute("href") === at);
        if (again) again.focus();
      }
    });
    events.addEventListener("error", () => {
      events.close();
      failed += 1;
      link.textContent = "Not connected; what you see may be old. Trying again.";
      setTimeout(connect, Math.min(30000, 1000 * 2 ** Math.min(failed, 5)));
    });
  };
  connect();
}

/** The board: a move shows which beans it takes before it is made, and the page after it comes without being loaded as a whole. */
function showMove(button) {
  const heap = button.closest(".on-board");
  const beans = Array.from(heap.querySelectorAll("circle"));
  const parts = button.dataset.parts.split(" ").filter(Boolean).map(Number);
  const taken = beans.length - parts.reduce((sum, part) => sum + part, 0);
  if (taken < 0) return;
  // The beans of the first part, then those that are taken, then the other parts.
  const marks = [];
  parts.forEach((part, at) => {
    for (let i = 0; i < part; i += 1) marks.push(at === 0 ? "" : `part-${Math.min(at, 2)}`);
    if (at === 0) for (let i = 0; i < taken; i += 1) marks.push("taken");
  });
  beans.forEach((bean, at) => bean.setAttribute("class", at < marks.length ? marks[at] : "taken"));
}
function hideMove(button) {
  for (const bean of button.closest(".on-board").querySelectorAll("circle")) bean.removeAttribute("class");
}

const board = () => document.getElementById("board");
function attendBoard() {
  if (!board()) return;
  for (const button of board().querySelectorAll(".moves button")) {
    for (const event of ["mouseenter", "focus"]) button.addEventListener(event, () => showMove(button));
    for (const event of ["mouseleave", "blur"]) button.addEventListener(event, () => hideMove(button));
  }
}
attendBoard();

let wishes = 0;
async function goOn(address, isNew) {
  // Of several clicks in a row only the last one counts.
  wishes += 1;
  const wish = wishes;
  let page;
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.statusText);
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    // The page itself says what is wrong.
    window.location.assign(address);
    return;
  }
  if (wish !== wishes) return;
  const [now, old] = [page.getElementById("main"), document.getElementById("main")];
  if (!now || !page.getElementById("board")) {
    window.location.assign(address);
    return;
  }
  old.replaceChildren(...now.childNodes);
  document.title = page.title;
  if (isNew) window.history.pushState({ board: true }, "", address);
  attendBoard();
  const said = document.getElementById("said");
  said.tabIndex = -1;
  said.focus({ preventScroll: true });
  if (said.getBoundingClientRect().top < 0) said.scrollIntoView();
}
if (board()) {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.closest("#main")) return;
    event.preventDefault();
    const asked = new URLSearchParams(new FormData(form, event.submitter));
    goOn(`${form.getAttribute("action")}?${asked}`, true);
  });
  window.addEventListener("popstate", () => goOn(window.location.href, false));
}
