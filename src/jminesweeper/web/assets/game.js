// What the server said so far and what follows from it, and the cursor, which is this page's own.

import { FACES, putFaces } from './wire.js';

const { QUESTION, COVERED, FLAGGED, MINED, FATAL } = FACES;

const LARGEST_KEPT = 10_000; // cells of a board whose game is kept

// The members of VIEW before the first one of a connection, as the protocol has them; the others are null.
const UNSAID = {
  label: '', remark: [], mines: 0, left: 0, chords: false, questions: false, clock: 0, clock_runs: false,
  first: [], hint: [], flash: [], figures: [], position: 0, keys: [], sheet: [], seats: [], cursors: [], owners: [], watchers: 0,
};

class Game {
  said = UNSAID;
  size = [0, 0];
  cursor = [0, 0];
  faces = new Uint8Array();
  chances = new Map();
  #clockAt = 0;
  moves = []; // what was seen of this game: for each time the cells that changed, with their faces

  get isPlaying() {
    return this.said.state === 'playing' || this.said.state === 'paused';
  }

  // The board of a round is seen in its countdown, and nobody can act on it.
  get isStarting() {
    return this.said.state === 'starting';
  }

  get isOver() {
    return !!this.said.state && !this.isPlaying && !this.isStarting;
  }

  // Milliseconds of play: between two answers the page counts on by itself.
  get clock() {
    return (this.said.clock ?? 0) + (this.said.clock_runs ? performance.now() - this.#clockAt : 0);
  }

  // How much of the board is open, in percent.
  get solved() {
    const open = this.faces.reduce((count, face) => count + !(face & COVERED), 0);
    return Math.floor(100 * open / (this.faces.length - this.said.mines || 1));
  }

  // Take in a VIEW; say what has changed.
  take({ said, cells }, isFirst) {
    const before = this.before = this.said;
    this.said = { ...(isFirst ? UNSAID : before), last: false, ...said };
    if (said.clock !== undefined || said.clock_runs !== undefined) this.#clockAt = performance.now();
    if (said.rows && this.said.menu) this.said.menu = changedMenu(this.said.menu, said.rows);
    const isNewField = said.size && String(said.size) !== String(this.size);
    if (said.size) {
      this.size = said.size;
      this.faces = new Uint8Array(said.size[0] * said.size[1]).fill(COVERED);
    }
    if (said.odds !== undefined) this.chances = new Map(said.odds);
    const old = this.faces.slice();
    putFaces(this.faces, cells);
    if (said.cursor && said.size) this.cursor = said.cursor;
    const changed = cells.length ? [...this.faces.keys()].filter((index) => this.faces[index] !== old[index]) : [];
    this.note(said, before, changed);
    return { isFirst, said, before, old, changed, isNewField };
  }

  // What is seen of another game, or comes back from there, is no part of this one.
  note({ size }, before, changed) {
    const isElsewhere = ({ replay, watching, aim }) => replay || watching || aim?.id.startsWith('aim.puzzle');
    if (this.faces.length > LARGEST_KEPT || isElsewhere(this.said) || !size && isElsewhere(before)) return;
    if (size) this.moves = [];
    if (changed.length) this.moves.push([Math.round(this.clock), ...changed.flatMap((index) => [index, this.faces[index]])]);
  }

  // Cells around a number blink until the cursor moves; say which did.
  endFlash() {
    const { flash } = this.said;
    this.said = { ...this.said, flash: [] };
    return flash;
  }

  indexOf([column, row]) {
    return row * this.size[0] + column;
  }

  placeOf(index) {
    return [index % this.size[0], Math.floor(index / this.size[0])];
  }

  around(index) {
    const [column, row] = this.placeOf(index);
    const places = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((across) => [column + across, row + down]));
    return places.filter((place) => this.has(place)).map((place) => this.indexOf(place));
  }

  has(place) {
    return place.every((at, axis) => at >= 0 && at < this.size[axis]);
  }

  isCovered(index) {
    return !!(this.faces[index] & COVERED);
  }

  isFlagged(index) {
    return !!(this.faces[index] & FLAGGED);
  }

  // A cell as the player sees it, with what was done and not answered yet.
  seen(index, pending) {
    if (pending === 'flagging') return COVERED | FLAGGED;
    if (pending === 'unflagging') return this.said.questions ? COVERED | QUESTION : COVERED;
    return this.faces[index] & ~(MINED | FATAL);
  }

  get fatal() {
    return this.faces.findIndex((face) => face & FATAL);
  }

  // What a cell looks like, shows, and is called.
  describe(index) {
    const face = this.faces[index];
    const clue = face & 15;
    const [isCovered, isFlagged, isMined] = [COVERED, FLAGGED, MINED].map((bit) => face & bit);
    const number = (looks) => [`${looks} n${clue}`, clue || '', `${clue || 'empty'}`];
    if (this.said.state === 'paused') return ['tile', '', 'hidden'];
    if (this.isPlaying || this.isStarting) {
      if (!isCovered) return isMined ? ['open mine fatal', '', 'mine'] : number('open');
      if (isFlagged) return ['tile flag', '', 'flag'];
      if (isMined) return ['tile mine', '', 'covered, mine'];
      return clue === QUESTION ? ['tile', '?', 'question mark'] : ['tile', '', 'covered'];
    }
    if (face & FATAL) return ['open mine fatal', '', 'the mine that went off'];
    if (isMined) return isFlagged ? ['tile flag', '', 'mine with a flag'] : ['tile mine', '', 'mine'];
    if (isFlagged) return ['tile flag wrong', '', 'wrong flag'];
    return number(isCovered ? 'tile unopened' : 'open');
  }
}

function changedMenu(menu, changed) {
  const rows = menu.rows.map((row) => changed.find(({ id }) => id === row.id) ?? row);
  return { ...menu, rows };
}

export const game = new Game();
