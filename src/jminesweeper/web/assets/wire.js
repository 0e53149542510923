// The protocol: bytes for packets, packets for bytes. docs/protocol.md has the tables.

export const TYPES = {
  QUIT: 8, TOGGLE_DEBUG_MODE: 10, HELLO: 11, MOVE_TO: 14, NEW_GAME: 15, UNDO: 16, HINT: 17, SAVE: 18, LOAD: 19,
  MENU: 20, REFRESH: 21, PAUSE: 25, CODE: 27, VIEW: 30, ACT: 31, PICK: 32, ODDS: 33, SEEK: 34, LOOK_BACK: 35,
  RECORDING: 36, REPLAY: 37, JOIN: 38, WATCH: 39, READY: 41, SAY: 42, LEAVE: 43, GIVE_UP: 44,
};
export const FACES = { QUESTION: 15, COVERED: 16, FLAGGED: 32, MINED: 64, FATAL: 128 };
export const LOOKS = { REPLAY: 0, ANALYSIS: 1, RECORDING: 2, PLAY_ON: 3, PICTURE: 4 };
const BUTTONS = { REVEAL: 0, FLAG: 1, CHORD: 2, FLAG_AROUND: 4 };
const FEATURES = { RESUME: 2, LIVE: 4 };
const FLAGS = { IF_NONE: 2 };
const PICKS = { CHOOSE: 0, DROP: 1, OTHER: 2 };
const LONGEST = 63; // characters of a name

export function packet(name, ...bytes) {
  const type = TYPES[name];
  return type < 11 ? [type] : [type, 0, 0, bytes.length >> 8, bytes.length & 255, ...bytes];
}

function text(string) {
  const bytes = new TextEncoder().encode([...string].slice(0, LONGEST).join(''));
  return [bytes.length, ...bytes];
}

export const hello = (key, name) => packet('HELLO', 2, FEATURES.RESUME | FEATURES.LIVE, key.length, ...key, ...text(name));
// A board by its text; without one another game like the last, or its board 'again'.
export const newGame = (board = '', flags = 0) => packet('NEW_GAME', flags, ...text(board));
export const firstGame = () => newGame('', FLAGS.IF_NONE);
export const act = (cell, button, seen) => packet('ACT', ...cell, BUTTONS[button], seen);
export const named = (name, string = '') => packet(name, ...text(string));
export const pick = (what, menu, row, value = '') => packet('PICK', PICKS[what], ...text(menu), ...text(row), ...text(value));
export const showMoment = (position) => packet('REPLAY', position >> 8, position & 255);

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
  return { said: JSON.parse(new TextDecoder().decode(payload.subarray(end))), cells: payload.subarray(2, end) };
}

export function putFaces(faces, cells) {
  if (cells.length === faces.length) return faces.set(cells);
  for (let at = 0; at < cells.length; at += 3 + cells[at + 2]) {
    faces.set(cells.subarray(at + 3, at + 3 + cells[at + 2]), (cells[at] << 8) | cells[at + 1]);
  }
}
