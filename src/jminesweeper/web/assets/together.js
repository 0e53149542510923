// Playing together: a room before, during and after a round, and watching.

import { board, field, view } from './board.js';
import { ask, send } from './connection.js';
import { device } from './device.js';
import { $, clamp, make, minutes, root, write } from './dom.js';
import { game } from './game.js';
import { panels } from './panels.js';
import { sheets } from './sheets.js';
import { named, newGame, packet } from './wire.js';

const PHRASES = ['Look here', 'Hello!', 'Well done!', 'Oh no!', 'Wait for me.', 'Thank you.', 'Again?'];
const KINDS = { race: 'Race', shared: 'Shared board' };
const MINES = { ends: 'A mine is the end', penalty: 'A mine costs ten seconds', life: 'A mine costs one of three lives' };
const HEARD_MS = 4_000;
const LOOK_MS = 3_000;
const NEWS_MS = 5_000;
const EDGE_PX = 14;
const CURSOR_MS = 100;
const MOST_LINES = 4;

const list = make('ol', { id: 'seats', 'aria-label': 'Players', tabindex: 0, hidden: '' });
const others = make('div', { id: 'others', 'aria-hidden': true });
const looks = make('div', { id: 'looks', 'aria-hidden': true });
const count = make('div', { id: 'starts', role: 'timer', hidden: '' });
const wait = make('i', { class: 'wait', hidden: '' });
const edges = make('div', { id: 'edges', 'aria-hidden': true });

class Together {
  #ends = {};
  #heard = new Map();
  news = new Map();
  timer = null;
  #cursorTimer = null;
  #isIn = false;
  #pointed = null;
  #told = '';
  #isDismissed = false;

  // `page.js` sets feel, open, drawSheet, offer, introduce, and after: what is loaded with the end of a game.
  constructor() {
    document.querySelector('main').prepend(list);
    looks.append(wait);
    view.append(others, looks, count);
    document.body.append(edges);
    board.moved = () => this.#tellCursor();
    view.addEventListener('scroll', () => this.#pointToOthers());
    addEventListener('resize', () => this.#pointToOthers());
    field.addEventListener('pointermove', (event) => event.pointerType === 'mouse' && this.#tellPointer(event));
  }

  get isPlaying() {
    return game.said.room?.state === 'running';
  }

  // Who watches a race sees how far everybody is, and no board.
  get #isOutside() {
    return this.isPlaying && !game.said.state && !game.said.room.you;
  }

  // Come into the room of a link, or watch; others see a name.
  enter(way, code) {
    const come = () => ask(named(way === 'watch' ? 'WATCH' : 'JOIN', code));
    if (way === 'watch' || device.name || history.state?.isRead) return come();
    this.open({
      id: 'name',
      title: 'Play together',
      rows: [
        { id: 'name', kind: 'text', label: 'Your name', help: 'The others see it.' },
        { id: 'none', label: 'Join without a name' },
      ],
      run: (name) => {
        if (name) this.introduce(name);
        this.open(null);
        come();
      },
    });
  }

  draw({ said, before, isFirst }) {
    const { room, watching, seats } = game.said;
    if (before?.state === 'starting' && game.isPlaying) this.feel('go');
    for (const name of ['starts_in', 'ends_in', 'blocked']) {
      if (said[name] !== undefined) this.#ends[name] = said[name] === null ? 0 : performance.now() + said[name];
    }
    if (!isFirst) this.#keepPlace(room, watching);
    if (room?.state !== 'over') this.#isDismissed = false;
    if (!this.#canSay) panels.offer([]);
    if (!this.#isSeen) this.#told = '';
    root.classList.toggle('together', !!room);
    const lines = room && (game.said.state || this.#isOutside) ? Math.min(MOST_LINES, seats.length) : 0;
    for (const one of said.said ?? []) this.hear(one);
    for (const one of said.news ?? []) this.#learn(one);
    list.hidden = !lines;
    this.#drawSeats();
    this.#drawOthers();
    if (lines !== board.lines) {
      board.lines = lines;
      board.fit();
    }
    this.#tick();
  }

  // The address leads back to where one is, after the connection was lost as well.
  #keepPlace(room, watching) {
    // Alone one races in no room.
    const isIn = !!(room?.code || watching);
    const place = room?.code && `#${room.you ? 'join' : 'watch'}=${room.code}`;
    if (place && (location.hash !== place || !history.state?.isRead)) history.replaceState({ isRead: true }, '', place);
    else if (this.#isIn && !isIn) history.replaceState(null, '', location.pathname + location.search);
    this.#isIn = isIn;
  }

  // Lines of those who play: beside the board, or above it; where there is room for one line alone, all are in it.
  #drawSeats() {
    if (list.hidden) return;
    list.replaceChildren(...game.said.seats.map((seat) => this.line(seat)));
    // In a line that scrolls: who speaks, else oneself.
    const shown = [...this.#heard.keys()].at(-1) ?? game.said.room?.you;
    list.children[game.said.seats.findIndex(({ number }) => number === shown)]?.scrollIntoView({ block: 'nearest' });
  }

  line(seat) {
    const place = seat.place ? `${seat.place}. ` : '';
    const phrase = this.#heard.get(seat.number);
    const bar = make('span', { class: 'bar' }, make('b', { '--solved': `${seat.opened / 10}%` }));
    const hit = { class: 'hits', role: 'img', 'aria-label': `mines hit: ${seat.hits}` };
    const kinds = [!seat.here && 'gone', seat.number === game.said.room?.you && 'own'];
    return make('li', { class: kinds.filter(Boolean).join(' ') },
      this.#badge(seat),
      make('span', { class: 'name' }, place + this.nameOf(seat) + (game.said.room?.series ? ` · ${seat.points}` : '')),
      phrase ? make('q', {}, phrase) : bar,
      make('span', { class: 'share' }, this.reached(seat)),
      seat.hits ? make('span', hit, `✗${seat.hits}`) : '');
  }

  nameOf({ number, name }) {
    return number === game.said.room?.you ? 'you' : name;
  }

  #badge({ name, colour }) {
    return make('b', { class: 'badge', 'aria-hidden': true, ...paint(colour) }, initials(name));
  }

  // Where the others are on a shared board, and whose flags there are.
  #drawOthers() {
    const { cursors, owners, room, seats } = game.said;
    const colours = new Map(seats.map((seat) => [seat.number, seat]));
    const marks = [
      ...owners.map(([cell, seat]) => ['owner', cell, seat]),
      ...cursors.filter(([seat]) => seat !== room?.you).map(([seat, cell]) => ['other', cell, seat]),
    ];
    const [columns, rows] = game.size;
    view.style.setProperty('--columns', columns);
    view.style.setProperty('--rows', rows);
    others.hidden = looks.hidden = !game.said.state;
    const known = marks.filter(([, , seat]) => colours.has(seat));
    others.replaceChildren(...known.map(([kind, cell, seat]) => this.mark(kind, cell, colours.get(seat))));
    this.#pointToOthers();
  }

  // Arrows at the edge of the view say where others are who are out of sight.
  #pointToOthers() {
    const { cursors, room, seats, state } = game.said;
    const { left, right, top, bottom } = view.getBoundingClientRect();
    const origin = field.getBoundingClientRect();
    const arrows = state === 'playing' ? cursors.map(([number, cell]) => {
      const seat = seats.find((one) => one.number === number);
      const [x, y] = game.placeOf(cell).map((place, axis) => [origin.left, origin.top][axis] + (place + .5) * board.cell);
      const [across, down] = [clamp(left + EDGE_PX, x, right - EDGE_PX), clamp(top + EDGE_PX, y, bottom - EDGE_PX)];
      const turn = Math.atan2(y - down, x - across);
      if (!seat || number === room?.you || !turn && across === x) return '';
      const place = { '--x': `${across}px`, '--y': `${down}px`, '--turn': `${turn}rad` };
      return make('b', { class: 'edge', 'data-name': seat.name, ...place, ...paint(seat.colour) }, '➤');
    }) : [];
    edges.replaceChildren(...arrows);
  }

  mark(kind, cell, { name, colour }) {
    const [column, row] = game.placeOf(cell);
    const badge = kind === 'other' ? make('b', { class: 'badge' }, initials(name)) : '';
    return make('i', { class: kind, '--x': column, '--y': row, ...paint(colour) }, badge);
  }

  // The others at a shared board see the cursor, and so do those who watch.
  get #isSeen() {
    const { room, state, watching, watchers } = game.said;
    return state === 'playing' && !watching && (room?.code ? room.kind === 'shared' && room.you : watchers);
  }

  // A mouse shows where one looks as well as keys do.
  #tellPointer({ clientX, clientY }) {
    const index = board.cellAt(clientX, clientY);
    if (index !== null && game.said.room?.kind === 'shared') this.#tellCursor(game.placeOf(index));
  }

  #tellCursor(cell = game.cursor) {
    this.#pointed = cell;
    if (this.#cursorTimer || !this.#isSeen) return;
    this.#cursorTimer = setTimeout(() => {
      this.#cursorTimer = null;
      const told = String(this.#pointed);
      if (told !== this.#told) send(packet('MOVE_TO', ...this.#pointed));
      this.#told = told;
    }, CURSOR_MS);
  }

  // Phrases

  hear({ seat: number, id, cell }) {
    const seat = game.said.seats.find((one) => one.number === number);
    if (!seat) return;
    const phrase = PHRASES[id];
    this.#heard.delete(number);
    this.#heard.set(number, phrase);
    write($('news'), `${seat.name}: ${phrase}`);
    setTimeout(() => {
      if (this.#heard.get(number) !== phrase) return;
      this.#heard.delete(number);
      this.#drawSeats();
      this.drawSheet();
    }, HEARD_MS);
    if (id || cell < 0) return;
    const mark = this.mark('look', cell, seat);
    looks.append(mark);
    setTimeout(() => mark.remove(), LOOK_MS);
  }

  // What the others do is said for a while, whatever is done meanwhile.
  #learn({ text }) {
    const until = performance.now() + NEWS_MS;
    this.news.set(text, until);
    write($('news'), text);
    setTimeout(() => {
      if (this.news.get(text) === until) this.news.delete(text);
      this.#tick();
    }, NEWS_MS);
  }

  // The phrases take the place of the commands until one is chosen.
  offerPhrases() {
    const [lookHere, ...others] = this.phrases;
    panels.offer([...others, lookHere, { name: 'back', text: 'back', key: 'Esc', run: () => this.dismiss() }]);
  }

  get phrases() {
    return PHRASES.map((text, id) => ({ name: `say${id}`, text, key: id, run: () => this.say(id), focus: `1 ${id}` }));
  }

  say(id) {
    panels.offer([]);
    ask(packet('SAY', id, ...game.cursor));
  }

  get #canSay() {
    return game.said.keys.includes('say');
  }

  // Nobody leaves a running round, or gives one up, by a slip of the hand.

  leave() {
    if (this.isPlaying && game.isPlaying) this.#makeSure('Leave the running round?', 'leave', 'LEAVE');
    else ask(packet('LEAVE'));
  }

  giveUp() {
    this.#makeSure('Give up this race?', 'give up', 'GIVE_UP');
  }

  #makeSure(title, text, name) {
    const rows = [{ id: 'no', label: 'stay' }, { id: 'yes', label: text }];
    const run = (_, id) => {
      this.open(null);
      if (id === 'yes') ask(packet(name));
    };
    this.open({ id: 'sure', title, rows, run });
  }

  // Who has won a race may see the boards of those who still play it, one after the other.
  watchNext(step) {
    const { seats, watching, room } = game.said;
    const playing = seats.filter(({ number, time, gave_up: hasGivenUp }) => number !== room.you && time === undefined && !hasGivenUp);
    if (!playing.length) return;
    const place = playing.findIndex(({ name }) => name === watching?.name);
    const next = place < 0 ? 0 : (place + step + playing.length) % playing.length;
    ask(named('WATCH', `${playing[next].number}`));
  }

  key(name) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[name];
    if (step && game.said.keys.includes('rivals')) {
      this.watchNext(step);
      return true;
    }
    if (!/^[0-6]$/.test(name) || !this.#canSay) return false;
    this.say(+name);
    return true;
  }

  // What counts down: to the start, to the end, and until one may go on after a mine.

  #secondsTo(name) {
    return Math.max(0, Math.ceil(((this.#ends[name] ?? 0) - performance.now()) / 1000));
  }

  #tick() {
    clearTimeout(this.timer);
    const [starts, ends, blocked] = ['starts_in', 'ends_in', 'blocked'].map((name) => this.#secondsTo(name));
    root.classList.toggle('blocked', blocked > 0);
    this.#countDown(starts, blocked);
    if ($('next')) write($('next'), this.#next);
    panels.say(this.words(ends, blocked));
    if (starts || ends || blocked) this.timer = setTimeout(() => this.#tick(), 200);
  }

  get nextRound() {
    return make('p', { id: 'next', role: 'timer' }, this.#next);
  }

  // Of a series: when the next round comes.
  get #next() {
    const seconds = this.#secondsTo('starts_in');
    return seconds && !this.isPlaying ? `The next round begins in ${seconds} s.` : '';
  }

  // The most urgent of what there is to say.
  words(ends, blocked) {
    const { watching, message } = game.said;
    const roughly = ends > 10 ? 10 * Math.ceil(ends / 10) : ends;
    if (this.news.size) return { text: [...this.news.keys()].slice(-2).join(' '), tone: 'warning' };
    if (blocked) return { text: `A mine: wait ${blocked} s.`, tone: 'bad' };
    if (message && message.id !== 'blocked') return panels.words;
    const end = ends && this.isPlaying ? `The race ends in ${roughly} s.` : '';
    if (!watching) return end ? { text: end, tone: 'warning' } : panels.aim;
    const seen = watching.gone ? `${watching.name} has gone.` : `You watch ${watching.name}.`;
    return { text: `${seen} ${end}`, tone: 'aim' };
  }

  // Large figures over the board until a round begins, and small ones where one plays until one may go on.
  #countDown(starts, blocked) {
    const counted = game.isStarting && starts ? `${starts}` : '';
    if (counted && counted !== count.textContent) this.feel('count');
    count.hidden = !counted;
    write(count, counted);
    wait.hidden = !blocked;
    write(wait, `${blocked}`);
    const [column, row] = game.cursor;
    wait.style.setProperty('--x', column);
    wait.style.setProperty('--y', row);
  }

  // The sheet of a room in which no round runs

  get sheet() {
    const { room } = game.said;
    if (!room || room.state === 'running' || game.isStarting || this.#isDismissed) return null;
    return room.state === 'over' ? this.after()?.result(this) : this.#waiting;
  }

  // Give the commands or the board behind the result back; say whether there was something to take away.
  dismiss() {
    if (panels.offered.length) {
      panels.offer([]);
      return true;
    }
    if (game.said.room?.state !== 'over' || this.#isDismissed) return false;
    this.#isDismissed = true;
    this.drawSheet();
    return true;
  }

  get #waiting() {
    const { room } = game.said;
    const link = new URL(`#join=${room.code}`, location.href).href;
    const seats = make('ol', { class: 'people' }, ...game.said.seats.map((seat) => this.#person(seat)));
    const phrases = this.#canSay && game.said.seats.length > 1 ? this.phrases.slice(1).map((phrase) => panels.button(phrase)) : [];
    const leave = { class: 'key', 'data-focus': '2 leave', onclick: () => this.leave() };
    const share = { class: 'key', 'data-focus': '1 link', onclick: (event) => this.share(event.target) };
    return {
      id: 'room',
      title: `${KINDS[room.kind]}: ${room.label}`,
      lines: [`${MINES[room.mine]}.${room.series ? ` A series: ${room.series}.` : ''} Friends come to room ${room.code}, or open this link:`, link, ...this.#bySsh],
      body: make('div', { class: 'waiting' },
        seats, room.state === 'countdown' ? 'The round begins.' : this.readyButton,
        this.nextRound, make('div', { class: 'phrases' }, ...phrases),
        ...game.said.sheet.map((row, place) => sheets.row({ id: 'room' }, row, place + 1))),
      buttons: [room.you ? make('button', leave, 'leave') : '', make('button', share, 'share link')],
      back: room.you ? 'menu' : 'back',
    };
  }

  get #bySsh() {
    const { code, doors } = game.said.room;
    if (!doors?.ssh) return [];
    return [`In a terminal: ssh -t -p ${doors.port} ${location.hostname} join ${code} (host key ${doors.ssh})`];
  }

  async share(button) {
    const { code } = game.said.room;
    await this.offer(`Play JMinesweeper with me in room ${code}:`, `join=${code}`);
    if (!navigator.share) write(button, 'copied');
  }

  #person(seat) {
    const { you, host } = game.said.room;
    const marks = [seat.rating, seat.number === you && 'you', seat.number === host && 'host', seat.bot && 'bot', !seat.here && 'away'];
    const name = make('span', { class: 'name' }, seat.name, ' ', make('small', {}, marks.filter(Boolean).join(', ')));
    const phrase = this.#heard.get(seat.number);
    const state = make('span', { class: seat.ready ? 'good' : '' }, seat.ready ? '✓ ready' : 'not ready');
    return make('li', { class: seat.here ? '' : 'gone' }, this.#badge(seat), name, phrase ? make('q', {}, phrase) : state);
  }

  get readyButton() {
    const { keys, room, seats } = game.said;
    const button = (name, text, bytes, isPressed) => {
      const attributes = { class: 'key ready', 'data-focus': `0 ${name}`, 'aria-pressed': isPressed };
      return make('button', { ...attributes, onclick: () => ask(bytes) }, text);
    };
    if (keys.includes('again')) return button('again', 'race again', newGame('again'));
    if (!keys.includes('ready')) return '';
    // Until the first asks for another round, seats are ready as they were for the last.
    if (room.state === 'over') return button('ready', 'play again', packet('READY', 1));
    const isReady = !!seats.find(({ number }) => number === room.you)?.ready;
    return button('ready', isReady ? '✓ ready' : 'ready', packet('READY', +!isReady), `${isReady}`);
  }

  // A time, or how far somebody came.
  reached({ won, time, gave_up: hasGivenUp, opened }) {
    if (hasGivenUp) return 'gave up';
    return won ? minutes(time) : `${Math.floor(opened / 10)} %`;
  }
}

// Searched for, under white and under dark letters: the farthest from each other in the eyes of the colour-blind
// as well, the first few most of all, and none near a flag.
const SEATS = {
  dark: '31ab5036f40220686a00e63763b314b2d266a37235d09',
  light: '8ddd50eb1a5f389a9f4bbcfb69bbda6ff9beb92684d0d',
};

function paint(colour) {
  const shade = (name) => `#${SEATS[name].substr(3 * colour, 3)}`;
  return { '--dark': shade('dark'), '--light': shade('light') };
}

// Two letters of a name.
function initials(name) {
  const words = name.split(/\s+/).filter(Boolean);
  return (words.length > 1 ? [...words[0]][0] + [...words.at(-1)][0] : [...name].slice(0, 2).join('')).toUpperCase();
}

export const together = new Together();
