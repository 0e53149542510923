// What hands do on the field. A gesture is a state machine of one pointer; fingers know nothing of each other,
// but for two that move apart or together: they zoom.

import { board, field, view } from './board.js';
import { device } from './device.js';

const SLOP = 10; // pixels within which a finger only trembles
const PINCH = 18; // pixels by which two fingers change their distance before they zoom
const ECHO_MS = 1_000; // after a finger browsers say "mouse" and "click" once more

const fingers = new Map();
let mouse = { state: 'up' };
let pinch = null;
let touchedAt = -Infinity;
let hands;

// `does` has use, press, flag, chord and near, each with the number of a cell.
export function watchHands(does) {
  hands = does;
  const on = (element, type, hear, more) => element.addEventListener(type, hear, more);
  on(field, 'pointerdown', down);
  on(window, 'pointermove', move);
  on(window, 'pointerup', up);
  on(window, 'pointercancel', cancel);
  on(field, 'mousedown', mouseDown);
  on(window, 'mouseup', mouseUp);
  on(field, 'click', click);
  on(field, 'contextmenu', (event) => event.preventDefault());
  on(view, 'touchstart', twoDown, { passive: true });
  on(view, 'touchmove', twoMove, { passive: false });
  on(view, 'wheel', wheel, { passive: false });
}

// A finger: pressed -> up is a tap; -> after a while is held; -> moved or zooming is none of both.

function down({ pointerType, pointerId, clientX: x, clientY: y }) {
  if (pointerType === 'mouse') return;
  const index = board.cellAt(x, y);
  if (index === null) return;
  const timer = setTimeout(() => held(pointerId), device.hold);
  fingers.set(pointerId, { state: 'pressed', index, x, y, timer });
  hands.press(index, true);
}

function held(id) {
  const finger = fingers.get(id);
  leave(finger, 'held');
  hands.use(finger.index, true);
}

function move({ pointerId, clientX, clientY }) {
  const finger = fingers.get(pointerId);
  if (finger?.state !== 'pressed' || Math.hypot(clientX - finger.x, clientY - finger.y) <= SLOP) return;
  leave(finger, 'moved');
}

function up({ pointerId, pointerType }) {
  if (pointerType !== 'mouse') touchedAt = performance.now();
  const finger = fingers.get(pointerId);
  if (!finger) return;
  const isTap = finger.state === 'pressed';
  leave(finger, 'up');
  fingers.delete(pointerId);
  if (isTap) hands.use(finger.index, false);
}

function cancel({ pointerId }) {
  leave(fingers.get(pointerId), 'up');
  fingers.delete(pointerId);
}

function leave(finger, state) {
  if (finger?.state === 'pressed') hands.press(finger.index, false);
  clearTimeout(finger?.timer);
  if (finger) finger.state = state;
}

function twoDown({ touches }) {
  pinch = touches.length === 2 ? { apart: distance(touches), zoom: board.zoom, isZooming: false } : null;
}

function twoMove(event) {
  const { touches } = event;
  if (!pinch || touches.length !== 2) return;
  event.preventDefault();
  const apart = distance(touches);
  pinch.isZooming ||= Math.abs(apart - pinch.apart) > PINCH;
  if (!pinch.isZooming) return;
  for (const finger of fingers.values()) leave(finger, 'zooming');
  const [one, two] = touches;
  const [x, y] = [(one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2];
  board.zoomTo(pinch.zoom * apart / pinch.apart, x, y);
}

// A mouse: up -> left -> up on the same cell opens; two buttons or the middle one chord when the first is let go.

function isEcho() {
  return performance.now() - touchedAt < ECHO_MS;
}

function mouseDown(event) {
  const index = board.cellAt(event.clientX, event.clientY);
  if (isEcho() || index === null) return;
  if (event.button === 1) event.preventDefault();
  if (event.button === 1 || event.buttons === 3) setMouse('chord', index);
  else if (event.button === 2 || event.ctrlKey) {
    setMouse('spent', index);
    hands.flag(index);
  } else if (event.button === 0) setMouse('left', index);
}

function mouseUp(event) {
  const { state, index } = mouse;
  const isSame = board.cellAt(event.clientX, event.clientY) === index;
  if (state === 'up') return;
  setMouse(event.buttons ? 'spent' : 'up', index);
  if (isSame && state === 'left') hands.use(index, false);
  if (isSame && state === 'chord') hands.chord(index);
}

function setMouse(state, index) {
  mouse = { state, index };
  hands.near(index, state === 'left' || state === 'chord', state === 'chord');
}

// What comes without a pointer is a screen reader or a program.
function click(event) {
  const index = event.target.closest('.cell')?.dataset.index;
  if (event.detail === 0 && index !== undefined) hands.use(+index, false);
}

function wheel(event) {
  if (!event.ctrlKey) return;
  event.preventDefault();
  board.zoomTo(board.zoom * 1.1 ** -Math.sign(event.deltaY), event.clientX, event.clientY);
}

const distance = ([one, two]) => Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
