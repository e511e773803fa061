//! The simulation of checks: checkers lie, are slow, fall silent and die.
//!
//! The coordinator of the simulation does what the real one does: it sends and checks what the
//! ledger says, and checks again what a checker that erred had accepted. In the end every
//! certificate has its true verdict, but for those that only a liar has judged that was not caught.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

/// The honesty of a checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Character {
    Honest,
    /// Accepts everything.
    Credulous,
    /// Refuses everything.
    Slanderer,
    /// Cannot decide anything.
    Unable,
    /// Answers nothing.
    Silent,
}

/// An action of a schedule; numbers are taken modulo the number of choices.
#[derive(Clone, Copy, Debug)]
enum Action {
    /// A certificate comes, true or false.
    Submit(bool),
    /// A connection of a checker comes.
    Join(u8),
    /// A connection is lost.
    Leave(u8),
    /// A checker answers a certificate that it holds, or held.
    Answer(u8, u8),
    /// The coordinator ends one of its own checks; in some cases it cannot decide.
    Check(u8, bool),
    /// An operator pardons a checker that erred.
    Pardon(u8),
    /// Time passes.
    Pass(u16),
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        6 => any::<bool>().prop_map(Action::Submit),
        1 => any::<u8>().prop_map(Action::Join),
        1 => any::<u8>().prop_map(Action::Leave),
        8 => any::<(u8, u8)>().prop_map(|(who, which)| Action::Answer(who, which)),
        4 => (any::<u8>(), prop::bool::weighted(0.9)).prop_map(|(n, is)| Action::Check(n, is)),
        1 => any::<u8>().prop_map(Action::Pardon),
        2 => (0..2_000_u16).prop_map(Action::Pass),
    ]
}

fn character() -> impl Strategy<Value = Character> {
    prop_oneof![
        4 => Just(Character::Honest),
        1 => Just(Character::Credulous),
        1 => Just(Character::Slanderer),
        1 => Just(Character::Unable),
        1 => Just(Character::Silent),
    ]
}

const CONFIG: CheckConfig = CheckConfig {
    per_slot: 2,
    bytes: 50,
    wait_ms: 1_000,
    answer_ms: 3_000,
    trust: TrustConfig {
        first_one_in: 2,
        agreements_per_halving: 4,
        least_one_in: 8,
        ..TrustConfig::USUAL
    },
};

struct World {
    ledger: CheckLedger,
    now: Millis,
    characters: Vec<Character>,
    connections: BTreeMap<CheckerId, usize>,
    /// The certificates that a connection has been sent, in their order.
    sent: BTreeMap<CheckerId, Vec<CheckId>>,
    /// Whether each certificate is true, and when it came.
    certificates: BTreeMap<CheckId, (bool, Millis)>,
    /// The certificates that the coordinator is checking.
    here: BTreeSet<CheckId>,
    /// The verdict that each certificate got.
    verdicts: BTreeMap<CheckId, bool>,
    /// The certificates that each checker alone has judged.
    vouched: BTreeMap<usize, BTreeSet<CheckId>>,
    caught: BTreeSet<usize>,
}

fn identity(checker: usize) -> WorkerIdentity {
    WorkerIdentity([checker as u8 + 1; 32])
}

impl World {
    fn new(characters: Vec<Character>, key: u8) -> Self {
        Self {
            ledger: CheckLedger::new(CONFIG, [key; 32]),
            now: Millis(0),
            characters,
            connections: BTreeMap::new(),
            sent: BTreeMap::new(),
            certificates: BTreeMap::new(),
            here: BTreeSet::new(),
            verdicts: BTreeMap::new(),
            vouched: BTreeMap::new(),
            caught: BTreeSet::new(),
        }
    }

    fn act(&mut self, action: Action) -> Result<(), TestCaseError> {
        match action {
            Action::Submit(is_true) => {
                let n = self.certificates.len();
                let task = TaskId([n as u8; 32]);
                let check = self.ledger.submit(task, 1 + n % 40, self.now);
                self.certificates.insert(check, (is_true, self.now));
            }
            Action::Join(n) => self.join(n as usize % self.characters.len())?,
            Action::Leave(n) => {
                if let Some(&id) = pick(self.connections.keys(), n) {
                    self.ledger.leave(id);
                    self.connections.remove(&id);
                }
            }
            Action::Answer(who, which) => {
                let all = self.sent.iter().filter(|(_, sent)| !sent.is_empty());
                if let Some((&id, sent)) = pick(all, who) {
                    let check = sent[which as usize % sent.len()];
                    self.answer(id, check)?;
                }
            }
            Action::Check(n, decides) => {
                if let Some(&check) = pick(self.here.iter(), n) {
                    self.check(check, decides)?;
                }
            }
            Action::Pardon(n) => {
                self.caught.remove(&(n as usize % self.characters.len()));
            }
            Action::Pass(ms) => self.now = self.now.after(ms.into()),
        }
        self.tick()
    }

    /// Sends what is to be sent, and takes over what is overdue.
    fn tick(&mut self) -> Result<(), TestCaseError> {
        for (to, check) in self.ledger.send(self.now) {
            prop_assert!(self.connections.contains_key(&to), "sent to nobody");
            self.sent.entry(to).or_default().push(check);
        }
        let (late, away) = self.ledger.overdue(self.now);
        for check in late {
            prop_assert!(self.here.insert(check), "checked here twice");
        }
        self.connections.retain(|id, _| !away.contains(id));
        let held: usize = self.ledger.checkers.values().map(|it| it.held.len()).sum();
        let counts = self.ledger.counts();
        prop_assert_eq!(held, counts.sent);
        let open = counts.sent + counts.waiting + self.here.len();
        prop_assert_eq!(open + self.verdicts.len(), self.certificates.len());
        Ok(())
    }

    fn join(&mut self, checker: usize) -> Result<(), TestCaseError> {
        if self.caught.contains(&checker) {
            return Ok(());
        }
        if let Ok(id) = self.ledger.join(identity(checker), 1, self.now) {
            self.connections.insert(id, checker);
            self.sent.insert(id, Vec::new());
        }
        Ok(())
    }

    fn answer(&mut self, id: CheckerId, check: CheckId) -> Result<(), TestCaseError> {
        let Some(&checker) = self.connections.get(&id) else {
            // A message of a connection that is gone arrives late.
            let step = self.ledger.verdict(id, check, CheckVerdict::Accepted);
            prop_assert_eq!(step, NextStep::Nothing);
            return Ok(());
        };
        let (is_true, _) = self.certificates[&check];
        let verdict = match (self.characters[checker], is_true) {
            (Character::Honest, true) | (Character::Credulous, _) => CheckVerdict::Accepted,
            (Character::Honest, false) | (Character::Slanderer, _) => CheckVerdict::Refused,
            (Character::Unable, _) => CheckVerdict::Unable,
            (Character::Silent, _) => return Ok(()),
        };
        match self.ledger.verdict(id, check, verdict) {
            NextStep::Believe(by) => {
                prop_assert_eq!(by, identity(checker));
                prop_assert_eq!(verdict, CheckVerdict::Accepted);
                self.settle(check, true)?;
                self.vouched.entry(checker).or_default().insert(check);
            }
            NextStep::CheckHere => prop_assert!(self.here.insert(check), "checked here twice"),
            NextStep::Nothing => {}
        }
        Ok(())
    }

    fn check(&mut self, check: CheckId, decides: bool) -> Result<(), TestCaseError> {
        self.here.remove(&check);
        let (is_true, _) = self.certificates[&check];
        if let Some(by) = self.ledger.settled(check, decides.then_some(is_true)) {
            let erred = (0..self.characters.len()).find(|&n| identity(n) == by);
            let erred = erred.expect("a checker");
            prop_assert!(
                matches!(
                    self.characters[erred],
                    Character::Credulous | Character::Slanderer
                ),
                "an honest checker was caught"
            );
            prop_assert!(self.caught.insert(erred), "caught twice");
            let away = self.ledger.expel(by);
            self.connections.retain(|id, _| !away.contains(id));
            for again in self.vouched.remove(&erred).unwrap_or_default() {
                let (is_true, _) = self.certificates[&again];
                self.verdicts.insert(again, is_true);
            }
        }
        // A check that could not be decided is a failed attempt; here it is simply refused.
        self.settle(check, is_true && decides)
    }

    fn settle(&mut self, check: CheckId, verdict: bool) -> Result<(), TestCaseError> {
        let before = self.verdicts.insert(check, verdict);
        prop_assert_eq!(before, None, "settled twice");
        Ok(())
    }

    /// Ends the census: from now on the coordinator decides at once, and time passes.
    fn finish(&mut self) -> Result<(), TestCaseError> {
        for _ in 0..3 {
            self.now = self.now.after(CONFIG.wait_ms + CONFIG.answer_ms);
            self.tick()?;
            while let Some(&check) = self.here.first() {
                self.check(check, true)?;
            }
        }
        prop_assert_eq!(
            self.verdicts.len(),
            self.certificates.len(),
            "some are lost"
        );
        for (check, &verdict) in &self.verdicts {
            let (is_true, _) = self.certificates[check];
            let is_on_a_word = |checkers: &[Character]| {
                let mut vouched = self
                    .vouched
                    .iter()
                    .filter(|(_, checks)| checks.contains(check));
                vouched.any(|(&n, _)| checkers.contains(&self.characters[n]))
            };
            if verdict && !is_true {
                prop_assert!(is_on_a_word(&[Character::Credulous]), "a lie is believed");
            }
        }
        Ok(())
    }
}

fn pick<T>(mut all: impl Iterator<Item = T> + Clone, n: u8) -> Option<T> {
    let count = all.clone().count();
    all.nth((n as usize).checked_rem(count)?)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn checks_come_out_as_if_the_coordinator_had_made_them(
        characters in prop::collection::vec(character(), 1..5),
        key: u8,
        actions in prop::collection::vec(action(), 0..200),
    ) {
        let mut world = World::new(characters, key);
        let checkers = world.characters.len() as u8;
        (0..checkers).try_for_each(|n| world.act(Action::Join(n)))?;
        actions.into_iter().try_for_each(|action| world.act(action))?;
        world.finish()?;
    }
}
