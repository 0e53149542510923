// Where everything goes: one function of the window and the board. Nothing of the document is measured
// that depends on its result, so it cannot swing.

import { clamp } from './dom.js';

// So large that a finger hits it, and nine fit the narrowest phones.
const LEAST = { finger: 35, mouse: 24 };
const SMALLEST = { phone: 28, tablet: 24 }; // where the whole of the board fits by it
const LARGEST = 110; // by zooming
// The frame around the field.
const FRAME = { across: 3, down: 10 };
const SCROLLBAR = 16;
// The rest in rem: the counts with the board's name below, the message, a row of buttons, a panel.
const HEAD = 5.9;
const MESSAGE = 2.75;
const TOOLS = 3.25;
const PANEL = 19;
const LINE = 1.75;
const LEAST_ACROSS = 30;
const LEAST_ROWS = 8;

export function arrange({ width, height, rem, isTouched, lines: seats }, { columns, rows }, zoom = 1) {
  const least = isTouched ? LEAST.finger : LEAST.mouse;
  const smallest = width >= 44 * rem ? SMALLEST.tablet : SMALLEST.phone;
  const largest = Math.max(3.75 * rem, height / 14);
  const fit = (across, down) => {
    const bar = isTouched || rows * least <= down ? 0 : SCROLLBAR;
    const whole = Math.floor(Math.min((across - bar - FRAME.across) / columns, (down - FRAME.down) / rows));
    return whole < smallest ? Math.max(least, whole) : Math.min(whole, largest);
  };
  const [counts, seat] = [HEAD * rem, LINE * rem];
  const finish = (more, across, down) => {
    const cell = clamp(14, fit(across, down) * zoom, Math.max(LARGEST, largest));
    return { ...more, counts, seat, cell, across, down, isLarger: columns * cell > across || rows * cell > down };
  };
  if (height < 30 * rem && width >= 30 * rem && width > height) {
    const beside = Math.round(clamp(11 * rem, width * 0.34, 18 * rem));
    return finish({ shape: 'across', panels: 0, isRow: false, beside, head: 0, message: 0, tools: 0 }, width - beside, height);
  }
  const lines = isTouched ? 2 : width >= 76 * rem ? 1 : width >= 38 * rem ? 2 : 3;
  const [message, tools] = [MESSAGE, TOOLS * lines].map((length) => length * rem);
  // Where that leaves too little of the board, the page scrolls.
  const enough = Math.min(Math.min(rows, LEAST_ROWS) * least, height * 0.75);
  const down = Math.floor(Math.max(height - counts - message - tools, enough));
  const beside = PANEL * rem;
  const isSame = (panels) => width >= 62 * rem && fit(width - panels * beside, down) === fit(width, down);
  const panels = [2, 1].find(isSame) ?? 0;
  // Panels come as near to the board as the counts above it allow; one that is magnified takes all the room.
  const most = width - panels * beside;
  const near = Math.max(LEAST_ACROSS * rem, columns * fit(most, down) + 2 * rem);
  const across = panels && zoom <= 1 ? Math.min(most, near) : most;
  // Those one plays with have lines of their own where no panel has room for them; all in one, where the whole
  // board fits by that.
  const room = (count) => count * seat;
  const isWhole = (count) => rows * fit(across, down - room(count)) <= down - room(count);
  const isRow = !panels && seats > 1 && !isWhole(seats) && isWhole(1);
  const above = panels ? 0 : room(isRow ? 1 : seats);
  return finish({ shape: 'upright', panels, isRow, beside, head: counts + above, message, tools }, across, down - above);
}
