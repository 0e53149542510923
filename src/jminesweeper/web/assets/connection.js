// The connection to the server: it comes back by itself, and plays nothing that was done blindly.

import { packet, Reader, TYPES } from './wire.js';

// Every packet is answered. What is done while an answer is late waits; after the second time it is
// dropped. The longest answers, of a worker that a busy server has to start first, take 47 s; the
// first one needs no worker.
const LATE_MS = 1_000;
const SILENT_MS = 2_000;
const GIVEN_UP_MS = 50_000;
const FIRST_MS = 10_000;
const LONGEST_REST_MS = 8_000;

// `page.js` sets four functions: `greet` gives the first packets; `hear` gets each answer with the mark of what it
// answers; `tell` gets a sentence about the connection, or none; `forget` gets the marks of what is lost.
class Connection {
  #socket = null;
  isOver = false;
  isFresh = true;
  #wasHeard = false;
  #tries = 0;
  #unanswered = [];
  #waiting = [];
  #heardAt = 0;
  timer = null;

  open() {
    this.drop();
    this.isFresh = true;
    const socket = new WebSocket(new URL('play', document.baseURI.replace(/^http/, 'ws')), 'jminesweeper.2');
    const reader = new Reader();
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => this.greet().forEach((bytes) => this.put(bytes));
    socket.onmessage = ({ data }) => {
      for (const { type, payload } of reader.read(new Uint8Array(data))) this.take(type, payload);
    };
    socket.onclose = () => this.lose();
    this.#socket = socket;
    this.timer = setTimeout(() => this.lose(), FIRST_MS);
  }

  // True while an answer is due that decides what the next keys mean.
  get isDeciding() {
    return [...this.#unanswered, ...this.#waiting.map(({ mark }) => mark)].some((mark) => mark?.isDeciding);
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  // Send a packet; `mark` comes back with its answer.
  send(bytes, mark) {
    if (!this.isOpen) return this.forget([mark]);
    const silence = this.#unanswered.length ? performance.now() - this.#heardAt : 0;
    if (silence < LATE_MS && !this.#waiting.length) return this.put(bytes, mark);
    this.#waiting.push({ bytes, mark });
    if (silence >= SILENT_MS) this.#dropWaiting();
  }

  put(bytes, mark) {
    if (!this.#unanswered.length) this.#expect();
    this.#unanswered.push(mark);
    this.#socket.send(new Uint8Array(bytes));
  }

  // Notice when no answer comes, though the connection may seem to be open.
  #expect() {
    this.#heardAt = performance.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.#dropWaiting();
      const rest = (this.isFresh ? FIRST_MS : GIVEN_UP_MS) - SILENT_MS;
      this.timer = setTimeout(() => this.lose(), rest);
    }, SILENT_MS);
  }

  #dropWaiting() {
    const dropped = this.#waiting.splice(0).map(({ mark }) => mark);
    const trouble = dropped.length ? 'No answer. What you did since then was dropped.' : 'Waiting for the server …';
    if (!this.isFresh) this.tell(trouble);
    this.forget(dropped);
  }

  take(type, payload) {
    if (type !== TYPES.VIEW && type !== TYPES.RECORDING) return;
    clearTimeout(this.timer);
    this.tell('');
    const isFirst = this.isFresh;
    this.isFresh = false;
    this.#wasHeard = true;
    this.#tries = 0;
    this.hear(type, payload, { isFirst, answered: () => this.#unanswered.shift() });
    if (this.#unanswered.length) this.#expect();
    const waiting = this.#waiting.splice(0);
    for (const { bytes, mark } of waiting) this.put(bytes, mark);
  }

  lose() {
    this.drop();
    if (this.isOver) return;
    const trouble = this.#wasHeard ? 'Connection lost. Reconnecting …' : 'No server answers. Trying again …';
    this.tell(navigator.onLine ? trouble : 'You are offline. The game waits for you.');
    const rest = Math.min(LONGEST_REST_MS, 250 * 2 ** this.#tries++) * (0.5 + Math.random() / 2);
    this.timer = setTimeout(() => this.open(), rest);
  }

  // Hang up without noticing what else comes.
  drop() {
    clearTimeout(this.timer);
    if (this.#socket) Object.assign(this.#socket, { onopen: null, onmessage: null, onclose: null }).close();
    this.forget([...this.#unanswered.splice(0), ...this.#waiting.splice(0).map(({ mark }) => mark)]);
  }

  // Come back at once when there is reason to hope.
  comeBack() {
    if (!this.isOver && this.#socket.readyState >= WebSocket.CLOSING) this.open();
  }

  quit() {
    if (this.isOpen) this.put(packet('QUIT'));
    this.end();
    this.drop();
  }

  // What comes now is the last: nobody connects again.
  end() {
    this.isOver = true;
  }
}

export const connection = new Connection();
export const send = (bytes) => connection.send(bytes);
// What keys mean after this depends on its answer: they wait for it.
export const ask = (bytes) => connection.send(bytes, { isDeciding: true });
