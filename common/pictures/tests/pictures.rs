//! Tests that the pictures are well formed, complete and deterministic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use misere_engine::quotient::{Limits, Strategy, solve};
use misere_game::bipartite::families::{restive, tame};
use misere_game::bipartite::idempotents::Idempotents;
use misere_game::bipartite::{BipartiteMonoid, Element};
use misere_game::control::Control;
use misere_game::monoid::word::lex_least_words;
use misere_game::solution::{Solution, SolvedBy, Verdict};
use misere_pictures::{GrowthPlot, MAX_ELEMENTS, cayley_graph, growth, idempotent_order};

fn names(monoid: &BipartiteMonoid) -> Vec<String> {
    lex_least_words(monoid)
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn solved(code: &str, fuel: u64) -> Solution {
    let mut control = Control::new(fuel, Default::default());
    let limits = Limits::default();
    solve(
        &code.parse().unwrap(),
        &limits,
        Strategy::Exact,
        &mut control,
    )
}

/// Parses the picture.
///
/// It checks that there is a title and a description, and that nothing is fetched and nothing runs.
fn parsed(svg: &str) -> roxmltree::Document<'_> {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
    let root = document.root_element();
    let named = |name: &str| {
        root.children()
            .find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", name)))
    };
    assert!(named("title").unwrap().text().unwrap().len() > 5);
    assert!(named("desc").unwrap().text().unwrap().len() > 20);
    assert!(svg.contains("prefers-color-scheme:dark"));
    for forbidden in ["<script", "href", "url(", "NaN", "inf "] {
        assert!(!svg.contains(forbidden), "{forbidden}");
    }
    let number = |name: &str| -> f64 { root.attribute(name).unwrap().parse().unwrap() };
    assert!(number("width") > 100.0 && number("height") > 60.0);
    document
}

fn quotients() -> Vec<BipartiteMonoid> {
    let mut all = vec![
        BipartiteMonoid::trivial(),
        tame(1),
        tame(2),
        tame(6),
        restive(2).unwrap(),
    ];
    all.extend(["0.123", "0.34", "0.241"].map(|code| solved(code, 10_000_000).quotient));
    all
}

#[test]
fn a_cayley_graph_shows_every_element_and_every_arrow() {
    for quotient in quotients() {
        let picture = cayley_graph("Q", &quotient, &names(&quotient));
        assert_eq!(picture, cayley_graph("Q", &quotient, &names(&quotient)));
        let document = parsed(&picture);
        let nodes = document
            .descendants()
            .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "g")));
        let titled = nodes.filter(|node| {
            let first = node.first_element_child();
            first.is_some_and(|first| first.has_tag_name(("http://www.w3.org/2000/svg", "title")))
        });
        assert_eq!(titled.count(), quotient.order());
        // Arrows in both directions are drawn once, fixed elements as a dot; repetitions in small
        // pictures are not counted.
        let (mut curves, mut dots) = (0, 0);
        for g in 0..quotient.generators() {
            for x in 0..quotient.order() as Element {
                let y = quotient.act(x, g);
                dots += usize::from(y == x);
                curves += usize::from(y != x && (quotient.act(y, g) != x || x < y));
            }
        }
        let times = if quotient.order() * quotient.generators() > 60 && quotient.generators() > 1 {
            2
        } else {
            1
        };
        let of = |name: &'static str| {
            document
                .descendants()
                .filter(move |node| node.tag_name().name() == name)
        };
        assert_eq!(of("circle").count(), dots);
        let curved = of("path").filter(|path| path.attribute("d").is_some_and(|d| d.contains('Q')));
        assert_eq!(curved.count(), curves * times);
    }
}

#[test]
fn an_order_of_idempotents_shows_each_with_its_lines() {
    for quotient in quotients() {
        let picture = idempotent_order("Q", &quotient, &names(&quotient));
        let found = Idempotents::new(&quotient);
        let document = parsed(&picture);
        let of = |name: &str| {
            document
                .descendants()
                .filter(|node| node.tag_name().name() == name)
                .count()
        };
        // One rectangle each, and one for the background.
        assert_eq!(of("rect"), found.elements.len() + 1);
        assert_eq!(of("path"), found.covers.len());
    }
}

#[test]
fn a_large_quotient_is_drawn_by_its_idempotents() {
    let large = tame(8);
    assert!(large.order() > MAX_ELEMENTS);
    let picture = cayley_graph("Q", &large, &names(&large));
    parsed(&picture);
    assert!(picture.contains("too large for a Cayley graph") && picture.contains("ℤ₂⁸"));
    assert_eq!(picture, idempotent_order("Q", &large, &names(&large)));
}

#[test]
fn names_from_outside_do_no_harm() {
    let names = ["<script>", "a&b", "\"", "]]>", "\u{202e}", ""].map(str::to_owned);
    for picture in [
        cayley_graph("Q", &tame(2), &names),
        idempotent_order("Q", &tame(2), &names),
        cayley_graph("Q", &tame(2), &[]),
    ] {
        parsed(&picture);
    }
}

#[test]
fn growth_marks_the_known_heaps_and_the_wall() {
    for (code, fuel, words) in [
        ("0.123", 1_000_000, "solved: period 5"),
        ("0.005", 1_000_000, "infinite at heap"),
        ("0.26", 300_000, "open beyond heap"),
        ("0.3", 1_000_000, "solved: period"),
    ] {
        let solution = solved(code, fuel);
        let picture = growth(&GrowthPlot {
            code,
            partials: &solution.partials,
            heaps: solution.heaps(),
            verdict: solution.verdict,
            infinite_to: solution.infinite_to(),
            rule: solution.solved_by().map(SolvedBy::words),
            all_heaps: solution.all_heaps().map(|all| (all.preperiod, all.period)),
        });
        let document = parsed(&picture);
        if !matches!(solution.verdict, Verdict::Grows { .. }) {
            assert!(picture.contains(words), "{code}: {picture}");
        }
        let marks = document
            .descendants()
            .filter(|node| node.tag_name().name() == "circle");
        assert_eq!(marks.count(), solution.partials.len());
    }
}
