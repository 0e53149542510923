// What stands around the board: counts, name, message, buttons, and beside it figures and the last games.

import { $, isTouched, make, minutes, root, write } from './dom.js';
import { game } from './game.js';

// The page's own words, by the ids that the server sends.
const OFFERED = [
  'undo', 'hint', 'next', 'odds', 'pause', 'resume', 'help', 'new', 'again', 'classic', 'figures', 'replay', 'play_on', 'analysis', 'export',
  'onward', 'ready', 'rivals', 'say', 'give_up', 'leave', 'back',
];
const LABELS = { new: 'play again', onward: 'next puzzle', again: 'same board', classic: 'classic rules', whole: 'whole board', rivals: 'watch others', give_up: 'give up', play_on: 'play on from here' };

const HANDS = {
  finger: 'Tap to open, hold to flag.',
  mouse: 'Left button opens, right button flags.',
};
const REMARKS = { assisted: 'assisted', debug: 'debug', unsaved: 'not saved' };

const LONG = 90; // characters that do not fit on two lines of a phone

class Panels {
  timer = null;
  offered = [];
  #shown = '';

  // `page.js` sets run (command) and keyOf (command).
  constructor() {
    for (const id of ['label', 'mode', 'menu']) $(id).onclick = () => this.run(id);
    $('face').onclick = () => this.run('new');
  }

  draw() {
    const { said } = game;
    root.dataset.state = said.state ?? 'none';
    root.classList.toggle('replaying', !!said.replay);
    root.classList.toggle('over', game.isOver);
    write($('left'), `${said.left ?? 0}`);
    write($('label'), this.label);
    $('solved').style.width = `${game.solved}%`;
    this.#tick();
    this.#drawButtons();
  }

  get label() {
    const { label, remark, lives, watchers, looking } = game.said;
    const parts = [
      label, ...remark.map((id) => REMARKS[id]), this.#pace, lives != null && `lives ${lives}`,
      watchers && `${watchers} watching`, looking && 'waiting for an opponent',
    ];
    return parts.filter(Boolean).join(' · ');
  }

  get #pace() {
    const { pace } = game.said;
    return pace && `${(pace[0] / Math.max(1, game.clock / 1000)).toFixed(2)} 3BV/s`;
  }

  get words() {
    const { message, aim } = game.said;
    return message && message.id !== aim?.id ? message : this.aim;
  }

  // What wins; before anything is done, with what a hand does as well.
  get aim() {
    const { said } = game;
    if (!game.isPlaying || !said.aim) return null;
    const isNew = !game.solved && said.left === said.mines;
    return { text: isNew ? `${said.aim.text} ${HANDS[isTouched.matches ? 'finger' : 'mouse']}` : said.aim.text, tone: 'aim' };
  }

  say(words) {
    const { text, tone } = words ?? { text: '', tone: '' };
    write($('message'), text);
    $('message').className = text.length > LONG ? `${tone} long` : tone;
  }

  // Between two answers the page counts on by itself.
  #tick() {
    clearTimeout(this.timer);
    const { clock, said } = game;
    write($('clock'), minutes(clock));
    if (said.clock_runs) this.timer = setTimeout(() => this.#tick(), 1001 - (clock % 1000));
  }

  // Show buttons of others in the place of the commands; none bring the commands back.
  offer(buttons) {
    this.offered = buttons;
    this.#drawButtons();
  }

  // Flag mode and the menu keep their places; the rest is what can be done now.
  #drawButtons() {
    const { menu, page } = game.said;
    if (menu || page) return;
    $('mode').disabled = !game.isPlaying;
    const buttons = this.offered.length ? this.offered : this.#commands;
    const shown = String(buttons.map(({ name }) => name));
    if (shown === this.#shown) return;
    this.#shown = shown;
    const commands = $('commands');
    commands.replaceChildren(...buttons.map((button) => this.button(button)));
    commands.classList.remove('cut');
    commands.scrollLeft = 0;
    commands.classList.toggle('cut', commands.scrollWidth > commands.clientWidth);
  }

  button({ name, text, key, run, focus }) {
    const attributes = { class: 'key', 'data-name': name, 'data-focus': focus, onclick: run };
    return make('button', attributes, make('kbd', { 'aria-hidden': true }, key), text);
  }

  get #commands() {
    const { keys, replay, looking } = game.said;
    const isAfter = game.isOver && !replay;
    // After a game there is so much to do that help is left to the menu.
    const names = keys.filter((name) => OFFERED.includes(name) && !(isAfter && name === 'help'));
    if (isAfter) names.splice(2, 0, 'share');
    if (looking) names.push('leave');
    if (!replay) names.push('whole');
    return names.map((name) => ({ name, text: LABELS[name] ?? name, key: this.keyOf(name), run: () => this.run(name) }));
  }
}

export const panels = new Panels();
