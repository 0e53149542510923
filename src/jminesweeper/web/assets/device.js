// What is kept on this device alone. Where that is forbidden or full, it lasts as long as the page.

import { $, make, root } from './dom.js';

const DEFAULTS = { hold: 400, swap: false, around: true, palette: 'tiles', sound: false, vibration: true, letters: true, name: '' };
const MOST_GAMES = 12;
const MOST_KEPT = 30_000; // characters of a game's acts: storage has five million for all pages of a server

function read(name) {
  try {
    return localStorage[name];
  } catch {}
}

function keep(name, text) {
  try {
    localStorage[name] = text;
  } catch {}
}

function parse(text, otherwise) {
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) === Array.isArray(otherwise) && typeof value === 'object' && value || otherwise;
  } catch {
    return otherwise;
  }
}

const found = parse(read('device'), {});
export const device = { ...DEFAULTS };
for (const name of Object.keys(DEFAULTS)) if (typeof found[name] === typeof DEFAULTS[name]) device[name] = found[name];

export function keepDevice(change) {
  Object.assign(device, change);
  keep('device', JSON.stringify(device));
  root.style.setProperty('--hold', `${device.hold}ms`);
  root.dataset.palette = device.palette;
  // Most never need the others.
  if (device.palette === DEFAULTS.palette || $('palettes')) return;
  document.head.append(make('link', { id: 'palettes', rel: 'stylesheet', href: './palettes.css' }));
}

// The player's key: browsers keep it for this server alone, so it may be sent as it is.
let secret = read('player');
export function key() {
  if (!/^(\d{1,3},){15}\d{1,3}$/.test(secret)) {
    secret = crypto.getRandomValues(new Uint8Array(16)).join();
    keep('player', secret);
  }
  return secret.split(',').map(Number);
}

export const lastGames = () => parse(read('games'), []).filter((game) => typeof game?.label === 'string');
export function keepGame({ moves, ...game }) {
  const kept = JSON.stringify(moves).length < MOST_KEPT ? { ...game, moves } : game;
  keep('games', JSON.stringify([kept, ...lastGames()].slice(0, MOST_GAMES)));
}
