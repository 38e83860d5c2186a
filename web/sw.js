// The page without a network. Before this text stand VERSION and FILES: every file of this version with its checksum.
//
// A version is fetched whole and checked file by file before it serves anything; it serves nothing but itself, so files of two
// versions never meet. A new version waits until the learner takes it; then every tab loads again.
const CACHE = `tidemark-${VERSION}`;

async function keepAll() {
  const cache = await caches.open(CACHE);
  const fetchOne = async ([name, integrity]) => {
    // Some servers lead from index.html to its folder, and a page may not be answered with what was led elsewhere.
    const address = name === "index.html" ? "./" : name;
    const response = await fetch(new Request(address, { integrity, cache: "no-cache" }));
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    await cache.put(name, response);
  };
  try {
    await Promise.all(Object.entries(FILES).map(fetchOne));
  } catch (error) {
    await caches.delete(CACHE); // Half a version is none.
    throw error;
  }
}

async function dropOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("tidemark-") && name !== CACHE).map((name) => caches.delete(name)));
}

function nameOf(request) {
  const { origin, pathname } = new URL(request.url);
  const base = new URL("./", self.location).pathname;
  if (request.method !== "GET" || origin !== self.location.origin || !pathname.startsWith(base)) return null;
  const name = pathname.slice(base.length) || "index.html";
  return name in FILES ? name : null;
}

self.addEventListener("install", (event) => event.waitUntil(keepAll()));
self.addEventListener("activate", (event) => event.waitUntil(dropOthers()));
self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
});
self.addEventListener("fetch", (event) => {
  const name = nameOf(event.request);
  if (name === null) return;
  event.respondWith(caches.open(CACHE).then(async (cache) => (await cache.match(name)) ?? fetch(event.request)));
});
