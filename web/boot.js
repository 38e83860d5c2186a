// Starts the page's wasm. A file of its own, because the page's policy forbids inline scripts.
const { js, wasm } = document.querySelector("script[data-wasm]").dataset;
await (await import(js)).default({ module_or_path: wasm });
