"""Plays games in which the engine thinks in its opponent's time, in the window of XBoard, by way of Polyglot.

    xboard.py ENGINE OPPONENT [GAMES]

OPPONENT is another UCI engine. Needs xboard and polyglot in the path, and a display, or xvfb-run to make one. The run
fails if a game ends by anything but the rules of chess, if there are not as many best moves as searches, and if
ENGINE writes a warning.
"""

import collections
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CLOCK = ["-tc", "0:03", "-inc", "0.03", "-mps", "0"]
GAME_SECONDS = 60  # no game is so long
RULES = re.compile(r"mate|stalemate|repetition|50.move|insufficient|material|draw claim", re.IGNORECASE)

# XBoard takes a program, not a command with its logs.
LOGGED = """#!/bin/sh
tee {folder}/in.log | RUST_LOG=warn "{engine}" 2> {folder}/err.log | tee {folder}/out.log
"""


def play(engine, opponent, games, folder):
    """The games as XBoard writes them."""
    logged = f"{folder}/engine"
    with open(logged, "w") as file:
        file.write(LOGGED.format(folder=folder, engine=engine))
    os.chmod(logged, 0o755)
    command = ["xboard", "-mg", str(games), "-ponder", *CLOCK, "-testClaims", "true", "-ringBellAfterMoves", "false"]
    command += ["-fcp", logged, "-fd", folder, "-fUCI", "-scp", opponent, "-sd", folder, "-sUCI"]
    command += ["-sgf", f"{folder}/games.pgn", "-debug", "-nameOfDebugFile", f"{folder}/xboard.log"]
    command += ["-defaultHashSize", "16", "-smpCores", "1"]
    if "DISPLAY" not in os.environ:
        command = ["xvfb-run", "-a", *command]
    with open(f"{folder}/window.log", "w") as window:
        process = subprocess.Popen(command, stdout=window, stderr=window, start_new_session=True)
        deadline = time.monotonic() + games * GAME_SECONDS
        while process.poll() is None and time.monotonic() < deadline and not score(folder):
            time.sleep(1)
        if process.poll() is None:
            # The window stays when the match is over, and waits for somebody to close it.
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
    with open(f"{folder}/window.log") as file:
        assert score(folder), f"the match has no end:\n{file.read()[-2000:]}"
    with open(f"{folder}/games.pgn") as file:
        return file.read()


def score(folder):
    """Returns the final scores that XBoard prints; empty while the match runs."""
    with open(f"{folder}/window.log") as file:
        return re.findall(r"Match .*: final score .*", file.read())


def check_games(pgn, games):
    endings = re.findall(r"\{([^{}]*)\} (1-0|0-1|1/2-1/2)\s*(?:\n|$)", pgn)
    assert len(endings) == games, f"{len(endings)} of {games} games have an end"
    for reason, _ in endings:
        assert RULES.search(reason), reason
    return collections.Counter(reason for reason, _ in endings)


def check_dialogue(sent, received):
    """As many best moves as searches. Returns how many searches there were, how many while the opponent thought, and how
    often its move was the one expected."""
    searches = [line.split() for line in sent if line.startswith("go")]
    moves = [line for line in received if line.startswith("bestmove")]
    # The last search may be ended by the end of the match.
    assert len(searches) - len(moves) in (0, 1), f"{len(searches)} searches, {len(moves)} moves"
    pondering = sum("ponder" in words for words in searches)
    hits = sent.count("ponderhit")
    assert 0 < hits < pondering, f"{hits} of {pondering} moves foreseen"
    return len(searches), pondering, hits


def main(engine, opponent, games="10"):
    engine, opponent = (os.path.realpath(shutil.which(program) or program) for program in (engine, opponent))
    with tempfile.TemporaryDirectory() as folder:
        endings = check_games(play(engine, opponent, int(games), folder), int(games))
        sent, received = (open(f"{folder}/{name}.log").read().splitlines() for name in ("in", "out"))
        searches, pondering, hits = check_dialogue(sent, received)
        complaints = open(f"{folder}/err.log").read()
        assert not complaints, complaints
        print(*score(folder))
    print(f"{searches} searches, {pondering} of them while the opponent thought; {hits} times its move was foreseen")
    for reason, count in endings.most_common():
        print(f"{count:4} {reason}")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
