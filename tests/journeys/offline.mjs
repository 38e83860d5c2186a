// A visit without a network after the first one, and a new version that waits until it is taken.
import { execFile } from "node:child_process";
import { appendFile, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { dist, finish, journey, root, same, serve } from "./harness.mjs";
import { enter, press, rest, rows, saved } from "./work.mjs";

const allow = { serviceWorkers: "allow" };

/** Waits until the page is served by the worker of a whole version. */
async function kept(page) {
  await page.evaluate(() => navigator.serviceWorker.ready);
}

await journey(
  "after the first visit the page opens and runs without a network",
  async ({ page, shot, errors }) => {
    const site = await serve();
    errors.push = () => 0; // This page has an origin of its own.
    await page.goto(site.url);
    await kept(page);
    await site.stop();
    await page.context().setOffline(true);
    await page.goto(`${site.url}#sandbox`);
    await page.reload();
    await rest(page);
    await page.locator(".rail-track").focus();
    await press(page, "d", "d", "r");
    same(await rows(page), 3, "rows");
    await page.locator(".cm-content").waitFor();
    await page.getByText("offline", { exact: true }).waitFor();
    await shot("offline");
  },
  allow,
);

await journey(
  "a new version is whole, waits, and is taken with a press; the work stays",
  async ({ page, errors }) => {
    const folder = await mkdtemp(join(tmpdir(), "tidemark-"));
    await cp(dist, folder, { recursive: true });
    const site = await serve(folder);
    errors.push = () => 0;
    await page.goto(site.url);
    await kept(page);
    await page.reload();
    await enter(page);
    await press(page, "d", "r");
    await saved(page);
    await appendFile(join(folder, "start.js"), "\nwindow.isNew = true;\n");
    await promisify(execFile)("node", [join(root, "web/offline.mjs"), folder]);
    await page.reload();
    await rest(page);
    same(await page.evaluate(() => window.isNew), undefined, "the version before the press");
    await page.evaluate(() => navigator.serviceWorker.getRegistration().then((one) => one.update()));
    await page.getByText("A new version is ready.").waitFor({ timeout: 60_000 });
    await page.getByRole("button", { name: "Reload" }).click();
    await page.waitForFunction(() => window.isNew === true, null, { timeout: 60_000 });
    await rest(page);
    same(await rows(page), 2, "rows");
    const caches = await page.evaluate(() => globalThis.caches.keys());
    same(caches.length, 1, "kept versions");
    await site.stop();
    await rm(folder, { recursive: true });
  },
  allow,
);

await finish();
