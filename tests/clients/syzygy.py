"""Compares what the engine reads from Syzygy tables with what python-chess reads from them.

    syzygy.py ENGINE FOLDER [POSITIONS [SEED]]

FOLDER needs all tables of three and four pieces. Each of them is as likely for a position.
"""

import random
import subprocess
import sys

import chess
import chess.syzygy

BATCH = 2_000  # positions at a time
WORDS = {
    2: "win",
    1: "draw by the fifty-move rule, else a win",
    0: "draw",
    -1: "draw by the fifty-move rule, else a loss",
    -2: "loss",
}


def random_position(dice, pieces):
    """Legal, either side to move, now and then with a pawn that has just made its double step.

    Not in double check, which the engine refuses where no move can give it.
    """
    while True:
        board = chess.Board(None)
        for square, piece in zip(dice.sample(chess.SQUARES, len(pieces)), pieces):
            board.set_piece_at(square, piece)
        board.turn = dice.random() < 0.5
        if dice.random() < 0.5:
            for file in range(8):
                rank = 5 if board.turn else 2
                board.ep_square = chess.square(file, rank)
                if board.has_legal_en_passant():
                    break
                board.ep_square = None
        if board.is_valid() and len(board.checkers()) < 2:
            return board


def main(engine, folder, count=200_000, seed=1):
    dice = random.Random(int(seed))
    names = sorted(name for name in chess.syzygy.tablenames(piece_count=4)
                   if 3 <= len(name) - 1 <= 4)
    oracle = chess.syzygy.open_tablebase(folder)
    process = subprocess.Popen([engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process.stdin.write(f"setoption name SyzygyPath value {folder}\n")
    process.stdin.flush()
    print(process.stdout.readline().rstrip())

    compared, wrong, classes = 0, 0, set()
    while compared < int(count):
        boards = []
        for _ in range(BATCH):
            name = names[(compared + len(boards)) % len(names)]
            white, black = name.split("v")
            if dice.random() < 0.5:
                white, black = black, white
            classes.add(name)
            pieces = [chess.Piece.from_symbol(letter) for letter in white + black.lower()]
            boards.append(random_position(dice, pieces))
        for board in boards:
            process.stdin.write(f"position fen {board.fen()}\ntb\nisready\n")
            process.stdin.flush()
            answer = ""
            for line in iter(process.stdout.readline, "readyok\n"):
                if not line:
                    sys.exit("the engine ended")
                if " to move: " in line:
                    answer = line
            dtz = oracle.probe_dtz(board)
            expected = f" to move: {WORDS[oracle.probe_wdl(board)]}, DTZ {abs(dtz)}\n"
            if not answer.endswith(expected):
                wrong += 1
                if wrong <= 10:
                    print(f"{board.fen()}: {answer.rstrip()} instead of {expected.rstrip()}")
        compared += len(boards)
    process.stdin.write("quit\n")
    process.stdin.flush()
    print(f"{compared} positions of {len(classes)} classes, {wrong} different")
    return wrong == 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(not main(*sys.argv[1:]))
