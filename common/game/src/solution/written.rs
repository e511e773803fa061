//! The binary form of a solution.
//!
//! The fields are written in this order, without names. Absent growth, laws, evidence and reasons
//! have numbers of their own, so that certificates of earlier releases can be read.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Evidence, Growth, Partial, Reason, Solution, Tail, Verdict, evidence, law};
use crate::bipartite::{BipartiteMonoid, Element};
use crate::lists::snug;
use crate::ruleset::Code;

#[derive(Serialize)]
#[serde(rename = "Solution")]
struct SolutionForm<'a> {
    code: &'a Code,
    verdict: Verdict,
    quotient: &'a BipartiteMonoid,
    generator_heaps: &'a [u32],
    phi: &'a [Element],
    partials: &'a [Partial],
    tail: Option<Tail>,
    #[serde(serialize_with = "law::numbered::serialize")]
    growth: &'a Option<Growth>,
    #[serde(serialize_with = "evidence::numbered::serialize")]
    evidence: (&'a Option<Evidence>, Option<Reason>),
    fuel: u64,
}

#[derive(Deserialize)]
#[serde(rename = "Solution")]
struct SolutionSource {
    code: Code,
    verdict: Verdict,
    quotient: BipartiteMonoid,
    #[serde(deserialize_with = "snug")]
    generator_heaps: Vec<u32>,
    #[serde(deserialize_with = "snug")]
    phi: Vec<Element>,
    #[serde(deserialize_with = "snug")]
    partials: Vec<Partial>,
    tail: Option<Tail>,
    #[serde(deserialize_with = "law::numbered::deserialize")]
    growth: Option<Growth>,
    #[serde(deserialize_with = "evidence::numbered::deserialize")]
    evidence: (Option<Evidence>, Option<Reason>),
    fuel: u64,
}

impl Serialize for Solution {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let written = SolutionForm {
            code: &self.code,
            verdict: self.verdict,
            quotient: &self.quotient,
            generator_heaps: &self.generator_heaps,
            phi: &self.phi,
            partials: &self.partials,
            tail: self.tail,
            growth: &self.growth,
            evidence: (&self.evidence, self.reason),
            fuel: self.fuel,
        };
        written.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Solution {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let read = SolutionSource::deserialize(from)?;
        let (evidence, reason) = read.evidence;
        Ok(Self {
            code: read.code,
            verdict: read.verdict,
            quotient: read.quotient,
            generator_heaps: read.generator_heaps,
            phi: read.phi,
            partials: read.partials,
            tail: read.tail,
            growth: read.growth,
            evidence,
            reason,
            fuel: read.fuel,
        })
    }
}
