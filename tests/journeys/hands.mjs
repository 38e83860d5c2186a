// What a learner's hands do in most journeys: the sandbox is opened, keys are pressed, and the engine comes to rest.

/** Opens the sandbox and waits for its engine. */
export async function open(page) {
  await page.getByRole("link", { name: "Open the sandbox" }).click();
  await page.getByText("Nothing has happened yet.").waitFor({ timeout: 60_000 });
}

/** Waits until no act is in flight. */
export async function rest(page) {
  await page.waitForTimeout(30);
  await page.locator("main[aria-busy=false]").waitFor({ timeout: 60_000 });
}

/** Presses keys, each when the engine rests from the one before. */
export async function press(page, ...keys) {
  for (const key of keys) {
    await page.keyboard.press(key);
    await rest(page);
  }
}
