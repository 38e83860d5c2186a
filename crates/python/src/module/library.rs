//! The list of modules.

use crate::machine::NativeFunction;
use crate::module::{math, pattern, system};

/// Functions that the machine itself calls.
pub(crate) const CORE: &str = include_str!("py/core.py");

const SOURCES: &[(&str, &str)] = &[
    ("abc", include_str!("py/abc.py")),
    ("bisect", include_str!("py/bisect.py")),
    ("collections", include_str!("py/collections.py")),
    ("collections.abc", include_str!("py/collections_abc.py")),
    ("contextlib", include_str!("py/contextlib.py")),
    ("calendar", include_str!("py/calendar.py")),
    ("copy", include_str!("py/copy.py")),
    ("dataclasses", include_str!("py/dataclasses.py")),
    ("datetime", include_str!("py/datetime.py")),
    ("decimal", include_str!("py/decimal.py")),
    ("enum", include_str!("py/enum.py")),
    ("functools", include_str!("py/functools.py")),
    ("glob", include_str!("py/glob.py")),
    ("heapq", include_str!("py/heapq.py")),
    ("io", include_str!("py/io.py")),
    ("itertools", include_str!("py/itertools.py")),
    ("json", include_str!("py/json.py")),
    ("math", include_str!("py/math.py")),
    ("operator", include_str!("py/operator.py")),
    ("os", include_str!("py/os.py")),
    ("os.path", include_str!("py/os_path.py")),
    ("pathlib", include_str!("py/pathlib.py")),
    ("posixpath", include_str!("py/os_path.py")),
    ("random", include_str!("py/random.py")),
    ("re", include_str!("py/re.py")),
    ("shutil", include_str!("py/shutil.py")),
    ("string", include_str!("py/string.py")),
    ("sys", include_str!("py/sys.py")),
    ("statistics", include_str!("py/statistics.py")),
    ("textwrap", include_str!("py/textwrap.py")),
    ("time", include_str!("py/time.py")),
    ("traceback", include_str!("py/traceback.py")),
    ("types", include_str!("py/types.py")),
    ("typing", include_str!("py/typing.py")),
    ("warnings", include_str!("py/warnings.py")),
];

/// The Python source of a module.
pub(crate) fn library_source(name: &str) -> Option<&'static str> {
    SOURCES.iter().find(|(n, _)| *n == name).map(|(_, s)| *s)
}

/// The native functions of an inner module.
pub(crate) fn native_module(name: &str) -> Option<&'static [NativeFunction]> {
    match name {
        "_re" => Some(pattern::PATTERN),
        "_math" => Some(math::MATH),
        "_system" => Some(system::SYSTEM),
        "_machine" => Some(system::MACHINE),
        _ => None,
    }
}
