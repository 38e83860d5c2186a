// Work that travels: a link in a fresh profile and over other work, hostile links, an exported folder that comes back.
import { readFile } from "node:fs/promises";
import { deflateRawSync } from "node:zlib";

import { accessible, finish, journey, same } from "./harness.mjs";
import { draft, enter, moment, paths, press, rest, rows, saved, write } from "./work.mjs";

const fold = (text) => `work=${deflateRawSync(Buffer.from(text)).toString("base64url")}`;

/** The link that the dialog offers. */
async function link(page) {
  await page.getByRole("button", { name: "Share" }).click();
  const address = await page.getByRole("textbox", { name: "Link" }).inputValue();
  await page.getByRole("button", { name: "Close" }).last().click();
  return address;
}

await journey("a link shows the same moment in a fresh profile, and keeps the work that it is opened over", async ({ page, context }) => {
  await enter(page);
  await press(page, "d", "d", "r", "d", "r");
  await write(page, 'print("from a friend")\n');
  await press(page, "ArrowLeft", "ArrowLeft", "ArrowLeft");
  const [here, seen, sink] = [await moment(page), await paths(page), await rows(page)];
  const address = await link(page);
  same(address.length < 32_000, true, "the size of the link");

  const fresh = await context.browser().newContext({ serviceWorkers: "block" });
  const other = await fresh.newPage();
  await other.goto(address);
  await other.getByText("This came with a link.").waitFor({ timeout: 60_000 });
  await rest(other);
  same([await moment(other), await paths(other), await rows(other)], [here, seen, sink], "moment, files, rows");
  same(await draft(other), 'print("from a friend")', "the draft");
  same(new URL(other.url()).hash, "#sandbox", "the address afterwards");
  await saved(other);
  await other.reload();
  await rest(other);
  same(await moment(other), here, "the moment after a reload");

  // Over other work: that is kept and comes back.
  const third = await (await context.browser().newContext({ serviceWorkers: "block" })).newPage();
  await third.goto(new URL("/", address).href);
  await enter(third);
  await press(third, "d", "r");
  await saved(third);
  const own = await paths(third);
  await third.evaluate((hash) => (location.hash = hash), new URL(address).hash);
  await third.getByText("Your own work is kept beside it.").waitFor();
  await rest(third);
  same(await paths(third), seen, "files of the link");
  await third.getByRole("button", { name: "Back to the former work" }).click();
  await third.waitForFunction((count) => document.querySelectorAll("[data-path]:not([data-path$='/'])").length === count, own.length);
  await rest(third);
  same(await paths(third), own, "files of the own work");
  await fresh.close();
});

const hostile = {
  "no base64": "work=%3Cscript%3Ealert(1)%3C/script%3E",
  "a bomb": fold(" ".repeat(50_000_000)),
  "an unknown act": fold('{"version":1,"branches":[{"name":"<img src=x onerror=alert(1)>","acts":["<script>alert(1)</script>"]}],"current":0}'),
  "a deep nest": fold(`{"version":1,"branches":${"[".repeat(50_000)}`),
  "an unknown field": fold('{"version":1,"html":"<img src=x onerror=alert(1)>","branches":[],"current":0}'),
};

await journey("hostile links are inert, say why, and leave the work as it is", async ({ page, url, shot }) => {
  await enter(page);
  await press(page, "d", "r");
  await saved(page);
  const own = await paths(page);
  page.on("dialog", () => (globalThis.opened = true));
  for (const [name, fragment] of Object.entries(hostile)) {
    await page.goto("about:blank");
    await page.goto(`${url}#${fragment}`);
    await page.getByText("This link cannot be opened.").waitFor({ timeout: 60_000 });
    await rest(page);
    same(await paths(page), own, `files after ${name}`);
    same(await page.locator("img, #app script, iframe, object").count(), 0, `elements after ${name}`);
  }
  same(globalThis.opened, undefined, "a script of the link");
  await accessible(page, "the page with a memo");
  await shot("hostile-link");
});

await journey("markup in a link that is well formed stays text", async ({ page, url }) => {
  const evil = "<img src=x onerror=alert(1)>";
  const acts = ["seed 1", `put in/${evil.replaceAll(" ", "_")} "{\\"id\\":1}"`, `edit main.py "print('${evil}')"`, "run main.py"];
  const text = JSON.stringify({ version: 1, branches: [{ name: evil, acts }], current: 0, draft: `# ${evil}` });
  await page.goto("about:blank");
  await page.goto(`${url}#${fold(text)}`);
  await page.getByText("This came with a link.").waitFor({ timeout: 60_000 });
  await rest(page);
  same(await page.locator("img").count(), 0, "images");
  await page.locator(".editor-output", { hasText: evil }).waitFor();
});

await journey("an exported folder comes back with everything in it, and the run goes on", async ({ page, context, url }) => {
  await enter(page);
  await press(page, "d", "d", "r", "d", "r");
  const files = await paths(page);
  await page.getByRole("button", { name: "Share" }).click();
  const take = async (name) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
    same(file.suggestedFilename(), name, "the name");
    return readFile(await file.path());
  };
  const script = await take("main.py");
  const notebook = JSON.parse(await take("main.ipynb"));
  same([notebook.nbformat, notebook.cells.length, notebook.cells[1].source.join("")], [4, 2, script.toString().trimEnd()], "the notebook");
  const folder = await take("tidemark-work.zip");

  const other = await (await context.browser().newContext({ serviceWorkers: "block" })).newPage();
  await other.goto(url);
  await enter(other);
  await other.getByRole("button", { name: "Share" }).click();
  await other.locator(".share input[type=file]").setInputFiles({ name: "work.zip", mimeType: "application/zip", buffer: folder });
  await other.locator(".picture-sentence", { hasText: `work.zip was imported: ${files.length} files.` }).waitFor({ timeout: 60_000 });
  await rest(other);
  same(await paths(other), files, "files");
  await other.locator(".rail-track").focus();
  await press(other, "r");
  same(await rows(other), 5, "rows: nothing was read twice");
  await press(other, "d", "r");
  same((await rows(other)) > 5, true, "a new file is read");

  await other.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["PK nonsense"], "other.zip"));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await other.getByText("other.zip was not imported: it is no zip archive").waitFor();
});

await finish();
