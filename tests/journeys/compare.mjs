// The checkpoint is deleted in the past: a second branch, and both side by side.
import { accessible, finish, journey, same } from "./harness.mjs";
import { open, press, rest } from "./hands.mjs";

/** Three runs on main; then, one moment before the end, the checkpoint goes and the script runs again. */
async function twoBranches(page) {
  await press(page, "d", "r", "r", "d", "r");
  await page.locator(".rail-track").focus();
  await press(page, "ArrowLeft");
  await page.locator("[data-path='ckpt/']").first().focus();
  await press(page, "Delete", "r");
}

for (const [width, height, colorScheme] of [[1440, 900, "light"], [390, 844, "dark"]]) {
  await journey(
    `without its checkpoint the query reads all again: two branches compared at ${width}, ${colorScheme}`,
    async ({ page, shot }) => {
      await open(page);
      await press(page, "d", "r", "r", "d", "r");
      await press(page, "ArrowLeft");
      if (width < 768) await page.locator(".dock button", { hasText: "Store" }).click();
      await page.locator("[data-path='ckpt/']").first().focus();
      await press(page, "Delete", "r");
      await press(page, "4");
      await page.locator(".compare-side").nth(1).waitFor();
      same(await page.locator(".compare-big b").allTextContents(), ["3", "6"], "rows of both sides");
      const what = await page.locator(".compare-table tbody th").allTextContents();
      for (const folder of ["ckpt/", "ckpt/offsets/", "ckpt/sources/0/", "out/_delta_log/"]) same(what.includes(folder), true, folder);
      same(what.includes("in/"), false, "in/ is the same");
      same(await page.locator(".compare-side").nth(1).locator(".ring").count(), 3, "rows that are there twice");
      await accessible(page, "the comparison");
      same(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true, "nothing sticks out");
      await shot(`compare-${width}-${colorScheme}`);
      // The right side follows the playhead.
      await page.locator(".rail-track").focus();
      await press(page, "ArrowLeft");
      await page.waitForFunction(() => document.querySelectorAll(".compare-side h2 .quiet").length === 2);
    },
    { viewport: { width, height }, colorScheme },
  );
}

await journey("branches are switched, renamed, compared and dropped", async ({ page, shot }) => {
  await open(page);
  await twoBranches(page);
  same(await page.locator(".rail-name").count(), 2, "names on the rail");
  await page.locator(".rail-name", { hasText: "main" }).click();
  await rest(page);
  same(await page.locator(".sink-rows tbody tr").count(), 3, "rows on main");
  await page.locator(".top-branch").click();
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await accessible(page, "the branches");
  await shot("branches");
  await dialog.getByRole("button", { name: /^Rename/ }).nth(1).click();
  await page.keyboard.type("lost");
  await page.keyboard.press("Enter");
  await rest(page);
  await dialog.locator("b", { hasText: "lost" }).waitFor();
  await dialog.getByRole("button", { name: "Go to lost" }).click();
  await rest(page);
  same(await page.locator(".sink-rows tbody tr").count(), 6, "rows on the other branch");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("compare with main");
  await page.keyboard.press("Enter");
  await page.locator(".compare-side").nth(1).waitFor();
  await press(page, "1");
  await page.locator(".top-branch").click();
  await dialog.getByRole("button", { name: "Drop lost" }).click();
  await rest(page);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  same(await page.locator(".rail-name").count(), 0, "one branch is left");
  same(await page.locator(".sink-rows tbody tr").count(), 3, "rows on main again");
});

await journey("one branch is compared with itself before its last run", async ({ page }) => {
  await open(page);
  await press(page, "4");
  await page.getByText("Nothing to compare yet.").waitFor();
  await press(page, "d", "r", "d", "r");
  await page.locator(".compare-side").nth(1).waitFor();
  same(await page.locator(".compare-big b").allTextContents(), ["2", "3"], "rows before and after the last run");
});

await finish();
