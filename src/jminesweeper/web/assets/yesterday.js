// Says what VIEW says today in the members that it is about to have.

const KEYS = {
  RETURN: 'reveal', SPACE: 'flag', '?': 'help', m: 'menu', u: 'undo', i: 'hint', x: 'quit', g: 'next', o: 'odds', TAB: 'new',
  r: 'again', e: 'figures', b: 'replay', y: 'analysis', t: 'export', ESC: 'back', DEL: 'drop',
};
const TITLES = { JMinesweeper: 'main', 'New game': 'boards', Settings: 'settings', Help: 'help', 'A game is waiting': 'resume' };
const LOOKS = ['Colours', 'Characters', 'Cell size'];
let menu = null;
let selected = 0;
let keys = [];

const words = (text, tone = 'plain') => text && { id: text, text: text.replace(/ (Press [^.]*|TAB plays again|o hides (it|them))\.$/, ''), tone };

function rowOf(item, number) {
  const kind = { digits: 'number', text: 'text' }[item.typing] ?? (item.adjustable ? 'turn' : 'row');
  return { ...item, id: number, kind, help: item.note, disabled: item.disabled && ' ', drop: keys.includes('drop') };
}

export function translate(said) {
  const now = { ...said };
  if (said.keys) now.keys = keys = said.keys.map(([name, does]) => (name === 'p' ? does : KEYS[name])).filter(Boolean);
  if (said.aim !== undefined) now.aim = words(said.aim);
  if (said.message !== undefined) now.message = said.message && words(...said.message);
  if (said.remark !== undefined) now.remark = said.remark ? [said.remark] : [];
  if (said.figures) now.figures = said.figures.map((line) => (line.startsWith('seed code ') ? ['seed code', line.slice(10)] : ['', line]));
  if (said.replay) {
    const [done, all, , whole] = said.replay;
    now.replay = Array.from({ length: all }, (_, place) => Math.round(whole * (place + 1) / all));
    now.position = done;
  }
  if (said.menu !== undefined) menu = said.menu;
  if (said.selected !== undefined) selected = said.selected;
  if (menu && (said.menu || said.selected !== undefined)) {
    const rows = menu.items.map((item, place) => rowOf(item, menu.first + place)).filter(({ label }) => !LOOKS.includes(label));
    now.menu = { id: TITLES[menu.title] ?? menu.title, title: menu.title, rows, selected };
  }
  if (said.page) {
    const id = TITLES[said.page.title] ?? said.page.title;
    const { lines } = said.page;
    now.page = { ...said.page, id, lines: id === 'help' ? lines.slice(0, lines.indexOf('')) : lines };
  }
  return now;
}

export function turns(before, after) {
  const way = after - before;
  const [one, ten] = way > 0 ? ['MOVE_RIGHT', 'MOVE_DOWN'] : ['MOVE_LEFT', 'MOVE_UP'];
  return [...Array(Math.floor(Math.abs(way) / 10)).fill(ten), ...Array(Math.abs(way) % 10).fill(one)];
}
