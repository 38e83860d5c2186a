// Lessons: the first one whole on a phone by taps, the second one whole on a laptop by keys, and nothing that axe finds.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { accessible, finish, journey, root, same } from "./harness.mjs";

const file = (slug, name) => readFile(join(root, "lessons/content", slug, name), "utf8");

async function rest(page) {
  await page.waitForTimeout(40);
  await page.locator("main[aria-busy=false]").waitFor({ timeout: 60_000 });
}

/** Waits until the lesson stands at its beginning. */
async function begun(page, heading) {
  await page.locator(".lesson-text h2", { hasText: heading }).waitFor({ timeout: 60_000 });
  await page.locator(".rail-veil").waitFor({ state: "attached", timeout: 60_000 });
  await rest(page);
}

/** Puts a script in the place of the one in the editor. */
async function write(page, text) {
  await page.locator(".editor-host").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
  await page.keyboard.press("Escape");
}

const stage = (page) => page.locator(".lesson-stages [aria-current=step]").textContent();
const report = (page) => page.locator(".lesson-report p").first();

/** Presses Tab until what has the focus is called so. */
async function tabTo(page, name) {
  const active = () =>
    page.evaluate(() => {
      const one = document.activeElement;
      return one.dataset.path ?? one.getAttribute("aria-label") ?? one.labels?.[0]?.textContent.trim() ?? one.textContent.trim();
    });
  for (let step = 0; step < 90; step += 1) {
    if ((await active()).startsWith(name)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${name}`);
}

async function choose(page, name) {
  await tabTo(page, name);
  await page.keyboard.press("Enter");
  await rest(page);
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

await journey(
  "the three runs are learned on a phone by taps",
  async ({ page, shot }) => {
    const slug = "01-three-runs";
    const tap = async (name) => {
      await page.locator(".lesson button", { hasText: name }).first().tap();
      await rest(page);
    };
    const dock = (name) => page.locator(".dock button", { hasText: name }).tap();
    await page.locator(`a[href="#lesson/${slug}"]`).first().tap();
    await begun(page, "Three runs of one script");
    same(await stage(page), "1Read", "the stage");
    await accessible(page, "read");
    await shot("lesson-read-390");
    await tap("To the guess");
    await page.getByText("2 rows, then 3").tap();
    await accessible(page, "guess");
    await shot("lesson-guess-390");
    await tap("Run twice and see");
    await tap("To the step that decides");
    await page.getByText("Last chance to change your mind").waitFor();
    same(await page.locator(".rail-veil").count(), 1, "what comes is behind the veil");
    await tap("See what happens");
    await page.getByText("You expected 2 and 3. It is 0 and 1.").waitFor();
    same(await page.locator(".lesson-versus li[data-ghost]").count(), 2, "boxes that only the guess has");
    await accessible(page, "compare");
    await shot("lesson-compare-390");
    await dock("Sink");
    same(await page.locator(".sink-rows tr[data-ghost]").count(), 4, "rows that only the guess has");
    await dock("Lesson");
    await tap("Explain");
    await page.getByText("the checkpoint names the files that were seen").tap();
    await dock("Store");
    await page.locator("[data-path='ckpt/sources/0/0']").tap();
    await dock("Lesson");
    await tap("This file proves it");
    await page.getByText("That is it: the source log.").waitFor();
    await shot("lesson-explain-390");
    await tap("Try it");
    await page.getByRole("heading", { name: "Try it" }).waitFor();
    await rest(page);
    await tap("Check");
    await page.getByText(/order 1 is there \d times\. It first appears at step \d+\./).waitFor({ timeout: 60_000 });
    await accessible(page, "try");
    await shot("lesson-check-390");
    await tap("Go there");
    await rest(page);
    await dock("Lesson");
    await tap("Hint 1 of 3");
    await tap("Show a solution");
    same((await page.locator(".lesson-diff li[data-side=new]").count()) > 2, true, "the solution adds lines");
    await tap("Hide the solution");
    await dock("Code");
    await write(page, await file(slug, "solution.py"));
    await dock("Lesson");
    await tap("Check");
    await page.getByText("Right on the visible data and on 3 hidden data sets.").waitFor({ timeout: 90_000 });
    await shot("lesson-solved-390");
    await page.locator(".top-brand:visible").tap();
    await page.locator("[data-lesson-id='three-runs']", { hasText: "solved, after the solution was seen" }).waitFor();
    await accessible(page, "the list of lessons");
  },
  phone,
);

await journey("the crash between two commits is learned by keys", async ({ page, url, shot }) => {
  const slug = "02-crash-between-commits";
  await page.goto(`${url}?deep#lesson/${slug}`);
  await begun(page, "The crash between two commits");
  const before = await page.locator(".lesson").boundingBox();
  same([before.width, Math.round(before.x)], [348, 0], "a column of 348 at the left");
  await accessible(page, "read");
  await shot("lesson-read-1440");
  // The field that gives the answer away is covered.
  await page.locator("[data-path='out/_delta_log/00000000000000000001.json']").focus();
  await page.keyboard.press("Enter");
  await page.locator(".inspect-cover").first().waitFor();
  await page.locator(".rail-track").focus();
  await page.keyboard.press("r");
  await page.getByText("Guess first").first().waitFor();
  await page.locator(".lesson-text").focus();
  await choose(page, "To the guess");
  await tabTo(page, "3 rows, as now");
  await page.keyboard.press("ArrowDown");
  same(await page.locator(".lesson-option input:checked").count(), 1, "one choice");
  await tabTo(page, "How sure");
  await accessible(page, "guess");
  await shot("lesson-guess-1440");
  await page.locator(".rail-track").focus();
  await page.keyboard.press("r");
  await rest(page);
  same(await stage(page), "3Run", "R makes the guess");
  await page.keyboard.press("End");
  await page.getByText("Last chance to change your mind").waitFor();
  same(await page.locator(".inspect-cover").count() > 0, true, "still covered");
  await shot("lesson-stop-1440");
  await page.locator(".rail-track").focus();
  await page.keyboard.press("ArrowRight");
  await page.getByText("You expected 4 rows. It is 3 rows.").waitFor();
  await rest(page);
  same(await page.locator(".sink-rows tr[data-ghost]").count(), 1, "the row that only the guess has");
  same(await page.locator(".inspect-cover, .rail-veil").count(), 0, "nothing is covered now");
  await accessible(page, "compare");
  await shot("lesson-compare-1440");
  await choose(page, "Explain");
  await tabTo(page, "Delta found the txn");
  await page.keyboard.press("Space");
  await page.locator("[data-path='out/_delta_log/00000000000000000001.json']").focus();
  await page.keyboard.press("Enter");
  await page.locator(".lesson-text").focus();
  await choose(page, "This file proves it");
  await page.getByText("There is no version 2").waitFor();
  await shot("lesson-explain-1440");
  await choose(page, "Try it");
  await page.getByRole("heading", { name: "By hand" }).waitFor();
  await page.locator("[data-path='ckpt/commits/1']").focus();
  await page.keyboard.press("Delete");
  await rest(page);
  await page.getByText("batch 1 is planned and not done").first().waitFor();
  await page.locator(".rail-track").focus();
  await page.keyboard.press("r");
  await page.getByText("Still 3 rows.").waitFor({ timeout: 30_000 });
  await rest(page);
  await page.locator("[data-path='out/_delta_log/00000000000000000001.json']").focus();
  await page.keyboard.press("Enter");
  await shot("lesson-hand-1440");
  await page.locator(".lesson-text").focus();
  await choose(page, "To the exercise");
  await page.getByRole("heading", { name: "Try it" }).waitFor();
  await rest(page);
  await choose(page, "Check");
  await report(page).filter({ hasText: "with a crash between the sink's commit and commits/N, order 1 is there twice" }).waitFor({ timeout: 90_000 });
  await accessible(page, "try");
  await shot("lesson-check-1440");
  await choose(page, "Go there");
  await page.locator(".rail-name[data-here]").waitFor();
  await write(page, await file(slug, "solution.py"));
  await page.locator(".lesson-text").focus();
  await choose(page, "Check");
  await report(page).filter({ hasText: "Right on the visible data and on 3 hidden data sets" }).waitFor({ timeout: 90_000 });
  await shot("lesson-solved-1440");
  await choose(page, "Continue in the sandbox");
  await page.getByRole("heading", { name: "Sandbox" }).waitFor();
  same(new URL(page.url()).hash, "#sandbox", "the address");
});

await journey("the own sandbox waits while a lesson is on", async ({ page }) => {
  await page.getByRole("link", { name: "Open the sandbox" }).click();
  await page.getByText("Nothing has happened yet.").waitFor({ timeout: 60_000 });
  await page.keyboard.press("d");
  await rest(page);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("lesson 1");
  await page.keyboard.press("Enter");
  await begun(page, "Three runs of one script");
  await page.getByRole("button", { name: "Leave the lesson" }).click();
  await page.locator("[data-path='in/a.json']").waitFor({ timeout: 30_000 });
  await rest(page);
  same(await page.locator("[data-path^='ckpt/']").count(), 0, "nothing of the lesson is left");
});

await finish();
