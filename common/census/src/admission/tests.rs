//! Tests: true certificates are accepted, and the others are refused for their reason.

use misere_algebra::classify::batch::{Batch, Scheme};
use misere_check::automaton::AutomatonCheckError;
use misere_engine::quotient::solve;
use misere_game::solution::{Limit, PositionAutomaton, Solution, SolvedBy};

use super::*;
use crate::Budget;
use misere_algebra::classify::batch::BatchResult;

fn task(code: &str) -> GameTask {
    GameTask {
        code: code.parse().unwrap(),
        aliases: vec![],
        budget: Budget::default(),
    }
}

fn verify(
    task: &GameTask,
    certificate: &[u8],
    stop: Interrupt,
) -> Result<VerifiedResult, VerificationError> {
    super::verify(&Task::Game(task.clone()), certificate, stop)
}

fn solved(task: &GameTask) -> Solution {
    let Budget {
        fuel,
        limits,
        strategy,
    } = task.budget;
    solve(
        &task.code,
        &limits,
        strategy,
        &mut Control::new(fuel, Interrupt::default()),
    )
}

fn refused(task: &GameTask, change: impl FnOnce(&mut Solution)) -> VerificationError {
    let mut solution = solved(task);
    change(&mut solution);
    verify(
        task,
        &certificate::encode(&solution).unwrap(),
        Interrupt::default(),
    )
    .unwrap_err()
}

#[test]
fn the_truth_is_taken() {
    for code in ["0.3", "0.123", "0.77"] {
        takes(&task(code));
    }
}

/// A code with more digits than there are heaps when the checker first sorts nim-values.
#[test]
fn a_long_code_is_judged() {
    let mut task = task("0.(7)^129");
    task.budget.fuel = 200_000;
    takes(&task);
}

/// Every game with a name, and every example of the language of rules.
#[test]
fn every_language_of_rules_is_taken() {
    let page = include_str!("../../../../docs/rules.md");
    let names = page.split_once("The names are ").unwrap().1;
    let names = names.split_once(". In a name").unwrap().0;
    let names = names.replace('\n', " ").replace(" and ", ", ");
    let names = names
        .split(", ")
        .map(|name| name.split(" (").next().unwrap());
    // Between backticks are forms, codes, and texts that are not games.
    let examples = page.split('`').skip(1).step_by(2);
    let named: Vec<Code> = names.map(|name| name.parse().unwrap()).collect();
    assert_eq!(named.len(), 12);
    let mut games: Vec<Code> = examples.filter_map(|text| text.parse().ok()).collect();
    for wanted in [
        "4!.0",
        "4?.0",
        "4=.3",
        "0.{0,1,2!}",
        "0.&12;!",
        "0.G",
        "0.[3310]",
        "subtract(allbut 2,3,7)",
        "splittles(allbut 2)",
        "heaps(0;1;2;3,2+2;;5,1+1+1)",
    ] {
        assert!(games.contains(&wanted.parse().unwrap()), "{wanted}");
    }
    games.extend(named);
    games.push("*[2#320]".parse().unwrap());
    games.sort_unstable();
    games.dedup();
    for game in games {
        // Done or exhausted: the checker takes what the engine finds.
        taken(&within(&game.to_string(), 20_000, 60));
    }
}

fn takes(task: &GameTask) -> Record {
    let (finish, record) = taken(task);
    assert_eq!(finish, Finish::Done);
    record
}

fn taken(task: &GameTask) -> (Finish, Record) {
    let bytes = certificate::encode(&solved(task)).unwrap();
    let judged = verify(task, &bytes, Interrupt::default()).unwrap();
    let Finding::Game { record, quotient } = judged.finding else {
        panic!()
    };
    assert_eq!(record.code, task.code);
    assert_eq!(quotient.class_key(), record.class);
    (judged.finish, *record)
}

#[test]
fn lies_are_refused() {
    let task = task("0.123");
    assert!(matches!(
        refused(&task, |s| s.phi[8] = 0),
        VerificationError::False(_)
    ));
    assert!(matches!(
        refused(&task, |s| s.partials[1].order += 1),
        VerificationError::False(_)
    ));
    assert!(matches!(
        refused(&task, |s| s.code = "0.77".parse().unwrap()),
        VerificationError::OtherCode { .. }
    ));
    assert_eq!(
        refused(&task, |s| s.verdict = Verdict::Interrupted),
        VerificationError::NoVerdict
    );
    // Giving up early.
    for limit in [Limit::Fuel, Limit::MaxHeap] {
        let lazy = refused(&task, |s| s.verdict = Verdict::Exhausted(limit));
        assert!(matches!(lazy, VerificationError::Budget(_)), "{lazy:?}");
    }
    assert!(matches!(
        refused(&task, |s| s.fuel = u64::MAX),
        VerificationError::Budget(_)
    ));
    let nothing = verify(&task, &[], Interrupt::default()).unwrap_err();
    assert!(matches!(nothing, VerificationError::Unreadable(_)));
    let mut bytes = certificate::encode(&solved(&task)).unwrap();
    bytes.truncate(bytes.len() / 2);
    assert!(matches!(
        verify(&task, &bytes, Interrupt::default()).unwrap_err(),
        VerificationError::Unreadable(_)
    ));
}
fn within(code: &str, fuel: u64, max_heap: u32) -> GameTask {
    let mut task = task(code);
    task.budget.fuel = fuel;
    task.budget.limits.max_heap = max_heap;
    task
}

fn judged(task: &GameTask, solution: &Solution) -> Result<VerifiedResult, VerificationError> {
    let bytes = certificate::encode(solution).unwrap();
    verify(task, &bytes, Interrupt::default())
}

#[test]
fn tails_keep_to_the_budget_and_do_not_give_up_early() {
    let task = within("0.414", 200_000, 1_000);
    let solution = solved(&task);
    assert!(matches!(solution.verdict, Verdict::TameRelative { .. }));
    assert_eq!(judged(&task, &solution).unwrap().finish, Finish::Done);
    let mut lazy = solution.clone();
    lazy.fuel = 100_000;
    let early = judged(&task, &lazy).unwrap_err();
    assert!(matches!(early, VerificationError::Budget(_)), "{early:?}");
    let few = within("0.414", 200_000, 50);
    let far = judged(&few, &solution).unwrap_err();
    assert!(matches!(far, VerificationError::Budget(_)), "{far:?}");
    // 0.52 is tame relative to a heap too, but its period is proved by heap 21.
    let short = (3..21)
        .map(|heaps| solved(&within("0.52", 1_000_000, heaps)))
        .find(|solution| matches!(solution.verdict, Verdict::TameRelative { .. }))
        .unwrap();
    let task = within("0.52", 1_000_000, 10_000);
    let lazy = judged(&task, &short).unwrap_err();
    assert!(matches!(lazy, VerificationError::Budget(_)), "{lazy:?}");
}

#[test]
fn a_computation_does_not_end_early_for_a_pattern() {
    let task = within("0.26", 2_000_000, 10_000);
    assert!(judged(&task, &solved(&task)).is_ok());
    // Tested on fewer heaps than a computation may be ended for.
    let short = solved(&within("0.26", 2_000_000, 80));
    assert!(matches!(short.verdict, Verdict::Grows { .. }));
    let lazy = judged(&task, &short).unwrap_err();
    assert!(matches!(lazy, VerificationError::Budget(_)), "{lazy:?}");
}

#[test]
fn evidence_of_a_later_heap_does_not_prove_an_earlier_divergence() {
    let task = task("0.005");
    let whole = solved(&task);
    assert!(!judged(&task, &whole).unwrap().unproved);
    // What the evidence proves of heap 18 is true, and so are the partial quotients to heap 7.
    let mut early = solved(&within("0.005", 10_000_000, 7));
    let Verdict::Diverges { copies, .. } = whole.verdict else {
        panic!("{:?}", whole.verdict)
    };
    early.verdict = Verdict::Diverges { heap: 8, copies };
    early.evidence = whole.evidence;
    early.fuel = whole.fuel;
    assert_eq!(early.infinite_to(), Some(18));
    let lie = judged(&task, &early).unwrap_err();
    assert!(matches!(lie, VerificationError::Budget(_)), "{lie:?}");
}

/// M7: verdicts without proof that no honest worker reaches.
///
/// A game that grows and is decided by an automaton: the automaton is proved again, its numbers are
/// those of the record, and one that is changed, or malformed, is refused.
#[test]
fn a_forged_automaton_is_refused() {
    let task = task("0.54");
    let record = takes(&task);
    let facts = record.automaton.unwrap();
    assert_eq!((facts.period, facts.states, facts.p_states), (7, 253, 60));
    assert!(facts.infinite && record.law.is_none());
    assert_eq!(record.status(), Some(crate::Status::Solved));
    let forged = |change: fn(&mut PositionAutomaton)| {
        refused(&task, |solution| {
            match &mut solution.growth.as_mut().unwrap().solved_by {
                Some(SolvedBy::Automaton(automaton)) => change(automaton),
                other => panic!("{other:?}"),
            }
        })
    };
    let changes: [fn(&mut PositionAutomaton); 4] = [
        |automaton| automaton.p_states.clear(),
        |automaton| automaton.heap[0] = 0,
        |automaton| automaton.step[7] = 253,
        |automaton| automaton.step.clear(),
    ];
    for change in changes {
        let rejection = forged(change);
        let is_meant = matches!(
            &rejection,
            VerificationError::False(CheckError::Automaton(flaw)) if !matches!(flaw, AutomatonCheckError::Unchecked(_))
        );
        assert!(is_meant, "{rejection:?}");
    }
    // The reader stops at more states than there may be.
    let rejection = forged(|automaton| automaton.heap.resize(513, 0));
    assert!(
        matches!(rejection, VerificationError::Unreadable(_)),
        "{rejection:?}"
    );
    // An automaton in a certificate is small: two tables and a list.
    let bytes = certificate::encode(&solved(&task)).unwrap().len();
    let mut plain = solved(&task);
    plain.growth.as_mut().unwrap().solved_by = None;
    let without = certificate::encode(&plain).unwrap().len();
    assert!(bytes - without < 1_100, "{}", bytes - without);
}

#[test]
fn verdicts_that_no_plan_brings_are_refused() {
    let empty = |task: &GameTask| {
        let mut nothing = solved(&within(&task.code.to_string(), 0, 10_000));
        assert_eq!((nothing.heaps(), nothing.fuel), (0, 0));
        nothing.verdict = Verdict::Exhausted(Limit::MaxOrder);
        nothing
    };
    let refused = |task: &GameTask, solution: &Solution, reason: &str| {
        let refused = judged(task, solution).unwrap_err();
        let VerificationError::Budget(why) = refused else {
            panic!("{refused:?}");
        };
        assert!(why.contains(reason), "{why}");
    };
    let task = task("0.77");
    refused(&task, &empty(&task), "6 elements at most");
    let diverges = |copies, fuel, solution: Solution| Solution {
        verdict: Verdict::Diverges {
            heap: solution.heaps() + 1,
            copies,
        },
        fuel,
        ..solution
    };
    refused(&task, &diverges(1, 0, empty(&task)), "this many copies");
    refused(
        &task,
        &diverges(42, 0, empty(&task)),
        "heaps 1 and 2 is finite",
    );
    refused(
        &task,
        &diverges(200, 9_000_000, empty(&task)),
        "heaps 1 and 2 is finite",
    );
    // Some heaps are done, and the next is claimed to be too much.
    let some = |heaps| {
        solved(&{
            let mut fewer = task.clone();
            fewer.budget.limits.max_heap = heaps;
            fewer
        })
    };
    let large = |fuel| Solution {
        verdict: Verdict::Exhausted(Limit::MaxOrder),
        fuel,
        ..some(4)
    };
    refused(&task, &large(100), "so little fuel");
    refused(&task, &large(5_000_000), "another end");
    refused(&task, &diverges(42, 5_000_000, some(4)), "another end");
    // A game that is not solved with the small part of the fuel.
    let long = self::task("0.316");
    let started = |heaps| {
        solved(&{
            let mut fewer = long.clone();
            fewer.budget.limits.max_heap = heaps;
            fewer
        })
    };
    refused(&long, &diverges(42, 5_000_000, started(4)), "before a heap");
    // Fuel is not gone at heap 0 either.
    let gone = Solution {
        verdict: Verdict::Exhausted(Limit::Fuel),
        fuel: long.budget.fuel,
        ..started(4)
    };
    refused(&long, &gone, "before a heap");
}

/// V4 to V11: for each condition a statement that breaks it, and the reason specific to it.
#[test]
fn each_condition_on_the_budget_refuses_by_its_own_reason() {
    let refused = |task: &GameTask, solution: &Solution, reason: &str| match judged(task, solution)
    {
        Err(VerificationError::Budget(why)) => assert!(why.contains(reason), "{why}, not {reason}"),
        other => panic!("{other:?}, not {reason}"),
    };
    let task = task("0.123");
    let honest = solved(&task);
    let with = |change: &dyn Fn(&mut Solution)| {
        let mut changed = honest.clone();
        change(&mut changed);
        changed
    };
    refused(
        &task,
        &with(&|s| s.fuel = task.budget.fuel + 1),
        "than there is",
    );
    refused(
        &within("0.123", 10_000_000, 5),
        &honest,
        "the greatest heap",
    );
    let mut small = task.clone();
    small.budget.limits.max_order = 19;
    refused(&small, &honest, "the greatest order");
    let gives_up = |limit| with(&|s| s.verdict = Verdict::Exhausted(limit));
    refused(&task, &gives_up(Limit::Fuel), "some is left");
    refused(&task, &gives_up(Limit::MaxHeap), "but it is not");
    let diverges = |copies| {
        with(&|s| {
            s.verdict = Verdict::Diverges {
                heap: s.heaps() + 1,
                copies,
            }
        })
    };
    refused(&task, &diverges(201), "more copies than allowed");
    let mut classical = task.clone();
    classical.budget.strategy = misere_engine::quotient::Strategy::Classical;
    refused(&classical, &diverges(42), "recalibration");
    refused(&task, &diverges(3), "this many copies");

    let task = within("0.414", 200_000, 1_000);
    let honest = solved(&task);
    let tail = honest.tail.unwrap();
    let nim_heaps = 1_000 * misere_engine::quotient::NIM_HEAPS_PER_HEAP + 1;
    let far = Solution {
        tail: Some(misere_game::solution::Tail { nim_heaps, ..tail }),
        ..honest.clone()
    };
    refused(&task, &far, "more heaps than allowed");
    let lazy = Solution {
        fuel: 100_000,
        ..honest
    };
    refused(&task, &lazy, "before its limits");
    let short = (3..21)
        .map(|heaps| solved(&within("0.52", 1_000_000, heaps)))
        .find(|solution| matches!(solution.verdict, Verdict::TameRelative { .. }))
        .unwrap();
    refused(
        &within("0.52", 1_000_000, 10_000),
        &short,
        "could have been proved",
    );
    let short = solved(&within("0.26", 2_000_000, 80));
    refused(
        &within("0.26", 2_000_000, 10_000),
        &short,
        "tested long enough",
    );
}

/// Statements of honest workers about small plans with all kinds of limits are plausible.
#[test]
fn honest_verdicts_are_taken_under_any_limits() {
    let mut kinds = std::collections::BTreeSet::new();
    for code in [
        "0.3", "0.77", "0.07", "0.26", "0.31", "0.52", "4.7", "0.142", "0.316", "0.414", "0.0137",
    ] {
        for fuel in [0, 1, 20, 100, 1_000, 20_000, 60_000] {
            for (max_heap, max_order, max_copies) in [
                (10_000, 65_536, 200),
                (8, 65_536, 200),
                (10_000, 1, 200),
                (10_000, 7, 200),
                (10_000, 100, 20),
                (10_000, 65_536, 1),
            ] {
                let mut task = within(code, fuel, max_heap);
                task.budget.limits.max_order = max_order;
                task.budget.limits.max_copies = max_copies;
                let solution = solved(&task);
                let judged = judged(&task, &solution);
                assert!(
                    judged.is_ok(),
                    "{code} {:?}: {:?} {judged:?}",
                    task.budget,
                    solution.verdict
                );
                kinds.insert(misere_game::solution::document::status_names(
                    solution.verdict,
                ));
            }
        }
    }
    assert!(kinds.len() >= 6, "{kinds:?}");
}

/// L8: one solution has one certificate.
#[test]
fn other_spellings_of_a_certificate_are_refused() {
    let task = task("0.123");
    let bytes = certificate::encode(&solved(&task)).unwrap();
    let respelled = |from: &[u8], to: &[u8]| {
        let at = bytes
            .windows(from.len())
            .position(|part| part == from)
            .unwrap();
        [&bytes[..at], to, &bytes[at + from.len()..]].concat()
    };
    let key = solved(&task).class().to_string();
    let capitals = respelled(key.as_bytes(), key.to_uppercase().as_bytes());
    assert_eq!(certificate::decode(&capitals), certificate::decode(&bytes));
    let refused = verify(&task, &capitals, Interrupt::default()).unwrap_err();
    assert_eq!(
        refused,
        VerificationError::Unreadable(CertificateError::Spelling)
    );
}

/// V15: a code that is another game is not an alias.
#[test]
fn a_false_alias_is_refused() {
    let mut task = task("0.3");
    task.aliases = vec!["0.7".parse().unwrap()];
    let refused = judged(&task, &solved(&task)).unwrap_err();
    assert!(
        matches!(refused, VerificationError::Alias(_)),
        "{refused:?}"
    );
}

/// Returns all candidates of an order, each reached from the orders below.
fn candidates(order: u8, most: u8) -> Batch {
    let mut ahead = vec![Scheme::first()];
    let mut lower = 2;
    loop {
        let mut schemes: Vec<Scheme> = Vec::new();
        ahead.sort_by(|one, other| (&one.code, &one.hint).cmp(&(&other.code, &other.hint)));
        ahead.dedup_by(|one, other| one.code == other.code);
        ahead.retain(|scheme| {
            let is_now = scheme.order() == lower;
            if is_now {
                schemes.push(scheme.clone());
            }
            !is_now
        });
        let batch = Batch {
            most,
            order: lower,
            schemes,
        };
        if lower == order {
            return batch;
        }
        let settled = batch.settle(10_000_000, &mut Control::unlimited()).unwrap();
        ahead.extend(settled.reached);
        lower += 2;
    }
}

/// V16 to V18: false results of a batch are refused.
///
/// The faults are its spelling, its fuel, its beginning, candidates that it has not reached, and
/// games that have another quotient.
#[test]
fn false_results_of_batches_are_refused() {
    let batch = candidates(12, 14);
    let settled = batch.settle(10_000_000, &mut Control::unlimited()).unwrap();
    // The coordinator computes the beginning again, but not the whole.
    assert!(settled.fuel > 2_000 && !settled.quotients.is_empty());
    let judged = |batch: &Batch, settled: &BatchResult| {
        let task = Task::schemes(batch.clone(), Budget::default());
        let certificate = schemes::encode(&Outcome::Settled(settled.clone())).unwrap();
        super::verify(&task, &certificate, Interrupt::default())
    };
    assert_eq!(judged(&batch, &settled).unwrap().finish, Finish::Done);
    let refused = |change: &dyn Fn(&mut BatchResult)| {
        let mut changed = settled.clone();
        change(&mut changed);
        judged(&batch, &changed).unwrap_err()
    };
    assert_eq!(
        refused(&|s| s.fuel = u64::MAX),
        VerificationError::Budget("more fuel was spent than there is")
    );
    assert_eq!(
        refused(&|s| s.quotients.last_mut().unwrap().place = batch.schemes.len() as u32),
        VerificationError::Schemes(SchemeError::Place)
    );
    assert_eq!(
        refused(&|s| s.reached.swap(0, 1)),
        VerificationError::Schemes(SchemeError::Unsorted)
    );
    let other_games = refused(&|s| s.quotients[0].options[0].clear());
    assert!(
        matches!(other_games, VerificationError::Construction { .. }),
        "{other_games:?}"
    );
    // A small batch comes to its end with a small part of the fuel.
    let small = candidates(2, 8);
    let mut nothing = small.settle(10_000_000, &mut Control::unlimited()).unwrap();
    nothing.reached.pop().unwrap();
    assert_eq!(
        judged(&small, &nothing).unwrap_err(),
        VerificationError::Budget(
            "the coordinator came to another end with a small part of the fuel"
        )
    );
    let task = Task::schemes(small, Budget::default());
    let mut exhausted = schemes::encode(&Outcome::Exhausted).unwrap();
    assert_eq!(
        super::verify(&task, &exhausted, Interrupt::default()).unwrap_err(),
        VerificationError::Budget(
            "the coordinator came to another end with a small part of the fuel"
        )
    );
    // The last number with a needless byte.
    *exhausted.last_mut().unwrap() |= 0x80;
    exhausted.push(0);
    assert_eq!(
        super::verify(&task, &exhausted, Interrupt::default()).unwrap_err(),
        VerificationError::Unreadable(CertificateError::Spelling)
    );
}
