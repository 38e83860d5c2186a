// A row is followed back to its line and the line on to its rows, by keyboard; the bill; a second hand in the store.
import { accessible, finish, journey, same } from "./harness.mjs";
import { open, press, rest } from "./hands.mjs";

/** The last panel shows this part; on a phone its dock button comes first. */
async function part(page, word) {
  if (page.viewportSize().width < 768) await page.locator(".dock button", { hasText: "Sink" }).click();
  await page.getByRole("tab", { name: word, exact: true }).click();
}

for (const [width, height, colorScheme] of [[1440, 900, "light"], [390, 844, "dark"]]) {
  await journey(
    `a doubled row leads to one line by two batches at ${width}, ${colorScheme}`,
    async ({ page, shot }) => {
      await open(page);
      await press(page, "d", "d", "r");
      if (width < 768) await page.locator(".dock button", { hasText: "Store" }).click();
      await page.locator("[data-path='ckpt/']").first().focus();
      await press(page, "Delete", "r");
      await part(page, "Sink");
      const rows = page.locator(".sink-rows tbody tr");
      same(await rows.count(), 6, "rows");
      await rows.nth(2).focus();
      await page.keyboard.press("Enter");
      await page.locator(".lineage-way").nth(1).waitFor();
      same((await page.locator(".lineage-from span").first().textContent()).trim(), "in/b.json, line 1", "the line");
      same(await page.locator(".lineage-row .sink-ring").allTextContents(), ["3", "3"], "the rows");
      same(await page.locator(".sink-rows tr[data-way]").count(), 2, "rows that light up");
      await accessible(page, "the lineage");
      same(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true, "nothing sticks out");
      await shot(`lineage-${width}-${colorScheme}`);
      // Escape closes the strip.
      await page.locator(".lineage-from button").first().focus();
      await page.keyboard.press("Escape");
      await page.locator(".lineage").waitFor({ state: "detached" });
    },
    { viewport: { width, height }, colorScheme },
  );

  await journey(
    `each batch has its bill at ${width}, ${colorScheme}`,
    async ({ page, shot }) => {
      await open(page);
      await part(page, "Bill");
      await page.getByText("No bill yet.").waitFor();
      await page.locator(".rail-track").focus();
      await press(page, "d", "d", "r");
      await part(page, "Bill");
      await page.locator(".numbers-bill tbody tr").nth(1).waitFor();
      await page.getByLabel(/^PUT/).fill("5");
      await page.getByLabel(/^PUT/).press("Enter");
      await page.getByText(/A day at one trigger every 60 s: 1.440 triggers/).waitFor();
      await accessible(page, "the bill");
      await shot(`bill-${width}-${colorScheme}`);
      await page.reload();
      await page.locator("main[aria-busy=false]").waitFor({ timeout: 60_000 });
      await part(page, "Bill");
      same(await page.getByLabel(/^PUT/).inputValue(), "5", "the price is kept");
    },
    { viewport: { width, height }, colorScheme },
  );
}

await journey("a line of an input file leads to the row that it became", async ({ page }) => {
  await open(page);
  await press(page, "d", "r");
  await page.locator("[data-path='in/a.json']").focus();
  await page.keyboard.press("Enter");
  const line = page.locator(".inspect-grid tbody tr").nth(1);
  await line.waitFor();
  await line.focus();
  await page.keyboard.press("Enter");
  await page.getByText("Line 2 of in/a.json went into id 2 of out/", { exact: false }).first().waitFor();
  same(await page.locator(".sink-rows tr[data-way]").count(), 1, "the row that lights up");
});

await journey("someone else appends to the table, and its row says so", async ({ page, shot }) => {
  await open(page);
  await press(page, "e");
  same(await page.locator(".hand-row button[aria-disabled=true]").count() >= 4, true, "what makes no sense yet is off");
  await accessible(page, "the second hand");
  await shot("second-hand-1440-light");
  await page.keyboard.press("Escape");
  await page.locator("dialog[open]").waitFor({ state: "detached" });
  await page.locator(".rail-track").focus();
  await press(page, "d", "r", "e");
  await page.getByRole("button", { name: /Another job appends to out/ }).click();
  await rest(page);
  await page.locator(".sink-other").waitFor({ timeout: 30_000 });
  same(await page.locator(".sink-other").allTextContents(), ["v1"], "the version in its double frame");
  await shot("foreign-row-1440-light");
  await press(page, "e");
  await page.getByRole("button", { name: /in\/a.json grows/ }).click();
  await rest(page);
  await page.getByText("in/a.json has grown by 1 line", { exact: false }).first().waitFor();
});

await finish();
