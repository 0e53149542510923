// What hands do on the field. A gesture is a state machine of one pointer; fingers know nothing of each other,
// but for two that move apart or together: they zoom.

import { board, field, view } from './board.js';
import { device } from './device.js';

const SLOP = 10; // pixels within which a finger only trembles
const PINCH = 18; // pixels by which two fingers change their distance before they zoom
const ECHO_MS = 1_000; // after a finger browsers say "mouse" and "click" once more

// `does` has open, flag, chord and near, each with the number of a cell.
export class Gestures {
  #fingers = new Map();
  mouse = { state: 'up' };
  #pinch = null;
  #touchedAt = -Infinity;

  constructor(does) {
    this.does = does;
    const on = (element, type, hear, more) => element.addEventListener(type, hear.bind(this), more);
    on(field, 'pointerdown', this.down);
    on(window, 'pointermove', this.#move);
    on(window, 'pointerup', this.#up);
    on(window, 'pointercancel', this.#cancel);
    on(field, 'mousedown', this.#mouseDown);
    on(window, 'mouseup', this.#mouseUp);
    on(field, 'click', this.click);
    on(field, 'contextmenu', (event) => event.preventDefault());
    on(view, 'touchstart', this.#twoDown, { passive: true });
    on(view, 'touchmove', this.#twoMove, { passive: false });
    on(view, 'wheel', this.#wheel, { passive: false });
  }

  // A finger: pressed -> up is a tap; -> after a while is held; -> moved or zooming is none of both.

  down({ pointerType, pointerId, clientX: x, clientY: y }) {
    if (pointerType === 'mouse') return;
    const index = board.cellAt(x, y);
    if (index === null) return;
    const timer = setTimeout(() => this.#held(pointerId), device.hold);
    this.#fingers.set(pointerId, { state: 'pressed', index, x, y, timer });
    this.does.press(index, true);
  }

  #held(id) {
    const finger = this.#fingers.get(id);
    this.leave(finger, 'held');
    this.does.use(finger.index, true);
  }

  #move({ pointerId, clientX, clientY }) {
    const finger = this.#fingers.get(pointerId);
    if (finger?.state !== 'pressed' || Math.hypot(clientX - finger.x, clientY - finger.y) <= SLOP) return;
    this.leave(finger, 'moved');
  }

  #up({ pointerId, pointerType }) {
    if (pointerType !== 'mouse') this.#touchedAt = performance.now();
    const finger = this.#fingers.get(pointerId);
    if (!finger) return;
    const isTap = finger.state === 'pressed';
    this.leave(finger, 'up');
    this.#fingers.delete(pointerId);
    if (isTap) this.does.use(finger.index, false);
  }

  #cancel({ pointerId }) {
    this.leave(this.#fingers.get(pointerId), 'up');
    this.#fingers.delete(pointerId);
  }

  leave(finger, state) {
    if (finger?.state === 'pressed') this.does.press(finger.index, false);
    clearTimeout(finger?.timer);
    if (finger) finger.state = state;
  }

  #twoDown({ touches }) {
    this.#pinch = touches.length === 2 ? { apart: distance(touches), zoom: board.zoom, isZooming: false } : null;
  }

  #twoMove(event) {
    const { touches } = event;
    if (!this.#pinch || touches.length !== 2) return;
    event.preventDefault();
    const apart = distance(touches);
    this.#pinch.isZooming ||= Math.abs(apart - this.#pinch.apart) > PINCH;
    if (!this.#pinch.isZooming) return;
    for (const finger of this.#fingers.values()) this.leave(finger, 'zooming');
    const [one, two] = touches;
    const [x, y] = [(one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2];
    board.zoomTo(this.#pinch.zoom * apart / this.#pinch.apart, x, y);
  }

  // A mouse: up -> left -> up on the same cell opens; two buttons or the middle one chord when the first is let go.

  get #isEcho() {
    return performance.now() - this.#touchedAt < ECHO_MS;
  }

  #mouseDown(event) {
    const index = board.cellAt(event.clientX, event.clientY);
    if (this.#isEcho || index === null) return;
    if (event.button === 1) event.preventDefault();
    if (event.button === 1 || event.buttons === 3) this.#setMouse('chord', index);
    else if (event.button === 2 || event.ctrlKey) {
      this.#setMouse('spent', index);
      this.does.flag(index);
    } else if (event.button === 0) this.#setMouse('left', index);
  }

  #mouseUp(event) {
    const { state, index } = this.mouse;
    const isSame = board.cellAt(event.clientX, event.clientY) === index;
    if (state === 'up') return;
    this.#setMouse(event.buttons ? 'spent' : 'up', index);
    if (isSame && state === 'left') this.does.use(index, false);
    if (isSame && state === 'chord') this.does.chord(index);
  }

  #setMouse(state, index) {
    this.mouse = { state, index };
    this.does.near(index, state === 'left' || state === 'chord', state === 'chord');
  }

  // What comes without a pointer is a screen reader or a program.
  click(event) {
    const index = event.target.closest('.cell')?.dataset.index;
    if (event.detail === 0 && index !== undefined) this.does.use(+index, false);
  }

  #wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    board.zoomTo(board.zoom * 1.1 ** -Math.sign(event.deltaY), event.clientX, event.clientY);
  }
}

const distance = ([one, two]) => Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
