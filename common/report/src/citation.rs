//! References to the program, a census, a game, a class and a query, for papers that use them.
//!
//! A reference names what never changes: the key of a class is the hash of its canonical form, the
//! digest of a census names all of its records, and the hash of a certificate names one proof. No
//! reference has a date, so the same data are always cited alike.

use misere_game::bipartite::ClassKey;
use misere_game::ruleset::Code;
use serde::Serialize;

/// The authors, as in CITATION.cff.
pub const AUTHORS: &str = "the misere-census maintainers";

/// The title of the program, as in CITATION.cff except for its accent.
pub const TITLE: &str =
    "misere-census: misère quotients of impartial games, computed, proved, stored and published";

/// The version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The year of the release of this version, as in CITATION.cff.
pub const YEAR: u16 = 2026;

/// Returns the address of the project, once a release has one.
///
/// ```
/// use misere_report::citation::address;
/// assert!(address().is_none_or(|address| address.starts_with("https://")));
/// ```
#[must_use]
pub fn address() -> Option<&'static str> {
    let address = env!("CARGO_PKG_REPOSITORY");
    (!address.is_empty() && !address.ends_with(".invalid")).then_some(address)
}

/// The number of digits of a hash in a label.
const LABEL_DIGITS: usize = 8;

/// A reference.
///
/// ```
/// use misere_report::citation::Reference;
/// let program = Reference::program();
/// assert!(program.bibtex().starts_with("@misc{misere-census,\n"));
/// assert!(program.bibtex().contains(r"mis{\`e}re quotients"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reference {
    /// The name of the reference within a bibliography: letters, digits, points and hyphens.
    pub label: String,
    /// The title.
    pub title: String,
    /// The sentences that name version, digest and hashes.
    pub notes: Vec<String>,
}

/// A certificate of a game in a census.
#[derive(Clone, Copy, Debug)]
pub struct CitedGame<'a> {
    /// The code under which the game is cited.
    pub code: &'a Code,
    /// A sentence on what is known of the game.
    pub known: &'a str,
    /// The code under which the census keeps the certificate.
    pub kept_as: &'a Code,
    /// The bytes of the certificate.
    pub certificate: &'a [u8],
}

impl Reference {
    /// Returns the reference to the program.
    #[must_use]
    pub fn program() -> Self {
        Self::of("misere-census".to_owned(), TITLE.to_owned(), [])
    }

    /// Returns the reference to a census with a digest.
    #[must_use]
    pub fn census(space: &str, digest: &str) -> Self {
        Self::of(
            format!("misere-census-{}", short(digest)),
            format!("A census of misère quotients: {space}"),
            [census_note(digest)],
        )
    }

    /// Returns the reference to a game of a census.
    #[must_use]
    pub fn game(game: CitedGame<'_>, digest: &str) -> Self {
        let CitedGame {
            code,
            known,
            kept_as,
            certificate,
        } = game;
        let hash = blake3::hash(certificate).to_hex();
        let name = code.name().map(|name| format!(" ({name})"));
        let kept = match kept_as == code {
            true => String::new(),
            false => format!(" of {kept_as}, the same game,"),
        };
        Self::of(
            format!("misere-game-{}", plain(&code.to_string())),
            format!("The game {code}{} in misère play", name.unwrap_or_default()),
            [
                known.to_owned(),
                format!("certificate{kept} with BLAKE3 hash {hash}"),
                census_note(digest),
            ],
        )
    }

    /// Returns the reference to a class of quotients.
    ///
    /// It needs no census, since the key identifies the class.
    #[must_use]
    pub fn class(class: &ClassKey, name: Option<&str>, order: Option<u64>) -> Self {
        let key = class.to_string();
        let label = class.label().map(|label| label.to_string());
        let name = name.or(label.as_deref()).map(|name| format!(" {name}"));
        let order = order.map(|order| format!(" of order {order}"));
        let label = label.map(|label| format!("label {label}"));
        Self::of(
            format!("misere-class-{}", class.brief()),
            format!(
                "The misère quotient{}{}, up to isomorphism",
                name.unwrap_or_default(),
                order.unwrap_or_default()
            ),
            label.into_iter().chain([format!("class with key {key}")]),
        )
    }

    /// Returns the reference to the games of a census that satisfy conditions.
    #[must_use]
    pub fn query(conditions: &str, found: u64, digest: &str) -> Self {
        let asked = blake3::hash(format!("{digest} {conditions}").as_bytes()).to_hex();
        let games = match found {
            1 => "1 game".to_owned(),
            found => format!("{found} games"),
        };
        Self::of(
            format!("misere-query-{}", short(&asked)),
            format!("Games of a census of misère quotients with {conditions}"),
            [games, census_note(digest)],
        )
    }

    fn of(label: String, title: String, notes: impl IntoIterator<Item = String>) -> Self {
        let program = format!("misere-census, version {VERSION}");
        Self {
            label,
            title,
            notes: notes.into_iter().chain([program]).collect(),
        }
    }

    /// Formats the reference for BibTeX.
    #[must_use]
    pub fn bibtex(&self) -> String {
        let notes = self.notes.join("; ");
        let url = address().map(|address| format!("  url = {{{address}}},\n"));
        format!(
            "@misc{{{},\n  author = {{{{{AUTHORS}}}}},\n  title = {{{}}},\n  year = {{{YEAR}}},\n{}  note = {{{}}}\n}}\n",
            self.label,
            tex(&self.title),
            url.unwrap_or_default(),
            tex(&capital(&notes))
        )
    }

    /// Formats the reference as a line of text.
    #[must_use]
    pub fn text(&self) -> String {
        let authors = capital(AUTHORS);
        format!(
            "{authors} ({YEAR}). {}. {}.\n",
            self.title,
            capital(&self.notes.join("; "))
        )
    }
}

fn census_note(digest: &str) -> String {
    format!("census with digest {digest}")
}

fn short(hash: &str) -> &str {
    hash.get(..LABEL_DIGITS).unwrap_or(hash)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Replaces every character that a label must not have by `_`.
fn plain(text: &str) -> String {
    let letters = text.chars().map(|c| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '-' => c,
        _ => '_',
    });
    letters.take(60).collect()
}

/// Escapes a text for TeX: accents and characters that are special to TeX.
fn tex(text: &str) -> String {
    let mut set = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'è' => set.push_str(r"{\`e}"),
            '_' | '&' | '%' | '#' | '$' | '{' | '}' => {
                set.push('\\');
                set.push(c);
            }
            '\\' => set.push_str(r"\textbackslash{}"),
            '^' => set.push_str(r"\^{}"),
            '~' => set.push_str(r"\~{}"),
            '*' => set.push_str(r"$*$"),
            '|' => set.push_str(r"$|$"),
            '<' | '>' => set.push_str(&format!("${c}$")),
            c => set.push(c),
        }
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_citation_file_names_the_same_program() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../CITATION.cff");
        let file = std::fs::read_to_string(file).unwrap();
        for line in [
            format!("title: \"{TITLE}\""),
            format!("  - name: \"{AUTHORS}\""),
            format!("version: {VERSION}"),
        ] {
            assert!(file.lines().any(|other| other == line), "{line}");
        }
        let released = format!("date-released: {YEAR}-");
        assert!(file.lines().any(|line| line.starts_with(&released)));
    }

    #[test]
    fn references_name_what_never_changes() {
        let digest = "0475e209".repeat(8);
        let code: Code = "4.4".parse().unwrap();
        let kept_as: Code = "0.77".parse().unwrap();
        let game = Reference::game(
            CitedGame {
                code: &code,
                known: "wild, solved",
                kept_as: &kept_as,
                certificate: b"proof",
            },
            &digest,
        );
        assert_eq!(game.label, "misere-game-4.4");
        let text = game.text();
        for said in ["4.4", "of 0.77, the same game", &digest, VERSION] {
            assert!(text.contains(said), "{text}");
        }
        let census = Reference::census("octal codes", &digest);
        assert_eq!(census.label, "misere-census-0475e209");
        let one = Reference::query("order=8", 1, &digest);
        assert_ne!(one.label, Reference::query("order=9", 1, &digest).label);
        assert!(
            one.text().contains(" 1 game;") || one.text().contains("1 game;"),
            "{}",
            one.text()
        );
    }

    #[test]
    fn braces_of_a_game_stay_balanced_in_bibtex() {
        assert_eq!(tex("{*2,0} 5% a_b"), r"\{$*$2,0\} 5\% a\_b");
    }
}
