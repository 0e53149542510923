// Holds the page, so that it opens without a server and says that there is none.

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  if (event.request.method === 'GET') event.respondWith(answer(event.request));
});

async function answer(request) {
  try {
    const response = await fetch(request);
    if (response.ok) hold(request, response.clone());
    return response;
  } catch (error) {
    const held = await caches.match(request);
    if (held) return held;
    throw error;
  }
}

// The page has made a cache for what it loaded: parts that come later belong to it.
async function hold(request, response) {
  const path = `${new URL(registration.scope).pathname} `;
  const name = (await caches.keys()).findLast((each) => each.startsWith(path));
  if (name) (await caches.open(name)).put(request, response);
}
