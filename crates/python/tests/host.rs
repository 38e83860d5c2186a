//! A made-up host: its classes, modules and exceptions as Python sees them, and the conversation with the machine.

use std::collections::BTreeMap;
use std::rc::Rc;

use tidemark_python::{
    Constant, Export, Host, HostCall, HostClass, HostClassId, HostException, HostModule, HostObject, Machine,
    Member, Program, PyException, Stop, SystemCall, SystemError, SystemReply, Target, Traceback, Value, View,
};

const FRAME: HostClassId = HostClassId(0);
const COLUMN: HostClassId = HostClassId(1);

fn registry() -> Rc<Host> {
    let mut host = Host::new();
    let frame = host.add_class(
        HostClass::new("Frame", "lake.frame")
            .methods(&[
                "count",
                "select",
                "each",
                "rows",
                "__getitem__",
                "__iter__",
                "__len__",
                "__enter__",
                "__exit__",
            ])
            .properties(&["columns"])
            .member("mode", Member::SettableProperty)
            .member("of", Member::StaticMethod)
            .member("LIMIT", Member::Constant(Constant::Int(7)))
            .member("pivot", Member::Refused("Frame.pivot is not here yet".to_owned()))
            .member("__getattr__", Member::Method),
    );
    let column = host.add_class(HostClass::new("Column", "lake.column").constructible().methods(&[
        "alias",
        "__add__",
        "__radd__",
        "__eq__",
        "__gt__",
        "__and__",
        "__invert__",
        "__neg__",
        "__bool__",
        "__repr__",
        "__contains__",
    ]));
    let listener = host.add_class(HostClass::new("Listener", "lake.frame").methods(&["attach"]));
    assert_eq!((frame, column), (FRAME, COLUMN));
    host.add_exception(HostException {
        name: "LakeError".to_owned(),
        module: "lake.errors".to_owned(),
        bases: vec!["Exception".to_owned()],
        getters: vec![("getCondition".to_owned(), "_condition".to_owned())],
    });
    host.add_exception(HostException {
        name: "PlanError".to_owned(),
        module: "lake.errors".to_owned(),
        bases: vec!["LakeError".to_owned(), "ValueError".to_owned()],
        getters: Vec::new(),
    });
    host.add_module(
        HostModule::new("lake.functions")
            .functions(&["col", "lit"])
            .export("window", Export::Refused("window is not here yet".to_owned()))
            .export("Column", Export::Class(column)),
    );
    host.add_module(
        HostModule::new("lake")
            .export("Frame", Export::Class(frame))
            .export("Listener", Export::Class(listener))
            .export("version", Export::Constant(Constant::Str("1.0".to_owned())))
            .export("frame", Export::Constant(Constant::Object(HostObject { class: FRAME, id: 1 }))),
    );
    host.add_module(
        HostModule::new("lake.errors")
            .export("LakeError", Export::Exception("LakeError".to_owned()))
            .export("PlanError", Export::Exception("PlanError".to_owned())),
    );
    host.finish()
}

fn text_of(machine: &Machine, value: &Value) -> String {
    match machine.view(value) {
        View::Host(object) => format!("#{}", object.id),
        View::Str(text) => text.to_string(),
        _ => machine.plain_repr(value),
    }
}

/// Answers like a host that only keeps names: columns are texts kept by number.
struct Keeper {
    columns: Vec<String>,
    files: BTreeMap<String, Vec<u8>>,
    now: i64,
    log: Vec<String>,
}

impl Keeper {
    fn new() -> Self {
        Self { columns: Vec::new(), files: BTreeMap::new(), now: 1_700_000_000_000_000, log: Vec::new() }
    }

    fn column(&mut self, text: String) -> Value {
        self.columns.push(text);
        Value::Host(HostObject { class: COLUMN, id: self.columns.len() as u64 - 1 })
    }

    fn shown(&self, machine: &Machine, value: &Value) -> String {
        match machine.view(value) {
            View::Host(object) if object.class == COLUMN => self.columns[object.id as usize].clone(),
            _ => machine.plain_repr(value),
        }
    }

    fn answer(&mut self, machine: &mut Machine, call: &HostCall) -> Result<Value, PyException> {
        let args: Vec<String> = call.args.iter().map(|a| self.shown(machine, a)).collect();
        let named: Vec<String> =
            call.kwargs.iter().map(|(n, v)| format!("{n}={}", self.shown(machine, v))).collect();
        match &call.target {
            Target::Function { module, name } => {
                assert_eq!(module, "lake.functions");
                Ok(self.column(format!("{name}({})", args.join(", "))))
            }
            Target::Construct { class } => {
                assert_eq!(*class, COLUMN);
                Ok(self.column(format!("new {}", args.join(", "))))
            }
            Target::Static { class, name } => {
                assert_eq!(*class, FRAME);
                Ok(Value::from(format!("static {name} {}", args.join(", "))))
            }
            Target::Property { name, .. } => Ok(match name.as_str() {
                "columns" => machine.new_list(vec![Value::str("id"), Value::str("user")]),
                _ => Value::from(format!("property {name}")),
            }),
            Target::SetProperty { name, .. } => {
                self.log.push(format!("{name} <- {}", args.join(", ")));
                Ok(Value::None)
            }
            Target::Method { receiver, name } => {
                let receiver = receiver.clone();
                self.method(machine, &receiver, name, &args, &named)
            }
        }
    }

    fn method(
        &mut self,
        machine: &mut Machine,
        receiver: &Value,
        name: &str,
        args: &[String],
        named: &[String],
    ) -> Result<Value, PyException> {
        let own = self.shown(machine, receiver);
        let list = [args, named].concat().join(", ");
        match name {
            "__bool__" => Err(PyException::new("ValueError", "Cannot convert column into bool")),
            "__repr__" => Ok(Value::from(format!("Column<'{own}'>"))),
            "__len__" => Ok(Value::Int(2)),
            "__iter__" => Ok(machine.new_list(vec![Value::Int(10), Value::Int(20)])),
            "__enter__" => Ok(receiver.clone()),
            "__exit__" => {
                self.log.push("exit".to_owned());
                Ok(Value::Bool(false))
            }
            "__contains__" => Ok(Value::Bool(true)),
            "__getattr__" => {
                Err(PyException::new("AttributeError", &format!("Frame has no column {}", args[0])))
            }
            "count" => Ok(Value::Int(3)),
            "attach" => Ok(Value::from(format!("attached {list}"))),
            "rows" => {
                let when = machine.new_datetime(1_704_164_645_000_000);
                let day = machine.new_date(1);
                let gap = machine.new_timedelta(90_000_000);
                Ok(Value::tuple(vec![when, day, gap]))
            }
            "select" if args.iter().any(|a| a.contains("nope")) => {
                Err(PyException::new("PlanError", "[NO_SUCH] nope")
                    .attribute("_condition", Value::str("NO_SUCH")))
            }
            _ => Ok(self.column(format!("({own} {name} {list})"))),
        }
    }

    fn system(&mut self, call: &SystemCall) -> Result<SystemReply, SystemError> {
        let below = |path: &str| format!("{}/", path.trim_end_matches('/'));
        match call {
            SystemCall::Read { path } => {
                self.files.get(path).cloned().map(SystemReply::Bytes).ok_or(SystemError::NotFound)
            }
            SystemCall::Write { path, bytes } => {
                self.files.insert(path.clone(), bytes.clone());
                Ok(SystemReply::Done)
            }
            SystemCall::Stat { path } => Ok(match self.files.get(path) {
                Some(bytes) => {
                    SystemReply::Stat { folder: false, size: bytes.len() as u64, modified_micros: 5 }
                }
                None if self.files.keys().any(|f| f.starts_with(&below(path))) => {
                    SystemReply::Stat { folder: true, size: 0, modified_micros: 5 }
                }
                None => SystemReply::Absent,
            }),
            SystemCall::List { path } => {
                let mut names: Vec<String> = self
                    .files
                    .keys()
                    .filter_map(|f| f.strip_prefix(&below(path)))
                    .map(|f| f.split('/').next().unwrap_or_default().to_owned())
                    .collect();
                names.dedup();
                if names.is_empty() { Err(SystemError::NotFound) } else { Ok(SystemReply::Names(names)) }
            }
            SystemCall::Remove { path } => {
                self.files.remove(path).map(|_| SystemReply::Done).ok_or(SystemError::NotFound)
            }
            SystemCall::RemoveTree { path } => {
                let prefix = below(path);
                self.files.retain(|f, _| !f.starts_with(&prefix));
                Ok(SystemReply::Done)
            }
            SystemCall::MakeFolder { .. } => Ok(SystemReply::Done),
            SystemCall::Sleep { micros } => {
                self.now += *micros as i64;
                Ok(SystemReply::Done)
            }
            SystemCall::Now => Ok(SystemReply::Now(self.now)),
            SystemCall::RemoveFolder { .. } | SystemCall::Rename { .. } => Err(SystemError::Denied),
        }
    }

    /// Drives a script with this much fuel at a time; clones the machine at every stop and goes on with the clone.
    fn drive(&mut self, source: &str, fuel: u64) -> (String, Option<Traceback>) {
        let program = Program::compile(source, "script.py").expect("the script compiles");
        let mut machine = Machine::new(&program, registry());
        machine.set_global("df", Value::Host(HostObject { class: FRAME, id: 1 }));
        let mut out = String::new();
        loop {
            let stop = machine.run(fuel);
            out.extend(machine.take_stdout().into_iter().map(|p| p.text));
            machine = machine.clone();
            match stop {
                Stop::Finished => return (out, None),
                Stop::Returned(value) => panic!("nothing was called, but {value:?} returned"),
                Stop::OutOfFuel => {}
                Stop::Raised(traceback) => return (out, Some(traceback)),
                Stop::Ask(call) => {
                    let answer = self.answer(&mut machine, &call);
                    machine.answer(answer);
                }
                Stop::System(call) => {
                    let reply = self.system(&call);
                    machine.answer_system(reply);
                }
            }
        }
    }
}

/// Scripts and what they print, whatever the fuel.
const SCRIPTS: &[(&str, &str)] = &[
    (
        "import lake.functions as F\nfrom lake.functions import col, lit\nimport lake\n\
         c = (col('a') + 1 > F.lit(2)) & ~col('b')\nprint(c, repr(-c))\nprint(1 + col('x'), 'z' in col('q'))\n\
         print(lake.version, lake.functions is F, type(c).__name__, type(c), isinstance(c, F.Column))\n",
        "Column<'(((col('a') __add__ 1) __gt__ lit(2)) __and__ (col('b') __invert__ ))'> \
         Column<'((((col('a') __add__ 1) __gt__ lit(2)) __and__ (col('b') __invert__ )) __neg__ )'>\n\
         Column<'(col('x') __radd__ 1)'> True\n1.0 True Column <class 'lake.column.Column'> True\n",
    ),
    (
        "from lake.functions import *\ntry:\n    if col('a') == 1:\n        print('no')\nexcept ValueError as e:\n    print(e)\n\
         print(col('a').alias('b', note='n'), Column(5))\n",
        "Cannot convert column into bool\nColumn<'(col('a') alias 'b', note='n')'> Column<'new 5'>\n",
    ),
    (
        "print(df.count(), df.columns, df.mode, len(df), list(df), [x for x in df], df['id'] is None, df.LIMIT)\n\
         df.mode = 'append'\nf = df.count\nprint(f(), callable(f), hasattr(df, 'nope'), hasattr(df, 'count'))\n\
         with df as d:\n    print(d is df)\ntry:\n    df.columns = []\nexcept AttributeError as e:\n    print(e)\n\
         try:\n    df.nope\nexcept AttributeError as e:\n    print(e)\n\
         try:\n    df.pivot('x')\nexcept NotImplementedError as e:\n    print(e)\n\
         try:\n    df()\nexcept TypeError as e:\n    print(e)\n\
         try:\n    df + 1\nexcept TypeError as e:\n    print(e)\n\
         from lake import Frame\nprint(Frame.of(1), df.of(2), isinstance(df, Frame))\n\
         try:\n    Frame()\nexcept TypeError as e:\n    print(e)\n",
        "3 ['id', 'user'] property mode 2 [10, 20] [10, 20] False 7\n3 True False True\nTrue\n\
         property 'columns' of 'Frame' object has no setter\nFrame has no column 'nope'\nFrame.pivot is not here yet\n\
         'Frame' object is not callable\nunsupported operand type(s) for +: 'Frame' and 'int'\n\
         static of 1 static of 2 True\ncannot create 'Frame' instances\n",
    ),
    (
        "from lake.errors import LakeError, PlanError\ntry:\n    df.select('nope')\nexcept LakeError as e:\n\
         \x20   print(type(e).__name__, e, e.getCondition(), isinstance(e, ValueError))\n\
         class Mine(PlanError):\n    pass\ntry:\n    raise Mine('own')\nexcept LakeError as e:\n    print(repr(e), e.getCondition())\n",
        "PlanError [NO_SUCH] nope NO_SUCH True\nMine('own') None\n",
    ),
    (
        "try:\n    from lake.functions import window\nexcept NotImplementedError as e:\n    print(e)\n\
         try:\n    from lake.functions import other\nexcept ImportError as e:\n    print(e)\n\
         try:\n    import lake.missing\nexcept ModuleNotFoundError as e:\n    print(e)\n",
        "window is not here yet\ncannot import name 'other' from 'lake.functions' (unknown location)\n\
         No module named 'lake.missing'\n",
    ),
    (
        "from lake import Listener\nclass Mine(Listener):\n    def __init__(self, n):\n        self.n = n\n\
         \x20   def heard(self):\n        return self.n * 2\n\
         m = Mine(4)\nprint(m.heard(), m.attach('x'), isinstance(m, Listener))\n",
        "8 attached 'x' True\n",
    ),
    (
        "import os, json, shutil, glob, time\nfrom os import path\nwith open('in/a.json', 'w') as f:\n\
         \x20   f.write(json.dumps({'id': 1}) + '\\n')\n    print('second', file=f)\n\
         with open('in/a.json') as f:\n    print([line.strip() for line in f])\n\
         with open('in/a.json', 'a') as f:\n    f.write('third')\n\
         print(open('in/a.json').read().splitlines()[-1], os.listdir('in'), path.exists('in'), path.isdir('in'), path.isfile('in/a.json'))\n\
         print(glob.glob('in/*.json'), glob.glob('in/*.csv'), os.path.getsize('in/a.json'))\n\
         shutil.copy('in/a.json', 'in/b.json')\nos.remove('in/a.json')\nprint(sorted(os.listdir('in')), [n for _, _, n in os.walk('in')])\n\
         shutil.rmtree('in')\ntry:\n    open('in/b.json')\nexcept FileNotFoundError as e:\n    print(e)\n\
         t = time.time()\ntime.sleep(1.5)\nprint(time.time() - t)\n",
        "['{\"id\": 1}', 'second']\nthird ['a.json'] True True True\n['in/a.json'] [] 22\n['b.json'] [['b.json']]\n\
         [Errno 2] No such file or directory: 'in/b.json'\n1.5\n",
    ),
    (
        "when, day, gap = df.rows()\nprint(when, day, gap, when - gap, repr(day))\n",
        "2024-01-02 03:04:05 1970-01-02 0:01:30 2024-01-02 03:02:35 datetime.date(1970, 1, 2)\n",
    ),
    (
        "def rows():\n    for i in range(3):\n        yield df.count() + i\n\
         print(sorted(rows(), key=lambda n: -n * df.count()), max([1, 2], key=lambda n: df.count() - n))\n\
         class Key:\n    def __init__(self, n): self.n = n\n    def __hash__(self): return df.count()\n\
         \x20   def __eq__(self, other): return df.count() == 3 and self.n == other.n\n    def __repr__(self): return f'k{df.count()}'\n\
         d = {Key(1): 'a', Key(2): 'b'}\nprint(d[Key(2)], [Key(3)], {Key(1): [Key(1)]}, f'{Key(5)!r:>4}')\n",
        "[5, 4, 3] 1\nb [k3] {k3: [k3]}   k3\n",
    ),
];

#[test]
fn scripts_see_the_host() {
    for (source, expected) in SCRIPTS {
        for fuel in [1, 7, 1_000_000] {
            let (out, traceback) = Keeper::new().drive(source, fuel);
            assert!(traceback.is_none(), "{source}\n{}", traceback.map(|t| t.text).unwrap_or_default());
            assert_eq!(&out, expected, "with fuel {fuel}:\n{source}");
        }
    }
}

#[test]
fn an_uncaught_exception_has_the_text_of_cpython() {
    let source = "def go(n):\n    return df.select('nope') + n\n\nprint('before')\ngo(1)\n";
    let (out, traceback) = Keeper::new().drive(source, 100);
    let traceback = traceback.expect("it raises");
    assert_eq!(out, "before\n");
    assert_eq!(traceback.class, "PlanError");
    assert_eq!(traceback.message, "[NO_SUCH] nope");
    assert_eq!(
        traceback.text,
        "Traceback (most recent call last):\n  File \"script.py\", line 5, in <module>\n    go(1)\n\
         \x20 File \"script.py\", line 2, in go\n    return df.select('nope') + n\n           ^^^^^^^^^^^^^^^^^\n\
         lake.errors.PlanError: [NO_SUCH] nope\n"
    );
    assert_eq!(traceback.frames.len(), 2);
    assert_eq!(traceback.frames[1].span.line, 2);
}

#[test]
fn the_host_calls_functions_while_a_question_waits() {
    let source = "total = 0\ndef each(batch, number):\n    global total\n    total += number + df.count()\n    if number > 1:\n\
                  \x20       raise ValueError(f'batch {number}')\n    return len(batch)\n\
                  print(df.each(each))\nprint(total)\n";
    let program = Program::compile(source, "script.py").expect("the script compiles");
    let mut machine = Machine::new(&program, registry());
    machine.set_global("df", Value::Host(HostObject { class: FRAME, id: 1 }));
    let Stop::Ask(call) = machine.run(10_000) else { panic!("it asks") };
    assert_eq!(call.span.line, 8);
    let function = call.args[0].clone();
    assert!(matches!(machine.view(&function), View::Function(name) if name == "each"));
    let mut answers = Vec::new();
    for number in 0..3 {
        let batch = machine.new_list(vec![Value::Int(1); 4]);
        machine.call(&function, vec![batch, Value::Int(number)], Vec::new());
        loop {
            match machine.run(3) {
                Stop::OutOfFuel => {}
                Stop::Ask(inner) => {
                    assert!(matches!(&inner.target, Target::Method { name, .. } if name == "count"));
                    machine.answer(Ok(Value::Int(100)));
                }
                Stop::Returned(value) => break answers.push(text_of(&machine, &value)),
                Stop::Raised(traceback) => break answers.push(traceback.message),
                other => panic!("{other:?}"),
            }
        }
        // The first question waits again.
        assert!(
            matches!(machine.run(10), Stop::Ask(c) if matches!(&c.target, Target::Method { name, .. } if name == "each"))
        );
    }
    assert_eq!(answers, ["4", "4", "batch 2"]);
    machine.answer(Ok(Value::str("done")));
    assert!(matches!(machine.run(10_000), Stop::Finished));
    let printed: String = machine.take_stdout().into_iter().map(|p| p.text).collect();
    assert_eq!(printed, "done\n303\n");
}

#[test]
fn a_clone_goes_on_by_itself() {
    let source = "import itertools\nout = []\nfor i in itertools.count():\n    out.append(i)\n    if i == 50:\n        break\nprint(sum(out), len(out))\n";
    let program = Program::compile(source, "script.py").expect("the script compiles");
    let mut machine = Machine::new(&program, registry());
    let mut kept = Vec::new();
    let expected = loop {
        match machine.run(37) {
            Stop::OutOfFuel => kept.push(machine.clone()),
            Stop::Finished => break machine.take_stdout(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(expected[0].text, "1275 51\n");
    assert_eq!(expected[0].line, 7);
    for mut clone in kept {
        assert!(matches!(clone.run(1_000_000), Stop::Finished));
        assert_eq!(clone.take_stdout(), expected);
    }
}

#[test]
fn what_is_not_there_is_refused_before_anything_runs() {
    for (source, message, line, column) in [
        ("print(1)\nasync def f():\n    pass\n", "'async def' is not supported here", 2, 0),
        ("x = 1\nreturn x\n", "'return' outside function", 2, 0),
        ("for i in []:\n    pass\nbreak\n", "'break' outside loop", 3, 0),
        ("def f(a, a): pass\n", "duplicate argument 'a' in function definition", 1, 9),
        ("def f():\n    x = 1\n    global x\n", "name 'x' is assigned to prior to global declaration", 3, 4),
    ] {
        let errors = Program::compile(source, "script.py").expect_err("it is refused");
        assert_eq!(
            (errors[0].message.as_str(), errors[0].span.line, errors[0].span.column),
            (message, line, column)
        );
    }
}

#[test]
fn endless_recursion_and_endless_loops_stop() {
    let (out, _) = Keeper::new()
        .drive("def f(): return f()\ntry:\n    f()\nexcept RecursionError as e:\n    print(e)\n", 500);
    assert_eq!(out, "maximum recursion depth exceeded\n");
    let program =
        Program::compile("while True:\n    x = [1, 2, 3]\n", "script.py").expect("the script compiles");
    let mut machine = Machine::new(&program, registry());
    assert!(matches!(machine.run(2_000_000), Stop::OutOfFuel));
    assert!(machine.instructions() <= 2_000_000);
    assert!(machine.current_line().is_some());
}

#[test]
fn limits_are_errors_of_python() {
    let source = include_str!("limits.py");
    let (out, result) = tidemark_python::run_program(source, "limits.py");
    if let Err(failure) = result {
        panic!("{}", failure.text());
    }
    let expected = "repr maximum recursion depth exceeded\neq maximum recursion depth exceeded\nown repr RecursionError\n\
                    getattr\nown eq\nsorted\nOverflowError\nmem\nmem2\n1\nclosed\n[]\ntuple\n19999900000 50000\n0\n";
    assert_eq!(out, expected);
}
