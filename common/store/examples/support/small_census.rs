// A small census for the examples in the documentation, which include this block. Its value is the
// temporary directory, and the store with two of three tasks finished.
{
    use misere_census::{Budget, Plan, Space, Task, admission, certificate, plan};
    use misere_store::{Commit, Finished, Store};
    use misere_game::control::{Control, Interrupt};
    use misere_engine::quotient::solve;

    let dir = tempfile::tempdir()?;
    let codes = ["0.3", "0.77", "4.6", "0.123"].map(|code| code.parse());
    let codes = codes.into_iter().collect::<Result<_, _>>()?;
    let plan = Plan::new(Space::Codes(codes), Budget::default())?;
    let mut store = Store::open(dir.path(), &plan, || plan::tasks(&plan))?;
    for (id, stored) in store.pending(0, 3)? {
        let Task::Game(task) = &stored.task else { continue };
        if task.code.to_string() == "0.123" {
            continue;
        }
        let budget = task.budget;
        let mut control = Control::new(budget.fuel, Interrupt::default());
        let solution = solve(&task.code, &budget.limits, budget.strategy, &mut control);
        let certificate = certificate::encode(&solution)?;
        let verified = admission::verify(&stored.task, &certificate, Interrupt::default())?;
        let finished = Finished {
            task: id,
            finish: verified.finish,
            certificate,
            finding: verified.finding,
            checked_by: None,
        };
        store.commit(&Commit {
            finished: vec![finished],
            ..Commit::default()
        })?;
    }
    (dir, store)
}
