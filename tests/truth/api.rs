//! The interface for programs, judged for each code.

use crate::truth::compared::Surface;
use crate::truth::figure1;
use crate::truth::plan::Census;
use crate::truth::record;
use crate::truth::words::in_address;

pub(crate) fn judge(census: &Census) -> Vec<Surface> {
    let served = census.served();
    let mut one = Surface::new("/api/v1/games/X", 17);
    let mut listed = Surface::new("/api/v1/games?code=X", 17);
    for truth in &census.truths {
        let code = in_address(&truth.code.to_string());
        let answer = served.get(&format!("/api/v1/games/{code}"));
        one.same(&truth.code, "answer", answer.status, 200);
        record::judge(&mut one, truth, &answer.json());

        let diverges = truth.diverges_at().filter(|_| truth.status() == "diverges");
        let more = match (truth.period(), diverges) {
            (Some((_, preperiod)), _) => format!("&preperiod={preperiod}"),
            _ => String::new(),
        };
        let answer = served.get(&format!("/api/v1/games?code={code}{more}"));
        let said = answer.json();
        let games = said["games"].as_array().unwrap();
        listed.same(&truth.code, "games found", games.len(), 1);
        games
            .iter()
            .for_each(|said| record::judge(&mut listed, truth, said));
    }
    let mut chart = Surface::new("/api/v1/chart", 2);
    let said = served.get("/api/v1/chart").json();
    figure1::judge_games(&mut chart, census, &said["games"]);
    vec![one, listed, chart]
}
