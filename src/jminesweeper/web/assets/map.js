// The whole of a board larger than the screen, a few pixels for each cell. Loaded when it is first looked at.

const INKS = [[/fatal/, 'fatal'], [/mine/, 'mine'], [/flag/, 'flag'], [/tile/, 'tile'], [/n[1-8]/], [/open/, 'open']];
const SHARPEST = 12;

let clamp, root;

export default class Whole {
  constructor({ dom, game, goTo }) {
    ({ clamp, root } = dom);
    this.game = game;
    this.canvas = dom.make('canvas', { role: 'img', 'aria-label': 'The whole board' });
    this.map = dom.make('div', { id: 'map', hidden: '' }, this.canvas);
    dom.$('view').after(this.map);
    this.map.onclick = ({ target, offsetX, offsetY }) => {
      const at = (offset, axis) => clamp(0, Math.floor(offset / target.clientWidth * game.size[0]), game.size[axis] - 1);
      const cell = target === this.canvas ? [at(offsetX, 0), at(offsetY, 1)] : game.cursor;
      this.show(false);
      goTo(cell);
    };
  }

  get isShown() {
    return !this.map.hidden;
  }

  show(isWanted) {
    this.map.hidden = !isWanted;
    this.draw();
  }

  draw() {
    if (!this.isShown) return;
    const { game, canvas } = this;
    const [columns, rows] = game.size;
    const scale = Math.min(this.map.clientWidth / columns, this.map.clientHeight / rows) * 0.96;
    const sharp = clamp(1, Math.ceil(scale * devicePixelRatio), SHARPEST);
    Object.assign(canvas, { width: columns * sharp, height: rows * sharp });
    canvas.style.width = `${columns * scale}px`;
    const brush = canvas.getContext('2d');
    brush.scale(sharp, sharp);
    const style = getComputedStyle(root);
    const inks = new Map();
    game.faces.forEach((face, index) => {
      const [looks] = game.describe(index);
      const [, ink = looks.slice(-2)] = INKS.find(([pattern]) => pattern.test(looks));
      if (!inks.has(looks)) inks.set(looks, style.getPropertyValue(`--${ink}`));
      brush.fillStyle = inks.get(looks);
      brush.fillRect(...game.placeOf(index), 1, 1);
    });
    const reach = Math.max(0.5, 6 / scale);
    const [column, row] = game.cursor;
    Object.assign(brush, { strokeStyle: style.getPropertyValue('--ink'), lineWidth: 2.5 / scale });
    brush.strokeRect(column + 0.5 - reach, row + 0.5 - reach, 2 * reach, 2 * reach);
  }
}
