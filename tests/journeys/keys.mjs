// Everything by keys alone, on a laptop and on a phone, in both themes; and nothing that a checker of accessibility finds.
import { accessible, finish, journey, same } from "./harness.mjs";
import { press, rest } from "./hands.mjs";

const active = (page) =>
  page.evaluate(() => {
    const one = document.activeElement;
    return one.dataset.path ?? one.getAttribute("aria-label") ?? one.textContent.trim();
  });

/** Presses Tab until what has the focus is called so. */
async function tabTo(page, name, key = "Tab") {
  for (let step = 0; step < 80; step += 1) {
    if ((await active(page)).startsWith(name)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Tab does not reach ${name}`);
}

async function open(page) {
  await tabTo(page, "Open the sandbox");
  await page.keyboard.press("Enter");
  await page.getByText("Nothing has happened yet.").waitFor({ timeout: 60_000 });
}

await journey("a file is dropped, opened, deleted and brought back by keys", async ({ page }) => {
  await open(page);
  await press(page, "d");
  await tabTo(page, "in/a.json");
  await page.keyboard.press("Enter");
  await page.locator(".inspect-crumbs", { hasText: "a.json" }).waitFor();
  same(await page.locator(".inspect-grid tbody tr").count(), 2, "rows of a.json");
  await page.keyboard.press("ArrowUp");
  same(await active(page), "in/", "the folder above");
  await page.keyboard.press("ArrowDown");
  await press(page, "Delete");
  same(await page.locator("[data-change=gone]").count() > 0, true, "a.json is struck out");
  await page.locator(".rail-track").focus();
  await press(page, "ArrowLeft");
  same(await page.locator("[data-change=gone]").count(), 0, "a step back undoes");
});

await journey("the script is edited and run by keys, its error stands at its line", async ({ page, shot }) => {
  await open(page);
  await press(page, "d");
  await tabTo(page, "Sample data", "Shift+Tab");
  for (let step = 0; step < 20 && !(await page.evaluate(() => document.activeElement.matches(".editor-host"))); step += 1) {
    await page.keyboard.press("Shift+Tab");
  }
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("spark.readStream.nonsense(1)\n");
  await page.keyboard.press("Control+Enter");
  await page.locator(".editor-error").waitFor({ timeout: 30_000 });
  await rest(page);
  same((await page.locator(".editor-error b").textContent()).startsWith("Line 1: "), true, "the error names line 1");
  same(await page.locator(".cm-lintRange-error, .cm-lint-marker-error").count() > 0, true, "a mark in the editor");
  await shot("error");
  await page.keyboard.press("Escape");
  same(await active(page), "Rail", "Escape leads to the rail");
});

await journey("panels, tabs, theme and the sheet are reached by keys", async ({ page }) => {
  await open(page);
  await press(page, "d", "r");
  const seen = [];
  for (let step = 0; step < 6; step += 1) {
    await page.keyboard.press("F6");
    seen.push(await page.evaluate(() => document.activeElement.className.split(" ").pop()));
  }
  same(seen, ["picture", "editor", "store", "inspect", "sink", "rail"], "F6 goes round the panels");
  await tabTo(page, "Sink", "Shift+Tab");
  await page.keyboard.press("ArrowRight");
  same(await active(page), "State", "an arrow chooses the next tab");
  await page.keyboard.press("ArrowRight");
  same(await active(page), "Progress", "and the next");
  await page.getByText("lastProgress").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await tabTo(page, "Theme: system", "Shift+Tab");
  await page.keyboard.press("Enter");
  same(await page.evaluate(() => document.documentElement.dataset.theme), "light", "the theme");
  await page.keyboard.press("k");
  await page.locator(".note[data-shown]").waitFor();
});

await journey("a dead engine is replaced and nothing is lost", async ({ page, errors }) => {
  await open(page);
  await press(page, "d", "r");
  const before = await page.locator(".rail-count b").textContent();
  await page.workers()[0].evaluate(() => setTimeout(() => { throw new Error("the engine broke"); }));
  await page.getByRole("alert").filter({ hasText: "was started again" }).waitFor({ timeout: 30_000 });
  await rest(page);
  same(await page.locator(".rail-count b").textContent(), before, "moments");
  same(await page.locator(".sink-rows tbody tr").count(), 2, "rows");
  // The break was ours.
  errors.splice(0, errors.length, ...errors.filter((error) => !error.includes("the engine broke")));
});

await journey("a script that never ends is stopped", async ({ page }) => {
  await open(page);
  await page.locator(".editor-host").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("n = 0\nwhile True:\nn = n + 1");
  await page.keyboard.press("Control+Enter");
  await page.waitForTimeout(700);
  await page.keyboard.press("Escape");
  await page.keyboard.press("x");
  await rest(page);
  await page.locator(".editor .panel-note", { hasText: /stopped|lost|not run/ }).waitFor({ timeout: 15_000 });
});

for (const [width, height, colorScheme] of [[1440, 900, "light"], [1440, 900, "dark"], [390, 844, "light"], [390, 844, "dark"]]) {
  await journey(
    `nothing to complain of at ${width} by ${height}, ${colorScheme}`,
    async ({ page, shot }) => {
      await accessible(page, "the first screen");
      await shot(`start-${width}-${colorScheme}`);
      await open(page);
      await press(page, "d", "r", "r", "d", "r");
      for (let step = 0; step < 40 && !(await page.locator(".lane-batch:not([data-size=next])").last().locator(".lane-step:nth-child(8) [data-now]").count()); step += 1) {
        await press(page, "ArrowLeft");
      }
      await press(page, "k");
      await accessible(page, "the sandbox after a crash");
      same(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true, "nothing sticks out");
      await shot(`sandbox-${width}-${colorScheme}`);
    },
    { viewport: { width, height }, colorScheme },
  );
}

await finish();
