// What the page adds to the settings and the help of the server. Loaded with the first of them.

const PALETTES = [['tiles', 'tiles'], ['classic', 'classic'], ['okabe-ito', 'Okabe-Ito'], ['monochrome', 'monochrome']];
const SETTINGS = [
  ['palette', 'Colours', PALETTES],
  ['hold', 'Hold for', [[250, '250 ms'], [400, '400 ms'], [600, '600 ms']]],
  ['swap', 'Tap flags, hold opens'],
  ['around', 'A flag on a number flags what follows'],
  ['sound', 'Sounds'],
  ['vibration', 'Vibration'],
  ['letters', 'Single letters are keys'],
];

// What to do with a hand; for a finger the keys come last, folded.
const HELP = {
  finger: [
    ['tap', 'open; on a number: what is around it'],
    ['hold', 'flag, or take the flag back; on a number: flag what follows'],
    ['two fingers', 'zoom'],
  ],
  mouse: [
    ['left', 'open; on a number: what is around it'],
    ['right, Ctrl and left', 'flag, or take the flag back; on a number: flag what follows'],
    ['middle, left and right', 'open around a number'],
    ['Ctrl and wheel', 'zoom'],
  ],
  keys: [
    ['arrows, wasd, hjkl', 'move; with Shift by five'],
    ['Enter, c', 'open; around a number'],
    ['Space, f, F', 'flag; F: what follows from a number'],
    ['u, U, i, g, o', 'undo, redo, hint, next solved cell, odds'],
    ['p, n, r', 'pause, new game, same board'],
    ['m or Esc', 'menu, and back'],
    ['z, ?', 'play together, this help'],
    ['b, y, t, e', 'replay, analysis, export, figures'],
    ['v, + and -', 'whole board, zoom'],
    ['#, x, Ctrl-S, Ctrl-O', 'debug, quit, save, load'],
  ],
};

export default class Own {
  constructor({ dom, device, keepDevice }) {
    Object.assign(this, { dom, device, keepDevice });
  }

  draw() {}

  extras(id) {
    const { make, isTouched } = this.dom;
    if (id === 'settings') return [make('h3', {}, 'On this device'), ...this.settings()];
    if (id !== 'help') return [];
    const pairs = (name) => HELP[name].map(([term, told]) => make('p', { class: 'pair' }, make('b', {}, term), told));
    const hand = isTouched.matches ? 'finger' : 'mouse';
    const keys = make('details', { open: !isTouched.matches && '' }, make('summary', {}, 'Keys'), ...pairs('keys'));
    return [make('h3', {}, hand === 'finger' ? 'With a finger' : 'With a mouse'), ...pairs(hand), keys];
  }

  settings() {
    const { dom: { make }, device, keepDevice } = this;
    return SETTINGS.map(([name, label, choices]) => {
      const option = ([value, text]) => make('option', { value, selected: device[name] === value && '' }, text);
      const control = choices
        ? make('select', { 'data-focus': `0 ${name}` }, ...choices.map(option))
        : make('input', { type: 'checkbox', 'data-focus': `0 ${name}`, checked: device[name] && '' });
      control.onchange = () => keepDevice({ [name]: choices ? choices[control.selectedIndex][0] : control.checked });
      return make('label', { class: 'row' }, make('span', {}, label), control);
    });
  }
}
