// The field. Only the cells in sight are in the document; the one with the cursor is as well.

import { $, clamp, isTouched, make, root } from './dom.js';
import { game } from './game.js';
import { arrange } from './layout.js';

const MOST_ROWS = 7; // more get other columns with the next frame
const BLANK = make('button', { role: 'gridcell' });
const MARKS = ['odd', 'first', 'hint', 'flash', 'here', 'chance'];

export const view = $('view');
export const field = $('field');

class Board {
  cells = new Map();
  pending = new Map();
  rows = new Map();
  zoom = 1;
  lines = 0; // of those one plays with, above the board
  cell = 40;
  #sight = '';
  #isLooking = false;

  constructor() {
    view.addEventListener('scroll', () => this.#lookSoon());
  }

  // Begin with another field.
  reset() {
    this.cells.clear();
    this.pending.clear();
    this.rows.clear();
    field.replaceChildren();
    this.zoom = 1;
    this.fit();
    view.scrollTo(0, 0);
    this.#look();
  }

  // Give everything its place. What this depends on is the window and the board, nothing else.
  fit() {
    const [columns, rows] = game.size;
    const { shape, panels, isLarger, isRow, ...lengths } =
      arrange(this.#measure(), { columns: columns || 9, rows: rows || 9 }, this.zoom);
    for (const [name, length] of Object.entries(lengths)) root.style.setProperty(`--${name}`, `${length}px`);
    Object.assign(root.dataset, { shape, panels });
    root.classList.toggle('larger', isLarger);
    root.classList.toggle('in-row', isRow);
    this.isLarger = isLarger;
    const cell = this.cell = lengths.cell;
    field.style.width = `${columns * cell}px`;
    field.style.height = `${rows * cell}px`;
    field.setAttribute('aria-colcount', columns);
    field.setAttribute('aria-rowcount', rows);
    this.#sight = '';
    for (const row of this.rows.values()) row.from = null;
    this.#look();
  }

  // The window, as far as the layout depends on it.
  #measure() {
    const padding = getComputedStyle(document.body);
    const side = (...names) => names.reduce((sum, name) => sum + parseFloat(padding[`padding${name}`]), 0);
    return {
      width: root.clientWidth - side('Left', 'Right'),
      height: innerHeight - side('Top', 'Bottom'),
      rem: parseFloat(getComputedStyle(root).fontSize),
      isTouched: isTouched.matches,
      lines: this.lines,
    };
  }

  // Put the cells in sight into the document, in reading order; the one with the cursor is there as well. All
  // rows are laid out anew where columns come and go: some columns come early, and not in all rows at once.
  #look() {
    this.#isLooking = false;
    const [columns, count] = game.size;
    const [column, row] = game.cursor;
    const [outer, inner] = [view.getBoundingClientRect(), field.getBoundingClientRect()];
    const xs = this.#inSight(outer.left - inner.left, outer.width, columns);
    const [top, bottom] = this.#inSight(outer.top - inner.top, outer.height, count);
    const early = Math.max(1, Math.floor((xs[1] - xs[0]) / 8));
    const [left, right] = [Math.floor((xs[0] - early + 1) / early) * early, Math.ceil((xs[1] + early - 1) / early) * early];
    const wanted = [clamp(0, left, columns - 1), clamp(0, right, columns - 1)];
    const seen = [...wanted, top, bottom, column, row].join();
    if (seen === this.#sight || !columns) return;
    this.#sight = seen;
    for (const y of this.rows.keys()) if ((y < top || y > bottom) && y !== row) this.#dropRow(y);
    const ys = merge(Array.from({ length: bottom - top + 1 }, (_, at) => top + at), row);
    const isNew = ys.some((y) => !this.rows.has(y));
    for (const y of ys) if (!this.rows.has(y)) this.rows.set(y, { line: make('div', { role: 'row', 'aria-rowindex': y + 1 }) });
    if (isNew) place(field, ys.map((y) => this.rows.get(y).line));
    let late = 0;
    for (const y of ys) {
      const { from, to, single } = this.rows.get(y);
      const [first, last] = y < top || y > bottom ? [column, column] : wanted;
      const extra = y === row ? column : first;
      if (from === first && to === last && single === extra) continue;
      const isEnough = from <= xs[0] && to >= xs[1] && y !== row && single === from;
      if (isEnough && late++ >= MOST_ROWS) this.#sight = '';
      else this.fill(y, first, last, extra);
    }
    if (!this.#sight) this.#lookSoon();
  }

  #lookSoon() {
    if (!this.#isLooking) requestAnimationFrame(() => this.#look());
    this.#isLooking = true;
  }

  #inSight(start, length, count) {
    return [clamp(0, Math.floor(start / this.cell) - 1, count - 1), clamp(0, Math.ceil((start + length) / this.cell), count - 1)];
  }

  #dropRow(y) {
    const { line } = this.rows.get(y);
    for (const { dataset } of line.children) this.cells.delete(+dataset.index);
    line.remove();
    this.rows.delete(y);
  }

  // Let a row have the columns from one to another, and a single one that may be far from them.
  fill(y, from, to, single) {
    const row = this.rows.get(y);
    const { line, afterGap } = row;
    const start = y * game.size[0];
    const [first, last] = [Math.min(from, single), Math.max(to, single)];
    line.style.top = `${y * this.cell}px`;
    line.style.paddingLeft = `${first * this.cell}px`;
    afterGap?.style.removeProperty('margin-left');
    Object.assign(row, { from, to, single, afterGap: null });
    for (const element of [...line.children]) {
      const x = element.dataset.index - start;
      if ((x >= from && x <= to) || x === single) continue;
      this.cells.delete(start + x);
      element.remove();
    }
    let next = line.firstChild;
    for (let x = first, before = first; x <= last; before = x++) {
      if (x < from && x > first) x = from;
      if (x > to) x = single;
      const element = this.cells.get(start + x) ?? this.#makeCell(start + x, x);
      if (element === next) next = next.nextSibling;
      else line.insertBefore(element, next);
      if (x <= before + 1) continue;
      row.afterGap = element;
      element.style.marginLeft = `${(x - before - 1) * this.cell}px`;
    }
  }

  #makeCell(index, column) {
    const element = BLANK.cloneNode();
    element.setAttribute('aria-colindex', column + 1);
    element.dataset.index = index;
    this.cells.set(index, element);
    this.#paint(index);
    return element;
  }

  #paint(index) {
    const element = this.cells.get(index);
    if (!element) return;
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
    const chance = game.chances.has(index) ? `, ${game.chances.get(index)} %` : '';
    const first = game.said.first.includes(index) ? ', opens first' : '';
    return `${game.describe(index)[2]}${first}${chance} (${game.placeOf(index)})`;
  }

  // Show at once what was done at a cell, until its answer settles it.
  pend(index, looks) {
    this.pending.set(index, looks);
    this.#paint(index);
  }

  settle(index) {
    this.pending.delete(index);
    this.#paint(index);
  }

  repaint(cells = this.cells.keys()) {
    for (const index of cells) this.#paint(index);
  }

  mark(index, name) {
    this.cells.get(index)?.classList.add(name);
  }

  clearMarks(name) {
    for (const element of field.querySelectorAll(`.${name}`)) element.classList.remove(name);
  }

  get here() {
    return this.cells.get(game.indexOf(game.cursor));
  }

  get hasFocus() {
    return field.contains(document.activeElement);
  }

  focus() {
    this.here?.focus({ preventScroll: true });
  }

  // Lead the cursor somewhere else.
  moveTo(place, { isShown = true } = {}) {
    const [before, hadFocus] = [game.indexOf(game.cursor), this.hasFocus];
    game.cursor = place;
    this.moved?.();
    this.#look();
    this.#paint(before);
    this.#paint(game.indexOf(place));
    if (isShown) this.show(game.indexOf(place));
    if (hadFocus) this.focus();
  }

  // Scroll as little as brings a cell into sight, with those around it.
  show(index) {
    const [column, row] = game.placeOf(index);
    const box = field.getBoundingClientRect();
    const room = view.getBoundingClientRect();
    const need = (start, from, length) => {
      const least = start - this.cell - from;
      const most = start + 2 * this.cell - from - length;
      return least < 0 ? least : Math.max(0, most);
    };
    view.scrollBy(
      need(box.left + column * this.cell, room.left, view.clientWidth),
      need(box.top + row * this.cell, room.top, view.clientHeight),
    );
    this.#look();
  }

  // Where on the field a point of the window is, in cells.
  #placeAt(x, y) {
    const { left, top } = field.getBoundingClientRect();
    return [(x - left) / this.cell, (y - top) / this.cell];
  }

  // The cell at a point of the window: cells have round corners, but no gaps.
  cellAt(x, y) {
    const place = this.#placeAt(x, y).map(Math.floor);
    return game.has(place) ? game.indexOf(place) : null;
  }

  zoomTo(zoom, x = innerWidth / 2, y = innerHeight / 2) {
    const [column, row] = this.#placeAt(x, y);
    this.zoom = clamp(0.4, zoom, 4);
    this.fit();
    const [movedColumn, movedRow] = this.#placeAt(x, y);
    view.scrollBy((column - movedColumn) * this.cell, (row - movedRow) * this.cell);
    this.#look();
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

export const board = new Board();
