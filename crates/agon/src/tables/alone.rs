//! `--part` without the feature `timely`: a process works alone.

use super::part::Work;
use crate::cli::{Shared, Solve};
use crate::erased::tables::{AnyTables, TableRequest};
use crate::failure::Failure;
use agon_core::Ctx;

/// Solves the tables that are asked for.
pub(super) fn solve(
    args: &Solve,
    tables: &dyn AnyTables,
    request: &TableRequest<'_>,
    ctx: &Ctx,
    _shared: &Shared,
) -> Result<Work, Failure> {
    if args.processes > 1 || args.process.is_some() || args.hosts.is_some() {
        return Err(Failure::Usage(
            "--processes needs an agon that was built with the feature `timely`: cargo install agon --features timely"
                .into(),
        ));
    }
    let (found, solved) = tables.solve(request, ctx)?;
    Ok(Work::Done { found, solved, sent: None })
}
