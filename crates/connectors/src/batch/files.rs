//! Which files a reader means: its paths, patterns and folders.

use tidemark_engine::Result;
use tidemark_engine::connector::Settings;
use tidemark_plan::ReadSpec;
use tidemark_plan::spec::Options;
use tidemark_types::ErrorClass;
use tidemark_types::{SimTime, SparkError};
use tidemark_world::World;

use crate::condition;
use crate::file_source::FileStreamOptions;
use crate::file_source::listing::{list, partition_of};
use crate::glob;
use crate::packing::InputFile;
use crate::sink::sink_log::{is_log_of_sink, logged_files};

/// Whether `spark.sql.legacy.pathOptionBehavior.enabled` lets a path be given twice.
pub fn path_twice_is_allowed(settings: &dyn Settings) -> bool {
    settings
        .get("spark.sql.legacy.pathOptionBehavior.enabled")
        .is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

/// The paths of a reader, as written: those of `load(…)`, or that of the option `path`.
pub fn paths(settings: &dyn Settings, spec: &ReadSpec) -> Result<Vec<String>> {
    match spec.options.get("path") {
        None => Ok(spec.paths.clone()),
        Some(path) if spec.paths.is_empty() => Ok(vec![path.clone()]),
        Some(_) if path_twice_is_allowed(settings) => Ok(spec.paths.clone()),
        Some(_) if spec.streaming => Err(condition::path_twice_in_stream("load").into()),
        Some(_) => Err(condition::path_twice_in_read().into()),
    }
}

/// `file:/…` of an absolute path, as Hadoop prints a path.
pub fn printed(path: &str) -> String {
    format!("file:{path}")
}

/// The files of a batch reader: those that a file sink has logged in its folder, else those of [`listed_files`].
///
/// Errors: those of [`listed_files`]; a broken log of a file sink.
pub fn batch_files(
    world: &mut World,
    settings: &dyn Settings,
    texts: &[String],
    options: &Options,
) -> Result<Vec<InputFile>> {
    if let [text] = texts {
        let path = world.resolve(text);
        if let Some(logged) = logged_files(world, settings, &path, text)? {
            let wanted = listing_options(options)?.path_glob_filter;
            let files = logged.into_iter().map(|file| {
                let found = world.from_uri(&file.path);
                let modified = SimTime(file.modification_time);
                InputFile { partition: partition_of(&path, &found), path: found, size: file.size, modified }
            });
            let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
            return Ok(files
                .filter(|file| wanted.as_ref().is_none_or(|glob| glob::matches(glob, &name(&file.path))))
                .collect());
        }
    }
    listed_files(world, texts, options, true)
}

/// The files that lie below these paths in the order of their names, with the columns that their folders name.
///
/// Errors: `PATH_NOT_FOUND` if `check` is set and a path or pattern names nothing; `CONFLICTING_DIRECTORY_STRUCTURES`.
pub fn listed_files(
    world: &mut World,
    texts: &[String],
    options: &Options,
    check: bool,
) -> Result<Vec<InputFile>> {
    let listing = listing_options(options)?;
    let base_path = options.get("basepath").map(|text| world.resolve(text));
    let mut files = Vec::new();
    let mut bases: Vec<String> = Vec::new();
    for text in texts {
        let path = world.resolve(text);
        let roots = glob::expand(world, &path);
        if roots.is_empty() && check {
            return Err(condition::path_not_found(&printed(&path)).into());
        }
        for root in roots.into_iter().filter(|root| !is_log_of_sink(root)) {
            let single = world.head(&root).is_some();
            let folder = if single { parent(&root).to_owned() } else { root.clone() };
            let base = base_path.clone().unwrap_or_else(|| folder.clone());
            let mut found = list(world, &root, &listing);
            found.sort_by(|a, b| a.path.cmp(&b.path));
            let partitioned = !listing.recursive_file_lookup || base_path.is_some();
            for file in found {
                let partition = if partitioned { partition_of(&base, &file.path) } else { Vec::new() };
                files.push(InputFile {
                    path: file.path,
                    size: file.size,
                    modified: file.modified,
                    partition,
                });
            }
            if !bases.contains(&base) {
                bases.push(base);
            }
        }
    }
    if bases.len() > 1 && files.iter().any(|file| !file.partition.is_empty()) {
        return Err(conflicting_directories(&bases).into());
    }
    Ok(files)
}

/// The options of a listing, without those that only a stream has.
fn listing_options(options: &Options) -> Result<FileStreamOptions> {
    let kept: Options = options
        .iter()
        .filter(|(name, _)| matches!(name.as_str(), "recursivefilelookup" | "pathglobfilter"))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    FileStreamOptions::parse(&kept)
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn conflicting_directories(bases: &[String]) -> SparkError {
    let paths: Vec<String> = bases.iter().map(|base| format!("\n\t{}", printed(base))).collect();
    let paths = paths.concat();
    SparkError::new(
        ErrorClass::Runtime,
        "CONFLICTING_DIRECTORY_STRUCTURES",
        "KD009",
        format!(
            "Conflicting directory structures detected.\nSuspicious paths:\n{paths}\n\nIf provided paths are partition \
             directories, please set \"basePath\" in the options of the data source to specify the root directory of the \
             table.\nIf there are multiple root directories, please load them separately and then union them."
        ),
    )
    .with_parameter("discoveredBasePaths", paths)
}
