// A table: keeps what the server tells, the cards selected, and sends what the player wishes.

import { card, cardName, cardsText, suitText } from "./cards.js";
import { dialog, h, toast } from "./dom.js";
import { drawFelt } from "./felt.js";
import { has, otherLanguage, setLanguage, t } from "./lang.js";
import { rulesInWords } from "./lobby.js";
import { Line } from "./net.js";
import { drawPanel, drawResult } from "./panel.js";
import { ReviewPage } from "./review.js";

export class TablePage {
  constructor(page, room, token) {
    this.page = page;
    this.room = room;
    this.token = token;
    this.selected = []; // places in the hand as it is shown, from the left
    this.choice = null;
    this.calling = null;
    this.line = new Line(room, token, localStorage.getItem("name") ?? "", (message) => this.hear(message));
    this.ticking = setInterval(() => this.tick(), 200);
    this.resized = () => this.draw();
    window.addEventListener("resize", this.resized);
  }

  close() {
    clearInterval(this.ticking);
    window.removeEventListener("resize", this.resized);
    this.line.close();
    document.querySelectorAll("dialog").forEach((box) => box.close());
  }

  words() {
    this.draw();
  }

  // --- what the server says --------------------------------------------------------------------

  hear(message) {
    const act = { state: () => this.newState(message), choice: () => this.newChoice(message), suggestion: () => this.suggested(message), refused: () => this.refused(message), review: () => this.review?.show(message), line: () => this.lineIs(message) };
    act[message.type]?.();
  }

  lineIs({ up, final }) {
    this.offline = !up;
    this.gone = final;
    if (final) toast(t("line_ended"), "bad");
    if (this.state) this.draw();
  }

  newState(state) {
    const before = this.state;
    this.state = state;
    this.toldAt = performance.now();
    if (state.stage !== "done") this.leaveReview();
    const moment = (s) => s && JSON.stringify([s.ask?.what, s.deal, s.hand, s.turn, s.tricks, s.trick?.plays.length]);
    if (moment(before) !== moment(state)) this.newMoment(before);
    this.draw();
  }

  newMoment(before) {
    const { ask } = this.state;
    const cards = this.hand();
    const kept = before?.ask?.what === ask?.what && before?.hand && JSON.stringify(before.hand) === JSON.stringify(this.state.hand);
    if (!kept) this.selected = [];
    this.calling = null;
    this.choice = ask?.addable ? { cards: [], addable: ask.addable, whole: false, possible: true } : null;
    if (ask?.only && !this.selected.length) this.selected = this.placesOf(ask.only, cards);
    if (this.selected.length && ask?.addable) this.askChoice();
  }

  newChoice(message) {
    if (JSON.stringify(message.cards) !== JSON.stringify(this.selectedKinds())) return;
    this.choice = message;
    this.draw();
  }

  suggested({ by, actions }) {
    const kinds = actions.filter((action) => action < 54);
    const end = actions.at(-1);
    if (this.state.ask?.what === "call") {
      this.calling = kinds[0];
      toast(t("suggests", { by, what: `${cardName(kinds[0])} ${t("copy_n", { n: end - 54 })}` }));
    } else if (this.state.ask?.what === "bid") {
      toast(t("suggests", { by, what: kinds.length ? cardsText(kinds) + (end >= 59 ? ` → ${suitText(end - 59)}` : "") : t("pass") }));
    } else {
      this.selected = this.placesOf(kinds, this.hand());
      this.askChoice();
      toast(t("suggests", { by, what: cardsText(kinds) }));
    }
    this.draw();
  }

  refused(message) {
    toast(reasonText(message), "bad");
    if (["unknown_room", "wrong_token", "room_full"].includes(message.code)) {
      this.page.replaceChildren(h("div", { class: "gone" }, h("p", {}, reasonText(message)), h("a", { href: "#/" }, t("to_lobby"))));
    }
  }

  // --- the hand ----------------------------------------------------------------------------------

  hand() {
    return this.state.hand.flat();
  }

  placesOf(kinds, cards) {
    const places = [];
    for (const kind of kinds) {
      const place = cards.findIndex((each, i) => each === kind && !places.includes(i));
      if (place >= 0) places.push(place);
    }
    return places;
  }

  selectedKinds() {
    const cards = this.hand();
    return this.selected.map((place) => cards[place]).sort((a, b) => a - b);
  }

  toggle(place) {
    const at = this.selected.indexOf(place);
    if (at >= 0) this.selected.splice(at, 1);
    else this.selected.push(place);
    this.askChoice();
    this.draw();
  }

  askChoice() {
    if (this.choice) this.line.send({ type: "select", cards: this.selectedKinds() });
  }

  // --- what the player does ------------------------------------------------------------------------

  play() {
    this.line.send({ type: "play", cards: this.selectedKinds() });
  }

  send(message) {
    this.line.send(message);
  }

  // --- drawing ---------------------------------------------------------------------------------------

  draw() {
    if (!this.state || this.gone) return;
    if (this.review) return this.review.draw();
    const { state } = this;
    const view = h("div", { class: `table players-${state.seats.length} ${this.token ? "seated" : "watching"}` },
      this.topBar(),
      drawFelt(state, { selecting: this.choice !== null }),
      drawPanel(state),
      this.token ? h("section", { class: "own" }, this.actions(), this.handRow()) : h("section", { class: "own" }, h("p", { class: "hint" }, t("looking_on"))),
      state.stage === "done" ? drawResult(state, this) : null);
    this.page.replaceChildren(view);
    this.tick();
  }

  topBar() {
    return h("nav", { class: "top" },
      h("a", { class: "brand", href: "#/", title: t("to_lobby") }, "拖拉机"),
      h("span", { class: "spacer" }),
      this.offline ? h("span", { class: "offline" }, t("offline")) : null,
      h("button", { class: "quiet", id: "show-rules", on: { click: async () => dialog(t("rules_in_words"), ...(await rulesInWords(this.state.rules))) } }, t("rules")),
      h("button", { class: "quiet", id: "invite", on: { click: () => this.invite() } }, t("invite")),
      h("button", { class: "quiet", id: "language", on: { click: () => setLanguage(otherLanguage()) } }, t("other_language")));
  }

  invite() {
    const tokens = JSON.parse(sessionStorage.getItem(`links-${this.room}`) ?? "[]");
    const base = `${location.origin}${location.pathname}#`;
    const line = (label, url) => h("p", { class: "link" }, h("span", {}, label), h("input", { readOnly: true, value: url, on: { focus: (e) => e.target.select() } }),
      h("button", { class: "quiet", on: { click: () => navigator.clipboard?.writeText(url).then(() => toast(t("copied"))) } }, t("copy")));
    const links = tokens.map((token, i) => (token && token !== this.token ? line(t("seat_n", { n: i + 1 }), `${base}/room/${this.room}/${token}`) : null));
    dialog(t("invite"), h("p", {}, t("invite_hint")), links, line(t("to_watch"), `${base}/watch/${this.room}`));
  }

  handRow() {
    const { state } = this;
    const cards = this.hand();
    const addable = new Set(this.choice?.addable ?? []);
    const starts = new Set(state.hand.reduce((at, group) => [...at, at.at(-1) + group.length], [0]));
    const shown = cards.map((kind, place) => {
      const chosen = this.selected.includes(place);
      const dim = this.choice && !chosen && !addable.has(kind);
      return card(kind, { tag: "button", type: "button", classes: `${chosen ? "chosen" : ""} ${dim ? "dim" : ""} ${starts.has(place) && place ? "group" : ""}`, "aria-pressed": String(chosen), on: { click: () => this.toggle(place) } });
    });
    return h("div", { class: "hand", id: "hand" }, layRows(shown));
  }

  actions() {
    const { state } = this;
    const me = state.seats[state.you];
    const auto = h("button", { class: `quiet ${me.automatic ? "on" : ""}`, id: "auto", on: { click: () => this.send({ type: "auto", on: !me.automatic }) } }, t(me.automatic ? "take_back" : "hand_over"));
    const { ask } = state;
    const bar = (...inside) => h("div", { class: "actions" }, ...inside, auto);
    if (me.automatic) return bar(h("span", { class: "say" }, t("bot_plays")));
    if (!ask) return bar(h("span", { class: "say" }, state.stage === "done" ? "" : t("waiting")));
    if (ask.what === "bid") return bar(...this.bidButtons(ask));
    const suggest = h("button", { class: "quiet", id: "suggest", on: { click: () => this.send({ type: "suggest" }) } }, t("suggest"));
    if (ask.what === "call") return bar(...this.callButtons(ask), suggest);
    const whole = this.choice?.whole;
    return bar(
      h("span", { class: "say" }, t(`say_${ask.what}`, { n: ask.count, chosen: this.selected.length })),
      h("button", { class: whole ? "primary" : "", id: "play", on: { click: () => this.play() } }, t(ask.what === "bury" ? "bury" : "play"), ask.count > 1 ? ` ${this.selected.length}/${ask.count}` : ""),
      h("button", { class: "quiet", id: "clear", disabled: !this.selected.length, on: { click: () => { this.selected = []; this.askChoice(); this.draw(); } } }, t("clear")),
      suggest);
  }

  bidButtons(ask) {
    const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
    const label = ({ cards, trump }) => [cards.map((kind) => h("span", { class: `mini ${kind === 53 || (kind < 52 && Math.floor(kind / 13) % 2 === 0) ? "red" : "black"}` }, cardName(kind))), trump !== null ? ` → ${suitText(trump)}` : ""];
    const buttons = ask.bids.map((bid) => h("button", { class: `bid ${same(bid, ask.wish) ? "on" : ""}`, on: { click: () => this.send({ type: "bid", ...bid }) } }, label(bid)));
    const asking = this.state.stage === "bidding";
    const passed = ask.wish && !ask.wish.cards.length;
    return [h("span", { class: "say" }, t(asking ? "say_last_bids" : "say_dealing")), ...buttons,
      asking && (ask.bids.length || !passed) ? h("button", { id: "pass", class: passed ? "on" : "primary", on: { click: () => this.send({ type: "bid", cards: [], trump: null }) } }, t("pass")) : null,
      ask.bids.length ? h("button", { class: "quiet", id: "suggest", on: { click: () => this.send({ type: "suggest" }) } }, t("suggest")) : null];
  }

  callButtons(ask) {
    const kinds = [...new Set(ask.calls.map(([kind]) => kind))].sort((a, b) => Math.floor(b / 13) - Math.floor(a / 13) || b - a);
    if (this.calling === null) {
      return [h("span", { class: "say" }, t("say_call")), h("div", { class: "call-grid" }, kinds.map((kind) => card(kind, { tag: "button", type: "button", classes: "small", on: { click: () => { this.calling = kind; this.draw(); } } })))];
    }
    const copies = ask.calls.filter(([kind]) => kind === this.calling).map(([, ordinal]) => ordinal);
    return [h("span", { class: "say" }, t("say_copy", { card: cardName(this.calling) })),
      copies.map((ordinal) => h("button", { class: "primary copy", on: { click: () => this.send({ type: "call", kind: this.calling, ordinal }) } }, t("copy_n", { n: ordinal }))),
      h("button", { class: "quiet", on: { click: () => { this.calling = null; this.draw(); } } }, t("back"))];
  }

  tick() {
    const clock = this.state?.clock;
    const left = clock ? Math.max(clock[0] - (performance.now() - this.toldAt) / 1000, 0) : 0;
    for (const place of this.page.querySelectorAll(".clock")) {
      place.textContent = clock ? String(Math.ceil(left)) : "";
      place.classList.toggle("late", left < 10);
    }
  }

  // --- the replay ------------------------------------------------------------------------------------

  openReview() {
    this.review = new ReviewPage(this.page, this.state, (step, by) => this.send({ type: "review", step, by }), () => {
      this.leaveReview();
      this.draw();
    });
  }

  leaveReview() {
    this.review = null;
  }
}

// A hand in as few rows as leave a finger's width of each card.
function layRows(cards) {
  const room = Math.min(document.documentElement.clientWidth, 1180) - 16;
  const phone = document.documentElement.clientWidth < 640;
  const width = phone ? 52 : 76;
  const least = phone ? 26 : 34;
  const rows = Math.max(1, Math.ceil(cards.length / Math.floor((room - width) / least + 1)));
  const each = Math.ceil(cards.length / rows);
  const strip = Math.min(width + 4, each > 1 ? (room - width) / (each - 1) : width);
  const lines = [];
  for (let at = 0; at < cards.length; at += each) lines.push(h("div", { class: "line", style: { "--strip": `${strip}px` } }, cards.slice(at, at + each)));
  return lines;
}

export function reasonText(message) {
  const { code, clause, ...rest } = message;
  const values = { ...rest };
  if ("suit" in rest) values.suit = rest.suit === 4 ? t("trump") : suitText(rest.suit);
  if (rest.pattern) values.pattern = rest.pattern.map(([w, l]) => t(l > 1 ? `unit_${w}_tractor` : `unit_${w}`, { n: l })).join(t("comma"));
  if (rest.example) values.example = cardsText(rest.example);
  if (rest.scheme) values.scheme = t(`bids_${rest.scheme}`);
  if (rest.phase) values.phase = t(`phase_${rest.phase}`);
  return (has(code) ? t(code, values) : code) + (clause ? ` (${clause})` : "");
}
