// Work that outlives the page: reload in the middle, two tabs, a full storage, a browser that keeps nothing.
import { accessible, finish, journey, same } from "./harness.mjs";
import { draft, enter, moment, press, rest, rows, saved, write } from "./work.mjs";

/** Rows 1 to 3, then 4 and 5, each by a run of its own. */
async function twoRuns(page) {
  await press(page, "d", "d", "r", "d", "r");
}

await journey("a reload in the middle comes back to the moment, the branch and the draft", async ({ page }) => {
  await enter(page);
  await twoRuns(page);
  const end = await moment(page);
  await press(page, "Home", "ArrowRight", "ArrowRight");
  await press(page, "d"); // Acting in the past begins a branch.
  const branch = await page.locator(".top-branch").textContent();
  await write(page, 'print("half a thought")\n');
  await press(page, "ArrowLeft");
  const here = await moment(page);
  same(here < end, true, "a moment in the middle");
  await saved(page);
  await page.reload();
  await rest(page);
  same(await moment(page), here, "the moment");
  same(await draft(page), 'print("half a thought")', "the draft");
  same(await page.locator(".top-branch").textContent(), branch, "the branch");
});

await journey("a new sandbox keeps the former work, and a press goes back", async ({ page, shot }) => {
  await enter(page);
  await twoRuns(page);
  await page.getByRole("button", { name: "Share" }).click();
  await accessible(page, "the share dialog");
  await shot("share");
  await page.getByRole("button", { name: "New sandbox" }).click();
  await page.getByText("This is a new sandbox.").waitFor();
  await rest(page);
  same(await rows(page), 0, "rows of the new one");
  await press(page, "d");
  await saved(page);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Back to the former work" }).click();
  await page.locator(".sink-rows tbody tr").first().waitFor();
  await rest(page);
  same(await rows(page), 5, "rows of the former work");
  await saved(page);
  await page.reload();
  await rest(page);
  same(await rows(page), 5, "rows after a reload");
});

await journey("a second tab works on a copy, and can take the work over", async ({ page, context, url, shot }) => {
  await enter(page);
  await press(page, "d", "r");
  await saved(page);
  const second = await context.newPage();
  await second.goto(`${url}#sandbox`);
  await second.getByText("This work is open in another tab.").waitFor();
  await rest(second);
  same(await rows(second), await rows(page), "rows of the copy");
  await second.locator(".rail-track").focus();
  await press(second, "d", "r");
  await saved(second);
  const copied = await rows(second);
  same(copied > (await rows(page)), true, "the copy goes its own way");
  await page.bringToFront();
  await page.reload();
  await rest(page);
  const own = await rows(page);
  same(own < copied, true, "the first tab has its own");
  await second.bringToFront();
  await second.getByRole("button", { name: "Go on here" }).click();
  await page.getByText("This work goes on in another tab.").waitFor();
  await rest(second);
  same(await rows(second), own, "the work that was taken over");
  await shot("two-tabs");
  // The tab that lost it goes on with a copy, and what the other one has stays.
  await page.bringToFront();
  await page.locator(".rail-track").focus();
  await press(page, "d", "r");
  await saved(page);
  await second.reload();
  await rest(second);
  same(await rows(second), own, "nothing was overwritten");
});

await journey("without locks the later tab has the work, and the first one overwrites nothing", async ({ page, context, url }) => {
  await context.addInitScript(() => Object.defineProperty(Navigator.prototype, "locks", { get: () => undefined }));
  await page.reload();
  await enter(page);
  await press(page, "d", "r");
  await saved(page);
  const second = await context.newPage();
  await second.goto(`${url}#sandbox`);
  await rest(second);
  await second.locator(".rail-track").focus();
  await press(second, "d", "r");
  await saved(second);
  const later = await rows(second);
  await page.bringToFront();
  await page.locator(".rail-track").focus();
  await press(page, "d");
  await page.getByText("This work goes on in another tab.").waitFor();
  await second.reload();
  await rest(second);
  same(await rows(second), later, "rows of the later tab");
});

await journey("a full storage is named with the size, and saving goes on when there is room", async ({ page }) => {
  await page.addInitScript(() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...all) {
      if (window.isFull) throw new DOMException("no room", "QuotaExceededError");
      return put.apply(this, all);
    };
  });
  await page.reload();
  await enter(page);
  await page.evaluate(() => (window.isFull = true));
  await press(page, "d", "r");
  await page.getByText("The browser's storage is full.").waitFor();
  same(/This work has [\d.]+ k?B/.test(await page.locator(".memo").textContent()), true, "the size");
  await page.getByRole("button", { name: "Export the folder" }).waitFor();
  await page.evaluate(() => (window.isFull = false));
  await press(page, "d");
  await page.locator(".memo").waitFor({ state: "detached" });
  const here = await moment(page);
  await saved(page);
  await page.reload();
  await rest(page);
  same(await moment(page), here, "the moment after a reload");
});

await journey("a store that never answers does not keep the page waiting", async ({ page }) => {
  await page.addInitScript(() => (IDBFactory.prototype.open = () => new EventTarget()));
  await page.reload();
  await enter(page);
  await page.getByText("This browser keeps nothing here.").waitFor();
  await press(page, "d", "r");
  same(await rows(page), 2, "rows");
});

await journey("a browser that keeps nothing says so and works", async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(window, "indexedDB", { value: undefined }));
  await page.reload();
  await enter(page);
  await page.getByText("This browser keeps nothing here.").waitFor();
  await press(page, "d", "r");
  same(await rows(page), 2, "rows");
});

await finish();
