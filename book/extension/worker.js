// The book without a network: every file is kept under its hash, and only what changed
// is fetched for a new version. FILES is written in when the book is built.
const FILES = {};
const STORE = "resize-lab";
const keys = new Map(Object.entries(FILES).map(([path, hash]) => [
  new URL(path, registration.scope).pathname, new URL(`${path}?kept=${hash}`, registration.scope).href,
]));

async function fill() {
  const store = await caches.open(STORE);
  const there = new Set((await store.keys()).map((request) => request.url));
  const missing = [...keys].filter(([, key]) => !there.has(key));
  // A few at a time, and none taken for another version's.
  while (missing.length)
    await Promise.all(missing.splice(0, 8).map(async ([path, key]) => {
      const answer = await fetch(path, { cache: "no-cache" });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      await store.put(key, answer);
    }));
}

async function clear() {
  const store = await caches.open(STORE), wanted = new Set(keys.values());
  for (const request of await store.keys())
    if (!wanted.has(request.url)) await store.delete(request);
}

async function answer(request, key) {
  const store = await caches.open(STORE);
  return (await store.match(key)) || fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(fill()));
self.addEventListener("activate", (event) => event.waitUntil(clear().then(() => clients.claim())));
self.addEventListener("message", (event) => event.data === "now" && skipWaiting());
self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  const key = keys.get(pathname.endsWith("/") ? `${pathname}index.html` : pathname);
  if (event.request.method === "GET" && origin === location.origin && key)
    event.respondWith(answer(event.request, key));
});
