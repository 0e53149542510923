// What stands around the board: counts, name, message, buttons, and beside it figures and the last games.

import { lastGames } from './device.js';
import { $, isTouched, make, minutes, root, write } from './dom.js';

// The page's own words, by the ids that the server sends.
const BUTTONS = [
  'undo', 'hint', 'next', 'odds', 'pause', 'resume', 'help', 'new', 'again', 'classic', 'figures', 'replay', 'analysis', 'export', 'ready', 'say', 'leave', 'back',
];
const LABELS = { new: 'play again', again: 'same board', classic: 'classic rules', whole: 'whole board' };

const HANDS = {
  finger: 'Tap to open, hold to flag.',
  mouse: 'Left button opens, right button flags.',
};
const REMARKS = { assisted: 'assisted', debug: 'debug', unsaved: 'not saved' };

const hands = () => HANDS[isTouched.matches ? 'finger' : 'mouse'];


const MARKS = { won: '✓', lost: '✗' };

export class Panels {
  timer = null;
  shownKeys = '';

  constructor(game, run, keyOf) {
    Object.assign(this, { game, run, keyOf });
    for (const id of ['label', 'mode', 'menu']) $(id).onclick = () => run(id);
    $('face').onclick = () => run('new');
  }

  draw(isAway) {
    const { game } = this;
    const { said } = game;
    root.dataset.state = said.state ?? 'none';
    root.classList.toggle('replaying', !!said.replay);
    root.classList.toggle('over', game.isOver);
    write($('left'), `${said.left ?? 0}`);
    write($('label'), [said.label, ...said.remark.map((id) => REMARKS[id]), this.pace, said.lives !== null && `lives ${said.lives}`, said.watchers && `${said.watchers} watching`, said.looking && 'waiting for an opponent'].filter(Boolean).join(' · '));
    $('solved').style.width = `${game.solved}%`;
    this.tick();
    this.say(said.message && said.message.id !== said.aim?.id ? said.message : this.aim);
    this.drawButtons();
    this.drawFigures();
  }

  get pace() {
    const { pace } = this.game.said;
    return pace && `${(pace[0] / Math.max(1, this.game.clock / 1000)).toFixed(2)} 3BV/s`;
  }

  // What wins; before anything is done, with what a hand does as well.
  get aim() {
    const { said } = this.game;
    if (!this.game.isPlaying || !said.aim) return null;
    const isNew = !this.game.solved && said.left === said.mines;
    return { text: isNew ? `${said.aim.text} ${hands()}` : said.aim.text, tone: 'aim' };
  }

  say(words) {
    write($('message'), words?.text ?? '');
    $('message').className = words?.tone ?? '';
  }

  // Between two answers the page counts on by itself.
  tick() {
    clearTimeout(this.timer);
    const { clock, said } = this.game;
    write($('clock'), minutes(clock));
    if (said.clock_runs) this.timer = setTimeout(() => this.tick(), 1001 - (clock % 1000));
  }

  // Flag mode and the menu keep their places; the rest is what can be done now.
  drawButtons() {
    const { keys, replay } = this.game.said;
    if (this.game.said.menu || this.game.said.page) return;
    $('mode').disabled = !this.game.isPlaying;
    const names = keys.filter((name) => BUTTONS.includes(name));
    if (this.game.isOver && !replay) names.splice(2, 0, 'share');
    if (this.game.said.looking) names.push('leave');
    if (!replay) names.push('whole');
    if (String(names) === this.shownKeys) return;
    this.shownKeys = String(names);
    $('commands').replaceChildren(...names.map((name) => {
      const key = make('kbd', { 'aria-hidden': true }, this.keyOf(name) ?? '');
      return make('button', { class: 'key', 'data-name': name, onclick: () => this.run(name) }, key, LABELS[name] ?? name);
    }));
  }

  drawFigures() {
    const { figures } = this.game.said;
    $('figures').hidden = !this.game.isOver || !figures.length;
    if (!$('figures').hidden) $('figures').replaceChildren(make('h2', {}, 'This game'), listOf(figures));
  }

  drawGames() {
    const games = lastGames();
    $('games').hidden = !games.length;
    const items = games.map(({ label, state, clock }) => make('li', { class: state }, make('b', {}, MARKS[state] ?? '–'), ` ${label} `, make('span', {}, minutes(clock))));
    $('games').replaceChildren(make('h2', {}, 'Last games'), make('ol', {}, ...items));
  }
}

// The figures of a game; its seed code is a link that can be kept.
export function listOf(figures) {
  return make('ul', {}, ...figures.map(([name, value]) => {
    const shown = name === 'seed code' ? make('a', { href: `#${value}`, onclick: () => (location.hash = '') }, value) : value;
    return make('li', {}, name ? `${name} ` : '', shown);
  }));
}
