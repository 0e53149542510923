// What is kept on this device alone. Where that is forbidden or full, it lasts as long as the page.

import { root, wear } from './dom.js';

const DEFAULTS = { hold: 400, swap: false, around: true, palette: 'tiles', sound: false, vibration: true, letters: true, name: '' };

// What was kept as a list or an object; anything else may have been put there by anybody.
export function stored(name, otherwise) {
  try {
    const value = JSON.parse(localStorage[name]);
    return Array.isArray(value) === Array.isArray(otherwise) && typeof value === 'object' && value || otherwise;
  } catch {
    return otherwise;
  }
}

export function store(name, value) {
  try {
    localStorage[name] = JSON.stringify(value);
  } catch {}
}

const found = stored('device', {});
const isForced = matchMedia('(forced-colors: active)');
export const device = { ...DEFAULTS };
for (const name of Object.keys(DEFAULTS)) if (typeof found[name] === typeof DEFAULTS[name]) device[name] = found[name];

export function keepDevice(change) {
  Object.assign(device, change);
  store('device', device);
  root.style.setProperty('--hold', `${device.hold}ms`);
  root.dataset.palette = device.palette;
  // Most never need the others.
  if (device.palette !== DEFAULTS.palette || isForced.matches) wear('./palettes.css');
}
isForced.addEventListener('change', () => keepDevice({}));

// The player's key: browsers keep it for this server alone, so it may be sent as it is.
let secret = stored('player', []);
export function key() {
  if (secret.length !== 16 || secret.some((byte) => byte !== (byte & 255))) {
    secret = [...crypto.getRandomValues(new Uint8Array(16))];
    store('player', secret);
  }
  return secret;
}
