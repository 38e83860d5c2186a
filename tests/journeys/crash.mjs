// A crash between the Delta commit and commits/N, armed ahead of time on the lane, and the recovery: by keys alone.
import { accessible, finish, journey, same } from "./harness.mjs";
import { press, rest } from "./hands.mjs";

const active = (page) =>
  page.evaluate(() => {
    const one = document.activeElement;
    if (one === document.body) return "";
    return one.dataset.path ?? one.getAttribute("aria-label") ?? one.textContent.trim();
  });

/** Presses a key until what has the focus is called so. */
async function until(page, key, name, most = 80) {
  for (let step = 0; step < most; step += 1) {
    if ((await active(page)).includes(name)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not reach ${name}; the focus is on ${await active(page)}`);
}

/** Types into the palette until it offers just that. */
async function find(page, words) {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find anything" }).waitFor();
  await page.keyboard.type(words);
  await page.getByRole("option", { name: words }).waitFor();
}

async function open(page) {
  await until(page, "Tab", "Open the sandbox");
  await page.keyboard.press("Enter");
  await page.getByText("Nothing has happened yet.").waitFor({ timeout: 60_000 });
}

const paths = (page) => page.locator("[data-path]").evaluateAll((all) => all.map((one) => one.dataset.path));

/** Drops a file and runs, twice; the lane holds batch 0, then batch 1 is about to begin. */
async function toBatchOne(page) {
  await press(page, "d", "r", "d");
}

await journey("a crash is armed in a gap, strikes, and the second try is skipped", async ({ page, shot }) => {
  await open(page);
  await toBatchOne(page);
  // From the rail back to the lane: one stop, arrows over boxes and gaps.
  await page.keyboard.press("F6");
  for (let turn = 0; turn < 8 && !(await page.evaluate(() => document.activeElement.id === "picture")); turn += 1) await page.keyboard.press("F6");
  for (let stop = 0; stop < 30 && !(await page.evaluate(() => document.activeElement.matches(".lane-box, .lane-gap, .lane-file"))); stop += 1) {
    await page.keyboard.press("Tab");
  }
  await until(page, "ArrowDown", "list", 30).catch(() => {});
  for (let down = 0; down < 12; down += 1) await page.keyboard.press("ArrowDown");
  for (let left = 0; left < 30; left += 1) await page.keyboard.press("ArrowLeft");
  await until(page, "ArrowRight", "C10: the sink has committed", 40);
  await press(page, "Enter");
  same(await page.locator(".lane-gap[aria-pressed=true]").count(), 1, "armed gaps");
  await page.locator(".lane-armed", { hasText: "C10, after commit" }).waitFor();
  await shot("crash-armed");
  await accessible(page, "the lane with an armed crash");
  await press(page, "r");
  same(await page.locator("#app .lane-crash-flag").textContent(), "C10", "the flag");
  const there = await paths(page);
  same([there.includes("ckpt/offsets/1"), there.includes("ckpt/commits/1")], [true, false], "planned, not done");
  await page.locator(".store-headline", { hasText: "Batch 1 will run again with exactly b.json." }).waitFor();
  await shot("crash-struck");
  await press(page, "r");
  same(await page.locator(".sink-rows tbody tr").count(), 3, "rows");
  same(await page.locator(".sink-rows tr[data-dup]").count(), 0, "doubled rows");
  same(await page.locator(".lane-batch[data-again] .lane-box[data-state=skipped]").count() > 0, true, "the second try is skipped");
  same((await paths(page)).includes("ckpt/commits/1"), true, "commits/1 is there");
  await shot("crash-recovered");
});

await journey("the driver dies at a moment that has been, on a branch of its own", async ({ page, shot }) => {
  await open(page);
  await press(page, "d", "r");
  const gap = page.locator(".lane-gap[aria-label^='Crash here. C10']");
  await gap.focus();
  await press(page, "Enter");
  same(await page.locator("#app .lane-crash-flag").textContent(), "C10", "the flag");
  same(await page.locator(".rail-name").count(), 2, "branches on the rail");
  await shot("crash-branch");
  await press(page, "b");
  same(await page.locator("#app .lane-crash").count(), 0, "no crash at the fork");
});

await journey("every named point can be armed from the palette", async ({ page }) => {
  await open(page);
  await press(page, "d");
  await find(page, "arm C04");
  await accessible(page, "the palette");
  await press(page, "Enter");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.locator(".lane-armed", { hasText: "C04, after plan" }).waitFor();
  // Another one, by its phase, is taken away again.
  await find(page, "arm before commit");
  await press(page, "Enter");
  await page.getByRole("button", { name: "before commit: take this crash away" }).focus();
  await press(page, "Enter");
  same(await page.locator(".lane-armed button").allTextContents(), ["C04, after plan"], "what is armed");
  await press(page, "r");
  same(await page.locator("#app .lane-crash-flag").textContent(), "C04", "the flag");
});

await journey("a step in whose middle the driver stopped was begun, and its file is there", async ({ page }) => {
  await open(page);
  await press(page, "d");
  await find(page, "arm C08");
  await press(page, "Enter");
  await page.locator(".lane-armed", { hasText: "C08" }).waitFor();
  await press(page, "r");
  same(await page.locator("#app .lane-crash-flag").textContent(), "C08", "the flag");
  const boxes = page.locator(".lane-batch[data-crashed] .lane-box[data-state=planned] .lane-word");
  same((await boxes.allTextContents()).filter((word) => word === "begun").length, 1, "boxes that say begun");
  same((await paths(page)).some((path) => path.startsWith("out/part-")), true, "a data file is there");
});

await journey("keys go from change to change, to the fork, and to the next crash", async ({ page }) => {
  await open(page);
  await press(page, "d", "r", "d", "r");
  const moment = async () => Number(await page.locator(".rail-count b").textContent());
  await page.locator("[data-path='ckpt/offsets/1']").focus();
  await page.keyboard.press("Enter");
  await page.locator(".rail-track").focus();
  const end = await moment();
  await press(page, "[");
  await page.waitForFunction((end) => Number(document.querySelector(".rail-count b").textContent) < end, end);
  await page.locator("[data-path='ckpt/offsets/1']").waitFor();
  same(await page.locator(".picture-sentence").textContent().then((text) => text.includes("offsets/1")), true, "the sentence names the file");
  await press(page, "[");
  await page.locator(".note[data-shown]", { hasText: "does not change before" }).waitFor();
  await press(page, "-");
  same(await page.locator(".depth b").textContent(), "batch", "depth");
  await press(page, "-");
  same(await page.locator(".lane-run").count(), 2, "runs");
  await press(page, "+", "+", "k");
});

for (const [width, height] of [[390, 844]]) {
  await journey(
    "on a phone a long press arms, taps do the rest",
    async ({ page, shot }) => {
      await page.getByRole("link", { name: "Open the sandbox" }).tap();
      await page.getByText("Nothing has happened yet.").waitFor({ timeout: 60_000 });
      await page.getByRole("button", { name: "Drop", exact: true }).tap();
      await rest(page);
      const box = page.locator(".lane-batch[data-size=next] .lane-step:nth-child(8) .lane-box");
      await box.scrollIntoViewIfNeeded();
      const place = await box.boundingBox();
      const client = await page.context().newCDPSession(page);
      const points = [{ x: place.x + place.width / 2, y: place.y + place.height / 2 }];
      await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: points });
      await page.waitForTimeout(700);
      await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
      await rest(page);
      same(await page.locator(".lane-gap[aria-pressed=true]").count(), 1, "armed gaps");
      await shot("crash-phone");
      await accessible(page, "the phone with an armed crash");
      await page.locator(".rail-acts .btn", { hasText: "Run" }).tap();
      await rest(page);
      same(await page.locator("#app .lane-crash-flag").count(), 1, "a crash on the lane");
      await page.getByRole("button", { name: "Arm a crash" }).tap();
      await page.getByRole("option", { name: /C10/ }).tap();
      await rest(page);
      await accessible(page, "the phone with a second crash");
      await page.getByRole("button", { name: "C10, after commit: take this crash away" }).tap();
      await rest(page);
      same(await page.locator(".lane-armed").count(), 0, "armed crashes");
    },
    { viewport: { width, height }, hasTouch: true, isMobile: true },
  );
}

await finish();
