// One thousand batches of ten rows through a windowed sum with state, checkpoint and Delta table, in headless Chromium: the last
// hundred against the first hundred. Nothing fails on a time.
//
// BATCHES=N changes the number of batches.
import { ms, open, ratio, timed } from "./harness.mjs";

const batches = Number(process.env.BATCHES ?? 1_000);
const each = batches / 10;
const { page, close } = await open();
await page.evaluate(async () => {
  globalThis.sandbox = await engine();
  await sandbox.edit(SUMS.replace(".json(", '.option("maxFilesPerTrigger", 1).json('));
});
const parts = [];
for (let part = 0; part < 10; part += 1) {
  await page.evaluate(
    async ([part, each, batches]) => {
      for (let n = part * each; n < (part + 1) * each; n += 1) {
        await sandbox.put(`in/${String(n).padStart(6, "0")}.json`, `${lines(10, n * 10, batches * 10).join("\n")}\n`);
      }
    },
    [part, each, batches],
  );
  parts.push(await timed(() => page.evaluate(() => sandbox.run())));
}
await close();
const [first, last] = [parts[0], parts.at(-1)];
console.log(`${batches} batches of 10 rows; by tenths: ${parts.map((part) => ms(part.wall)).join(", ")}`);
console.log(`  first tenth ${ms(first.wall / each)} a batch, last ${ms(last.wall / each)}, ratio ${ratio(last.wall, first.wall)} (by busiest thread ${ratio(last.busiest, first.busiest)}); aim 1.2`);
