// What the journeys of kept work share: the sandbox opened, keys pressed, what is seen.

/** Opens the sandbox and waits until its engine rests. */
export async function enter(page) {
  await page.getByRole("link", { name: "Open the sandbox" }).click();
  await rest(page);
  await page.locator(".rail-track").focus();
}

/** Waits until the engine is there and no act is in flight. */
export async function rest(page) {
  await page.waitForTimeout(50);
  await page.locator("main[aria-busy=false] .picture-sentence").waitFor({ timeout: 60_000 });
  await page.waitForFunction(() => document.querySelector(".top-engine")?.textContent === "", null, { timeout: 60_000 });
  await page.locator("main[aria-busy=false]").waitFor({ timeout: 60_000 });
}

export async function press(page, ...keys) {
  for (const key of keys) {
    await page.keyboard.press(key);
    await rest(page);
  }
}

/** Waits until what was done is in the browser's store. */
export const saved = (page) => page.waitForTimeout(600);

export const moment = async (page) => Number(await page.locator(".rail-count b").textContent());

export const rows = (page) => page.locator(".sink-rows tbody tr").count();

export const paths = (page) =>
  page.locator("[data-path]").evaluateAll((all) => all.map((one) => one.dataset.path).filter((path) => !path.endsWith("/")).sort());

/** Replaces the script and leaves the editor. */
export async function write(page, text) {
  await page.locator(".editor-host").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
  await page.keyboard.press("Escape");
  await page.locator(".rail-track").focus();
}

/** The text in the editor, without the line end at its end. */
export const draft = (page) => page.locator(".cm-content").evaluate((content) => content.innerText.trimEnd());
