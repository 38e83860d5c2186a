//! How files become tasks: cut into pieces, sorted, packed next-fit, as Spark does for a scan of files.

use tidemark_engine::connector::Settings;

/// A file to be read.
pub use tidemark_plan::spec::ListedFile as InputFile;

/// A piece of a file, `start..end` in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSlice {
    /// The position of the file in the list that was packed.
    pub file: usize,
    /// The first byte.
    pub start: u64,
    /// The byte after the last one.
    pub end: u64,
}

/// The pieces that one task reads, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskFiles {
    /// The pieces.
    pub slices: Vec<FileSlice>,
}

/// The settings that packing depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackSettings {
    /// `spark.sql.files.openCostInBytes`.
    pub open_cost: u64,
    /// `spark.sql.files.maxPartitionBytes`.
    pub max_partition_bytes: u64,
    /// `spark.sql.files.minPartitionNum`, or the default parallelism.
    pub min_partitions: u64,
}

impl Default for PackSettings {
    fn default() -> Self {
        PackSettings { open_cost: 4 << 20, max_partition_bytes: 128 << 20, min_partitions: 2 }
    }
}

impl PackSettings {
    /// What a session's settings say; a value that is no size counts as the default.
    pub fn of(settings: &dyn Settings) -> Self {
        let default = PackSettings::default();
        let bytes = |name: &str| settings.get(name).and_then(|text| parse_bytes(&text));
        let number =
            |name: &str| settings.get(name).and_then(|text| text.trim().parse().ok()).filter(|n| *n > 0);
        PackSettings {
            open_cost: bytes("spark.sql.files.openCostInBytes").unwrap_or(default.open_cost),
            max_partition_bytes: bytes("spark.sql.files.maxPartitionBytes")
                .filter(|n| *n > 0)
                .unwrap_or(default.max_partition_bytes),
            min_partitions: number("spark.sql.files.minPartitionNum")
                .or_else(|| number("spark.sql.leafNodeDefaultParallelism"))
                .or_else(|| number("spark.default.parallelism"))
                .unwrap_or(default.min_partitions),
        }
    }
}

/// A size with an optional unit, `4194304`, `4m`, `128MB`, in bytes.
pub fn parse_bytes(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number: u64 = text[..digits].parse().ok()?;
    let shift = match text[digits..].trim() {
        "" | "b" => 0,
        "k" | "kb" => 10,
        "m" | "mb" => 20,
        "g" | "gb" => 30,
        "t" | "tb" => 40,
        _ => return None,
    };
    number.checked_mul(1 << shift)
}

/// Packs files into tasks. `splittable` says whether a file may be cut; empty files give no piece.
///
/// Rule (`FilePartition` of Spark): pieces of at most `maxSplit` bytes, largest first, ties in the order given; a piece
/// that would take the open task over `maxSplit` opens a new one.
pub fn pack(
    files: &[InputFile],
    splittable: impl Fn(&InputFile) -> bool,
    settings: &PackSettings,
) -> Vec<TaskFiles> {
    let max_split = max_split(files, settings);
    let mut slices = Vec::new();
    for (index, file) in files.iter().enumerate().filter(|(_, f)| f.size > 0) {
        let step = if splittable(file) { max_split } else { file.size };
        let mut start = 0;
        while start < file.size {
            let end = file.size.min(start.saturating_add(step));
            slices.push(FileSlice { file: index, start, end });
            start = end;
        }
    }
    slices.sort_by_key(|slice| std::cmp::Reverse(slice.end - slice.start));
    let mut tasks: Vec<TaskFiles> = Vec::new();
    let mut open = TaskFiles::default();
    let mut size = 0;
    for slice in slices {
        let length = slice.end - slice.start;
        if size + length > max_split && !open.slices.is_empty() {
            tasks.push(std::mem::take(&mut open));
            size = 0;
        }
        size += length + settings.open_cost;
        open.slices.push(slice);
    }
    if !open.slices.is_empty() {
        tasks.push(open);
    }
    tasks
}

fn max_split(files: &[InputFile], settings: &PackSettings) -> u64 {
    let total: u64 = files.iter().filter(|f| f.size > 0).map(|f| f.size + settings.open_cost).sum();
    let per_core = total / settings.min_partitions.max(1);
    settings.max_partition_bytes.min(settings.open_cost.max(per_core)).max(1)
}

#[cfg(test)]
mod tests {
    use tidemark_types::SimTime;

    use super::*;

    fn packed(sizes: &[u64], splittable: bool, settings: &PackSettings) -> Vec<Vec<usize>> {
        let files: Vec<_> = sizes
            .iter()
            .enumerate()
            .map(|(i, s)| InputFile::new(format!("/in/{i}"), *s, SimTime(0)))
            .collect();
        pack(&files, |_| splittable, settings)
            .into_iter()
            .map(|task| task.slices.into_iter().map(|slice| slice.file).collect())
            .collect()
    }

    #[test]
    fn packs_as_recorded() {
        let table: &[(&[u64], bool, &[&[usize]])] = &[
            (&[], true, &[]),
            (&[0], true, &[]),
            (&[10], true, &[&[0]]),
            (&[10, 10], true, &[&[0], &[1]]),
            (&[10, 10, 10], true, &[&[0, 1], &[2]]),
            (&[10, 10, 10, 10], true, &[&[0, 1], &[2, 3]]),
            (&[10, 10, 10, 10, 10], true, &[&[0, 1, 2], &[3, 4]]),
            (&[10, 10, 10, 10, 10, 10, 10], true, &[&[0, 1, 2, 3], &[4, 5, 6]]),
            (&[10, 2000, 500, 90000], true, &[&[3, 1], &[2, 0]]),
            (&[9_000_000], true, &[&[0], &[0]]),
            (&[9_000_000, 10], false, &[&[0], &[1]]),
            (&[6_000_000, 1_000_000, 10], true, &[&[0], &[1, 2]]),
        ];
        for (sizes, splittable, expected) in table {
            assert_eq!(packed(sizes, *splittable, &PackSettings::default()), *expected, "{sizes:?}");
        }
    }

    #[test]
    fn reads_sizes() {
        let table = [
            ("4194304", Some(4_194_304)),
            ("4m", Some(4_194_304)),
            ("128MB", Some(134_217_728)),
            ("4x", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(parse_bytes(text), expected, "{text}");
        }
    }
}
