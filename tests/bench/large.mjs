// How much a tab holds, in headless Chromium, with the memory of the worker after each step:
//
// 1. one million keys in the state of a windowed sum, one batch of ten rows after them, and the batch that closes their windows;
// 2. ten million rows of JSON in ten batches, all texts kept;
// 3. too many groups in one batch, then too many files, then too large a state: what the engine says at its limits, and that the
//    next act works.
//
// Nothing fails on a time; a worker that dies is an error. KEYS=N, FILES=N (of a million rows each) change the sizes.
import { memory, ms, open, timed } from "./harness.mjs";

const keys = Number(process.env.KEYS ?? 1_000_000);
const files = Number(process.env.FILES ?? 10);
const each = 1_000_000;
const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
const { page, close } = await open();

/** Prints what a step took and how large the worker's memory is after it. */
async function step(name, run) {
  const { wall, busiest, result } = await timed(run);
  console.log(`  ${name}: ${ms(wall)}, busiest thread ${ms(busiest)}, memory ${mb(await memory(page))}${result ? `: ${result}` : ""}`);
  return result;
}

const put = (path) => page.evaluate((path) => sandbox.put(path, text), path);
const run = () => page.evaluate(() => sandbox.run()).then((printed) => printed.join(" "));
/** What a limit says; every other error is one. */
const words = (error) => {
  const [said] = /(\[TIDEMARK.*?\] )?Tidemark keeps .*/.exec(error.message) ?? [];
  if (!said) throw error;
  return said;
};
/** The error of a run. */
const failure = () => run().then(() => { throw new Error("a limit was passed without a word"); }, words);
const name = (n) => `in/${String(n).padStart(2, "0")}.json`;

await page.evaluate(() => {
  /** As many lines, each with a user of its own, all within ten minutes. */
  globalThis.distinct = (rows, first, span) =>
    lines(rows, first, span * 36).map((line) => line.replace(/"id":"o(\d+)","user":"u\d+"/, '"id":"o$1","user":"u$1"'));
  /** The same in fewer bytes. */
  globalThis.short = (rows, first, span) => distinct(rows, first, span).map((line) => line.replace(/"id".*?,|"amt".*?,/g, ""));
  globalThis.begin = async (sums) => {
    globalThis.sandbox?.stop();
    globalThis.sandbox = await engine();
    await sandbox.edit(`${sums}\nprint("state", [(s["numRowsTotal"], s["memoryUsedBytes"]) for s in q.lastProgress["stateOperators"]])`);
  };
});

/** Makes the next file to be put, and says how many bytes it has. */
const make = (what, ...values) =>
  page.evaluate(([what, values]) => (globalThis.text = [globalThis[what](...values)].flat().join("\n")).length, [what, values]);
const begin = (sums) => page.evaluate((sums) => globalThis.begin(sums), sums);
const SUMS = await page.evaluate(() => globalThis.SUMS);
const ONE_FILE = SUMS.replace("json(", 'option("maxFilesPerTrigger", 1).json(');

await begin(SUMS);
console.log(`${keys} keys in state, ${mb(await make("distinct", keys, 0, keys))} of JSON; state as (keys, bytes)`);
await step("file", () => put("in/a.json"));
await step("batch", run);
await make("distinct", 10, 0, keys);
await put("in/b.json");
await step("10 rows more", run);
await step("20 runs more, of 10 rows each", async () => {
  for (let n = 0; n < 20; n += 1) {
    await put(`in/b${n}.json`);
    await run();
  }
});
await page.evaluate(() => sandbox.put("in/c.json", '{"id":"x","user":"x","amt":1,"ts":"2026-01-01T07:00:00"}\n'));
await step("1 row that closes all windows", run);

await begin(ONE_FILE);
console.log(`${files} files of ${each} rows, one after the other`);
for (let n = 0; n < files; n += 1) {
  await make("lines", each, n * each, files * each);
  await step(`file ${n}`, () => put(name(n)));
  await step(`batch ${n}`, run);
}

await begin(SUMS);
console.log("a batch with more groups than there is room for, then files until there is no more room");
let n = 0;
for (; n < 10; n += 1) {
  await make("distinct", each, n * each, 20 * each);
  await put(name(n));
}
await step("batch", failure);
for (let full = ""; !full; n += 1) {
  await make("distinct", each, n * each, 20 * each);
  full = await put(name(n)).then(() => "", words);
  if (full) await step(`file ${n}`, async () => full);
}
await page.evaluate(() => sandbox.edit('print(spark.read.schema("id STRING").json("in/00.json").count())'));
await step("a query of its own after that", run);

await begin(ONE_FILE);
console.log("keys until the state is full, a file of a million in each batch");
for (let n = 0, full = ""; !full; n += 1) {
  await make("short", each, n * each, 20 * each);
  await put(name(n));
  await step(`batch ${n}`, () => run().catch((error) => (full = words(error))));
}
await page.evaluate(() => sandbox.edit('print(spark.read.format("delta").load("out/").count())'));
await step("a query of its own after that", run);
await close();
