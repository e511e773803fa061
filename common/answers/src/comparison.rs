//! The comparison of two games in misère play, as one document.

use misere_algebra::forms::contexts::ContextGoal;
use misere_algebra::forms::notation::GameText;
use misere_algebra::forms::{Form, Forms};
use misere_game::control::{Control, Stop};
use serde::Serialize;

use crate::genera::GenusFacts;
use crate::simplest_form::FormText;

/// The facts about two games: the document of `misere compare --json`.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// The version of the document.
    pub schema: u32,
    /// The two games.
    pub games: [ComparedGame; 2],
    /// Whether they are equal in misère play.
    pub equal: bool,
    /// A game with which the two have different outcomes.
    ///
    /// It is `None` if they are equal or no such game is found.
    pub distinguisher: Option<Context>,
    /// Whether they are linked.
    pub linked: bool,
    /// A game with which both are P-positions.
    ///
    /// It is `None` if they are not linked or no such game is found.
    pub link: Option<Context>,
}

/// One of the games compared.
#[derive(Debug, Serialize)]
pub struct ComparedGame {
    /// The game as it was written.
    pub text: String,
    /// The simplest form.
    #[serde(flatten)]
    pub form: FormText,
    /// The genus and the class.
    #[serde(flatten)]
    pub genus: GenusFacts,
}

/// A game that is added to each of the two.
#[derive(Debug, Serialize)]
pub struct Context {
    /// The simplest form.
    #[serde(flatten)]
    pub form: FormText,
    /// Whether no smaller game does the same.
    pub least: bool,
    /// The sum of each game with it.
    pub sums: [GenusFacts; 2],
}

impl Comparison {
    /// Compares two games.
    ///
    /// ```
    /// use misere_answers::comparison::Comparison;
    /// use misere_game::control::Control;
    /// let (one, other) = ("0.123:3".parse()?, "0.123:4".parse()?);
    /// assert!(Comparison::new([&one, &other], &mut Control::unlimited())?.equal);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Cost: that of the two simplest forms, and of the games born by day 5 that are tried.
    ///
    /// # Errors
    /// [`Stop`] if `control` ends the comparison.
    pub fn new([first, second]: [&GameText; 2], control: &mut Control) -> Result<Self, Stop> {
        let mut forms = Forms::new();
        let g = first.form(&mut forms, control)?;
        let h = second.form(&mut forms, control)?;
        let linked = forms.are_linked(g, h);
        let distinguisher = match g == h {
            true => None,
            false => context(&mut forms, [g, h], ContextGoal::ToTellApart, control)?,
        };
        let link = match linked {
            true => context(&mut forms, [g, h], ContextGoal::ToLink, control)?,
            false => None,
        };
        let compared = |text: &GameText, form: Form| {
            Ok(ComparedGame {
                text: text.to_string(),
                form: FormText::new(&forms, form, &mut control.unmetered())?,
                genus: GenusFacts::new(forms.genus(form), forms.class(form)),
            })
        };
        Ok(Self {
            schema: 1,
            games: [compared(first, g)?, compared(second, h)?],
            equal: g == h,
            distinguisher,
            linked,
            link,
        })
    }
}

/// Finds the least game with the wanted property, or constructs one.
fn context(
    forms: &mut Forms,
    [g, h]: [Form; 2],
    wanted: ContextGoal,
    control: &mut Control,
) -> Result<Option<Context>, Stop> {
    let Some((found, least)) = forms.context(g, h, wanted, control)? else {
        return Ok(None);
    };
    let mut sum = |game: Form| {
        let sum = forms.sum(game, found, control)?;
        Ok(GenusFacts::new(forms.genus(sum), forms.class(sum)))
    };
    let sums = [sum(g)?, sum(h)?];
    Ok(Some(Context {
        form: FormText::new(forms, found, control)?,
        least,
        sums,
    }))
}
