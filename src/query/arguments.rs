//! What may be asked for on the command line?

use misere_census::Status;
use misere_query::{ClassPattern, CodePattern, Filter, Happening, Query, Sort, Span, Tameness};

/// What has to be true of a game.
#[derive(Clone, Debug, clap::Args)]
pub struct Conditions {
    /// A code, or a pattern: `?` is one digit, `[1-3]` one of these, `*` any number of digits.
    /// Aliases are found too
    #[arg(long, value_name = "GLOB")]
    code: Option<CodePattern>,
    /// How the computation ended: solved, tame-relative, infinite, diverges, grows, exhausted.
    /// Several, with commas: any of them
    #[arg(long, value_name = "STATUS", value_delimiter = ',')]
    status: Vec<Status>,
    /// Tame games only
    #[arg(long, conflicts_with_all = ["wild", "open"])]
    tame: bool,
    /// Wild games only
    #[arg(long, conflicts_with = "open")]
    wild: bool,
    /// Only games of which it is not known whether they are tame
    #[arg(long)]
    open: bool,
    /// The order of the quotient (to the greatest heap proved)
    #[arg(long, value_name = "A..B")]
    order: Option<Span>,
    /// The number of elements in its P-portion
    #[arg(long, value_name = "A..B")]
    p_size: Option<Span>,
    /// The class of the quotient: the first digits of its key, or a name such as T_3, R_8, S_12,
    /// S'_12
    #[arg(long, value_name = "CLASS")]
    class: Option<ClassPattern>,
    /// The class of some partial quotient
    #[arg(long, value_name = "CLASS")]
    any_class: Option<ClassPattern>,
    /// The period of the pretending function
    #[arg(long, value_name = "A..B")]
    period: Option<Span>,
    /// The heap from which on it is periodic
    #[arg(long, value_name = "A..B")]
    preperiod: Option<Span>,
    /// The greatest heap proved
    #[arg(long, value_name = "A..B")]
    heaps: Option<Span>,
    /// Fuel spent
    #[arg(long, value_name = "A..B")]
    spent: Option<Span>,
    /// The partial quotient changes at such a heap
    #[arg(long, value_name = "A..B")]
    changes_at: Option<Span>,
    /// The first wild partial quotient is that to such a heap
    #[arg(long, value_name = "A..B")]
    wild_from: Option<Span>,
    /// The partial quotient to such a heap diverges, proved infinite or not
    #[arg(long, value_name = "A..B")]
    diverges_at: Option<Span>,
    /// From such a heap on misère play is normal play
    #[arg(long, value_name = "A..B")]
    tame_relative_from: Option<Span>,
    /// From such a heap on partial quotients grow in a pattern
    #[arg(long, value_name = "A..B")]
    grows_from: Option<Span>,
}

/// Conditions, order and limit.
#[derive(Clone, Debug, clap::Args)]
pub struct QueryConditions {
    #[command(flatten)]
    conditions: Conditions,
    /// What comes first: code, order, p-size, period, preperiod, heaps, fuel, wild-from,
    /// diverges-at
    #[arg(
        long,
        value_name = "BY",
        default_value = "code",
        help_heading = "Order and limit"
    )]
    sort: Sort,
    /// The greatest first; what has no such number comes last either way
    #[arg(long, help_heading = "Order and limit")]
    descending: bool,
    /// Print so many at most
    #[arg(long, value_name = "N", help_heading = "Order and limit")]
    limit: Option<u64>,
    /// Pass over so many first
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        help_heading = "Order and limit"
    )]
    offset: u64,
}

impl Conditions {
    /// The filter asked for.
    pub fn filter(&self) -> Filter {
        let tame = match (self.tame, self.wild, self.open) {
            (true, ..) => Some(Tameness::Tame),
            (_, true, _) => Some(Tameness::Wild),
            (_, _, true) => Some(Tameness::Open),
            _ => None,
        };
        let happens = [
            (Happening::Changes, self.changes_at),
            (Happening::WildFrom, self.wild_from),
            (Happening::Diverges, self.diverges_at),
            (Happening::TameRelativeFrom, self.tame_relative_from),
            (Happening::GrowsFrom, self.grows_from),
        ];
        let happens = happens.into_iter();
        Filter {
            code: self.code.clone(),
            status: self.status.iter().copied().collect(),
            tame,
            order: self.order,
            p_size: self.p_size,
            period: self.period,
            preperiod: self.preperiod,
            heaps: self.heaps,
            fuel: self.spent,
            class: self.class.clone(),
            any_class: self.any_class.clone(),
            happens: happens
                .filter_map(|(what, span)| Some((what, span?)))
                .collect(),
        }
    }
}

impl QueryConditions {
    /// The query asked for.
    pub fn query(&self) -> Query {
        Query {
            filter: self.conditions.filter(),
            sort: self.sort,
            descending: self.descending,
            offset: self.offset,
            limit: self.limit,
        }
    }
}
