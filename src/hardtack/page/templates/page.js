"use strict";
// The search box, the keys and nothing else: every link works without this script. Text goes into the page as text alone.
(() => {
  const byId = (id) => document.getElementById(id);
  const single = document.body.classList.contains("single");
  const up = document.body.dataset.up;
  const box = byId("q"), list = byId("found"), said = byId("said"), keys = byId("keys");
  const MOST = 12;
  const live = window.hardtackLive; // where a server answers: what it finds takes the place of the index

  // -- the index -------------------------------------------------------------------------------------------------------------
  const shards = new Map();
  const keyOf = (word) => word.slice(0, 2).toLowerCase().replace(/[^a-z0-9]/gu, "_").padEnd(2, "_");
  const EMPTY = { files: [], entries: [] };

  window.hardtackShard = (key, content) => {
    shards.set(key, content);
    suggest();
  };

  // The shard of a key; null while it is on its way. Which there are is asked first, as asking for another one is an error.
  function shardOf(key) {
    if (single) {
      if (!shards.has("all")) shards.set("all", JSON.parse(byId("index").textContent));
      return shards.get("all");
    }
    const keys = loaded("keys");
    if (!keys) return null;
    return keys.includes(key) ? loaded(key) : EMPTY;
  }

  function loaded(key) {
    if (shards.has(key)) return shards.get(key);
    shards.set(key, null);
    const script = document.createElement("script");
    script.src = `${up}search/${key}.js`;
    document.head.append(script);
    return null;
  }

  function rankIn(text, word) {
    const lower = text.toLowerCase();
    if (lower === word) return 0;
    if (lower.startsWith(word)) return 1;
    for (let at = lower.indexOf(word, 1); at > 0; at = lower.indexOf(word, at + 1)) {
      const before = text[at - 1], first = text[at];
      if (!/[a-z0-9]/i.test(before) || (/[A-Z]/.test(first) && !/[A-Z]/.test(before)) || /\d/.test(before) !== /\d/.test(first)) return 2;
    }
    return -1;
  }

  function matches(query) {
    const whole = query.toLowerCase(), words = whole.split(/[\s.:/\\#]+/).filter(Boolean);
    const last = words.pop();
    if (!last) return [];
    if (live) return live.suggestions(query, suggest);
    const shard = shardOf(keyOf(last));
    if (!shard) return null;
    const found = [];
    for (const entry of shard.entries) {
      const [name, full, kind, file, number, line, uses] = entry;
      let rank = name.toLowerCase() === whole ? 0 : rankIn(name, last);
      if (rank < 0 && kind === "file") rank = rankIn(full, last) < 0 ? -1 : 3;
      if (rank < 0) continue;
      const path = shard.files[file][0];
      const around = `${full} ${path}`.toLowerCase();
      if (words.every((word) => around.includes(word))) found.push({ name, full, kind, number, line, uses, rank, path, page: shard.files[file][1] });
    }
    const order = (one, other) => one.rank - other.rank || other.uses - one.uses || one.full.length - other.full.length || (one.full < other.full ? -1 : 1);
    return found.sort(order);
  }

  // -- suggestions -----------------------------------------------------------------------------------------------------------
  let shown = [], chosen = -1;

  function address(entry) {
    if (entry.href) return entry.href;
    if (single) return entry.number < 0 ? `#${entry.page}` : `#${entry.page}-d${entry.number}`;
    return entry.number < 0 ? up + entry.page : `${up}${entry.page}#d${entry.number}`;
  }

  function element(tag, className, text) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.textContent = text;
    return made;
  }

  function suggest() {
    const query = box.value.trim();
    const found = query && document.activeElement === box ? matches(query) : [];
    list.replaceChildren();
    said.textContent = "";
    shown = [];
    chosen = -1;
    if (found === null) return;
    shown = found.slice(0, MOST);
    shown.forEach((entry, place) => {
      const item = element("li", "", "");
      item.id = `s${place}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.append(element("span", "kind", entry.kind.replace("_", " ")), element("b", "", entry.kind === "file" ? entry.name : entry.full));
      item.append(element("span", "place", entry.kind === "file" || !entry.line ? entry.path : `${entry.path}:${entry.line}`));
      item.addEventListener("mousedown", (event) => {
        event.preventDefault();
        open(entry);
      });
      list.append(item);
    });
    list.hidden = !shown.length;
    box.setAttribute("aria-expanded", String(Boolean(shown.length)));
    box.removeAttribute("aria-activedescendant");
    if (query && document.activeElement === box && !shown.length) said.textContent = "No symbol or path has a word that begins so.";
    if (shown.length) choose(0);
  }

  function choose(place) {
    if (!shown.length) return;
    if (chosen >= 0) list.children[chosen].setAttribute("aria-selected", "false");
    chosen = (place + shown.length) % shown.length;
    const item = list.children[chosen];
    item.setAttribute("aria-selected", "true");
    item.scrollIntoView({ block: "nearest" });
    box.setAttribute("aria-activedescendant", item.id);
  }

  function close() {
    list.hidden = true;
    said.textContent = "";
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
    shown = [];
    chosen = -1;
  }

  function open(entry) {
    close();
    box.blur();
    location.href = address(entry);
  }

  box.addEventListener("input", suggest);
  box.addEventListener("focus", suggest);
  box.addEventListener("blur", close);
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if (event.key === "Enter" && chosen >= 0) open(shown[chosen]);
    else if (event.key === "Escape") box.blur();
    else return;
    event.preventDefault();
  });

  // -- keys ------------------------------------------------------------------------------------------------------------------
  const NAMES = ".code a.x, .code a.y, .code a.z, .code a.d";
  const isSeen = (name) => name.offsetParent !== null;
  let before = "", at = 0;

  function name() {
    const focused = document.activeElement && document.activeElement.closest(NAMES);
    return focused || document.querySelector(".code a.x:hover, .code a.y:hover, .code a.z:hover, .code a.d:hover");
  }

  function step(by) {
    const names = [...document.querySelectorAll(NAMES)].filter(isSeen);
    if (!names.length) return;
    const current = names.indexOf(name());
    const first = names.findIndex((each) => each.getBoundingClientRect().top > 60);
    const next = current < 0 ? Math.max(first, 0) : (current + by + names.length) % names.length;
    names[next].focus();
  }

  function definition() {
    const found = name();
    if (found && !found.classList.contains("d")) location.href = found.href;
  }

  function references() {
    const found = name();
    if (!found) return;
    location.href = found.classList.contains("d") ? found.href : found.href.replace(/d(\d+)$/, "r$1");
  }

  function closeCard() {
    const target = document.querySelector(".card:is(:target, .shown) .close");
    if (target) location.href = target.href;
  }

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest && event.target.closest("input, textarea, select, dialog");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const after = before === "g" && event.timeStamp - at < 1500 ? "g" : "";
    before = "";
    const pressed = after + event.key;
    if (pressed === "/") box.focus();
    else if (pressed === "?") keys.showModal();
    else if (pressed === "gd") definition();
    else if (pressed === "gr") references();
    else if (pressed === "gh") location.href = document.querySelector(".brand").href;
    else if (pressed === "n") step(1);
    else if (pressed === "p") step(-1);
    else if (pressed === "Escape") closeCard();
    else {
      if (event.key === "g") [before, at] = ["g", event.timeStamp];
      return;
    }
    event.preventDefault();
  });
  byId("help").addEventListener("click", () => keys.showModal());

  // -- where one is ----------------------------------------------------------------------------------------------------------
  function arrived() {
    const target = location.hash.length > 1 && byId(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.matches(".code a.d")) target.focus({ preventScroll: true });
    if (!target.matches(".card")) return;
    const named = byId(target.querySelector(".close").hash.slice(1));
    const place = named && named.getBoundingClientRect();
    if (place && (place.top < 60 || place.bottom > innerHeight * 0.55)) named.scrollIntoView({ block: "start" });
    target.focus({ preventScroll: true });
  }

  window.addEventListener("hashchange", arrived);
  document.querySelector(".search").hidden = false;
  byId("help").hidden = false;
  // Only once all is there does the browser scroll to what the address names.
  if (document.readyState === "complete") arrived();
  else window.addEventListener("load", arrived);
})();
