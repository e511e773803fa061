//! The transfer of queries and their answers.
//!
//! Answers are sent in groups while they are found. A client that does not read on keeps the search
//! waiting, for a while (`answering`); one that goes away ends it.

use std::ops::ControlFlow;

use misere_game::solution::Reason;
use misere_proto::v1::census_query_client::CensusQueryClient;
use misere_proto::v1::{self};
use tonic::Status;
use tonic::transport::Endpoint;

use misere_query::{Field, Filter, GenusClass, Query, RecordDocument, Span, Tameness};
use misere_store::answers::{QueryStats, count, visit};
use misere_store::{ClassNames, Counters, Files};

use super::REQUEST_TIMEOUT;
use super::answering::{Answer, Replies, Turns};
use super::foreign;

/// The number of bytes of answers after which a message is sent.
///
/// It is far below the greatest size of a message.
const MESSAGE_BYTES: usize = 128 << 10;

/// The greatest number of conditions of one kind in a query.
const MAX_CONDITIONS: usize = 64;

/// The summary of a complete answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerSummary {
    /// The indexes that led to the records, in words.
    pub way: String,
    /// The number of keys read.
    pub keys: u64,
    /// The number of records read.
    pub records: u64,
    /// The number of tasks of the census that have a record.
    pub known: u64,
    /// The number of all tasks of the census.
    pub tasks: u64,
    /// The number of answers.
    pub found: u64,
}

impl AnswerSummary {
    /// Returns the summary of an answer in a census with these counters.
    #[must_use]
    pub fn new(stats: &QueryStats, counters: Counters) -> Self {
        Self {
            way: stats.path.to_string(),
            keys: stats.reads.keys,
            records: stats.reads.records,
            known: counters.records(),
            tasks: counters.tasks,
            found: stats.found,
        }
    }
}

/// A finder that answers queries from the files of a census that is being written.
#[derive(Clone, Debug)]
pub(super) struct Finder {
    files: Files,
    turns: Turns,
}

impl Finder {
    pub(super) fn new(files: Files) -> Self {
        Self {
            files,
            turns: Turns::default(),
        }
    }

    /// Begins to answer a request.
    pub(super) async fn find(&self, request: v1::FindRequest) -> Result<Replies, Status> {
        let only_count = request.only_count;
        let query = query(request)?;
        let (mut answer, replies) = self.turns.next().await?;
        let files = self.files.clone();
        tokio::task::spawn_blocking(move || {
            let searched = match only_count {
                true => counted(&files, &query.filter).map(Some),
                false => search(&files, &query, &mut answer),
            };
            let last = match searched {
                Ok(Some(last)) => Ok(last),
                // The reader has gone.
                Ok(None) => return,
                Err(status) => Err(status),
            };
            answer.finish(last);
        });
        Ok(replies)
    }
}

/// Counts the answers without sending any of them.
fn counted(files: &Files, filter: &Filter) -> Result<v1::FindReply, Status> {
    let store = files.read().map_err(internal)?;
    let stats = count(&store, filter).map_err(internal)?;
    Ok(v1::FindReply {
        records: Vec::new(),
        how: Some(how_found(&stats, store.counters())),
    })
}

/// Sends all answers but the last group, which it returns; `None` if the reader has gone.
fn search(
    files: &Files,
    query: &Query,
    answer: &mut Answer,
) -> Result<Option<v1::FindReply>, Status> {
    let store = files.read().map_err(internal)?;
    let mut names = ClassNames::default();
    let mut reply = v1::FindReply::default();
    let (mut bytes, mut fault, mut gone) = (0, None, false);
    let stats = visit(&store, query, &mut |game| {
        let name = names.of(&store, &game.record.class).map_err(internal);
        let record = name.and_then(|name| {
            serde_json::to_string(&RecordDocument::new(game, name)).map_err(internal)
        });
        let record = match record {
            Ok(record) => record,
            Err(status) => {
                fault = Some(status);
                return ControlFlow::Break(());
            }
        };
        let size = record.len();
        if bytes + size > MESSAGE_BYTES && !reply.records.is_empty() {
            let full = std::mem::take(&mut reply);
            bytes = 0;
            if answer.send(Ok(full)).is_err() {
                gone = true;
                return ControlFlow::Break(());
            }
        }
        bytes += size;
        reply.records.push(record);
        ControlFlow::Continue(())
    });
    let stats = stats.map_err(internal)?;
    if let Some(status) = fault {
        return Err(status);
    }
    if gone {
        return Ok(None);
    }
    reply.how = Some(how_found(&stats, store.counters()));
    Ok(Some(reply))
}

/// Returns the status of a search that failed here.
fn internal(error: impl std::fmt::Display) -> Status {
    Status::internal(error.to_string())
}

/// Returns the summary of an answer in the form for sending.
fn how_found(stats: &QueryStats, counters: Counters) -> v1::HowFound {
    let AnswerSummary {
        way,
        keys,
        records,
        known,
        tasks,
        found,
    } = AnswerSummary::new(stats, counters);
    v1::HowFound {
        way,
        keys_read: keys,
        records_read: records,
        known,
        tasks,
        found,
    }
}

/// Asks the coordinator at an endpoint for the number of games that fulfil a filter.
///
/// # Errors
/// The status: the coordinator is away or refuses, or its answer cannot be read.
pub async fn ask_for_count(endpoint: &Endpoint, filter: &Filter) -> Result<AnswerSummary, Status> {
    let query = Query {
        filter: filter.clone(),
        ..Query::default()
    };
    let request = v1::FindRequest {
        only_count: true,
        ..request(&query)
    };
    answers(endpoint, request, &mut |_| ControlFlow::Continue(())).await
}

/// Queries the coordinator at an endpoint, and passes on the answers until `take` breaks off.
///
/// # Errors
/// The status: the coordinator is away or refuses, or its answer cannot be read.
pub async fn ask(
    endpoint: &Endpoint,
    query: &Query,
    take: &mut dyn FnMut(RecordDocument) -> ControlFlow<()>,
) -> Result<AnswerSummary, Status> {
    answers(endpoint, request(query), take).await
}

async fn answers(
    endpoint: &Endpoint,
    request: v1::FindRequest,
    take: &mut dyn FnMut(RecordDocument) -> ControlFlow<()>,
) -> Result<AnswerSummary, Status> {
    let endpoint = endpoint.clone().connect_timeout(REQUEST_TIMEOUT);
    let mut client = CensusQueryClient::new(endpoint.connect_lazy());
    let mut replies = client.find(request).await?.into_inner();
    let mut received = 0;
    while let Some(reply) = replies.message().await? {
        for record in reply.records {
            received += 1;
            if take(foreign::document(&record)?).is_break() {
                return Ok(AnswerSummary {
                    way: "broken off".to_owned(),
                    keys: 0,
                    records: 0,
                    known: 0,
                    tasks: 0,
                    found: received,
                });
            }
        }
        if let Some(how) = reply.how {
            return Ok(AnswerSummary {
                way: foreign::text(&how.way),
                keys: how.keys_read,
                records: how.records_read,
                known: how.known,
                tasks: how.tasks,
                // An older coordinator does not count, and sends the answers to be counted.
                found: how.found.max(received),
            });
        }
    }
    Err(Status::internal("the answer is cut short; ask again"))
}

fn request(query: &Query) -> v1::FindRequest {
    let filter = &query.filter;
    let spans = filter.ranges.iter().map(|(field, span)| v1::Span {
        of: field.name().to_owned(),
        least: span.least,
        most: span.most,
    });
    v1::FindRequest {
        code: filter.code.as_ref().map(ToString::to_string),
        status: filter.status.iter().map(ToString::to_string).collect(),
        tame: filter.tame.map(|tame| tame.name().to_owned()),
        spans: spans.collect(),
        class: filter.class.as_ref().map(ToString::to_string),
        any_class: filter.any_class.as_ref().map(ToString::to_string),
        sort: query.sort.name().to_owned(),
        descending: query.descending,
        offset: query.offset,
        limit: query.limit,
        reason: (filter.reason.iter().map(|reason| reason.name().to_owned())).collect(),
        genus: (filter.genus.iter().map(|class| class.name().to_owned())).collect(),
        only_count: false,
    }
}

fn query(request: v1::FindRequest) -> Result<Query, Status> {
    fn read<T: std::str::FromStr>(text: &str) -> Result<T, Status>
    where
        T::Err: std::fmt::Display,
    {
        text.parse()
            .map_err(|error: T::Err| Status::invalid_argument(error.to_string()))
    }
    let lists = [
        request.spans.len(),
        request.status.len(),
        request.reason.len(),
        request.genus.len(),
    ];
    if lists
        .into_iter()
        .any(|conditions| conditions > MAX_CONDITIONS)
    {
        return Err(Status::invalid_argument("too many conditions"));
    }
    let mut filter = Filter {
        code: request.code.as_deref().map(read).transpose()?,
        class: request.class.as_deref().map(read).transpose()?,
        any_class: request.any_class.as_deref().map(read).transpose()?,
        ..Filter::default()
    };
    for status in &request.status {
        filter.status.insert(read(status)?);
    }
    for text in &request.reason {
        let unknown = || Status::invalid_argument(format!("`{text}` is not a reason"));
        filter
            .reason
            .insert(Reason::named(text).ok_or_else(unknown)?);
    }
    for text in &request.genus {
        let unknown = || Status::invalid_argument(format!("`{text}` is not a class of heaps"));
        filter
            .genus
            .insert(GenusClass::named(text).ok_or_else(unknown)?);
    }
    if let Some(text) = &request.tame {
        let found = Tameness::ALL.into_iter().find(|tame| tame.name() == text);
        let unknown = || Status::invalid_argument(format!("`{text}` is not tame, wild or open"));
        filter.tame = Some(found.ok_or_else(unknown)?);
    }
    for v1::Span { of, least, most } in request.spans {
        if least > most {
            return Err(Status::invalid_argument(format!(
                "the range of {of} is empty"
            )));
        }
        let span = Span { least, most };
        let field = Field::named(&of);
        if !field.is_some_and(|field| filter.ranges.require(field, span)) {
            let unknown = format!("there is nothing called `{of}` to ask for");
            return Err(Status::invalid_argument(unknown));
        }
    }
    Ok(Query {
        filter,
        sort: match request.sort.as_str() {
            "" => Default::default(),
            sort => read(sort)?,
        },
        descending: request.descending,
        offset: request.offset,
        limit: request.limit,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use misere_query::samples::{any_query, synthetic};
    use misere_query::{KnownGame, Sort};
    use proptest::prelude::*;

    #[test]
    fn every_field_travels() {
        let span: Span = "3..5".parse().unwrap();
        for field in Field::with_ranges() {
            let asked = Query {
                filter: Filter {
                    ranges: [(field, span)].into_iter().collect(),
                    ..Filter::default()
                },
                sort: Sort::by(field).unwrap_or_default(),
                ..Query::default()
            };
            assert_eq!(query(request(&asked)).unwrap(), asked, "{field:?}");
        }
    }

    proptest! {
        #[test]
        fn queries_arrive_as_they_are_sent(asked in any_query()) {
            prop_assert_eq!(query(request(&asked)).unwrap(), asked);
        }

        #[test]
        fn records_arrive_as_they_are_sent(n in 0_u64..100_000, name in prop::option::of("[A-Z]_[0-9]")) {
            let record = synthetic(n);
            let sent = RecordDocument::new(KnownGame::as_stored(record), name);
            let document = serde_json::to_string(&sent).unwrap();
            prop_assert_eq!(foreign::document::<RecordDocument>(&document).unwrap(), sent);
        }
    }

    #[test]
    fn malformed_messages_are_refused() {
        let good = v1::FindRequest::default();
        assert_eq!(query(good.clone()).unwrap().sort, Sort::CODE);
        let bad = |change: fn(&mut v1::FindRequest)| {
            let mut request = good.clone();
            change(&mut request);
            let refused = query(request).unwrap_err();
            assert_eq!(refused.code(), tonic::Code::InvalidArgument);
        };
        bad(|request| request.code = Some("0.7x?".to_owned()));
        bad(|request| request.status = vec!["unsolved".to_owned()]);
        bad(|request| request.tame = Some("savage".to_owned()));
        bad(|request| request.class = Some("nine".to_owned()));
        bad(|request| request.sort = "taste".to_owned());
        bad(|request| {
            let of = "colour".to_owned();
            request.spans = vec![v1::Span {
                of,
                least: 1,
                most: 2,
            }];
        });
        bad(|request| {
            let of = "order".to_owned();
            request.spans = vec![v1::Span {
                of,
                least: 3,
                most: 2,
            }];
        });
    }
}
