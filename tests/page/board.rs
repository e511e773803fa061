//! The board offers the moves that the rules allow, judges them rightly, and plays well.

use misere_game::control::Control;
use misere_game::outcome::{Convention, Oracle, Outcome};
use misere_game::ruleset::Code;

use crate::page::html::check;
use crate::page::served::small;

/// A move as the page offers it.
struct Offered {
    /// The value of the button: the position after the move.
    after: String,
    wins: bool,
}

/// Returns the part of a text between two marks.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(from)?;
    rest.split_once(to).map(|(part, _)| part)
}

/// Returns the page of a board, which must be well formed.
fn board(address: &str) -> String {
    let answer = small().get(address);
    assert_eq!(answer.status, 200, "{address}: {}", answer.text());
    check(answer.text()).unwrap_or_else(|faults| panic!("{address}: {faults:#?}"));
    answer.text().to_owned()
}

fn moves(html: &str) -> Vec<Offered> {
    let buttons = html.split("<button name=\"position\"").skip(1);
    let buttons = buttons.map(|button| {
        let (button, _) = button.split_once("</button>").unwrap();
        Offered {
            after: between(button, "value=\"", "\"").unwrap().to_owned(),
            wins: button.contains("class=\"wins\""),
        }
    });
    buttons.collect()
}

/// Reads the heaps of a position of a code from the form.
fn heaps(position: &str) -> Vec<u32> {
    let heaps = position.split(' ').map(|heap| heap.parse().unwrap());
    heaps.filter(|&heap: &u32| heap > 0).collect()
}

/// Reads the position in which the person moves from the form.
fn position(html: &str) -> Vec<u32> {
    heaps(between(html, "name=\"before\" value=\"", "\"").unwrap_or("0"))
}

fn encoded(text: &str) -> String {
    text.replace(' ', "+")
}

/// Returns all positions after a move, by the rules, each once.
fn by_the_rules(code: &Code, position: &[u32]) -> Vec<Vec<u32>> {
    let mut all = Vec::new();
    for (at, &heap) in position.iter().enumerate() {
        for option in code.options(heap) {
            let mut after = position.to_vec();
            after.remove(at);
            after.extend(option.parts());
            after.sort_unstable();
            all.push(after);
        }
    }
    all.sort();
    all.dedup();
    all
}

/// Every move is there, and those marked are the winning ones by the definition.
#[test]
fn the_moves_and_hints_are_those_of_the_rules() {
    let control = &mut Control::unlimited();
    for (code, at) in [
        ("0.77", "3+5+7"),
        ("4.4", "4+6"),
        ("0.123", "9+8+4"),
        ("0.07", "5+7+9"),
        ("0.005", "18+3+7"),
        ("0.14", "6+7"),
        ("grundy", "9+5"),
    ] {
        let html = board(&format!("/game/{code}/play?position={at}&hints=on"));
        let code: Code = code.parse().unwrap();
        let mut oracle = Oracle::new(&code, Convention::Misere);
        let offered = moves(&html);
        let mut offered_after: Vec<Vec<u32>> = Vec::new();
        for offered in &offered {
            let after = heaps(&offered.after);
            let wins = oracle.outcome(&after, control).unwrap() == Outcome::P;
            assert_eq!(offered.wins, wins, "{code} {at}: {after:?}");
            offered_after.push(after);
        }
        offered_after.sort();
        offered_after.dedup();
        assert_eq!(
            offered_after,
            by_the_rules(&code, &position(&html)),
            "{code} {at}"
        );
    }
}

/// A game in which the person follows the hints is won, and one in which the person begins where no
/// move wins is lost.
#[test]
fn a_player_who_can_win_wins() {
    for (game, begin, wins) in [
        ("0.77", "deal=3", true),
        ("0.123", "deal=1", true),
        ("0.005", "deal=2", true),
        ("%7B%7B*2,0%7D,*2%7D", "deal=0", true),
        ("0.77", "position=1", false),
        ("0.123", "position=1+8", false),
        ("0.3", "position=1+1+1", false),
    ] {
        let address = format!("/game/{game}/play?{begin}&hints=on");
        let mut html = board(&address);
        let mut rounds = 0;
        while html.contains("Your move.") {
            let offered = moves(&html);
            let best = offered.iter().find(|offered| offered.wins);
            assert_eq!(best.is_some(), wins, "{address} in round {rounds}");
            let chosen = best.or(offered.first()).unwrap();
            let next = encoded(&chosen.after);
            html = board(&format!(
                "/game/{game}/play?position={next}&turn=computer&hints=on"
            ));
            rounds += 1;
            assert!(rounds < 100, "{address} does not end");
        }
        let end = if wins { "you win" } else { "you lose" };
        assert!(rounds > 0 && html.contains(end), "{address}: {html}");
    }
}

#[test]
fn impossible_positions_are_refused_with_a_message() {
    let long = "1+".repeat(1_500);
    for (asked, said) in [
        ("position=x", "`x` is not a heap"),
        ("position=101", "room for heaps of 100 beans"),
        ("position=1^25", "room for 24 heaps"),
        ("position=99999999999999999999", "is too large"),
        (&format!("position={long}"), "too long for the board"),
        ("position=3&before=z", "`z` is not a heap"),
        ("turn=nobody", "`turn` is `you` or `computer`"),
        ("hints=maybe", "`hints` is `off` or `on`"),
        ("deal=-1", "not a number of a position"),
        ("nosuch=1", "nothing is called `nosuch` on the board"),
    ] {
        let answer = small().get(&format!("/game/0.77/play?{asked}"));
        let page = check(answer.text()).unwrap_or_else(|faults| panic!("{asked}: {faults:#?}"));
        assert_eq!(answer.status, 400, "{asked}");
        let text = page.text.replace('`', "").to_lowercase();
        let said = said.replace('`', "").to_lowercase();
        assert!(text.contains(&said), "{asked}: {}", page.text);
    }
    assert_eq!(small().get("/game/0.6/play").status, 404);
    // Followers of a finite game are games or numbers.
    let finite = "/game/%7B%7B*2,0%7D,*2%7D/play?position=";
    assert_eq!(small().get(&format!("{finite}*2+1")).status, 200);
    assert_eq!(small().get(&format!("{finite}9")).status, 400);
    // Text that is typed into the form comes back as text.
    let script = small().get("/game/0.77/play?position=%3Cscript%3E");
    assert!(!script.text().contains("<script>"));
}

#[test]
fn the_page_of_a_game_leads_to_the_board_and_tells_genera() {
    let html = small().get("/game/0.123").text().to_owned();
    assert!(html.contains("href=\"/game/0.123/play\""));
    let page = check(&html).unwrap();
    for said in [
        "The first heap that is not tame is heap 8; it is restless.",
        "The genera have period 5 from heap 5 on.",
        "The nim-values have period 5 from heap 5 on.",
    ] {
        assert!(page.text.contains(said), "{said}: {}", page.text);
    }
    assert!(html.contains("2<sup>1420</sup>"));
}

#[test]
fn the_page_of_a_class_tells_its_structure() {
    let record = small().get("/api/v1/games/0.123").json();
    let class = record["label"].as_str().unwrap();
    let html = small().get(&format!("/class/{class}")).text().to_owned();
    let page = check(&html).unwrap();
    for said in [
        "The kernel is the group ℤ₂² of order 4",
        "The quotient is regular and normal",
        "faithful and faithfully normal, for all heaps",
        "The identity is the only automorphism.",
        "The classes of mutual divisibility",
    ] {
        assert!(page.text.contains(said), "{said}: {}", page.text);
    }
    let picture = small().get(&format!("/class/{class}/classes.svg"));
    assert_eq!(picture.status, 200);
    assert!(picture.text().contains("5 classes of mutual divisibility"));
    // A class that the census does not have, by its name.
    let named = check(small().get("/class/T_5").text()).unwrap();
    assert!(
        named.text.contains("The quotient is a tame extension"),
        "{}",
        named.text
    );
}
