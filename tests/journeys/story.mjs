// The main story through the page, by keys and clicks alone: six runs of one script, each with its numbers.
import { finish, journey, same } from "./harness.mjs";
import { open, press, rest } from "./hands.mjs";

const show = (counts) =>
  ["+---+-----+", "| id|count|", "+---+-----+", ...counts.map(([id, n]) => `|  ${id}|    ${n}|`), "+---+-----+"];

/** Starts the script with a key and waits until it is through. */
async function run(page, key = "r") {
  const runs = await page.locator(".rail-run").count();
  await page.keyboard.press(key);
  await page.locator(".rail-run").nth(runs).waitFor({ timeout: 60_000 });
  await rest(page);
}

/** What stands in the panels. */
async function seen(page) {
  const printed = await page.locator(".editor-output li pre").allTextContents();
  const rows = page.locator(".sink-rows tbody tr");
  const paths = await page.locator("[data-path]").evaluateAll((all) => all.map((one) => one.dataset.path));
  return {
    progress: printed[0],
    table: printed.slice(1).filter((line) => line !== ""),
    rows: await rows.count(),
    doubled: await page.locator(".sink-rows tr[data-dup]").count(),
    version: (await page.locator(".sink .panel-note").textContent()).replace(/^.*version /, ""),
    paths,
  };
}

const moment = async (page) => Number(await page.locator(".rail-count b").textContent());

/** Moves the playhead to a moment with the arrows. */
async function goTo(page, wanted) {
  await page.locator(".rail-track").focus();
  for (let here = await moment(page); here !== wanted; here = await moment(page)) {
    await press(page, here < wanted ? "ArrowRight" : "ArrowLeft");
  }
}

/** Two rows, nothing new, one row: three runs; gives the last moment. */
async function threeRuns(page) {
  await press(page, "d");
  await run(page);
  await run(page);
  await press(page, "d");
  await run(page);
  return moment(page);
}

await journey("three runs take each file once", async ({ page, shot }) => {
  await open(page);
  await press(page, "d");
  await run(page);
  let now = await seen(page);
  same(now.progress, "[(0, 2)]", "recentProgress of run 1");
  same(now.table, show([[1, 1], [2, 1]]), "the table of run 1");
  same([now.rows, now.version], [2, "0"], "rows and version after run 1");
  await run(page);
  now = await seen(page);
  same(now.progress, "[(1, 0)]", "recentProgress of run 2");
  same([now.rows, now.version, now.paths.includes("ckpt/offsets/1")], [2, "0", false], "run 2 leaves nothing");
  await press(page, "d");
  await run(page);
  now = await seen(page);
  same(now.progress, "[(1, 1)]", "recentProgress of run 3");
  same(now.table, show([[1, 1], [2, 1], [3, 1]]), "the table of run 3");
  same([now.rows, now.version, now.paths.includes("ckpt/commits/1")], [3, "1", true], "run 3 is batch 1");
  await shot("story-three-runs");
});

await journey("without the checkpoint every row comes twice", async ({ page, shot }) => {
  await open(page);
  await threeRuns(page);
  await page.locator("[data-path='ckpt/'] > .store-root").hover();
  await page.getByRole("button", { name: "Delete ckpt/", exact: true }).first().click();
  await rest(page);
  await run(page);
  const now = await seen(page);
  same(now.progress, "[(0, 3)]", "recentProgress");
  same(now.table, show([[1, 2], [2, 2], [3, 2]]), "the table");
  same([now.rows, now.doubled, now.version], [6, 6, "2"], "rows, doubled rows, version");
  const queries = new Set(await page.locator(".lane-query").allTextContents());
  same(queries.size, 2, "queries with an id of their own");
  await shot("story-no-checkpoint");
});

await journey("a lost commit file is replayed and skipped", async ({ page }) => {
  await open(page);
  await threeRuns(page);
  const lamp = page.locator("[data-path='ckpt/commits/1']");
  await lamp.focus();
  await press(page, "Delete");
  await run(page);
  const now = await seen(page);
  same(now.progress, "[(1, 0)]", "recentProgress");
  same([now.rows, now.doubled, now.version], [3, 0, "1"], "rows, doubled rows, version");
  same(now.paths.includes("ckpt/commits/1"), true, "commits/1 is back");
});

await journey("a crash between the two commits doubles nothing", async ({ page, shot }) => {
  await open(page);
  const end = await threeRuns(page);
  // Back to the moment at which the sink has committed batch 1, from the end of run 3.
  for (let here = end; here > 1; here -= 1) {
    if ((await page.locator(".lane-batch:not([data-size=next])").last().locator(".lane-step:nth-child(8) [data-now]").count()) > 0) break;
    await press(page, "ArrowLeft");
  }
  await press(page, "k");
  same((await seen(page)).paths.includes("ckpt/commits/1"), false, "commits/1 is not there");
  same(await page.locator("#app .lane-crash").count(), 1, "one crash on the lane");
  await shot("story-crash");
  await run(page);
  const now = await seen(page);
  same(now.progress, "[(1, 0)]", "recentProgress");
  same([now.rows, now.doubled, now.version], [3, 0, "1"], "rows, doubled rows, version");
});

await journey("the rail goes back and forward, and acting in the past begins anew there", async ({ page }) => {
  await open(page);
  const end = await threeRuns(page);
  await press(page, "Home");
  same(await moment(page), 1, "the first moment");
  same((await seen(page)).paths, [], "the store at the start");
  await press(page, "End");
  same(await moment(page), end, "the last moment");
  same((await seen(page)).rows, 3, "rows at the end");
  await press(page, "Alt+ArrowLeft");
  await goTo(page, 2);
  await press(page, "d");
  same((await seen(page)).paths.filter((path) => path.startsWith("in/") && path !== "in/"), ["in/a.json", "in/b.json"], "files");
});

await finish();
