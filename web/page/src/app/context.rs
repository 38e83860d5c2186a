//! Three narrow contexts: what came from the engine, what the learner chose, and where actions go.

use std::rc::Rc;

use yew::prelude::*;

use crate::state::{Action, Ui, World};

/// A context that is compared by its pointer.
#[derive(Clone, Debug)]
pub struct Shared<T>(pub Rc<T>);

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Shared<T>) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// Where actions go.
pub type Dispatch = Callback<Action>;

/// What came from the engine.
#[hook]
pub fn use_world() -> Rc<World> {
    use_context::<Shared<World>>().expect("the application provides the world").0
}

/// What the learner chose.
#[hook]
pub fn use_ui() -> Rc<Ui> {
    use_context::<Shared<Ui>>().expect("the application provides the choices").0
}

/// Where actions go.
#[hook]
pub fn use_dispatch() -> Dispatch {
    use_context::<Dispatch>().expect("the application provides the dispatcher")
}
