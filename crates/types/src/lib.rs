//! The nouns of Tidemark: Spark's types over Arrow, schemas, batches, times and ids.
//!
//! Owns: data types, schemas and their DDL and JSON texts, batches, event and simulated time, ids, the text of values.
//! May touch: nothing of ours.
//! Must not know: plans, files, queries, Python, the page.
//! Invariants: a `Batch` and its schema agree column by column; times of two kinds never mix.

pub mod batch;
pub mod clock;
pub mod data_type;
pub mod datetime_pattern;
pub mod ddl;
pub mod error;
pub mod id;
pub mod interval;
pub mod lexer;
pub mod number;
pub mod print_schema;
pub mod row_json;
pub mod schema;
pub mod schema_json;
pub mod show;
pub mod time;
pub mod timestamp;
pub mod value_text;
pub mod zone;

pub use batch::Batch;
pub use data_type::DataType;
pub use error::{Condition, ErrorClass, SparkError};
pub use id::{BatchId, QueryId, RunId, TableId};
pub use schema::{StructField, StructType};
pub use time::{EventTime, Millis, SimTime};
pub use zone::Zone;
