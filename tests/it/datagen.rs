//! Self-play data: every run gives the same bytes, also after interruptions, and games are legal
//! and small.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use tabia::board::FenStyle;
use tabia::datagen::{
    Damage, Game, GameOptions, KeepFilter, Options, RunError, RunOptions, Shard, WriteError,
    encode_block, run,
};
use tabia::types::{Move, PieceType};

use crate::session::{program, run_with};
use crate::support::TestRng;

const GAMES: u64 = 20;

/// Returns an empty temporary folder, with spaces in its name.
pub(crate) fn folder(name: &str) -> PathBuf {
    let name = format!("{}  {name}", std::process::id());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Left over from an earlier process with the same number.
    let _none = fs::remove_dir_all(&path);
    path
}

/// Returns options for short games and small files, so that everything happens often.
pub(crate) fn options(folder: &Path, threads: u64) -> Options {
    Options {
        game: GameOptions {
            nodes: 60,
            play_nodes: 20,
            interior: 50,
            interior_nodes: 40,
            hash: 1,
            win_score: 700,
            draw_from: 50,
            draw_plies: 6,
            chess960: 25,
            ..GameOptions::default()
        },
        run: RunOptions { games: GAMES, seed: 7, threads, block_games: 3, shard_kib: 1 },
        out: Some(folder.to_owned()),
    }
}

fn complete_run(options: &Options) {
    assert!(run(options, &AtomicBool::new(false), &mut |_| {}).unwrap());
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    entries.map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

/// Returns the files of an uninterrupted run on one thread.
fn reference() -> &'static BTreeMap<String, Vec<u8>> {
    static FILES: OnceLock<BTreeMap<String, Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let folder = folder("reference");
        complete_run(&options(&folder, 1));
        let files = files(&folder);
        fs::remove_dir_all(folder).unwrap();
        files
    })
}

pub(crate) fn games_of(bytes: &[u8]) -> (Vec<Game>, Option<Damage>) {
    let mut games = Vec::new();
    let shard = Shard::from_bytes(bytes.to_vec()).unwrap();
    let end: Result<(), Damage> = shard.for_each_game(|number, game| {
        assert_eq!(number, shard.header.first_game + games.len() as u64);
        games.push(game);
        Ok(())
    });
    (games, end.err())
}

pub(crate) fn reference_games() -> Vec<Game> {
    let games: Vec<Game> = reference().values().flat_map(|bytes| games_of(bytes).0).collect();
    assert_eq!(games.len() as u64, GAMES);
    games
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let folder = folder("threads");
    complete_run(&options(&folder, 2));
    assert!(files(&folder) == *reference());
    assert!(reference().len() > 2, "the games fill several shards");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn interior_labels_change_no_move_and_no_score_of_a_game() {
    let folder = folder("without interior labels");
    let mut options = options(&folder, 1);
    options.game.interior = 0;
    complete_run(&options);
    let without: Vec<Game> = files(&folder).values().flat_map(|bytes| games_of(bytes).0).collect();
    let with = reference_games();
    assert!(with.iter().any(|game| game.interior.len() > 1));
    for (with, without) in with.into_iter().zip(without) {
        assert_eq!(Game { interior: Vec::new(), ..with }, without);
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn labels_change_no_move_where_each_ply_has_their_nodes() {
    let games_with_a_label_every = |plies, interior| {
        let folder = folder(&format!("a label every {plies} plies"));
        let mut options = options(&folder, 1);
        options.game.play_nodes = options.game.nodes;
        options.game.label_every = plies;
        options.game.interior = interior;
        complete_run(&options);
        let games: Vec<Game> =
            files(&folder).values().flat_map(|bytes| games_of(bytes).0).collect();
        fs::remove_dir_all(folder).unwrap();
        games
    };
    let (dense, sparse) = (games_with_a_label_every(1, 50), games_with_a_label_every(8, 0));
    assert_eq!(dense.len(), sparse.len());
    assert!(dense.iter().any(|game| game.interior.len() > 1));
    let (mut labels, mut common) = (0, 0);
    for (dense, sparse) in dense.iter().zip(&sparse) {
        assert_eq!((&dense.opening, dense.verdict), (&sparse.opening, sparse.verdict));
        assert_eq!(dense.plies.len(), sparse.plies.len());
        for (dense, sparse) in dense.plies.iter().zip(&sparse.plies) {
            assert_eq!(dense.mv, sparse.mv);
            labels += usize::from(dense.score.is_some());
            if sparse.score.is_some() && dense.score.is_some() {
                assert_eq!(dense.score, sparse.score);
                common += 1;
            }
        }
    }
    assert!(common > GAMES as usize && labels > 2 * common, "{labels}, {common}");
}

#[test]
fn interior_labels_are_quiet_positions_below_a_label() {
    let (mut labels, mut interior, mut longest) = (0, 0, 0);
    for game in reference_games() {
        game.for_each_label(|label| labels += usize::from(KeepFilter::default().keeps(label)));
        game.for_each_interior_label(|label| assert!(!label.board.in_check() && label.ply > 16));
        for position in &game.interior {
            assert!(game.plies[position.ply].score.is_some());
            longest = longest.max(position.path.len());
        }
        interior += game.interior.len();
    }
    assert!(longest > 3 && labels / 4 < interior && interior < labels, "{interior} of {labels}");
}

#[test]
fn other_seeds_give_other_games() {
    let folder = folder("seed");
    let mut other = options(&folder, 1);
    other.run.seed = 8;
    other.run.games = 1;
    complete_run(&other);
    let games = games_of(files(&folder).values().next().unwrap()).0;
    assert!(games[0] != reference_games()[0]);
    fs::remove_dir_all(folder).unwrap();
}

/// Creates the files of a run that was killed after it had written this number of bytes.
fn write_killed_run(folder: &Path, mut bytes: usize) {
    let _none = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).unwrap();
    for (name, whole) in reference() {
        let written = bytes.min(whole.len());
        fs::write(folder.join(name), &whole[..written]).unwrap();
        bytes -= written;
        if bytes == 0 {
            return;
        }
    }
}

#[test]
fn a_run_killed_at_any_byte_resumes_with_the_same_result() {
    let folder = folder("killed");
    let total: usize = reference().values().map(Vec::len).sum();
    let mut rng = TestRng::new(70);
    let mut places: Vec<usize> = (0..7).map(|_| total / 2 + rng.below(total / 2)).collect();
    // In the header of the first shard and of the last, at its end, and between two shards.
    let last = reference().values().last().unwrap().len();
    places.extend([0, 5, total - last + 3, total - last, total - last + 200, total - 1, total]);
    for place in places {
        write_killed_run(&folder, place);
        complete_run(&options(&folder, 2));
        assert!(files(&folder) == *reference(), "killed after {place} bytes");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn cut_off_bytes_are_reported() {
    let folder = folder("cut");
    let total: usize = reference().values().map(Vec::len).sum();
    write_killed_run(&folder, total - 1);
    let mut lines = Vec::new();
    let mut sink = |line: &str| lines.push(line.to_owned());
    assert!(run(&options(&folder, 1), &AtomicBool::new(false), &mut sink).unwrap());
    let reported = lines
        .iter()
        .filter(|line| line.contains("bytes are cut off, and the run resumes at game 18"))
        .count();
    assert!(reported == 1, "{lines:?}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn missing_shards_are_generated_again() {
    let folder = folder("missing");
    let names: Vec<&String> = reference().keys().collect();
    for missing in [&names[..1], &names[1..2], &[names[0], names[2]]] {
        write_killed_run(&folder, usize::MAX);
        missing.iter().for_each(|name| fs::remove_file(folder.join(name)).unwrap());
        complete_run(&options(&folder, 2));
        assert!(files(&folder) == *reference(), "without {missing:?}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_missing_shard_needs_room_for_its_games() {
    let folder = folder("smaller");
    let mut options = options(&folder, 2);
    (options.run.games, options.run.shard_kib) = (2 * GAMES, 2);
    complete_run(&options);
    let whole = files(&folder);
    let names: Vec<&String> = whole.keys().collect();
    assert!(names.len() > 2, "{names:?}");
    let first = Shard::from_bytes(whole[names[0]].clone()).unwrap();
    assert!(first.blocks().count() > 1, "a shard has at least one block");
    fs::remove_file(folder.join(names[0])).unwrap();
    options.run.shard_kib = 1;
    let result = run(&options, &AtomicBool::new(false), &mut |_| {});
    let error = result.unwrap_err().to_string();
    assert!(error.contains("give the --shard-kib"), "{error}");
    // With more room the shard ends where the next one begins.
    fs::remove_file(folder.join(names[0])).unwrap();
    options.run.shard_kib = 1024;
    complete_run(&options);
    assert!(files(&folder) == whole);
    // One shard cannot take the place of two.
    names[..2].iter().for_each(|name| fs::remove_file(folder.join(name)).unwrap());
    let result = run(&options, &AtomicBool::new(false), &mut |_| {});
    let error = result.unwrap_err().to_string();
    assert!(error.contains("give the --shard-kib"), "{error}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_shard_generated_again_may_be_interrupted() {
    let folder = folder("again");
    let (name, whole) = reference().iter().nth(1).unwrap();
    let shard = Shard::from_bytes(whole.clone()).unwrap();
    let first_block = shard.blocks().next().unwrap().unwrap();
    // In the header, after it, and in a block, which is damage in any shard but the last.
    for size in [5, first_block.start, whole.len() - 1] {
        write_killed_run(&folder, usize::MAX);
        fs::write(folder.join(name), &whole[..size]).unwrap();
        let result = run(&options(&folder, 2), &AtomicBool::new(false), &mut |_| {});
        if size < whole.len() - 1 {
            assert!(result.unwrap() && files(&folder) == *reference(), "{size} bytes");
        } else {
            let error = result.unwrap_err().to_string();
            assert!(error.contains("truncated"), "{error}");
        }
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_run_stopped_repeatedly_gives_the_same_bytes() {
    let folder = folder("stopped");
    let (mut breaks, mut is_done) = (0, false);
    while !is_done {
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                // Longer each time, so that it ends on any machine.
                thread::sleep(Duration::from_millis(20 + 20 * breaks));
                stop.store(true, Relaxed);
            });
            is_done = run(&options(&folder, 2), &stop, &mut |_| {}).unwrap();
        });
        breaks += 1;
    }
    assert!(files(&folder) == *reference(), "after {breaks} breaks");
    fs::remove_dir_all(folder).unwrap();
}

/// Kills a process. On Unix it may get SIGINT instead, as from Ctrl-C.
fn interrupt(child: &mut Child, by_sigint: bool) {
    if by_sigint && cfg!(unix) {
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success(), "{sent}");
    } else {
        child.kill().unwrap();
    }
}

/// Returns the number of bytes in a folder, which may not exist yet.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.metadata().ok()).map(|file| file.len()).sum()
}

#[test]
fn a_program_interrupted_ten_times_gives_the_same_bytes() {
    const INTERRUPTIONS: usize = 10;
    let words = "--games 320 --nodes 100 --play-nodes 60 --interior 20 --hash 1 --chess960 25 \
                 --block-games 4 --shard-kib 8";
    let start = |folder: &Path, threads: &str| {
        let mut program = program();
        program.arg("datagen").args(words.split(' ')).args(["--threads", threads]);
        program.arg("--out").arg(folder).stdout(Stdio::null()).spawn().unwrap()
    };
    let whole = folder("whole");
    assert!(start(&whole, "1").wait().unwrap().success());
    let (folder, mut rng) = (folder("interrupted"), TestRng::new(72));
    for number in 1..=INTERRUPTIONS {
        // Interrupts at even intervals of the output, plus a random delay between two blocks.
        let enough = size(&whole) * number as u64 / (INTERRUPTIONS as u64 + 1);
        let mut child = start(&folder, "2");
        while size(&folder) < enough {
            assert_eq!(child.try_wait().unwrap(), None, "the program must still be running");
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_micros(rng.below(10_000) as u64));
        interrupt(&mut child, number % 2 == 1);
        let end = child.wait().unwrap();
        assert!(!end.success() || size(&folder) == size(&whole), "{end}");
    }
    assert!(start(&folder, "2").wait().unwrap().success());
    let files = (files(&whole), files(&folder));
    assert!(files.0.len() > 4 && files.0 == files.1);
    fs::remove_dir_all(whole).unwrap();
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_run_can_be_made_longer() {
    let folder = folder("longer");
    let mut shorter = options(&folder, 2);
    for games in [4, 5, 13] {
        shorter.run.games = games;
        complete_run(&shorter);
    }
    complete_run(&options(&folder, 2));
    assert!(files(&folder) == *reference());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_shard_is_locked_against_other_runs() {
    let folder = folder("locked");
    write_killed_run(&folder, usize::MAX);
    let last = folder.join(reference().keys().last().unwrap());
    let held = fs::File::open(last).unwrap();
    held.lock().unwrap();
    let refused = run(&options(&folder, 1), &AtomicBool::new(false), &mut |_| {});
    assert!(matches!(refused, Err(RunError::Write(WriteError::Locked(_)))), "{refused:?}");
    drop(held);
    complete_run(&options(&folder, 1));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn shards_of_another_run_are_not_changed() {
    let folder = folder("other");
    write_killed_run(&folder, usize::MAX);
    let mut other = options(&folder, 1);
    other.game.nodes += 1;
    let refused = run(&other, &AtomicBool::new(false), &mut |_| {});
    assert!(matches!(refused, Err(RunError::Write(WriteError::OtherRun(_)))), "{refused:?}");
    // Damage before the last shard is left to the user.
    let first = folder.join(reference().keys().next().unwrap());
    let mut bytes = fs::read(&first).unwrap();
    let end = bytes.len() - 1;
    bytes[end] ^= 1;
    fs::write(&first, bytes).unwrap();
    let refused = run(&options(&folder, 1), &AtomicBool::new(false), &mut |_| {});
    assert!(matches!(refused, Err(RunError::Write(WriteError::Damaged(..)))), "{refused:?}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_shard_of_zeros_is_damaged_and_may_be_deleted() {
    let folder = folder("zeros");
    write_killed_run(&folder, usize::MAX);
    let last = folder.join(reference().keys().last().unwrap());
    // A power failure leaves such a file.
    for length in [7, 300] {
        fs::write(&last, vec![0; length]).unwrap();
        let refused = run(&options(&folder, 1), &AtomicBool::new(false), &mut |_| {});
        let message = refused.unwrap_err().to_string();
        assert!(message.contains("has a damaged header; delete it to have its games"), "{message}");
    }
    fs::remove_file(last).unwrap();
    complete_run(&options(&folder, 1));
    assert!(files(&folder) == *reference());
    fs::remove_dir_all(folder).unwrap();
}

fn cozy_move(mv: Move) -> cozy_chess::Move {
    let square = |square: tabia::types::Square| cozy_chess::Square::index(square as usize);
    let promotion = mv.promotion().map(|piece| match piece {
        PieceType::Knight => cozy_chess::Piece::Knight,
        PieceType::Bishop => cozy_chess::Piece::Bishop,
        PieceType::Rook => cozy_chess::Piece::Rook,
        _ => cozy_chess::Piece::Queen,
    });
    cozy_chess::Move { from: square(mv.from()), to: square(mv.to()), promotion }
}

/// Replays a game with another library. Returns the number of plies.
fn check_moves(game: &Game) -> usize {
    let start = game.back_ranks.board().fen(FenStyle::Shredder);
    let mut board = cozy_chess::Board::from_fen(&start, true).unwrap();
    let moves: Vec<Move> =
        game.opening.iter().copied().chain(game.plies.iter().map(|ply| ply.mv)).collect();
    for &mv in &moves {
        board.try_play(cozy_move(mv)).unwrap_or_else(|_| panic!("{mv:?} in {board}"));
    }
    moves.len()
}

#[test]
fn another_library_finds_every_move_legal() {
    let games = reference_games();
    assert!(games.iter().map(check_moves).sum::<usize>() > 500);
    assert!(games.iter().any(|game| game.back_ranks != tabia::datagen::BackRanks::STANDARD));
    let openings: Vec<usize> = games.iter().map(|game| game.opening.len()).collect();
    assert!(openings.iter().enumerate().all(|(number, &plies)| plies == 8 + number % 2));
}

/// Returns the bytes per later ply of games in one block.
fn bytes_per_ply(games: &[Game]) -> f64 {
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    encode_block(games).len() as f64 / plies as f64
}

#[test]
fn games_are_small() {
    // With few games, the contexts of a block have adapted little.
    let size = bytes_per_ply(&reference_games());
    assert!(size < 2.2, "{size}");
}

#[test]
#[ignore = "a million plies"]
fn a_million_plies_are_legal_and_small() {
    let folder = folder("million");
    let options = Options {
        game: GameOptions { nodes: 100, chess960: 20, ..GameOptions::default() },
        run: RunOptions { games: 12_000, ..RunOptions::default() },
        out: Some(folder.clone()),
    };
    complete_run(&options);
    let (mut plies, mut searched, mut bytes) = (0, 0, 0);
    for file in files(&folder).values() {
        bytes += file.len();
        for game in games_of(file).0 {
            plies += check_moves(&game);
            searched += game.plies.len();
        }
    }
    report(&format!("{plies} plies, {searched} searched, {bytes} bytes"));
    assert!(plies >= 1_000_000, "{plies}");
    assert!(bytes * 10 <= searched * 18, "{bytes} bytes for {searched} plies");
    fs::remove_dir_all(folder).unwrap();
}

#[expect(clippy::print_stderr, reason = "figures of a long test")]
fn report(line: &str) {
    eprintln!("{line}");
}

#[cfg(target_os = "linux")]
#[test]
fn tables_of_all_threads_must_fit_together() {
    let folder = folder("memory");
    let out = folder.display().to_string();
    // 1 TiB in total, of which each thread's GiB alone would fit.
    let arguments = ["datagen", "--out", &out, "--threads", "1024", "--hash", "1024"];
    let (fine, lines) = run_with(&arguments);
    assert!(!fine && lines.iter().any(|line| line.contains("1048576 MiB is more")), "{lines:?}");
    let _none = fs::remove_dir_all(folder);
}

#[test]
fn the_program_generates_games() {
    let folder = folder("program");
    let out = folder.display().to_string();
    let few = ["--games", "3", "--nodes", "20", "--hash", "1", "--threads", "1"];
    let arguments = [&["datagen", "--out", &out][..], &few].concat();
    let (fine, lines) = run_with(&arguments);
    assert!(fine, "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("found 0 games of seed 1")), "{lines:?}");
    let (fine, lines) = run_with(&arguments);
    assert!(fine && lines.iter().any(|line| line.contains("3 games of seed 1")), "{lines:?}");
    let nowhere = program().arg("datagen").env("TABIA_DATA", "").output().unwrap();
    assert!(String::from_utf8_lossy(&nowhere.stderr).contains("give --out FOLDER"), "{nowhere:?}");
    let (fine, lines) = run_with(&["datagen", "--help"]);
    assert!(fine && lines.iter().any(|line| line.contains("--win-score")), "{lines:?}");
    fs::remove_dir_all(folder).unwrap();
}
