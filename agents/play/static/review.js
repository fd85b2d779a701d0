// The replay of a deal with all hands open, and what else could have been done, as an agent valued it.

import { cardName, cardsText, row, suitText } from "./cards.js";
import { h } from "./dom.js";
import { drawFelt, seatName } from "./felt.js";
import { t } from "./lang.js";
import { agentName } from "./lobby.js";
import { drawPanel } from "./panel.js";

export class ReviewPage {
  constructor(page, state, ask, leave) {
    Object.assign(this, { page, state, ask, leave });
    this.go(0);
  }

  go(step, by = this.by ?? "") {
    this.wanted = Math.max(0, step);
    this.ask(this.wanted, by);
  }

  show(message) {
    if (message.step !== Math.min(this.wanted, message.steps)) return;
    this.found = message;
    this.by = message.by;
    this.draw();
  }

  draw() {
    if (!this.found) return;
    const { found } = this;
    const state = { ...found.table, stage: "review", seats: this.state.seats, you: this.state.you, clock: null };
    this.page.replaceChildren(h("div", { class: `table review players-${state.seats.length}` },
      this.bar(),
      drawFelt(state),
      drawPanel(state),
      h("section", { class: "own" }, this.alternatives(state), this.hands(state))));
  }

  // Who values: what is refused changes nothing, so that the choice goes back to who valued last.
  valuers() {
    const { by, step, valuers = [by] } = this.found;
    const change = (event) => {
      const wanted = event.target.value;
      event.target.value = by;
      this.go(step, wanted);
    };
    const named = (spec) => (valuers.some((other) => other !== spec && agentName(other) === agentName(spec)) ? spec : agentName(spec));
    return h("select", { id: "valuer", title: t("valuer"), "aria-label": t("valuer"), on: { change } },
      valuers.map((spec) => h("option", { value: spec, selected: spec === by }, named(spec))));
  }

  bar() {
    const { step, steps } = this.found;
    const button = (id, label, to) => h("button", { id, disabled: to < 0 || to > steps, on: { click: () => this.go(to) } }, label);
    return h("nav", { class: "top" },
      h("button", { class: "quiet", id: "leave-review", on: { click: this.leave } }, "← ", t("back")),
      this.deals ? h("select", { id: "deal", "aria-label": t("deal"), on: { change: (e) => this.deals.go(Number(e.target.value)) } },
        Array.from({ length: this.deals.of }, (_, i) => h("option", { value: i, selected: i === this.deals.at }, `${t("deal")} ${i + 1}`))) : null,
      button("review-back", "◀", step - 1),
      h("input", { type: "range", id: "review-at", min: 0, max: steps, value: step, "aria-label": t("replay"), on: { change: (e) => this.go(Number(e.target.value)) } }),
      button("review-on", "▶", step + 1),
      h("span", { class: "count" }, `${step}/${steps}`));
  }

  alternatives(state) {
    const { found } = this;
    if (!found.alternatives) return h("p", { class: "say" }, t("review_end", { n: state.score }));
    const values = found.alternatives.map((each) => each.value).filter((value) => value !== null);
    const high = Math.max(...values, 0.001);
    const low = Math.min(...values, -0.001);
    const line = (each) => h("li", { class: each.made ? "made" : "" },
      h("span", { class: "what" }, playText(each.actions)),
      each.value === null ? h("span", { class: "value" }, values.length ? "" : t("its_choice")) : [
        h("span", { class: "bar" }, h("i", { style: { width: `${(100 * (each.value - low)) / (high - low)}%` } })),
        h("span", { class: "value" }, `${each.value >= 0 ? "+" : "−"}${Math.abs(each.value).toFixed(2)}`, each.error !== null ? h("small", {}, ` ±${each.error.toFixed(2)}`) : "")]);
    return h("div", { class: "alternatives" },
      h("p", { class: "say" }, t("review_did", { who: seatName(state, found.mover), what: playText(found.made) }), " ", h("label", {}, h("small", {}, t("valued_by", { by: "" })), " ", this.valuers())),
      found.failed ? h("p", { class: "say" }, t("review_failed", { led: cardsText(found.failed.led) }), found.failed.penalty ? ` (−${found.failed.penalty})` : "") : null,
      h("ol", {}, found.alternatives.map(line)));
  }

  hands(state) {
    const width = Math.min(document.documentElement.clientWidth - 128, 600);
    const most = Math.floor(width / 14);
    const rows = (cards) => Array.from({ length: Math.ceil(cards.length / most) }, (_, i) => row(cards.slice(i * most, (i + 1) * most), 32, width));
    return h("div", { class: "open-hands" }, state.hands.map((groups, seat) => h("div", { class: `open-hand ${seat === state.turn ? "turn" : ""}` },
      h("span", { class: "who" }, seatName(state, seat)), h("div", {}, rows(groups.flat())))));
  }
}

function playText(actions) {
  const cards = actions.filter((action) => action < 54);
  const end = actions.at(-1);
  if (!cards.length) return t("pass");
  if (end >= 55 && end < 59) return `${cardName(cards[0])} ${t("copy_n", { n: end - 54 })}`;
  return cardsText(cards) + (end >= 59 ? ` → ${suitText(end - 59)}` : "");
}
