// After trunk has built: what changes a file, then the list of all files.
await import("./lessons.mjs");
await import("./offline.mjs");
