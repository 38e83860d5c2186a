// One million rows of JSON (two strings, a double, a timestamp) copied to a Delta table by the engine in a worker, as a ratio to
// plain JavaScript that parses the same lines with JSON.parse, both in headless Chromium, in one run. Nothing fails on a time.
//
// ROWS=N changes the number of rows.
import { launch, serve } from "../journeys/harness.mjs";

const rows = Number(process.env.ROWS ?? 1_000_000);
const site = await serve();
const browser = await launch();
const page = await (await browser.newContext()).newPage();
await page.goto(site.url);

const result = await page.evaluate(async (rows) => {
  const lines = [];
  for (let n = 0; n < rows; n += 1) {
    const minute = String(n % 60).padStart(2, "0");
    lines.push(`{"id":"o${n}","user":"u${n % 997}","amt":${(n % 10000) / 4},"ts":"2026-01-01T10:${minute}:00"}`);
  }
  const text = lines.join("\n") + "\n";
  const script = [
    'sch = "id STRING, user STRING, amt DOUBLE, ts TIMESTAMP"',
    'q = (spark.readStream.schema(sch).json("in/").writeStream.format("delta")',
    '     .option("checkpointLocation", "ckpt/").trigger(availableNow=True).start("out/"))',
    "q.awaitTermination()",
    'print(q.lastProgress["numInputRows"])',
  ].join("\n");

  const plainStart = performance.now();
  let sum = 0;
  for (const line of text.split("\n")) if (line) sum += JSON.parse(line).amt;
  const plain = performance.now() - plainStart;

  const worker = new Worker("./worker_loader.js", { type: "module" });
  const updates = [];
  const ready = new Promise((resolve) => {
    worker.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.from === "ready") return resolve();
      const waiting = updates[0];
      if (message.from === "refused") return waiting?.reject(new Error(message.message));
      if (message.from === "update" && message.update.busy === null) updates.shift()?.resolve(message.update);
    };
  });
  await ready;
  let number = 0;
  let moments = 0;
  const ask = (command) =>
    new Promise((resolve, reject) => {
      number += 1;
      updates.push({ resolve, reject });
      worker.postMessage(JSON.stringify({ number, command }));
    }).then((update) => {
      moments = update.moments;
      return update;
    });
  await ask({ command: "open", work: { branches: [{ name: "main", acts: [{ act: "seed", seed: 1 }] }], current: 0, moment: null } });
  await ask({ command: "do", act: { act: "edit", script: "main.py", text: script }, at: moments });
  await ask({ command: "do", act: { act: "put", path: "in/rows.json", text }, at: moments });
  const start = performance.now();
  const end = await ask({ command: "do", act: { act: "run", script: "main.py" }, at: moments });
  const engine = performance.now() - start;
  return { plain, engine, bytes: text.length, sum, printed: end.view.script.printed.map((line) => line.text) };
}, rows);

await browser.close();
site.stop();
if (result.printed.at(-1) !== String(rows)) throw new Error(`expected ${rows} rows, the script printed ${result.printed}`);
const ratio = result.engine / result.plain;
console.log(`${rows} rows, ${(result.bytes / 1e6).toFixed(0)} MB: engine ${result.engine.toFixed(0)} ms (whole batch: read, decode, Parquet, Delta commit, checkpoint), JSON.parse per line ${result.plain.toFixed(0)} ms, ratio ${ratio.toFixed(2)}`);
