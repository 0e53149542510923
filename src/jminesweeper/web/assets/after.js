// What comes after a game: its party, its result for others, its file, and the last games again without a server.
// Loaded with the first end of a game.

const PIECES = 90;
const PARTY_MS = 1_500;
const ENDS = { won: 'won in', lost: 'lost after' };

let $, isStill, make, minutes;

export default class After {
  game = null; // the one that is played again

  constructor({ dom, lastGames, figureOf, game, panels, send, show, open, wire }) {
    ({ $, isStill, make, minutes } = dom);
    Object.assign(this, { lastGames, figureOf, now: game, panels, send, show, open, wire });
  }

  draw() {}

  celebrate() {
    if (isStill.matches) return;
    const pieces = Array.from({ length: PIECES }, () => {
      const piece = make('i');
      const shape = {
        left: `${Math.random() * 100}%`, background: `var(--n${Math.ceil(Math.random() * 8)})`,
        '--turn': `${Math.random() * 900 - 450}deg`, '--wait': `${Math.random() * 300}ms`,
      };
      for (const [name, value] of Object.entries(shape)) piece.style.setProperty(name, value);
      return piece;
    });
    $('party').replaceChildren(...pieces);
    setTimeout(() => pieces.forEach((piece) => piece.remove()), PARTY_MS);
  }

  // The result of a game, and its board to play; of a board of the day nothing that gives it away.
  share() {
    const { label, state, figures } = this.now.said;
    const line = this.figureOf('share', figures);
    if (line) return this.offer(line, '');
    const result = `${ENDS[state] ?? 'stopped after'} ${minutes(this.now.clock)}`;
    return this.offer(`JMinesweeper ${label}: ${result}`, this.figureOf('seed code', figures) ?? '');
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

  // A game leaves as a file: what is on top of it, or else the one that has just ended.
  get exported() {
    const { packet, LOOKS } = this.wire;
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
    return this.lastGames().filter(({ moves, size }) => moves && size);
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
    if (!this.game) this.before = { said: { ...this.now.said, size: this.now.size }, cells: this.now.faces };
    this.game = game;
    this.goTo(0);
  }

  goTo(position) {
    const { label, size, state, mines, moves } = this.game;
    const faces = new Uint8Array(size[0] * size[1]).fill(this.wire.FACES.COVERED);
    for (const [, ...pairs] of moves.slice(0, position)) {
      for (let at = 0; at < pairs.length; at += 2) faces[pairs[at]] = pairs[at + 1];
    }
    const times = moves.map(([ms]) => ms);
    const flags = faces.filter((face) => face & this.wire.FACES.FLAGGED).length;
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
