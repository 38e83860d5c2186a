//! What `with` and `match` ask of objects.

use std::rc::Rc;

use crate::machine::{Machine, R};
use crate::value::{Dict, Type, Value};

impl Machine {
    /// The bound `__enter__` and `__exit__` of a context manager.
    pub(crate) fn with_prepare(&mut self, manager: &Value) -> R {
        let (enter, exit) = (self.special(manager, "__enter__"), self.special(manager, "__exit__"));
        let kind = self.type_name(manager);
        let Some(enter) = enter else {
            return self
                .type_error(&format!("'{kind}' object does not support the context manager protocol"));
        };
        let Some(exit) = exit else {
            return self.type_error(&format!(
                "'{kind}' object does not support the context manager protocol (missed __exit__ method)"
            ));
        };
        let enter = self.bind(&enter, manager)?;
        let exit = self.bind(&exit, manager)?;
        Ok(Value::tuple(vec![enter, exit]))
    }

    pub(crate) fn match_keys(&mut self, subject: &Value, keys: &Value) -> R {
        let mut found = Vec::new();
        let Some(dict) = self.is_dict(subject) else { return Ok(Value::None) };
        for key in self.quick_items(keys).unwrap_or_default() {
            match self.table_get(dict, &key)? {
                Some(value) => found.push(value),
                None => return Ok(Value::None),
            }
        }
        Ok(Value::tuple(found))
    }

    pub(crate) fn match_rest(&mut self, subject: &Value, keys: &Value) -> R {
        let rest: Dict = match self.is_dict(subject) {
            Some(id) => self.dict_of(id).clone(),
            None => Dict::default(),
        };
        let rest = self.logged(|m| Ok(m.dict(rest)))?;
        if let Some(id) = self.is_dict(&rest) {
            for key in self.quick_items(keys).unwrap_or_default() {
                self.table_remove(id, &key)?;
            }
        }
        Ok(rest)
    }

    pub(crate) fn match_class(&mut self, subject: &Value, class: &Value, names: &Value, count: usize) -> R {
        let Some(id) = self.as_class(class) else {
            return self.type_error("called match pattern must be a class");
        };
        if !self.instance_check(subject, class)? {
            return Ok(Value::None);
        }
        let mut wanted: Vec<Rc<str>> = Vec::new();
        let mut found = Vec::new();
        if count > 0 {
            let by_itself = Self::built_in_type(id).is_some_and(|k| {
                matches!(
                    k,
                    Type::Bool
                        | Type::ByteArray
                        | Type::Bytes
                        | Type::Dict
                        | Type::Float
                        | Type::FrozenSet
                        | Type::Int
                        | Type::List
                        | Type::Set
                        | Type::Str
                        | Type::Tuple
                )
            });
            match self.lookup_class(id, "__match_args__").and_then(|a| self.as_tuple(&a)) {
                Some(args) if args.len() >= count => {
                    wanted.extend(args[..count].iter().filter_map(|a| self.as_text(a)));
                }
                None if by_itself && count == 1 => found.push(subject.clone()),
                args => {
                    let allowed = args.map_or(usize::from(by_itself), |a| a.len());
                    let name = self.class_name(id);
                    let plural = if allowed == 1 { "" } else { "s" };
                    return self.type_error(&format!(
                        "{name}() accepts {allowed} positional sub-pattern{plural} ({count} given)"
                    ));
                }
            }
        }
        wanted.extend(self.quick_items(names).unwrap_or_default().iter().filter_map(|n| self.as_text(n)));
        for name in wanted {
            match self.get_attribute(subject, &name) {
                Ok(value) => found.push(value),
                Err(fault) if self.fault_is(&fault, Type::AttributeError) => return Ok(Value::None),
                Err(fault) => return Err(fault),
            }
        }
        Ok(Value::tuple(found))
    }
}
