//! The transfer of reports: results of tasks, with their certificates in chunks.
//!
//! Each result is a header, and then the certificate in chunks of at most [`CHUNK_BYTES`], so that
//! no message is large for any certificate. The header announces the length; the receiver takes
//! exactly this number of bytes and no more than [`MAX_CERTIFICATE_BYTES`]. Any number of results
//! follow one another in a call: tiny tasks end by the thousand, and a call for each would cost
//! more than they do.

use std::collections::BTreeSet;

use misere_census::{Failure, InterruptCause, Lease, MAX_CERTIFICATE_BYTES, WorkerId};

use crate::translate::lease;
use crate::v1::{self, report_part::Part};
use crate::{CHUNK_BYTES, MAX_LISTED, WireError};

/// The header of a report: the worker, the lease and the kind of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportHeader {
    /// The worker.
    pub worker: WorkerId,
    /// The lease.
    pub lease: Lease,
    /// The result of the task.
    pub outcome: ReportedOutcome,
}

/// The result of a task, as stated in the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportedOutcome {
    /// A certificate of this many bytes follows.
    Certificate(usize),
    /// The computation failed.
    Failed(Failure),
    /// The task was stopped from outside.
    Interrupted(InterruptCause),
}

/// Returns the messages of one outcome.
///
/// Cost: the certificate is copied once.
///
/// ```
/// use misere_census::{Epoch, Lease, TaskId, WorkerId};
/// use misere_proto::report::ReportedOutcome;
/// use misere_proto::{ReportAssembler, ReportHeader, report_parts};
/// let header = ReportHeader {
///     worker: WorkerId(3),
///     lease: Lease { task: TaskId([7; 32]), epoch: Epoch(9) },
///     outcome: ReportedOutcome::Certificate(4),
/// };
/// assert_eq!(report_parts(&header, &[1, 2, 3, 4]).len(), 2); // a header and a chunk
/// ```
pub fn report_parts(header: &ReportHeader, certificate: &[u8]) -> Vec<v1::ReportPart> {
    let first = v1::ReportPart {
        part: Some(Part::Header(header.into())),
    };
    let chunks = certificate.chunks(CHUNK_BYTES);
    let chunks = chunks.map(|chunk| v1::ReportPart {
        part: Some(Part::Chunk(chunk.to_vec())),
    });
    std::iter::once(first).chain(chunks).collect()
}

impl From<&ReportHeader> for v1::ReportHeader {
    fn from(header: &ReportHeader) -> Self {
        use v1::report_header::Outcome;
        let outcome = match &header.outcome {
            ReportedOutcome::Certificate(bytes) => Outcome::Certificate(v1::CertificateHeader {
                bytes: *bytes as u64,
            }),
            ReportedOutcome::Failed(failure) => Outcome::Failed(failure.into()),
            ReportedOutcome::Interrupted(cause) => {
                let cause = match cause {
                    InterruptCause::Shutdown => v1::InterruptCause::Shutdown,
                    InterruptCause::TimeGuard => v1::InterruptCause::TimeGuard,
                    InterruptCause::MemoryGuard => v1::InterruptCause::MemoryGuard,
                };
                Outcome::Interrupted(v1::Interrupted {
                    cause: cause.into(),
                })
            }
        };
        Self {
            worker: header.worker.0,
            lease: Some(header.lease.into()),
            outcome: Some(outcome),
        }
    }
}

impl TryFrom<v1::ReportHeader> for ReportHeader {
    type Error = WireError;
    fn try_from(wire: v1::ReportHeader) -> Result<Self, WireError> {
        use v1::report_header::Outcome;
        let outcome = match wire.outcome.ok_or(WireError::Missing("outcome"))? {
            Outcome::Certificate(certificate) => {
                let bytes = usize::try_from(certificate.bytes).unwrap_or(usize::MAX);
                if bytes > MAX_CERTIFICATE_BYTES {
                    return Err(WireError::Report("the certificate is too long"));
                }
                ReportedOutcome::Certificate(bytes)
            }
            Outcome::Failed(failed) => ReportedOutcome::Failed(failed.into()),
            Outcome::Interrupted(interrupted) => ReportedOutcome::Interrupted(
                match v1::InterruptCause::try_from(interrupted.cause) {
                    Ok(v1::InterruptCause::Shutdown) => InterruptCause::Shutdown,
                    Ok(v1::InterruptCause::TimeGuard) => InterruptCause::TimeGuard,
                    Ok(v1::InterruptCause::MemoryGuard) => InterruptCause::MemoryGuard,
                    Ok(v1::InterruptCause::Unspecified) | Err(_) => {
                        return Err(WireError::Unknown {
                            field: "cause",
                            value: interrupted.cause,
                        });
                    }
                },
            ),
        };
        Ok(Self {
            worker: WorkerId(wire.worker),
            lease: lease(wire.lease)?,
            outcome,
        })
    }
}

impl From<&Failure> for v1::Failed {
    fn from(failure: &Failure) -> Self {
        use v1::failed::Kind;
        let kind = match failure {
            Failure::OutOfMemory { limit } => {
                Some(Kind::OutOfMemory(v1::OutOfMemory { limit: *limit }))
            }
            Failure::Crashed { end, last_words } => Some(Kind::Crashed(v1::Crashed {
                end: end.clone(),
                last_words: last_words.clone(),
            })),
            _ => None,
        };
        let reason = match failure {
            Failure::Computation(reason) => reason.clone(),
            _ => failure.to_string(),
        };
        Self { reason, kind }
    }
}

/// Texts are truncated; a kind that a worker cannot know becomes a failed computation.
impl From<v1::Failed> for Failure {
    fn from(wire: v1::Failed) -> Self {
        use v1::failed::Kind;
        match wire.kind {
            Some(Kind::OutOfMemory(v1::OutOfMemory { limit })) => Self::OutOfMemory { limit },
            Some(Kind::Crashed(crashed)) => Self::crashed(&crashed.end, &crashed.last_words),
            None => Self::computation(&wire.reason),
        }
    }
}

/// The assembler of the parts of a report, in their order of arrival.
///
/// ```
/// use misere_proto::ReportAssembler;
/// let nothing = ReportAssembler::default();
/// assert!(nothing.finish().is_err());
/// ```
#[derive(Debug, Default)]
pub struct ReportAssembler {
    reports: Vec<(ReportHeader, Vec<u8>)>,
    /// The number of bytes received of the last certificate, stored or not.
    received: usize,
    /// The number of bytes of memory that all stored certificates use.
    kept: usize,
    /// The places of certificates that are not stored.
    passed_over: BTreeSet<usize>,
}

impl ReportAssembler {
    /// Takes the next part, and reports whether it is a header.
    ///
    /// A header is then the [last](Self::header).
    ///
    /// Cost: the bytes of the part are copied; memory grows with the bytes received, not with the
    /// announced length.
    ///
    /// ```
    /// use misere_census::{Epoch, Lease, TaskId, WorkerId};
    /// use misere_proto::report::ReportedOutcome;
    /// use misere_proto::{ReportAssembler, ReportHeader, report_parts};
    /// let header = ReportHeader {
    ///     worker: WorkerId(3),
    ///     lease: Lease { task: TaskId([7; 32]), epoch: Epoch(9) },
    ///     outcome: ReportedOutcome::Certificate(4),
    /// };
    /// let mut assembler = ReportAssembler::default();
    /// let is_header: Result<Vec<bool>, _> = report_parts(&header, &[1, 2, 3, 4])
    ///     .into_iter()
    ///     .map(|part| assembler.take(part))
    ///     .collect();
    /// assert_eq!(is_header, Ok(vec![true, false]));
    /// assert_eq!(assembler.header(), Some(&header));
    /// ```
    ///
    /// # Errors
    /// [`WireError`] if the part is not allowed here.
    pub fn take(&mut self, part: v1::ReportPart) -> Result<bool, WireError> {
        match part.part.ok_or(WireError::Missing("part"))? {
            Part::Header(header) => {
                self.complete()?;
                if self.reports.len() >= MAX_LISTED {
                    return Err(WireError::TooMany);
                }
                let header = ReportHeader::try_from(header)?;
                if self
                    .header()
                    .is_some_and(|last| last.worker != header.worker)
                {
                    return Err(WireError::Report("outcomes of several workers"));
                }
                self.reports.push((header, Vec::new()));
                self.received = 0;
                Ok(true)
            }
            Part::Chunk(chunk) => {
                if chunk.len() > self.announced().saturating_sub(self.received) {
                    return Err(WireError::Report("more bytes than the header announced"));
                }
                self.received += chunk.len();
                let announced = self.announced();
                let last = self.reports.len().saturating_sub(1);
                if let Some((_, certificate)) = self.reports.last_mut()
                    && !self.passed_over.contains(&last)
                {
                    self.kept -= certificate.capacity();
                    append(certificate, &chunk, announced);
                    self.kept += certificate.capacity();
                }
                Ok(false)
            }
        }
    }

    /// Returns the last header that has arrived.
    #[must_use]
    pub fn header(&self) -> Option<&ReportHeader> {
        self.reports.last().map(|(header, _)| header)
    }

    /// Returns the headers that have arrived.
    pub fn headers(&self) -> impl ExactSizeIterator<Item = &ReportHeader> {
        self.reports.iter().map(|(header, _)| header)
    }

    /// Returns the number of bytes of memory that the stored certificates use.
    ///
    /// It is at most twice the bytes received.
    #[must_use]
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// Discards the certificate after the header at a place, the bytes received and those to come.
    ///
    /// ```
    /// use misere_census::{Epoch, Lease, TaskId, WorkerId};
    /// use misere_proto::report::ReportedOutcome;
    /// use misere_proto::{ReportAssembler, ReportHeader, report_parts};
    /// let header = ReportHeader {
    ///     worker: WorkerId(3),
    ///     lease: Lease { task: TaskId([7; 32]), epoch: Epoch(9) },
    ///     outcome: ReportedOutcome::Certificate(4),
    /// };
    /// let mut assembler = ReportAssembler::default();
    /// for part in report_parts(&header, &[1, 2, 3, 4]) {
    ///     assembler.take(part)?;
    /// }
    /// assembler.skip(0);
    /// assert_eq!(assembler.kept(), 0);
    /// assert_eq!(assembler.finish()?, [(header, vec![])]);
    /// # Ok::<(), misere_proto::WireError>(())
    /// ```
    pub fn skip(&mut self, place: usize) {
        if let Some((_, certificate)) = self.reports.get_mut(place) {
            self.kept -= certificate.capacity();
            *certificate = Vec::new();
            self.passed_over.insert(place);
        }
    }

    /// Returns the length of the certificate that the last header announces.
    #[must_use]
    pub fn announced(&self) -> usize {
        match self.header().map(|header| &header.outcome) {
            Some(ReportedOutcome::Certificate(bytes)) => *bytes,
            _ => 0,
        }
    }

    /// Checks that the last certificate is complete.
    fn complete(&self) -> Result<(), WireError> {
        if self.received < self.announced() {
            return Err(WireError::Report("fewer bytes than the header announced"));
        }
        Ok(())
    }

    /// Returns every header with its certificate: at least one, all of one worker.
    ///
    /// A certificate is empty unless the header announces one that was stored.
    ///
    /// Cost: nothing is copied.
    ///
    /// ```
    /// use misere_census::{Epoch, Lease, TaskId, WorkerId};
    /// use misere_proto::report::ReportedOutcome;
    /// use misere_proto::{ReportAssembler, ReportHeader, report_parts};
    /// let header = ReportHeader {
    ///     worker: WorkerId(3),
    ///     lease: Lease { task: TaskId([7; 32]), epoch: Epoch(9) },
    ///     outcome: ReportedOutcome::Certificate(4),
    /// };
    /// let mut assembler = ReportAssembler::default();
    /// for part in report_parts(&header, &[1, 2, 3, 4]) {
    ///     assembler.take(part)?;
    /// }
    /// assert_eq!(assembler.announced(), 4);
    /// assert_eq!(assembler.finish()?, [(header, vec![1, 2, 3, 4])]);
    /// # Ok::<(), misere_proto::WireError>(())
    /// ```
    ///
    /// # Errors
    /// [`WireError`] if parts are missing.
    pub fn finish(self) -> Result<Vec<(ReportHeader, Vec<u8>)>, WireError> {
        self.complete()?;
        if self.reports.is_empty() {
            return Err(WireError::Missing("header"));
        }
        Ok(self.reports)
    }
}

/// Appends a chunk.
///
/// It uses at most twice the memory of the bytes received, and never more than was announced.
pub(crate) fn append(bytes: &mut Vec<u8>, chunk: &[u8], announced: usize) {
    let needed = bytes.len() + chunk.len();
    if needed > bytes.capacity() {
        let wanted = needed.saturating_mul(2).min(announced).max(needed);
        bytes.reserve_exact(wanted - bytes.len());
    }
    bytes.extend_from_slice(chunk);
}

#[cfg(test)]
mod tests {
    use misere_census::{Epoch, TaskId};

    use super::*;

    fn header(outcome: ReportedOutcome) -> ReportHeader {
        let lease = Lease {
            task: TaskId([7; 32]),
            epoch: Epoch(9),
        };
        ReportHeader {
            worker: WorkerId(3),
            lease,
            outcome,
        }
    }

    fn assembled(parts: Vec<v1::ReportPart>) -> Result<Vec<(ReportHeader, Vec<u8>)>, WireError> {
        let mut assembler = ReportAssembler::default();
        parts
            .into_iter()
            .try_for_each(|part| assembler.take(part).map(drop))?;
        assembler.finish()
    }

    #[test]
    fn reports_travel_in_chunks() {
        let certificate: Vec<u8> = (0..CHUNK_BYTES * 2 + 17).map(|i| i as u8).collect();
        let header = header(ReportedOutcome::Certificate(certificate.len()));
        let parts = report_parts(&header, &certificate);
        assert_eq!(parts.len(), 4);
        assert_eq!(assembled(parts), Ok(vec![(header, certificate)]));
        for outcome in [
            ReportedOutcome::Failed(Failure::computation("no")),
            ReportedOutcome::Failed(Failure::OutOfMemory {
                limit: Some(1 << 30),
            }),
            ReportedOutcome::Failed(Failure::crashed("signal 11", "no")),
            ReportedOutcome::Interrupted(InterruptCause::TimeGuard),
        ] {
            let header = self::header(outcome);
            assert_eq!(
                assembled(report_parts(&header, &[])),
                Ok(vec![(header, Vec::new())])
            );
        }
    }

    #[test]
    fn many_outcomes_travel_together() {
        let one = header(ReportedOutcome::Certificate(3));
        let two = header(ReportedOutcome::Interrupted(InterruptCause::Shutdown));
        let parts = || [report_parts(&one, &[1, 2, 3]), report_parts(&two, &[])].concat();
        let both = vec![(one.clone(), vec![1, 2, 3]), (two.clone(), vec![])];
        assert_eq!(assembled(parts()), Ok(both));
        let mut short = parts();
        short.remove(1);
        assert!(assembled(short).is_err());
        let somebody_else = ReportHeader {
            worker: WorkerId(4),
            ..two.clone()
        };
        let mixed = [parts(), report_parts(&somebody_else, &[])].concat();
        assert!(assembled(mixed).is_err());
        let many = |count| vec![report_parts(&two, &[]).remove(0); count];
        assert!(assembled(many(MAX_LISTED)).is_ok());
        assert_eq!(assembled(many(MAX_LISTED + 1)), Err(WireError::TooMany));
    }

    #[test]
    fn unwanted_certificates_are_not_kept() {
        let certificate = vec![1_u8; 3 * CHUNK_BYTES];
        let one = header(ReportedOutcome::Certificate(certificate.len()));
        let two = header(ReportedOutcome::Certificate(3));
        let mut assembler = ReportAssembler::default();
        let parts = report_parts(&one, &certificate);
        let (first, rest) = parts.split_at(2);
        for part in first {
            assembler.take(part.clone()).unwrap();
        }
        assembler.skip(0);
        for part in rest.iter().cloned().chain(report_parts(&two, &[1, 2, 3])) {
            assembler.take(part).unwrap();
        }
        assert_eq!(assembler.headers().len(), 2);
        let all = vec![(one.clone(), vec![]), (two, vec![1, 2, 3])];
        assert_eq!(assembler.finish(), Ok(all));
        let mut short = ReportAssembler::default();
        short.take(parts[0].clone()).unwrap();
        short.skip(0);
        assert!(short.finish().is_err());
    }

    #[test]
    fn malformed_reports_are_refused() {
        let certificate = vec![1_u8; 100];
        let header = header(ReportedOutcome::Certificate(100));
        let parts = || report_parts(&header, &certificate);
        assert!(assembled(parts()[1..].to_vec()).is_err());
        assert!(assembled(parts()[..1].to_vec()).is_err());
        assert!(assembled([parts()[..1].to_vec(), parts()].concat()).is_err());
        let mut twice = parts();
        twice.push(twice[1].clone());
        assert!(assembled(twice).is_err());
        let huge = self::header(ReportedOutcome::Certificate(MAX_CERTIFICATE_BYTES + 1));
        assert!(assembled(report_parts(&huge, &[])).is_err());
        let failed = self::header(ReportedOutcome::Failed(Failure::computation("")));
        assert!(assembled(report_parts(&failed, &certificate)).is_err());
        assert!(assembled(vec![v1::ReportPart { part: None }]).is_err());
    }
}
