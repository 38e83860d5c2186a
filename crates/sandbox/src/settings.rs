//! The session's settings as the engine asks for them.

use tidemark_engine::connector::Settings;
use tidemark_engine::stream::conf::QueryConf;
use tidemark_pyspark::Conf;

/// A session's settings behind the engine's trait.
pub(crate) struct SessionSettings<'a>(pub(crate) &'a Conf);

impl Settings for SessionSettings<'_> {
    fn get(&self, name: &str) -> Option<String> {
        self.0.get(name)
    }
}

/// The copy that a query takes at its start.
pub(crate) fn query_conf(conf: &Conf) -> QueryConf {
    QueryConf::new(conf.all())
}
