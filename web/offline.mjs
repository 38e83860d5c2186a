// Writes sw.js beside what trunk has built: the worker that serves the page without a network, with the list of all files.
//
// The version is a hash over all files, so any change is a new version, and files without a hash in their names never mix.
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

const folder = process.env.TRUNK_STAGING_DIR ?? process.argv[2];
const source = new URL("sw.js", import.meta.url);

async function filesBelow(dir) {
  const entries = await readdir(dir, { withFileTypes: true });
  const shown = entries.filter((entry) => !entry.name.startsWith("."));
  const all = await Promise.all(shown.map((entry) => (entry.isDirectory() ? filesBelow(join(dir, entry.name)) : [join(dir, entry.name)])));
  return all.flat();
}

const files = {};
for (const path of (await filesBelow(folder)).sort()) {
  const name = relative(folder, path).split(sep).join("/");
  if (name === "sw.js" || name.endsWith(".map")) continue;
  files[name] = `sha256-${createHash("sha256").update(await readFile(path)).digest("base64")}`;
}
const text = await readFile(source, "utf8");
const version = createHash("sha256").update(JSON.stringify(files)).update(text).digest("hex").slice(0, 16);
const head = `const VERSION = ${JSON.stringify(version)};\nconst FILES = ${JSON.stringify(files, null, 1)};\n`;
await writeFile(join(folder, "sw.js"), head + text);
