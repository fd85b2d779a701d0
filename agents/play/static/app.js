// Which page is shown: the lobby, or a table, by what stands after the #.

import { toast } from "./dom.js";
import { onLanguage, startLanguage, t } from "./lang.js";
import { showLobby } from "./lobby.js";
import { RecordsPage } from "./records.js";
import { TablePage } from "./table.js";

const page = document.getElementById("page");
let shown = null;

function route() {
  shown?.close?.();
  const [, where, room, token] = location.hash.slice(1).split("/");
  page.replaceChildren();
  document.body.className = where === "room" || where === "watch" || (where === "records" && room) ? "at-table" : "at-lobby";
  if (where === "room" && room && token) shown = new TablePage(page, room, token);
  else if (where === "watch" && room) shown = new TablePage(page, room, null);
  else if (where === "records") shown = new RecordsPage(page, decodeURIComponent(room ?? ""));
  else shown = showLobby(page);
}

window.addEventListener("unhandledrejection", (event) => toast(event.reason?.code ? t(event.reason.code, event.reason) : String(event.reason), "bad"));
await startLanguage();
onLanguage(() => (shown?.words ? shown.words() : route()));
window.addEventListener("hashchange", route);
route();
