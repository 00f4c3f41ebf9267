"""Sends random dialogues to an engine and checks every answer with python-chess.

    dialogues.py ENGINE [lines=50000] [threads=4] [seed=1]

`threads` is the maximum of the option Threads. A dialogue mixes positions, searches with all kinds
of limits, options, and lines that mean nothing. Every `go` has to get one `bestmove` and every
`isready` one `readyok`. The moves of a PV have to be legal and within `searchmoves`, and the line of
a mate has to be that mate. Nodes and time may not fall, nothing may go to standard error, and the
exit code has to be 0.

Prints the sums. The exit code is 1 after the first fault, which is printed with its dialogue.
"""

import collections
import dataclasses
import queue
import random
import subprocess
import sys
import threading

import chess

from ponder import mate_fault

LINES_OF_DIALOGUE = 60
SECONDS = 60  # after which an answer is missing

# Standard positions from which random moves are made: castling, promotions, mates, endings.
STARTS = [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
    "8/8/8/4k3/8/8/3QK3/8 w - - 90 1",
    "8/8/4k3/8/8/2B5/3KN3/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
]

# Lines that change nothing, also such as mean nothing.
NOISE = [
    "",
    "xyzzy",
    "setoption",
    "setoption name",
    "setoption name Hash",
    "setoption name Hash value 0",
    "setoption name Threads value -1",
    "setoption name UCI_Chess960 value maybe",
    "setoption name No Such value 1",
    "debug on",
    "debug off",
    "uci",
    "d",
    "eval",
    "eval 4k3/8/8/8/8/8/8/4K2R --json",
    "fen",
    "moves",
    "compiler",
    "help go",
    "perft 1",
    "register later",
    "stop stop",
    "\x00\x1b[2J\u202e \u00e9",
    "uci" * 5000,
]


class Fault(Exception):
    """What is wrong with an answer."""


@dataclasses.dataclass
class Search:
    """Search that was asked for."""

    board: chess.Board | None  # None after a position that was rejected
    moves: list = dataclasses.field(repr=False)  # root moves that are allowed
    lines: int  # MultiPV
    is_weak: bool  # at a level, which may play another move than that of the PV
    nodes: int = 0
    time: int = 0
    first: str = ""  # first move of the last PV


class Dialogue:
    """A running engine, and what it has to answer."""

    def __init__(self, engine, threads, rng, sums):
        self.rng, self.threads, self.sums = rng, threads, sums
        self.sent = []
        self.searches = collections.deque()
        self.readies = 0
        self.board = chess.Board()
        self.options = {
            "MultiPV": "1",
            "UCI_Chess960": "false",
            "UCI_LimitStrength": "false",
            "Skill Level": "20",
            "UCI_AnalyseMode": "false",
        }
        self.process = subprocess.Popen(
            [engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.output = queue.Queue()
        self.errors = []
        self.readers = [
            threading.Thread(target=self.read_output),
            threading.Thread(target=self.read_errors),
        ]
        for reader in self.readers:
            reader.start()

    def read_output(self):
        for line in self.process.stdout:
            self.output.put(line.decode())
        self.output.put(None)

    def read_errors(self):
        self.errors.extend(self.process.stderr)

    def send(self, line):
        self.sent.append(line)
        self.sums["lines"] += 1
        end = self.rng.choice(["\n", "\n", "\n", "\r\n"])
        try:
            self.process.stdin.write((line + end).encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Fault("the engine has ended") from None

    def play(self):
        """Sends the lines of a dialogue and takes in all answers."""
        while len(self.sent) < LINES_OF_DIALOGUE:
            (step,) = self.rng.choices(
                [
                    self.search,
                    self.set_position,
                    self.set_option,
                    self.ask,
                    self.new_game,
                    self.make_noise,
                ],
                [6, 3, 2, 1, 1, 1],
            )
            step()
            self.take_in(wait=self.rng.random() < 0.5)
        self.take_in(wait=True)
        self.send("quit")
        code = self.process.wait(SECONDS)
        for reader in self.readers:
            reader.join()
        if code != 0 or self.errors:
            raise Fault(f"exit code {code}, standard error {self.errors[:3]}")
        while line := self.output.get():
            self.check(line)

    def take_in(self, wait):
        """Checks the answers that are there; with `wait` up to the last one that is due."""
        while not self.output.empty() or wait and (self.searches or self.readies):
            try:
                line = self.output.get(timeout=SECONDS)
            except queue.Empty:
                due = f"{len(self.searches)} bestmove and {self.readies} readyok"
                raise Fault(f"{due} did not come in {SECONDS} s") from None
            if line is None:
                raise Fault(f"the engine has ended with {self.process.wait()}: {self.errors[:3]}")
            self.check(line)

    # Lines to send.

    def make_noise(self):
        self.send(self.rng.choice(NOISE))

    def ask(self):
        self.readies += 1
        self.send("isready")

    def new_game(self):
        self.send(self.rng.choice(["ucinewgame", "setoption name Clear Hash"]))

    def set_option(self):
        rng = self.rng
        switch = rng.choice(["true", "false"])
        name, value = rng.choice(
            [
                ("Hash", rng.randint(1, 64)),
                ("Threads", rng.randint(1, self.threads)),
                ("MultiPV", rng.choice([0, 1, 1, 2, 5, 256])),
                ("UCI_Chess960", switch),
                ("UCI_ShowWDL", switch),
                ("UCI_AnalyseMode", switch),
                ("UCI_LimitStrength", switch),
                ("UCI_Elo", rng.randint(800, 3000)),
                ("Skill Level", rng.choice([0, 10, 20, 20])),
                ("Ponder", switch),
                ("Move Overhead", rng.randint(0, 100)),
                ("OwnBook", switch),
                ("nodestime", rng.choice([0, 0, 100])),
            ]
        )
        self.options[name] = str(value)
        self.send(f"setoption name {name} value {value}")

    def set_position(self):
        rng = self.rng
        if rng.random() < 0.05:
            self.board = None
            return self.send(rng.choice(["position", "position fen", "position fen 8/8 w"]))
        is_chess960 = rng.random() < 0.2
        if is_chess960:
            # Castling is sent as king takes rook, which is right with and without the option.
            board = chess.Board.from_chess960_pos(rng.randrange(960))
        else:
            board = chess.Board(rng.choice(STARTS))
        start = "startpos" if board.fen() == chess.STARTING_FEN else f"fen {board.fen()}"
        moves = []
        for _ in range(rng.choice([0, 1, 5, 20, 80])):
            legal = list(board.legal_moves)
            if not legal:
                break
            moves.append(board.uci(rng.choice(legal), chess960=True))
            board.push_uci(moves[-1])
        self.board = board
        if rng.random() < 0.1:
            moves.insert(rng.randint(0, len(moves)), rng.choice(["e2e2", "0000", "hello", "a1a9q"]))
            self.board = None
        self.send(" ".join([f"position {start}", *(["moves", *moves] if moves else [])]))

    def search(self):
        rng = self.rng
        limits, is_endless = rng.choice(
            [
                (f"depth {rng.randint(0, 8)}", False),
                (f"nodes {rng.choice([0, 1, 10, 1000, 5000])}", False),
                (f"movetime {rng.randint(0, 20)}", False),
                (f"wtime {rng.randint(-5, 200)} btime {rng.randint(-5, 200)} movestogo 3", False),
                (f"wtime 50 btime 50 winc {rng.randint(0, 20)} binc 5", False),
                (f"mate {rng.randint(0, 3)} nodes 3000", False),
                (f"depth {rng.randint(1, 6)} nodes 500 movetime 50", False),
                ("nodes", False),
                ("depth x nodes y", False),
                ("infinite", True),
                ("ponder wtime 100 btime 100", True),
                ("infinite nodes 100", True),
            ]
        )
        if is_endless:
            # `stop` ends the search that runs, so that none may wait before it.
            self.take_in(wait=True)
        board = self.board.copy() if self.board else None
        moves = [] if board is None else [move.uci() for move in board.legal_moves]
        words = ["go", limits]
        if board and moves and rng.random() < 0.2:
            moves = rng.sample(moves, rng.randint(1, len(moves)))
            unknown = rng.choice([[], [], ["e2e2"], ["hello"]])
            words += ["searchmoves", *moves, *unknown]
        options = self.options
        is_weak = options["UCI_LimitStrength"] == "true" or options["Skill Level"] != "20"
        is_weak = is_weak and options["UCI_AnalyseMode"] == "false"
        self.searches.append(Search(board, moves, max(1, int(options["MultiPV"])), is_weak))
        self.send(" ".join(words))
        for _ in range(rng.choice([0, 0, 1, 3])):
            rng.choice([self.ask, self.make_noise, self.set_option])()
        if is_endless or rng.random() < 0.2:
            if "ponder" in limits and rng.random() < 0.5:
                self.send("ponderhit")
            threading.Event().wait(rng.choice([0, 0.001, 0.02]))
            self.send("stop")

    # Answers.

    def check(self, line):
        words = line.split()
        match words:
            case ["readyok"]:
                self.readies -= 1
                if self.readies < 0:
                    raise Fault("a readyok too many")
            case ["bestmove", *answer]:
                if not self.searches:
                    raise Fault(f"a bestmove too many: {line}")
                self.check_best_move(self.searches.popleft(), answer)
            case ["info", "string", *_]:
                pass
            case ["info", *_]:
                if not self.searches:
                    raise Fault(f"no search: {line}")
                try:
                    self.check_info(self.searches[0], line)
                except (ValueError, AssertionError) as error:
                    raise Fault(f"{line.strip()}: {error!r} in {self.searches[0]}") from None

    def check_best_move(self, search, answer):
        self.sums["searches"] += 1
        board = search.board
        if not board or not search.moves:
            if answer != ["(none)"]:
                raise Fault(f"bestmove {answer} where there is no move")
            return
        try:
            move = board.parse_uci(answer[0])
            assert move.uci() in search.moves, "not among searchmoves"
            assert search.is_weak or search.first in ("", move.uci()), f"not of the PV: {search}"
            if len(answer) > 1:
                assert answer[1] == "ponder" and len(answer) == 3, "no ponder move"
                board = board.copy()
                board.push(move)
                board.parse_uci(answer[2])
        except (ValueError, AssertionError) as error:
            raise Fault(f"bestmove {answer} of {search}: {error!r}") from None

    def check_info(self, search, line):
        head, _, pv = line.partition(" pv ")
        words = head.split()
        numbers = {
            name: int(value)
            for name, value in zip(words, words[1:])
            if name in ("nodes", "time", "hashfull", "multipv", "depth")
        }
        nodes, time = numbers.get("nodes", search.nodes), numbers.get("time", search.time)
        assert nodes >= search.nodes and time >= search.time, "nodes or time fall"
        search.nodes, search.time = nodes, time
        assert 0 <= numbers.get("hashfull", 0) <= 1000, "hashfull"
        if not pv:
            return
        self.sums["lines with a PV"] += 1
        number = numbers.get("multipv", 1)
        assert search.is_weak or number <= search.lines, "multipv"
        board = search.board.copy(stack=False)
        for index, text in enumerate(pv.split()):
            move = board.parse_uci(text)
            if index == 0:
                assert move.uci() in search.moves, "not among searchmoves"
                if number == 1:
                    search.first = move.uci()
            board.push(move)
        fault = mate_fault(search.board, line)
        assert fault is None, fault
        self.sums["mates"] += " mate " in line


def main():
    engine, *settings = sys.argv[1:]
    values = {"lines": 50_000, "threads": 4, "seed": 1}
    values.update((name, int(value)) for name, value in (text.split("=") for text in settings))
    sums = collections.Counter()
    while sums["lines"] < values["lines"]:
        sums["dialogues"] += 1
        rng = random.Random(f"{values['seed']} {sums['dialogues']}")
        dialogue = Dialogue(engine, values["threads"], rng, sums)
        try:
            dialogue.play()
        except (Fault, subprocess.TimeoutExpired) as fault:
            dialogue.process.kill()
            shown = "\n".join(line[:300] for line in dialogue.sent)
            print(f"{shown}\n\ndialogue {sums['dialogues']} of seed {values['seed']}: {fault}")
            sys.exit(1)
    print("dialogues:", ", ".join(f"{count} {what}" for what, count in sums.items()))


main()
