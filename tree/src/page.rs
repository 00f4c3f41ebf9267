//! Page in HTML: position, statistics, legend and tree. It needs no script and no other file.

use std::fmt::Write as _;

use tabia::board::{Board, FenStyle, numbered_line};
use tabia::eval::chances::{MODEL, REFERENCE_MATERIAL};
use tabia::search::{NodeEnding, NodeKind, Pruning, RecordedNode, SearchTree};
use tabia::text::escaped;
use tabia::types::{Color, File, Rank, Square};

use crate::selection::Selection;
use crate::statistics::{HEADINGS, cells, percent};
use crate::words::{Words, ending_text, kind_text, node_score_text, of_ending, of_pruning};

const STYLE: &str = include_str!("page.css");

/// Explains how to read the tree. `EVEN_SCORE` stands for the score that is printed as 100.
const READING: &str = include_str!("reading.html");
/// Explains the counts of an iteration.
const COUNTING: &str = include_str!("counting.html");

pub(crate) struct Page<'a> {
    root: &'a Board,
    tree: &'a SearchTree,
    selection: Selection,
}

impl<'a> Page<'a> {
    /// Prepares a page that shows at most `max_nodes` nodes, but always the children of the PV.
    pub(crate) fn new(root: &'a Board, tree: &'a SearchTree, max_nodes: usize) -> Self {
        Self { root, tree, selection: Selection::new(tree, max_nodes) }
    }

    /// Returns the nodes shown and those of the iteration. Singular searches are not counted.
    pub(crate) fn shown_of(&self) -> (u64, u64) {
        let all = self.tree.iterations.last().map_or(0, |counts| counts.nodes);
        let shown = |&root: &usize| self.tree.nodes[root].nodes - self.hidden_below(root);
        (self.selection.roots.iter().map(shown).sum(), all)
    }

    pub(crate) fn html(&self) -> String {
        let fen = escaped(&self.root.fen(FenStyle::Standard));
        let depth = self.tree.iterations.last().map_or(0, |counts| counts.depth);
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>Search tree of {fen}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
             <h1>A search to depth {depth}, node by node</h1>\n"
        );
        self.add_position(&mut html, &fen);
        self.add_iterations(&mut html);
        self.add_legend(&mut html);
        self.add_tree(&mut html);
        html + "</body>\n</html>\n"
    }

    fn add_position(&self, html: &mut String, fen: &str) {
        html.push_str("<div class=\"position\">\n<svg viewBox=\"0 0 8 8\" role=\"img\" ");
        let _ = writeln!(html, "aria-label=\"{fen}\">");
        for (row, rank) in Rank::ALL.into_iter().rev().enumerate() {
            for (column, file) in File::ALL.into_iter().enumerate() {
                let color = if (row + column) % 2 == 0 { "#e9e3d6" } else { "#9fb0a3" };
                let _ = write!(
                    html,
                    "<rect fill=\"{color}\" x=\"{column}\" y=\"{row}\" width=\"1\" height=\"1\"/>"
                );
                let Some(piece) = self.root.piece_on(Square::new(file, rank)) else { continue };
                let color = if piece.color() == Color::White { "#ffffff" } else { "#23272e" };
                let _ = write!(
                    html,
                    "<text fill=\"{color}\" stroke=\"#23272e\" stroke-width=\".03\" \
                     x=\"{column}.5\" y=\"{row}.8\" font-size=\".85\" text-anchor=\"middle\">\
                     {}\u{fe0e}</text>",
                    piece.piece_type().figurine()
                );
            }
            html.push('\n');
        }
        let nodes: u64 = self.tree.iterations.iter().map(|counts| counts.nodes).sum();
        let score = self.selection.roots.last().and_then(|&root| self.tree.nodes[root].score);
        let line = escaped(&numbered_line(self.root, &self.tree.pv));
        let _ = writeln!(
            html,
            "</svg>\n<table>\n<tr><th>position</th><td><code>{fen}</code></td></tr>\n\
             <tr><th>score</th><td>{} for {}</td></tr>\n\
             <tr><th>best line</th><td>{line}</td></tr>\n\
             <tr><th>nodes</th><td>{} in all iterations</td></tr>\n</table>\n</div>",
            score.map_or_else(String::new, node_score_text),
            self.root.side_to_move(),
            grouped(nodes),
        );
    }

    fn add_iterations(&self, html: &mut String) {
        html.push_str("<h2>Iterations</h2>\n");
        html.push_str("<div class=\"scroll\"><table class=\"number\">\n<tr>");
        HEADINGS.iter().for_each(|heading| add_cell(html, "th", heading));
        html.push_str("</tr>\n");
        let mut before = None;
        for counts in &self.tree.iterations {
            html.push_str("<tr>");
            cells(counts, before).iter().for_each(|cell| add_cell(html, "td", cell));
            html.push_str("</tr>\n");
            before = Some(counts);
        }
        html.push_str("</table></div>\n");
        html.push_str(COUNTING);
    }

    fn add_legend(&self, html: &mut String) {
        let Some(counts) = self.tree.iterations.last() else { return };
        html.push_str(
            "<h2>How the nodes of the last iteration ended</h2>\n<table class=\"legend\">\n",
        );
        for ending in NodeEnding::ALL {
            let number = counts.ended(ending);
            if number > 0 || ending != NodeEnding::Stopped {
                add_legend_row(html, &of_ending(ending), number, counts.nodes);
            }
        }
        html.push_str("</table>\n<h2>Why its moves were pruned</h2>\n<table class=\"legend\">\n");
        let all = Pruning::ALL.into_iter().map(|pruning| counts.pruned(pruning)).sum();
        for pruning in Pruning::ALL {
            add_legend_row(html, &of_pruning(pruning), counts.pruned(pruning), all);
        }
        html.push_str("</table>\n");
    }

    fn add_tree(&self, html: &mut String) {
        let (shown, nodes) = self.shown_of();
        let even = MODEL.even_score(REFERENCE_MATERIAL).round().to_string();
        let reading = READING.replace("EVEN_SCORE", &even);
        let _ = writeln!(html, "<h2>Tree of the last iteration</h2>\n{reading}");
        if shown < nodes {
            let (shown, nodes) = (grouped(shown), grouped(nodes));
            let _ = writeln!(
                html,
                "<p>{shown} of {nodes} nodes are shown: the principal variation and the largest \
                 subtrees.</p>"
            );
        }
        html.push_str(
            "<div class=\"scroll\"><div class=\"tree\">\n<p class=\"head\"><b>move</b>\
             <i>depth</i><i>window</i><i>score</i><i>nodes</i><u>ended by</u></p>\n",
        );
        let searches = self.selection.roots.len();
        let mut board = self.root.clone();
        for (number, &root) in self.selection.roots.iter().enumerate() {
            let name = match searches {
                1 => "root".to_owned(),
                _ => format!("root, search {} of {searches}", number + 1),
            };
            self.add_node(html, &mut board, root, &name);
        }
        html.push_str("</div></div>\n");
    }

    /// Adds a node and what is shown below it. The board has its position.
    fn add_node(&self, html: &mut String, board: &mut Board, index: usize, name: &str) {
        let node = &self.tree.nodes[index];
        let below = &self.selection.children[index];
        let hidden = node.nodes - self.counted_below(index) - own_count(node);
        let is_leaf = below.is_empty() && hidden == 0 && node.pruned.is_empty();
        let is_pv = self.selection.is_pv[index];
        let class = if is_pv { " class=v" } else { "" };
        let tag = if is_leaf { "p" } else { "summary" };
        if !is_leaf {
            html.push_str(if is_pv { "<details open>" } else { "<details>" });
        }
        let _ = write!(html, "<{tag}{class}><b>{}</b>", escaped(name));
        add_facts(html, node);
        let _ = writeln!(html, "</{tag}>");
        if is_leaf {
            return;
        }
        let mut last_move = None;
        for &child in below {
            let node = &self.tree.nodes[child];
            let is_search = matches!(node.kind, NodeKind::Main | NodeKind::Quiescence);
            let name = child_name(board, node, is_search && node.mv == last_move);
            last_move = node.mv.filter(|_| is_search);
            match node.mv {
                _ if node.is_same_position() => self.add_node(html, board, child, &name),
                mv => {
                    board.make_move_or_null(mv);
                    self.add_node(html, board, child, &name);
                    board.unmake_move();
                }
            }
        }
        if hidden > 0 {
            let _ = writeln!(html, "<p class=x>{} more nodes are not shown</p>", grouped(hidden));
        }
        add_pruned(html, board, node);
        html.push_str("</details>\n");
    }

    /// Returns the nodes of the subtrees of the children that are shown.
    fn counted_below(&self, index: usize) -> u64 {
        self.selection.children[index].iter().map(|&child| self.tree.nodes[child].nodes).sum()
    }

    /// Returns the nodes of a subtree that are not shown.
    fn hidden_below(&self, index: usize) -> u64 {
        let node = &self.tree.nodes[index];
        let children = &self.selection.children[index];
        let deeper: u64 = children.iter().map(|&child| self.hidden_below(child)).sum();
        node.nodes - own_count(node) - self.counted_below(index) + deeper
    }
}

/// Returns 1 for a node that the search counts.
fn own_count(node: &RecordedNode) -> u64 {
    u64::from(node.kind != NodeKind::Singular)
}

fn add_cell(html: &mut String, tag: &str, text: &str) {
    let _ = write!(html, "<{tag}>{}</{tag}>", escaped(text));
}

fn add_legend_row(html: &mut String, words: &Words, number: u64, all: u64) {
    let Words { key, short, name, text } = words;
    let (number, share) = (grouped(number), percent(number, all));
    let _ = writeln!(
        html,
        "<tr><td><u class=\"{key}\">{short}</u></td><td>{name}</td>\
         <td class=\"number\">{number}</td><td class=\"number\">{share}</td><td>{text}</td></tr>"
    );
}

/// Adds depth, window, score, nodes and ending.
fn add_facts(html: &mut String, node: &RecordedNode) {
    let depth = if node.depth == 0 { "QS".to_owned() } else { node.depth.to_string() };
    let [alpha, beta] = [node.alpha, node.beta].map(node_score_text);
    let score = node.score.map_or_else(String::new, node_score_text);
    let nodes = grouped(node.nodes);
    let (key, ending) = (of_ending(node.ending).key, ending_text(node));
    let _ = write!(
        html,
        "<i>{depth}</i><i>[{alpha}, {beta}]</i><i>{score}</i><i>{nodes}</i>\
         <u class={key}>{ending}</u>"
    );
}

/// Adds a line with the pruned moves, if there are any.
fn add_pruned(html: &mut String, board: &Board, node: &RecordedNode) {
    let mut parts = Vec::new();
    for pruning in Pruning::ALL {
        let moves = node.pruned.iter().filter(|(_, reason)| *reason == pruning);
        let moves: Vec<String> = moves.map(|&(mv, _)| board.san(mv)).collect();
        let skips_quiets = pruning == Pruning::LateMove && node.depth > 0;
        let rest = if skips_quiets { " and later quiet moves" } else { "" };
        if !moves.is_empty() {
            parts.push(format!("{} {}{rest}", of_pruning(pruning).short, moves.join(" ")));
        }
    }
    if !parts.is_empty() {
        let _ = writeln!(html, "<p class=x>pruned: {}</p>", escaped(&parts.join("; ")));
    }
}

/// Names a node by its move and its search. The board has the position of the parent.
fn child_name(board: &Board, node: &RecordedNode, is_re_search: bool) -> String {
    let kind = kind_text(node.kind);
    let Some(mv) = node.mv else { return kind.to_owned() };
    let mv = numbered_line(board, &[mv]);
    match node.kind {
        NodeKind::Singular => format!("{kind} {mv}"),
        _ if is_re_search => format!("{mv} (re-search)"),
        _ if kind.is_empty() => mv,
        _ => format!("{mv} ({kind})"),
    }
}

/// Formats a number with a space between each three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use tabia::search::{Limits, SearchRequest, record};

    use super::*;

    const ITALIAN: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";

    fn searched(fen: &str, depth: i32) -> (Board, SearchTree) {
        let board = Board::from_fen(fen).expect("a legal position");
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let request = SearchRequest::new(board.clone(), limits);
        let (_, tree) = record(request, 16, 200_000).expect("16 MiB");
        (board, tree)
    }

    /// Returns the texts between tags, after a check that all elements are closed in order and that
    /// no text has a bare `<`, `>` or `&`.
    fn texts(html: &str) -> Vec<&str> {
        const VOID: [&str; 1] = ["meta"];
        let (_, html) = html.split_once("<!DOCTYPE html>\n").expect("a page");
        let (mut open, mut texts) = (Vec::new(), Vec::new());
        for part in html.split('<').skip(1) {
            let (tag, text) = part.split_once('>').expect("a tag ends");
            let name = tag.split(' ').next().unwrap_or_default();
            match name.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None if VOID.contains(&name) || tag.ends_with('/') => {}
                None => open.push(name),
            }
            let is_style = open.last() == Some(&"style");
            assert!(is_style || !text.contains('>') && !text.contains("& "), "{text}");
            texts.push(text);
        }
        assert!(open.is_empty(), "{open:?}");
        texts
    }

    #[test]
    fn the_page_is_well_formed_and_has_the_pv() {
        let (board, tree) = searched(ITALIAN, 8);
        for max_nodes in [0, 500, 10_000] {
            let page = Page::new(&board, &tree, max_nodes);
            let html = page.html();
            let texts = texts(&html);
            let mut board = board.clone();
            for &mv in &tree.pv {
                let name = numbered_line(&board, &[mv]);
                assert!(texts.contains(&name.as_str()), "{name}");
                board.make_move(mv);
            }
            let marked = html.matches(" class=v>").count();
            assert_eq!(marked, tree.pv.len() + 1);
            let (shown, nodes) = page.shown_of();
            assert_eq!(nodes, tree.iterations.last().map_or(0, |counts| counts.nodes));
            assert!(shown <= nodes && (max_nodes > 0 || html.contains("more nodes are not shown")));
        }
    }

    #[test]
    fn a_page_without_limit_has_a_row_for_each_node() {
        let (board, tree) = searched(ITALIAN, 5);
        let page = Page::new(&board, &tree, usize::MAX);
        let html = page.html();
        let rows = html.matches("<i>[").count();
        assert_eq!(rows, tree.nodes.len());
        assert!(!html.contains("not shown"));
        let (shown, nodes) = page.shown_of();
        assert_eq!(shown, nodes);
    }

    #[test]
    fn the_page_of_a_deep_search_is_below_five_megabytes() {
        let (board, tree) = searched(ITALIAN, 14);
        let html = Page::new(&board, &tree, 10_000).html();
        assert!(html.len() < 5_000_000, "{} bytes", html.len());
    }

    #[test]
    fn numbers_have_groups() {
        let texts =
            [7, 999, 1_000, 1_234_567].map(|number| grouped(number).replace('\u{202f}', " "));
        assert_eq!(texts, ["7", "999", "1 000", "1 234 567"]);
    }
}
