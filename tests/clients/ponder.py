"""Plays games of an engine against itself in which both sides ponder. tests/soak starts it.

    ponder.py ENGINE OPENINGS CLOCK THREADS PGN

OPENINGS is a file of FENs, each for two games. CLOCK is `SECONDS[+INCREMENT]` or `MOVES/SECONDS`. Prints a
line that starts with `Warning;` for each complaint of python-chess and for each PV of a mate score that is
not a mate of that length, and writes the games as PGN.
"""

import logging
import sys
import time

import chess
import chess.engine
import chess.pgn

MARGIN = 0.02  # seconds beyond the clock before a game is lost


class Warnings(logging.Handler):
    """Prints what is wrong with the engines' output: by python-chess, and the mates."""

    def __init__(self):
        super().__init__()
        self.mates = []  # positions and lines, to be checked while no clock runs

    def emit(self, record):
        if record.levelno >= logging.WARNING:
            if "info string " not in record.getMessage():
                print("Warning;", record.getMessage(), flush=True)
        elif record.msg == "%s: >> %s":
            engine, line = record.args
            if " mate " in line:
                self.mates.append((engine.board.copy(stack=False), line))

    def check_mates(self):
        for board, line in self.mates:
            fault = mate_fault(board, line)
            if fault:
                print(f"Warning; {fault}: {line}, in {board.fen()}", flush=True)
        self.mates.clear()


def mate_fault(board, line):
    """Returns what is wrong with the PV of a mate score; None for other lines and for bounds."""
    words, _, pv = line.partition(" pv ")
    words = words.split()
    if words[:1] != ["info"] or not pv or "mate" not in words or words[1:2] == ["string"]:
        return None
    if "lowerbound" in words or "upperbound" in words:
        return None
    moves, pv, board = int(words[words.index("mate") + 1]), pv.split(), board.copy(stack=False)
    expected = 2 * moves - 1 if moves > 0 else -2 * moves
    try:
        for move in pv:
            board.push_uci(move)
    except ValueError as error:
        return f"PV with an illegal move ({error})"
    if len(pv) != expected:
        return f"PV of {len(pv)} plies, not {expected}"
    return None if board.is_checkmate() else "PV without a mate at its end"


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
    logger = logging.getLogger("chess.engine")
    warnings = Warnings()
    logger.addHandler(warnings)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
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
                warnings.check_mates()
                game = chess.pgn.Game.from_board(board)
                game.headers["Result"], game.headers["Termination"] = result, ending
                print(game, end="\n\n", file=games, flush=True)
                if ending == "abandoned":
                    sys.exit(1)
    for engine in engines:
        engine.quit()


if __name__ == "__main__":
    main(*sys.argv[1:])
