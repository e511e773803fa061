//! A presentation in the languages of other programs: GAP and Sage.

use misere_game::monoid::readable::Readable;
use misere_game::monoid::word::Word;

/// Returns the quotient as a finitely presented monoid of GAP, and its P-portion.
pub(super) fn gap(readable: &Readable) -> String {
    let names = quoted(readable);
    let word =
        |word: &Word, of: &str| product(word, of, 1, &format!("One({})", of[..1].to_uppercase()));
    let generators = readable.generators.len();
    let commuting = (1..=generators)
        .flat_map(|y| (1..y).map(move |x| format!("[f[{x}]*f[{y}], f[{y}]*f[{x}]]")));
    let relations = readable.relations.iter();
    let relations = relations.map(|relation| {
        format!(
            "[{}, {}]",
            word(&relation.left, "f"),
            word(&relation.right, "f")
        )
    });
    let relations: Vec<String> = commuting.chain(relations).collect();
    let p_portion: Vec<String> = readable.p_portion.iter().map(|x| word(x, "q")).collect();
    format!(
        "F := FreeMonoid({names});; f := GeneratorsOfMonoid(F);;\n\
         Q := F / [{}];; q := GeneratorsOfMonoid(Q);;\n\
         P := [{}];;",
        relations.join(", "),
        p_portion.join(", ")
    )
}

/// Returns the quotient for Sage, as monomials of a ring modulo an ideal, and its P-portion.
pub(super) fn sage(readable: &Readable) -> String {
    let names = quoted(readable);
    let word = |word: &Word| product(word, "g", 0, "R(1)");
    let relations = readable.relations.iter();
    let relations: Vec<String> = relations
        .map(|relation| format!("{} - {}", word(&relation.left), word(&relation.right)))
        .collect();
    let p_portion: Vec<String> = readable.p_portion.iter().map(word).collect();
    format!(
        "R = PolynomialRing(QQ, [{names}]); g = R.gens()\n\
         I = R.ideal([{}])  # the elements: I.normal_basis()\n\
         P = [I.reduce(x) for x in [{}]]",
        relations.join(", "),
        p_portion.join(", ")
    )
}

/// Returns the names of the generators, in quotation marks.
fn quoted(readable: &Readable) -> String {
    let names = readable
        .names()
        .into_iter()
        .map(|name| format!("\"{name}\""));
    names.collect::<Vec<_>>().join(", ")
}

/// Returns a word as a product of the generators of a list whose first has the number `first`.
fn product(word: &Word, list: &str, first: usize, one: &str) -> String {
    let powers = word.0.iter().enumerate().filter(|(_, power)| **power > 0);
    let powers = powers.map(|(at, power)| match power {
        1 => format!("{list}[{}]", at + first),
        power => format!("{list}[{}]^{power}", at + first),
    });
    let powers: Vec<String> = powers.collect();
    match powers.is_empty() {
        true => one.to_owned(),
        false => powers.join("*"),
    }
}

#[cfg(test)]
mod tests {
    use misere_game::bipartite::families::by_name;

    use super::*;

    #[test]
    fn relations_are_products_of_generators() {
        let t_2 = Readable::of(&by_name("T_2").unwrap());
        assert_eq!(
            gap(&t_2),
            "F := FreeMonoid(\"a\", \"b\");; f := GeneratorsOfMonoid(F);;\n\
             Q := F / [[f[1]*f[2], f[2]*f[1]], [f[1]^2, One(F)], [f[2]^3, f[2]]];; \
             q := GeneratorsOfMonoid(Q);;\n\
             P := [q[1], q[2]^2];;"
        );
        assert_eq!(
            sage(&t_2),
            "R = PolynomialRing(QQ, [\"a\", \"b\"]); g = R.gens()\n\
             I = R.ideal([g[0]^2 - R(1), g[1]^3 - g[1]])  # the elements: I.normal_basis()\n\
             P = [I.reduce(x) for x in [g[0], g[1]^2]]"
        );
    }
}
