//! Why a machine stopped, and what it wants to know.

use crate::diagnostic::Span;
use crate::host::registry::HostClassId;
use crate::value::Value;

/// Why [`Machine::run`](crate::Machine::run) returned.
#[derive(Clone, Debug)]
pub enum Stop {
    /// The script has come to its end.
    Finished,
    /// The fuel is used up; run again to go on.
    OutOfFuel,
    /// The script asks the host; reply with [`Machine::answer`](crate::Machine::answer) and run again.
    Ask(HostCall),
    /// The script asks the outside; reply with [`Machine::answer_system`](crate::Machine::answer_system) and run again.
    System(SystemCall),
    /// A function that the host called with [`Machine::call`](crate::Machine::call) returned this; the question that was
    /// pending before the call is pending again.
    Returned(Value),
    /// An exception left the script or the function that the host called. After a call, the question that was pending
    /// before it is pending again; otherwise the script is over.
    Raised(Traceback),
}

/// A call of something that belongs to the host.
#[derive(Clone, Debug)]
pub struct HostCall {
    /// What is called.
    pub target: Target,
    /// Positional arguments, without the receiver.
    pub args: Vec<Value>,
    /// Keyword arguments in the order of the call.
    pub kwargs: Vec<(String, Value)>,
    /// Where in the script the call stands.
    pub span: Span,
}

/// What a [`HostCall`] calls.
#[derive(Clone, Debug)]
pub enum Target {
    /// A function of a host module.
    Function {
        /// Full name of the module that registered it.
        module: String,
        /// Name of the function.
        name: String,
    },
    /// A host class was called; the answer is the new object. A Python class derived from a host class asks nothing.
    Construct {
        /// The class.
        class: HostClassId,
    },
    /// A static method of a class.
    Static {
        /// The class that was named, or the class of the object.
        class: HostClassId,
        /// Name of the method.
        name: String,
    },
    /// A method of an object, also for operators and protocols (`__add__`, `__bool__`, ...).
    /// `__iter__` answers a list or tuple, `__bool__` and `__contains__` a bool, `__len__` an int, `__repr__` and `__str__` a str.
    Method {
        /// A host object, or an instance of a Python class that derives from a host class.
        receiver: Value,
        /// Name of the method.
        name: String,
    },
    /// A property is read.
    Property {
        /// As for `Method`.
        receiver: Value,
        /// Name of the property.
        name: String,
    },
    /// A property is written; the value is the only argument; answer `None`.
    SetProperty {
        /// As for `Method`.
        receiver: Value,
        /// Name of the property.
        name: String,
    },
}

/// What the machine wants from the outside. Paths are the script's own texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemCall {
    /// The bytes of a file. Reply: `Bytes`.
    Read {
        /// The file.
        path: String,
    },
    /// Replaces a file, or creates it. Reply: `Done`.
    Write {
        /// The file.
        path: String,
        /// All its bytes.
        bytes: Vec<u8>,
    },
    /// Names in a folder, without the folder. Reply: `Names`.
    List {
        /// The folder.
        path: String,
    },
    /// Deletes a file. Reply: `Done`.
    Remove {
        /// The file.
        path: String,
    },
    /// Deletes an empty folder. Reply: `Done`.
    RemoveFolder {
        /// The folder.
        path: String,
    },
    /// Deletes a folder and all below it. Reply: `Done`.
    RemoveTree {
        /// The folder.
        path: String,
    },
    /// Makes a folder, with its parents if asked. Reply: `Done`; an existing folder is an error `Exists`.
    MakeFolder {
        /// The folder.
        path: String,
        /// Whether missing parents are made too.
        parents: bool,
    },
    /// Moves a file or folder, over an existing file. Reply: `Done`.
    Rename {
        /// From here.
        from: String,
        /// To there.
        to: String,
    },
    /// What stands at a path. Reply: `Stat`, or `Absent`.
    Stat {
        /// The path.
        path: String,
    },
    /// Lets time pass. Reply: `Done`.
    Sleep {
        /// How long.
        micros: u64,
    },
    /// The current time. Reply: `Now`.
    Now,
}

/// What came back from the outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemReply {
    /// It is done.
    Done,
    /// The bytes of a file.
    Bytes(Vec<u8>),
    /// Names in a folder.
    Names(Vec<String>),
    /// What stands at the path.
    Stat {
        /// A folder, else a file.
        folder: bool,
        /// Bytes of the file.
        size: u64,
        /// Last change, microseconds since 1970 UTC.
        modified_micros: i64,
    },
    /// Nothing stands at the path.
    Absent,
    /// Microseconds since 1970 UTC.
    Now(i64),
}

/// Why the outside refused; each becomes the `OSError` that CPython raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemError {
    /// `FileNotFoundError`
    NotFound,
    /// `FileExistsError`
    Exists,
    /// `IsADirectoryError`
    IsFolder,
    /// `NotADirectoryError`
    NotFolder,
    /// `OSError: Directory not empty`
    NotEmpty,
    /// `PermissionError`
    Denied,
    /// `OSError: No space left on device`
    NoSpace,
}

/// An exception that the host answers with.
#[derive(Clone, Debug)]
pub struct PyException {
    /// Name of a built-in or a registered exception class.
    pub class: String,
    /// `args`; a single text is the usual message.
    pub args: Vec<Value>,
    /// Attributes set on the exception, such as those that the registered getters return.
    pub attributes: Vec<(String, Value)>,
}

impl PyException {
    /// An exception with one message.
    pub fn new(class: &str, message: &str) -> Self {
        Self { class: class.to_owned(), args: vec![Value::str(message)], attributes: Vec::new() }
    }

    /// Sets an attribute.
    pub fn attribute(mut self, name: &str, value: Value) -> Self {
        self.attributes.push((name.to_owned(), value));
        self
    }
}

/// One line of a traceback, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracebackFrame {
    /// The file.
    pub file: String,
    /// `<module>` or the name of the function.
    pub function: String,
    /// Where it stood.
    pub span: Span,
}

/// An exception that nobody caught.
#[derive(Clone, Debug)]
pub struct Traceback {
    /// Name of the exception class, without module.
    pub class: String,
    /// `str()` of the exception.
    pub message: String,
    /// The whole text that CPython prints, chained exceptions included, with a final line break.
    pub text: String,
    /// Where it was raised, outermost frame first.
    pub frames: Vec<TracebackFrame>,
    /// The exception object, for [`Machine::attribute`](crate::Machine::attribute).
    pub exception: Value,
    /// `code` of a `SystemExit`, as process status; `None` for other exceptions.
    pub exit_status: Option<i32>,
}

/// A piece of standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The text.
    pub text: String,
    /// Line of the script that was running.
    pub line: u32,
    /// Written to `sys.stderr`.
    pub error: bool,
}
