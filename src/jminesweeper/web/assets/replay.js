// A game that is shown again: played at its own times, faster, or step by step. Loaded with the first one.

const SPEEDS = [1, 2, 4, 8];
const LONGEST_PAUSE_MS = 2_000;
const PAGE_MS = 10_000;

let make, minutes, write;

export default class Replay {
  wanted = 0;
  speed = 1;
  timer = null;
  times = null;

  // A part that is loaded later is given what it needs: the modules of the page are one file by then.
  constructor({ dom, game, goToMoment }) {
    ({ make, minutes, write } = dom);
    Object.assign(this, { game, goTo: goToMoment });
    const button = (id, label, onclick, text) => make('button', { id, class: 'key', 'aria-label': label, onclick }, text);
    this.button = button('play', 'Play', () => (this.isPlaying ? this.stop() : this.play()), '');
    this.pace = button('speed', 'Speed', () => this.hurry(), '1×');
    this.line = make('input', { id: 'line', type: 'range', min: 0, 'aria-label': 'Action' });
    this.line.oninput = () => {
      this.stop();
      this.step(+this.line.value - this.wanted);
    };
    this.when = make('output', { id: 'when', 'aria-live': 'off' });
    this.bar = make('div', { id: 'replay' }, this.button, this.pace, this.line, this.when);
    dom.$('tools').prepend(this.bar);
  }

  get isPlaying() {
    return this.timer !== null;
  }

  // Show what the server said last.
  draw() {
    const { replay, position, clock } = this.game.said;
    this.bar.hidden = !replay;
    if (!replay) {
      this.times = null;
      this.stop();
      return;
    }
    const isNew = !this.times;
    if (isNew) this.wanted = position;
    this.times = replay;
    this.line.max = replay.length;
    this.line.value = this.wanted;
    // What was chosen from a menu was chosen to be seen.
    if (isNew && this.game.before.menu) this.play();
    write(this.when, `${minutes(clock)} of ${minutes(replay.at(-1) ?? 0)}`);
  }

  play() {
    if (this.wanted >= this.times.length) this.step(-this.wanted);
    this.schedule();
    this.button.setAttribute('aria-pressed', true);
  }

  schedule() {
    const before = this.times[this.wanted - 1] ?? 0;
    const pause = Math.min(LONGEST_PAUSE_MS, this.times[this.wanted] - before);
    this.timer = setTimeout(() => {
      this.step(1);
      if (this.wanted < this.times.length) this.schedule();
      else this.stop();
    }, pause / this.speed);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.button.setAttribute('aria-pressed', false);
  }

  hurry() {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length];
    write(this.pace, `${this.speed}×`);
  }

  step(actions) {
    const position = Math.min(Math.max(0, this.wanted + actions), this.times.length);
    if (position === this.wanted) return;
    this.goTo(position);
    this.wanted = position;
    this.line.value = position;
  }

  // By the keys that move the cursor on a board.
  key(name) {
    const here = this.times[this.wanted - 1] ?? 0;
    const after = (ms) => this.times.filter((time) => time <= ms).length - this.wanted;
    const steps = {
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -10, ArrowDown: 10, Home: -this.wanted, End: this.times.length,
      PageUp: Math.min(-1, after(here - PAGE_MS)), PageDown: Math.max(1, after(here + PAGE_MS)),
    };
    if (name === ' ') this.button.click();
    else if (name in steps) {
      this.stop();
      this.step(steps[name]);
    } else return false;
    return true;
  }
}
