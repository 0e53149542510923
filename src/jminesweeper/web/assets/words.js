// What the page says in its own words, by the ids that the server sends: what a hand does here.

import { isTouched } from './dom.js';

export const COMMANDS = {
  undo: 'undo', hint: 'hint', next: 'next', odds: 'odds', pause: 'pause', resume: 'resume', menu: 'menu', help: 'help',
  new: 'play again', again: 'same board', classic: 'classic rules', figures: 'figures', replay: 'replay', analysis: 'analysis',
  export: 'export', whole: 'whole board', share: 'share', back: 'back', mode: 'flag mode',
};

const HANDS = {
  finger: 'Tap to open, hold to flag.',
  mouse: 'Left button opens, right button flags.',
};
const MESSAGES = {
  whole: 'The whole board is on the screen already.',
  aside: 'The game before is in the menu, under saved games.',
  copied: 'Copied.',
};

export const own = (id) => ({ id, text: MESSAGES[id] });
export const hands = () => HANDS[isTouched.matches ? 'finger' : 'mouse'];

// What to do with a hand; for a finger the keys come last, folded.
export const HELP = {
  finger: [
    ['tap', 'open; on a number with all its flags: the cells around it'],
    ['hold', 'flag, or take the flag back'],
    ['flag mode', 'swaps tap and hold'],
    ['two fingers', 'zoom'],
    ['the face', 'a new game'],
    ['the name of the board', 'another board'],
  ],
  mouse: [
    ['left', 'open; on a number with all its flags: the cells around it'],
    ['right, or Ctrl and left', 'flag, or take the flag back'],
    ['middle, or left and right', 'open around a number'],
    ['Ctrl and the wheel', 'zoom'],
    ['the face', 'a new game'],
    ['the name of the board', 'another board'],
  ],
  keys: [
    ['arrows, w a s d, h j k l', 'move; with Shift by five'],
    ['Home End PgUp PgDn', 'to the edge of the row, by ten rows'],
    ['Enter', 'open'],
    ['Space, f', 'flag'],
    ['c', 'open around a number'],
    ['u', 'undo, even the step that lost'],
    ['i, g, o', 'hint, next solved cell, chances of a mine'],
    ['p', 'pause'],
    ['n, r', 'new game, same board again'],
    ['m or Esc', 'menu, and back'],
    ['b, y, t, e', 'at the end: replay, analysis, export, figures'],
    ['v, + and -', 'whole board, zoom'],
    ['Ctrl-S, Ctrl-O', 'quick save, load'],
    ['#', 'debug mode: see the mines, where allowed'],
    ['x', 'quit; your game waits for you'],
  ],
};
