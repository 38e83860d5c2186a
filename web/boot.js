// Starts the page's wasm. A file of its own, because the page's policy forbids inline scripts.
const { js, wasm } = document.querySelector("script[data-wasm]").dataset;

// The editor is loaded when its panel asks for it.
const editor = new URL("editor.bundle.js", import.meta.url);
window.loadEditor = () => import(editor);

await (await import(js)).default({ module_or_path: wasm });
await keepOffline();

/** Keeps this version for visits without a network, and tells the page when a newer one waits. */
async function keepOffline() {
  const workers = navigator.serviceWorker;
  if (!workers) return; // Pages that are not from a safe origin have none.
  const registration = await workers.register("sw.js").catch(() => null);
  if (!registration) return; // Then the page needs its network, as before.
  const tell = () => {
    window.takeVersion = () => registration.waiting.postMessage("take over");
    dispatchEvent(new Event("tidemark-version"));
  };
  if (registration.waiting && workers.controller) tell();
  registration.addEventListener("updatefound", () => {
    const worker = registration.installing;
    worker.addEventListener("statechange", () => {
      if (worker.state === "installed" && workers.controller) tell();
    });
  });
  // A tab of the old version must not fetch files of the new one: all load again, and all work is kept.
  const wasControlled = workers.controller !== null;
  workers.addEventListener("controllerchange", () => wasControlled && location.reload());
}
