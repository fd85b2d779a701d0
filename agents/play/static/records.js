// Records on the server: a list, and the replay of one, deal by deal.

import { h, toast } from "./dom.js";
import { t } from "./lang.js";
import { ask } from "./net.js";
import { ReviewPage } from "./review.js";

export class RecordsPage {
  constructor(page, name) {
    this.page = page;
    this.name = name;
    this.deal = 0;
    if (name) this.open();
    else this.list();
  }

  words() {
    if (this.review) this.review.draw();
    else this.list();
  }

  async list() {
    const names = await ask("/api/records");
    this.page.replaceChildren(h("div", { class: "lobby" },
      h("header", {}, h("h1", {}, t("records")), h("a", { href: "#/" }, t("to_lobby"))),
      names.length ? h("ul", { class: "records" }, names.map((name) => h("li", {}, h("a", { href: `#/records/${encodeURIComponent(name)}` }, name)))) : h("p", {}, t("no_records"))));
  }

  open() {
    const fetchStep = async (step, by) => {
      const query = new URLSearchParams({ name: this.name, deal: this.deal, step, by });
      try {
        this.show(await ask(`/api/record?${query}`));
      } catch (refused) {
        toast(t(refused.code ?? "malformed", refused), "bad");
      }
    };
    this.review = new ReviewPage(this.page, null, fetchStep, () => (location.hash = "#/records"));
  }

  show(found) {
    this.review.state = { you: null, seats: found.names.map((name) => ({ name, human: true, online: true, agent: "" })) };
    this.review.deals = { at: found.deal, of: found.deals, go: (deal) => { this.deal = deal; this.review.go(0); } };
    this.review.show(found);
  }
}
