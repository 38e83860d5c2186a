// What journeys share: the release page behind a static server, a headless Chromium, and a count of what passed.
//
// A journey is a program: it calls `journey(NAME, async ({ page, ... }) => { ... })` for each claim, in order, and ends with
// `await finish()`, which prints `N passed, N failed` alone on a line and sets the exit code. A claim fails on an exception, on
// an error in the page's console, and on a request that leaves the page's origin.
//
// Settings: SHOTS=DIR keeps pictures there; without it `shot` does nothing. CHROMIUM names another browser, DIST another page.
import { createServer } from "node:http";
import { mkdir, readFile, stat } from "node:fs/promises";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = normalize(join(dirname(fileURLToPath(import.meta.url)), "../.."));
export const dist = process.env.DIST ?? join(root, "dist");

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
};

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];

// What Chromium says of every page that trunk builds; it is no error of ours.
const harmless = [/integrity.*preload/i];

/** Serves `folder` on a free loopback port with the policy of its shell; gives the address and a way to stop. */
export async function serve(folder = dist) {
  const shell = await readFile(join(folder, "index.html"), "utf8");
  const policy = shell.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)?.[1];
  if (!policy) throw new Error("index.html has no Content-Security-Policy");
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    const file = join(folder, path === "/" ? "index.html" : path);
    const found = file.startsWith(folder) && (await stat(file).catch(() => null))?.isFile();
    response.writeHead(found ? 200 : 404, {
      "Content-Type": types[extname(file)] ?? "application/octet-stream",
      "Content-Security-Policy": policy,
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
    });
    response.end(found ? await readFile(file) : "not found");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, stop: () => {
    server.close();
    server.closeAllConnections();
  } };
}

/** Starts the Chromium that all journeys use. */
export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
}

const counts = { passed: 0, failed: 0 };
let shared;

/** The server and the browser of this program, started once. */
async function started() {
  shared ??= Promise.all([serve(), launch()]).then(([site, browser]) => ({ site, browser }));
  return shared;
}

/**
 * Proves one claim on a fresh page. `options` are those of a browser context (viewport, colorScheme, ...).
 * Pages come from the server each time; a journey that wants the worker that keeps them offline allows `serviceWorkers`.
 * `run` gets `page`, already at the address, its `context`, the `url`, `errors` so far, and `shot(name)`.
 */
export async function journey(name, run, options = {}) {
  const { site, browser } = await started();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: "block", ...options });
  const page = await context.newPage();
  const errors = [];
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !harmless.some((pattern) => pattern.test(text))) errors.push(`console: ${text}`);
  });
  page.on("pageerror", (error) => errors.push(`page: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(site.url) && !/^(data|blob):/.test(url)) errors.push(`request to another origin: ${url}`);
  });
  const shot = async (picture) => {
    if (!process.env.SHOTS) return;
    await mkdir(process.env.SHOTS, { recursive: true });
    await page.screenshot({ path: join(process.env.SHOTS, `${picture}.png`) });
  };
  const start = performance.now();
  try {
    await page.goto(site.url);
    await run({ page, context, url: site.url, errors, shot });
    if (errors.length > 0) throw new Error(errors.join("\n"));
    counts.passed += 1;
    console.log(`pass ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    counts.failed += 1;
    console.log(`fail ${name}\n${[error.stack ?? error, ...errors].join("\n")}`);
    await shot(`failed-${name.replace(/\W+/g, "-")}`).catch(() => {});
  } finally {
    await context.close();
  }
}

/** Fails with both values unless they are equal as JSON. */
export function same(given, expected, what = "value") {
  const [left, right] = [JSON.stringify(given), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${what}: expected ${right}, got ${left}`);
}

/** Fails with what axe finds wrong for people who see, hear or move otherwise. */
export async function accessible(page, what = "page") {
  // Evaluated by the debugger, so the page's policy stays as it is.
  await page.evaluate(await readFile(join(root, "node_modules/axe-core/axe.min.js"), "utf8"));
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const lines = violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.target.join(" ")}`));
  if (lines.length > 0) throw new Error(`${what} is not accessible:\n${lines.join("\n")}`);
}

/** Ends the program: the closing line, and exit code 1 if a claim failed or none was made. */
export async function finish() {
  if (shared) {
    const { site, browser } = await shared;
    await browser.close();
    site.stop();
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0);
}
