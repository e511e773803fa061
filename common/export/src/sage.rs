//! Sage: Python source that rebuilds the monoids and the games, and checks them.
//!
//! It needs only Python, so it runs without Sage as well.

use misere_game::ruleset::Code;

use super::monoid::{
    FurtherCode, Game, Language, Monoid, list, live_heaps, number_or, quoted, rules,
};

/// Python as a language of source.
pub(super) enum Sage {}

fn number(number: Option<u32>) -> String {
    number_or(number, "None")
}

impl Language for Sage {
    const FILE: &'static str = "monoids.py";
    const WHAT: &'static str = "Misere quotients for Sage (https://www.sagemath.org) and Python 3.";
    const LIBRARY: &'static str = include_str!("monoids.py");
    const PACKAGE: &'static [(&'static str, &'static str)] = &[];

    fn names(names: impl Iterator<Item = (String, &'static str)>) -> String {
        let names = names.map(|(letters, code)| format!("    \"{letters}\": \"{code}\""));
        format!(
            "NAMES.update({{\n{}\n}})\n",
            names.collect::<Vec<_>>().join(",\n")
        )
    }

    fn monoid(monoid: &Monoid) -> String {
        let quotient = &monoid.quotient;
        let action = quotient.action().iter();
        let action: Vec<String> = action.map(|row| list(row.iter().copied())).collect();
        let relations = monoid.relations.iter().map(|relation| {
            let word = |exponents: &[u32]| list(exponents.iter().copied());
            format!("({}, {})", word(&relation.left.0), word(&relation.right.0))
        });
        let relations: Vec<String> = relations.collect();
        let name = monoid.name.as_deref();
        let name = name.map_or("None".to_owned(), |name| format!("\"{name}\""));
        format!(
            "\nMONOIDS.append(MisereQuotient(\n    code=\"{}\",\n    codes={},\n    class_key=\"{}\",\n    name={name},\n    order={},\n    generators={},\n    generator_heaps={},\n    action=[{}],\n    p_portion={},\n    relations=[{}],\n))\n",
            monoid.code,
            quoted(monoid.codes.iter().map(ToString::to_string)),
            monoid.class,
            quotient.order(),
            quoted(monoid.generator_names()),
            list(monoid.generator_heaps.iter().copied()),
            action.join(",\n    "),
            list(quotient.p_portion().iter()),
            relations.join(",\n    "),
        )
    }

    fn game(game: &Game) -> String {
        let code = &game.record.code;
        let nim = game.nim_period();
        let whole = if game.finding.is_whole() {
            "True"
        } else {
            "False"
        };
        format!(
            "\nadd_game(\n    code=\"{code}\",\n    rules={},\n    live={},\n    status=\"{}\",\n    whole={whole},\n    heaps={},\n    preperiod={},\n    period={},\n    tame_from={},\n    nim_preperiod={},\n    nim_period={},\n    phi={},\n)\n",
            rules(code),
            live_heaps(code),
            game.finding.status().name(),
            game.record.heaps,
            number(game.preperiod()),
            number(game.period()),
            number(game.tame_from()),
            number(nim.map(|(_, preperiod)| preperiod)),
            number(nim.map(|(period, _)| period)),
            list(game.phi.iter().copied()),
        )
    }

    fn alias(of: &Code, further: &FurtherCode<'_>) -> String {
        let code = &further.alias.code;
        format!(
            "\nadd_alias(\n    code=\"{code}\",\n    of=\"{of}\",\n    sentence=\"{}\",\n    rules={},\n    live={},\n    heaps={},\n    preperiod={},\n)\n",
            further.sentence,
            rules(code),
            live_heaps(code),
            further.heaps,
            number(further.preperiod),
        )
    }
}
