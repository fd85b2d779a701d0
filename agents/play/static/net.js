// The socket to a room: joins again by itself when the line breaks; the server then tells all anew.

export class Line {
  constructor(room, token, name, act) {
    this.hello = { type: "join", room, token, name };
    this.act = act;
    this.wait = 300;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.socket.onopen = () => {
      this.wait = 300;
      this.send(this.hello);
      this.act({ type: "line", up: true });
    };
    this.socket.onmessage = (event) => this.act(JSON.parse(event.data));
    this.socket.onclose = (event) => {
      if (this.ended) return;
      if (event.code === 1008) return this.act({ type: "line", up: false, final: true });
      this.act({ type: "line", up: false });
      setTimeout(() => this.ended || this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, 5000);
    };
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close() {
    this.ended = true;
    this.socket.close();
  }
}

export async function ask(path, body) {
  const options = body ? { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {};
  const answer = await fetch(path, options);
  const found = await answer.json();
  if (!answer.ok) throw found;
  return found;
}
