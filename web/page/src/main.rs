//! Puts the application into the shell.

use tidemark_page::app::{App, Connect};
use tidemark_page::browser::{Worker, listener};

fn main() {
    let root = listener::document().get_element_by_id("app").expect("index.html has an element #app");
    root.set_inner_html("");
    let connect = Connect::new(|hear| std::rc::Rc::new(Worker::start(move |heard| hear.emit(heard))));
    yew::Renderer::<App>::with_root_and_props(root, tidemark_page::app::AppProps { connect, keeps: true })
        .render();
}
