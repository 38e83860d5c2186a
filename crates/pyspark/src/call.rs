//! The arguments of one call, bound to parameter names as Python binds them.

use tidemark_python::{Machine, Value, View};

use crate::fault::Fault;

/// One call on its way.
pub(crate) struct Call<'a> {
    /// The machine, for looking into values and making new ones.
    pub(crate) machine: &'a mut Machine,
    /// `DataFrameReader.json`, for messages.
    pub(crate) name: String,
    /// The positional arguments.
    pub(crate) args: Vec<Value>,
    /// The keyword arguments.
    pub(crate) kwargs: Vec<(String, Value)>,
}

impl Call<'_> {
    /// The method's own name.
    pub(crate) fn method(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }

    /// Binds the arguments to these parameters; absent ones are `None`.
    pub(crate) fn bind<const N: usize>(&mut self, names: [&str; N]) -> Result<[Option<Value>; N], Fault> {
        if self.args.len() > N {
            let (given, most) = (self.args.len() + 1, N + 1);
            return Err(Fault::type_error(format!(
                "{}() takes {most} positional argument{} but {given} were given",
                self.name,
                if most == 1 { "" } else { "s" }
            )));
        }
        let mut bound: [Option<Value>; N] = std::array::from_fn(|_| None);
        for (slot, value) in bound.iter_mut().zip(self.args.drain(..)) {
            *slot = Some(value);
        }
        for (name, value) in self.kwargs.drain(..) {
            match names.iter().position(|n| *n == name) {
                Some(at) if bound[at].is_some() => {
                    return Err(Fault::type_error(format!(
                        "{}() got multiple values for argument '{name}'",
                        self.name
                    )));
                }
                Some(at) => bound[at] = Some(value),
                None => {
                    return Err(Fault::type_error(format!(
                        "{}() got an unexpected keyword argument '{name}'",
                        self.name
                    )));
                }
            }
        }
        Ok(bound)
    }

    /// As `bind`, and the first `required` must be there.
    pub(crate) fn bind_required<const N: usize>(
        &mut self,
        required: usize,
        names: [&str; N],
    ) -> Result<[Option<Value>; N], Fault> {
        let name = self.name.clone();
        let bound = self.bind(names)?;
        let missing: Vec<String> = (0..required.min(N))
            .filter(|at| bound[*at].is_none())
            .map(|at| format!("'{}'", names[at]))
            .collect();
        if missing.is_empty() {
            return Ok(bound);
        }
        let list = match missing.as_slice() {
            [one] => one.clone(),
            [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
            [] => String::new(),
        };
        let s = if missing.len() == 1 { "" } else { "s" };
        Err(Fault::type_error(format!(
            "{name}() missing {} required positional argument{s}: {list}",
            missing.len()
        )))
    }

    /// All positional arguments, a single list or tuple taken apart: `select("a", "b")`, `select(["a", "b"])`.
    pub(crate) fn spread(&mut self) -> Vec<Value> {
        let args = std::mem::take(&mut self.args);
        if let [one] = args.as_slice()
            && let View::List(items) | View::Tuple(items) = self.machine.view(one)
        {
            return items;
        }
        args
    }

    /// Refuses keyword arguments.
    pub(crate) fn no_keywords(&self) -> Result<(), Fault> {
        match self.kwargs.first() {
            None => Ok(()),
            Some((name, _)) => {
                Err(Fault::type_error(format!("{}() got an unexpected keyword argument '{name}'", self.name)))
            }
        }
    }

    /// The items of a list or tuple.
    pub(crate) fn items(&self, value: &Value) -> Option<Vec<Value>> {
        match self.machine.view(value) {
            View::List(items) | View::Tuple(items) | View::Set(items) => Some(items),
            _ => None,
        }
    }

    /// A text argument, or PySpark's error.
    pub(crate) fn text(&self, name: &str, value: &Value) -> Result<String, Fault> {
        match value {
            Value::Str(text) => Ok(text.to_string()),
            other => Err(Fault::pyspark_type(
                "NOT_STR",
                format!("Argument `{name}` should be a str, got {}.", self.machine.type_name(other)),
            )),
        }
    }

    /// An integer argument, or PySpark's error.
    pub(crate) fn int(&self, name: &str, value: &Value) -> Result<i64, Fault> {
        value.as_int().ok_or_else(|| {
            Fault::pyspark_type(
                "NOT_INT",
                format!("Argument `{name}` should be an int, got {}.", self.machine.type_name(value)),
            )
        })
    }

    /// The text of an option's value, as `to_str` of PySpark makes it: booleans in lower case, `None` is absent.
    pub(crate) fn option_text(&self, value: &Value) -> Option<String> {
        match self.machine.view(value) {
            View::None => None,
            View::Bool(truth) => Some(truth.to_string()),
            View::Str(text) => Some(text.to_string()),
            _ => Some(self.machine.plain_repr(value)),
        }
    }
}
