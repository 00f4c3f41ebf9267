"""Plays games of an engine against itself in which both sides ponder. tests/soak starts it.

    ponder.py ENGINE OPENINGS CLOCK THREADS PGN

OPENINGS is a file of FENs, each for two games. CLOCK is `SECONDS[+INCREMENT]` or `MOVES/SECONDS`. Prints a
line that starts with `Warning;` for each complaint of python-chess, and writes the games as PGN.
"""

import logging
import sys
import time

import chess
import chess.engine
import chess.pgn

MARGIN = 0.02  # seconds beyond the clock before a game is lost


class Warnings(logging.Handler):
    """Prints what python-chess finds wrong with the engines' output."""

    def emit(self, record):
        if "info string " not in record.getMessage():
            print("Warning;", record.getMessage(), flush=True)


class Clock:
    """Time left of one side."""

    def __init__(self, text):
        moves, _, seconds = text.rpartition("/")
        seconds, _, increment = seconds.partition("+")
        self.moves, self.increment = int(moves or 0), float(increment or 0)
        self.budget = self.left = float(seconds)
        self.to_go = self.moves

    def used(self, seconds):
        """Returns whether the time was enough."""
        is_enough = seconds <= self.left + MARGIN
        self.left = max(self.left - seconds + self.increment, 0.001)
        if self.moves:
            self.to_go -= 1
            if self.to_go == 0:
                self.left, self.to_go = self.left + self.budget, self.moves
        return is_enough


def play(engines, board, text):
    """Returns the result of a game and how it ended."""
    clocks = {color: Clock(text) for color in chess.COLORS}
    while not board.is_game_over(claim_draw=True):
        us = board.turn
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE].left, black_clock=clocks[chess.BLACK].left,
            white_inc=clocks[chess.WHITE].increment, black_inc=clocks[chess.BLACK].increment,
            remaining_moves=clocks[us].to_go or None)
        start = time.monotonic()
        loss = "0-1" if us else "1-0"
        try:
            move = engines[us].play(board, limit, ponder=True).move
        except chess.engine.EngineTerminatedError as error:
            print("Warning;", error, flush=True)
            return loss, "abandoned"
        except chess.engine.EngineError as error:
            print("Warning;", error, flush=True)
            return loss, "illegal move"
        is_enough = clocks[us].used(time.monotonic() - start)
        if not is_enough:
            return loss, "time forfeit"
        board.push(move)
    return board.result(claim_draw=True), "normal"


def main(program, openings, clock, threads, pgn):
    logging.getLogger("chess.engine").addHandler(Warnings(logging.WARNING))
    engines = [chess.engine.SimpleEngine.popen_uci(program, timeout=60) for _ in range(2)]
    for engine in engines:
        engine.configure({"Threads": int(threads)})
    with open(openings) as lines, open(pgn, "w") as games:
        for fen in lines:
            for first in (0, 1):
                is_chess960 = not fen.startswith("rnbqkbnr") and "fischerandom" in openings
                board = chess.Board(fen.strip(), chess960=is_chess960)
                sides = {chess.WHITE: engines[first], chess.BLACK: engines[1 - first]}
                result, ending = play(sides, board, clock)
                game = chess.pgn.Game.from_board(board)
                game.headers["Result"], game.headers["Termination"] = result, ending
                print(game, end="\n\n", file=games, flush=True)
                if ending == "abandoned":
                    sys.exit(1)
    for engine in engines:
        engine.quit()


if __name__ == "__main__":
    main(*sys.argv[1:])
