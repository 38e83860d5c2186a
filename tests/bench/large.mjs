// How much a tab holds, in headless Chromium, with the memory of the worker after each step:
//
// 1. one million keys in the state of a windowed sum, one batch of ten rows after them, and the batch that closes their windows;
// 2. ten million rows of JSON in ten batches, all texts kept;
// 3. too many groups in one batch, and then too many files: what the engine says at its limits, and that it goes on.
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

const put = (path) => page.evaluate((path) => sandbox.put(path, text), path).then(() => "");
const run = () => page.evaluate(() => sandbox.run()).then((printed) => printed.join(" "));
/** What an act is refused with, or the error of a run. */
const refusal = (act) => act().then(() => { throw new Error("a limit was passed without a word"); }, (error) => error.message.split("\n")[0]);

await page.evaluate(() => {
  /** As many lines, each with a user of its own, all within ten minutes. */
  globalThis.distinct = (rows, first, span) =>
    lines(rows, first, span * 36).map((line) => line.replace(/"id":"o(\d+)","user":"u\d+"/, '"id":"o$1","user":"u$1"')).join("\n") + "\n";
  globalThis.begin = async (sums) => {
    globalThis.sandbox?.stop();
    globalThis.sandbox = await engine();
    await sandbox.edit(`${sums}\nprint("state", [(s["numRowsTotal"], s["memoryUsedBytes"]) for s in q.lastProgress["stateOperators"]])`);
  };
});

const text = (make, ...values) => page.evaluate(([make, values]) => (globalThis.text = globalThis[make](...values)).length, [make, values]);

await page.evaluate(() => begin(SUMS));
const size = await text("distinct", keys, 0, keys);
console.log(`${keys} keys in state, ${mb(size)} of JSON; state as (keys, bytes)`);
await step("file", () => put("in/a.json"));
await step("batch", run);
await text("distinct", 10, 0, keys);
await put("in/b.json");
await step("10 rows more", run);
await page.evaluate(() => sandbox.put("in/c.json", '{"id":"x","user":"x","amt":1,"ts":"2026-01-01T07:00:00"}\n'));
await step("1 row that closes all windows", run);

const ONE = 'option("maxFilesPerTrigger", 1).json(';
await page.evaluate((one) => begin(SUMS.replace("json(", one)), ONE);
console.log(`${files} files of ${each} rows, one after the other`);
globalThis.written = 0;
for (let n = 0; n < files; n += 1) {
  await page.evaluate(([n, each, files]) => (globalThis.text = `${lines(each, n * each, files * each).join("\n")}\n`).length, [n, each, files]);
  await step(`file ${n}`, () => put(`in/${String(n).padStart(2, "0")}.json`));
  await step(`batch ${n}`, run);
}

await page.evaluate(() => begin(SUMS));
console.log("a batch with more groups than there is room for, and files until there is no more room");
let at = 0;
const another = async (make) => {
  await text("distinct", each, at * each, 20 * each);
  at += 1;
  await make(`in/${String(at).padStart(2, "0")}.json`);
};
for (let n = 0; n < files; n += 1) await another(put);
await step("batch", () => refusal(run));
let full = "";
while (!full) await another((path) => put(path).catch((error) => (full = error.message.split("\n")[0])));
await step(`file ${at}`, async () => full);
await page.evaluate((one) => sandbox.edit(SUMS.replace("json(", one)), ONE);
await page.evaluate(() => sandbox.put("in/00.json", '{"id":"x","user":"x","amt":1,"ts":"2026-01-01T07:00:00"}\n'));
await step("a small file, and a query of its own", () =>
  page.evaluate(async () => {
    await sandbox.edit('print(spark.read.schema("id STRING").json("in/00.json").count())');
    return sandbox.run();
  }),
);
await close();
