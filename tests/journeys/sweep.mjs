// The crash sweep of the story: every crash tried, one opened as a branch, by keys alone; and one that goes red.
import { accessible, finish, journey, same } from "./harness.mjs";
import { press, rest } from "./hands.mjs";

const active = (page) =>
  page.evaluate(() => {
    const one = document.activeElement;
    if (one === document.body) return "";
    return one.getAttribute("aria-label") ?? one.textContent.trim();
  });

/** Presses a key until what has the focus is called so. */
async function until(page, key, name, most = 80) {
  for (let step = 0; step < most; step += 1) {
    if ((await active(page)).startsWith(name)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not reach ${name}; the focus is on ${await active(page)}`);
}

async function open(page) {
  await until(page, "Tab", "Open the sandbox");
  await page.keyboard.press("Enter");
  await page.getByText("Nothing has happened yet.").waitFor({ timeout: 60_000 });
}

/** The three runs, then the sweep. */
async function swept(page) {
  await press(page, "d", "r", "r", "d", "r");
  const start = performance.now();
  await page.keyboard.press("s");
  await page.locator(".picture-sentence", { hasText: /Survived \d+ of \d+ crash points/ }).waitFor({ timeout: 120_000 });
  console.log(`  the sweep of the story took ${((performance.now() - start) / 1000).toFixed(2)} s`);
}

/** Verdict, rows too many, rows missing, batches run again, crashes of a point; the reason if it does not apply. */
const row = (page, point) =>
  page.locator(".sweep-table tbody tr", { has: page.locator("th", { hasText: point }) }).locator("td").evaluateAll(
    (cells) => cells.slice(2).map((cell) => cell.textContent.trim()),
  );

await journey("the story survives every crash but half of its first plan", async ({ page, shot }) => {
  await open(page);
  await press(page, "5");
  await page.getByText("Fourteen places where a driver can stop.").waitFor();
  await shot("sweep-empty");
  await swept(page);
  const sentence = await page.locator(".picture-sentence").textContent();
  same(sentence.startsWith("Survived 10 of 11 crash points."), true, sentence);
  same(sentence.includes("is stuck, as Spark is"), true, sentence);
  same(await page.locator(".sweep-table tbody tr").count(), 14, "rows");
  same(await row(page, "C06"), ["no state"], "C06");
  same(await row(page, "C10"), ["right", "0", "0", "1", "4"], "C10");
  same(await row(page, "C03"), ["stuck", "0", "0", "0", "2"], "C03");
  await shot("sweep");
  await accessible(page, "the sweep");
});

await journey("a cell opens its branch, by keys", async ({ page, shot }) => {
  await open(page);
  await swept(page);
  for (let step = 0; step < 40 && !(await page.evaluate(() => document.activeElement.matches(".sweep-table .sweep-cell"))); step += 1) {
    await page.keyboard.press("Tab");
  }
  for (let up = 0; up < 14; up += 1) await page.keyboard.press("ArrowUp");
  await until(page, "ArrowDown", "C10, the sink has committed", 14);
  await page.keyboard.press("Enter");
  await page.locator(".sweep-side h2", { hasText: "The tables are as they are without a crash." }).waitFor();
  await shot("sweep-cell");
  await until(page, "Tab", "Open this branch", 10);
  await page.keyboard.press("Enter");
  await page.locator(".top-branch", { hasText: "C10" }).waitFor({ timeout: 60_000 });
  await rest(page);
  await page.locator(".picture-sentence", { hasText: "The driver stopped" }).waitFor();
  await shot("sweep-branch");
  await press(page, "End");
  same(await page.locator(".sink-rows tbody tr").count(), 3, "rows after the restart");
});

const naive = `
def put(batch, n):
    batch.write.format("delta").mode("append").save("out/")

stream = spark.readStream.schema("id INT, user STRING, amt DOUBLE, ts TIMESTAMP").json("in/")
query = (stream.writeStream.foreachBatch(put).option("checkpointLocation", "ckpt/")
         .trigger(availableNow=True).start())
query.awaitTermination()
`;

await journey("a function that appends naively goes red, and is stopped in its recovery", async ({ page, shot }) => {
  await open(page);
  await press(page, "d");
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(naive);
  await page.keyboard.press("Control+Enter");
  await rest(page);
  await page.keyboard.press("Escape");
  await swept(page);
  same((await row(page, "C10"))[0], "doubled", "C10");
  same((await row(page, "C11"))[0], "doubled", "C11");
  same((await row(page, "C09"))[0], "right", "C09");
  await page.locator(".sweep-side", { hasText: "txnAppId" }).waitFor();
  await shot("sweep-red");
  await page.locator(".sweep-switch").focus();
  await page.keyboard.press("Space");
  await page.locator(".rail-track").focus();
  await page.keyboard.press("s");
  await page.locator(".sweep-progress").waitFor();
  await page.keyboard.press("x");
  await page.locator(".picture-sentence", { hasText: /Stopped: \d+ of \d+ crashes tried/ }).waitFor({ timeout: 5_000 });
  await shot("sweep-stopped");
});

for (const colorScheme of ["light", "dark"]) {
  await journey(`on a phone, ${colorScheme}`, async ({ page, shot }) => {
    await open(page);
    await swept(page);
    await shot(`sweep-phone-${colorScheme}`);
    await page.locator(".sweep-table .sweep-cell").first().tap();
    await page.locator(".sweep-side").scrollIntoViewIfNeeded();
    await shot(`sweep-phone-side-${colorScheme}`);
    await accessible(page, "the sweep on a phone");
  }, { viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme });
}

await journey("in the dark", async ({ page, shot }) => {
  await open(page);
  await swept(page);
  await shot("sweep-dark");
  await accessible(page, "the sweep in the dark");
}, { colorScheme: "dark" });

await finish();
