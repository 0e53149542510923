// What a game sounds and feels like: tones, vibration, and the party of a win.

import { device } from './device.js';
import { $, isStill, make } from './dom.js';

// Each tone: kind of wave, then pitches in Hz, one after the other.
const TONES = {
  open: ['triangle', 520],
  opening: ['triangle', 392, 523, 659],
  flag: ['square', 220, 330],
  lost: ['sawtooth', 196, 130, 82],
  won: ['triangle', 523, 659, 784, 1047],
  count: ['sine', 440],
  go: ['sine', 880],
};
const NOTE_S = 0.09;
const LOUDNESS = 0.12;
const BUZZES = { flag: 25, lost: [60, 40, 120], won: [30, 50, 30] };
const PIECES = 90;
const PARTY_MS = 5_000;

let audio = null;

export function feel(name) {
  if (device.vibration && BUZZES[name]) navigator.vibrate?.(BUZZES[name]);
  if (!device.sound || !window.AudioContext) return;
  audio ??= new AudioContext();
  const [wave, ...pitches] = TONES[name];
  pitches.forEach((pitch, place) => play(wave, pitch, audio.currentTime + place * NOTE_S));
}

function play(wave, pitch, start) {
  const [tone, gain] = [audio.createOscillator(), audio.createGain()];
  Object.assign(tone, { type: wave });
  tone.frequency.value = pitch;
  gain.gain.setValueAtTime(LOUDNESS, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + 2 * NOTE_S);
  tone.connect(gain).connect(audio.destination);
  tone.start(start);
  tone.stop(start + 2 * NOTE_S);
}

export function celebrate() {
  if (isStill.matches) return;
  const pieces = Array.from({ length: PIECES }, () => {
    const piece = make('i');
    const shape = {
      left: `${Math.random() * 100}%`, '--turn': `${Math.random() * 900 - 450}deg`,
      '--hue': Math.floor(Math.random() * 6) * 60, '--wait': `${Math.random() * 900}ms`,
    };
    for (const [name, value] of Object.entries(shape)) piece.style.setProperty(name, value);
    return piece;
  });
  $('party').replaceChildren(...pieces);
  setTimeout(() => pieces.forEach((piece) => piece.remove()), PARTY_MS);
}
