// The page draws what the server says and sends what the player does. No rule of the game is here.
// docs/protocol.md has the packets; what the server says is VIEW.

const $ = (id) => document.getElementById(id);
const make = (tag, more, ...children) => {
  const element = Object.assign(document.createElement(tag), more);
  element.append(...children);
  return element;
};
const clamp = (least, value, most) => Math.min(Math.max(least, value), most);
const [root, view, field, sheet] = [document.documentElement, $('view'), $('field'), $('sheet')];
const coarse = matchMedia('(pointer: coarse)');
const still = matchMedia('(prefers-reduced-motion: reduce)');

// Packets

const packet = (type, ...bytes) => (type < 11 ? [type] : [type, 0, 0, bytes.length >> 8, bytes.length & 255, ...bytes]);
const texts = (type, text) => {
  const bytes = new TextEncoder().encode([...text].slice(0, 63).join(''));
  return packet(type, bytes.length, ...bytes);
};
const [LEFT, RIGHT, UP, DOWN, REVEAL, FLAG, QUIT, DEBUG] = [1, 2, 3, 4, 5, 6, 8, 10].map((type) => packet(type));
const [HINT, MENU, CHORD, PAUSE, HELP, ERASE, ODDS, SEEK] = [17, 20, 24, 25, 26, 28, 33, 34].map((type) => packet(type));
const [SAME_SETTINGS, SAME_BOARD] = [5, 6].map((kind) => packet(15, kind, ...Array(6).fill(0), 255, ...Array(9).fill(0)));
const UNDO = packet(16, 0, 1);
const jump = (direction) => packet(23, direction);
const lookBack = (what) => packet(35, what);
const act = (column, row, button) => packet(31, column, row, button);
const point = (item, button) => packet(22, 0, 0, item >> 8, item & 255, button);
const hello = () => packet(11, 2, 0, 0, 0, 0, 3, 1, 2, RESUME | LIVE, 16, ...key(), 0);
const [RESUME, LIVE] = [2, 4];

const KEYS = {
  ArrowLeft: LEFT, ArrowRight: RIGHT, ArrowUp: UP, ArrowDown: DOWN,
  a: LEFT, d: RIGHT, w: UP, s: DOWN, h: LEFT, l: RIGHT, k: UP, j: DOWN,
  H: jump(6), L: jump(7), K: jump(8), J: jump(9),
  Home: jump(0), End: jump(1), PageUp: jump(4), PageDown: jump(5),
  Enter: REVEAL, ' ': FLAG, f: FLAG, c: CHORD, u: UNDO, i: HINT, p: PAUSE, n: SAME_SETTINGS, r: SAME_BOARD,
  o: ODDS, g: SEEK, v: jump(10), e: jump(11), b: lookBack(0), y: lookBack(1), t: lookBack(2),
  m: MENU, Escape: MENU, '?': HELP, F1: HELP, '#': DEBUG, x: QUIT, Backspace: ERASE, Delete: ERASE,
};
const NAMES = { RETURN: 'Enter', SPACE: ' ', ESC: 'Escape', TAB: 'n', DEL: 'Delete' };
const keyOf = (name) => NAMES[name] ?? name;

// What is kept on this device. Where that is forbidden, the next visitor is somebody new.
let storage = {};
try {
  storage = localStorage;
} catch {}

// The player's key: browsers keep it for this server alone, so it may be sent as it is.
function key() {
  if (!/^(\d+,){15}\d+$/.test(storage.player)) storage.player = crypto.getRandomValues(new Uint8Array(16)).join();
  return storage.player.split(',').map(Number);
}

// The connection

let socket = null;
let inbox = new Uint8Array();
let tries = 0;
let isFresh = true;
let isOver = false;

function connect() {
  clearTimeout(connect.timer);
  drop();
  inbox = new Uint8Array();
  isFresh = true;
  socket = new WebSocket(`${location.origin.replace('http', 'ws')}/play`, 'jminesweeper.2');
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => send(hello());
  socket.onmessage = ({ data }) => {
    endWait();
    if (!isFresh) notice('');
    take(new Uint8Array(data));
  };
  socket.onclose = lose;
  awaitReply();
}

// Say that the connection is lost, and reconnect; drop it if it only seems to be open.
function lose() {
  endWait();
  if (isOver) return;
  drop();
  notice(navigator.onLine ? 'Connection lost. Reconnecting …' : 'You are offline. The game waits for you.');
  connect.timer = setTimeout(connect, Math.min(8000, 250 * 2 ** tries++) * (0.5 + Math.random() / 2));
}

const drop = () => socket && Object.assign(socket, { onopen: null, onmessage: null, onclose: null }).close();

// Every packet is answered: where nothing comes, nobody is there, though no browser may notice it.
// The longest answers, those of a worker that a busy server has to start first, take 47 s.
const awaitReply = () => (lose.timer ??= setTimeout(() => {
  if (!isFresh) notice('Waiting for the server …');
  lose.timer = setTimeout(lose, 45_000);
}, 5000));
const endWait = () => (lose.timer = clearTimeout(lose.timer));

function send(...packets) {
  if (socket.readyState !== WebSocket.OPEN) return;
  socket.send(new Uint8Array(packets.flat()));
  awaitReply();
}

function take(data) {
  const bytes = new Uint8Array(inbox.length + data.length);
  bytes.set(inbox);
  bytes.set(data, inbox.length);
  let start = 0;
  const end = () => start + 5 + new DataView(bytes.buffer, start + 1).getUint32(0);
  for (; bytes.length - start >= 5 && bytes.length >= end(); start = end()) {
    const payload = bytes.subarray(start + 5, end());
    if (bytes[start] === 30) show(payload);
    if (bytes[start] === 36) download(payload);
  }
  inbox = bytes.slice(start);
}

// Answers that are still on their way would be drawn over the goodbye.
function leave() {
  send(QUIT);
  isOver = true;
  drop();
  Object.assign(game, { menu: null, page: { title: 'Goodbye', lines: ['Your game waits for you.'] }, last: true });
  drawSheet();
}

// The recording of a game: what it is called is not for the server to say.
function download(recording) {
  const link = make('a', { href: URL.createObjectURL(new Blob([recording])), download: `minesweeper-${new Date().toISOString().slice(0, 10)}.txt` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const notice = (text) => {
  if ($('notice').textContent === text) return;
  $('notice').hidden = !text;
  $('notice').textContent = text;
  document.body.classList.toggle('away', !!text);
};

// What the server said so far: members of VIEW, and the face of each cell

const QUESTION = 15, COVERED = 16, FLAGGED = 32, MINED = 64, FATAL = 128;
const game = { size: [0, 0], cursor: [0, 0], hint: [], flash: [], odds: null, replay: null };
let faces = new Uint8Array();
let chances = new Map();

const isPlaying = () => game.state === 'playing' || game.state === 'paused';
const indexOf = ([column, row]) => row * game.size[0] + column;
const placeOf = (index) => [index % game.size[0], Math.floor(index / game.size[0])];

function show(payload) {
  const length = (payload[0] << 8) | payload[1];
  const said = JSON.parse(new TextDecoder().decode(payload.subarray(2, 2 + length)));
  const before = { ...game };
  game.last = false;
  Object.assign(game, said);
  if (said.odds !== undefined) chances = new Map(said.odds);
  if (said.size) faces = new Uint8Array(said.size[0] * said.size[1]).fill(COVERED);
  const old = faces.slice();
  readFaces(payload.subarray(2 + length));
  const changed = [...cells.keys()].filter((index) => faces[index] !== old[index]);
  if (said.size && String(said.size) !== String(before.size)) forgetField();
  else if (said.size || said.state || said.odds !== undefined) repaint();
  else for (const index of new Set([changed, before.hint, game.hint, before.flash, game.flash].flat())) paint(index);
  if (said.size) fit(), performance.mark('field');
  if (said.cursor) moveCursor(before.cursor);
  drawRest(said);
  tell(changed, old, said);
  if (said.state && before.state === 'playing' && !before.replay && !game.replay) moment();
  isOver ||= !!game.last;
  welcome();
}

function readFaces(cells) {
  if (cells.length === faces.length) faces.set(cells);
  else for (let at = 0; at < cells.length; at += 3 + cells[at + 2]) {
    faces.set(cells.subarray(at + 3, at + 3 + cells[at + 2]), (cells[at] << 8) | cells[at + 1]);
  }
}

// The first screen of a connection: back at a game, or at none yet.
function welcome() {
  if (!isFresh) return;
  isFresh = false;
  tries = 0;
  if (!isOver) notice('');
  if (game.state === undefined) send(SAME_SETTINGS);
  const code = location.hash.slice(1);
  history.replaceState(null, '', '/');
  if (code) send(texts(27, code));
}

// The field: only the cells in sight are in the document

const cells = new Map();
const rows = new Map();
let cell = 40;
let zoom = 1;
let sight = '';
let afterGap = null;

function forgetField() {
  cells.clear();
  rows.clear();
  field.replaceChildren();
  sight = '';
  zoom = 1;
  view.scrollTo(0, 0);
}

function fit() {
  const [columns, count] = game.size;
  if (!columns) return;
  const room = Math.min(view.clientWidth / columns, view.clientHeight / count);
  // So large that a finger hits it, and nine fit the narrowest screens.
  const base = clamp(coarse.matches ? 35 : 24, Math.floor(room), Math.max(60, innerHeight / 18));
  cell = clamp(14, base * zoom, 110);
  field.style.setProperty('--cell', `${cell}px`);
  field.style.width = `${columns * cell}px`;
  field.style.height = `${count * cell}px`;
  document.body.classList.toggle('roomy', innerWidth - columns * cell > 680);
  document.body.style.setProperty('--wide', `${columns * cell}px`);
  field.ariaColCount = columns;
  field.ariaRowCount = count;
  root.classList.toggle('larger', isLarger());
  sight = '';
  look();
}

// Put the cells in sight into the document, and the one with the cursor, in reading order.
function look() {
  const [columns, count] = game.size;
  const [column, row] = game.cursor;
  const [outer, inner] = [view.getBoundingClientRect(), field.getBoundingClientRect()];
  const xs = inSight(outer.left - inner.left, outer.width, columns);
  const ys = inSight(outer.top - inner.top, outer.height, count);
  const seen = [xs[0], xs.at(-1), ys[0], ys.at(-1), column, row].join();
  if (seen === sight || !columns) return;
  sight = seen;
  const wanted = new Map(merge(ys, row).map((y) => [y, y !== row ? xs : merge(ys.includes(y) ? xs : [], column)]));
  for (const [index, element] of cells) {
    const [x, y] = placeOf(index);
    if (!wanted.get(y)?.includes(x)) cells.delete(index), element.remove();
  }
  for (const [y, line] of rows) if (!wanted.has(y)) rows.delete(y), line.remove();
  for (const y of wanted.keys()) if (!rows.has(y)) rows.set(y, make('div', { role: 'row', ariaRowIndex: y + 1 }));
  arrange(field, [...wanted.keys()].map((y) => rows.get(y)));
  afterGap?.style.removeProperty('margin-left');
  afterGap = null;
  for (const [y, places] of wanted) {
    const line = rows.get(y);
    line.style.top = `${y * cell}px`;
    line.style.left = `${places[0] * cell}px`;
    arrange(line, places.map((x) => cells.get(indexOf([x, y])) ?? makeCell(x, y)));
    const at = places.findIndex((x, place) => x > places[0] + place);
    if (at < 0) continue;
    afterGap = line.children[at];
    afterGap.style.marginLeft = `${(places[at] - places[at - 1] - 1) * cell}px`;
  }
}

const merge = (sorted, one) => [...new Set([...sorted, one])].sort((a, b) => a - b);

function inSight(start, length, count) {
  const first = clamp(0, Math.floor(start / cell) - 1, count - 1);
  const last = clamp(0, Math.ceil((start + length) / cell), count - 1);
  return Array.from({ length: last - first + 1 }, (_, place) => first + place);
}

// What is there already stays, and keeps its focus.
function arrange(parent, elements) {
  let next = parent.firstChild;
  for (const element of elements) {
    if (element === next) next = next.nextSibling;
    else parent.insertBefore(element, next);
  }
}

function makeCell(column, row) {
  const index = indexOf([column, row]);
  const element = make('button', { role: 'gridcell', ariaColIndex: column + 1, tabIndex: -1 });
  element.dataset.index = index;
  cells.set(index, element);
  paint(index);
  return element;
}

// What a cell looks like and is called.
function describe(face) {
  const clue = face & 15;
  if (game.state === 'paused') return ['tile', '', 'hidden'];
  if (isPlaying()) {
    if (!(face & COVERED)) return [`open n${clue}`, clue || '', clue ? `${clue}` : 'empty'];
    if (face & FLAGGED) return ['tile flag', '', 'flag'];
    if (face & MINED) return ['tile mine', '', 'covered, mine'];
    return clue === QUESTION ? ['tile', '?', 'question mark'] : ['tile', '', 'covered'];
  }
  if (face & FATAL) return ['open mine fatal', '', 'the mine that went off'];
  if (face & MINED) return face & FLAGGED ? ['tile flag', '', 'mine with a flag'] : ['tile mine', '', 'mine'];
  if (face & FLAGGED) return ['tile flag wrong', '', 'wrong flag'];
  return [`${face & COVERED ? 'tile unopened' : 'open'} n${clue}`, clue || '', clue ? `${clue}` : 'empty'];
}

function paint(index) {
  const element = cells.get(index);
  if (!element) return;
  const [column, row] = placeOf(index);
  const [looks, text, name] = describe(faces[index]);
  const isHere = indexOf(game.cursor) === index;
  const chance = chances.get(index);
  const marks = { odd: (column + row) % 2, hint: game.hint.includes(index), flash: game.flash.includes(index), here: isHere, chance: chance !== undefined };
  element.className = ['cell', looks, ...Object.keys(marks).filter((mark) => marks[mark])].join(' ');
  element.textContent = chance ?? text;
  element.ariaLabel = `${name}${marks.chance ? `, ${chance} %` : ''} (${column},${row})`;
  if (marks.chance) element.style.setProperty('--chance', `${chance}%`);
  element.tabIndex = isHere ? 0 : -1;
}

const repaint = () => [...cells.keys()].forEach(paint);

function moveCursor(before) {
  const hadFocus = field.contains(document.activeElement);
  look();
  paint(indexOf(before));
  paint(indexOf(game.cursor));
  const element = cells.get(indexOf(game.cursor));
  if (!element || !hadFocus || sheet.open) return;
  element.focus({ preventScroll: true });
  if (moveCursor.byKey) element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

// Everything but the field

function drawRest(said) {
  root.dataset.palette = game.palette;
  root.dataset.state = game.state ?? 'none';
  root.classList.toggle('replay', !!game.replay);
  root.classList.toggle('over', game.state !== undefined && !isPlaying());
  $('left').value = game.left ?? 0;
  $('label').textContent = [game.label, game.remark].filter(Boolean).join(' · ');
  $('solved').style.width = `${game.solved ?? 0}%`;
  if (said.clock !== undefined || said.clock_runs !== undefined) tick.since = performance.now();
  tick();
  say($('message'), game.message ?? (isPlaying() ? [game.aim ?? '', 'aim'] : null));
  drawReplay();
  if (said.figures || said.state) drawEnd();
  drawButtons();
  drawMap();
}

// A click needs the same button from press to release.
let isPressed = false;
let isDue = false;

function drawButtons() {
  isDue = isPressed;
  if (isPressed) return;
  if (!game.menu && !game.page && game.keys !== drawTools.shown) drawTools(game.keys);
  drawSheet();
}

for (const element of [$('tools'), sheet]) element.addEventListener('pointerdown', ({ target }) => (isPressed = !!target.closest('button')));
for (const name of ['pointerup', 'pointercancel']) addEventListener(name, () => {
  isPressed = false;
  if (isDue) setTimeout(drawButtons);
});

// Between two screens the page counts on by itself.
function tick() {
  clearTimeout(tick.timer);
  const gone = game.clock_runs ? performance.now() - tick.since : 0;
  const ms = (game.clock ?? 0) + gone;
  $('clock').value = minutes(ms);
  if (game.clock_runs) tick.timer = setTimeout(tick, 1001 - (ms % 1000));
}

const minutes = (ms) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;

// A game that is shown again: a line of its actions, on which any of them can be gone to.
let reached = 0;

function drawReplay() {
  $('replay').hidden = !game.replay;
  if (!game.replay) return;
  const [done, all, ms, whole] = game.replay;
  $('line').max = all;
  if (done === reached || document.activeElement !== $('line')) $('line').value = reached = done;
  $('when').value = `${minutes(ms)} of ${minutes(whole)}`;
}

$('line').oninput = () => {
  const way = $('line').value - reached;
  const [one, ten] = way > 0 ? [RIGHT, DOWN] : [LEFT, UP];
  send(...Array(Math.floor(Math.abs(way) / 10)).fill(ten), ...Array(Math.abs(way) % 10).fill(one));
  reached += way;
};

function say(element, message) {
  const [text, tone] = message ?? ['', 'plain'];
  // Under a finger there are buttons in place of keys.
  element.textContent = coarse.matches ? text.replace(/ Press [^.]*\.$/, '') : text;
  element.className = tone;
}

const CLASSES = { TAB: 'first', v: 'whole' };

function keyButton([name, does]) {
  const button = make('button', { className: `key ${CLASSES[name] ?? ''}`, onclick: () => press(keyOf(name)) }, does);
  button.prepend(make('kbd', { textContent: name, ariaHidden: true }));
  return button;
}

function drawTools(keys) {
  drawTools.shown = keys;
  const mode = make('button', { id: 'mode', className: 'key', ariaPressed: local.flags, onclick: switchMode }, 'flag mode');
  mode.prepend(make('i', { className: 'flag' }));
  // What the board, the face and the figures beside it are for needs no button.
  const rest = keys.filter(([name]) => keyOf(name) in KEYS && !['RETURN', 'SPACE', 'e', 'x'].includes(name));
  rest.push(['v', 'whole board']);
  $('tools').replaceChildren(...(isPlaying() && !game.replay ? [mode] : []), ...rest.map(keyButton));
}

function drawEnd() {
  $('end').hidden = !game.figures.length || isPlaying();
  $('end').replaceChildren(...game.figures.map((line) => {
    const [, before, code] = line.match(/^(seed code )(\S+)$/) ?? [];
    return code ? make('li', {}, before, make('a', { href: `/#${code}`, textContent: code })) : make('li', {}, line);
  }));
}

// Menus and pages

// An answer to something else must not take away what was typed since.
function isTyping() {
  const { value, defaultValue } = document.activeElement;
  return document.activeElement.matches('#sheet .row input') && value !== defaultValue;
}

function drawSheet() {
  const { menu, page } = game;
  if (!menu && !page) return sheet.open && (sheet.close(), cells.get(indexOf(game.cursor))?.focus({ preventScroll: true }));
  if (game.state === undefined && menu && !sheet.open) return;
  const isSame = sheet.dataset.title === (menu ?? page).title;
  if (isSame && sheet.open && isTyping()) return;
  // A field that is taken away says that it has changed, but what is in it was given up.
  document.activeElement.onchange = null;
  const message = make('p', { role: 'status' });
  say(message, game.message);
  const keys = game.last ? [] : game.keys.filter(([name]) => ['ESC', 'DEL'].includes(name)).map(keyButton);
  if (game.last) keys.push(make('button', { className: 'key', onclick: () => location.reload() }, 'Play on'));
  const scrolled = sheet.querySelector('.scroll')?.scrollTop ?? 0;
  const focused = document.activeElement?.ariaLabel;
  sheet.dataset.title = (menu ?? page).title;
  const body = make('div', { className: 'scroll', tabIndex: menu ? -1 : 0 }, ...(menu ? drawItems(menu) : drawLines(page.lines)));
  sheet.replaceChildren(make('h1', { id: 'title', textContent: (menu ?? page).title }), body, message, make('footer', {}, ...keys));
  if (!sheet.open) sheet.showModal();
  if (isSame) body.scrollTop = scrolled;
  const same = isSame && focused && sheet.querySelector(`[aria-label="${CSS.escape(focused)}"]`);
  const first = same || body.querySelector('.selected input, .selected button') || body;
  first.focus();
  if (first.matches('input')) first.select();
}

function drawItems({ items, first }) {
  const canDrop = game.keys.some(([name]) => name === 'DEL');
  const rows = items.map((item, place) => drawItem(item, first + place, canDrop));
  const note = items[game.selected - first]?.note;
  return [...rows, ...(note ? [make('p', { className: 'note', textContent: note })] : []), drawLocal()];
}

function drawItem(item, number, canDrop) {
  const isSelected = number === game.selected;
  const selectAnd = (...packets) => send(point(number, 1), ...packets);
  const more = (text, name, does) => make('button', { className: 'more', ariaLabel: `${name} ${item.label}`, onclick: does }, text);
  const row = make('div', { className: isSelected ? 'row selected' : 'row' });
  if (item.typing) {
    const isText = item.typing === 'text';
    const input = make('input', { defaultValue: item.value ?? '', ariaLabel: item.label, autocomplete: 'off', spellcheck: false, inputMode: isText ? 'text' : 'numeric' });
    const type = () => {
      input.defaultValue = input.value;
      if (input.value) selectAnd(texts(27, input.value), ...(isText ? [REVEAL] : []));
    };
    row.append(make('label', {}, item.label), input);
    if (isText) row.append(more('OK', 'OK', type));
    if (isText) input.onkeydown = (event) => event.key === 'Enter' && type();
    else input.onchange = type;
  } else {
    const value = make('span', {}, [item.value, ...(item.figures ?? [])].filter(Boolean).join('  '));
    row.append(make('button', { disabled: !!item.disabled, ariaCurrent: isSelected, onclick: () => send(point(number, 0)) }, item.label, value));
  }
  if (item.adjustable) row.append(more('‹', 'less', () => selectAnd(LEFT)), more('›', 'more', () => selectAnd(RIGHT)));
  if (canDrop) row.append(more('×', 'delete', () => selectAnd(ERASE)));
  return row;
}

function drawLines(lines) {
  return lines.map((line) => {
    if (typeof line === 'string') {
      const [, term, told] = line.match(/^(\S.*?) {2,}(\S.*)$/) ?? [];
      return told ? make('p', { className: 'pair' }, make('b', {}, term), told) : make('p', {}, line);
    }
    const cellsOf = (tag, texts) => make('tr', {}, ...texts.map((text) => make(tag, { textContent: text })));
    return make('table', {}, cellsOf('th', line.head), ...line.rows.map((row) => cellsOf('td', row)));
  });
}

// What is kept on this device alone: how a finger is read

const local = { hold: 400, swap: false, flags: false, ...JSON.parse(storage.touch ?? '{}') };

function keepLocal(change) {
  Object.assign(local, change);
  storage.touch = JSON.stringify({ ...local, flags: false });
  root.style.setProperty('--hold', `${local.hold}ms`);
}

function drawLocal() {
  const option = (ms) => make('option', { value: ms, textContent: `${ms} ms`, selected: local.hold === ms });
  const hold = make('select', { onchange: () => keepLocal({ hold: +hold.value }) }, ...[250, 400, 600].map(option));
  const swap = make('input', { type: 'checkbox', checked: local.swap, onchange: () => keepLocal({ swap: swap.checked }) });
  return make('details', { open: drawLocal.isOpen, ontoggle: (event) => (drawLocal.isOpen = event.target.open) },
    make('summary', {}, 'Touch on this device'), make('label', {}, 'Hold for', hold), make('label', {}, swap, 'Tap flags, hold opens'));
}

function switchMode() {
  local.flags = !local.flags;
  $('mode').ariaPressed = local.flags;
  root.classList.toggle('flags', local.flags);
}

// Pressing: a click opens, a press that lasts flags

let isSwallowed = false;
let isChord = false;
let hold = null;
let isMouse = false;

const cellAt = (event) => event.target.closest?.('.cell');

function act_on(element, button) {
  moveCursor.byKey = false;
  send(act(...placeOf(+element.dataset.index), button));
}

function use(element, isLong) {
  if (game.state === 'paused') return send(PAUSE);
  const isFlag = (local.flags !== local.swap) !== isLong && faces[element.dataset.index] & COVERED;
  act_on(element, isFlag ? 1 : 0);
}

function showNear(element, isWanted) {
  field.querySelectorAll('.near').forEach((near) => near.classList.remove('near'));
  if (!isWanted || !isPlaying()) return;
  const [column, row] = placeOf(+element.dataset.index);
  for (let y = row - 1; y <= row + 1; y++) for (let x = column - 1; x <= column + 1; x++) {
    if (x < 0 || x >= game.size[0]) continue;
    const near = cells.get(indexOf([x, y]));
    if (near && (faces[near.dataset.index] & (COVERED | FLAGGED)) === COVERED) near.classList.add('near');
  }
}

function stopHold() {
  clearTimeout(hold?.timer);
  hold?.element.classList.remove('hold');
  hold = null;
}

field.addEventListener('pointerdown', (event) => {
  const element = cellAt(event);
  isMouse = event.pointerType === 'mouse';
  stopHold();
  if (!element || isMouse) return;
  isSwallowed = !event.isPrimary;
  if (!event.isPrimary) return;
  showNear(element, !(faces[element.dataset.index] & COVERED));
  hold = { element, x: event.clientX, y: event.clientY };
  if (!isPlaying()) return;
  element.classList.add('hold');
  hold.timer = setTimeout(() => {
    stopHold();
    isSwallowed = true;
    navigator.vibrate?.(25);
    use(element, true);
  }, local.hold);
});
addEventListener('pointermove', (event) => {
  if (!hold || Math.hypot(event.clientX - hold.x, event.clientY - hold.y) <= 10) return;
  stopHold();
  isSwallowed = true;
});
for (const name of ['pointerup', 'pointercancel']) addEventListener(name, () => (stopHold(), showNear()));
field.addEventListener('click', (event) => {
  const element = cellAt(event);
  if (element && !isSwallowed) use(element, false);
  isSwallowed = false;
});
field.addEventListener('mousedown', (event) => {
  const element = cellAt(event);
  if (!isMouse || !element) return;
  if (event.button === 1) event.preventDefault();
  isChord = event.button === 1 || event.buttons === 3;
  isSwallowed = isChord;
  showNear(element, isChord || !(faces[element.dataset.index] & COVERED));
  if (event.buttons === 2) act_on(element, 1);
});
addEventListener('mouseup', (event) => {
  const element = cellAt(event);
  if (isMouse && isChord && element) act_on(element, 2);
  isChord = false;
});
field.addEventListener('contextmenu', (event) => event.preventDefault());

// Zooming: two fingers, the wheel with Ctrl, + and -

function zoomTo(factor, x, y) {
  const box = field.getBoundingClientRect();
  const [column, row] = [(x - box.left) / cell, (y - box.top) / cell];
  zoom = clamp(0.4, factor, 4);
  fit();
  const moved = field.getBoundingClientRect();
  view.scrollBy(moved.left + column * cell - x, moved.top + row * cell - y);
  look();
}

const pinch = {};
const fingers = ({ touches: [one, two] }) => [
  Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY), (one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2];

view.addEventListener('touchstart', (event) => {
  if (event.touches.length !== 2) return;
  event.preventDefault();
  stopHold();
  isSwallowed = true;
  Object.assign(pinch, { apart: fingers(event)[0], zoom });
}, { passive: false });
view.addEventListener('touchmove', (event) => {
  if (event.touches.length !== 2) return;
  event.preventDefault();
  const [apart, x, y] = fingers(event);
  zoomTo(pinch.zoom * apart / pinch.apart, x, y);
}, { passive: false });
view.addEventListener('wheel', (event) => {
  if (!event.ctrlKey) return;
  event.preventDefault();
  zoomTo(zoom * 1.1 ** -Math.sign(event.deltaY), event.clientX, event.clientY);
}, { passive: false });
view.addEventListener('scroll', () => (look.wanted ??= requestAnimationFrame(() => (look.wanted = null, look()))));
new ResizeObserver(() => (fit(), drawMap())).observe(view);

// The whole of a board larger than the screen, a few pixels for each cell

const map = $('map');
const isLarger = () => field.offsetWidth > view.clientWidth || field.offsetHeight > view.clientHeight;
const INKS = [[/fatal/, 'fatal'], [/mine/, 'mine'], [/flag/, 'flag'], [/tile/, 'tile'], [/n[1-8]/], [/open/, 'open']];

function showMap(isWanted) {
  map.hidden = !isWanted;
  drawMap();
  if (!isWanted) goTo(...game.cursor);
}

function goTo(column, row) {
  view.scrollTo((column + 0.5) * cell - view.clientWidth / 2, (row + 0.5) * cell - view.clientHeight / 2);
  look();
  cells.get(indexOf(game.cursor))?.focus({ preventScroll: true });
}

function drawMap() {
  if (map.hidden) return;
  const [columns, count] = game.size;
  const scale = Math.min(map.clientWidth / columns, map.clientHeight / count) * 0.96;
  const sharp = clamp(1, Math.ceil(scale * devicePixelRatio), 12);
  const canvas = map.firstElementChild;
  Object.assign(canvas, { width: columns * sharp, height: count * sharp });
  canvas.style.width = `${columns * scale}px`;
  const brush = canvas.getContext('2d');
  brush.scale(sharp, sharp);
  const style = getComputedStyle(root);
  const inks = new Map();
  faces.forEach((face, index) => {
    const [looks] = describe(face);
    if (!inks.has(looks)) inks.set(looks, style.getPropertyValue(`--${INKS.find(([pattern]) => pattern.test(looks))[1] ?? looks.slice(-2)}`));
    brush.fillStyle = inks.get(looks);
    brush.fillRect(...placeOf(index), 1, 1);
  });
  const reach = Math.max(0.5, 6 / scale);
  const [column, row] = game.cursor;
  Object.assign(brush, { strokeStyle: style.getPropertyValue('--ink'), lineWidth: 2.5 / scale });
  brush.strokeRect(column + 0.5 - reach, row + 0.5 - reach, 2 * reach, 2 * reach);
}

map.onclick = ({ target, offsetX, offsetY }) => {
  if (target === map) return showMap(false);
  const [column, row] = [offsetX, offsetY].map((at, axis) => clamp(0, Math.floor(at / target.clientWidth * game.size[0]), game.size[axis] - 1));
  send(packet(14, column, row));
  showMap(false);
  goTo(column, row);
};

// Keys

function press(name) {
  if (!map.hidden && ['v', 'V', 'Enter', ' ', 'Escape'].includes(name)) return showMap(false), true;
  if (name.toLowerCase() === 'v' && !sheet.open && isLarger()) return showMap(true), true;
  const bytes = KEYS[name] ?? KEYS[name.toLowerCase()];
  if (!bytes) return false;
  moveCursor.byKey = true;
  if (bytes === QUIT) leave();
  else send(bytes);
  return true;
}

addEventListener('keydown', (event) => {
  isSwallowed = false;
  const { key: name, target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey && !altKey && 'so'.includes(name)) {
    event.preventDefault();
    send(texts(name === 's' ? 18 : 19, ''));
  }
  if (ctrlKey || metaKey || altKey || isOver) return;
  const isField = target.closest?.('input, select');
  if (isField && !['ArrowUp', 'ArrowDown', 'Escape'].includes(name)) return;
  if (!target.closest?.('.cell') && target !== document.body && ['Enter', ' '].includes(name)) return;
  if (sheet.open && game.page && /^(Arrow|Page|Home|End)/.test(name)) return;
  if (sheet.open && /^[0-9]$/.test(name)) send(texts(27, name));
  else if (name === '+' || name === '-') zoomTo(zoom * (name === '+' ? 1.2 : 1 / 1.2), innerWidth / 2, innerHeight / 2);
  else if (name === 'Tab' || !press(name)) return;
  event.preventDefault();
  if (!sheet.open && !field.contains(document.activeElement)) cells.get(indexOf(game.cursor))?.focus();
});
field.addEventListener('keyup', (event) => event.key === ' ' && event.preventDefault());
sheet.addEventListener('cancel', (event) => (event.preventDefault(), game.last || send(MENU)));

// Moments

// Show and say what has changed.
function tell(changed, old, said) {
  const isNews = (index) => (old[index] ^ faces[index]) & (COVERED | FLAGGED);
  const seen = changed.filter(isNews);
  const [column, row] = game.cursor;
  // More at once would take longer to animate than to look at.
  if (!still.matches && seen.length < 250) for (const index of seen) {
    const [x, y] = placeOf(index);
    const element = cells.get(index);
    element.style.setProperty('--wait', `${Math.min(400, Math.hypot(x - column, y - row) * 18)}ms`);
    element.classList.add(faces[index] & FLAGGED ? 'planted' : 'turned');
  }
  if (said.message || !seen.length) return;
  const opened = isPlaying() ? faces.filter((face, index) => isNews(index) && !(face & COVERED)).length : 0;
  $('news').textContent = opened > 1 ? `${opened} cells open` : describe(faces[seen[0]])[2];
}

function moment() {
  if (game.state === 'lost') navigator.vibrate?.([60, 40, 120]);
  if (game.state !== 'won' || still.matches) return;
  const pieces = Array.from({ length: 70 }, () => {
    const piece = make('i');
    const shape = { left: Math.random() * 100 + '%', '--turn': Math.random() * 900 - 450 + 'deg', '--hue': Math.floor(Math.random() * 6) * 60, '--wait': Math.random() * 900 + 'ms' };
    for (const [name, value] of Object.entries(shape)) piece.style.setProperty(name, value);
    return piece;
  });
  $('party').replaceChildren(...pieces);
  setTimeout(() => $('party').replaceChildren(), 5000);
}

// To begin

$('face').onclick = () => press('n');
const comeBack = () => socket.readyState >= WebSocket.CLOSING && !isOver && connect();
addEventListener('online', comeBack);
addEventListener('offline', () => (clearTimeout(connect.timer), lose()));
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) comeBack();
  else if (coarse.matches && game.clock_runs) send(PAUSE);
});
// A code that comes before the first screen of a connection is read with that.
addEventListener('hashchange', () => {
  if (!location.hash || isFresh) return;
  isOver = false;
  delete game.state;
  connect();
});
keepLocal({});
connect();
