"""Runs lichess-bot's own code with docs/lichess-bot/config.yml: its loader checks the file, and the engine plays
a game with it, against lichess-bot's imitation of the server and an opponent that plays random moves.

    lichess_bot.py LICHESS_BOT ENGINE

LICHESS_BOT is a copy of https://github.com/lichess-bot-devs/lichess-bot whose requirements are installed.
"""

import datetime
import glob
import logging
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
import threading
import time
import traceback

REPOSITORY = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
START, INCREMENT = datetime.timedelta(seconds=10), datetime.timedelta(seconds=0.1)


class Opponent(threading.Thread):
    """Plays White on the imitated server, with random moves, until the game ends; keeps Black's clock."""

    def __init__(self, moves, boards, clocks):
        super().__init__(daemon=True)
        self.moves, self.boards, self.clocks = moves, boards, clocks
        self.clock = START
        self.board = None

    def send(self):
        self.boards.put(self.board)
        self.clocks.put((START, self.clock, INCREMENT))

    def run(self):
        try:
            self.play()
        except BaseException:
            # The bot would wait for ever.
            traceback.print_exc()
            os._exit(1)

    def play(self):
        import chess

        chance = random.Random(1)
        self.board = chess.Board()
        while not self.board.is_game_over():
            if self.board.turn == chess.WHITE:
                self.board.push(chance.choice(sorted(self.board.legal_moves, key=str)))
                self.send()
                continue
            start = time.monotonic()
            while (move := self.moves.get()) is None:
                # The bot has connected again and asks for the position.
                self.send()
                self.moves.task_done()
            assert move in self.board.legal_moves, move
            self.board.push(move)
            self.moves.task_done()
            # As on Lichess, the clock runs from the second move on.
            if len(self.board.move_stack) > 2:
                self.clock += INCREMENT - datetime.timedelta(seconds=time.monotonic() - start)
            assert self.clock > datetime.timedelta(), "a loss on time"
        self.send()


def main(lichess_bot_folder, engine):
    lichess_bot_folder, engine = os.path.realpath(lichess_bot_folder), os.path.realpath(engine)
    sys.path.insert(0, lichess_bot_folder)
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/engines")
        shutil.copy(engine, f"{folder}/engines/tabia")
        # lichess-bot looks for these in the current folder.
        for name in ("lib", "homemade.py", "extra_game_handlers.py", "test_bot"):
            os.symlink(f"{lichess_bot_folder}/{name}", f"{folder}/{name}")
        os.chdir(folder)
        from lib import config, lichess_bot
        from test_bot import lichess

        lichess_bot.logging_configurer(logging.WARNING, None, True)
        print("== the configuration", flush=True)
        settings = config.load_config(f"{REPOSITORY}/docs/lichess-bot/config.yml")
        settings.config["pgn_directory"] = f"{folder}/games"
        print("valid")

        print("== a game", flush=True)
        manager = multiprocessing.Manager()
        queues = [manager.Queue() for _ in range(3)]
        server = lichess.Lichess(*queues)
        opponent = Opponent(*queues)
        opponent.start()
        lichess_bot.disable_restart()
        profile = server.get_profile()
        lichess_bot.start(server, profile, settings, logging.WARNING, None, True, one_game=True)
        opponent.join(60)
        assert not opponent.is_alive(), "the game has not ended"
        board = opponent.board
        # A random player loses.
        assert board.is_checkmate() and board.result() == "0-1", board.fen()
        assert glob.glob("games/*.pgn"), "lichess-bot has not saved the game"
        seconds = opponent.clock.total_seconds()
        print(f"{board.result()} after {len(board.move_stack)} plies; {seconds:.1f} s left on the clock")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
