// Holds the page, so that it opens without a server and says that there is none. Its own name changes with each
// part of the page: a new worker fills a cache of its own before it drops the one of the old.

const PARTS = ['./', './palettes.css', './later.css', './after.js', './map.js', './own.js', './replay.js', './sounds.js'];
const { scope } = registration; // the page's origin and path
const NAME = `${scope} ${location}`;

const open = () => caches.open(NAME);

async function fill() {
  await (await open()).addAll(PARTS);
  skipWaiting();
}

async function dropOthers() {
  const old = (await caches.keys()).filter((name) => name.startsWith(`${scope} `) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  clients.claim();
}

async function answer(request) {
  const cache = await open();
  try {
    const response = await fetch(request);
    // After an update the server no longer has what an open page may still want.
    if (!response.ok) return (await cache.match(request)) ?? response;
    cache.put(request, response.clone());
    return response;
  } catch (error) {
    const held = await cache.match(request);
    if (held) return held;
    throw error;
  }
}

addEventListener('install', (event) => event.waitUntil(fill()));
addEventListener('activate', (event) => event.waitUntil(dropOthers()));
addEventListener('fetch', (event) => {
  if (event.request.method === 'GET') event.respondWith(answer(event.request));
});
