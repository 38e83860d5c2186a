// What the benchmarks share: a blank page of the release site with the client in it, and the processor time of the busiest thread.
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, serve } from "../journeys/harness.mjs";

export const here = dirname(fileURLToPath(import.meta.url));

/** A blank page on the release site's origin with `client.js` in it; `routes` serves more files by name. */
export async function open(routes = {}) {
  const site = await serve();
  const browser = await launch();
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  for (const [name, path] of Object.entries(routes)) await page.route(`**/${name}`, (route) => route.fulfill({ path }));
  await page.route("**/bench.html", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>bench</title>" }));
  await page.addInitScript({ path: join(here, "client.js") });
  await page.goto(`${site.url}bench.html`);
  return { page, close: async () => (await browser.close(), site.stop()) };
}

/** Processor time of every thread of every browser process, in milliseconds. */
function threads() {
  const found = new Map();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("chromium")) continue;
      for (const task of readdirSync(`/proc/${pid}/task`)) {
        const fields = readFileSync(`/proc/${pid}/task/${task}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
        found.set(`${pid}/${task}`, (Number(fields[11]) + Number(fields[12])) * 10);
      }
    } catch {
      // The process ended while it was looked at.
    }
  }
  return found;
}

/** Wall time of `work`, and what the browser's busiest thread spent in it: the fairer number on a machine with other work. */
export async function timed(work) {
  const before = threads();
  const start = performance.now();
  const result = await work();
  const wall = performance.now() - start;
  const spent = [...threads()].map(([thread, millis]) => millis - (before.get(thread) ?? 0));
  return { wall, busiest: Math.max(0, ...spent), result };
}

/** The memory of the engine in the page's newest worker, in bytes. */
export function memory(page) {
  return page.workers().at(-1).evaluate(async () => {
    const module = await import(new URL("./worker.js", self.location.href).href);
    return (await module.default()).memory.buffer.byteLength;
  });
}

export const ms = (millis) => `${millis.toFixed(0)} ms`;
export const ratio = (one, other) => (one / other).toFixed(2);
