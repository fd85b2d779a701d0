// The corner with trump, level and score, and the result of a deal.

import { cardName, row, suitSpan } from "./cards.js";
import { h } from "./dom.js";
import { seatName } from "./felt.js";
import { t } from "./lang.js";

export function drawPanel(state) {
  const line = (label, ...value) => h("div", { class: "fact" }, h("span", {}, label), h("b", {}, ...value));
  const kitty = state.kitty?.length ? h("details", { class: "kitty", open: state.stage === "done" }, h("summary", {}, t("kitty")), row(state.kitty, 34, 170)) : null;
  return h("aside", { class: "panel" },
    h("div", { class: "trump" }, trumpOf(state) >= 0 ? suitSpan(trumpOf(state)) : "?", h("span", { class: "level" }, state.level || "?")),
    h("div", { class: "facts" },
      line(t("others_points"), String(state.score)),
      line(t("levels"), levels(state)),
      line(t("deal"), String(state.deal)),
      state.calls?.length ? line(t("calls"), state.calls.map((call) => h("span", { class: "call" }, `${cardName(call.kind)} ${t("copy_n", { n: call.ordinal })}`, call.seat >= 0 ? ` = ${seatName(state, call.seat)}` : ""))) : null,
      state.bids?.length && state.phase !== "bid" ? line(t("bid_by"), seatName(state, state.bids.at(-1).seat)) : null,
      kitty));
}

const trumpOf = (state) => (state.phase === "bid" ? state.bids.at(-1)?.trump ?? -1 : state.trump);

function levels(state) {
  const { levels: all } = state;
  const mine = state.you ?? 0;
  if (new Set(all).size === 1) return all[0];
  if (all.every((level, i) => level === all[i % 2])) return `${all[mine]} : ${all[(mine + 1) % all.length]}`;
  return all.join(" ");
}

export function drawResult(state, table) {
  const { result } = state;
  const names = (seats) => seats.map((seat) => seatName(state, seat)).join(t("comma"));
  const mine = state.you !== null && result.winners.includes(state.you);
  const headline = result.ended === 3 ? t("no_bids_ended") : state.you === null ? t("deal_over") : t(mine ? "deal_won" : "deal_lost");
  const risen = Math.max(...result.rise);
  return h("div", { class: "veil" }, h("div", { class: "result", id: "result" },
    h("h2", {}, result.match_over ? t("match_over") : headline),
    h("p", { class: "big" }, t("result_points", { n: result.score })),
    result.capture ? h("p", {}, t("result_capture", { n: result.capture })) : null,
    result.winners.length ? h("p", {}, risen ? t("result_rise", { who: names(result.winners), n: risen }) : t("result_change", { who: names(result.winners) })) : null,
    result.match_over ? h("p", { class: "big" }, result.match_winners.length ? t("match_won", { who: names(result.match_winners) }) : t("match_drawn")) : null,
    state.kitty?.length ? h("div", { class: "shown-kitty" }, h("span", {}, t("kitty")), row(state.kitty, 38, 230)) : null,
    h("p", { class: "buttons" },
      table.token ? h("button", { class: "primary", id: "next", on: { click: () => table.send({ type: "next" }) } }, t(result.match_over ? "new_match" : "next_deal")) : null,
      h("button", { id: "review", on: { click: () => table.openReview() } }, t("replay")))));
}
