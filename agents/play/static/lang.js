// Words of the page: language files, and the sentences that the server's codes stand for.

const LANGUAGES = ["en", "zh"];
let words = {};
let current = "en";
const listeners = new Set();

export const language = () => current;
export const onLanguage = (act) => listeners.add(act);

export async function setLanguage(name) {
  current = LANGUAGES.includes(name) ? name : "en";
  words = await (await fetch(`/static/lang/${current}.json`)).json();
  localStorage.setItem("language", current);
  document.documentElement.lang = current === "zh" ? "zh-CN" : "en";
  for (const act of listeners) act();
}

export const startLanguage = () =>
  setLanguage(localStorage.getItem("language") ?? (navigator.language.startsWith("zh") ? "zh" : "en"));

export function t(key, values = {}) {
  const text = words[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

export const has = (key) => key in words;

export const otherLanguage = () => LANGUAGES[(LANGUAGES.indexOf(current) + 1) % LANGUAGES.length];
