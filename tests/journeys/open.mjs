// The page opens, says what it is before the engine has loaded, and then the engine answers from its worker.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { accessible, finish, journey, root, same } from "./harness.mjs";

await journey("the page opens and its engine answers", async ({ page, shot }) => {
  same(await page.title(), "Tidemark", "title");
  await page.getByRole("status").filter({ hasText: "The engine is ready." }).waitFor({ timeout: 30_000 });
  await accessible(page);
  await shot("open");
});

await journey("the first guess is answered", async ({ page }) => {
  await page.getByRole("button", { name: "4 rows" }).click();
  await page.getByText("You expected 4 rows. There are 3.").waitFor();
});

await journey(
  "the shell is readable without the engine",
  async ({ page }) => {
    await page.getByRole("heading", { name: "Spark Structured Streaming you can see" }).waitFor();
    await page.getByText("How many are there then?").waitFor();
    const slugs = (await readdir(join(root, "lessons/content"))).sort();
    const links = await page.locator(".start-lessons a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    same(links, slugs.map((slug) => `#lesson/${slug}`), "the lessons");
    same(await page.getByRole("link", { name: "Start lesson 1" }).getAttribute("href"), links[0], "the first lesson");
  },
  { javaScriptEnabled: false },
);

await finish();
