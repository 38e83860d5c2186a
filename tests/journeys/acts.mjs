// Files from outside, edits, triggers and looks into every kind of file: what the story does not come across.
import { finish, journey, same } from "./harness.mjs";
import { open, press, rest } from "./hands.mjs";

/** Replaces the script and leaves the editor. */
async function write(page, text) {
  await page.locator(".editor-host").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
  await page.keyboard.press("Escape");
  await page.locator(".rail-track").focus();
}

const paths = (page, folder) =>
  page.locator(`[data-path^='${folder}']`).evaluateAll((all) => all.map((one) => one.dataset.path).filter((path) => !path.endsWith("/")));

const file = (name, text) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) });

await journey("files come in by the picker and by a drop on the page", async ({ page }) => {
  await open(page);
  const rows = (id) => `{"id":${id},"user":"z","amt":1.5,"ts":"2026-01-01T10:00:00"}\n`;
  await page.locator("input[type=file]").setInputFiles([file("my rows.json", rows(10)), file("early.json", rows(11))]);
  await page.locator("[data-path='in/my_rows.json']").waitFor();
  await rest(page);
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "dropped.json"));
    const event = (kind) => new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
    document.dispatchEvent(event("dragover"));
    document.dispatchEvent(event("drop"));
  }, rows(12));
  await page.locator("[data-path='in/dropped.json']").waitFor();
  await rest(page);
  same(await paths(page, "in/"), ["in/dropped.json", "in/early.json", "in/my_rows.json"], "files");
  await press(page, "r");
  same(await page.locator(".sink-rows tbody tr").count(), 3, "rows");
});

await journey("an edit makes the picture stale until the script runs again", async ({ page }) => {
  await open(page);
  await press(page, "d", "r");
  same(await page.locator(".picture-stale").count(), 0, "stale before the edit");
  await page.locator(".editor-host").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText('print("edited")\n');
  await page.getByText("Code changed since this run.").waitFor();
  await page.keyboard.press("Control+Enter");
  await page.locator(".editor-output", { hasText: "edited" }).waitFor();
  await rest(page);
  same(await page.locator(".picture-stale").count(), 0, "stale after the run");
});

await journey("a query that goes on waits, is triggered and is stopped", async ({ page, shot }) => {
  await open(page);
  await write(
    page,
    `sch = "id INT, user STRING, amt DOUBLE, ts TIMESTAMP"
q = (spark.readStream.schema(sch).json("in/").where("amt > 2")
    .writeStream.format("memory").queryName("big")
    .trigger(processingTime="10 seconds")
    .start())
q.awaitTermination()
print("over")
`,
  );
  await press(page, "d", "r");
  await page.locator(".editor .panel-note", { hasText: "waiting at line 6" }).waitFor();
  same(await page.locator(".sink-rows tbody tr").count(), 2, "rows of the first batch");
  await press(page, "d", "d", "t");
  same(await page.locator(".sink-rows tbody tr").count(), 3, "rows after a trigger");
  await shot("parked");
  await press(page, "x");
  await page.locator(".editor .panel-note", { hasText: /ended|stopped/ }).waitFor();
});

await journey("every kind of file opens in three readings", async ({ page }) => {
  await open(page);
  await press(page, "d", "r");
  const kinds = [
    ["in/a.json", "JSON"],
    ["ckpt/metadata", "metadata"],
    ["ckpt/offsets/0", "offset log"],
    ["ckpt/commits/0", "commit log"],
    ["ckpt/sources/0/0", "source log"],
    ["out/_delta_log/00000000000000000000.json", "Delta commit"],
  ];
  const parquet = (await paths(page, "out/")).find((path) => path.endsWith(".parquet"));
  for (const [path, kind] of [...kinds, [parquet, "Parquet"]]) {
    await page.getByRole("tab", { name: "Fields" }).click();
    await page.locator(`[data-path='${path}']`).click();
    await page.locator(".inspect-kind", { hasText: kind }).waitFor({ timeout: 5_000 });
    const size = await page.locator("#inspect-body").evaluate((body) => body.textContent.trim().length);
    same(size > 0, true, `fields of ${path}`);
    await page.getByRole("tab", { name: "Words" }).click();
    same((await page.locator(".inspect-words p").first().textContent()).length > 10, true, `words on ${path}`);
    await page.getByRole("tab", { name: "Raw" }).click();
    same((await page.locator(".inspect-raw").textContent()).length > 1, true, `raw ${path}`);
  }
  await page.locator(".inspect-crumbs button", { hasText: "out/" }).click();
  await page.locator(".inspect-folder li").first().waitFor();
});

await finish();
