#!/usr/bin/env python3
"""Puts the texts of ../shared/data/safety/render and injection_text on cards of the real program: into the recipient, subject and text of
a mail, into an argument of a server's tool, and into the description of one. Counts the cards on which something remains invisible or
confusable, or on which a text is not shown as a whole.

usage: cards.py ADJUTANT SHARED [--list]
Prints the figures as one JSON object; --list names each failure. A hidden character counts as shown if its code is, as in ⟨U+202E⟩.
"""
import argparse
import collections
import json
import pathlib
import re
import sys
import tempfile
import unicodedata

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import gate  # noqa: E402

# Characters that show nothing although Unicode calls them letters, marks or symbols: fillers, joiners, blanks.
BLANK = set("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc")
CODE = re.compile("⟨U\\+([0-9A-F]{4,6})⟩")

# Offers one tool for each line of a file, with the line's description.
SERVER = """
import json, sys
offered = [json.loads(line) for line in open(sys.argv[1])]
schema = {"type": "object", "properties": {"text": {"type": "string"}}}
tools = [{"name": one["name"], "description": one["description"], "inputSchema": schema} for one in offered]
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    answers = {
        "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "tools", "version": "1"}},
        "tools/list": {"tools": tools},
    }
    said = answers.get(asked["method"])
    body = {"result": said} if said else {"error": {"code": -32601, "message": "unknown"}}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **body}), flush=True)
"""


class Desk:
    """What gate.Holder needs: the program and its environment."""

    def __init__(self, adjutant, folder):
        self.adjutant = adjutant
        self.environment = {"PATH": gate.os.environ["PATH"], "HOME": str(folder)}

    run = gate.Desk.run


def connect(desk, home, folder, tools):
    """Connects a profile to a server named "tools" that offers these, and accepts all of them."""
    (folder / "server.py").write_text(SERVER)
    (folder / "tools.jsonl").write_text("".join(json.dumps(tool) + "\n" for tool in tools))
    desk.run(home, "mcp", "add", "tools", "--", sys.executable, str(folder / "server.py"), str(folder / "tools.jsonl"))
    desk.run(home, "mcp", "try", "tools")
    desk.run(home, "mcp", "accept", "tools")


def replies(holder, request):
    """Sends a request and returns its replies and faults."""
    holder.calls += 1
    holder.say({"id": holder.calls, "request": request})
    found = []
    while True:
        frame = json.loads(holder.lines.readline())["body"]["frame"]
        if frame == "end":
            return found
        found.append(frame)


def approvals(holder):
    """Returns the newest actions."""
    asked = {"op": "show", "what": "approvals", "id": None, "from": None, "to": None, "limit": 5, "text": None}
    return next(frame["reply"]["rows"]["list"] for frame in replies(holder, asked) if "reply" in frame)


def card(holder, tool, args):
    """Makes a call, and returns its card without the arguments; None if the call was refused. Then rejects whatever waits: a rejected
    mail is kept as a draft, which asks after a hundred of them."""
    outcome = next(frame["reply"]["outcome"] for frame in replies(holder, {"op": "apply", "tool": tool, "args": args}) if "reply" in frame)
    if outcome["state"] != "approval_needed":
        return None
    shown = None
    while waiting := [row for row in approvals(holder) if row["state"] == "pending"]:
        for row in waiting:
            if row["id"] == outcome["id"]:
                shown = row["shown"]
            replies(holder, {"op": "reject", "id": row["id"]})
    return shown


def hidden(text):
    """Returns the characters of a text that nobody sees, or that change the order of others."""
    def is_hidden(c):
        kind = unicodedata.category(c)
        return c in BLANK or c not in "\n\t " and (kind in ("Cc", "Cf", "Zs", "Zl", "Zp", "Cs", "Co", "Cn") or "VARIATION SELECTOR" in unicodedata.name(c, ""))
    return {c for c in text if is_hidden(c)}


def texts(shown):
    """Returns every text on a card."""
    if isinstance(shown, str):
        return [shown]
    inner = shown.values() if isinstance(shown, dict) else shown if isinstance(shown, list) else []
    return [text for one in inner for text in texts(one)]


def plain(text):
    """Returns a text with its codes turned back into characters, and its white space evened."""
    return " ".join(CODE.sub(lambda code: chr(int(code[1], 16)), text).split())


def fact(shown, label):
    return next(one["value"] for one in shown["facts"] if one["label"] == label)


def mixed(text):
    """Returns the words that hold both Latin letters and letters of a script that looks like it."""
    script = lambda c: unicodedata.name(c, "").split(" ")[0] if c.isalpha() else ""
    alike = {"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "FULLWIDTH", "MATHEMATICAL", "COPTIC"}
    return [word for word in re.findall(r"[^\W\d_]+", text) if "LATIN" in map(script, word) and alike & set(map(script, word))]


def faults(shown, whole):
    """Returns what is wrong with a card that must show the texts in `whole`."""
    wrong = []
    everything = texts(shown)
    if any(hidden(text) for text in everything):
        wrong.append("hidden")
    if any(mixed(text) for text in everything):
        wrong.append("mixed")
    for text in whole:
        # The rest of a long description of a tool is cut, visibly.
        if not any(plain(text) in plain(one) for one in everything):
            wrong.append("not whole")
    return wrong


def mail(holder, text, to="bob@example.org"):
    return card(holder, "email.send", {"to": [to], "subject": text.split("\n")[0][:200], "body": text})


def invisible(row, holder, count):
    text = row["text"]
    shown = mail(holder, text)
    problems = ["refused"] if shown is None else faults(shown, [text])
    called = card(holder, "mcp.tools.say", {"text": text})
    problems += ["refused"] if called is None else faults(called, [text])
    named = row["category"] == "address-display-name"
    if not named and not all(any(CODE.search(one) for one in texts(shown)) for shown in (shown, called)):
        problems.append("as if plain")
    if row["category"].startswith("address"):
        to = mail(holder, "Hello", text)
        count["addresses"] += 1
        count["addresses_refused"] += to is None
        if to is not None:
            # A display name that is an address may be shown, but not without the address it hides.
            real = re.search("<(.*)>", text)[1] if named else text
            problems += faults(to, [real])
            problems += ["looks like " + row["visible"]] * (row["visible"] in fact(to, "To") and not named)
    return problems


def host(row, holder, count):
    """A host that a browser does not show as it is has to be spelled out."""
    shown = mail(holder, f"See https://{row['unicode']}/path")
    problems = ["refused"] if shown is None else faults(shown, [])
    changed = not any(f"https://{row['unicode']}/path" in one for one in texts(shown))
    count["hosts_safe" if row["chromium"] == "safe" else "hosts_unsafe"] += 1
    if row["chromium"] == "safe":
        count["hosts_safe_spelled_out"] += changed
    elif not changed:
        problems.append(f"as if safe: {row['unicode']}")
    return problems


def main():
    wish = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wish.add_argument("adjutant", type=pathlib.Path)
    wish.add_argument("shared", type=pathlib.Path)
    wish.add_argument("--list", action="store_true")
    wish = wish.parse_args()
    data = wish.shared.resolve() / "data/safety"
    rows = lambda name: [json.loads(line) for line in (data / name).open()]
    hostile = rows("injection_text/asb_attack_tools.jsonl")
    tools = [{"name": "say", "description": "Says a text."}]
    tools += [{"name": row["id"], "description": f"{row['description']} {row['instruction']}"} for row in hostile]
    count = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        desk, home = Desk(wish.adjutant.resolve(), folder), folder / "home"
        connect(desk, home, folder, tools)
        holder = gate.Holder(desk, home)
        found = {}
        for row in rows("render/invisible_text.jsonl"):
            found[row["id"]] = invisible(row, holder, count)
        for row in rows("render/idn_hosts.jsonl"):
            found[row["id"]] = host(row, holder, count)
        for row, tool in zip(hostile, tools[1:]):
            shown = card(holder, f"mcp.tools.{row['id']}", {"text": row["instruction"]})
            found[row["id"]] = faults(shown, [row["instruction"], tool["description"][:600]]) if shown else ["refused"]
        for row in rows("injection_text/bipia_email.jsonl"):
            shown = mail(holder, row["email"])
            found[row["id"]] = faults(shown, [row["email"]]) if shown else ["refused"]
        for row in rows("injection_text/agent_threat_bench.jsonl"):
            text = json.dumps([row.get("inbox"), row.get("memory_store"), row.get("records")], ensure_ascii=False, indent=1)
            shown = mail(holder, text)
            found[row["id"]] = faults(shown, [text]) if shown else ["refused"]
        holder.end()
    wrong = {name: problems for name, problems in found.items() if problems}
    for name, problems in wrong.items() if wish.list else []:
        print(name, *sorted(set(problems)), file=sys.stderr)
    print(json.dumps({"texts": len(found), "not_shown": len(wrong), **count}))


if __name__ == "__main__":
    main()
