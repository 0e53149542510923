// What comes after a game: its party, its result for others, its file, and the last games again without a server.
// Loaded with the first end of a game, and where games ended before.

const PIECES = 90;
const PARTY_MS = 1_500;
const ENDS = { won: 'won in', lost: 'lost after' };
const RESULTS = { won: '✓', lost: '✗' };
const MOST_GAMES = 12;
const MOST_KEPT = 30_000; // characters of a game's acts: storage has five million for all pages of a server

let $, isStill, make, minutes;

export default class After {
  game = null; // the one that is played again

  constructor({ dom, game, panels, send, show, open, packet, FACES, LOOKS, stored, store }) {
    ({ $, isStill, make, minutes } = dom);
    Object.assign(this, { now: game, panels, send, show, open, packet, FACES, LOOKS, stored, store });
    this.figures = make('aside', { id: 'figures', 'aria-label': 'Figures', hidden: '' });
    this.last = make('aside', { id: 'games', 'aria-label': 'Last games', hidden: '' });
    this.party = make('div', { id: 'party', 'aria-hidden': true });
    $('news').before(this.figures, this.last, this.party);
    this.drawGames();
  }

  draw() {
    const { figures } = this.now.said;
    this.figures.hidden = !this.now.isOver || !figures.length;
    if (!this.figures.hidden) this.figures.replaceChildren(make('h2', {}, 'This game'), listOf(figures));
  }

  drawGames() {
    const games = this.lastGames;
    this.last.hidden = !games.length;
    const items = games.map(({ label, state, clock }) =>
      make('li', { class: state }, make('b', {}, RESULTS[state] ?? '–'), ` ${label} `, make('span', {}, minutes(clock))));
    this.last.replaceChildren(make('h2', {}, 'Last games'), make('ol', {}, ...items));
  }

  get lastGames() {
    return this.stored('games', []).filter((game) => typeof game?.label === 'string');
  }

  figureOf(wanted) {
    return this.now.said.figures.find(([name]) => name === wanted)?.[1];
  }

  end() {
    const { clock, size, moves, said: { label, state, mines } } = this.now;
    const game = { label, state, clock, code: this.figureOf('seed code'), mines, size };
    const kept = JSON.stringify(moves).length < MOST_KEPT ? { ...game, moves } : game;
    this.store('games', [kept, ...this.lastGames].slice(0, MOST_GAMES));
    this.drawGames();
    if (state === 'won') this.celebrate();
  }

  showFigures() {
    const { figures } = this.now.said;
    if (figures.length) this.open({ id: 'figures', title: 'Figures', lines: [], body: listOf(figures) });
    else this.panels.say({ text: 'A game has figures when it is over.' });
  }

  // Lines of a page that are not a sentence each.
  table({ head, rows }) {
    const line = (cells, tag) => make('tr', {}, ...cells.map((cell) => make(cell ? tag : 'td', {}, cell)));
    const table = make('table', {}, line(head, 'th'), ...rows.map((cells) => line(cells, 'td')));
    return make('div', { class: 'wide', tabindex: 0 }, table);
  }

  // What a round came to.
  result(together) {
    const { room, seats } = this.now.said;
    const isRace = room.kind === 'race';
    const isRated = seats.some(({ rating }) => rating);
    const row = (seat) => {
      const { place, speed, efficiency, hits } = seat;
      const [name, share] = [together.nameOf(seat), together.reached(seat)];
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
      body: make('div', { class: 'waiting' }, together.readyButton, together.nextRound),
    };
  }

  celebrate() {
    if (isStill.matches) return;
    const pieces = Array.from({ length: PIECES }, () => make('i', {
      '--x': `${Math.random() * 100}%`, '--ink': `var(--n${Math.ceil(Math.random() * 8)})`,
      '--turn': `${Math.random() * 900 - 450}deg`, '--wait': `${Math.random() * 300}ms`,
    }));
    this.party.replaceChildren(...pieces);
    setTimeout(() => pieces.forEach((piece) => piece.remove()), PARTY_MS);
  }

  // The result of a game, and its board to play; of a board of the day nothing that gives it away.
  share() {
    const { label, state } = this.now.said;
    const line = this.figureOf('share');
    if (line) return this.offer(line, '');
    const result = `${ENDS[state] ?? 'stopped after'} ${minutes(this.now.clock)}`;
    return this.offer(`JMinesweeper ${label}: ${result}`, this.figureOf('seed code') ?? '');
  }

  async offer(text, hash) {
    const url = new URL(hash && `#${hash}`, location.href.split('#')[0]).href;
    try {
      if (navigator.share) return await navigator.share({ title: 'JMinesweeper', text, url });
      await navigator.clipboard.writeText(`${text} ${url}`);
      this.panels.say({ text: 'Copied.' });
    } catch (error) {
      if (error.name !== 'AbortError') this.open({ id: 'share', title: 'Share', lines: [text, url] });
    }
  }

  export() {
    this.open(this.exported);
  }

  // A game leaves as a file: what is on top of it, or else the one that has just ended.
  get exported() {
    const { packet, LOOKS } = this;
    const file = (text, what, place) => {
      const run = () => this.send(packet('LOOK_BACK', LOOKS[what]));
      return make('button', { class: 'key', 'data-focus': `0 ${place}`, onclick: run }, text);
    };
    return {
      id: 'export', title: 'Export', lines: ['As text for other programs, or as a picture that plays in any browser and chat.'],
      buttons: [file('text', 'RECORDING', 0), file('moving picture', 'PICTURE', 1)],
    };
  }

  // What a file is called is not for the server to say.
  download(content) {
    const today = new Date().toISOString().slice(0, 10);
    const [ending, type] = content[0] === '<'.charCodeAt() ? ['svg', 'image/svg+xml'] : ['txt', 'text/plain'];
    const link = make('a', { href: URL.createObjectURL(new Blob([content], { type })), download: `minesweeper-${today}.${ending}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  // The games that can be played again.
  get games() {
    return this.lastGames.filter(({ moves, size }) => moves && size);
  }

  list() {
    const { games } = this;
    const rows = games.map(({ label, state }, number) => ({ id: `${number}`, label, value: state }));
    const none = { id: 'none', kind: 'heading', label: 'Games that you play are kept here, to be replayed.' };
    const title = rows.length ? 'Replay without a server' : 'No server answers';
    this.open({ id: 'past', title, rows: rows.length ? rows : [none], run: (_, row) => this.play(games[row]) });
  }

  play(game) {
    this.open(null);
    if (!this.game) this.before = { said: { replay: null, ...this.now.said, size: this.now.size }, cells: this.now.faces };
    this.game = game;
    this.goTo(0);
  }

  goTo(position) {
    const { label, size, state, mines, moves } = this.game;
    const faces = new Uint8Array(size[0] * size[1]).fill(this.FACES.COVERED);
    for (const [, ...pairs] of moves.slice(0, position)) {
      for (let at = 0; at < pairs.length; at += 2) faces[pairs[at]] = pairs[at + 1];
    }
    const times = moves.map(([ms]) => ms);
    const flags = faces.filter((face) => face & this.FACES.FLAGGED).length;
    this.show({
      cells: faces,
      said: {
        size, label, mines, position, left: mines - flags, replay: times, clock: times[position - 1] ?? 0, clock_runs: false,
        state: position < moves.length ? 'playing' : state, keys: ['back'], message: null, menu: null, page: null,
        figures: [], first: [], hint: [], flash: [], odds: null,
      },
    });
  }

  // Go back to what was there before; say whether a game was shown.
  stop() {
    if (!this.game) return false;
    this.game = null;
    this.show(this.before);
    return true;
  }
}

// The figures of a game; its seed code is a link that can be kept.
function listOf(figures) {
  return make('ul', {}, ...figures.map(([name, value]) => {
    const link = () => make('a', { href: `#${value}`, onclick: () => (location.hash = '') }, value);
    const shown = name === 'seed code' ? link() : value;
    return make('li', {}, name ? `${name} ` : '', shown);
  }));
}
