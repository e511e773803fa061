//! A worker that lies, for `tests/month.sh`: `lying-worker LIE URL CA CERT KEY`.
#![allow(clippy::print_stderr, reason = "a program for tests")]

mod lies;

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use misere_census::MemoryClass;
use misere_proto::{CredentialFiles, Security};
use misere_worker::{CHECKPOINT_INTERVAL, GIVE_UP_AFTER, Guards, Isolation, Settings, run_secured};
use tokio::sync::watch;

fn main() -> ExitCode {
    match work(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn work(given: &[String]) -> Result<(), Box<dyn Error>> {
    let [lie, coordinator, authority, certificate, key] = given else {
        return Err("usage: lying-worker lazy|forged URL CA CERT KEY".into());
    };
    let solver = lies::lie(lie).ok_or_else(|| format!("`{lie}` is not a lie known here"))?;
    let files = CredentialFiles {
        authority: authority.into(),
        certificate: certificate.into(),
        key: key.into(),
        revoked: None,
    };
    let settings = Settings {
        coordinator: coordinator.clone(),
        name: lie.clone(),
        slots: 1,
        guards: Guards::default(),
        isolation: Isolation::default(),
        grace: Duration::ZERO,
        sign_of_life: None,
        memory_class: MemoryClass::TOP,
        checkpoint_every: CHECKPOINT_INTERVAL,
        give_up_after: Some(GIVE_UP_AFTER),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let (_stop, stops) = watch::channel(false);
    let security = Security::Files(Box::new(files));
    Ok(runtime.block_on(run_secured(settings, &security, solver, stops))?)
}
