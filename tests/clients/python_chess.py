"""Plays and analyses through python-chess's engine module, as bots and analysis programs do.

    python_chess.py ENGINE
"""

import io
import itertools
import logging
import pathlib
import random
import subprocess
import sys
import unittest

import chess
import chess.engine
import chess.pgn
from chess.engine import Cp, Limit, Mate

# The `uci_options` of lichess-bot's config.yml.default; a name that is missing stops the bot.
LICHESS_BOT = {
    "Move Overhead": 100,
    "Threads": 4,
    "Hash": 512,
    "SyzygyPath": "./syzygy/",
    "UCI_ShowWDL": True,
}

MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"


class Complaints(logging.Handler):
    """Collects what python-chess finds wrong with the engine's output.

    An `info string` may come at any time; python-chess finds it unexpected when it comes between two commands.
    """

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        line = record.getMessage()
        if "info string " not in line:
            self.lines.append(line)


class PythonChess(unittest.TestCase):
    program = None

    def setUp(self):
        self.complaints = Complaints()
        logging.getLogger("chess.engine").addHandler(self.complaints)
        self.engine = chess.engine.SimpleEngine.popen_uci(self.program, timeout=30)

    def tearDown(self):
        self.engine.quit()
        logging.getLogger("chess.engine").removeHandler(self.complaints)
        self.assertEqual(self.engine.returncode.result(timeout=10), 0)
        self.assertEqual(self.complaints.lines, [])

    def check_line(self, board, info):
        """A score and a legal variation; `variation_san` raises for an illegal one."""
        self.assertIn("score", info)
        self.assertTrue(info["pv"])
        board.variation_san(info["pv"])

    def play_game(self, board, limit, plies, **arguments):
        game = object()
        for _ in range(plies):
            if board.is_game_over(claim_draw=True):
                break
            result = self.engine.play(
                board, limit, game=game, info=chess.engine.INFO_ALL, **arguments
            )
            self.assertIn(result.move, board.legal_moves)
            self.check_line(board, result.info)
            self.assertEqual(result.move, result.info["pv"][0])
            board.push(result.move)
        return board

    def test_who_it_is(self):
        self.assertRegex(self.engine.id["name"], r"^Tabia \d")
        self.assertIn("author", self.engine.id)

    def test_options(self):
        for name, option in self.engine.options.items():
            if option.type not in ("button", "string") and not option.is_managed():
                self.assertEqual(option.parse(option.default), option.default, name)
        self.engine.configure({"Hash": 32, "Threads": 2, "Clear Hash": None})
        self.engine.configure({"hash": 16, "OwnBook": False, "Book File": ""})
        with self.assertRaises(chess.engine.EngineError):
            self.engine.configure({"No Such Option": 1})

    def test_options_of_lichess_bot(self):
        self.engine.configure(LICHESS_BOT)
        self.engine.ping()

    def test_a_game(self):
        board = self.play_game(chess.Board(), Limit(nodes=1000), 80)
        self.assertGreater(board.ply(), 20)

    def test_a_game_with_clocks(self):
        limit = Limit(white_clock=2, black_clock=2, white_inc=0.01, black_inc=0.01)
        self.play_game(chess.Board(), limit, 12)
        self.play_game(chess.Board(), Limit(white_clock=1, black_clock=1, remaining_moves=5), 6)
        self.play_game(chess.Board(), Limit(time=0.02), 6)

    def test_pondering(self):
        # The answer is sometimes the one expected, sometimes not: hits and misses both come.
        dice = random.Random(3)
        board, game, hits = chess.Board(), object(), 0
        limit = Limit(white_clock=4, black_clock=4, white_inc=0.05, black_inc=0.05)
        for turn in range(10):
            result = self.engine.play(board, limit, game=game, ponder=True)
            board.push(result.move)
            answer = dice.choice(list(board.legal_moves))
            if result.ponder is not None and turn % 2:
                answer, hits = result.ponder, hits + 1
            board.push(answer)
            if board.is_game_over():
                break
        self.assertGreater(hits, 0)
        self.engine.ping()

    def test_chess960(self):
        for number in (0, 342, 518, 959):
            board = chess.Board.from_chess960_pos(number)
            self.play_game(board, Limit(nodes=500), 30)

    def test_double_chess960_castles(self):
        board = chess.Board("rk2r3/pppppppp/8/8/8/8/PPPPPPPP/1R1K3R w HBea - 0 1", chess960=True)
        castling = [move for move in board.legal_moves if board.is_castling(move)]
        self.assertTrue(castling)
        for move in castling:
            result = self.engine.play(board, Limit(depth=3), root_moves=[move])
            self.assertEqual(result.move, move)
        self.play_game(board, Limit(nodes=500), 30)

    def test_analysis(self):
        board = chess.Board()
        depths = []
        with self.engine.analysis(board, Limit(depth=8)) as analysis:
            for info in analysis:
                if "pv" in info and "score" in info:
                    board.variation_san(info["pv"])
                    depths.append(info["depth"])
            best = analysis.wait()
        self.assertEqual(depths, sorted(depths))
        self.assertEqual(depths[-1], 8)
        self.assertIn(best.move, board.legal_moves)

    def test_analysis_without_end_is_stopped(self):
        with self.engine.analysis(chess.Board()) as analysis:
            seen = list(itertools.islice(analysis, 20))
            self.assertEqual(len(seen), 20)
            analysis.stop()
            self.assertIsNotNone(analysis.wait().move)

    def test_several_lines(self):
        board = chess.Board("8/8/4k3/8/8/3K4/3P4/8 w - - 0 1")
        infos = self.engine.analyse(board, Limit(depth=8), multipv=256)
        self.assertEqual(len(infos), board.legal_moves.count())
        self.assertEqual(len({info["pv"][0] for info in infos}), len(infos))
        scores = [info["score"].relative for info in infos]
        self.assertEqual(scores, sorted(scores, reverse=True))
        for info in infos:
            self.assertEqual(info["depth"], infos[0]["depth"])
            self.check_line(board, info)

    def test_mates(self):
        board = chess.Board(MATE_IN_TWO)
        info = self.engine.analyse(board, Limit(mate=2))
        self.assertEqual(info["score"].white(), Mate(2))
        for move in info["pv"]:
            board.push(move)
        self.assertTrue(board.is_checkmate())
        self.assertEqual(len(info["pv"]), 3)

    def test_root_moves(self):
        board = chess.Board()
        wanted = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
        self.assertIn(self.engine.play(board, Limit(depth=4), root_moves=wanted).move, wanted)
        self.assertIsNone(self.engine.play(board, Limit(depth=4), root_moves=[]).move)

    def test_positions_without_a_move(self):
        for fen, score in (
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Mate(0)),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Cp(0)),
        ):
            info = self.engine.analyse(chess.Board(fen), Limit(depth=3))
            self.assertEqual(info["score"].relative, score)


class AnnotatedGames(unittest.TestCase):
    """The output of `tabia analyse`, whose scores and variations python-chess reads."""

    data = pathlib.Path(__file__).resolve().parent.parent / "data"

    def check_game(self, game):
        self.assertEqual(game.errors, [])
        for node in game.mainline():
            if not node.board().is_checkmate():
                self.assertIsNotNone(node.eval(), node.san())

    def analysed(self, name):
        command = [PythonChess.program, "analyse", str(self.data / name), "--nodes", "500"]
        text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        games = io.StringIO(text.decode())
        return list(iter(lambda: chess.pgn.read_game(games), None))

    def test_games_are_read(self):
        for name, count in (("masters.pgn", 3), ("tabia.pgn", 1), ("awkward.pgn", 8)):
            games = self.analysed(name)
            self.assertEqual(len(games), count)
            for game in games:
                self.check_game(game)
        # An illegal move of a variation is an error of its game.
        judged = [node for node in self.analysed("tabia.pgn")[0].mainline() if node.nags]
        lengths = [len(list(node.parent.variations[1].mainline())) for node in judged]
        self.assertGreater(max(lengths), 3)

    def test_scores_mates_and_clocks(self):
        last = self.analysed("tabia.pgn")[0].end()
        self.assertEqual(last.parent.parent.eval().white(), Mate(1))
        clocks = [node.clock() for node in self.analysed("awkward.pgn")[0].mainline()]
        self.assertEqual(clocks[0], 5398)


if __name__ == "__main__":
    PythonChess.program = sys.argv.pop(1)
    unittest.main()
