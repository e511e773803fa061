//! Simplest forms of games.
//!
//! Equal games have one form; sums, mates, links and classes keep what Conway's theorems promise;
//! the games of the tables are read and written as they are printed.

use std::collections::{BTreeMap, BTreeSet};

use misere_algebra::forms::contexts::ContextGoal;
use misere_algebra::forms::heaps::HeapForms;
use misere_algebra::forms::notation::{GameError, GameText, StringError, table_string};
use misere_algebra::forms::{Form, Forms};
use misere_algebra::genus::Class;
use misere_game::control::{Control, Stop};
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::ruleset::{Code, FiniteGame, games_born_by};
use proptest::prelude::*;

fn unlimited() -> Control {
    Control::unlimited()
}

fn four(forms: &mut Forms) -> Vec<Form> {
    forms.born_by_four(&mut unlimited()).unwrap()
}

fn is_p(forms: &mut Forms, summands: &[Form]) -> bool {
    let mut sum = Form::ZERO;
    for &summand in summands {
        sum = forms.sum(sum, summand, &mut unlimited()).unwrap();
    }
    forms.outcome(sum) == Outcome::P
}

/// Returns the game whose options are the games born by day 4 at the one bits of a number.
fn subset(forms: &mut Forms, games: &[Form], set: u32) -> Form {
    let chosen = (0..games.len()).filter(|at| set >> at & 1 != 0);
    let chosen: Vec<Form> = chosen.map(|at| games[at]).collect();
    forms.with_options(&chosen, &mut unlimited()).unwrap()
}

/// The definition of outcomes on sums of finite games as they are written, nothing simplified.
struct DefinitionOracle {
    known: BTreeMap<Vec<FiniteGame2>, bool>,
}

/// A finite game as the set of its options.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FiniteGame2(BTreeSet<FiniteGame2>);

impl DefinitionOracle {
    fn is_p(&mut self, sum: Vec<FiniteGame2>) -> bool {
        let mut sum: Vec<FiniteGame2> = sum.into_iter().filter(|game| !game.0.is_empty()).collect();
        sum.sort();
        if sum.is_empty() {
            return false;
        }
        if let Some(&known) = self.known.get(&sum) {
            return known;
        }
        let mut is_p = true;
        for at in 0..sum.len() {
            for option in sum[at].0.clone() {
                let mut after = sum.clone();
                after[at] = option;
                is_p &= !self.is_p(after);
            }
        }
        self.known.insert(sum, is_p);
        is_p
    }
}

fn written(game: &FiniteGame) -> FiniteGame2 {
    let mut games: Vec<FiniteGame2> = Vec::new();
    for follower in 0..=game.heaps() {
        let options = game.options(follower).iter();
        games.push(FiniteGame2(
            options.map(|&o| games[o as usize].clone()).collect(),
        ));
    }
    games.pop().unwrap()
}

/// The shelf simplifies as `simplest_form` does.
#[test]
fn forms_are_simplest_forms() {
    let mut forms = Forms::new();
    let games = games_born_by(4);
    for set in (0_u32..1 << games.len()).step_by(9_973) {
        let chosen = (0..games.len()).filter(|at| set >> at & 1 != 0);
        let chosen: Vec<FiniteGame> = chosen.map(|at| games[at].clone()).collect();
        let game = FiniteGame::from_options(&chosen).unwrap();
        let form = forms.of_game(&game, &mut unlimited()).unwrap();
        let simplest = game.simplest_form();
        assert_eq!(forms.game(form).unwrap(), simplest);
        assert_eq!(forms.birthday(form), simplest.birthday());
    }
}

/// Games born by day 3 as they can be written (all sets of sets of sets of the game without
/// options): two have one form exactly if no game born by day 4 tells them apart.
#[test]
fn equal_means_not_told_apart() {
    let zero = FiniteGame2(BTreeSet::new());
    let mut games = vec![zero];
    for _ in 0..3 {
        let born = games.clone();
        for set in 0_u32..1 << born.len() {
            let chosen = (0..born.len()).filter(|at| set >> at & 1 != 0);
            let game = FiniteGame2(chosen.map(|at| born[at].clone()).collect());
            if !games.contains(&game) {
                games.push(game);
            }
        }
    }
    assert_eq!(games.len(), 16);
    let mut forms = Forms::new();
    fn form(forms: &mut Forms, game: &FiniteGame2) -> Form {
        let options: Vec<Form> = game.0.iter().map(|option| form(forms, option)).collect();
        forms
            .with_options(&options, &mut Control::unlimited())
            .unwrap()
    }
    let contexts: Vec<FiniteGame2> = games_born_by(4).iter().map(written).collect();
    let mut oracle = DefinitionOracle {
        known: BTreeMap::new(),
    };
    let mut classes = BTreeMap::new();
    for game in &games {
        let row: Vec<bool> = contexts
            .iter()
            .map(|context| oracle.is_p(vec![game.clone(), context.clone()]))
            .collect();
        let form = form(&mut forms, game);
        assert_eq!(*classes.entry(row).or_insert(form), form);
    }
    let distinct: BTreeSet<Form> = classes.values().copied().collect();
    // 0, *, *2, {*2} and *3.
    assert_eq!((classes.len(), distinct.len()), (5, 5));
}

/// The outcomes of sums of forms are those of the sums of the games as they were written.
#[test]
fn sums_have_the_outcomes_of_the_definition() {
    let mut forms = Forms::new();
    let mut oracle = DefinitionOracle {
        known: BTreeMap::new(),
    };
    let games = games_born_by(4);
    let small = games_born_by(3);
    for set in (1_u32..1 << games.len()).step_by(299_993) {
        let chosen = (0..games.len()).filter(|at| set >> at & 1 != 0).take(4);
        let chosen: Vec<FiniteGame> = chosen.map(|at| games[at].clone()).collect();
        let game = FiniteGame::from_options(&chosen).unwrap();
        let form = forms.of_game(&game, &mut unlimited()).unwrap();
        for other in &small {
            let right = oracle.is_p(vec![written(&game), written(other), written(other)]);
            let other = forms.of_game(other, &mut unlimited()).unwrap();
            assert_eq!(is_p(&mut forms, &[form, other, other]), right);
        }
    }
}

#[test]
fn a_game_and_its_mate_sum_to_p() {
    let mut forms = Forms::new();
    for form in four(&mut forms) {
        let mate = forms.mate(form, &mut unlimited()).unwrap();
        assert!(is_p(&mut forms, &[form, mate]));
    }
}

/// All pairs of games born by day 4, by the outcomes of the sums.
#[test]
fn games_are_told_apart_and_linked() {
    let control = &mut unlimited();
    let mut forms = Forms::new();
    let games = four(&mut forms);
    for &g in &games {
        for &h in &games {
            let apart = forms.telling_apart(g, h, control).unwrap();
            assert_eq!(apart.is_none(), g == h);
            if let Some(apart) = apart {
                assert!(is_p(&mut forms, &[g, apart]) && !is_p(&mut forms, &[h, apart]));
            }
            let link = forms.link(g, h, control).unwrap();
            assert_eq!(link.is_some(), forms.are_linked(g, h));
            if let Some(link) = link {
                assert!(is_p(&mut forms, &[g, link]) && is_p(&mut forms, &[h, link]));
            }
        }
    }
}

/// The least context is the first of all games born by day 4 that does what is wanted.
#[test]
fn the_least_context_is_the_first_that_does() {
    let control = &mut unlimited();
    let mut forms = Forms::new();
    let games = four(&mut forms);
    for &g in &games {
        for &h in &games {
            for wanted in [ContextGoal::ToTellApart, ContextGoal::ToLink] {
                let does = |forms: &mut Forms, t: Form| {
                    let (g, h) = (is_p(forms, &[g, t]), is_p(forms, &[h, t]));
                    match wanted {
                        ContextGoal::ToTellApart => g != h,
                        ContextGoal::ToLink => g && h,
                    }
                };
                let first = games.iter().copied().find(|&t| does(&mut forms, t));
                let found = forms.least_context(g, h, wanted, control).unwrap();
                match (first, found) {
                    (None, Some(found)) => {
                        assert_eq!(forms.birthday(found), 5);
                        assert!(does(&mut forms, found));
                    }
                    _ => assert_eq!(found, first),
                }
                assert!(found.is_none() || wanted == ContextGoal::ToLink || g != h);
            }
        }
    }
}

/// Conway, *On Numbers and Games*, chapter 12.
#[test]
fn games_by_day() {
    let counts =
        [0, 1, 2, 3, 4, 5].map(|day| Forms::new().number_born_by(day, &mut unlimited()).unwrap());
    assert_eq!(counts, [1, 2, 3, 5, 22, 4_171_780]);
}

/// Every sum of two games born by day 4 has them for parts, and every pair of parts sums to the
/// game.
#[test]
fn sums_have_their_summands_for_parts() {
    let control = &mut unlimited();
    let mut forms = Forms::new();
    let games = four(&mut forms);
    let mut even: Vec<Form> = games
        .iter()
        .map(|&game| forms.even(game, control).unwrap())
        .collect();
    even.sort_unstable();
    even.dedup();
    for &a in &even {
        for &b in &even {
            let sum = forms.sum(a, b, control).unwrap();
            let parts = forms.parts(sum, control).unwrap();
            if a != Form::ZERO && b != Form::ZERO {
                assert!(parts.contains(&(a.min(b), a.max(b))), "{a:?} {b:?}");
            }
            let even = forms.even(sum, control).unwrap();
            for (one, other) in parts {
                let again = forms.sum(one, other, control).unwrap();
                assert_eq!(forms.even(again, control).unwrap(), even);
            }
        }
    }
}

/// Conway's theorem on tame games: sums of three games, one of them born by day 5.
#[test]
fn sums_of_tame_games_have_the_genera_of_nim() {
    let control = &mut unlimited();
    let mut forms = Forms::new();
    let games = four(&mut forms);
    let is_tame = |forms: &Forms, form: Form| forms.class(form).is_tame();
    let small: Vec<Form> = games
        .iter()
        .copied()
        .filter(|&g| is_tame(&forms, g))
        .collect();
    let mut tame = small.clone();
    let mut reverting = 0;
    for set in (0_u32..1 << games.len()).step_by(1_999) {
        let form = subset(&mut forms, &games, set);
        if is_tame(&forms, form) && !tame.contains(&form) {
            let all = forms.options(form).iter().all(|&o| is_tame(&forms, o));
            reverting += usize::from(!all);
            // Those with an option that is not tame, and some of the others.
            if !all || tame.len().is_multiple_of(3) {
                tame.push(form);
            }
        }
    }
    assert!(reverting > 10, "{reverting}");
    for &a in &tame {
        for &b in small.iter().rev().take(6) {
            for &c in &small {
                let genera = [a, b, c].map(|form| forms.genus(form).clone());
                let ab = forms.sum(a, b, control).unwrap();
                let abc = forms.sum(ab, c, control).unwrap();
                let nim = genera.iter().fold(0, |nim, genus| nim ^ genus.nim_value());
                let mut firm = genera.iter().map(|g| g.nim_value() == g.misere_nim_value());
                let misere = if firm.any(|is_firm| is_firm) {
                    nim
                } else {
                    nim ^ 1
                };
                let found = forms.genus(abc);
                let found = (found.nim_value(), found.misere_nim_value());
                assert_eq!(found, (nim, misere), "{genera:?}");
            }
        }
    }
}

#[test]
fn games_with_tame_options_are_not_wild() {
    let mut forms = Forms::new();
    let games = four(&mut forms);
    let mut classes = BTreeMap::new();
    for &form in &games {
        *classes.entry(forms.class(form)).or_insert(0) += 1;
    }
    // The tame ones have the quotients T_n in Figure 11 of Plambeck and Siegel, the restive ones
    // R_8 and R_14, the restless ones S_12 and S'_12.
    let counts = [
        Class::NimHeap,
        Class::Tame,
        Class::Restive,
        Class::Restless,
        Class::Wild,
    ]
    .map(|class| classes.get(&class).copied().unwrap_or(0));
    assert_eq!(counts, [5, 9, 4, 4, 0]);
    for set in (0_u32..1 << games.len()).step_by(997) {
        let form = subset(&mut forms, &games, set);
        let mut options = forms.options(form).iter();
        let all_tame = options.all(|&option| forms.class(option).is_tame());
        let class = forms.class(form);
        assert!(!all_tame || class != Class::Wild);
        assert!(all_tame || class == Class::Wild || class == Class::Tame);
    }
}

/// The strings of Plambeck and Siegel, Figure 11, are read and written as there.
#[test]
fn strings_of_the_tables() {
    let figure11 = [
        "0", "1", "2", "3/", "2/2", "3", "32", "2/210", "2/32", "2/", "2//", "2/3", "2/320", "4",
        "2/3210", "2/1", "2/21", "2/31", "2/321", "2/0", "2/20", "2/30",
    ];
    let mut forms = Forms::new();
    let mut found = BTreeSet::new();
    for text in figure11 {
        let form = text
            .parse::<GameText>()
            .unwrap()
            .form(&mut forms, &mut unlimited())
            .unwrap();
        let game = forms.game(form).unwrap();
        assert_eq!(table_string(&game).as_deref(), Some(text));
        found.insert(form);
    }
    let four: BTreeSet<Form> = four(&mut forms).into_iter().collect();
    assert_eq!(found, four);
}

#[test]
fn texts_of_games() {
    let mut forms = Forms::new();
    let mut form = |text: &str| {
        text.parse::<GameText>()
            .unwrap()
            .form(&mut forms, &mut unlimited())
            .unwrap()
    };
    for (text, same) in [
        ("2+", "{*2}"),
        ("2_+", "{*2}"),
        ("2_{/}320", "*[2#320]"),
        ("2_/320", "*[2#320]"),
        ("2_2", "2 + 2"),
        ("2_2", "{*3,*2}"),
        ("(2_2)+4", "{{{*3,*2}},*4}"),
        ("2_{/1}", "{*2} + *"),
        ("(2/0)/", "{{{*2},0}}"),
        ("3_{12}", "*3 + *12"),
        ("kayles:3+5", "0.77:3 + 0.77:5"),
        ("0.77:1+4", "0"),
        ("0.77: 4, 1", "0"),
        ("0.77:1x3 2·4", "0.77:1+1+1+4+4"),
        ("*3:2", "*2"),
        ("grundy:13", "grundy:13"),
        (" 2 ", "*2"),
    ] {
        assert_eq!(form(text), form(same), "{text}");
    }
}

#[test]
fn faults_in_texts_of_games() {
    let error = |text: &str| text.parse::<GameText>().unwrap_err();
    let fault = |text: &str| match error(text) {
        GameError::String { at, fault, .. } => (at, fault),
        other => panic!("{other}"),
    };
    assert_eq!(fault(""), (0, StringError::NoItem));
    assert_eq!(fault("2/x"), (2, StringError::NoItem));
    assert_eq!(fault("0.123"), (1, StringError::NoItem));
    assert_eq!(fault("(2"), (2, StringError::Unclosed));
    assert_eq!(fault("2)"), (1, StringError::Unclosed));
    assert_eq!(fault("()"), (1, StringError::NoItem));
    assert_eq!(fault("2_"), (2, StringError::NoSubscript));
    assert_eq!(fault("2_{"), (3, StringError::NoSubscript));
    assert_eq!(fault("2_{256}"), (5, StringError::TooGreat));
    assert_eq!(fault(&"(".repeat(40)).1, StringError::TooDeep);
    assert_eq!(fault(&"1".repeat(5_000)).1, StringError::TooLong);
    assert!(matches!(error("0.77:"), GameError::Position { .. }));
    assert!(matches!(error("0.77:-1"), GameError::Position { .. }));
    assert!(matches!(
        error("0.77:99999999999"),
        GameError::Position { .. }
    ));
    assert!(matches!(error("*2:7"), GameError::Position { .. }));
    assert!(matches!(error("0.77:1^1001"), GameError::TooManyHeaps(_)));
    // A position that is printed as `3 + 5` is not read as a heap and a nimber.
    assert!(matches!(
        error("0.77:3 + 5"),
        GameError::HeapOrNimber { .. }
    ));
    assert!(matches!(error("0.x:7"), GameError::Code(_)));
    assert!(matches!(error("{*2"), GameError::Code(_)));
    assert!(error("0.123").to_string().contains("0.123:8"));
}

/// A plus needs no blanks where it cannot be the sharp of *Winning Ways*.
#[test]
fn a_plus_adds_where_it_cannot_be_a_sharp() {
    for (dense, spaced) in [
        ("*2+*3", "*2 + *3"),
        ("{*2,0}+*2+0.123:8", "{*2,0} + *2 + 0.123:8"),
        ("0.77:3+5+*2", "0.77:3+5 + *2"),
        ("*[2#320]+{*2,0}", "*[2#320] + {*2,0}"),
        ("*1+2/320", "*1 + 2/320"),
    ] {
        let forms = &mut Forms::new();
        let mut form = |text: &str| {
            let game: GameText = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
            game.form(forms, &mut Control::unlimited()).unwrap()
        };
        assert_eq!(form(dense), form(spaced), "{dense}");
    }
    // In a string it is the sharp: `2+3` has the options {*2} and *3.
    let sharp: GameText = "2+3".parse().unwrap();
    let options: GameText = "{{*2},*3}".parse().unwrap();
    let (forms, control) = (&mut Forms::new(), &mut Control::unlimited());
    assert_eq!(sharp.form(forms, control), options.form(forms, control));
    for bad in ["*2+", "+*2", "*2++*3", "2+*3", "{*2+*3}"] {
        assert!(bad.parse::<GameText>().is_err(), "{bad}");
    }
}

/// Heaps of a code have the outcomes of the definition, alone and in sums.
#[test]
fn forms_of_positions_have_the_outcomes_of_the_definition() {
    for text in [
        "0.123", "0.77", "0.07", "4.7", "0.3F", "grundy", "0.15", "0.26",
    ] {
        let code: Code = text.parse().unwrap();
        let (mut forms, mut heaps) = (Forms::new(), HeapForms::new(&code));
        let mut oracle = Oracle::new(&code, Convention::Misere);
        for a in 0..=9 {
            for b in 0..=a {
                for c in 0..=b {
                    let position = [a, b, c];
                    let form = heaps
                        .position(&position, &mut forms, &mut unlimited())
                        .unwrap();
                    let right = oracle.outcome(&position, &mut unlimited()).unwrap();
                    assert_eq!(forms.outcome(form), right, "{text} {position:?}");
                }
            }
        }
    }
}

#[test]
fn fuel_ends_it() {
    let mut forms = Forms::new();
    let control = &mut Control::new(10, Default::default());
    assert_eq!(forms.nimber(1_000_000, control), Err(Stop::FuelSpent));
    let kayles: Code = "0.77".parse().unwrap();
    let control = &mut Control::new(1_000, Default::default());
    let found = HeapForms::new(&kayles).heap(u32::MAX, &mut forms, control);
    assert_eq!(found, Err(Stop::FuelSpent));
    assert!(forms.count() < 1_000);
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[0-9()#/+_{}*:. ]{0,16}") {
        if let Ok(game) = text.parse::<GameText>() {
            let control = &mut Control::new(2_000, Default::default());
            let mut forms = Forms::new();
            if let Ok(form) = game.form(&mut forms, control)
                && let Ok(finite) = forms.game(form)
                && let Some(string) = table_string(&finite)
            {
                let again: GameText = string.parse().unwrap();
                prop_assert_eq!(again.form(&mut forms, &mut unlimited()).unwrap(), form);
            }
        }
    }
}
