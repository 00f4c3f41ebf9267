//! The real program: arguments, output and exit codes.

use std::ffi::OsStr;
use std::fs;
use std::process::{Command, Output};

use sha2::{Digest, Sha256};
use tabia_trainer::export::quantise;
use tabia_trainer::formats;
use tabia_trainer::model::{ModelParameters, ModelShape};
use tabia_trainer::recipe::hex;

use crate::support::{Folder, KNOWN_GAMES, known_games};

fn run_with<A: AsRef<OsStr>>(arguments: &[A]) -> (i32, String, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tabia-trainer"));
    let Output { status, stdout, stderr } = program.args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

#[test]
fn help_and_version_are_printed_to_standard_output() {
    for help in [&["--help"][..], &["-h"], &["help"]] {
        let (code, out, errors) = run_with(help);
        assert!(code == 0 && errors.is_empty(), "{errors}");
        let commands = ["train", "build", "judge", "compare", "convert"];
        assert!(commands.iter().all(|command| out.contains(command)), "{out}");
    }
    let (code, out, _) = run_with(&["train", "--help"]);
    assert!(code == 0 && out.contains("--threads") && out.contains(".checkpoint"), "{out}");
    let (code, out, _) = run_with(&["--version"]);
    assert_eq!((code, out.split(' ').next()), (0, Some("tabia-trainer")));
}

#[test]
fn errors_show_the_control_characters_of_arguments() {
    let (code, _, errors) = run_with(&["\x1b[31mred\nerror: \u{202e}"]);
    assert!(code == 2 && errors.contains("<U+001B>[31mred<U+000A>error: <U+202E>"), "{errors:?}");
    assert!(!errors.contains(['\x1b', '\u{202e}']), "{errors:?}");
    // A line break of an argument begins no line.
    let (_, _, errors) = run_with(&["train", "--x\nerror: y"]);
    assert!(!errors.contains("\nerror: y"), "{errors:?}");
}

#[test]
fn unknown_arguments_are_named_and_exit_with_2() {
    for (arguments, named) in [
        (&["joho"][..], "joho"),
        (&["train", "a", "--data", "d"], "--out"),
        (&["train", "a", "--out"], "--out"),
        (&["build", "--data", "d", "--out", "o"], "<RECIPE>"),
        (&["train", "a", "--data", "d", "--out", "o", "b"], "'b'"),
        (&["train", "a", "--data", "d", "--out", "o", "-x"], "'-x'"),
        (&["build", "a", "--data", "d", "--out", "o", "--threads", "0"], "1..=1024"),
        (&["build", "a", "--data", "d", "--out", "o", "--threads", "1025"], "1..=1024"),
        (&["build", "a", "--data", "d", "--out", "o", "--threads", "x"], "'x'"),
        (&["judge", "--over", "a"], "<NET>"),
        (&["compare", "--over", "a", "b"], "--games"),
        (&["compare", "--games", "a", "b"], "--over"),
        (&["convert", "a"], "--out"),
        (&["convert", "a", "--out", "o", "--format", "4"], "2..=3"),
    ] {
        let (code, out, errors) = run_with(arguments);
        assert!(code == 2 && out.is_empty(), "{arguments:?}: {code} {out}");
        assert!(errors.contains(named), "{arguments:?}: {errors}");
    }
    assert_eq!(run_with::<&str>(&[]).0, 2);
}

#[test]
fn a_failed_run_says_why_on_standard_error_and_exits_with_1() {
    let (code, out, errors) = run_with(&["train", "none.toml", "--data", "d", "--out", "o"]);
    assert!(code == 1 && out.is_empty(), "{code} {out}");
    assert!(errors.starts_with("error: ") && errors.contains("none.toml"), "{errors}");
    let (code, out, errors) = run_with(&["judge", "none.net"]);
    assert!(code == 1 && out.is_empty() && errors.starts_with("error: none.net: "), "{errors}");
}

/// Writes two small networks into a folder and returns their paths.
fn two_networks(folder: &Folder) -> [String; 2] {
    [1, 2].map(|seed| {
        let model = ModelParameters::random(ModelShape { hidden: 64, buckets: 1 }, seed);
        let path = folder.0.join(format!("{seed}.net")).display().to_string();
        fs::write(&path, quantise(&model).unwrap().to_bytes().unwrap()).unwrap();
        path
    })
}

#[test]
fn networks_are_judged_one_after_another() {
    let folder = Folder::new("judge");
    let [one, two] = &two_networks(&folder);
    let (code, out, errors) = run_with(&["judge", "--over", one, one, two]);
    assert!(code == 0 && errors.is_empty(), "{errors}");
    let last: Vec<&str> = out.lines().filter(|line| line.contains("(five divisors)")).collect();
    assert!(last.len() == 2 && out.ends_with(&format!("{}\n", last[1])), "{out}");
    assert!(last[0].ends_with(&format!("progress 0.00 over {one}")), "{out}");
    assert!(last[1].starts_with(&format!("{two}: error 0.")), "{out}");
}

#[test]
fn networks_are_compared_one_after_another() {
    let folder = Folder::new("compare");
    let [one, two] = &two_networks(&folder);
    let games = known_games();
    let shard = games.0.join("seed9-00000.tabia").display().to_string();
    let (code, out, errors) = run_with(&["compare", "--over", one, "--games", &shard, one, two]);
    assert!(code == 0 && errors.is_empty(), "{errors}");
    let titles = [one, two].map(|name| format!("{name} over {one}, 16 games"));
    let found: Vec<&str> = out.lines().filter(|line| line.contains(" over ")).collect();
    assert_eq!(found, titles);
    let all: Vec<&str> = out.lines().filter(|line| line.starts_with("   all  ")).collect();
    assert!(all.len() == 2 && all[0].ends_with("  +0.000000 ± 0.000000  0.00000"), "{out}");
    assert!(!all[1].contains("0.000000 ± 0.000000"), "{out}");
    let (code, out, errors) = run_with(&["compare", "--over", one, "--games", "none.tabia", two]);
    assert!(code == 1 && out.is_empty() && errors.starts_with("error: none.tabia: "), "{errors}");
    let twice = ["compare", "--over", one, "--games", &shard, "--games", &shard, two];
    let (code, out, errors) = run_with(&twice);
    assert!(code == 1 && out.is_empty() && errors.contains("games are given twice"), "{errors}");
}

#[test]
fn networks_are_converted_between_versions_of_the_format() {
    let folder = Folder::new("convert");
    let paths =
        ["3.net", "2.net", "again.net"].map(|name| folder.0.join(name).display().to_string());
    let [three, two, again] = paths.each_ref().map(String::as_str);
    let model = ModelParameters::random(ModelShape { hidden: 64, buckets: 1 }, 1);
    let bytes = quantise(&model).unwrap().to_bytes().unwrap();
    fs::write(three, &bytes).unwrap();
    let (code, _, errors) = run_with(&["convert", three, "--out", two, "--format", "2"]);
    assert!(code == 0 && errors.is_empty(), "{errors}");
    assert_eq!(fs::read(two).unwrap()[8], 2);
    let (code, out, errors) = run_with(&["convert", two, "--out", again]);
    assert!(code == 0 && errors.is_empty(), "{errors}");
    assert!(fs::read(again).unwrap() == bytes);
    assert_eq!(out, format!("{}  {again}\n", hex(&Sha256::digest(&bytes))));
}

#[test]
fn a_network_whose_weights_exceed_eight_bits_is_not_converted() {
    let folder = Folder::new("not-converted");
    let paths = ["2.net", "3.net"].map(|name| folder.0.join(name).display().to_string());
    let [two, three] = paths.each_ref().map(String::as_str);
    let model = ModelParameters::random(ModelShape { hidden: 64, buckets: 1 }, 1);
    let mut network = quantise(&model).unwrap();
    network.feature_weights[5] = 128;
    fs::write(two, formats::with_16_bits(&network).unwrap()).unwrap();
    let (code, out, errors) = run_with(&["convert", two, "--out", three]);
    assert!(code == 1 && out.is_empty() && !fs::exists(three).unwrap(), "{code} {out}");
    assert_eq!(errors, format!("error: {two}: feature weight or bias 128 is outside ±127\n"));
}

#[test]
fn another_network_than_that_of_the_recipe_is_not_written() {
    let folder = Folder::new("other-network");
    let (recipe, out) = (folder.0.join("a.toml"), folder.0.join("a.net"));
    let text = format!(
        "{KNOWN_GAMES}
        [positions]
        held_out = 4
        [network]
        hidden = 64
        buckets = 1
        [training]
        seed = 1
        epochs = 2
        batch = 64
        rate = 0.001
        final_rate = 0.001
        warm_up = 2"
    );
    let games = known_games();
    let train = |text: &str| {
        fs::write(&recipe, text).unwrap();
        let words = ["train".as_ref(), recipe.as_os_str(), "--data".as_ref(), games.0.as_os_str()];
        run_with(&[&words[..], &["--out".as_ref(), out.as_os_str()]].concat())
    };
    let (code, _, errors) = train(&format!("sha256 = '{}'\n{text}", "0".repeat(64)));
    assert!(code == 1 && errors.contains("but the recipe names 000"), "{errors}");
    let files = || {
        let names = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(files(), ["a.checkpoint", "a.toml"]);
    // From the checkpoint, so nothing is trained again.
    let (code, printed, errors) = train(&text);
    assert!(code == 0 && printed.contains("resumed after step"), "{printed}{errors}");
    assert_eq!(files(), ["a.csv", "a.net", "a.svg", "a.toml"]);
}

#[cfg(unix)]
#[test]
fn paths_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = Folder::new("program");
    let recipe = folder.0.join(OsStr::from_bytes(b"\xff.toml"));
    // Some file systems take no such name.
    if fs::write(&recipe, "games = 1").is_ok() {
        let words = ["--data", "d", "--out", "o"].map(OsStr::new);
        let words: Vec<&OsStr> =
            ["train".as_ref(), recipe.as_os_str()].into_iter().chain(words).collect();
        let (code, _, errors) = run_with(&words);
        // The file was read: the error is about its contents.
        assert!(code == 1 && errors.contains("games"), "{errors}");
    }
}
