// Time, state and output modes of one windowed query: what is on time, late, dropped and still open; by keyboard.
import { accessible, finish, journey, same } from "./harness.mjs";
import { enter, press, rest, write } from "./work.mjs";

const SCRIPT = `from pyspark.sql import functions as F

orders = (spark.readStream
    .schema("id INT, user STRING, amt DOUBLE, ts TIMESTAMP")
    .option("maxFilesPerTrigger", 1)
    .json("in/"))
query = (orders
    .withWatermark("ts", "5 minutes")
    .groupBy(F.window("ts", "10 minutes"), "user")
    .agg(F.sum("amt").alias("t"))
    .writeStream.format("delta")
    .option("checkpointLocation", "ckpt/")
    .trigger(availableNow=True)
    .start("out/"))
query.awaitTermination()
`;

/** The four samples of the mock, read in two runs: batch 3 runs without input, d.json comes in batch 4. */
async function story(page) {
  await enter(page);
  await write(page, SCRIPT);
  await press(page, "d", "d", "d", "r", "d", "r", "2");
  await page.locator(".plane-band").first().waitFor();
}

const sentences = (page) => page.locator(".plane-note p").allTextContents();
const fates = (page) =>
  page.locator(".evidence-time tbody tr .mark").evaluateAll((marks) => marks.map((mark) => mark.dataset.m));

for (const [name, options] of [
  ["1440-light", {}],
  ["1440-dark", { colorScheme: "dark" }],
  ["390-light", { viewport: { width: 390, height: 844 } }],
  ["390-dark", { viewport: { width: 390, height: 844 }, colorScheme: "dark" }],
]) {
  await journey(
    `the time plane says what became of each row, and why a window is not out (${name})`,
    async ({ page, shot }) => {
      await story(page);
      const said = await sentences(page);
      same(said.some((text) => /a 10:08 is dropped: its window ended at 10:10/.test(text)), true, `a dropped row among ${said}`);
      same(said.some((text) => /\[10:00, 10:10\) leaves with a 8.0, b 7.0/.test(text)), true, `a window that left among ${said}`);
      same(await fates(page), ["input", "input", "input", "late", "input", "dropped", "input"], "fates");
      await press(page, "w");
      await page.getByRole("dialog", { name: /Why is \[10:20, 10:30\) not out yet/ }).waitFor();
      same(await page.locator(".plane-pop p").textContent(), "No row yet. The window ends at 10:30, the watermark is at 10:18. An event at 10:35 or later closes it, one batch after it arrives.", "why");
      await shot(`time-${name}`);
      await accessible(page, "the time plane");
    },
    options,
  );
}

await journey("an empty table says what it waits for, and a jump leads to the rows that came too late", async ({ page }) => {
  await enter(page);
  await write(page, SCRIPT);
  await press(page, "d", "r");
  await page.locator(".sink-note", { hasText: "The window ends at 10:10, the watermark is at 09:59. An event at 10:15 or later closes it" }).waitFor();
  await accessible(page, "an empty table");
  await press(page, "d", "d", "r", "d", "r", "Home");
  await page.getByRole("group", { name: "Go to" }).getByRole("button", { name: "next dropped row" }).click();
  await page.locator(".picture-meaning", { hasText: "dropped 1 row: too late for the watermark" }).waitFor();
  same(await page.locator(".rail-mark[data-k=drop]").count(), 1, "crosses on the rail");
});

await journey("Shift with an arrow gives a row another time, in a branch of its own", async ({ page }) => {
  await story(page);
  const row = page.locator(".plane-dot").nth(5);
  await row.focus();
  for (let minute = 0; minute < 3; minute += 1) {
    await page.keyboard.press("Shift+ArrowRight");
    await rest(page);
    await page.waitForTimeout(200);
    await page.locator(".plane-dot").nth(5).focus();
  }
  same((await page.locator(".rail-name").allTextContents()).some((name) => /^a at 10:\d\d/.test(name.trim())), true, "a branch named after the row");
});

await journey("an event at the time that is asked for closes the window", async ({ page }) => {
  await story(page);
  await press(page, "w");
  await page.getByRole("button", { name: "Add an event at 10:35" }).click();
  await rest(page);
  await page.locator(".rail-track").focus();
  await press(page, "r");
  await page.waitForFunction(() => /\[10:20, 10:30\) leaves with/.test(document.querySelector(".plane")?.textContent ?? ""));
});

const edges = (all) => all.evaluateAll((found) => found.map((one) => one.getBoundingClientRect().left));

await journey("the state as of a batch, the three output modes, and the numbers where the rail has their batches", async ({ page, shot }) => {
  await story(page);
  const state = page.getByRole("region", { name: "State", exact: true });
  await state.getByText("10:20:00, 2026-01-01 10:30:00").first().waitFor();
  await state.getByRole("tab", { name: "b2" }).click();
  await state.getByText("8.0").waitFor();
  await page.locator(".rail-track").focus();
  await press(page, "3");
  await page.getByText("Append hands over 2 rows, update hands over").waitFor();
  await accessible(page, "output modes");
  await shot("modes-1440-light");
  await press(page, "6");
  const rows = page.locator(".numbers-field");
  const ticks = await edges(page.locator(".rail-box .rail-tick[data-tall]"));
  const bars = await edges(rows.first().locator(".numbers-bar"));
  same(bars.map((bar, at) => Math.abs(bar - ticks[at]) < 1), ticks.map(() => true), "each bar begins where the rail has its batch");
  const told = () => page.evaluate(() => `${document.activeElement.ariaLabel}, ${document.activeElement.ariaValueText}`);
  await rows.first().focus();
  same(await told(), "numInputRows, b5: 0 rows", "the batch at the playhead");
  await press(page, "ArrowLeft", "ArrowLeft", "ArrowLeft");
  same(await told(), "numInputRows, b2: 2 rows", "three batches to the left");
  for (let row = 0; row < 5; row += 1) await press(page, "ArrowDown");
  same(await told(), "numRowsTotal, b2: 3 keys", "five measures down, in the same batch");
  await page.getByText("b2numRowsTotal 3 keys").waitFor();
  await press(page, "Enter");
  await page.getByText("Batch 2 read 2 rows").waitFor();
  same(await rows.first().locator(".numbers-bar[data-lack=planned]").count(), 3, "batches ahead of the playhead");
  await rows.nth(7).click({ position: { x: 440, y: 12 } });
  await page.getByText("Batch 3 read 0 rows").waitFor();
  await page.getByRole("row", { name: "run 1 b3 0 0 0" }).waitFor();
  await accessible(page, "numbers");
  await shot("numbers-1440-light");
});

await finish();
