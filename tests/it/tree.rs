//! The tool `tree`: its page, its statistics, and the error of a build that cannot record.

use crate::session::{Run, run};

#[cfg(feature = "tree")]
#[test]
fn the_page_and_the_statistics_are_written() {
    let path = crate::session::scratch("tree.html");
    let file = path.display().to_string();
    let Run { code, stdout, stderr } = run(&["tree", "startpos", "--depth", "6", "--out", &file]);
    assert_eq!((code, stderr), (Some(0), Vec::new()), "{stdout:?}");
    assert!(stdout[0].starts_with("depth  windows  nodes"), "{stdout:?}");
    let depths = stdout[1..7].iter().map(|line| line.split_whitespace().next());
    assert!(depths.eq(["1", "2", "3", "4", "5", "6"].map(Some)), "{stdout:?}");
    assert!(stdout.iter().all(|line| line.chars().count() < 80 || line.starts_with(&file)));
    let page = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    assert!(page.contains("<summary class=v><b>root</b>") || page.contains("root, search 1"));
    assert!(!page.contains("<script") && !page.contains("http:") && !page.contains("https:"));
}

#[cfg(feature = "tree")]
#[test]
fn errors_name_the_position_and_the_file() {
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    for (arguments, code, message) in [
        (&["tree", "8/8"][..], 2, "error: tree: bad FEN"),
        (&["tree", "--depth", "0"], 2, "error: invalid value '0' for '--depth <D>'"),
        (&["tree", stalemate], 1, "error: tree: the position has no legal move"),
        (&["tree", "--depth", "1", "--out", "/no/such/page"], 1, "error: tree: /no/such/page: "),
    ] {
        let result = run(arguments);
        assert_eq!(result.code, Some(code), "{arguments:?}");
        assert!(result.stderr[0].starts_with(message), "{arguments:?}: {:?}", result.stderr);
    }
}

#[cfg(not(feature = "tree"))]
#[test]
fn a_build_without_the_feature_has_no_such_tool() {
    let Run { code, stdout, stderr } = run(&["tree", "--depth", "6"]);
    assert_eq!((code, stdout), (Some(2), Vec::new()));
    assert_eq!(stderr, ["error: unknown command 'tree', 'help' lists the commands"]);
}
