// The page draws what the server says and sends what the player does. No rule of the game is here.

import { board } from './board.js';
import { ask, connection, send } from './connection.js';
import { device, keepDevice, key, store, stored } from './device.js';
import * as dom from './dom.js';
import { $, clamp, isStill, isTouched, root, wear, write } from './dom.js';
import { game } from './game.js';
import { watchHands } from './gestures.js';
import { panels } from './panels.js';
import { sheets } from './sheets.js';
import { together } from './together.js';
import { act, FACES, firstGame, hello, LOOKS, named, newGame, packet, pick, readView, showMoment, TYPES } from './wire.js';

const LATE_TAP_MS = 500; // what begins a game takes no tap so soon after the end of one
const BUZZES = { flag: 25, lost: [60, 40, 120], won: [30, 50, 30] };
const MOST_ANIMATED = 250; // more cells would take longer to turn than to look at

let isFlagging = false;
let endedAt = -Infinity;
let ownSheet = null; // what the page itself asks or shows
let heardBefore = null; // the message that was there when it came
let heldKeys = []; // pressed while an answer is due that decides what they mean
let refreshing = null;

Object.assign(sheets, {
  // What is typed or turned leaves the menu as it is.
  pick: (what, { id, run }, row, value) => (run ? run(value, row.id) : (value === undefined ? ask : send)(pick(what, id, row.id, value))),
  back,
  extras: (id) => parts.own?.extras(id) ?? [],
  table: (content) => after()?.table(content) ?? '',
  opened: raiseNotice,
  closed: () => board.focus(),
});
Object.assign(panels, { run: tap, keyOf: (name) => KEYS_OF[name]?.split(' ')[0].slice(0, 3) ?? '' });
Object.assign(connection, { greet: () => [hello(key(), device.name), firstGame()], hear, tell: notice, forget });
Object.assign(together, { feel, open, drawSheet, offer: (...words) => later('offer', ...words), introduce, after });

// What many never need is loaded once it is wanted, and drawn like all else from then on.
const PARTS = {
  map: () => import('./map.js'),
  after: () => import('./after.js'),
  own: () => import('./own.js'),
  replay: () => import('./replay.js'),
  sounds: () => import('./sounds.js'),
};
const LATER = './later.css'; // what they look like
const parts = {};
const loading = {};
const given = {
  dom, packet, FACES, LOOKS, stored, store, game, panels, device, keepDevice, send, open, goTo,
  show: (view) => show(game.take(view)),
  goToMoment: (position) => (parts.after?.game ? parts.after.goTo(position) : send(showMoment(position))),
};
const load = (name) => (loading[name] ??= Promise.all([PARTS[name](), wear(LATER)]).then(([{ default: Part }]) => {
  parts[name] = new Part(given);
  // All that was said is news to it.
  parts[name].draw(game);
  drawSheet();
  return parts[name];
}, () => {
  delete loading[name];
  if (connection.isOpen) update();
}));

// What comes after a game, where it is here already.
function after() {
  load('after');
  return parts.after;
}

const later = (name, ...words) => load('after').then((part) => part?.[name](...words));

// The server has a newer page, and no longer the parts of this one.
function update() {
  const [{ type }] = performance.getEntriesByType('navigation');
  if (!game.isPlaying && type !== 'reload') return location.reload();
  open({ id: 'update', title: 'This page was updated', lines: ['Reload it to go on. Your game waits.'], back: 'reload' });
}

// What was done is not played: it was not heard, or too late.
function forget(marks) {
  for (const mark of marks) if (mark?.cell) board.settle(game.indexOf(mark.cell));
  heldKeys = [];
}

// What the server says

function hear(type, payload, { isFirst, answered }) {
  if (type === TYPES.RECORDING) {
    answered();
    return later('download', payload);
  }
  if (isFirst && parts.after) parts.after.game = null;
  const view = readView(payload);
  const mark = view.said.unasked ? null : answered();
  const news = game.take(view, isFirst);
  if (game.said.last) connection.end();
  show(news, mark);
  if (isFirst) readCode();
  pressKeys();
}

function show(news, mark) {
  const { said, before } = news;
  if (news.isNewField) board.reset();
  else if (said.size || said.state || said.odds !== undefined) board.repaint();
  else {
    board.repaint(news.changed);
    for (const name of ['first', 'hint', 'flash']) board.repaint([...before[name], ...game.said[name]]);
  }
  if (mark?.cell) board.settle(game.indexOf(mark.cell));
  if (said.cursor) board.moveTo(said.cursor);
  if (said.hint?.length) board.show(said.hint[0]);
  panels.draw();
  if (game.said.replay) load('replay');
  for (const part of [together, ...Object.values(parts)]) part.draw(news);
  tell(news);
  const isOwn = !before.replay && !game.said.replay && !before.watching && !game.said.watching;
  if (said.state && before.state === 'playing' && game.isOver && isOwn) end();
  if (said.size) performance.mark('field');
  refresh(said.refresh);
  drawSheet();
}

// Look again when the server knows more.
function refresh(ms) {
  if (ms === undefined) return;
  clearTimeout(refreshing);
  if (ms !== null) refreshing = setTimeout(() => send(packet('REFRESH')), ms);
}

function drawSheet() {
  const { menu, page, message, last } = game.said;
  // Before the first game there is nothing to go back to.
  if (menu?.id === 'main' && game.said.state === undefined) return;
  const farewell = last && message && message.id !== 'goodbye' ? message.text : 'Your game waits for you.';
  const goodbye = connection.isOver && { id: 'last', title: 'Goodbye', lines: [farewell], back: 'Play on' };
  const isOwn = !menu && !page && ownSheet;
  const isNews = !goodbye && !(isOwn && message === heardBefore);
  if (page?.id === 'export') load('after');
  if (['settings', 'help'].includes((menu ?? page)?.id)) load('own');
  const shown = page?.id === 'export' && parts.after?.exported || page;
  const sheet = goodbye || menu || shown || ownSheet || together.sheet;
  sheets.draw(sheet, isNews && message?.text !== sheet?.title ? message : null);
}

// Somebody may have typed a percent sign into the address.
function plain(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// A code in the address is played once; it stays there to be kept. A room's is where one comes back to.
function readCode() {
  const [code, way] = plain(location.hash.slice(1)).split('=').reverse();
  if (way) return together.enter(way, code);
  if (!code || history.state?.isRead) return;
  history.replaceState({ isRead: true }, '');
  ask(named('CODE', code));
}

// Show and say what has changed.
function tell({ changed, old, said }) {
  const { COVERED, FLAGGED } = FACES;
  const seen = changed.filter((index) => (game.faces[index] ^ old[index]) & (COVERED | FLAGGED));
  const inSight = seen.filter((index) => board.cells.has(index));
  const [column, row] = game.cursor;
  if (!isStill.matches && inSight.length < MOST_ANIMATED) for (const index of inSight) {
    const [x, y] = game.placeOf(index);
    board.cells.get(index).style.setProperty('--wait', `${Math.min(400, Math.hypot(x - column, y - row) * 18)}ms`);
    board.mark(index, game.isFlagged(index) ? 'planted' : 'turned');
  }
  if (!seen.length || said.size) return;
  const opened = seen.filter((index) => !game.isCovered(index)).length;
  if (game.isPlaying) feel(!opened ? 'flag' : opened > 1 ? 'opening' : 'open');
  if (!said.message) write($('news'), game.isPlaying && opened > 1 ? `${opened} cells open` : board.nameOf(seen[0]));
}

function end() {
  endedAt = performance.now();
  feel(game.said.state);
  if (game.fatal >= 0) board.show(game.fatal);
  later('end');
  load('replay'); // for when no server is there
}

function feel(name) {
  if (device.vibration && BUZZES[name]) navigator.vibrate?.(BUZZES[name]);
  if (device.sound) load('sounds').then((sounds) => sounds.play(name));
}

// Others see a name.
function introduce(name) {
  keepDevice({ name });
  send(hello(key(), name));
}

// Whatever is on top of the page, a notice is on top of that.
function raiseNotice() {
  const element = $('notice');
  if (!element.showPopover) return;
  element.hidePopover();
  if (!element.hidden) element.showPopover();
}

function notice(text) {
  write($('notice'), text);
  $('notice').hidden = !text;
  raiseNotice();
  document.body.classList.toggle('away', !!text);
}

// What a player can do

const at = (name) => () => ask(packet(name, ...game.cursor));
const simply = (name, ...bytes) => () => ask(packet(name, ...bytes));
const askNamed = (name, text) => () => ask(named(name, text));
const lookBack = (what) => simply('LOOK_BACK', LOOKS[what]);
const does = (button) => () => actAt(game.indexOf(game.cursor), button);

function step([across, down]) {
  const [columns, rows] = game.size;
  board.repaint(game.endFlash());
  const [column, row] = game.cursor;
  board.moveTo([clamp(0, column + across, columns - 1), clamp(0, row + down, rows - 1)]);
  board.focus();
  parts.map?.draw();
}

const FAR = 255;
const STEPS = {
  left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1],
  left5: [-5, 0], right5: [5, 0], up5: [0, -5], down5: [0, 5],
  start: [-FAR, 0], end: [FAR, 0], pageUp: [0, -10], pageDown: [0, 10],
};

const COMMANDS = {
  reveal: does('REVEAL'), onward: does('REVEAL'), flag: does('FLAG'), chord: does('CHORD'), follow: does('FLAG_AROUND'),
  undo: simply('UNDO', 0, 1), redo: simply('UNDO', 0, 0),
  hint: at('HINT'), odds: at('ODDS'), next: at('SEEK'),
  pause: simply('PAUSE'), resume: simply('PAUSE'), debug: simply('TOGGLE_DEBUG_MODE'),
  menu: () => (connection.isOpen ? ask(named('MENU')) : later('list')),
  help: askNamed('MENU', 'help'), people: askNamed('MENU', 'people'), label: askNamed('MENU', 'boards'),
  new: () => (game.said.keys.includes('give_up') ? run('give_up') : begin()), again: () => (game.said.replay ? run('play_on') : begin('again')),
  play_on: lookBack('PLAY_ON'),
  classic: () => ask(newGame('beginner')),
  figures: () => later('showFigures'),
  replay: lookBack('REPLAY'), analysis: lookBack('ANALYSIS'), export: () => later('export'),
  save: askNamed('SAVE'), load: askNamed('LOAD'),
  mode: () => {
    isFlagging = !isFlagging;
    $('mode').setAttribute('aria-pressed', isFlagging);
  },
  whole: () => {
    if (board.isLarger || isWhole()) showWhole(!isWhole());
    else panels.say({ text: 'The whole board is on the screen already.' });
  },
  larger: () => board.zoomTo(board.zoom * 1.2), smaller: () => board.zoomTo(board.zoom / 1.2),
  ready: simply('READY', 1), leave: () => together.leave(), give_up: () => together.giveUp(),
  rivals: () => together.watchNext(1), say: () => together.offerPhrases(),
  share: () => later('share'),
  quit: () => {
    connection.quit();
    drawSheet();
  },
  back,
};

// The first key of a command is shown on its button.
const KEYS_OF = {
  left: 'ArrowLeft a h', right: 'ArrowRight d l', up: 'ArrowUp w k', down: 'ArrowDown s j',
  left5: 'H', right5: 'L', up5: 'K', down5: 'J', start: 'Home', end: 'End', pageUp: 'PageUp', pageDown: 'PageDown',
  reveal: 'Enter', flag: 'Space f', follow: 'F', chord: 'c', undo: 'u', redo: 'U', hint: 'i', odds: 'o', next: 'g', pause: 'p',
  new: 'n', again: 'r', figures: 'e', replay: 'b', analysis: 'y', export: 't', say: '0 1 2 3 4 5 6',
  whole: 'v', larger: '+', smaller: '-', menu: 'm', back: 'Escape', people: 'z', help: '? F1', debug: '#', quit: 'x',
};
const KEYS = {};
for (const [command, keys] of Object.entries(KEYS_OF)) {
  for (const name of keys.split(' ')) KEYS[name.replace('Space', ' ')] = command;
}

const run = (name) => (STEPS[name] ? step(STEPS[name]) : COMMANDS[name]());

// A button that was pressed for the game before must not throw away the one that has just ended.
function tap(name) {
  const isLate = performance.now() - endedAt < LATE_TAP_MS;
  if (!(isLate && ['new', 'again', 'classic'].includes(name))) run(name);
}

function begin(board = '') {
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  ask(newGame(board));
}

function open(sheet) {
  ownSheet = sheet;
  heardBefore = game.said.message;
  drawSheet();
}

function back() {
  if (connection.isOver || ownSheet?.id === 'update') location.reload();
  else if (ownSheet) open(null);
  else if (isWhole()) showWhole(false);
  else if (parts.after?.stop()) board.focus();
  else if (!together.dismiss()) run('menu');
}

// The server may answer late: the cell shows at once what was done.
function actAt(index, button) {
  if (game.said.watching) return;
  const cell = game.placeOf(index);
  board.moveTo(cell, { isShown: false });
  const seen = game.seen(index, board.pending.get(index));
  if (game.said.state === 'playing' && seen & FACES.COVERED) {
    const isFlagged = seen & FACES.FLAGGED;
    if (button === 'FLAG') board.pend(index, isFlagged ? 'unflagging' : 'flagging');
    if (button === 'REVEAL' && !isFlagged) board.pend(index, 'sunk');
  }
  connection.send(act(cell, button, seen), { cell });
}

function use(index, isLong) {
  if (game.said.state === 'paused') return run('resume');
  if (isLong) feel('flag');
  if (isLong && device.around && !game.isCovered(index)) return flag(index);
  const isFlag = (isFlagging !== device.swap) !== isLong && game.isCovered(index);
  actAt(index, isFlag ? 'FLAG' : 'REVEAL');
}

// On a number this flags what must be mines around it, if its player wants that.
function flag(index) {
  actAt(index, device.around && !game.isCovered(index) ? 'FLAG_AROUND' : 'FLAG');
}

function near(index, isWanted, isChord) {
  board.clearMarks('near');
  if (!isWanted || !game.isPlaying || (game.isCovered(index) && !isChord)) return;
  for (const one of game.around(index)) if (game.isCovered(one) && !game.isFlagged(one)) board.mark(one, 'near');
}

watchHands({
  use,
  near,
  flag,
  chord: (index) => actAt(index, 'CHORD'),
  press: (index, isDown) => {
    board.clearMarks('hold');
    if (isDown && game.isPlaying) board.mark(index, 'hold');
    near(index, isDown);
  },
});

const isOpen = () => $('sheet').open;
const isWhole = () => parts.map?.isShown;

async function showWhole(isWanted) {
  (await load('map'))?.show(isWanted);
  if (!isWanted) goTo(game.cursor);
}

function goTo(cell) {
  board.moveTo(cell);
  board.focus();
}

// Keys

addEventListener('keydown', (event) => {
  if (event.defaultPrevented) return;
  const { key: name, target, ctrlKey, metaKey, altKey } = event;
  const isQuick = ctrlKey && !altKey && !metaKey && 'so'.includes(name);
  if (!isQuick && (ctrlKey || metaKey || altKey || target.matches('input:not([type=range]), select'))) return;
  if (!isQuick && name.length === 1 && name !== ' ' && !device.letters) return;
  const command = isQuick ? { s: 'save', o: 'load' }[name] : KEYS[name] ?? KEYS[name.toLowerCase()];
  const isOfButton = target !== document.body && !target.closest('.cell') && ['Enter', ' '].includes(name);
  if (!command || isOfButton) return;
  const press = { name, command };
  if (connection.isDeciding) heldKeys.push(press);
  else if (!pressKey(press)) return;
  event.preventDefault();
});

function pressKeys() {
  while (heldKeys.length && !connection.isDeciding) pressKey(heldKeys.shift());
}

function pressKey({ name, command }) {
  if (isOpen()) return pressOnSheet(name, command);
  if (game.said.replay && parts.replay?.key(name) || together.key(name)) return true;
  if (isWhole() && ['reveal', 'flag', 'whole', 'back'].includes(command)) showWhole(false);
  else run(command);
  if (!isOpen() && !board.hasFocus && !game.said.replay) board.focus();
  return true;
}

function pressOnSheet(name, command) {
  const isInMenu = game.said.menu && !connection.isOver;
  if (command === 'quit' || command === 'help' && isInMenu) run(command);
  else if (['menu', 'help', 'back'].includes(command)) back();
  else return together.key(name) || sheets.key(name);
  return true;
}

$('field').addEventListener('keyup', (event) => event.key === ' ' && event.preventDefault());

// To begin

addEventListener('resize', () => {
  board.fit();
  parts.map?.draw();
});
addEventListener('online', () => connection.comeBack());
addEventListener('offline', () => connection.lose());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) connection.comeBack();
  else if (isTouched.matches && game.said.keys.includes('pause')) run('pause');
});
addEventListener('hashchange', () => !connection.isFresh && readCode());
isTouched.addEventListener('change', () => board.fit());
keepDevice({});
if (stored('games', []).length) load('after');
board.fit();
addEventListener('load', () => navigator.serviceWorker?.register('./worker.js').catch(() => {}));
raiseNotice(); // that the page connects
connection.open();
