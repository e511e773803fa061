//! The tables of the summary whose rows are games.

use misere_census::Alias;

use super::{quotient_as_shown, stages};
use crate::facts::summary::{
    AutomatonGame, GrowingGame, LawGame, PastInfiniteGame, RelativeGame, WildGame,
};
use crate::sheet::{Cell, Grid};

/// Returns the table of wild games; aliases come last, where they may be long.
pub(super) fn wild_games(title: String, games: &[WildGame]) -> Grid {
    let head = [
        "code",
        "order",
        "|P|",
        "period",
        "preperiod",
        "class",
        "name",
        "same game",
    ];
    let mut grid = Grid::new(&title, &head);
    for game in games {
        let [order, p_size, period, preperiod] =
            [game.order, game.p_size, game.period, game.preperiod].map(Cell::number);
        let class = Cell::Key(game.class.to_string());
        let name = Cell::Formula(game.name.clone().unwrap_or_default());
        grid.rows.push(vec![
            Cell::Text(game.code.to_string()),
            order,
            p_size,
            period,
            preperiod,
            class,
            name,
            listed(&game.aliases),
        ]);
    }
    grid
}

/// Returns the table of games that are tame relative to a heap.
pub(super) fn relative_games(title: String, games: &[RelativeGame]) -> Grid {
    let head = [
        "code",
        "heap",
        "order",
        "period",
        "preperiod",
        "nim heaps",
        "stages",
        "same game",
    ];
    let mut grid = Grid::new(&title, &head);
    for game in games {
        let nim = game.tail.nim_period;
        let stages = match stages(game.tail.stages) {
            (Some(stages), _) => stages.to_string(),
            (None, at_least) => format!("≥ {at_least}"),
        };
        grid.rows.push(vec![
            Cell::Text(game.code.to_string()),
            Cell::number(game.heap),
            Cell::number(game.order),
            Cell::number_or_dash(nim.map(|nim| nim.period)),
            Cell::number_or_dash(nim.map(|nim| nim.preperiod)),
            Cell::number(game.tail.nim_heaps),
            Cell::number(stages),
            listed(&game.aliases),
        ]);
    }
    grid
}

/// Returns the table of unsolved games that grow in a pattern.
pub(super) fn growing_games(title: String, games: &[GrowingGame]) -> Grid {
    let head = ["code", "start", "period", "heaps", "order", "same game"];
    let mut grid = Grid::new(&title, &head);
    for game in games {
        let mut row = vec![Cell::Text(game.code.to_string())];
        row.extend([game.start, game.period, game.heaps, game.order].map(Cell::number));
        row.push(listed(&game.aliases));
        grid.rows.push(row);
    }
    grid
}

/// Returns the table of games that a law solves.
pub(super) fn law_games(title: String, games: &[LawGame]) -> Grid {
    let head = [
        "code",
        "period",
        "slope",
        "modulus",
        "bits",
        "quotient",
        "heaps",
        "order",
        "same game",
    ];
    let mut grid = Grid::new(&title, &head);
    for game in games {
        let law = game.law;
        let mut row = vec![Cell::Text(game.code.to_string())];
        row.extend([law.period, law.slope, law.modulus, law.bits].map(Cell::number));
        row.push(Cell::text(quotient_as_shown(law.infinite)));
        row.extend([game.heaps, game.order].map(Cell::number));
        row.push(listed(&game.aliases));
        grid.rows.push(row);
    }
    grid
}

/// Returns the table of games that an automaton solves.
pub(super) fn automaton_games(title: String, games: &[AutomatonGame]) -> Grid {
    let head = [
        "code",
        "period",
        "states",
        "P-states",
        "quotient",
        "heaps",
        "order",
        "same game",
    ];
    let mut grid = Grid::new(&title, &head);
    for game in games {
        let facts = game.automaton;
        let mut row = vec![Cell::Text(game.code.to_string())];
        row.extend([facts.period, facts.states, facts.p_states].map(Cell::number));
        row.push(Cell::text(quotient_as_shown(facts.infinite)));
        row.extend([game.heaps, game.order].map(Cell::number));
        row.push(listed(&game.aliases));
        grid.rows.push(row);
    }
    grid
}

/// Returns the table of games that are solved past an infinite quotient.
pub(super) fn past_infinite_games(title: String, games: &[PastInfiniteGame]) -> Grid {
    let head = [
        "code",
        "infinite at heap",
        "period",
        "preperiod",
        "order before",
        "same game",
    ];
    let mut grid = Grid::new(&title, &head);
    for game in games {
        let all = game.all_heaps;
        let mut row = vec![Cell::Text(game.code.to_string())];
        row.extend([game.heap.proved, all.period, all.preperiod, game.order].map(Cell::number));
        row.push(listed(&game.aliases));
        grid.rows.push(row);
    }
    grid
}

fn listed(aliases: &[Alias]) -> Cell {
    let aliases: Vec<String> = aliases.iter().map(ToString::to_string).collect();
    Cell::Text(aliases.join(", "))
}
