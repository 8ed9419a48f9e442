//! One file per verb.

pub(crate) mod archive;
pub(crate) mod attack;
mod attack_table;
pub(crate) mod compare;
pub(crate) mod config;
pub(crate) mod dedupe;
pub(crate) mod eval;
mod eval_figures_text;
mod eval_pan_text;
mod eval_retrieval_text;
mod eval_text;
pub(crate) mod explain;
pub(crate) mod forget;
pub(crate) mod mail;
pub(crate) mod plan;
pub(crate) mod recipes;
pub(crate) mod register;
pub(crate) mod registry;
pub(crate) mod scan;
pub(crate) mod serve;
pub(crate) mod shell;
pub(crate) mod verify;
pub(crate) mod verify_case;
pub(crate) mod watch;
