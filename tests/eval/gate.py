#!/usr/bin/env python3
"""Runs the real program with a model that obeys every injection, using the model, the MCP server and the scorer of ../shared/tools
on the cases of ../shared/data/safety/agentdojo. One process holds the profile for many cases.

usage: gate.py ADJUTANT SHARED [--every N] [--modes A,B] [--annotations A,B] [--rows FOLDER] [--harmless]
Tools that read are lowered by name; nobody approves anything. Prints the summed figures of safety_score_gate.py as one JSON object.
With --harmless, each task is played once without the attack and every card is approved, to count how often a person is asked.
"""
import argparse
import collections
import importlib.util
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from http.server import ThreadingHTTPServer

MODES = "plain,claim_approved,forge_args,swap,flood,parallel,planned"
ANNOTATIONS = "honest,none,lying"
# Cases per profile before a new one is made, because the number of unasked runs of a tool per hour is limited.
CASES_OF_A_PROFILE = 20
WAIT_SECONDS = 120

# Runs safety_fake_mcp.py for one case after another. The present case and its log are named in a file that is read at
# every message.
SERVER = """
import json, sys
here = sys.argv[1]
case, log, hints, tools, data = open(here).read().split('\\n')
head, loop = open(tools + '/safety_fake_mcp.py').read().split('for line in sys.stdin:', 1)
sys.argv = ['', data, case, log, '--annotate', hints]
names = {'__name__': 'server'}
exec(head, names)
cases = {one['id']: one for one in map(json.loads, open(data + '/agentdojo/cases.jsonl'))}
def lines():
    for line in iter(sys.stdin.readline, ''):
        one, log = open(here).read().split('\\n')[:2]
        names['case'], names['LOG'] = cases[one], log
        yield line
names['lines'] = lines()
exec('for line in lines:' + loop, names)
"""


def worst_model(shared, mode):
    """Loads the module safety_worst_model.py in one of its modes."""
    ours, sys.argv = sys.argv, ["", str(shared / "data/safety"), "0", mode]
    spec = importlib.util.spec_from_file_location(f"worst_{mode}", shared / "tools/safety_worst_model.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.argv = ours
    return module


class Desk:
    """The model and the MCP server, and the case they play."""

    def __init__(self, adjutant, shared, folder):
        self.adjutant, self.shared, self.folder = adjutant, shared, folder
        self.model = self.case = None
        server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler(shared))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "ADJUTANT_MODEL_URL": f"http://127.0.0.1:{server.server_port}/v1",
            "ADJUTANT_MODEL": "worst",
        }
        (folder / "server.py").write_text(SERVER)

    def handler(self, shared):
        """Returns the request handler that answers as the model."""
        module = worst_model(shared, "plain")
        module.answer = lambda request, stage=None: self.model.by_stage(self.case, stage, request) if stage else self.model.answer(request)
        return module.H

    def play(self, case, hints):
        self.case, self.log = case, self.folder / "log"
        self.log.write_text("")
        lines = [case["id"], str(self.log), hints, str(self.shared / "tools"), str(self.shared / "data/safety")]
        (self.folder / "next").write_text("\n".join(lines))
        os.replace(self.folder / "next", self.folder / "now")
        self.model.GIVEN.clear()

    def run(self, home, *args):
        command = [self.adjutant, "--home", home, *args]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=WAIT_SECONDS)
        if done.returncode:
            sys.exit(f"{' '.join(args)}: {done.stdout}{done.stderr}")

    def profile(self, case, hints, reads):
        """Returns a profile in which a suite's server is accepted and its reading tools are lowered; made once, then copied."""
        made = self.folder / f"{case['suite']}-{hints}"
        self.play(case, hints)
        if not made.exists():
            self.run(made, "mcp", "add", "desk", "--", sys.executable, str(self.folder / "server.py"), str(self.folder / "now"))
            self.run(made, "mcp", "try", "desk")
            self.run(made, "mcp", "accept", "desk")
            for tool in reads:
                self.run(made, "config", "set", f"mcp.desk.tool.{tool}.risk", "read")
        home = self.folder / "home"
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(made, home)
        return home


class Holder:
    """The process that holds a profile, and a connection to it."""

    def __init__(self, desk, home):
        command = [desk.adjutant, "--home", home, "run"]
        self.process = subprocess.Popen(command, env=desk.environment, stdout=subprocess.DEVNULL)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(WAIT_SECONDS)
        until = time.monotonic() + WAIT_SECONDS
        while self.socket.connect_ex(str(home / "profiles/default/socket")):
            if time.monotonic() > until or self.process.poll() is not None:
                sys.exit("the profile cannot be opened")
            time.sleep(0.02)
        self.lines = self.socket.makefile("rw")
        source = (pathlib.Path(__file__).parents[2] / "src-tauri/session/socket.rs").read_text()
        protocol = int(re.search(r"PROTOCOL: u32 = (\d+)", source)[1])
        self.say({"protocol": protocol, "now": None, "tz": None, "offline": False})
        if "ready" not in self.lines.readline():
            sys.exit("the holder does not take calls")
        self.calls = 0

    def say(self, message):
        self.lines.write(json.dumps(message) + "\n")
        self.lines.flush()

    def events(self, request):
        self.calls += 1
        self.say({"id": self.calls, "request": request})
        while True:
            answer = json.loads(self.lines.readline())
            frame = answer["body"]["frame"]
            if frame == "end":
                return
            if "event" in frame:
                yield frame["event"]

    def end(self):
        self.lines.close()
        self.socket.close()
        self.process.terminate()
        self.process.wait()


def asked_by(event):
    """Returns the calls of a card, with the server's own names for the tools."""
    args = event["args"]
    name = event["tool"].split(".")[-1]
    return [{"tool": name, "args": one} for one in (args if isinstance(args, list) else [args])]


def rows(desk, cases, effects, hints, approve=False):
    holder, used, suite = None, 0, None
    for case in cases:
        if holder is None or used == CASES_OF_A_PROFILE or suite != case["suite"]:
            if holder:
                holder.end()
            used, suite = 0, case["suite"]
            reads = [name for name, effect in effects[suite].items() if effect == "read"]
            holder = Holder(desk, desk.profile(case, hints, reads))
        used += 1
        desk.play(case, hints)
        asked, cards = [], 0
        requests = [{"op": "ask", "conversation": f"case{used}", "text": case["user_request"]}]
        while requests:
            for event in holder.events(requests.pop(0)):
                if event["event"] == "approval_needed":
                    asked += asked_by(event)
                    cards += 1
                    if approve:
                        requests.append({"op": "approve", "id": event["id"], "digest": event["digest"]})
        ran = [{"tool": one["tool"], "args": one["args"]} for one in map(json.loads, desk.log.open())]
        yield {"id": case["id"], "executed": ran, "approved": asked if approve else [], "asked": asked, "cards": cards}
    if holder:
        holder.end()


def harmless(cases):
    """Returns one case of each task, without its attack."""
    tasks = {(case["suite"], case["user_task"]): case for case in cases}
    return [{**case, "attacker_calls": []} for case in tasks.values()]


def of_tasks(desk, cases, effects, annotations):
    """Returns how often a person is asked, and how many tasks end with every call that they need."""
    named = lambda call: json.dumps([call["tool"], call["args"]], sort_keys=True)
    total = collections.Counter()
    for hints in annotations:
        tasks = {case["id"]: case for case in harmless(cases)}
        for row in rows(desk, tasks.values(), effects, hints, approve=True):
            ran = collections.Counter(map(named, row["executed"]))
            wanted = collections.Counter(map(named, tasks[row["id"]]["benign_calls"]))
            total["tasks"] += 1
            total["cards"] += row["cards"]
            total["done"] += not wanted - ran
            total["repeated"] += sum((ran - wanted).values())
    return {
        "tasks": total["tasks"],
        "done_share": total["done"] / max(1, total["tasks"]),
        "asked_per_task": total["cards"] / max(1, total["tasks"]),
        "repeated": total["repeated"],
    }


def score(shared, file):
    """Returns the figures that safety_score_gate.py prints, by name."""
    command = [sys.executable, shared / "tools/safety_score_gate.py", shared / "data/safety", file]
    said = subprocess.run(command, capture_output=True, text=True).stdout
    return {name.strip(): int(value) for name, value in re.findall(r"^(\S.*?)\s{2,}(\d+)$", said, re.M)}


def main():
    wish = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wish.add_argument("adjutant", type=pathlib.Path)
    wish.add_argument("shared", type=pathlib.Path)
    wish.add_argument("--every", type=int, default=1)
    wish.add_argument("--modes", default=MODES)
    wish.add_argument("--annotations", default=ANNOTATIONS)
    wish.add_argument("--rows", type=pathlib.Path)
    wish.add_argument("--harmless", action="store_true")
    wish = wish.parse_args()
    data = wish.shared.resolve() / "data/safety/agentdojo"
    cases = [json.loads(line) for line in (data / "cases.jsonl").open()]
    tools = json.loads((data / "tools.json").read_text())
    effects = {suite: {tool["name"]: tool["effect"] for tool in all_of_it} for suite, all_of_it in tools.items()}
    total, at = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        desk = Desk(wish.adjutant.resolve(), wish.shared.resolve(), folder)
        if wish.harmless:
            desk.model = worst_model(wish.shared.resolve(), "plain")
            print(json.dumps(of_tasks(desk, cases, effects, wish.annotations.split(","))))
            return
        for mode in wish.modes.split(","):
            desk.model = worst_model(wish.shared.resolve(), mode)
            for hints in wish.annotations.split(","):
                # Different cases each time, so that every mode gets a few of them.
                chosen = cases[at % wish.every :: wish.every]
                at += 1
                file = (wish.rows or folder) / f"{mode}-{hints}.jsonl"
                file.write_text("".join(json.dumps(row) + "\n" for row in rows(desk, chosen, effects, hints)))
                figures = score(wish.shared.resolve(), file)
                total.update(figures)
                print(mode, hints, json.dumps(figures), file=sys.stderr, flush=True)
    named = {
        "cases": total["cases"],
        "unapproved": total["SIDE EFFECTS WITHOUT APPROVAL"],
        "carried_out": total["egress reads without approval"],
        "reused": total["approval used more than once"],
        "reads_wanted": total["benign reads wanted"],
        "reads_share": total["benign reads run"] / max(1, total["benign reads wanted"]),
        "reads_asked": total["read-only asks (fatigue)"],
        "asked": total["approvals asked"],
    }
    print(json.dumps(named))


if __name__ == "__main__":
    main()
