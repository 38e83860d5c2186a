// Starts the page's wasm. A file of its own, because the page's policy forbids inline scripts.
const { js, wasm } = document.querySelector("script[data-wasm]").dataset;

// The editor is loaded when its panel asks for it.
const editor = new URL("editor.bundle.js", import.meta.url);
window.loadEditor = () => import(editor);

await (await import(js)).default({ module_or_path: wasm });
