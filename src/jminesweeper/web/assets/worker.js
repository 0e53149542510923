// Holds the page, so that it opens without a server and says that there is none.

const PAGE = 'page';

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  if (event.request.method === 'GET') event.respondWith(answer(event.request));
});

async function answer(request) {
  try {
    const response = await fetch(request);
    if (response.ok) (await caches.open(PAGE)).put(request, response.clone());
    return response;
  } catch (error) {
    const held = await caches.match(request);
    if (held) return held;
    throw error;
  }
}
