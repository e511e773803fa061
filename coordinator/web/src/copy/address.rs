//! The file that holds the page at an address.
//!
//! ```text
//! /                          index.html
//! /games?offset=1000         games-2.html
//! /game/0.77                 game/0.77.html, with 0.77.growth.svg, 0.77.certificate, 0.77.json
//! /class/KEY                 class/KEY.html, with KEY.cayley.svg, KEY.idempotents.svg
//! /quotients/8               quotients/8.html
//! /atlas/22?offset=500       atlas/22-2.html
//! ```

use std::collections::{BTreeMap, BTreeSet};

use misere_census::atlas::Atlas;
use misere_game::bipartite::ClassKey;
use misere_store::{Store, StoreError};

use super::{GAMES_ON_A_PAGE, each_record};
use crate::request::params::encoded;
use crate::view::atlas;
use crate::view::extra_data::ExtraData;
use crate::view::occurring::Occurrences;

/// The address of the page about the files, which is not on a server.
pub(super) const DATA: &str = "/data";

/// The greatest length of the name of a game in the name of a file.
const MAX_GAME_NAME: usize = 120;

/// The pages of the copy.
#[derive(Debug)]
pub(super) struct Places {
    codes: BTreeSet<String>,
    /// The keys of the classes, by the names in their addresses.
    classes: BTreeMap<String, ClassKey>,
    orders: BTreeSet<u32>,
    /// The lists of the atlas, each with the number of its quotients.
    ///
    /// There is one for each order, and one (`None`) of all quotients that some game has.
    atlas: BTreeMap<Option<u32>, usize>,
    records: u64,
    has_games: bool,
    /// Whether the solver for browsers is there.
    solves: bool,
}

/// The place to which an address leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A file, with the rest of the address behind its name.
    File(String, String),
    /// A thing that the census lacks.
    Nowhere,
    /// An address that only a server answers.
    Server,
}

impl Places {
    pub(super) fn of(store: &Store, beside: &ExtraData) -> Result<Self, StoreError> {
        let mut codes = BTreeSet::new();
        let mut classes = BTreeMap::new();
        let mut orders = BTreeSet::new();
        let mut records = 0;
        each_record(store, |game| {
            records += 1;
            codes.extend(game.record.codes().map(ToString::to_string));
            Ok(())
        })?;
        let occurring = Occurrences::of(store)?;
        for (&order, found) in &occurring.0 {
            orders.insert(order);
            classes.extend(
                found
                    .iter()
                    .map(|one| (one.class.lasting_name(), one.class)),
            );
        }
        let levels: Vec<u8> = store.levels().map(|level| level.order).collect();
        for order in levels {
            orders.insert(order.into());
            for quotient in store.quotients(order)? {
                classes.insert(quotient.class.lasting_name(), quotient.class);
                codes.extend(quotient.games.iter().map(|(code, _)| code.to_string()));
            }
        }
        // The games of a census of quotients have no pages.
        let mut known = BTreeSet::new();
        for code in codes {
            if let Ok(parsed) = code.parse()
                && store.game(&parsed)?.is_some()
            {
                known.insert(code);
            }
        }
        Ok(Self {
            codes: known,
            classes,
            orders,
            atlas: beside.atlas.as_ref().map(lists).unwrap_or_default(),
            solves: beside.browser_solver.is_some(),
            records,
            has_games: store.plan().space().has_games(),
        })
    }

    pub(super) fn has_games(&self) -> bool {
        self.has_games
    }

    pub(super) fn solves(&self) -> bool {
        self.solves
    }

    pub(super) fn records(&self) -> u64 {
        self.records
    }

    pub(super) fn games(&self) -> impl Iterator<Item = &str> {
        self.codes.iter().map(String::as_str)
    }

    /// Returns two games to search for: those of `usual` that exist, otherwise the first ones.
    pub(super) fn examples<'a>(&'a self, usual: &[&'a str]) -> Vec<&'a str> {
        let known = usual
            .iter()
            .copied()
            .filter(|&code| self.codes.contains(code));
        let others = self.games().filter(|code| !usual.contains(code));
        known.chain(others).take(2).collect()
    }

    /// Iterates over the classes that have a page, with the names in their addresses.
    pub(super) fn classes(&self) -> impl Iterator<Item = (&str, &ClassKey)> {
        self.classes
            .iter()
            .map(|(name, class)| (name.as_str(), class))
    }

    pub(super) fn orders(&self) -> impl Iterator<Item = u32> {
        self.orders.iter().copied()
    }

    /// Returns the addresses of the lists of the atlas, each with the number of its quotients.
    pub(super) fn atlas(&self) -> impl Iterator<Item = (String, usize)> {
        self.atlas.iter().map(|(order, &listed)| match order {
            None => ("/atlas".to_owned(), listed),
            Some(order) => (format!("/atlas/{order}"), listed),
        })
    }

    /// Returns the place of a part of a list of the atlas.
    fn part(&self, order: Option<u32>, asked: &str) -> Option<String> {
        let listed = self.atlas.get(&order)?;
        let offset = asked.strip_prefix("offset=").unwrap_or("0");
        let offset: usize = offset.parse().ok()?;
        let name = order.map_or("atlas".to_owned(), |order| format!("atlas/{order}"));
        match offset / atlas::ON_A_PAGE {
            0 => Some(format!("{name}.html")),
            part if offset < *listed => Some(format!("{name}-{}.html", part + 1)),
            _ => None,
        }
    }

    /// Returns the address of a game.
    pub(super) fn game(code: &str) -> String {
        format!("/game/{}", encoded(code))
    }

    /// Returns the file at an address, if there is one.
    pub(super) fn file(&self, address: &str) -> Option<String> {
        match self.target("", address) {
            Target::File(file, _) => Some(file),
            Target::Nowhere | Target::Server => None,
        }
    }

    /// Returns the place to which an address on the page at another address leads.
    pub(super) fn target(&self, from: &str, address: &str) -> Target {
        let (address, fragment) = match address.split_once('#') {
            Some((address, fragment)) => (address, format!("#{fragment}")),
            None => (address, String::new()),
        };
        let (path, asked) = address.split_once('?').unwrap_or((address, ""));
        let page = |name: &str| Target::File(format!("{name}.html"), fragment.clone());
        let when = |is_there: bool, file: String| match is_there {
            true => Target::File(file, fragment.clone()),
            false => Target::Nowhere,
        };
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        match parts.as_slice() {
            [""] => page("index"),
            ["games"] => self.list(from, asked).unwrap_or_else(|| page("games")),
            ["games.csv"] => Target::File("games.csv".to_owned(), String::new()),
            ["search"] => Target::File("search.html".to_owned(), query(asked)),
            ["quotients"] => page("quotients"),
            ["atlas"] => match self.part(None, asked) {
                Some(file) => when(true, file),
                None => Target::Nowhere,
            },
            ["atlas", order] => {
                let order = order.parse().ok();
                match order.and_then(|order| self.part(Some(order), asked)) {
                    Some(file) => when(true, file),
                    None => Target::Nowhere,
                }
            }
            ["solve"] => when(self.solves, "solve.html".to_owned()),
            ["solver", name] => when(self.solves, format!("solver/{name}")),
            ["glossary"] => page("glossary"),
            ["open"] if self.has_games => page("open"),
            ["about"] => page("about"),
            ["data"] => page("data"),
            ["quotients", order] => {
                let known = order
                    .parse()
                    .is_ok_and(|order| self.orders.contains(&order));
                when(known, format!("quotients/{order}.html"))
            }
            ["class", key] => when(self.classes.contains_key(*key), format!("class/{key}.html")),
            ["class", key, picture] => when(
                self.classes.contains_key(*key),
                format!("class/{key}.{picture}"),
            ),
            // A game that the census lacks is solved in the browser.
            ["game", code] if self.solves && !self.has(code) => {
                Target::File("solve.html".to_owned(), format!("#{code}"))
            }
            ["game", code] => when(self.has(code), format!("game/{}.html", stem_of(code))),
            // The computer answers each move.
            ["game", _, "play"] => Target::Server,
            ["game", code, file] => {
                let stem = stem_of(code);
                let ending = match *file {
                    "certificate.json" => "json",
                    file => file,
                };
                when(self.has(code), format!("game/{stem}.{ending}"))
            }
            ["assets", name] => Target::File(format!("assets/{name}"), String::new()),
            _ => Target::Server,
        }
    }

    fn has(&self, encoded: &str) -> bool {
        decoded(encoded).is_some_and(|code| self.codes.contains(&code))
    }

    /// Returns the place of a list of games; `None` for the first part of all games.
    fn list(&self, from: &str, asked: &str) -> Option<Target> {
        let asked: Vec<(&str, &str)> = asked
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .filter(|(name, _)| *name != "limit")
            .collect();
        let class = asked.iter().find(|(name, _)| name.ends_with("class"));
        match (asked.as_slice(), class) {
            ([], _) => None,
            ([("offset", offset)], _) => {
                let part = offset.parse().unwrap_or(0) / GAMES_ON_A_PAGE;
                (part > 0).then(|| Target::File(format!("games-{}.html", part + 1), String::new()))
            }
            // The page of the class lists its games, and needs no script.
            (_, Some((_, class)))
                if self.classes.contains_key(*class) && from != format!("/class/{class}") =>
            {
                Some(Target::File(
                    format!("class/{class}.html"),
                    "#places-title".to_owned(),
                ))
            }
            _ => {
                let pairs: Vec<String> = asked
                    .iter()
                    .map(|(name, value)| format!("{name}={value}"))
                    .collect();
                Some(Target::File(
                    "search.html".to_owned(),
                    query(&pairs.join("&")),
                ))
            }
        }
    }
}

/// Returns the lists of an atlas, each with the number of its quotients.
fn lists(of: &Atlas) -> BTreeMap<Option<u32>, usize> {
    let orders: BTreeSet<u32> = of.entries().iter().map(|entry| entry.order).collect();
    let orders = [None].into_iter().chain(orders.into_iter().map(Some));
    orders
        .map(|order| (order, atlas::listed(of, order).len()))
        .collect()
}

fn query(asked: &str) -> String {
    match asked {
        "" => String::new(),
        asked => format!("?{asked}"),
    }
}

/// Returns the name of a game in the names of its files.
///
/// It is the code where every system takes it. Otherwise other characters become `_` and two
/// digits, or the name is a hash if that is too long.
pub(super) fn stem(code: &str) -> String {
    let mut stem = String::with_capacity(code.len());
    for byte in code.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' => stem.push(char::from(byte)),
            _ => stem.push_str(&format!("_{byte:02X}")),
        }
    }
    match stem.len() <= MAX_GAME_NAME {
        true => stem,
        false => blake3::hash(code.as_bytes()).to_hex()[..32].to_owned(),
    }
}

fn stem_of(encoded: &str) -> String {
    stem(&decoded(encoded).unwrap_or_default())
}

/// Decodes a part of an address (RFC 3986).
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let value = digit(rest.next()?)? * 16 + digit(rest.next()?)?;
                u8::try_from(value).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Places {
        pub(in crate::copy) fn sample() -> Self {
            Self {
                codes: ["0.77", "4.4", "{*2,0}"].map(str::to_owned).into(),
                classes: [("c3".to_owned(), ClassKey([3; 32]))].into(),
                orders: [8].into(),
                atlas: [(None, 3), (Some(22), 1_200)].into(),
                records: 2_500,
                has_games: true,
                solves: false,
            }
        }
    }

    #[test]
    fn games_that_the_census_lacks_are_solved_where_the_solver_is() {
        let mut places = Places::sample();
        assert_eq!(places.target("/", "/game/0.1"), Target::Nowhere);
        assert_eq!(places.target("/", "/solve"), Target::Nowhere);
        places.solves = true;
        let at = |fragment: &str| Target::File("solve.html".to_owned(), fragment.to_owned());
        assert_eq!(places.target("/", "/game/0.1"), at("#0.1"));
        assert_eq!(places.target("/", "/solve#0.77"), at("#0.77"));
        let game = Target::File("game/0.77.html".to_owned(), String::new());
        assert_eq!(places.target("/", "/game/0.77"), game);
    }

    #[test]
    fn examples_are_games_of_the_census() {
        let places = Places::sample();
        assert_eq!(places.examples(&["0.77", "4.4"]), ["0.77", "4.4"]);
        assert_eq!(places.examples(&["4.4", "0.07"]), ["4.4", "0.77"]);
        assert_eq!(places.examples(&[]), ["0.77", "4.4"]);
    }

    #[test]
    fn addresses_lead_to_files() {
        let places = Places::sample();
        for (address, file, behind) in [
            ("/", "index.html", ""),
            ("/games", "games.html", ""),
            ("/games?limit=1000&offset=0", "games.html", ""),
            ("/games?limit=1000&offset=2000", "games-3.html", ""),
            (
                "/games?sort=order&descending=1",
                "search.html",
                "?sort=order&descending=1",
            ),
            ("/games?code=0.4%3F", "search.html", "?code=0.4%3F"),
            ("/games?any-class=c3", "class/c3.html", "#places-title"),
            ("/game/0.77", "game/0.77.html", ""),
            ("/game/%7B%2A2%2C0%7D", "game/_7B_2A2_2C0_7D.html", ""),
            ("/game/4.4/growth.svg", "game/4.4.growth.svg", ""),
            ("/game/4.4/certificate.json", "game/4.4.json", ""),
            ("/class/c3/cayley.svg", "class/c3.cayley.svg", ""),
            ("/quotients/8", "quotients/8.html", ""),
            ("/atlas", "atlas.html", ""),
            ("/atlas/22", "atlas/22.html", ""),
            ("/atlas/22?offset=1000", "atlas/22-3.html", ""),
            ("/glossary#wild", "glossary.html", "#wild"),
            ("/search?q=R_8", "search.html", "?q=R_8"),
        ] {
            let expected = Target::File(file.to_owned(), behind.to_owned());
            assert_eq!(
                places.target("/quotients/8", address),
                expected,
                "{address}"
            );
        }
        let on_its_page = places.target("/class/c3", "/games?any-class=c3");
        assert_eq!(
            on_its_page,
            Target::File("search.html".to_owned(), "?any-class=c3".to_owned())
        );
        for address in [
            "/game/0.6",
            "/game/%ff",
            "/game/%7",
            "/class/c4",
            "/quotients/9",
        ] {
            assert_eq!(places.target("/", address), Target::Nowhere, "{address}");
        }
        for address in [
            "/live",
            "/api",
            "/api/v1/games?order=8",
            "/game/0.77/play",
            "/healthz",
        ] {
            assert_eq!(places.target("/", address), Target::Server, "{address}");
        }
    }

    #[test]
    fn names_of_files_are_short_and_plain() {
        assert_eq!(stem("0.123"), "0.123");
        assert_ne!(stem("a_b"), stem("a/b"));
        let long = stem(&"{*2,0}".repeat(500));
        assert!(long.len() <= MAX_GAME_NAME, "{long}");
        assert_ne!(long, stem(&"{*2,0}".repeat(501)));
    }
}
