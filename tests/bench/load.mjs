// How the release page loads, on a laptop's and a phone's profile: largest paint, layout shift, blocking time, bytes, and the time from
// a cold start to the first batch; the same when the page is kept in the browser. What Lighthouse measures, by hand. Nothing fails on a time.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { constants, brotliCompressSync } from "node:zlib";
import { launch, root, serve } from "../journeys/harness.mjs";

const dist = process.env.DIST ?? join(root, "dist");
const site = await serve();

// As a host serves them: text and wasm compressed once.
const packed = new Map();
for (const name of readdirSync(dist)) {
  const path = join(dist, name);
  if (!statSync(path).isFile()) continue;
  const body = readFileSync(path);
  const small = /\.(html|js|css|wasm|json|svg|webmanifest)$/.test(name);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  packed.set(name, small ? brotliCompressSync(body, { params }).length : body.length);
}

const profiles = [
  { name: "laptop", viewport: { width: 1440, height: 900 }, mbit: 20, latency: 40, slow: 1 },
  { name: "phone", viewport: { width: 390, height: 844 }, mbit: 1.6, latency: 150, slow: 4 },
];

/** Loads the page once; answers what was seen. The line carries raw bytes, so it is widened by what compression saves. */
async function load(browser, profile, { keep }) {
  const context = await browser.newContext({ viewport: profile.viewport, hasTouch: profile.name === "phone" });
  const page = await context.newPage();
  await page.addInitScript(() => {
    globalThis.seen = { paint: 0, shift: 0, blocked: 0 };
    const watch = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
    watch("largest-contentful-paint", (entry) => (seen.paint = entry.startTime));
    watch("layout-shift", (entry) => (seen.shift += entry.hadRecentInput ? 0 : entry.value));
    watch("longtask", (entry) => (seen.blocked += Math.max(0, entry.duration - 50)));
  });
  const raw = [...packed.keys()].reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
  const sent = [...packed.values()].reduce((sum, size) => sum + size, 0);
  const link = await context.newCDPSession(page);
  const line = ((profile.mbit * 1e6) / 8) * (raw / sent);
  const slow = async () => {
    await link.send("Network.enable");
    await link.send("Network.emulateNetworkConditions", { offline: false, latency: profile.latency, downloadThroughput: line, uploadThroughput: line });
    await link.send("Emulation.setCPUThrottlingRate", { rate: profile.slow });
  };
  const first = async () => {
    await page.getByRole("link", { name: "Open the sandbox" }).first().click();
    await page.waitForFunction(() => document.querySelector(".top-engine")?.textContent === "", null, { timeout: 300_000 });
    await page.locator(".rail-track").focus();
    await page.keyboard.press("d");
    await page.keyboard.press("r");
    await page.locator(".sink-rows tbody tr").first().waitFor({ state: "attached", timeout: 120_000 });
  };
  if (keep) {
    await page.goto(site.url);
    await page.evaluate(() => navigator.serviceWorker?.ready);
    await page.waitForTimeout(3_000);
  }
  await slow();
  const start = performance.now();
  await page.goto(site.url, { waitUntil: "load", timeout: 300_000 });
  await first();
  const batch = performance.now() - start;
  const seen = await page.evaluate(() => globalThis.seen);
  await context.close();
  return { ...seen, batch };
}

const browser = await launch();
for (const profile of profiles) {
  const cold = await load(browser, profile, { keep: false });
  const warm = await load(browser, profile, { keep: true });
  console.log(
    `${profile.name} (${profile.mbit} Mbit/s, ${profile.latency} ms, processor 1/${profile.slow}): largest paint ${cold.paint.toFixed(0)} ms, layout shift ${cold.shift.toFixed(3)}, ` +
      `blocked ${cold.blocked.toFixed(0)} ms, first batch ${(cold.batch / 1000).toFixed(1)} s; kept in the browser: largest paint ${warm.paint.toFixed(0)} ms, first batch ${(warm.batch / 1000).toFixed(1)} s`,
  );
}
await browser.close();
site.stop();
const all = [...packed.entries()].sort((a, b) => b[1] - a[1]);
console.log(`compressed: ${all.map(([name, size]) => `${name.replace(/-[0-9a-f]{12,}/, "")} ${(size / 1000).toFixed(0)} kB`).slice(0, 8).join(", ")}; all ${(all.reduce((sum, [, size]) => sum + size, 0) / 1000).toFixed(0)} kB`);
