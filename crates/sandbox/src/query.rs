//! The queries of one run of a script: started, stepped, asked.

use std::sync::Arc;

use tidemark_connectors::Formats;
use tidemark_engine::Result;
use tidemark_engine::stream::{ActiveQueries, Step, StreamExecution};
use tidemark_plan::{Plan, SinkSpec};
use tidemark_pyspark::{Conf, QueryHandle, QueryInfo};
use tidemark_python::Value;
use tidemark_types::{Batch, StructType};
use tidemark_world::World;

use crate::settings::query_conf;

/// One query with the function of its `foreachBatch`.
#[derive(Clone, Debug)]
pub(crate) struct Running {
    pub(crate) execution: StreamExecution,
    pub(crate) function: Option<Value>,
    /// Whether the last step found nothing to do.
    pub(crate) is_idle: bool,
}

/// All queries of a run, by their handles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queries {
    all: Vec<Running>,
    active: ActiveQueries,
}

impl Queries {
    /// Starts a query.
    pub(crate) fn start(
        &mut self,
        world: &mut World,
        plan: Arc<Plan>,
        spec: SinkSpec,
        function: Option<Value>,
        conf: &Conf,
    ) -> Result<QueryHandle> {
        let execution = StreamExecution::start(world, &Formats, plan, spec, query_conf(conf))?;
        if let Some(older) = self.active.admit(&execution)? {
            let run = self.all.iter_mut().find(|q| *q.execution.run_id() == older);
            if let Some(run) = run {
                run.execution.stop(world)?;
            }
        }
        self.all.push(Running { execution, function, is_idle: false });
        Ok(QueryHandle(self.all.len() as u64 - 1))
    }

    /// Does the next thing of a query.
    pub(crate) fn step(&mut self, world: &mut World, handle: QueryHandle) -> Result<Step> {
        let Some(running) = self.all.get_mut(handle.0 as usize) else { return Ok(Step::Ended) };
        let step = running.execution.step(world, &Formats)?;
        running.is_idle = matches!(step, Step::Idle);
        if !running.execution.is_active() {
            let run = running.execution.run_id().clone();
            self.active.leave(&run);
        }
        Ok(step)
    }

    /// Stops a query.
    pub(crate) fn stop(&mut self, world: &mut World, handle: QueryHandle) -> Result<()> {
        if let Some(running) = self.all.get_mut(handle.0 as usize) {
            running.execution.stop(world)?;
            let run = running.execution.run_id().clone();
            self.active.leave(&run);
        }
        Ok(())
    }

    /// A query.
    pub(crate) fn get(&self, handle: QueryHandle) -> Option<&Running> {
        self.all.get(handle.0 as usize)
    }

    /// A query, to be changed.
    pub(crate) fn get_mut(&mut self, handle: QueryHandle) -> Option<&mut Running> {
        self.all.get_mut(handle.0 as usize)
    }

    /// All queries in the order of their starts.
    pub(crate) fn all(&self) -> impl Iterator<Item = (QueryHandle, &Running)> {
        self.all.iter().enumerate().map(|(at, running)| (QueryHandle(at as u64), running))
    }

    /// The queries that run.
    pub(crate) fn active(&self) -> Vec<QueryHandle> {
        self.all().filter(|(_, q)| q.execution.is_active()).map(|(handle, _)| handle).collect()
    }

    /// The query of this name or id, the only active one if none is named.
    pub(crate) fn find(&self, name: Option<&str>) -> Option<QueryHandle> {
        match name {
            None => self.active().first().copied(),
            Some(name) => self
                .all()
                .filter(|(_, q)| q.execution.name() == Some(name) || q.execution.id().0 == name)
                .map(|(handle, _)| handle)
                .last(),
        }
    }

    /// How a query stands, for the script.
    pub(crate) fn info(&self, handle: QueryHandle) -> QueryInfo {
        let Some(running) = self.get(handle) else { return QueryInfo::default() };
        let query = &running.execution;
        let status = query.status();
        QueryInfo {
            id: query.id().0.clone(),
            run_id: query.run_id().0.clone(),
            name: query.name().map(str::to_owned),
            is_active: query.is_active(),
            status: serde_json::json!({
                "message": status.message,
                "isDataAvailable": status.is_data_available,
                "isTriggerActive": status.is_trigger_active,
            })
            .to_string(),
            recent_progress: query.recent_progress().iter().map(|p| p.to_value().to_string()).collect(),
            exception: query.exception().cloned(),
            explain: if query.batches_run() == 0 {
                "No physical plan. Waiting for data.".to_owned()
            } else {
                tidemark_plan::explain::explain(query.plan(), false)
            },
        }
    }

    /// The rows of the memory sink with this name, the newest query's.
    pub(crate) fn memory(&self, name: &str) -> Option<Batch> {
        self.all.iter().rev().find(|q| q.execution.name() == Some(name)).and_then(|q| q.execution.memory())
    }

    /// How many rows of that table each batch has brought.
    pub(crate) fn memory_batches(&self, name: &str) -> Vec<(i64, usize)> {
        let newest = self.all.iter().rev().find(|q| q.execution.name() == Some(name));
        newest.map(|q| q.execution.memory_batches()).unwrap_or_default()
    }

    /// The schema and the shared pieces of those rows.
    pub(crate) fn memory_parts(&self, name: &str) -> Option<(Arc<StructType>, Arc<Vec<Batch>>)> {
        let newest = self.all.iter().rev().find(|q| q.execution.name() == Some(name));
        newest.and_then(|q| q.execution.memory_parts())
    }

    /// Takes what the console sinks have printed.
    pub(crate) fn take_output(&mut self) -> String {
        self.all.iter_mut().map(|q| q.execution.take_output()).collect()
    }
}
