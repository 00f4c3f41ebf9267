"""Does with OpenBench's own code what its server and its client do with an engine: the description is checked, the
engine built from an archive without git, benched, asked for openings, and matched against itself from them; and the
numbers that a branch for tuning offers are read.

    openbench.py OPENBENCH [FASTCHESS]

OPENBENCH is a copy of https://github.com/AndyGrant/OpenBench; FASTCHESS (fastchess in the path) plays the match.
"""

import ast
import http.server
import importlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import traceback
import types

REPOSITORY = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
OPENINGS_PER_THREAD, THREADS, GAMES = 25, 2, 8


def step(what):
    print(f"== {what}", flush=True)


def check_description(openbench):
    """Checks the description as the server does when it starts."""
    settings = types.ModuleType("OpenSite.settings")
    settings.PROJECT_PATH = openbench
    sys.modules["OpenSite"] = types.ModuleType("OpenSite")
    sys.modules["OpenSite.settings"] = settings
    spec = importlib.util.spec_from_file_location("config", f"{openbench}/OpenBench/config.py")
    config = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(config)
    path = os.path.join(REPOSITORY, "docs/openbench/Tabia.json")
    with open(path) as file:
        description = json.load(file)
    config.verify_engine_basics(description)
    config.verify_engine_build("Tabia", description)
    for kind in ("test", "tune", "datagen"):
        presets = description[f"{kind}_presets"]
        assert "default" in presets
        for preset in presets.values():
            getattr(config, f"verify_engine_{kind}_preset")(preset)
        for name in {p["book_name"] for p in presets.values() if "book_name" in p} - {"NONE"}:
            config.load_book_config(name)
    return description


class Archive(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def serve_archive(folder):
    """The repository as its host would serve it: a zip archive of the commit, on this machine only."""
    archive = ["git", "archive", "--format=zip", "--prefix=tabia-test/"]
    subprocess.run(archive + ["-o", f"{folder}/tabia.zip", "HEAD"], cwd=REPOSITORY, check=True)
    handler = lambda *args: Archive(*args, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/tabia.zip"


def play(worker, fastchess, engine, openings):
    """A match of the engine against itself, with the arguments and the counting of the client's worker."""
    side = {"engine": "Tabia", "options": "Threads=1 Hash=8"}
    workload = {
        "test": {
            "type": "DATAGEN", "play_reverses": True, "book": {"name": "NONE"},
            "win_adj": "movecount=3 score=400", "draw_adj": "movenumber=40 movecount=8 score=10",
            "syzygy_adj": "DISABLED", "syzygy_wdl": "DISABLED",
            "dev": side | {"time_control": "N=1000"}, "base": side | {"time_control": "N=1000"},
        },
        "distribution": {"concurrency-per": THREADS, "rounds-per-runner": GAMES // 2},
    }
    config = types.SimpleNamespace(workload=workload, syzygy_max=0)
    runner = worker.MatchRunner
    arguments = [
        runner.basic_settings(config), runner.concurrency_settings(config),
        runner.adjudication_settings(config), runner.book_settings(config, 0),
        runner.engine_settings(config, engine, "dev", 1.0, 0),
        runner.engine_settings(config, engine, "base", 1.0, 0),
    ]
    command = [fastchess] + shlex.split(" ".join(arguments))
    output = subprocess.run(command, capture_output=True, text=True, timeout=600).stdout
    counted = ("crashes", "timelosses", "illegals")
    results = {"trinomial": [0] * 3, "pentanomial": [0] * 5, "games": {}} | dict.fromkeys(counted, 0)
    for line in output.splitlines():
        if line.startswith("Finished game"):
            runner.update_results(results, line)
    assert sum(results["trinomial"]) == GAMES, output
    assert not any(results[name] for name in counted), output
    return results


def build_for_tuning(folder):
    """The program as a branch with `tune` among the default features has it, built as OpenBench builds it."""
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=REPOSITORY, check=True, capture_output=True)
    subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
    with open(f"{folder}/Cargo.toml") as file:
        manifest = file.read()
    with open(f"{folder}/Cargo.toml", "w") as file:
        file.write(manifest.replace("[features]\n", '[features]\ndefault = ["tune"]\n'))
    subprocess.run(["make", "-j", "EXE=tuned"], cwd=folder, check=True, capture_output=True)
    return f"{folder}/tuned"


def check_tuned_numbers(openbench, engine):
    """Checks the SPSA input as the server does. Each parameter must be an option of the engine."""
    with open(f"{openbench}/OpenBench/workloads/verify_workload.py") as file:
        module = ast.parse(file.read())
    # The rest of the file needs a running server.
    wanted = [node for node in module.body if getattr(node, "name", "") == "verify_spsa_inputs"]
    names = {"traceback": traceback}
    exec(compile(ast.Module(wanted, []), "verify_workload.py", "exec"), names)

    def output_of(*words):
        return subprocess.run([engine, *words], check=True, capture_output=True, text=True).stdout

    numbers, errors = output_of("spsa").strip(), []
    names["verify_spsa_inputs"](errors, types.SimpleNamespace(POST={"spsa_inputs": numbers}), "spsa_inputs")
    assert not errors, errors
    lines, introduction = numbers.split("\n"), output_of("uci")
    for line in lines:
        name, _, value, least, most, *_ = (word.strip() for word in line.split(","))
        assert f"option name {name} type spin default {value} min {least} max {most}" in introduction, line
    return len(lines)


def main(openbench, fastchess="fastchess"):
    openbench = os.path.realpath(openbench)
    sys.path.insert(0, f"{openbench}/Client")
    import bench, genfens, utils, worker  # OpenBench's client

    step("the description of the engine")
    description = check_description(openbench)

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in ("Engines", "Books", "served"):
            os.mkdir(name)

        step("the build, from an archive")
        path = os.path.join(folder, "Engines", "Tabia-test")
        source = serve_archive(os.path.join(folder, "served"))
        compiler = description["build"]["compilers"][0].split(">=")[0]
        build_path = description["build"]["path"]
        name = utils.prepare_engine(
            "Tabia", None, "main", source, build_path, path, False, compiler
        )

        step("the bench, on two processors at once")
        nps, nodes = bench.run_benchmark(f"Engines/{name}", THREADS, 1)
        print(f"{nodes} nodes, {nps} nps")

        step("openings")
        for book in ("None", "Books/start.epd"):
            with open("Books/start.epd", "w") as file:
                file.write("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\n")
            with open("Books/openbench.genfens.epd", "w") as output:
                genfens.create_genfens_opening_book({
                    "N": OPENINGS_PER_THREAD, "book": book, "seeds": [2**31 - 1, 1], "extra": "",
                    "engine": f"Engines/{name}", "threads": THREADS, "output": output,
                })
            with open("Books/openbench.genfens.epd") as file:
                lines = file.read().splitlines()
            assert len(set(lines)) >= len(lines) * 3 // 4 and len(lines) == OPENINGS_PER_THREAD * THREADS
            assert all(re.search(r" hmvc \d+; fmvn \d+;$", line) for line in lines)

        step("a match")
        if shutil.which(fastchess):
            print(play(worker, fastchess, name, "Books/openbench.genfens.epd"))
        else:
            print("skipped: no fastchess")

        step("the numbers of a branch for tuning")
        os.mkdir("tuning")
        print(check_tuned_numbers(openbench, build_for_tuning(os.path.join(folder, "tuning"))), "numbers")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
