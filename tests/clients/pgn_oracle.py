"""Writes what python-chess reads in PGN files, as fixtures for tests/it/pgn.rs.

    python3 tests/clients/pgn_oracle.py

writes into tests/data/:

- random.pgn: random games with variations, comments and glyphs, a quarter of them Chess960
- random.txt, masters.txt: for each game the tree of its moves and the last position
- san.txt: positions with all legal moves in SAN
"""

import io
import pathlib
import random

import chess
import chess.pgn

DATA = pathlib.Path(__file__).parent.parent / "data"
GAMES = 60
POSITIONS = 120
WORDS = "a plan, the king's file [%clk 0:01:02] better; 50% of e4 (why) ! 1-0 $4 \\ \"so\"".split(" ")


def start_position(rng, index):
    if index % 4 == 3:
        return chess.Board.from_chess960_pos(rng.randrange(960))
    if index % 8 == 2:
        board = chess.Board()
        play(rng, board, 60)
        return chess.Board(board.fen())
    return chess.Board()


def play(rng, board, plies):
    for _ in range(plies):
        if board.is_game_over():
            return
        board.push(rng.choice(list(board.legal_moves)))


def grow(rng, node, plies, depth):
    """Adds random moves with variations below a node."""
    for _ in range(plies):
        moves = list(node.board().legal_moves)
        if not moves:
            return
        rng.shuffle(moves)
        # Castling is rare in random games, and the move that can go wrong.
        moves.sort(key=lambda move: not node.board().is_castling(move))
        main = node.add_variation(moves[0])
        annotate(rng, main)
        for move in moves[1:3]:
            if depth > 0 and rng.random() < 0.15:
                other = node.add_variation(move)
                annotate(rng, other)
                if rng.random() < 0.3:
                    other.starting_comment = comment(rng)
                grow(rng, other, rng.randrange(6), depth - 1)
        node = main


def annotate(rng, node):
    if rng.random() < 0.2:
        node.comment = comment(rng)
    if rng.random() < 0.2:
        node.nags.add(rng.randrange(1, 140))


def comment(rng):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randrange(1, 20)))


def tree(node):
    """Returns the moves below a node as text; castling is the king capturing his rook."""
    words = []
    while node.variations:
        board = node.board()
        main, *others = node.variations
        words += describe(board, main)
        for other in others:
            words.append("(")
            if other.starting_comment:
                words.append("{" + other.starting_comment + "}")
            words += describe(board, other) + tree(other) + [")"]
        node = main
    return words


def describe(board, node):
    words = [board.uci(node.move, chess960=True)]
    words += [f"${nag}" for nag in sorted(node.nags)]
    if node.comment:
        words.append("{" + node.comment + "}")
    return words


def facts(text):
    """Returns a line for each game of a PGN file."""
    games = io.StringIO(text)
    lines = []
    while game := chess.pgn.read_game(games):
        assert not game.errors, game.errors
        start = ["{" + game.comment + "}"] if game.comment else []
        words = " ".join(start + tree(game))
        end = game.end().board()
        lines.append(f"{game.headers['Result']} | {end.shredder_fen()} | {words}\n")
    return "".join(lines)


def main():
    rng = random.Random(26)
    text = ""
    for index in range(GAMES):
        board = start_position(rng, index)
        game = chess.pgn.Game()
        game.setup(board)
        game.headers["Event"] = f"Random game {index + 1}"
        game.headers["Result"] = rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
        if rng.random() < 0.3:
            game.comment = comment(rng)
        grow(rng, game, rng.randrange(10, 50), 2)
        text += f"{game}\n\n"
    (DATA / "random.pgn").write_text(text)
    for name in ["random", "masters"]:
        (DATA / f"{name}.txt").write_text(facts((DATA / f"{name}.pgn").read_text()))
    lines = []
    for index in range(POSITIONS):
        board = start_position(rng, index)
        play(rng, board, rng.randrange(10, 120))
        if rng.random() < 0.3:
            # Several pieces of a kind make moves ambiguous.
            board = more_pieces(rng, board)
        moves = sorted(board.san(move) for move in board.legal_moves)
        lines.append(f"{board.shredder_fen()} | {' '.join(moves)}\n")
    (DATA / "san.txt").write_text("".join(lines))


def more_pieces(rng, board):
    other = board.copy(stack=False)
    kind = rng.choice([chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN])
    pawns = list(other.pieces(chess.PAWN, other.turn))
    for square in pawns[: rng.randrange(4)]:
        other.set_piece_at(square, chess.Piece(kind, other.turn))
    return other if other.is_valid() else board


if __name__ == "__main__":
    main()
