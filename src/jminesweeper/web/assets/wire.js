// The protocol: bytes for packets, packets for bytes. docs/protocol.md has the tables.

import { translate, turns } from './yesterday.js';

export const TYPES = {
  MOVE_LEFT: 1, MOVE_RIGHT: 2, MOVE_UP: 3, MOVE_DOWN: 4, REVEAL: 5, QUIT: 8, TOGGLE_DEBUG_MODE: 10,
  HELLO: 11, MOVE_TO: 14, NEW_GAME: 15, UNDO: 16, HINT: 17, SAVE: 18, LOAD: 19, MENU: 20, REFRESH: 21,
  POINTER: 22, PAUSE: 25, HELP: 26, TEXT: 27, ERASE: 28, VIEW: 30, ACT: 31, ODDS: 33, SEEK: 34,
  LOOK_BACK: 35, RECORDING: 36,
};
export const BUTTONS = { REVEAL: 0, FLAG: 1, CHORD: 2 };
export const FACES = { QUESTION: 15, COVERED: 16, FLAGGED: 32, MINED: 64, FATAL: 128 };
const FEATURES = { RESUME: 2, LIVE: 4 };
const KINDS = { SAME_SETTINGS: 5, SAME_BOARD: 6 };
const AS_THE_RULES_HAVE_IT = 255;
const AFTER_ASKING = 4;

export function packet(name, ...bytes) {
  const type = TYPES[name];
  return type < 11 ? [type] : [type, 0, 0, bytes.length >> 8, bytes.length & 255, ...bytes];
}

export function textPacket(name, text) {
  const bytes = new TextEncoder().encode([...text].slice(0, 63).join(''));
  return packet(name, bytes.length, ...bytes);
}

// Each of these gives the packets of one thing that a player does.
export const hello = (key) => [packet('HELLO', 2, 0, 0, 0, 0, 3, 1, 2, FEATURES.RESUME | FEATURES.LIVE, key.length, ...key, 0)];
export const newGame = (kind) => [packet('NEW_GAME', KINDS[kind], ...Array(6).fill(0), AS_THE_RULES_HAVE_IT, 0, ...Array(8).fill(0))];
export const act = ([column, row], button) => [packet('ACT', column, row, BUTTONS[button])];
export const at = (cell, name) => [packet('MOVE_TO', ...cell), packet(name)];
export const undo = () => [packet('UNDO', 0, 1)];
export const lookBack = (what) => [packet('LOOK_BACK', what)];
export const playCode = (code) => [textPacket('TEXT', code)];
export const save = () => [textPacket('SAVE', '')];
export const load = () => [textPacket('LOAD', '')];
export const simply = (name) => [packet(name)];

const point = (item, button) => packet('POINTER', 0, 0, item >> 8, item & 255, button);
export const choose = (menu, row) => [point(row, 0)];
export const setText = (menu, row, text) => [point(row, 1), textPacket('TEXT', text), packet('REVEAL')];
export const setNumber = (menu, row, text) => [point(row, 1), textPacket('TEXT', text)];
export const turn = (menu, row, way) => [point(row, 1), packet(way > 0 ? 'MOVE_RIGHT' : 'MOVE_LEFT')];
export const drop = (menu, row) => [point(row, 1), packet('ERASE')];
export const chooseBoard = () => [packet('MENU'), point(1, 0)];
export const showMoment = (before, position) => turns(before, position).map((name) => packet(name));

// Puts a stream of bytes together into the packets that it carries.
export class Reader {
  bytes = new Uint8Array();

  * read(data) {
    const bytes = new Uint8Array(this.bytes.length + data.length);
    bytes.set(this.bytes);
    bytes.set(data, this.bytes.length);
    let start = 0;
    while (bytes.length - start >= 5) {
      const end = start + 5 + new DataView(bytes.buffer, start + 1).getUint32(0);
      if (bytes.length < end) break;
      yield { type: bytes[start], payload: bytes.subarray(start + 5, end) };
      start = end;
    }
    this.bytes = bytes.slice(start);
  }
}

// What the server says: members that changed, and the faces of cells.
export function readView(payload) {
  const end = 2 + ((payload[0] << 8) | payload[1]);
  const said = JSON.parse(new TextDecoder().decode(payload.subarray(2, end)));
  return { said: translate(said), cells: payload.subarray(end) };
}

export function putFaces(faces, cells) {
  if (cells.length === faces.length) return faces.set(cells);
  for (let at = 0; at < cells.length; at += 3 + cells[at + 2]) {
    faces.set(cells.subarray(at + 3, at + 3 + cells[at + 2]), (cells[at] << 8) | cells[at + 1]);
  }
}
