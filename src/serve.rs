//! `misere serve`: a census as a web page.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use misere_coordinator::CoordinatorError;
use misere_web::page::{self, Census, ExtraData};
use tokio::net::TcpListener;

use crate::census_error::CensusError;
use crate::exit::{Exit, Failure};
use crate::logging::LogArgs;
use crate::serving::{self, PageFileArgs};

/// The arguments of `misere serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  misere serve --data census                     then open
                                                 http://127.0.0.1:8117/
  misere serve --data census --open              opens the page in your browser
  misere serve --data census --listen 127.0.0.1:0
      on a free port, which is printed
  misere serve --data census --atlas atlas.json
      with the least games of small quotients
  misere serve --data census --browser-solver target/browser
      with a page that solves games in the browser
  curl http://127.0.0.1:8117/api/v1/games/0.77   what the pages say, for
                                                 programs

The census is only read. A running census is shown as it was some seconds ago,
with a live view; `misere coordinator --http ADDR` serves the same pages itself.
Nothing on the pages is secret, but they are in plaintext and ask no visitor for
a name: for other machines, put a server before the pages that does. Ctrl-C ends
the command.

Exit codes: 0 stopped, 1 failed, 2 usage.")]
pub struct ServeArgs {
    /// The directory of the census
    #[arg(short, long, value_name = "DIR", env = "MISERE_DATA")]
    data: PathBuf,
    /// The address to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8117")]
    listen: SocketAddr,
    /// The greatest heap for normal play of unsolved games, computed when the census is finished
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    normal_heaps: u32,
    #[command(flatten)]
    files: PageFileArgs,
    /// Open the page in the browser: the program that the variable BROWSER names, or that of the
    /// desktop
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    log: LogArgs,
}

/// Runs `misere serve`.
///
/// # Errors
/// A [`Failure`] if the census cannot be read or the address is not available.
pub fn run(args: &ServeArgs) -> Result<Exit, Failure> {
    args.log.start("warn");
    let beside = args.files.read()?;
    let census = Census::in_directory(&args.data).map_err(CensusError::from)?;
    let runtime = serving::runtime().map_err(CensusError::Start)?;
    runtime.block_on(serve(args, census, beside))?;
    runtime.shutdown_background();
    Ok(Exit::Done)
}

async fn serve(args: &ServeArgs, census: Census, beside: ExtraData) -> Result<(), CensusError> {
    let mut stops = serving::stop_signals().map_err(CensusError::Start)?;
    let address = args.listen;
    let cannot = |source| CoordinatorError::Listen { address, source };
    let listener = TcpListener::bind(address).await.map_err(cannot)?;
    let address = listener.local_addr().map_err(cannot)?;
    notice!("serving {} on http://{address}/", args.data.display());
    serving::note_open_pages(address);
    if args.open {
        open(&format!("http://{}/", reachable(address)));
    }
    let router = page::router_with_health(census, args.normal_heaps, beside);
    tokio::select! {
        served = page::serve(listener, router) => {
            served.map_err(|source| CoordinatorError::Listen { address, source })?;
        }
        // The server was stopped, or its signal handler is gone.
        _ = stops.wait_for(|&stop| stop) => {}
    }
    Ok(())
}

/// Returns the address at which a browser of this machine reaches a server.
fn reachable(listening: SocketAddr) -> SocketAddr {
    let port = listening.port();
    match listening.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => (Ipv4Addr::LOCALHOST, port).into(),
        IpAddr::V6(ip) if ip.is_unspecified() => (Ipv6Addr::LOCALHOST, port).into(),
        ip => (ip, port).into(),
    }
}

/// The program of the desktop that opens an address.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};

/// Opens an address in the browser. The server continues without one.
fn open(address: &str) {
    let named = std::env::var_os("BROWSER").filter(|name| !name.is_empty());
    let program = named.unwrap_or_else(|| OPENER.into());
    let started = Command::new(&program)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    match started {
        // A browser may run as long as the server.
        Ok(mut browser) => drop(std::thread::Builder::new().spawn(move || browser.wait())),
        Err(error) => notice!(
            "note: cannot start {} ({error}); open the address yourself",
            program.to_string_lossy()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_sent_to_an_address_that_it_can_reach() {
        let reached = ["0.0.0.0:80", "[::]:80", "127.0.0.1:8117", "192.0.2.7:1"]
            .map(|address| reachable(address.parse().unwrap()).to_string());
        assert_eq!(
            reached,
            ["127.0.0.1:80", "[::1]:80", "127.0.0.1:8117", "192.0.2.7:1"]
        );
    }
}
