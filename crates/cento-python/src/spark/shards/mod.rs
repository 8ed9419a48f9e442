//! Shards that the executors of Spark fill and ask. Orders, what was built and what is asked travel as
//! JSON, texts and portions as columns.

mod asking;
mod filling;
mod work;

pub(crate) use asking::shards_asking;
pub(crate) use filling::Shards;
pub(crate) use work::{Counter, NewDocuments, ShardWork};

use std::sync::{Mutex, MutexGuard, PoisonError};

use arrow_array::RecordBatch;
use pyo3::prelude::*;
use serde::de::DeserializeOwned;

use super::columns::column;
use crate::arrow::Texts;
use crate::error::CentoError;

/// A column of texts, of which some may be missing.
fn strings(rows: &RecordBatch, name: &str) -> PyResult<Texts> {
    Texts::of_array(column(rows, name)?)
}

fn changed(name: &str) -> PyErr {
    CentoError::new_err(format!("the engine has changed the column {name}"))
}

fn read<T: DeserializeOwned>(text: &str) -> PyResult<T> {
    let wrong = |_| CentoError::new_err("an order of another version of Cento; install one");
    serde_json::from_str(text).map_err(wrong)
}

fn read_all<T: DeserializeOwned>(texts: &[String]) -> PyResult<Vec<T>> {
    texts.iter().map(|text| read(text)).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
