// Menus, pages and what the page itself asks, each in a sheet over the board. What is selected is what has the
// focus; only what is chosen, typed or turned is sent.

import { $, make, write } from './dom.js';

const READ = { tabindex: 0, role: 'region', 'aria-labelledby': 'title' };
const PRIMARY = '[data-focus^="0 "]:not(:disabled)';

export class Sheets {
  sheet = $('sheet');
  shown = null;
  isPressed = false;
  isDue = false;

  // `does` has choose, drop and other (menu, row), set (menu, row, value), back, opened, and closed.
  constructor(does) {
    this.does = does;
    const { sheet } = this;
    sheet.addEventListener('cancel', (event) => {
      event.preventDefault();
      does.back();
    });
    sheet.addEventListener('keydown', (event) => {
      // From a text field Chromium does not always ask to cancel.
      const isField = event.target.matches('input');
      const isOfField = (isField || event.target.matches('select')) && !['ArrowUp', 'ArrowDown'].includes(event.key);
      if (isField && event.key === 'Escape') does.back();
      else if (isOfField || !this.key(event.key)) return;
      event.preventDefault();
    });
    sheet.addEventListener('focusin', ({ target }) => this.explain(target.closest('.row')));
    // A click needs the same button from press to release.
    sheet.addEventListener('pointerdown', ({ target }) => (this.isPressed = !!target.closest('button, select')));
    for (const type of ['pointerup', 'pointercancel']) addEventListener(type, () => this.release());
  }

  release() {
    this.isPressed = false;
    if (this.isDue) setTimeout(() => this.draw(this.content, this.message));
  }

  // Show a menu or a page, or nothing.
  draw(content, message) {
    Object.assign(this, { content, message, isDue: this.isPressed });
    if (this.isPressed) return;
    const isSame = this.sheet.open && this.shown === content?.id;
    if (!content) this.close();
    else if (!isSame || !this.isTyping) this.render(content, message, isSame);
  }

  close() {
    if (!this.sheet.open) return;
    this.sheet.close();
    this.sheet.replaceChildren();
    this.does.closed();
  }

  // An answer to something else must not take away what was typed since.
  get isTyping() {
    const { value, defaultValue } = document.activeElement;
    return document.activeElement.matches('#sheet input:not([type])') && value !== defaultValue;
  }

  render(content, message, isSame) {
    const { sheet } = this;
    // A field that is taken away says that it has changed, but what is in it was given up.
    document.activeElement.onchange = null;
    const focused = isSame && document.activeElement.dataset.focus;
    const scrolled = isSame ? sheet.querySelector('.scroll').scrollTop : 0;
    const body = make('div', { class: 'scroll', ...(content.rows ? { tabindex: -1 } : READ) });
    body.append(...(content.rows ? this.rows(content) : lines(content.lines)), ...this.does.extras(content.id), content.body ?? '');
    const status = isSame ? sheet.querySelector('[role=status]') : make('p', { role: 'status' });
    const back = make('button', { class: 'key', onclick: () => this.does.back() }, content.back ?? 'back');
    const footer = make('footer', {}, ...(content.buttons ?? []), back);
    sheet.replaceChildren(make('h2', { id: 'title' }, content.title), body, make('p', { class: 'note' }), status, footer);
    this.shown = content.id;
    if (!sheet.open) {
      sheet.showModal();
      this.does.opened();
    }
    write(status, message?.text ?? '');
    status.className = message?.tone ?? '';
    body.scrollTop = scrolled;
    const selected = content.rows?.findIndex(({ id }) => id === content.selected);
    const same = focused && sheet.querySelector(`[data-focus="${CSS.escape(focused)}"]`);
    const chosen = selected >= 0 && body.querySelector(`[data-focus="0 ${selected}"]`);
    const first = same || chosen || body.querySelector(PRIMARY) || body;
    first.focus();
    if (first.matches('input:not([type])')) first.select();
  }

  rows(menu) {
    return menu.rows.map((row, place) => this.row(menu, row, place));
  }

  row(menu, row, place) {
    if (row.kind === 'heading') return make('h3', {}, row.label);
    const [set, focus] = [(value) => this.does.set(menu, row, value), `0 ${place}`];
    const box = make('div', { class: 'row', 'data-help': row.help });
    const more = (number, text, label, run) => {
      const attributes = { class: 'more', 'aria-label': `${label} ${row.label}`, 'data-focus': `${number} ${place}` };
      return make('button', { ...attributes, onclick: run }, text);
    };
    if (row.kind === 'number' || row.kind === 'text') {
      const mode = row.kind === 'text' ? 'text' : 'numeric';
      const plain = { autocomplete: 'off', spellcheck: 'false', inputmode: mode };
      const input = make('input', { value: row.value ?? '', 'aria-label': row.label, 'data-focus': focus, ...plain });
      const send = (event) => {
        // What closes the sheet must not press what gets the focus then.
        event?.preventDefault();
        input.defaultValue = input.value;
        set(input.value);
      };
      if (row.kind === 'number') input.onchange = send;
      else input.onkeydown = (event) => event.key === 'Enter' && send(event);
      box.append(make('label', {}, row.label), input);
      if (row.kind === 'text') box.append(more(1, 'OK', 'OK', send));
    } else if (row.kind === 'choice') {
      const options = row.choices.map((choice) => make('option', { selected: choice === row.value && '' }, choice));
      const select = make('select', { 'aria-label': row.label, 'data-focus': focus }, ...options);
      select.onchange = () => set(select.value);
      box.append(make('label', {}, row.label), select);
    } else {
      const value = [row.value, ...(row.figures ?? [])].filter(Boolean).join('  ');
      const button = make('button', { 'data-focus': focus, disabled: row.disabled && '' }, row.label);
      button.onclick = () => this.does.choose(menu, row);
      if (value || row.disabled) button.append(make('span', {}, value || row.disabled));
      box.append(button);
    }
    if (row.other) box.append(more(3, row.other, row.other, () => this.does.other(menu, row)));
    if (row.drop) box.append(more(2, '×', 'delete', () => this.does.drop(menu, row)));
    return box;
  }

  explain(row) {
    const note = this.sheet.querySelector('.note');
    if (note) write(note, row?.dataset.help ?? '');
  }

  // Up and down go from row to row.
  key(name) {
    const row = document.activeElement.closest('.row');
    const controls = [...this.sheet.querySelectorAll(PRIMARY)];
    if (['ArrowUp', 'ArrowDown'].includes(name) && controls.length) {
      const at = controls.indexOf(row?.querySelector(PRIMARY) ?? controls[0]);
      const next = controls.at((at + (name === 'ArrowDown' ? 1 : -1)) % controls.length);
      next.focus();
      next.select?.();
    } else if (name === 'Enter') document.activeElement.click();
    else if (name === 'Delete') row?.querySelector('[data-focus^="2 "]')?.click();
    else return false;
    return !!row || controls.length > 0;
  }
}

function lines(texts) {
  return texts.map((line) => {
    if (typeof line !== 'string') return make('div', { class: 'wide', tabindex: 0 }, table(line));
    return make('p', {}, line);
  });
}

function table({ head, rows }) {
  const line = (cells, tag) => make('tr', {}, ...cells.map((cell) => make(cell ? tag : 'td', {}, cell)));
  return make('table', {}, line(head, 'th'), ...rows.map((cells) => line(cells, 'td')));
}
