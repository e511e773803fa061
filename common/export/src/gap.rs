//! GAP: source that rebuilds the monoids and the games, and checks them.
//!
//! Each monoid is a record with the rows of the action as images of transformations, and with the
//! relations of its presentation; each game is a record with Φ and its rules. The functions before
//! them make a transformation monoid or a finitely presented one, compute outcomes, and check all
//! statements of the records. The other files make the directory a package of GAP, whose games and
//! quotients are objects made of these records.

use misere_game::ruleset::Code;

use super::monoid::{
    FurtherCode, Game, Language, Monoid, list, live_heaps, number_or, quoted, rules,
};

/// GAP as a language of source.
pub(super) enum Gap {}

/// Returns numbers counted from 1, as GAP does.
fn from_one(numbers: impl IntoIterator<Item = u32>) -> String {
    list(numbers.into_iter().map(|number| number + 1))
}

fn number(number: Option<u32>) -> String {
    number_or(number, "fail")
}

impl Language for Gap {
    const FILE: &'static str = "monoids.g";
    const WHAT: &'static str = "Misere quotients for GAP (https://www.gap-system.org).";
    const LIBRARY: &'static str = include_str!("gap/monoids.g");
    const PACKAGE: &'static [(&'static str, &'static str)] = &[
        ("PackageInfo.g", include_str!("gap/PackageInfo.g")),
        ("init.g", include_str!("gap/init.g")),
        ("read.g", include_str!("gap/read.g")),
        ("objects.gd", include_str!("gap/objects.gd")),
        ("objects.gi", include_str!("gap/objects.gi")),
        ("makedoc.g", include_str!("gap/makedoc.g")),
        ("testall.g", include_str!("gap/testall.g")),
    ];

    fn names(names: impl Iterator<Item = (String, &'static str)>) -> String {
        let names = names.map(|(letters, code)| format!("MisereNames.{letters} := \"{code}\";\n"));
        names.collect()
    }

    fn monoid(monoid: &Monoid) -> String {
        let quotient = &monoid.quotient;
        let action = quotient.action().iter();
        let action: Vec<String> = action.map(|row| from_one(row.iter().copied())).collect();
        let relations = monoid.relations.iter().map(|relation| {
            let word = |exponents: &[u32]| list(exponents.iter().copied());
            format!("[{}, {}]", word(&relation.left.0), word(&relation.right.0))
        });
        let relations: Vec<String> = relations.collect();
        format!(
            "\nAdd(MisereMonoids, rec(\n  code := \"{}\",\n  codes := {},\n  class := \"{}\",\n  name := \"{}\",\n  order := {},\n  generators := {},\n  generatorHeaps := {},\n  action := [{}],\n  pPortion := {},\n  relations := [{}]\n));\n",
            monoid.code,
            quoted(monoid.codes.iter().map(ToString::to_string)),
            monoid.class,
            monoid.name.as_deref().unwrap_or(""),
            quotient.order(),
            quoted(monoid.generator_names()),
            list(monoid.generator_heaps.iter().copied()),
            action.join(",\n    "),
            from_one(quotient.p_portion().iter()),
            relations.join(",\n    "),
        )
    }

    fn game(game: &Game) -> String {
        let code = &game.record.code;
        let nim = game.nim_period();
        format!(
            "\nMisereAddGame(rec(\n  code := \"{code}\",\n  rules := {},\n  live := {},\n  status := \"{}\",\n  whole := {},\n  heaps := {},\n  preperiod := {},\n  period := {},\n  tameFrom := {},\n  nimPreperiod := {},\n  nimPeriod := {},\n  phi := {}\n));\n",
            rules(code),
            live_heaps(code),
            game.finding.status().name(),
            game.finding.is_whole(),
            game.record.heaps,
            number(game.preperiod()),
            number(game.period()),
            number(game.tame_from()),
            number(nim.map(|(_, preperiod)| preperiod)),
            number(nim.map(|(period, _)| period)),
            from_one(game.phi.iter().copied()),
        )
    }

    fn alias(of: &Code, further: &FurtherCode<'_>) -> String {
        let code = &further.alias.code;
        format!(
            "\nMisereAddAlias(rec(\n  code := \"{code}\",\n  kept := \"{of}\",\n  sentence := \"{}\",\n  rules := {},\n  live := {},\n  heaps := {},\n  preperiod := {}\n));\n",
            further.sentence,
            rules(code),
            live_heaps(code),
            further.heaps,
            number(further.preperiod),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// GAP writes the day first.
    #[test]
    fn the_package_has_the_date_of_the_release() {
        let citation = include_str!("../../../CITATION.cff");
        let released = citation
            .lines()
            .find_map(|line| line.strip_prefix("date-released: "));
        let parts: Vec<&str> = released.unwrap().split('-').rev().collect();
        let (_, info) = Gap::PACKAGE[0];
        assert!(
            info.contains(&format!("Date := \"{}\"", parts.join("/"))),
            "{info}"
        );
    }
}
