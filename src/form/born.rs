//! `misere form --born-by 4`: the games born by a day, listed and counted.

use misere_algebra::forms::Forms;
use misere_answers::genera::GenusFacts;
use misere_answers::simplest_form::FormText;
use misere_game::control::{Control, Stop};
use serde::Serialize;

use crate::exit::{Exit, Failure};
use crate::genus::{Effort, computed};
use crate::terminal::{self, table};
use crate::watch::Guards;

/// The games born by a day.
#[derive(Debug, Serialize)]
struct Born {
    schema: u32,
    born_by: u32,
    /// The numbers of games born by day 0, 1, …, `born_by`.
    counts: Vec<u64>,
    /// The games born by day 4.
    games: Vec<Game>,
}

#[derive(Debug, Serialize)]
struct Game {
    #[serde(flatten)]
    form: FormText,
    #[serde(flatten)]
    genus: GenusFacts,
    half_tame: bool,
}

/// Lists and counts the games born by a day.
pub(super) fn run(day: u32, json: bool, effort: Effort, guards: Guards) -> Result<Exit, Failure> {
    let what = format!("the number of games born by day {day}");
    let (born, _) = computed(&what, effort, guards, |control| born(day, control))?;
    if json {
        terminal::print_json(&born)?;
    } else {
        terminal::print(&describe(&born))?;
    }
    Ok(Exit::Done)
}

fn born(day: u32, control: &mut Control) -> Result<Born, Stop> {
    let mut forms = Forms::new();
    let counts: Result<_, _> = (0..=day)
        .map(|day| forms.number_born_by(day, control))
        .collect();
    let mut games = Vec::new();
    for form in forms.born_by_four(control)? {
        if forms.birthday(form) <= day {
            games.push(Game {
                form: FormText::new(&forms, form, control)?,
                genus: GenusFacts::new(forms.genus(form), forms.class(form)),
                half_tame: forms.is_half_tame(form, control)?,
            });
        }
    }
    Ok(Born {
        schema: 1,
        born_by: day,
        counts: counts?,
        games,
    })
}

fn describe(born: &Born) -> String {
    let row = |cells: &[&str]| {
        cells
            .iter()
            .map(|&cell| cell.to_owned())
            .collect::<Vec<_>>()
    };
    let mut counts = vec![row(&["day", "games born by it"])];
    for (day, count) in born.counts.iter().enumerate() {
        counts.push(row(&[&day.to_string(), &count.to_string()]));
    }
    let mut games = vec![row(&["form", "in tables", "birthday", "genus", "class"])];
    for game in &born.games {
        let half = if game.half_tame { ", half-tame" } else { "" };
        games.push(row(&[
            &game.form.to_string(),
            game.form.string().unwrap_or(""),
            &game.form.birthday().to_string(),
            game.genus.genus(),
            &format!("{}{half}", game.genus.class()),
        ]));
    }
    format!("{}\n{}", table(&counts), table(&games))
}
