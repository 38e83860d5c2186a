//! All public names of PySpark 4.2.0 and Delta 4.4.0, from `names/names.txt`.

/// The list as recorded from the packages.
const NAMES: &str = include_str!("../../names/names.txt");

/// One line of the list.
pub(crate) struct Name {
    /// The module: `pyspark.sql.functions`.
    pub(crate) module: &'static str,
    /// The name, or `Class.member`.
    pub(crate) name: &'static str,
    /// `class`, `function`, `method` or `property`.
    pub(crate) kind: &'static str,
}

/// All names.
pub(crate) fn names() -> impl Iterator<Item = Name> {
    NAMES.lines().filter_map(|line| {
        let mut words = line.split(' ');
        Some(Name { module: words.next()?, name: words.next()?, kind: words.next()? })
    })
}

/// The members of a class, whatever module lists it.
pub(crate) fn members_of(class: &str) -> impl Iterator<Item = &'static str> + use<'_> {
    names().filter_map(move |n| n.name.strip_prefix(class)?.strip_prefix('.'))
}

/// What is said of a name that Spark has and we do not.
pub(crate) fn refusal(name: &str) -> String {
    format!("{name} exists in Spark but not here yet")
}
