// Writes the list of lessons into the first screen, which can be read before any wasm is there: one entry for each folder of
// lessons/content, from the first keys of its lesson.toml.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const content = new URL("../lessons/content/", import.meta.url);
const page = join(process.env.TRUNK_STAGING_DIR ?? process.argv[2], "index.html");

/** The text of a key above the first table: a basic string, as JSON has it. */
function text(form, key, slug) {
  const head = form.split(/^\[/m)[0];
  const found = head.match(new RegExp(`^${key} *= *("(?:[^"\\\\]|\\\\.)*")`, "m"));
  if (!found) throw new Error(`lessons/content/${slug}/lesson.toml: no ${key} = "…" above the first table`);
  return JSON.parse(found[1]);
}

function escaped(words) {
  return words.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function entry({ slug, form }, index) {
  const [id, title, belief] = ["id", "title", "misconception"].map((key) => escaped(text(form, key, slug)));
  return `<li><a href="#lesson/${slug}"><span class="lesson-no">${index + 1}</span><b>${title}</b><span class="quiet">“${belief}”</span><span class="start-mark" data-lesson-id="${id}"></span></a></li>`;
}

const folders = (await readdir(content, { withFileTypes: true })).filter((one) => one.isDirectory());
const slugs = folders.map((folder) => folder.name).sort();
const forms = await Promise.all(slugs.map(async (slug) => ({ slug, form: await readFile(new URL(`${slug}/lesson.toml`, content), "utf8") })));
const shell = await readFile(page, "utf8");
const filled = shell
  .replace(/(<ol data-lessons[^>]*>)<\/ol>/, (_, begin) => `${begin}\n${forms.map(entry).join("\n")}\n</ol>`)
  .replace("#lesson/first", `#lesson/${slugs[0]}`);
if (!filled.includes("data-lesson-id") || filled.includes("#lesson/first")) throw new Error("index.html has no place for the lessons");
await writeFile(page, filled);
