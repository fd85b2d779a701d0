// Cards as cards: kinds 0..51 are 13 * suit + rank (diamonds, clubs, hearts, spades), 52 and 53 jokers.

import { h } from "./dom.js";
import { t } from "./lang.js";

export const SUITS = ["♦", "♣", "♥", "♠"];
const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const TEXT = "\ufe0e"; // suits as text, not as coloured pictures

export const isJoker = (kind) => kind >= 52;
export const isRed = (kind) => kind === 53 || (kind < 52 && Math.floor(kind / 13) % 2 === 0);
export const suitText = (suit) => (suit >= 0 && suit < 4 ? SUITS[suit] + TEXT : t("no_trump"));
export const rankText = (kind) => (isJoker(kind) ? (kind === 53 ? "★" : "☆") : RANKS[kind % 13]);
export const suitOf = (kind) => (isJoker(kind) ? "" : SUITS[Math.floor(kind / 13)] + TEXT);

export function cardName(kind) {
  if (kind < 0) return t("hidden_card");
  if (isJoker(kind)) return t(kind === 53 ? "big_joker" : "small_joker");
  return suitOf(kind).replace(TEXT, "") + rankText(kind);
}

export const cardsText = (kinds) => kinds.map(cardName).join(" ");

export const suitSpan = (suit) =>
  h("span", { class: `suit ${suit === 0 || suit === 2 ? "red" : "black"}` }, suitText(suit));

export function card(kind, extra = {}) {
  const { tag = "div", classes = "", ...props } = extra;
  if (kind < 0) return h(tag, { ...props, class: `card back ${classes}`, title: cardName(kind) });
  const joker = isJoker(kind);
  return h(tag, {
    ...props,
    class: `card ${isRed(kind) ? "red" : "black"} ${joker ? "joker" : ""} ${classes}`,
    title: cardName(kind),
    "aria-label": cardName(kind),
    "data-kind": String(kind),
  },
  h("span", { class: "corner" }, h("b", {}, rankText(kind)), joker ? h("i", { class: "word" }, t("joker_word")) : h("i", {}, suitOf(kind))),
  h("span", { class: "face", "aria-hidden": "true" }, joker ? (kind === 53 ? "★" : "☆") : suitOf(kind)));
}

// Some cards side by side, each `size` wide, overlapping so as to stay within a width.
export function row(kinds, size, width) {
  const strip = kinds.length > 1 ? Math.min((width - size) / (kinds.length - 1), size * 0.62) : size;
  return h("div", { class: "cards small", style: { "--cw": `${size}px`, "--strip": `${strip}px` } }, kinds.map((kind) => card(kind)));
}

// Cards that were played: in rows, so that every rank can be read.
export function pile(kinds, size, width) {
  const most = Math.floor((width - size) / (size * 0.44)) + 1;
  const rows = [];
  for (let at = 0; at < kinds.length; at += most) rows.push(row(kinds.slice(at, at + most), size, width));
  return h("div", { class: "pile", style: { "--cw": `${size}px` } }, rows);
}
