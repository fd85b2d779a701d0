// The green middle: seats around it, the trick, bids while they are made.

import { cardsText, pile, row, suitSpan } from "./cards.js";
import { h } from "./dom.js";
import { t } from "./lang.js";
import { agentName } from "./lobby.js";

// The next seat sits at one's right hand: play runs against the clock.
function place(relative, players, rx, ry) {
  const angle = Math.PI / 2 - (relative * 2 * Math.PI) / players;
  return { left: `${50 + rx * Math.cos(angle)}%`, top: `${50 + ry * Math.sin(angle)}%` };
}

export const seatName = (state, seat) => {
  if (seat === state.you) return t("you");
  const { name, human } = state.seats[seat];
  if (!human) return `${seat + 1} ${agentName(name)}`;
  return name || t("seat_n", { n: seat + 1 });
};

export function drawFelt(state) {
  const players = state.seats.length;
  const viewer = state.you ?? 0;
  const around = (seat) => (seat - viewer + players) % players;
  const trick = state.trick ?? state.last;
  const past = !state.trick && state.last;
  const wide = document.documentElement.clientWidth >= 640;
  const [size, room] = wide ? [players > 5 ? 46 : 54, players > 5 ? 120 : 160] : [players > 4 ? 32 : 38, players > 4 ? 78 : 104];
  return h("section", { class: `felt ${past ? "past" : ""}` },
    h("div", { class: "rim" }),
    state.seats.map((seat, i) => h("div", { class: "place", style: place(around(i), players, wide ? 43 : players > 4 ? 39 : 37, 40) }, chip(state, i))),
    trick ? trick.plays.map(([seat, cards]) => h("div", { class: `played ${seat === trick.winner ? "winning" : ""}`, style: place(around(seat), players, wide ? 25 : players > 4 ? 20 : 22, wide && players > 5 ? 23 : 20), "data-seat": String(seat) },
      pile(cards, size, room))) : null,
    h("div", { class: "middle" }, middle(state, trick, past)));
}

function middle(state, trick, past) {
  if (state.phase === "bid") return bids(state);
  if (past) return h("p", { class: "note" }, t("took", { who: seatName(state, trick.winner), n: trick.points }));
  if (state.failed) return h("p", { class: "note bad" }, t("throw_failed", { who: seatName(state, trick.plays[0][0]) }));
  if (!trick && state.turn >= 0) return h("p", { class: "note" }, t(`doing_${state.phase}`, { who: seatName(state, state.turn) }));
  return null;
}

function bids(state) {
  const bid = state.bids.at(-1);
  return h("div", { class: "note" },
    h("p", {}, t(state.stage === "dealing" ? "dealing" : "last_bids")),
    bid ? h("p", { class: "standing" }, seatName(state, bid.seat), row(bid.cards, 38, 120), bid.trump >= 0 ? [" ", suitSpan(bid.trump)] : null) : h("p", {}, t("no_bid_yet")));
}

function chip(state, seat) {
  const who = state.seats[seat];
  const marks = [
    state.declarer === seat ? h("b", { class: "mark declarer", title: t("declarer") }, t("declarer_mark")) : null,
    state.sides[seat] === 0 && state.declarer !== seat && state.declarer >= 0 ? h("b", { class: "mark friend", title: t("with_declarer") }, t("friend_mark")) : null,
    who.automatic ? h("b", { class: "mark auto", title: t("bot_plays") }, "⚙") : null,
    who.human && !who.online ? h("b", { class: "mark away", title: t("away") }, "…") : null,
  ];
  const exposed = state.exposed?.[seat] ?? [];
  return h("div", { class: `chip ${state.turn === seat ? "turn" : ""} side-${state.sides[seat]} ${seat === state.you ? "me" : ""}` },
    h("span", { class: "who" }, seatName(state, seat), marks),
    h("span", { class: "facts" }, h("span", { class: "held" }, "🂠 ", String(state.held[seat])), state.taken[seat] ? h("span", { class: "points" }, t("points_n", { n: state.taken[seat] })) : null, state.turn === seat ? h("span", { class: "clock" }) : null),
    exposed.length ? h("span", { class: "exposed", title: t("exposed") }, cardsText(exposed)) : null);
}

