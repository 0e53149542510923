// What a game sounds like. Loaded with the first sound that is wanted.

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

export default class Sounds {
  audio = window.AudioContext && new AudioContext();

  draw() {}

  play(name) {
    const [wave, ...pitches] = TONES[name];
    if (this.audio) pitches.forEach((pitch, place) => this.note(wave, pitch, this.audio.currentTime + place * NOTE_S));
  }

  note(wave, pitch, start) {
    const [tone, gain] = [this.audio.createOscillator(), this.audio.createGain()];
    Object.assign(tone, { type: wave });
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(LOUDNESS, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + 2 * NOTE_S);
    tone.connect(gain).connect(this.audio.destination);
    tone.start(start);
    tone.stop(start + 2 * NOTE_S);
  }
}
