//! The script and the files that a newcomer starts with.

use super::model::World;

/// The name of the script.
pub const NAME: &str = "main.py";

/// The script that stands in the editor at first: three runs of one query.
pub const SCRIPT: &str = r#"sch = ("id INT, user STRING, "
       "amt DOUBLE, ts TIMESTAMP")

stream = (spark.readStream
    .schema(sch)
    .json("in/"))

q = (stream.writeStream
    .format("delta")
    .option("checkpointLocation", "ckpt/")
    .trigger(availableNow=True)
    .start("out/"))

q.awaitTermination()

print([(p["batchId"], p["numInputRows"])
       for p in q.recentProgress])

(spark.read.format("delta").load("out/")
    .groupBy("id").count()
    .orderBy("id").show())
"#;

/// The sample files: path and text.
pub const FILES: [(&str, &str); 4] = [
    (
        "in/a.json",
        concat!(
            "{\"id\":1,\"user\":\"a\",\"amt\":5.0,\"ts\":\"2026-01-01T10:02:00\"}\n",
            "{\"id\":2,\"user\":\"b\",\"amt\":7.0,\"ts\":\"2026-01-01T10:04:00\"}\n",
        ),
    ),
    ("in/b.json", "{\"id\":3,\"user\":\"a\",\"amt\":1.0,\"ts\":\"2026-01-01T10:09:00\"}\n"),
    (
        "in/c.json",
        concat!(
            "{\"id\":4,\"user\":\"a\",\"amt\":2.0,\"ts\":\"2026-01-01T10:03:00\"}\n",
            "{\"id\":5,\"user\":\"c\",\"amt\":4.0,\"ts\":\"2026-01-01T10:20:00\"}\n",
        ),
    ),
    (
        "in/d.json",
        concat!(
            "{\"id\":6,\"user\":\"a\",\"amt\":9.0,\"ts\":\"2026-01-01T10:08:00\"}\n",
            "{\"id\":7,\"user\":\"b\",\"amt\":3.0,\"ts\":\"2026-01-01T10:23:00\"}\n",
        ),
    ),
];

/// The next sample: the first that is neither in the store nor on its way.
pub fn next(world: &World) -> Option<(&'static str, &'static str)> {
    FILES.into_iter().find(|(path, _)| is_missing(world, path))
}

/// Those of the first two samples that are missing.
pub fn first_two(world: &World) -> Vec<(&'static str, &'static str)> {
    FILES.into_iter().take(2).filter(|(path, _)| is_missing(world, path)).collect()
}

fn is_missing(world: &World, path: &str) -> bool {
    let is_on_its_way = |act: &tidemark_protocol::Act| matches!(act, tidemark_protocol::Act::Put { path: other, .. } if other == path);
    world.entry(path).is_none() && !world.queue.iter().any(is_on_its_way)
}

/// The path at which a dropped file lies: in the source folder, without blanks.
pub fn path_of(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let name: String = name.trim().chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
    format!("in/{}", if name.is_empty() { "file.json".to_owned() } else { name })
}

#[cfg(test)]
mod tests {
    use super::path_of;

    #[test]
    fn a_dropped_file_lies_in_the_source_folder() {
        for (name, path) in
            [("x.json", "in/x.json"), ("my rows.json", "in/my_rows.json"), ("C:\\a\\b.json", "in/b.json")]
        {
            assert_eq!(path_of(name), path);
        }
    }
}
