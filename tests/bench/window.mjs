// One million rows of JSON in one batch through a windowed sum by user with watermark, state, checkpoint and Delta commit, beside
// plain JavaScript (JSON.parse per line and a Map) and DuckDB-WASM over the same rows, in headless Chromium, in one run. Then
// batches of ten rows: in a fresh sandbox, and in the one that has seen the million. Nothing fails on a time.
//
// ROWS=N changes the number of rows.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { here, ms, open, ratio, timed } from "./harness.mjs";
import { root } from "../journeys/harness.mjs";

const rows = Number(process.env.ROWS ?? 1_000_000);
const duck = join(here, "node_modules/@duckdb/duckdb-wasm/dist");
if (!existsSync(duck)) execFileSync("npm", ["install", "--no-save", "--no-audit", "--no-fund"], { cwd: here, stdio: "inherit" });
const bundle = join(here, "node_modules/duckdb.bundle.mjs");
execFileSync(join(root, "node_modules/.bin/esbuild"), ["--bundle", "--format=esm", `--outfile=${bundle}`, "--log-level=error"], {
  cwd: here,
  input: 'export * from "@duckdb/duckdb-wasm"; export * as arrow from "apache-arrow";',
});

const { page, close } = await open({
  "duckdb.mjs": bundle,
  "duckdb.worker.js": join(duck, "duckdb-browser-eh.worker.js"),
  "duckdb.wasm": join(duck, "duckdb-eh.wasm"),
});

const bytes = await page.evaluate((rows) => {
  globalThis.text = `${lines(rows).join("\n")}\n`;
  return text.length;
}, rows);

const plain = await timed(() =>
  page.evaluate(() => {
    const sums = new Map();
    for (const line of text.split("\n")) {
      if (!line) continue;
      const row = JSON.parse(line);
      const key = `${Math.floor(Date.parse(`${row.ts}Z`) / 600000)}|${row.user}`;
      sums.set(key, (sums.get(key) ?? 0) + row.amt);
    }
    return sums.size;
  }),
);

await page.evaluate(async () => {
  globalThis.sandbox = await engine();
  await sandbox.edit(SUMS);
  await sandbox.put("in/rows.json", text);
});
const ours = await timed(() => page.evaluate(() => sandbox.run()));
if (ours.result.at(-1) !== String(rows)) throw new Error(`expected ${rows} rows, the script printed ${ours.result}`);

/** The median of some batches of ten rows, each with the start of the script. */
const small = async (name) => {
  const walls = [];
  for (let n = 0; n < 9; n += 1) {
    const { wall } = await timed(() =>
      page.evaluate(
        async ([name, n]) => {
          await globalThis[name].put(`in/zz${n}.json`, `${lines(10, 990, 1000).join("\n")}\n`);
          return globalThis[name].run();
        },
        [name, n],
      ),
    );
    walls.push(wall);
  }
  return walls.sort((a, b) => a - b)[4];
};
const after = await small("sandbox");
await page.evaluate(async () => {
  sandbox.stop();
  globalThis.fresh = await engine();
  await fresh.edit(SUMS);
  await fresh.put("in/first.json", `${lines(10, 0, 1000).join("\n")}\n`);
  await fresh.run();
});
const before = await small("fresh");

await page.evaluate(async () => {
  fresh.stop();
  const duckdb = await import("./duckdb.mjs");
  const worker = new Worker("./duckdb.worker.js");
  const db = new duckdb.AsyncDuckDB(new duckdb.VoidLogger(), worker);
  await db.instantiate(new URL("./duckdb.wasm", location.href).href);
  globalThis.duck = { db, arrow: duckdb.arrow, link: await db.connect() };
  // The same rows; this reader wants one array, which is made outside the measured time.
  globalThis.array = `[${text.trimEnd().split("\n").join(",")}]`;
});
const theirs = await timed(() =>
  page.evaluate(async () => {
    await duck.db.registerFileText("rows.json", array);
    const { Utf8, Float64 } = duck.arrow;
    const columns = { id: new Utf8(), user: new Utf8(), amt: new Float64(), ts: new Utf8() };
    await duck.link.insertJSONFromPath("rows.json", { name: "rows", shape: "row-array", columns });
    const sums = await duck.link.query(
      'SELECT time_bucket(INTERVAL 10 MINUTE, ts::TIMESTAMP) w, "user", sum(amt) t FROM rows GROUP BY ALL',
    );
    return sums.numRows;
  }),
);
await close();
if (theirs.result !== plain.result) throw new Error(`DuckDB made ${theirs.result} groups, plain JavaScript ${plain.result}`);

const line = (name, run) => `  ${name}: ${ms(run.wall)}, busiest thread ${ms(run.busiest)}`;
console.log(`${rows} rows, ${(bytes / 1e6).toFixed(0)} MB, ${plain.result} groups of window and user`);
console.log(line("engine, whole batch with state, checkpoint and Delta commit", ours));
console.log(line("plain JavaScript, JSON.parse per line and a Map", plain));
console.log(line("DuckDB-WASM, insertJSONFromPath and GROUP BY", theirs));
console.log(`  engine to plain JavaScript ${ratio(ours.wall, plain.wall)} (by busiest thread ${ratio(ours.busiest, plain.busiest)}); aim 0.75`);
console.log(`  engine to DuckDB-WASM ${ratio(ours.wall, theirs.wall)} (by busiest thread ${ratio(ours.busiest, theirs.busiest)})`);
console.log(`one batch of 10 rows, whole protocol with the start of the script: ${ms(before)} fresh, ${ms(after)} after ${rows} rows, ratio ${ratio(after, before)}; aim 2 (medians of nine)`);
