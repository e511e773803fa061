//! Compiles the protocol without `protoc`.
//!
//! protox reads the files, and tonic-prost-build writes Rust into `OUT_DIR`.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let files = [
        "census/v1/common.proto",
        "census/v1/worker.proto",
        "census/v1/checker.proto",
        "census/v1/query.proto",
        "census/v1/control.proto",
    ];
    for file in files {
        println!("cargo::rerun-if-changed={file}");
    }
    let descriptors = protox::compile(files, ["."])?;
    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
}
