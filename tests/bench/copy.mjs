// One million rows of JSON (two strings, a double, a timestamp) copied to a Delta table by the engine in a worker, as a ratio to
// plain JavaScript that parses the same lines with JSON.parse, both in headless Chromium, in one run. Nothing fails on a time.
//
// ROWS=N changes the number of rows.
import { ms, open, ratio, timed } from "./harness.mjs";

const rows = Number(process.env.ROWS ?? 1_000_000);
const { page, close } = await open();
const bytes = await page.evaluate((rows) => {
  const lines = [];
  for (let n = 0; n < rows; n += 1) {
    const minute = String(n % 60).padStart(2, "0");
    lines.push(`{"id":"o${n}","user":"u${n % 997}","amt":${(n % 10000) / 4},"ts":"2026-01-01T10:${minute}:00"}`);
  }
  globalThis.text = `${lines.join("\n")}\n`;
  return text.length;
}, rows);

const plain = await timed(() =>
  page.evaluate(() => {
    let sum = 0;
    for (const line of text.split("\n")) if (line) sum += JSON.parse(line).amt;
    return sum;
  }),
);
await page.evaluate(async () => {
  globalThis.sandbox = await engine();
  await sandbox.edit(
    [
      'sch = "id STRING, user STRING, amt DOUBLE, ts TIMESTAMP"',
      'q = (spark.readStream.schema(sch).json("in/").writeStream.format("delta")',
      '     .option("checkpointLocation", "ckpt/").trigger(availableNow=True).start("out/"))',
      "q.awaitTermination()",
      'print(q.lastProgress["numInputRows"])',
    ].join("\n"),
  );
  await sandbox.put("in/rows.json", text);
});
const ours = await timed(() => page.evaluate(() => sandbox.run()));
await close();
if (ours.result.at(-1) !== String(rows)) throw new Error(`expected ${rows} rows, the script printed ${ours.result}`);
console.log(
  `${rows} rows, ${(bytes / 1e6).toFixed(0)} MB: engine ${ms(ours.wall)} (whole batch: read, decode, Parquet, Delta commit, checkpoint), ` +
    `JSON.parse per line ${ms(plain.wall)}, ratio ${ratio(ours.wall, plain.wall)} (by busiest thread ${ratio(ours.busiest, plain.busiest)})`,
);
