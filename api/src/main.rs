//! The `hallpass` binary: reads the command line, does what it says, and ends with a status that a
//! script can use (0 done, 1 failed, 2 refused as configured).

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    api::cli::main().await
}
