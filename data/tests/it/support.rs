//! Games to test with.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use tabia::datagen::{
    Damage, Game, GameOptions, Options, RunOptions, Shard, Version, encode_block, run,
};
use tempfile::TempDir;

pub(crate) const GAMES: u64 = 60;
pub(crate) const BLOCK_GAMES: u64 = 4;

/// Returns a shard of short games with every kind of start.
pub(crate) fn shard() -> &'static [u8] {
    static SHARD: OnceLock<Vec<u8>> = OnceLock::new();
    SHARD.get_or_init(|| {
        let folder = TempDir::new().unwrap();
        let options = Options {
            game: GameOptions {
                nodes: 60,
                hash: 1,
                win_score: 700,
                draw_from: 50,
                draw_plies: 6,
                chess960: 25,
                play_nodes: 30,
                interior: 50,
                interior_nodes: 40,
                ..GameOptions::default()
            },
            run: RunOptions {
                games: GAMES,
                seed: 7,
                threads: 1,
                block_games: BLOCK_GAMES,
                ..RunOptions::default()
            },
            out: Some(folder.path().to_owned()),
        };
        assert!(run(&options, &AtomicBool::new(false), &mut |_| {}).unwrap());
        fs::read(folder.path().join("seed7-00000.tabia")).unwrap()
    })
}

pub(crate) fn games() -> Vec<Game> {
    let mut games = Vec::new();
    let shard = Shard::from_bytes(shard().to_vec()).unwrap();
    let visited: Result<(), Damage> = shard.for_each_game(|_, game| {
        games.push(game);
        Ok(())
    });
    assert_eq!((visited, games.len() as u64), (Ok(()), GAMES));
    games
}

/// Returns the games of [`dense_shard`], in which every ply is a label.
pub(crate) fn dense_games() -> Vec<Game> {
    let mut games = Vec::new();
    let shard = Shard::open(&dense_shard()).unwrap();
    let visited: Result<(), Damage> = shard.for_each_game(|_, game| {
        games.push(game);
        Ok(())
    });
    assert_eq!((visited, shard.header.version), (Ok(()), Version::One));
    games
}

/// Returns the path of a shard of version 1.
pub(crate) fn dense_shard() -> PathBuf {
    let trainer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../trainer");
    trainer.join("tests/games/seed9-00000.tabia")
}

/// Returns a shard of these games in one block, with the header of [`shard`].
pub(crate) fn shard_of(games: &[Game]) -> Vec<u8> {
    let header = Shard::from_bytes(shard().to_vec()).unwrap().header;
    [header.to_bytes(), encode_block(games)].concat()
}

/// Temporary folder with a shard.
pub(crate) struct Folder {
    folder: TempDir,
    pub(crate) shard: PathBuf,
}

impl Folder {
    pub(crate) fn new(shard: &[u8]) -> Self {
        let folder = TempDir::with_prefix("tabia  data").unwrap();
        let path = folder.path().join("games.tabia");
        fs::write(&path, shard).unwrap();
        Self { folder, shard: path }
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }
}
