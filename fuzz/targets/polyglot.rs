//! Opening books: all moves of an accepted book are legal.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabia::board::Board;
use tabia::book::{Book, choose, polyglot_key};

fuzz_target!(|data: &[u8]| {
    let [number, entries @ ..] = data else { return };
    let board = Board::startpos();
    let mut bytes = entries.to_vec();
    // Some books have entries for the start position, in the right order.
    if number & 1 == 1 {
        let key = polyglot_key(&board).to_be_bytes();
        bytes.chunks_exact_mut(16).for_each(|entry| entry[..8].copy_from_slice(&key));
    }
    let Ok(book) = Book::parse(&bytes) else { return };
    assert_eq!(book.len() * 16, bytes.len());
    let moves = book.moves(&board);
    assert!(moves.iter().all(|choice| board.is_legal(choice.mv)));
    assert!(moves.is_sorted_by(|one, other| one.weight >= other.weight));
    if let Some(mv) = choose(&moves, u64::from(*number)) {
        assert!(moves.iter().any(|choice| choice.mv == mv && choice.weight > 0));
    }
});
