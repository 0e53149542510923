// Menus, pages and what the page itself asks, each in a sheet over the board. What is selected is what has the
// focus; only what is chosen, typed or turned is sent.

import { $, make, write } from './dom.js';

const READ = { tabindex: 0, role: 'region', 'aria-labelledby': 'title' };
const PRIMARY = '[data-focus^="0 "]:not(:disabled)';

const sheet = $('sheet');
const note = make('p', { class: 'note' });

class Sheets {
  #shown = null;
  isPressed = false;
  isDue = false;

  // `page.js` sets pick (what, menu, row, value), table, extras, back, opened, and closed.
  constructor() {
    sheet.addEventListener('cancel', (event) => {
      event.preventDefault();
      this.back();
    });
    sheet.addEventListener('keydown', (event) => {
      // From a text field Chromium does not always ask to cancel.
      const isField = event.target.matches('input');
      const isOfField = (isField || event.target.matches('select')) && !['ArrowUp', 'ArrowDown'].includes(event.key);
      if (isField && event.key === 'Escape') this.back();
      else if (isOfField || !this.key(event.key)) return;
      event.preventDefault();
    });
    sheet.addEventListener('focusin', ({ target }) => write(note, target.closest('.row')?.dataset.help ?? ''));
    // A click needs the same button from press to release.
    sheet.addEventListener('pointerdown', ({ target }) => (this.isPressed = !!target.closest('button, select')));
    for (const type of ['pointerup', 'pointercancel']) addEventListener(type, () => this.#release());
  }

  #release() {
    this.isPressed = false;
    if (this.isDue) setTimeout(() => this.draw(this.content, this.message));
  }

  // Show a menu or a page, or nothing.
  draw(content, message) {
    Object.assign(this, { content, message, isDue: this.isPressed });
    if (this.isPressed) return;
    const isSame = sheet.open && this.#shown === content?.id;
    if (!content) this.close();
    else if (!isSame || !this.#isTyping) this.#render(content, message, isSame);
  }

  close() {
    if (!sheet.open) return;
    sheet.close();
    sheet.replaceChildren();
    this.closed();
  }

  // An answer to something else must not take away what was typed since.
  get #isTyping() {
    const { value, defaultValue } = document.activeElement;
    return document.activeElement.matches('#sheet input:not([type])') && value !== defaultValue;
  }

  #render(content, message, isSame) {
    // A field that is taken away says that it has changed, but what is in it was given up.
    document.activeElement.onchange = null;
    const focused = isSame && document.activeElement.dataset.focus;
    const scrolled = isSame ? sheet.querySelector('.scroll').scrollTop : 0;
    const { rows } = content;
    const children = rows
      ? rows.map((row, place) => this.row(content, row, place))
      : content.lines.map((line) => (line.head ? this.table(line) : make('p', {}, line)));
    const body = make('div', { class: 'scroll', ...(rows ? { tabindex: -1 } : READ) }, ...children, ...this.extras(content.id), content.body ?? '');
    // A live region that is new is not read.
    const status = isSame ? sheet.querySelector('[role=status]') : make('p', { role: 'status' });
    const back = make('button', { class: 'key', onclick: () => this.back() }, content.back ?? 'back');
    const footer = make('footer', {}, ...(content.buttons ?? []), back);
    sheet.replaceChildren(make('h2', { id: 'title' }, content.title), body, note, status, footer);
    this.#shown = content.id;
    if (!sheet.open) {
      sheet.showModal();
      this.opened();
    }
    write(status, message?.text ?? '');
    status.className = message?.tone ?? '';
    body.scrollTop = scrolled;
    const selected = rows?.findIndex(({ id }) => id === content.selected);
    const same = focused && sheet.querySelector(`[data-focus="${CSS.escape(focused)}"]`);
    const chosen = selected >= 0 && body.querySelector(`[data-focus="0 ${selected}"]`);
    const first = same || chosen || body.querySelector(PRIMARY) || body;
    first.focus();
    if (first.matches('input:not([type])')) first.select();
  }

  row(menu, row, place) {
    const { kind, label, value, figures = [], disabled } = row;
    if (kind === 'heading') return make('h3', {}, label);
    const pick = (what, typed) => this.pick(what, menu, row, typed);
    const named = { 'aria-label': label, 'data-focus': `0 ${place}` };
    const box = make('div', { class: 'row', 'data-help': row.help });
    const more = (number, text, onclick, verb = text) =>
      box.append(make('button', { class: 'more', 'aria-label': `${verb} ${label}`, 'data-focus': `${number} ${place}`, onclick }, text));
    if (kind === 'choice') {
      const options = row.choices.map((choice) => make('option', { selected: choice === value && '' }, choice));
      const onchange = ({ target }) => pick('CHOOSE', target.value);
      box.append(make('label', {}, label), make('select', { ...named, onchange }, ...options));
    } else if (kind === 'number' || kind === 'text') {
      const isText = kind === 'text';
      const plain = { autocomplete: 'off', spellcheck: 'false', inputmode: isText ? 'text' : 'numeric' };
      const input = make('input', { ...named, value: value ?? '', ...plain });
      const send = (event) => {
        // What closes the sheet must not press what gets the focus then.
        event.preventDefault();
        input.defaultValue = input.value;
        pick('CHOOSE', input.value);
      };
      if (isText) input.onkeydown = (event) => event.key === 'Enter' && send(event);
      else input.onchange = send;
      box.append(make('label', {}, label), input);
      if (isText) more(1, 'OK', send);
    } else {
      const told = [value, ...figures].filter(Boolean).join('  ') || disabled;
      const attributes = { 'data-focus': `0 ${place}`, disabled: disabled && '', onclick: () => pick('CHOOSE') };
      box.append(make('button', attributes, label, told ? make('span', {}, told) : ''));
    }
    if (row.other) more(3, row.other, () => pick('OTHER'));
    if (row.drop) more(2, '×', () => pick('DROP'), 'delete');
    return box;
  }

  // Up and down go from row to row.
  key(name) {
    const row = document.activeElement.closest('.row');
    const controls = [...sheet.querySelectorAll(PRIMARY)];
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

export const sheets = new Sheets();
