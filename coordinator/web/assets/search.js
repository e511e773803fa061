// The search of pages that are files. `census` comes from the index: the games, the classes, and every word that is understood.
"use strict";

const [CODES, STATUS, TAME, SAYS, CLASS, NUMBERS, PARTIAL, SEQUENCES] = [0, 1, 2, 3, 4, 5, 6, 7];
const MIN_ENTRIES = 4;
const IS_PRESENTATION = /[⟨<|\\]/;
const COLUMNS = [["order", "order"], ["|P|", "p-size"], ["period", "period"], ["preperiod", "preperiod"], ["heaps", "heaps"]];
const SHOWN = 500;

const fieldAt = new Map(census.fields.map((field, at) => [field.name, at]));
const fieldOf = (word) => census.fields.find((field) => field.words.includes(word));
const codeOf = (one) => (Array.isArray(one) ? one[0] : one);
const fileOf = (one) => `game/${encodeURIComponent(Array.isArray(one) ? one[1] : one)}.html`;
const letters = (text) => text.toLowerCase().replace(/[^\p{L}]/gu, "");
const plainName = (text) => text.toLowerCase().replace(/[_\s]/g, "").replace("′", "'");

const games = new Map();
for (const game of census.games) for (const one of game[CODES]) games.set(codeOf(one), one);

/** Parses a range such as 6..20, 6.., ..20, 6, >5; returns null for other texts. */
function span(text) {
  const plain = text.trim().replace("≤", "<=").replace("≥", ">=").replace(/\s*to\s*/, "..").replace(/\s/g, "");
  let found;
  if ((found = plain.match(/^>=(\d+)$/))) return [Number(found[1]), Infinity];
  if ((found = plain.match(/^<=(\d+)$/))) return [0, Number(found[1])];
  if ((found = plain.match(/^>(\d+)$/))) return [Number(found[1]) + 1, Infinity];
  if ((found = plain.match(/^<(\d+)$/))) return [0, Number(found[1]) - 1];
  if ((found = plain.match(/^(\d*)\.\.=?(\d*)$/)) && (found[1] || found[2])) return [Number(found[1] || 0), found[2] ? Number(found[2]) : Infinity];
  if ((found = plain.match(/^(\d+)[-–](\d+)$/))) return [Number(found[1]), Number(found[2])];
  if ((found = plain.match(/^\d+$/))) return [Number(plain), Number(plain)];
  return null;
}

/** Returns a pattern of codes such as 0.4? as a regular expression, or null. */
function pattern(text) {
  if (!/^[0-9A-Fa-f.?*[\]-]+$/.test(text) || !/[?*[]/.test(text) || !text.includes(".")) return null;
  const source = text.toUpperCase().replace(/\./g, "\\.").replace(/\?/g, "[0-9A-F]").replace(/\*/g, "[0-9A-F]*");
  try { return new RegExp(`^${source}$`); } catch { return null; }
}

/** Returns the classes that a text names: by a name, a label or the first digits of the key. */
function classes(text) {
  const name = plainName(text);
  const all = census.classes.map((one, at) => [one, at]);
  const named = all.filter(([one]) => one[1] && plainName(one[1]) === name);
  if (named.length > 0) return named.map(([, at]) => at);
  const labelled = all.filter(([one]) => one[2] === text);
  if (labelled.length > 0) return labelled.map(([, at]) => at);
  if (!/^[0-9a-f]{4,64}$/.test(name)) return [];
  return all.filter(([one]) => one[0].startsWith(name)).map(([, at]) => at);
}

/** Returns the conditions that words represent, and the first word that is not understood. */
function conditions(text) {
  const words = text.replace(/>=/g, "≥").replace(/<=/g, "≤").replace(/[=:,;&∧()]/g, " ").replace(/([<>≤≥])/g, " $1").trim().split(/\s+/).map((word) => word.toLowerCase());
  const asked = [];
  let unknown = null;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === "" || census.fillers.includes(word)) continue;
    const field = fieldOf(word);
    if (field) {
      let [found, used] = [null, 0];
      for (let end = Math.min(words.length, at + 5); end > at + 1 && !found; end -= 1) {
        found = span(words.slice(at + 1, end).filter((one) => one !== "of" && one !== "is").join(" "));
        used = end - at - 1;
      }
      if (found) { asked.push([field.name, found]); at += used; } else unknown = unknown || `${word}, which needs a number behind it`;
    } else if (census.tame.includes(word)) asked.push(["tame", word]);
    else if (Object.hasOwn(census.statuses, word)) asked.push(["status", census.statuses[word]]);
    else if (pattern(word)) asked.push(["code", pattern(word)]);
    else if (classes(word).length > 0) asked.push(["class", classes(word)]);
    else unknown = unknown || word;
  }
  return { asked, unknown };
}

/** Returns the conditions of a form, by the names of its fields. */
function conditionsOfForm(parameters) {
  const asked = [];
  let unknown = null;
  for (const [name, value] of parameters) {
    const text = value.trim();
    if (text === "" || ["q", "sort", "descending", "offset", "limit"].includes(name)) continue;
    const no = () => { unknown = unknown || `${name}: ${text}`; };
    if (name === "status") for (const one of text.split(/[\s,]+/)) asked.push(["status", one]);
    else if (name === "tame") asked.push(["tame", text]);
    else if (name === "code") asked.push(["code", pattern(text) || text]);
    else if (name === "class" || name === "any-class") {
      const found = classes(text);
      if (found.length > 0) asked.push([name, found]); else no();
    } else if (fieldAt.has(name)) {
      const found = span(text);
      if (found) asked.push([name, found]); else no();
    } else no();
  }
  return { asked, unknown };
}

function satisfies(game, asked) {
  const statuses = asked.filter(([name]) => name === "status").map(([, value]) => value);
  if (statuses.length > 0 && !statuses.includes(game[STATUS])) return false;
  return asked.every(([name, value]) => {
    if (name === "status") return true;
    if (name === "tame") return game[TAME] === value;
    if (name === "code") return game[CODES].some((one) => (value instanceof RegExp ? value.test(codeOf(one)) : codeOf(one) === value));
    if (name === "class") return value.includes(game[CLASS]);
    if (name === "any-class") return value.includes(game[CLASS]) || game[PARTIAL].some((one) => value.includes(one));
    const numbers = [game[NUMBERS][fieldAt.get(name)]].flat().filter((number) => number !== null);
    return numbers.some((number) => value[0] <= number && number <= value[1]);
  });
}

const made = (name, text) => {
  const one = document.createElement(name);
  if (text !== undefined) one.textContent = text;
  return one;
};
const link = (href, text) => Object.assign(made("a", text), { href });
const classLink = (at) => {
  const [key, name, lasting] = census.classes[at];
  return link(`class/${lasting}.html`, name || (lasting === key ? key.slice(0, 8) : lasting));
};
const found = document.getElementById("found");
const say = (text) => found.append(made("p", text));

/** Returns the table of games, which a click on a heading sorts. */
function show(list, sort, descending) {
  const number = (game, name) => { const value = game[NUMBERS][fieldAt.get(name)]; return Array.isArray(value) ? value[0] : value; };
  const sorted = list.slice();
  if (fieldAt.has(sort)) {
    // Rows without a number come last in either direction.
    sorted.sort((a, b) => {
      const [x, y] = [number(a, sort), number(b, sort)];
      if (x === null || y === null) return (x === null) - (y === null);
      return descending ? y - x : x - y;
    });
  } else if (descending) sorted.reverse();
  found.replaceChildren();
  if (list.length === 0) { say("No game of this census satisfies these conditions."); return; }
  const wide = made("div"); wide.className = "wide";
  const table = made("table"); table.className = "facts list"; wide.append(table);
  const shown = sorted.slice(0, SHOWN);
  table.append(made("caption", `Games 1 to ${shown.length} of ${list.length}; codes that are the same game count once`));
  const head = table.createTHead().insertRow();
  for (const [text, name] of [["game", "code"], ["what is known", null], ...COLUMNS, ["class", null]]) {
    const cell = made("th"); cell.scope = "col"; head.append(cell);
    if (name === null) { cell.textContent = text; continue; }
    const isNow = name === (fieldAt.has(sort) ? sort : "code");
    const button = made("button", isNow ? `${text} ${descending ? "▼" : "▲"}` : text); button.type = "button";
    if (isNow) cell.setAttribute("aria-sort", descending ? "descending" : "ascending");
    button.addEventListener("click", () => show(list, name, isNow && !descending));
    cell.append(button);
  }
  const body = table.createTBody();
  for (const game of shown) {
    const row = body.insertRow();
    const first = made("th"); first.scope = "row"; row.append(first);
    const [kept, ...others] = game[CODES];
    first.append(link(fileOf(kept), codeOf(kept)));
    if (others.length > 0) first.title = `also ${others.map(codeOf).join(", ")}`;
    row.insertCell().textContent = game[SAYS];
    for (const [, name] of COLUMNS) {
      const cell = row.insertCell(); cell.className = "number";
      const value = number(game, name);
      cell.textContent = value === null ? "–" : value;
    }
    row.insertCell().append(classLink(game[CLASS]));
  }
  found.append(wide);
}

/** Returns the entries of a list of numbers, `null` for any number; returns null for other texts. */
function entries(text) {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  const isList = words.length >= MIN_ENTRIES && words.every((word) => /^(\d{1,9}|\?)$/.test(word));
  return isList ? words.map((word) => (word === "?" ? null : Number(word))) : null;
}

/** Returns the games whose nim-values, or whose orders, begin so; a list may begin with heap 1. */
function beginning(which, first, list) {
  const asked = list[0] === null || list[0] === first ? list : [null, ...list];
  const fits = (sequence) => asked.length <= sequence.length && asked.every((entry, heap) => entry === null || entry === sequence[heap]);
  return census.games.filter((game) => game[SEQUENCES] && fits(game[SEQUENCES][which]));
}

/** Lists the games whose sequences begin with a list of numbers. */
function showSequences(list) {
  for (const [which, first, what] of [[0, 0, "nim-values of the heaps"], [1, 1, "orders of the partial quotients"]]) {
    const games = beginning(which, first, list);
    say(`Games whose ${what} begin so: ${games.length === 0 ? "none" : ""}`);
    if (games.length === 0) continue;
    const all = made("ul");
    for (const game of games.slice(0, SHOWN)) {
      const item = made("li");
      item.append(link(fileOf(game[CODES][0]), codeOf(game[CODES][0])), ` – ${game[SAYS]}`);
      all.append(item);
    }
    found.append(all);
  }
  say("Compared are the first heaps of each game, under the code by which it is kept; the command misere search compares more.");
}

/** Returns the readings of a text: links to the things that it names. */
function meanings(text) {
  const links = new Map();
  const game = (code, how) => { if (games.has(code)) { const one = link(fileOf(games.get(code)), `the game ${code}${how}`); links.set(one.href, one); } };
  game(text.toUpperCase(), "");
  game(text, "");
  if (/^\.?[0-9A-Fa-f]+$/.test(text)) {
    const digits = text.replace(/^\./, "").toUpperCase();
    const how = text.startsWith(".") ? "" : ", which is written with a point";
    game(`0.${digits}`, how);
    if (digits.startsWith("0") && digits.length > 1) game(`0.${digits.slice(1)}`, how);
    if (digits.startsWith("4") && digits.length > 1) game(`4.${digits.slice(1)}`, how);
  }
  for (const [name, code] of census.names) if (letters(text) !== "" && letters(name) === letters(text)) game(code, ` (${name})`);
  for (const at of classes(text)) { const one = classLink(at); one.textContent = `the class ${one.textContent}`; links.set(one.href, one); }
  return Array.from(links.values());
}

/** Returns the least number of letters that are inserted, left out or changed between two words. */
function distance(one, other) {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const here = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const change = above[at - 1] + (one[row - 1] === other[at - 1] ? 0 : 1);
      here.push(Math.min(change, above[at] + 1, here[at - 1] + 1));
    }
    above = here;
  }
  return above[other.length];
}

/** Returns links to what a text may mean that names nothing here. */
function suggestions(text) {
  const links = new Map();
  const add = (href, says) => links.set(href, link(href, says));
  const game = (code, says) => { if (games.has(code)) add(fileOf(games.get(code)), says); };
  const given = letters(text);
  const isNear = (name) => letters(name).includes(given) || name.split(/\s/).concat(name).some((word) => distance(letters(word), given) <= given.length / 5);
  if (given.length >= 3 && text.length <= 40) for (const [name, code] of census.names) if (isNear(name)) game(code, `the game ${code} (${name})`);
  const [code, position] = text.split(":");
  if (position !== undefined) game(code.trim(), `the game ${code.trim()}`);
  else if (/^\d+([+ ]\d+)+$/.test(text)) for (const [name, code] of census.names) game(code, `a position of ${code} (${name})`);
  if (!census.solves) return Array.from(links.values());
  if (IS_PRESENTATION.test(text)) add(`solve.html#quotient=${encodeURIComponent(text)}`, "a quotient, which this browser identifies");
  else if (/^[0-9A-Fa-f]*\.[0-9A-Fa-f]+$/.test(text)) add(`solve.html#${encodeURIComponent(text)}`, `the game ${text}, which this browser solves`);
  return Array.from(links.values());
}

function list(links, kind) {
  const all = made("ul"); all.className = kind;
  for (const one of links) { const item = made("li"); item.append(one); all.append(item); }
  found.append(all);
}

const parameters = new URLSearchParams(location.search);
const sought = (parameters.get("q") || "").trim();
const descending = ["1", "true", "on"].includes(parameters.get("descending"));
document.getElementById("q").value = sought;
if (sought !== "") {
  const readings = meanings(sought);
  const { asked, unknown } = conditions(sought);
  const sequence = entries(sought);
  if (sequence) showSequences(sequence);
  else if (readings.length === 1) location.replace(readings[0].href);
  else if (readings.length > 1) {
    say(`“${sought}” can be read in ${readings.length} ways:`);
    list(readings, "meanings");
  } else if (asked.length > 0 && unknown === null) show(census.games.filter((game) => satisfies(game, asked)), parameters.get("sort"), descending);
  else if (asked.length > 0) say(`In “${sought}” this is not understood: ${unknown}.`);
  else {
    const suggested = suggestions(sought);
    if (IS_PRESENTATION.test(sought) && !census.solves) say("That looks like a presentation, which these files cannot identify; the command misere identify can.");
    else say(`“${sought}” names no game and no class of this census, and is not a condition.${suggested.length > 0 ? " It may mean:" : ""}`);
    list(suggested, "meanings");
  }
} else if (Array.from(parameters.keys()).length > 0) {
  const { asked, unknown } = conditionsOfForm(parameters);
  if (unknown === null) show(census.games.filter((game) => satisfies(game, asked)), parameters.get("sort"), descending);
  else say(`This is not understood: ${unknown}.`);
}
