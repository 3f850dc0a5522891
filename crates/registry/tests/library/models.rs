//! Players that learn, and their models as text.

use agon_core::Ctx;
use agon_play::learned::Settings;
use agon_registry::standard;
use agon_report::failure::Failure;

#[test]
fn a_model_is_written_and_read_and_guarded() {
    let game = standard().game("tic-tac-toe").unwrap();
    let mut trainer = game.trainer(Settings::default(), 1);
    trainer.learn(300, 300, &Ctx::default()).unwrap();
    let model = trainer.model(&[("seed", "1".to_string())]);
    let play = |model: &str| game.learned(("model", model), 5);
    let mut agent = play(&model).unwrap();
    let told = agent.choose(&game.start(), &Ctx::default()).unwrap();
    assert!(game.moves(&game.start()).unwrap().contains(&told.mv));
    for damaged in
        [String::new(), model.replace("seed 1", "seed 2"), model[..model.len() / 2].to_string(), "é".repeat(9)]
    {
        assert!(matches!(play(&damaged).err(), Some(Failure::Damaged { .. })), "{:.40}", damaged);
    }
    let other = standard().game("mnk:4,4,3").unwrap().learned(("model", &model), 5).err();
    assert_eq!(other, Some(Failure::Usage("`model` is a model of mnk:3,3,3, not of mnk:4,4,3".into())));
}
