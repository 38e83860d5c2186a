// Two thousand moments of one query in a worker, in headless Chromium: how much memory they take, and how long the worker takes to
// show any of them, go on from any of them, and switch between branches. Nothing fails on a time.
//
// MOMENTS=N changes the number of moments.
import { memory } from "./harness.mjs";
import { launch, serve } from "../journeys/harness.mjs";

const moments = Number(process.env.MOMENTS ?? 2_000);
const site = await serve();
const browser = await launch();
const page = await (await browser.newContext()).newPage();
// A page of the same origin without the application, which would start a worker of its own.
await page.route("**/bench.html", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>bench</title>" }));
await page.goto(`${site.url}bench.html`);

await page.evaluate(async () => {
  const worker = new Worker("./worker_loader.js", { type: "module" });
  let waiting = null;
  let started = 0;
  let arrived = () => {};
  const ready = new Promise((resolve) => (arrived = resolve));
  worker.onmessage = (event) => {
    const took = performance.now() - started;
    const message = JSON.parse(event.data);
    if (message.from === "ready") return arrived();
    if (message.from === "refused") return waiting.reject(new Error(message.message));
    if (message.from === "update" && message.update.busy !== null) return;
    waiting.resolve({ took, bytes: event.data.length, update: message.update });
  };
  await ready;
  let number = 0;
  globalThis.ask = (command) =>
    new Promise((resolve, reject) => {
      number += 1;
      waiting = { resolve, reject };
      started = performance.now();
      worker.postMessage(JSON.stringify({ number, command }));
    });
});

const before = await memory(page);
const made = await page.evaluate(async (moments) => {
  const script = [
    'sch = "id INT, user STRING, amt DOUBLE, ts TIMESTAMP"',
    'q = (spark.readStream.schema(sch).json("in/").writeStream.format("delta")',
    '     .option("checkpointLocation", "ckpt/").start("out/"))',
    "q.awaitTermination()",
  ].join("\n");
  const work = { branches: [{ name: "main", acts: [{ act: "seed", seed: 1 }] }], current: 0, moment: null };
  let at = (await ask({ command: "open", work })).update.moments;
  const act = async (act) => {
    const answer = await ask({ command: "do", act, at });
    at = answer.update.moments;
    return answer;
  };
  const file = (n) => `{"id":${n},"user":"u${n % 97}","amt":${n / 4},"ts":"2026-01-01T10:${String(n % 60).padStart(2, "0")}:00"}\n`;
  const start = performance.now();
  await act({ act: "edit", script: "main.py", text: script });
  await act({ act: "put", path: "in/0000.json", text: file(0) });
  await act({ act: "run", script: "main.py" });
  const batches = [];
  for (let n = 1; at < moments; n += 1) {
    const from = performance.now();
    await act({ act: "put", path: `in/${String(n).padStart(4, "0")}.json`, text: file(n) });
    await act({ act: "trigger", query: null });
    batches.push(performance.now() - from);
  }
  return { moments: at, took: performance.now() - start, batches };
}, moments);
const after = await memory(page);

const looks = await page.evaluate(async (moments) => {
  const all = [];
  for (let moment = 0; moment < moments; moment += 1) {
    const { took, bytes } = await ask({ command: "look", moment });
    all.push({ took, bytes });
  }
  return all;
}, made.moments);

const forks = await page.evaluate(async (moments) => {
  const all = [];
  for (let n = 0; n < 20; n += 1) {
    const at = Math.floor(((n * 7919) % 997) * (moments - 2) / 997);
    const { took } = await ask({ command: "do", act: { act: "advance", millis: 1000 }, at });
    const back = await ask({ command: "switch", branch: 0, moment: null });
    all.push({ took, back: back.took });
  }
  return all;
}, made.moments);
const last = await memory(page);
await browser.close();
site.stop();

const ranked = (numbers) => [...numbers].sort((a, b) => a - b);
const at = (numbers, share) => ranked(numbers)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))];
const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
const ms = (numbers) => `median ${at(numbers, 0.5).toFixed(1)} ms, 99 of 100 within ${at(numbers, 0.99).toFixed(1)} ms, worst ${at(numbers, 1).toFixed(1)} ms`;
console.log(`${made.moments} moments of ${made.batches.length} batches: memory of the engine ${mb(before)} at the start, ${mb(after)} with all of them, ${mb(last)} after 20 branches`);
console.log(`a file and its batch: ${ms(made.batches)}; the last 20: median ${at(made.batches.slice(-20), 0.5).toFixed(1)} ms`);
console.log(`showing any of them: ${ms(looks.map((look) => look.took))}; ${(at(looks.map((look) => look.bytes), 1) / 1000).toFixed(0)} kB at most`);
console.log(`acting in the past: ${ms(forks.map((fork) => fork.took))}; going back to main: ${ms(forks.map((fork) => fork.back))}`);
