// Every screen on a laptop and a phone, light and dark: nothing that a checker of accessibility finds, nothing that sticks
// out, and a picture of each.
import { accessible, finish, journey, same } from "./harness.mjs";
import { press, rest } from "./hands.mjs";

for (const [width, height, colorScheme] of [[1440, 900, "light"], [1440, 900, "dark"], [390, 844, "light"], [390, 844, "dark"]]) {
  const isPhone = width < 768;
  await journey(
    `all screens at ${width} by ${height}, ${colorScheme}`,
    async ({ page, shot }) => {
      const look = async (name) => {
        await page.waitForTimeout(300);
        await accessible(page, name);
        same(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true, `${name}: nothing sticks out`);
        await shot(`${name}-${width}-${colorScheme}`);
      };
      await look("start");
      await page.getByRole("link", { name: "Open the sandbox" }).click();
      await page.getByText("Nothing has happened yet.").waitFor({ timeout: 60_000 });
      await look("empty");
      await press(page, "d", "r", "r", "d");
      await page.keyboard.press("Control+k");
      await page.keyboard.type("arm c10");
      await look("palette");
      await page.keyboard.press("Enter");
      await rest(page);
      await page.locator(".lane-armed").waitFor();
      await look("armed");
      await press(page, "r");
      await look("crashed");
      await press(page, "r", "ArrowLeft", "d", "r");
      await page.locator(".rail-track").focus();
      await look("branches-on-the-rail");
      await press(page, "-");
      await look("depth-batch");
      await press(page, "-");
      await look("depth-run");
      await press(page, "+", "+", "?");
      await page.getByRole("dialog", { name: "All keys" }).waitFor();
      await look("keys");
      await page.keyboard.press("Escape");
      await page.locator(".top-branch").click();
      await page.getByRole("dialog", { name: "Branches" }).waitFor();
      await look("branches");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Share", exact: true }).click();
      await page.getByRole("dialog", { name: "Share" }).waitFor();
      await look("share");
      await page.keyboard.press("Escape");
      for (const tab of await page.getByRole("tablist", { name: "Pictures" }).getByRole("tab").all()) {
        const name = (await tab.textContent()).toLowerCase().replaceAll(" ", "-");
        await tab.click();
        await rest(page);
        await look(`picture-${name}`);
      }
      await press(page, "1");
      if (isPhone) {
        for (const name of ["Store", "Inspect", "Sink"]) {
          await page.locator(".dock button", { hasText: name }).click();
          await look(`dock-${name.toLowerCase()}`);
        }
      } else {
        await page.getByRole("tab", { name: "Both" }).click();
        await look("inspect-both");
        await page.getByRole("tab", { name: "Fields" }).click();
        await page.locator(".editor-host").click();
        await page.keyboard.press("Control+End");
        await page.keyboard.insertText('print("edited")\n');
        await page.keyboard.press("Escape");
        await page.locator(".picture-stale").waitFor();
        await look("stale");
        await page.getByRole("button", { name: "Run again from batch 0" }).click();
        await page.locator(".editor-output", { hasText: "edited" }).waitFor({ timeout: 30_000 });
        await rest(page);
        same(await page.locator(".sink .panel-note").textContent(), "out/, version 0", "the table is new");
      }
    },
    { viewport: { width, height }, colorScheme },
  );
}

await finish();
