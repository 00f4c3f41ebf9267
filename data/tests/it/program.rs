//! The real program: arguments, output and exit codes.

use std::ffi::OsStr;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use tabia_data::DataError;

use crate::support::{Folder, GAMES, shard};

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tabia-data"))
}

fn run_with<A: AsRef<OsStr>>(arguments: &[A]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = program().args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

#[test]
fn each_tool_reads_a_shard() {
    let folder = Folder::new(shard());
    let file = folder.shard.as_os_str();
    for (tool, mention) in [("stats", "bytes per label"), ("verify", "plies: ok")] {
        let (code, out, errors) = run_with(&[tool.as_ref(), file]);
        assert!(code == 0 && out.contains(mention) && errors.is_empty(), "{out}{errors}");
    }
    let (code, out, errors) = run_with(&["view".as_ref(), file, "2".as_ref()]);
    assert!(code == 0 && out.contains("self-play game 2") && errors.is_empty(), "{out}{errors}");
    let path = folder.path("out");
    let flags = ["--format", "bulletformat", "--min-ply", "0", "--with-checks", "--out"];
    let mut words: Vec<&OsStr> = vec!["export".as_ref(), file];
    words.extend(flags.map(OsStr::new));
    words.push(path.as_os_str());
    let (code, out, errors) = run_with(&words);
    assert!(code == 0 && out.contains("in bulletformat") && errors.is_empty(), "{out}{errors}");
    assert!(fs::metadata(path).unwrap().len() > 0);
}

#[test]
fn a_failed_tool_says_why_on_standard_error_and_exits_with_1() {
    let folder = Folder::new(shard());
    let (file, nowhere) = (folder.shard.to_str().unwrap(), folder.path("none"));
    let nowhere = nowhere.to_str().unwrap();
    for (arguments, mention) in [
        (&["chances", file][..], "too few games"),
        (&["view", file, &GAMES.to_string()], "no readable game 60"),
        (&["stats", nowhere], "cannot be read"),
        (&["export", file, "--format", "viriformat", "--out", file], "is not replaced"),
    ] {
        let (code, _, errors) = run_with(arguments);
        assert!(code == 1 && errors.starts_with("error: "), "{arguments:?}: {errors}");
        assert!(errors.contains(mention), "{arguments:?}: {errors}");
    }
    assert!(fs::read(file).unwrap() == shard(), "no games are lost");
    let cut = Folder::new(&shard()[..shard().len() - 1]);
    let (code, out, _) = run_with(&["verify".as_ref(), cut.shard.as_os_str()]);
    assert!(code == 1 && out.contains("is truncated"), "{out}");
    let last = (GAMES - 1).to_string();
    let (code, _, errors) = run_with(&["view".as_ref(), cut.shard.as_os_str(), last.as_ref()]);
    assert!(code == 1 && errors.contains("is truncated"), "{errors}");
}

#[cfg(unix)]
#[test]
fn a_fifo_is_rejected_instead_of_blocking() {
    let folder = Folder::new(shard());
    let fifo = folder.path("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut child = program().arg("stats").arg(&fifo).stderr(Stdio::piped()).spawn().unwrap();
    let end = Instant::now() + Duration::from_secs(20);
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < end, "the process is still running");
        thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && errors.contains("not a regular file"), "{errors}");
}

#[test]
fn help_and_version_are_printed_to_standard_output() {
    for help in [&["--help"][..], &["-h"], &["help"]] {
        let (code, out, errors) = run_with(help);
        assert!(code == 0 && errors.is_empty(), "{errors}");
        for tool in ["stats", "verify", "chances", "view", "export"] {
            assert!(out.contains(tool), "{out}");
        }
    }
    let (code, out, _) = run_with(&["export", "--help"]);
    assert!(code == 0 && out.contains("--max-score") && out.contains("viriformat"), "{out}");
    for version in ["--version", "-V"] {
        let (code, out, _) = run_with(&[version]);
        assert_eq!((code, out.split(' ').next()), (0, Some("tabia-data")));
    }
}

#[test]
fn errors_show_the_control_characters_of_arguments() {
    let (code, _, errors) = run_with(&["\x1b[31mred\nerror: \u{202e}"]);
    assert!(code == 2 && errors.contains("<U+001B>[31mred<U+000A>error: <U+202E>"), "{errors:?}");
    assert!(!errors.contains(['\x1b', '\u{202e}']), "{errors:?}");
    // A line break of an argument begins no line.
    for error in [
        DataError::NoGame { path: "a\x1b".into(), game: 1, damage: None },
        DataError::NotDense("a\x1b".into(), 1),
    ] {
        assert!(error.to_string().starts_with(r"a\u{1b}"), "{error}");
    }
    let (_, _, errors) = run_with(&["stats", "--x\nerror: y"]);
    assert!(!errors.contains("\nerror: y"), "{errors:?}");
}

#[test]
fn unknown_arguments_are_named_and_exit_with_2() {
    for (arguments, named) in [
        (&["joho"][..], "joho"),
        (&["stats"], "<FILE>"),
        (&["verify", "a", "--min-ply", "3"], "--min-ply"),
        (&["view", "a", "b"], "'b'"),
        (&["stats", "a", "--max-score", "-1"], "-1"),
        (&["export", "a", "--format", "x", "--out", "b"], "'x'"),
        (&["export", "a", "--format", "viriformat"], "--out"),
    ] {
        let (code, out, errors) = run_with(arguments);
        assert!(code == 2 && out.is_empty(), "{arguments:?}: {code} {out}");
        assert!(errors.contains(named), "{arguments:?}: {errors}");
    }
    assert_eq!(run_with::<&str>(&[]).0, 2);
}

#[cfg(unix)]
#[test]
fn paths_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = Folder::new(shard());
    let file = folder.path(OsStr::from_bytes(b"\xff.tabia"));
    // Some file systems take no such name.
    if fs::rename(&folder.shard, &file).is_ok() {
        let (code, out, _) = run_with(&["verify".as_ref(), file.as_os_str()]);
        assert!(code == 0 && out.contains("plies: ok"), "{out}");
    }
}

#[test]
fn a_closed_output_ends_the_program_quietly() {
    let folder = Folder::new(shard());
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let mut child = program();
    child.arg("stats").arg(&folder.shard).stdout(writer).stderr(Stdio::piped());
    let output = child.output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
