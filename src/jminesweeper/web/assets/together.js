// Playing together: a room before, during and after a round, and watching. Loaded with the first of them.

const PHRASES = ['Look here', 'Hello!', 'Well done!', 'Oh no!', 'Wait for me.', 'Thank you.', 'Again?'];
const KINDS = { race: 'Race', shared: 'Shared board' };
const MINES = { ends: 'A mine is the end', penalty: 'A mine costs ten seconds', life: 'A mine costs one of three lives' };
const HEARD_MS = 4_000;
const LOOK_MS = 3_000;
const NEWS_MS = 5_000;
const EDGE_PX = 14;
// In rem, as the layout has them: what is above the lines of the others, and one of these.
const HEAD = 5.9;
const LINE = 1.75;
const CURSOR_MS = 100;
const MOST_LINES = 4;

let $, make, minutes, root, write;

export default class Together {
  lines = 0;
  ends = {};
  heard = new Map();
  news = new Map();
  timer = null;
  cursorTimer = null;
  isIn = false;
  pointed = null;
  told = '';
  isDismissed = false;

  constructor({ dom, ...page }) {
    ({ $, make, minutes, root, write } = dom);
    Object.assign(this, page);
    document.head.append(make('link', { rel: 'stylesheet', href: './together.css' }));
    this.list = make('ol', { id: 'seats', 'aria-label': 'Players', tabindex: 0, hidden: '' });
    document.querySelector('main').prepend(this.list);
    this.others = make('div', { id: 'others', 'aria-hidden': true });
    this.looks = make('div', { id: 'looks', 'aria-hidden': true });
    this.count = make('div', { id: 'starts', role: 'timer', hidden: '' });
    this.wait = make('i', { class: 'wait', hidden: '' });
    this.looks.append(this.wait);
    this.edges = make('div', { id: 'edges', 'aria-hidden': true });
    $('view').append(this.others, this.looks, this.count);
    document.body.append(this.edges);
    this.board.moved = () => this.tellCursor();
    $('view').addEventListener('scroll', () => this.pointToOthers());
    addEventListener('resize', () => {
      this.arrange();
      this.pointToOthers();
    });
    $('field').addEventListener('pointermove', (event) => event.pointerType === 'mouse' && this.tellPointer(event));
  }

  get said() {
    return this.game.said;
  }

  get isPlaying() {
    return this.said.room?.state === 'running';
  }

  // Who watches a race sees how far everybody is, and no board.
  get isOutside() {
    return this.isPlaying && !this.said.state && !this.said.room.you;
  }

  // Come into the room of a link, or watch; others see a name.
  enter(way, code) {
    const come = () => this.ask(this.wire.named(way === 'watch' ? 'WATCH' : 'JOIN', code));
    if (way === 'watch' || this.device.name || history.state?.isRead) return come();
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
    const { room, watching, seats } = this.said;
    if (before?.state === 'starting' && this.game.isPlaying) this.feel('go');
    for (const name of ['starts_in', 'ends_in', 'blocked']) {
      if (said[name] !== undefined) this.ends[name] = said[name] === null ? 0 : performance.now() + said[name];
    }
    if (!isFirst) this.keepPlace(room, watching);
    if (room?.state !== 'over') this.isDismissed = false;
    if (!this.canSay) this.panels.offer([]);
    if (!this.isSeen) this.told = '';
    root.classList.toggle('together', !!room);
    const lines = room && (this.said.state || this.isOutside) ? Math.min(MOST_LINES, seats.length) : 0;
    for (const one of said.said ?? []) this.hear(one);
    for (const one of said.news ?? []) this.learn(one);
    this.list.hidden = !lines;
    this.drawSeats();
    this.drawOthers();
    if (lines !== this.lines) {
      this.lines = lines;
      this.board.fit();
      this.arrange();
    }
    this.tick();
  }

  // The address leads back to where one is, after the connection was lost as well.
  keepPlace(room, watching) {
    // Alone one races in no room.
    const isIn = !!(room?.code || watching);
    const place = room?.code && `#${room.you ? 'join' : 'watch'}=${room.code}`;
    if (place && (location.hash !== place || !history.state?.isRead)) history.replaceState({ isRead: true }, '', place);
    else if (this.isIn && !isIn) history.replaceState(null, '', location.pathname + location.search);
    this.isIn = isIn;
  }

  // Lines of those who play: beside the board, or above it.

  // Where there is room for one line alone, all are in it.
  arrange() {
    const [head, rem] = [parseFloat(root.style.getPropertyValue('--head')), parseFloat(getComputedStyle(root).fontSize)];
    const isRow = root.dataset.panels === '0' && root.dataset.shape === 'upright' && head < (HEAD + 2 * LINE) * rem;
    this.list.classList.toggle('row', isRow && this.lines > 1);
  }

  drawSeats() {
    if (this.list.hidden) return;
    this.list.replaceChildren(...this.said.seats.map((seat) => this.line(seat)));
    const speaking = [...this.heard.keys()].at(-1);
    this.list.children[this.said.seats.findIndex(({ number }) => number === speaking)]?.scrollIntoView({ block: 'nearest' });
  }

  line(seat) {
    const place = seat.place ? `${seat.place}. ` : '';
    const phrase = this.heard.get(seat.number);
    const bar = make('span', { class: 'bar' }, make('b'));
    bar.firstChild.style.width = `${seat.opened / 10}%`;
    const hit = { class: 'hits', role: 'img', 'aria-label': `mines hit: ${seat.hits}` };
    const kinds = [!seat.here && 'gone', seat.number === this.said.room?.you && 'own'];
    return make('li', { class: kinds.filter(Boolean).join(' ') },
      this.badge(seat),
      make('span', { class: 'name' }, place + this.nameOf(seat) + (this.said.room?.series ? ` · ${seat.points}` : '')),
      phrase ? make('q', {}, phrase) : bar,
      make('span', { class: 'share' }, reached(seat)),
      seat.hits ? make('span', hit, `✗${seat.hits}`) : '');
  }

  nameOf({ number, name }) {
    return number === this.said.room?.you ? 'you' : name;
  }

  badge({ name, colour }) {
    const badge = make('b', { class: 'badge', 'aria-hidden': true }, initials(name));
    paint(badge, colour);
    return badge;
  }

  // Where the others are on a shared board, and whose flags there are.
  drawOthers() {
    const { cursors, owners, room, seats } = this.said;
    const colours = new Map(seats.map((seat) => [seat.number, seat]));
    const marks = [
      ...owners.map(([cell, seat]) => ['owner', cell, seat]),
      ...cursors.filter(([seat]) => seat !== room?.you).map(([seat, cell]) => ['other', cell, seat]),
    ];
    const [columns, rows] = this.game.size;
    $('view').style.setProperty('--columns', columns);
    $('view').style.setProperty('--rows', rows);
    this.others.hidden = this.looks.hidden = !this.said.state;
    const known = marks.filter(([, , seat]) => colours.has(seat));
    this.others.replaceChildren(...known.map(([kind, cell, seat]) => this.mark(kind, cell, colours.get(seat))));
    this.pointToOthers();
  }

  // Arrows at the edge of the view say where others are who are out of sight.
  pointToOthers() {
    const { cursors, room, seats, state } = this.said;
    const [view, field] = [$('view'), $('field')].map((element) => element.getBoundingClientRect());
    const edges = state === 'playing' ? cursors.filter(([seat]) => seat !== room?.you).flatMap(([number, cell]) => {
      const seat = seats.find((one) => one.number === number);
      const [x, y] = this.game.placeOf(cell).map((place, axis) => [field.left, field.top][axis] + (place + .5) * this.board.cell);
      const isSeen = x > view.left && x < view.right && y > view.top && y < view.bottom;
      return seat && !isSeen ? [this.edge(seat, x, y, view)] : [];
    }) : [];
    this.edges.replaceChildren(...edges);
  }

  edge(seat, x, y, { left, right, top, bottom }) {
    const within = (least, value, most) => Math.max(least + EDGE_PX, Math.min(value, most - EDGE_PX));
    const [across, down] = [within(left, x, right), within(top, y, bottom)];
    const turn = (Math.atan2(y - down, x - across) * 180) / Math.PI;
    const style = `left: ${across}px; top: ${down}px; rotate: ${turn}deg`;
    const arrow = make('b', { class: 'edge', style, 'data-name': seat.name }, '➤');
    paint(arrow, seat.colour);
    return arrow;
  }

  mark(kind, cell, { name, colour }) {
    const [column, row] = this.game.placeOf(cell);
    const mark = make('i', { class: kind }, kind === 'other' ? make('b', { class: 'badge' }, initials(name)) : '');
    const properties = { '--x': column, '--y': row };
    paint(mark, colour);
    for (const [property, value] of Object.entries(properties)) mark.style.setProperty(property, value);
    return mark;
  }

  // The others at a shared board see the cursor, and so do those who watch.
  get isSeen() {
    const { room, state, watching, watchers } = this.said;
    return state === 'playing' && !watching && (room?.code ? room.kind === 'shared' && room.you : watchers);
  }

  // A mouse shows where one looks as well as keys do.
  tellPointer({ clientX, clientY }) {
    const { left, top } = $('field').getBoundingClientRect();
    const cell = [clientX - left, clientY - top].map((length) => Math.floor(length / this.board.cell));
    const isOn = cell.every((place, axis) => place >= 0 && place < this.game.size[axis]);
    if (isOn && this.said.room?.kind === 'shared') this.tellCursor(cell);
  }

  tellCursor(cell = this.game.cursor) {
    this.pointed = cell;
    if (this.cursorTimer || !this.isSeen) return;
    this.cursorTimer = setTimeout(() => {
      this.cursorTimer = null;
      const told = String(this.pointed);
      if (told !== this.told) this.send(this.wire.packet('MOVE_TO', ...this.pointed));
      this.told = told;
    }, CURSOR_MS);
  }

  // Phrases

  hear({ seat: number, id, cell }) {
    const seat = this.said.seats.find((one) => one.number === number);
    if (!seat) return;
    const phrase = PHRASES[id];
    this.heard.delete(number);
    this.heard.set(number, phrase);
    write($('news'), `${seat.name}: ${phrase}`);
    setTimeout(() => {
      if (this.heard.get(number) !== phrase) return;
      this.heard.delete(number);
      this.drawSeats();
      this.drawSheet();
    }, HEARD_MS);
    if (id || cell < 0) return;
    const mark = this.mark('look', cell, seat);
    this.looks.append(mark);
    setTimeout(() => mark.remove(), LOOK_MS);
  }

  // What the others do is said for a while, whatever is done meanwhile.
  learn({ text }) {
    const until = performance.now() + NEWS_MS;
    this.news.set(text, until);
    write($('news'), text);
    setTimeout(() => {
      if (this.news.get(text) === until) this.news.delete(text);
      this.tick();
    }, NEWS_MS);
  }

  // The phrases take the place of the commands until one is chosen.
  offerPhrases() {
    const [lookHere, ...others] = this.phrases;
    this.panels.offer([...others, lookHere, { name: 'back', text: 'back', key: 'Esc', run: () => this.dismiss() }]);
  }

  get phrases() {
    return PHRASES.map((text, id) => ({ name: `say${id}`, text, key: id, run: () => this.say(id), focus: `1 ${id}` }));
  }

  say(id) {
    this.panels.offer([]);
    this.ask(this.wire.packet('SAY', id, ...this.game.cursor));
  }

  get canSay() {
    return this.said.keys.includes('say');
  }

  // Nobody leaves a running round, or gives one up, by a slip of the hand.

  leave() {
    if (this.isPlaying && this.game.isPlaying) this.makeSure('Leave the running round?', 'leave', 'LEAVE');
    else this.ask(this.wire.packet('LEAVE'));
  }

  giveUp() {
    this.makeSure('Give up this race?', 'give up', 'GIVE_UP');
  }

  makeSure(title, text, packet) {
    const rows = [{ id: 'no', label: 'stay' }, { id: 'yes', label: text }];
    const run = (_, id) => {
      this.open(null);
      if (id === 'yes') this.ask(this.wire.packet(packet));
    };
    this.open({ id: 'sure', title, rows, run });
  }

  // Who has won a race may see the boards of those who still play it, one after the other.
  watchNext(step) {
    const { seats, watching, room } = this.said;
    const playing = seats.filter(({ number, time, gave_up: hasGivenUp }) => number !== room.you && time === undefined && !hasGivenUp);
    if (!playing.length) return;
    const place = playing.findIndex(({ name }) => name === watching?.name);
    const next = place < 0 ? 0 : (place + step + playing.length) % playing.length;
    this.ask(this.wire.named('WATCH', `${playing[next].number}`));
  }

  key(name) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[name];
    if (step && this.said.keys.includes('rivals')) {
      this.watchNext(step);
      return true;
    }
    if (!/^[0-6]$/.test(name) || !this.canSay) return false;
    this.say(+name);
    return true;
  }

  // What counts down: to the start, to the end, and until one may go on after a mine.

  secondsTo(name) {
    return Math.max(0, Math.ceil(((this.ends[name] ?? 0) - performance.now()) / 1000));
  }

  tick() {
    clearTimeout(this.timer);
    const [starts, ends, blocked] = ['starts_in', 'ends_in', 'blocked'].map((name) => this.secondsTo(name));
    root.classList.toggle('blocked', blocked > 0);
    this.countDown(starts, blocked);
    if ($('next')) write($('next'), this.next);
    this.panels.say(this.words(ends, blocked));
    if (starts || ends || blocked) this.timer = setTimeout(() => this.tick(), 200);
  }

  // Of a series: when the next round comes.
  get next() {
    const seconds = this.secondsTo('starts_in');
    return seconds && !this.isPlaying ? `The next round begins in ${seconds} s.` : '';
  }

  // The most urgent of what there is to say.
  words(ends, blocked) {
    const { watching, message } = this.said;
    const roughly = ends > 10 ? 10 * Math.ceil(ends / 10) : ends;
    if (this.news.size) return { text: [...this.news.keys()].slice(-2).join(' '), tone: 'warning' };
    if (blocked) return { text: `A mine: wait ${blocked} s.`, tone: 'bad' };
    if (message && message.id !== 'blocked') return this.panels.words;
    const end = ends && this.isPlaying ? `The race ends in ${roughly} s.` : '';
    if (!watching) return end ? { text: end, tone: 'warning' } : this.panels.aim;
    const seen = watching.gone ? `${watching.name} has gone.` : `You watch ${watching.name}.`;
    return { text: `${seen} ${end}`, tone: 'aim' };
  }

  // Large figures over the board until a round begins, and small ones where one plays until one may go on.
  countDown(starts, blocked) {
    const { count, wait } = this;
    const counted = this.game.isStarting && starts ? `${starts}` : '';
    if (counted && counted !== count.textContent) this.feel('count');
    count.hidden = !counted;
    write(count, counted);
    wait.hidden = !blocked;
    write(wait, `${blocked}`);
    const [column, row] = this.game.cursor;
    wait.style.setProperty('--x', column);
    wait.style.setProperty('--y', row);
  }

  // The sheet of a room in which no round runs

  get sheet() {
    const { room } = this.said;
    if (!room || room.state === 'running' || this.game.isStarting || this.isDismissed) return null;
    return room.state === 'over' ? this.result : this.waiting;
  }

  // Give the commands or the board behind the result back; say whether there was something to take away.
  dismiss() {
    if (this.panels.offered.length) {
      this.panels.offer([]);
      return true;
    }
    if (this.said.room?.state !== 'over' || this.isDismissed) return false;
    this.isDismissed = true;
    this.drawSheet();
    return true;
  }

  get waiting() {
    const { room } = this.said;
    const link = new URL(`#join=${room.code}`, location.href).href;
    const seats = make('ol', { class: 'people' }, ...this.said.seats.map((seat) => this.person(seat)));
    const phrases = this.canSay && this.said.seats.length > 1 ? this.phrases.slice(1).map((phrase) => this.panels.button(phrase)) : [];
    const leave = { class: 'key', 'data-focus': '2 leave', onclick: () => this.leave() };
    const share = { class: 'key', 'data-focus': '1 link', onclick: (event) => this.share(event.target) };
    return {
      id: 'room',
      title: `${KINDS[room.kind]}: ${room.label}`,
      lines: [`${MINES[room.mine]}.${room.series ? ` A series: ${room.series}.` : ''} Friends come to room ${room.code}, or open this link:`, link, ...this.bySsh],
      body: make('div', { class: 'waiting' },
        seats, room.state === 'countdown' ? 'The round begins.' : this.readyButton,
        make('p', { id: 'next', role: 'timer' }, this.next), make('div', { class: 'phrases' }, ...phrases),
        ...this.said.sheet.map((row, place) => this.sheets.row({ id: 'room' }, row, place + 1))),
      buttons: [room.you ? make('button', leave, 'leave') : '', make('button', share, 'share link')],
      back: room.you ? 'menu' : 'back',
    };
  }

  get bySsh() {
    const { code, doors } = this.said.room;
    if (!doors?.ssh) return [];
    return [`In a terminal: ssh -t -p ${doors.port} ${location.hostname} join ${code} (host key ${doors.ssh})`];
  }

  async share(button) {
    const { code } = this.said.room;
    await this.offer(`Play JMinesweeper with me in room ${code}:`, `join=${code}`);
    if (!navigator.share) write(button, 'copied');
  }

  person(seat) {
    const { you, host } = this.said.room;
    const marks = [seat.rating, seat.number === you && 'you', seat.number === host && 'host', seat.bot && 'bot', !seat.here && 'away'];
    const name = make('span', { class: 'name' }, seat.name, ' ', make('small', {}, marks.filter(Boolean).join(', ')));
    const phrase = this.heard.get(seat.number);
    const state = make('span', { class: seat.ready ? 'good' : '' }, seat.ready ? '✓ ready' : 'not ready');
    return make('li', { class: seat.here ? '' : 'gone' }, this.badge(seat), name, phrase ? make('q', {}, phrase) : state);
  }

  get readyButton() {
    const { keys, room, seats } = this.said;
    const button = (name, text, bytes, isPressed) => {
      const attributes = { class: 'key ready', 'data-focus': `0 ${name}`, 'aria-pressed': isPressed };
      return make('button', { ...attributes, onclick: () => this.ask(bytes) }, text);
    };
    if (keys.includes('again')) return button('again', 'race again', this.wire.newGame('again'));
    if (!keys.includes('ready')) return '';
    // Until the first asks for another round, seats are ready as they were for the last.
    if (room.state === 'over') return button('ready', 'play again', this.wire.packet('READY', 1));
    const isReady = !!seats.find(({ number }) => number === room.you)?.ready;
    return button('ready', isReady ? '✓ ready' : 'ready', this.wire.packet('READY', +!isReady), `${isReady}`);
  }

  get result() {
    const { room, seats } = this.said;
    const isRace = room.kind === 'race';
    const isRated = seats.some(({ rating }) => rating);
    const row = (seat) => {
      const { place, speed, efficiency, hits } = seat;
      const [name, share] = [this.nameOf(seat), reached(seat)];
      const figures = speed === undefined ? ['–', '–'] : [(speed / 100).toFixed(2), `${efficiency} %`];
      if (isRated) figures.push(seat.rating ? `${seat.rating} (${seat.change < 0 ? '' : '+'}${seat.change})` : '–');
      return isRace ? [place ? `${place}. ${name}` : name, share, ...figures, `${hits}`] : [name, share, `${hits}`];
    };
    const head = isRace ? ['Name', 'Time', '3BV/s', 'Effic.', ...(isRated ? ['Rating'] : []), 'Mines'] : ['Name', 'Opened', 'Mines'];
    const lines = [{ head, rows: seats.map(row) }];
    if (room.score) lines.push(`${room.score[0].toUpperCase()}${room.score.slice(1)}.`);
    if (room.share) lines.push(room.share);
    const hand = { class: 'key', 'data-focus': '1 share', onclick: () => this.offer(room.share, '') };
    return {
      id: 'result', title: room.headline, lines, back: 'look at the board',
      buttons: room.share ? [make('button', hand, 'share')] : [],
      body: make('div', { class: 'waiting' }, this.readyButton, make('p', { id: 'next', role: 'timer' }, this.next)),
    };
  }
}

// A time, or how far somebody came.
function reached({ won, time, gave_up: hasGivenUp, opened }) {
  if (hasGivenUp) return 'gave up';
  return won ? minutes(time) : `${Math.floor(opened / 10)} %`;
}

// Searched for, under white and under dark letters: the farthest from each other in the eyes of the colour-blind
// as well, the first few most of all, and none near a flag.
const SEATS = {
  dark: '31ab5036f40220686a00e63763b314b2d266a37235d09',
  light: '8ddd50eb1a5f389a9f4bbcfb69bbda6ff9beb92684d0d',
};

function paint(element, colour) {
  for (const [name, shades] of Object.entries(SEATS)) element.style.setProperty(`--${name}`, `#${shades.substr(3 * colour, 3)}`);
}

// Two letters of a name.
function initials(name) {
  const words = name.split(/\s+/).filter(Boolean);
  return (words.length > 1 ? [...words[0]][0] + [...words.at(-1)][0] : [...name].slice(0, 2).join('')).toUpperCase();
}
