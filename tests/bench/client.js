// The page's side of the link, for benchmarks: runs in a blank page of the site's origin.

/** A worker of its own with the engine; `ask` answers when the request is over, `act` does one act at the newest moment. */
globalThis.engine = async () => {
  const worker = new Worker("./worker_loader.js", { type: "module" });
  let waiting = null;
  let arrived = () => {};
  const ready = new Promise((resolve) => (arrived = resolve));
  worker.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (message.from === "ready") return arrived();
    if (message.from === "refused") return waiting.reject(new Error(message.message));
    if (message.from === "update" && message.update.busy === null) waiting.resolve(message.update);
  };
  // A panic, or memory that has run out.
  worker.onerror = (event) => waiting?.reject(new Error(`the worker died: ${event.message}`));
  await ready;
  let number = 0;
  let at = 0;
  const ask = async (command) => {
    number += 1;
    const answer = new Promise((resolve, reject) => (waiting = { resolve, reject }));
    worker.postMessage(JSON.stringify({ number, command }));
    const update = await answer;
    at = update.moments;
    return update;
  };
  const act = (act) => ask({ command: "do", act, at });
  const work = { branches: [{ name: "main", acts: [{ act: "seed", seed: 1 }] }], current: 0, moment: null };
  await ask({ command: "open", work });
  const text = (update) => update.view.script.printed.map((line) => line.text);
  return {
    // What comes back is not handed on: the file is in it.
    edit: async (text) => void (await act({ act: "edit", script: "main.py", text })),
    put: async (path, text) => void (await act({ act: "put", path, text })),
    /** Runs the script to its end; gives what it printed and fails with its error. */
    run: async () => {
      const update = await act({ act: "run", script: "main.py" });
      const [error] = update.view.script.errors;
      if (error) throw new Error(`${error.class}: ${error.message}`);
      return text(update);
    },
    stop: () => worker.terminate(),
  };
};

/** Lines of JSON: two strings, a double, a timestamp that moves through six hours. */
globalThis.lines = (rows, first = 0, span = rows) => {
  const two = (n) => String(n).padStart(2, "0");
  const out = [];
  for (let n = first; n < first + rows; n += 1) {
    const second = Math.floor((n / span) * 21600);
    const ts = `2026-01-01T${two(6 + Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`;
    out.push(`{"id":"o${n}","user":"u${n % 997}","amt":${(n % 10000) / 4},"ts":"${ts}"}`);
  }
  return out;
};

/** Sums by ten-minute window and user to a Delta table, with a watermark. */
globalThis.SUMS = [
  "from pyspark.sql import functions as F",
  'sch = "id STRING, user STRING, amt DOUBLE, ts TIMESTAMP"',
  'q = (spark.readStream.schema(sch).json("in/").withWatermark("ts", "10 minutes")',
  '     .groupBy(F.window("ts", "10 minutes"), "user").agg(F.sum("amt").alias("t"))',
  '     .writeStream.format("delta").option("checkpointLocation", "ckpt/").trigger(availableNow=True).start("out/"))',
  "q.awaitTermination()",
  'print(sum(p["numInputRows"] for p in q.recentProgress))',
].join("\n");
