// The field. Only the cells in sight are in the document; the one with the cursor is as well.

import { $, clamp, make, root } from './dom.js';
import { arrange } from './layout.js';

const MARKS = ['odd', 'first', 'hint', 'flash', 'here', 'chance'];

export class Board {
  view = $('view');
  field = $('field');
  cells = new Map();
  pending = new Map();
  rows = new Map();
  zoom = 1;
  cell = 40;
  sight = '';
  afterGap = null;
  isLooking = false;

  constructor(game, measure) {
    this.game = game;
    this.measure = measure;
    this.view.addEventListener('scroll', () => {
      if (!this.isLooking) requestAnimationFrame(() => this.look());
      this.isLooking = true;
    });
  }

  // Begin with another field.
  reset() {
    this.cells.clear();
    this.pending.clear();
    this.rows.clear();
    this.field.replaceChildren();
    this.zoom = 1;
    this.fit();
    this.view.scrollTo(0, 0);
    this.look();
  }

  // Give everything its place. What this depends on is the window and the board, nothing else.
  fit() {
    const [columns, rows] = this.game.size;
    const { shape, panels, isLarger, ...lengths } =
      arrange(this.measure(), { columns: columns || 9, rows: rows || 9 }, this.zoom);
    for (const [name, length] of Object.entries(lengths)) root.style.setProperty(`--${name}`, `${length}px`);
    Object.assign(root.dataset, { shape, panels });
    root.classList.toggle('larger', isLarger);
    this.isLarger = isLarger;
    const cell = this.cell = lengths.cell;
    this.field.style.width = `${columns * cell}px`;
    this.field.style.height = `${rows * cell}px`;
    this.field.setAttribute('aria-colcount', columns);
    this.field.setAttribute('aria-rowcount', rows);
    this.sight = '';
    this.look();
  }

  // Put the cells in sight into the document, in reading order.
  look() {
    this.isLooking = false;
    const [columns, count] = this.game.size;
    const [column, row] = this.game.cursor;
    const [outer, inner] = [this.view.getBoundingClientRect(), this.field.getBoundingClientRect()];
    const xs = this.inSight(outer.left - inner.left, outer.width, columns);
    const ys = this.inSight(outer.top - inner.top, outer.height, count);
    const seen = [xs[0], xs.at(-1), ys[0], ys.at(-1), column, row].join();
    if (seen === this.sight || !columns) return;
    this.sight = seen;
    const wanted = new Map();
    for (const y of merge(ys, row)) wanted.set(y, y !== row ? xs : merge(ys.includes(y) ? xs : [], column));
    this.clear(wanted);
    place(this.field, [...wanted.keys()].map((y) => this.rows.get(y)));
    this.afterGap?.style.removeProperty('margin-left');
    this.afterGap = null;
    for (const [y, places] of wanted) this.fill(y, places);
  }

  inSight(start, length, count) {
    const first = clamp(0, Math.floor(start / this.cell) - 1, count - 1);
    const last = clamp(0, Math.ceil((start + length) / this.cell), count - 1);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  }

  clear(wanted) {
    for (const [index, element] of this.cells) {
      const [x, y] = this.game.placeOf(index);
      if (wanted.get(y)?.includes(x)) continue;
      this.cells.delete(index);
      element.remove();
    }
    for (const [y, line] of this.rows) {
      if (wanted.has(y)) continue;
      this.rows.delete(y);
      line.remove();
    }
    for (const y of wanted.keys()) {
      if (!this.rows.has(y)) this.rows.set(y, make('div', { role: 'row', 'aria-rowindex': y + 1 }));
    }
  }

  fill(y, places) {
    const line = this.rows.get(y);
    line.style.top = `${y * this.cell}px`;
    line.style.left = `${places[0] * this.cell}px`;
    place(line, places.map((x) => this.cells.get(this.game.indexOf([x, y])) ?? this.makeCell(x, y)));
    const at = places.findIndex((x, number) => x > places[0] + number);
    if (at < 0) return;
    this.afterGap = line.children[at];
    this.afterGap.style.marginLeft = `${(places[at] - places[at - 1] - 1) * this.cell}px`;
  }

  makeCell(column, row) {
    const index = this.game.indexOf([column, row]);
    this.cells.set(index, make('button', { role: 'gridcell', 'aria-colindex': column + 1, 'data-index': index }));
    this.paint(index);
    return this.cells.get(index);
  }

  paint(index) {
    const element = this.cells.get(index);
    if (!element) return;
    const { game } = this;
    const [column, row] = game.placeOf(index);
    const [looks, text] = game.describe(index);
    const chance = game.chances.get(index);
    const isHere = game.indexOf(game.cursor) === index;
    const { first, hint, flash } = game.said;
    const marks = [(column + row) % 2, first.includes(index), hint.includes(index), flash.includes(index), isHere, chance !== undefined];
    element.className = ['cell', looks, ...MARKS.filter((_, at) => marks[at])].join(' ');
    element.textContent = chance ?? text;
    element.setAttribute('aria-label', this.nameOf(index));
    if (chance !== undefined) element.style.setProperty('--chance', `${chance}%`);
    if (this.pending.has(index)) this.mark(index, this.pending.get(index));
    element.tabIndex = isHere ? 0 : -1;
  }

  // What a cell is called, with its place.
  nameOf(index) {
    const { game } = this;
    const chance = game.chances.has(index) ? `, ${game.chances.get(index)} %` : '';
    const first = game.said.first.includes(index) ? ', opens first' : '';
    return `${game.describe(index)[2]}${first}${chance} (${game.placeOf(index)})`;
  }

  // Show at once what was done at a cell, until its answer settles it.
  pend(index, looks) {
    this.pending.set(index, looks);
    this.paint(index);
  }

  settle(index) {
    this.pending.delete(index);
    this.paint(index);
  }

  repaint(cells = this.cells.keys()) {
    for (const index of cells) this.paint(index);
  }

  mark(index, name) {
    this.cells.get(index)?.classList.add(name);
  }

  clearMarks(name) {
    for (const element of this.field.querySelectorAll(`.${name}`)) element.classList.remove(name);
  }

  get here() {
    return this.cells.get(this.game.indexOf(this.game.cursor));
  }

  get hasFocus() {
    return this.field.contains(document.activeElement);
  }

  focus() {
    this.here?.focus({ preventScroll: true });
  }

  // Lead the cursor somewhere else.
  moveTo(place, { isShown = true } = {}) {
    const [before, hadFocus] = [this.game.indexOf(this.game.cursor), this.hasFocus];
    this.game.cursor = place;
    this.moved?.();
    this.look();
    this.paint(before);
    this.paint(this.game.indexOf(place));
    if (isShown) this.show(this.game.indexOf(place));
    if (hadFocus) this.focus();
  }

  // Scroll as little as brings a cell into sight, with those around it.
  show(index) {
    const [column, row] = this.game.placeOf(index);
    const box = this.field.getBoundingClientRect();
    const room = this.view.getBoundingClientRect();
    const need = (start, from, length) => {
      const least = start - this.cell - from;
      const most = start + 2 * this.cell - from - length;
      return least < 0 ? least : Math.max(0, most);
    };
    this.view.scrollBy(
      need(box.left + column * this.cell, room.left, this.view.clientWidth),
      need(box.top + row * this.cell, room.top, this.view.clientHeight),
    );
    this.look();
  }

  // The cell at a point of the window: cells have round corners, but no gaps.
  cellAt(x, y) {
    const box = this.field.getBoundingClientRect();
    const [column, row] = [Math.floor((x - box.left) / this.cell), Math.floor((y - box.top) / this.cell)];
    const isInside = column >= 0 && row >= 0 && column < this.game.size[0] && row < this.game.size[1];
    return isInside ? this.game.indexOf([column, row]) : null;
  }

  zoomTo(zoom, x = innerWidth / 2, y = innerHeight / 2) {
    const box = this.field.getBoundingClientRect();
    const [column, row] = [(x - box.left) / this.cell, (y - box.top) / this.cell];
    this.zoom = clamp(0.4, zoom, 4);
    this.fit();
    const moved = this.field.getBoundingClientRect();
    this.view.scrollBy(moved.left + column * this.cell - x, moved.top + row * this.cell - y);
    this.look();
  }
}

const merge = (sorted, one) => [...new Set([...sorted, one])].sort((a, b) => a - b);

// What is there already stays, and keeps its focus.
function place(parent, elements) {
  let next = parent.firstChild;
  for (const element of elements) {
    if (element === next) next = next.nextSibling;
    else parent.insertBefore(element, next);
  }
}
