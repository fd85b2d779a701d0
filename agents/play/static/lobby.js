// The lobby: choose rules and who sits where, and open a table.

import { h } from "./dom.js";
import { language, otherLanguage, setLanguage, t } from "./lang.js";
import { ask } from "./net.js";

export function showLobby(page) {
  const view = new Lobby(page);
  return { words: () => view.draw(), close: () => {} };
}

class Lobby {
  constructor(page) {
    this.page = page;
    this.wish = { rules: "two_deck", episode: "match", pace: "normal", turn_seconds: 45, seats: [] };
    ask("/api/options").then((offer) => {
      this.offer = offer;
      this.seatAll();
      this.draw();
    });
  }

  seatAll() {
    const { players } = this.offer.rules.find((each) => each.name === this.wish.rules);
    const usual = this.offer.adviser in this.offer.agents ? this.offer.adviser : "heuristic";
    this.wish.seats = Array.from({ length: players }, (_, i) => this.wish.seats[i] ?? (i ? usual : "me"));
  }

  draw() {
    if (!this.offer) return;
    const form = h("form", { class: "lobby", on: { submit: (event) => this.open(event) } },
      h("header", {},
        h("h1", {}, "拖拉机 ", h("small", {}, "Tuolaji")),
        h("button", { type: "button", class: "quiet", id: "language", on: { click: () => setLanguage(otherLanguage()) } }, t("other_language"))),
      h("p", { class: "lead" }, t("lobby_lead")),
      h("div", { class: "columns" }, this.rulesBox(), this.seatsBox()),
      h("p", { class: "buttons" }, h("button", { class: "primary big", id: "open" }, t("open_table")),
        this.offer.records ? h("a", { id: "records", href: "#/records" }, t("records")) : null));
    this.page.replaceChildren(form);
    this.tellRules();
  }

  rulesBox() {
    const change = (event) => {
      this.wish.rules = event.target.value;
      this.seatAll();
      this.draw();
    };
    const groups = new Map();
    for (const each of this.offer.rules) groups.set(each.players, [...(groups.get(each.players) ?? []), each]);
    const option = (each) => h("option", { value: each.name, selected: each.name === this.wish.rules },
      `${t(`preset_${each.name}`).replace(/^preset_/, "")} · ${t("decks_n", { n: each.decks })}`);
    return h("section", { class: "box" },
      h("h2", {}, t("rules")),
      h("label", {}, t("preset"), h("select", { id: "rules", on: { change } },
        [...groups].sort((a, b) => a[0] - b[0]).map(([players, all]) => h("optgroup", { label: t("players_n", { n: players }) }, all.map(option))))),
      this.choice("episode", ["match", "deal"]),
      this.choice("pace", ["slow", "normal", "fast"]),
      h("label", {}, t("turn_seconds"), h("input", { id: "turn", type: "number", min: 5, max: 600, value: this.wish.turn_seconds, on: { change: (e) => (this.wish.turn_seconds = Number(e.target.value)) } })),
      h("details", { class: "words" }, h("summary", {}, t("rules_in_words")), h("div", { id: "words" })));
  }

  choice(name, values) {
    const change = (event) => (this.wish[name] = event.target.value);
    return h("label", {}, t(name), h("select", { id: name, on: { change } },
      values.map((value) => h("option", { value, selected: value === this.wish[name] }, t(`${name}_${value}`)))));
  }

  seatsBox() {
    const seat = (who, i) => h("label", {}, t("seat_n", { n: i + 1 }), h("select", { class: "seat-choice", "data-seat": String(i), on: { change: (e) => this.sit(i, e.target.value) } },
      ["me", "human", ...this.offer.agents].map((value) => h("option", { value, selected: value === who }, agentName(value)))));
    return h("section", { class: "box" },
      h("h2", {}, t("seats")),
      h("label", {}, t("your_name"), h("input", { id: "name", maxlength: 24, value: localStorage.getItem("name") ?? "", on: { input: (e) => localStorage.setItem("name", e.target.value) } })),
      h("div", { class: "seat-list" }, this.wish.seats.map(seat)),
      h("p", { class: "hint" }, t("seats_hint")));
  }

  sit(seat, who) {
    if (who === "me") this.wish.seats = this.wish.seats.map((each) => (each === "me" ? "human" : each));
    this.wish.seats[seat] = who;
    this.draw();
  }

  async tellRules() {
    const place = this.page.querySelector("#words");
    place.replaceChildren(...(await rulesInWords(this.wish.rules)));
  }

  async open(event) {
    event.preventDefault();
    localStorage.setItem("name", this.page.querySelector("#name").value);
    const mine = this.wish.seats.indexOf("me");
    const seats = this.wish.seats.map((who) => (who === "me" ? "human" : who));
    const { room, tokens } = await ask("/api/rooms", { ...this.wish, seats });
    sessionStorage.setItem(`links-${room}`, JSON.stringify(tokens));
    location.hash = mine >= 0 ? `/room/${room}/${tokens[mine]}` : `/watch/${room}`;
  }
}

export function agentName(spec) {
  if (spec === "me" || spec === "human") return t(`seat_${spec}`);
  const [name, ...rest] = spec.split(":");
  const known = t(`agent_${name}`);
  return known.startsWith("agent_") ? spec : rest.length && name !== "search" ? `${known} ${rest.join(":")}` : known;
}

export async function rulesInWords(name) {
  const found = await ask(`/api/rules/${encodeURIComponent(name)}?language=${language()}`);
  return found.map(({ heading, sentences }) => h("section", {}, h("h3", {}, heading), h("ul", {}, sentences.map((text) => h("li", {}, text)))));
}
