// Small helpers to build elements, and messages that fade.

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else if (name === "style") for (const [key, v] of Object.entries(value)) element.style.setProperty(key, v);
    else if (name === "class") element.className = value;
    else if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function toast(text, kind = "info") {
  const place = document.getElementById("toasts");
  const box = h("div", { class: `toast ${kind}` }, text);
  place.append(box);
  while (place.children.length > 3) place.firstChild.remove();
  setTimeout(() => box.remove(), kind === "bad" ? 7000 : 4000);
}

export function dialog(title, ...content) {
  const box = h("dialog", { class: "dialog", on: { close: () => box.remove(), click: (e) => e.target === box && box.close() } },
    h("header", {}, h("h2", {}, title), h("button", { class: "close", "aria-label": "×", on: { click: () => box.close() } }, "×")),
    h("div", { class: "body" }, ...content));
  document.body.append(box);
  box.showModal();
  return box;
}
