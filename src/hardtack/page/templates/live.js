"use strict";
// The page of a server: asks for pages and answers with the token of its user, which stays in this tab. Runs before page.js.
(() => {
  const byId = (id) => document.getElementById(id);
  const main = byId("main"), KEPT = "hardtack-token", PAUSE = 150;
  let shown = "", turn = 0;

  // -- the token ---------------------------------------------------------------------------------------------------------------
  // It comes in the fragment, which no server is sent, and is taken out of the address at once; a reload finds it in the tab.
  function takeToken() {
    const given = location.hash.slice(1);
    if (!given || /^[!?]/.test(given)) return;
    sessionStorage.setItem(KEPT, decodeURIComponent(given));
    history.replaceState(null, "", location.pathname);
  }

  function askForToken(why) {
    const form = element("form", "enter"), box = element("input"), send = element("button", "", "Open");
    box.type = "password";
    box.autocomplete = "off";
    box.setAttribute("aria-label", "Token");
    form.append(box, send);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      sessionStorage.setItem(KEPT, box.value.trim());
      show();
    });
    main.replaceChildren(element("p", "", why), form);
    shown = "";
    box.focus();
  }

  class Refused extends Error {}

  async function ask(path) {
    const token = sessionStorage.getItem(KEPT);
    if (!token) throw new Refused("Enter the token that the server wrote to its log.");
    // A header holds bytes; a token with other letters goes as their UTF-8.
    const bytes = String.fromCharCode(...new TextEncoder().encode(token));
    const answer = await fetch(path, { headers: { Authorization: `Bearer ${bytes}` }, credentials: "omit", cache: "no-store" });
    if (answer.status === 401) {
      sessionStorage.removeItem(KEPT);
      throw new Refused("That is not the token of this server.");
    }
    const given = await answer.json();
    if (!answer.ok) throw new Error(`${given.error.message} ${given.error.hint}`.trim());
    return given;
  }

  // -- search ------------------------------------------------------------------------------------------------------------------
  const found = new Map();
  let waiting = 0;

  // What the server finds, as entries of the search box; null while it is on its way, and then ready() is called.
  function suggestions(query, ready) {
    if (found.has(query)) return found.get(query);
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const entries = await answered(query).catch(() => []);
      found.set(query, entries);
      ready();
    }, PAUSE);
    return null;
  }

  async function answered(query) {
    const { hits } = await ask(`search?q=${encodeURIComponent(query)}`);
    const entries = hits.map((hit) => ({
      name: hit.name, full: hit.full || hit.path, kind: hit.kind || "text", path: hit.path, line: hit.line, href: addressOf(hit),
    }));
    return [...entries.slice(0, 8), { name: query, full: `All answers to ${query}`, kind: "search", path: "with their code", line: 0, href: `#?${encodeURIComponent(query)}` }];
  }

  const addressOf = (hit) => `#!${hit.place}#${hit.anchor}`;

  function element(tag, className = "", text = "") {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.textContent = text;
    return made;
  }

  function answers(query, { hits, hint, more }) {
    const view = element("section", "view");
    view.append(element("h1", "", query));
    if (!hits.length) view.append(element("p", "quiet", "Nothing was found."));
    for (const hit of hits) {
      const item = element("article", "answer"), head = element("p"), link = element("a", "", `${hit.path}:${hit.line}`), score = element("meter");
      link.href = addressOf(hit);
      score.value = hit.score;
      score.title = `score ${hit.score.toFixed(3)}`;
      score.setAttribute("aria-label", "Score");
      head.append(link, " ", element("span", "kind", hit.kind), " ", element("b", "", hit.full), " ", score);
      item.append(head);
      if (hit.snippet) item.append(element("pre", "", hit.snippet));
      if (hit.reasons.length) {
        const why = element("details"), list = element("ul", "rows");
        why.append(element("summary", "", "Why it is here"), list);
        list.append(...hit.reasons.map((reason) => element("li", "", reason)));
        item.append(why);
      }
      view.append(item);
    }
    if (more) view.append(element("p", "quiet", "There are more; ask more closely."));
    if (hint) view.append(element("p", "note", hint));
    return view;
  }

  // -- pages -------------------------------------------------------------------------------------------------------------------
  // Links of a page lead from its own place; here each becomes #!place#anchor.
  function inserted(html, place) {
    const body = new DOMParser().parseFromString(html, "text/html").body;
    for (const link of body.querySelectorAll("a[href]")) {
      const to = new URL(link.getAttribute("href"), `http://page.invalid/${place}`);
      if (to.hostname === "page.invalid") link.setAttribute("href", `#!${to.pathname.slice(1)}${to.hash}`);
      else link.removeAttribute("href");
    }
    return [...body.childNodes].map((node) => document.importNode(node, true));
  }

  function arrive(anchor) {
    document.querySelectorAll(".shown").forEach((each) => each.classList.remove("shown"));
    const target = anchor && byId(anchor);
    if (!target) return scrollTo(0, 0);
    target.classList.add("shown");
    if (target.matches(".card")) {
      const back = target.querySelector(".close").getAttribute("href").split("#").pop();
      if (byId(back)) byId(back).scrollIntoView({ block: "start" });
      target.focus({ preventScroll: true });
    } else {
      target.scrollIntoView({ block: "center" });
      if (target.matches("a")) target.focus({ preventScroll: true });
    }
  }

  async function show() {
    const mine = ++turn, hash = location.hash.slice(1);
    const query = hash.startsWith("?") ? decodeURIComponent(hash.slice(1)) : "";
    const [place, anchor] = (hash.startsWith("!") ? hash.slice(1) : "index.html").split("#");
    try {
      if (query) {
        const given = await ask(`search?q=${encodeURIComponent(query)}`);
        if (mine !== turn) return;
        main.replaceChildren(answers(query, given));
        document.title = query;
        shown = "";
      } else if (place !== shown) {
        const given = await ask(`page/${place.split("/").map(encodeURIComponent).join("/")}`);
        if (mine !== turn) return;
        main.replaceChildren(...inserted(given.html, place));
        document.title = given.title;
        shown = place;
      }
      arrive(query ? "" : anchor);
    } catch (error) {
      if (mine !== turn) return;
      if (error instanceof Refused) askForToken(error.message);
      else main.replaceChildren(element("p", "note", error.message));
      shown = "";
    }
  }

  window.hardtackLive = { suggestions };
  takeToken();
  window.addEventListener("hashchange", () => {
    takeToken();
    show();
  });
  show();
})();
