//! Presentations typed without brackets and generators.

use misere_game::bipartite::BipartiteMonoid;
use misere_game::monoid::readable::{PresentationInput, Readable, WrittenPresentation};
use proptest::prelude::*;

fn read(text: &str) -> BipartiteMonoid {
    let written: WrittenPresentation = text.parse().unwrap_or_else(|error| panic!("{error}"));
    written.bipartite_monoid(10_000).unwrap()
}

#[test]
fn brackets_and_generators_may_be_left_out() {
    let t2 = "⟨a,b | a^2 = 1, b^3 = b⟩  P = {a, b^2}";
    for typed in [
        "a^2=1, b^3=b ; P = {a, b^2}",
        "a²=1, b³=b, P={a,b²}",
        "a^{2}=1, b^{3}=b P=\\{a, b^{2}\\}",
        "aa=1; bbb=b; {a; bb}",
        "a*a=1, b*b*b=b. P = {a, b*b}.",
        "a,b | a^2=1, b^3=b, P={a,b^2}",
        "a^2=1\nb^3=b\nP={a,b^2}\n",
        "$a^2=e,\\ b^3=b$; P=\\{a,b^2\\}",
        "x^2=1, z^3=z; P={x,z^2}",
        "a_1^2 = 1, a_2^3 = a_2; P = {a_1, a_2^2}",
    ] {
        assert_eq!(Readable::of(&read(typed)).to_string(), t2, "{typed}");
    }
    // The quotient of 0.123 as Plambeck writes it, with e for the identity.
    let q = read("x^2=a^2=e, z^4=z^2, b^4=b^2, abz=b, b^3x=b^2, z^3a=z^2; P={x,xa,b^2,z^2,zb}");
    assert_eq!((q.order(), q.p_size()), (20, 5));
    // Beside 1, e is a generator.
    assert_eq!(read("a^2=1, e^3=e; P={a, e^2}").order(), 6);
    for (typed, has_p) in [
        ("a^2=1, b^3=b", false),
        ("<a | a^2=1>", false),
        ("a^2=1.", false),
        ("<a | a^2=1>; P={a}", true),
        ("a^2=1 {a}", true),
    ] {
        let found: PresentationInput = typed.parse().unwrap();
        assert_eq!(found.p_portion.is_some(), has_p, "{typed}");
    }
    for (typed, at) in [
        ("a^2=1, b^3", 10),
        ("a^2=", 4),
        ("a^2=1; P={b}", 10),
        ("a^2=1; P={a", 11),
        ("a,a | a^2=1", 2),
        ("=", 0),
    ] {
        let error = typed.parse::<PresentationInput>().unwrap_err();
        assert_eq!(error.at, at, "{error}");
    }
}

proptest! {
    /// Any text is read or refused; what is read has a monoid, or none, without a panic.
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,24}", near in "[abeP=^12,;{}|. \n²]{0,28}") {
        for text in [text, near] {
            if let Ok(typed) = text.parse::<PresentationInput>() {
                let p_portion = typed.p_portion.unwrap_or_default();
                let _ = typed.presentation.bipartite_monoid(&p_portion, 100);
            }
            let _ = text.parse::<WrittenPresentation>();
        }
    }

    /// A presentation with brackets means the same without them.
    #[test]
    fn brackets_change_nothing(
        exponents in prop::collection::vec(1_u32..4, 4), p in prop::collection::vec(0_u32..3, 2),
    ) {
        let [i, j, k, l] = [exponents[0], exponents[1], exponents[2], exponents[3]];
        let relations = format!("a^{} = a^{i}, b^{} = b^{j}", i + k, j + l);
        let p_portion = format!("P = {{a^{}b^{}}}", p[0], p[1]);
        let bare = format!("{relations} ; {p_portion}");
        let lines = format!("{}\n{p_portion}", relations.replace(", ", "\n"));
        let full = format!("<a,b | {relations}> {p_portion}");
        for text in [bare, lines] {
            prop_assert_eq!(text.parse::<WrittenPresentation>().unwrap(), full.parse::<WrittenPresentation>().unwrap());
        }
    }
}
