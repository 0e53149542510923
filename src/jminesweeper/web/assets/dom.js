// What every module needs of the document.

export const root = document.documentElement;
export const $ = (id) => document.getElementById(id);
export const clamp = (least, value, most) => Math.min(Math.max(least, value), most);
export const isTouched = matchMedia('(pointer: coarse)');
export const isStill = matchMedia('(prefers-reduced-motion: reduce)');

// Attributes are set as such: as properties of elements they are younger than some browsers.
export function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === 'function') element[name] = value;
    else if (name.startsWith('--')) element.style.setProperty(name, value);
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// Add a style, once; it is there when this is done.
export function wear(href) {
  if (document.querySelector(`[href="${href}"]`)) return;
  return new Promise((done) => document.head.append(make('link', { rel: 'stylesheet', href, onload: done, onerror: done })));
}

// A live region that is written again speaks again.
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export const minutes = (ms) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;
