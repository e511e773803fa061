//! The positions that the board deals.

use misere_answers::Decider;
use misere_game::outcome::Outcome;
use misere_game::position::Position;
use misere_game::ruleset::Code;

use super::moves::outcome;

/// The greatest heap that is dealt, unless smaller heaps have no moves.
const MAX_DEALT: u32 = 12;

/// The greatest heap that is searched for one with moves.
const MAX_SEARCHED: u32 = 40;

/// The numbers of heaps that are dealt.
const HEAPS: std::ops::RangeInclusive<u32> = 3..=4;

/// The number of positions that are tried until the person can win one.
const TRIES: u64 = 24;

/// Returns the heaps from which a position is dealt; none if the game has no moves.
pub(super) fn heaps_to_deal(code: &Code) -> Vec<u32> {
    let most = match code.finite_game() {
        Some(game) => game.heaps().min(MAX_SEARCHED),
        None => MAX_SEARCHED,
    };
    let live = (1..=most).filter(|&heap| code.is_live(heap));
    let live: Vec<u32> = live.collect();
    let small: Vec<u32> = live.iter().copied().filter(|&h| h <= MAX_DEALT).collect();
    match small.len() < 3 {
        true => live.into_iter().take(6).collect(),
        false => small,
    }
}

/// Returns position number `deal` of a game, the same for every person.
///
/// If possible it is one in which the player who begins can win.
pub(super) fn dealt(code: &Code, deal: u64, heaps: &[u32], decider: &mut Decider<'_>) -> Position {
    let mut first = None;
    for round in 0..TRIES {
        let position = one(code, deal, round, heaps);
        if outcome(decider, &position) == Some(Outcome::N) {
            return position;
        }
        first.get_or_insert(position);
    }
    first.unwrap_or_default()
}

fn one(code: &Code, deal: u64, round: u64, heaps: &[u32]) -> Position {
    let seed = format!("{code} {deal} {round}");
    let hash = blake3::hash(seed.as_bytes());
    let (words, _) = hash.as_bytes().as_chunks();
    let mut words = words.iter().copied().map(u32::from_le_bytes);
    let mut next = |below: u32| words.next().unwrap_or(0) % below.max(1);
    let count = HEAPS.start() + next(HEAPS.end() - HEAPS.start() + 1);
    let dealt = (0..count).filter_map(|_| heaps.get(next(heaps.len() as u32) as usize));
    dealt.copied().collect()
}

#[cfg(test)]
mod tests {
    use misere_answers::Effort;
    use misere_engine::quotient::{Limits, Strategy, solve};
    use misere_game::control::{Control, Interrupt};

    use super::*;

    #[test]
    fn the_first_player_can_win_dealt_positions() {
        for code in ["0.77", "0.123", "{*2,{*2,0}}", "0.0007"] {
            let code: Code = code.parse().unwrap();
            let heaps = heaps_to_deal(&code);
            assert!(heaps.len() >= 3, "{code}: {heaps:?}");
            let control = &mut Control::new(200_000, Interrupt::default());
            let solution = solve(&code, &Limits::default(), Strategy::Exact, control);
            let evidence = solution.evidence.as_ref();
            let mut decider = Decider::new(&solution, evidence, Effort::QUICK);
            for deal in 0..20 {
                let position = dealt(&code, deal, &heaps, &mut decider);
                assert_eq!(position, dealt(&code, deal, &heaps, &mut decider));
                let decided = outcome(&mut decider, &position);
                assert_eq!(decided, Some(Outcome::N), "{code} {position:?}");
            }
        }
        let dead: Code = "0.0".parse().unwrap();
        assert!(heaps_to_deal(&dead).is_empty());
    }
}
