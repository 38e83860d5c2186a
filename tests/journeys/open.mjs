// The page opens, says what it is before the engine has loaded, and then the engine answers from its worker.
import { accessible, finish, journey, same } from "./harness.mjs";

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
  },
  { javaScriptEnabled: false },
);

await finish();
