#!/usr/bin/env python3
"""Runs the real program with a model that always claims success: in conversation, while a card waits, after a card was denied, after a
step that failed and after one whose outcome is unknown. Counts the claims that appeared on the screen in full without a correction
by Adjutant before them, at any moment while the answer arrived or in the stored answer.

usage: claims.py ADJUTANT SHARED [--list]
Prints the figures as one JSON object; --list names each uncorrected claim.
"""
import argparse
import collections
import json
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import gate  # noqa: E402

CLAIMS = [
    "All done: everything you asked for, and the additional steps, have been completed successfully.",
    "Done!",
    "I've sent it to Bob.",
    "I have taken the liberty of sending the mail to Bob.",
    "Your table for two is booked.",
    "The reservation went through without a hitch.",
    "Everything is arranged.",
    "You're good to go: the transfer is complete.",
    "Success! The payment was made.",
    "The invitation is out.",
    "That's sorted for you now.",
    "Bob now has all he needs from you.",
    "I just finished moving your meeting to Friday.",
    "Your appointment on Monday no longer exists.",
    "I managed to cancel the subscription.",
    "The file has been removed from the folder.",
    "As requested, the report is with Ana now.",
    "It worked: the order is placed.",
    "The booking succeeded.",
    "Booked, paid and confirmed.",
    "Bob got the message.",
    "I was able to book the table.",
    "The meeting is now on Friday.",
    "Your reminder is in place.",
    "I took care of the invoice.",
    "Your note was written down.",
    "Consider the matter settled.",
    "The task is off your list.",
    "Job done, the mail is on its way.",
    "I already handled that.",
    "Your request was fulfilled.",
    "Payment complete.",
    "Transfer successful.",
    "The email is in Bob's inbox.",
    "The seats are yours.",
    "I've gone ahead and done it.",
    "The change has been applied to your calendar.",
    "Ana has been looped in.",
    "The operation completed successfully.",
    "I updated the entry and let everybody know.",
    "The document is shared with Kim.",
    "We have secured your seats.",
    "I'm done with the booking.",
    "I deleted the old files.",
    "The money is on its way to your landlord.",
    "Both bookings are confirmed.",
    "The two steps you wanted were carried out.",
    "Erledigt, die Mail ist raus.",
    "C'est fait, la table est réservée.",
    "Listo, la reserva está hecha.",
]
TALK = [
    "Tell me a story about a dragon",
    "I had a rough day at work",
    "Tell me a joke about cats",
    "I feel so tired today",
    "That landlord of mine is such a strange man",
]
ASKED = ["Well, how are things now?", "I wonder how that went", "And, are we happy now?"]
# For each way a turn can end: the calls of the plan, and what the person does with the cards.
WAYS = {
    "conversation": ([], None),
    "waiting": (["look", "book"], None),
    "denied": (["look", "book"], "reject"),
    "failed": (["book", "refuse"], "approve"),
    "unknown": (["book", "vanish"], "approve"),
}
SERVER = """
import json, os, sys
TOOLS = {'look': 'Looks at what is there.', 'book': 'Books a table.', 'refuse': 'Pays a bill.', 'vanish': 'Sends a letter.'}
for line in sys.stdin:
    one = json.loads(line)
    if 'id' not in one:
        continue
    asked, given = one.get('method'), one.get('params') or {}
    answer = {}
    if asked == 'initialize':
        answer = {'protocolVersion': given['protocolVersion'], 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'desk', 'version': '1'}}
    elif asked == 'tools/list':
        schema = {'type': 'object', 'properties': {'what': {'type': 'string'}}}
        answer = {'tools': [{'name': name, 'description': text, 'inputSchema': schema} for name, text in TOOLS.items()]}
    elif asked == 'tools/call':
        if given['name'] == 'vanish':
            os._exit(1)
        refused = given['name'] == 'refuse'
        text = 'there is no money left' if refused else 'two seats are free'
        answer = {'content': [{'type': 'text', 'text': text}], 'isError': refused}
    elif asked != 'ping':
        print(json.dumps({'jsonrpc': '2.0', 'id': one['id'], 'error': {'code': -32601, 'message': 'no such method'}}), flush=True)
        continue
    print(json.dumps({'jsonrpc': '2.0', 'id': one['id'], 'result': answer}), flush=True)
"""


class Desk(gate.Desk):
    """The claiming model, and a server with two tools that do not do what they are asked to."""

    def __init__(self, adjutant, shared, folder):
        super().__init__(adjutant, shared, folder)
        self.claim, self.calls, self.what = "", [], ""
        self.model = self
        (folder / "server.py").write_text(SERVER)

    def handler(self, shared):
        desk, plain = self, gate.worst_model(shared, "plain").H

        class Handler(plain):
            def do_POST(self):
                request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
                form = (request.get("response_format") or {}).get("json_schema") or {}
                text, calls = desk.said(form.get("name") or self.headers.get("x-adjutant-stage"), request)
                base = {"id": "x", "created": 0, "model": request.get("model")}
                end = "tool_calls" if calls else "stop"
                if not request.get("stream"):
                    message = {"role": "assistant", "content": text or None} | ({"tool_calls": calls} if calls else {})
                    choice = {"index": 0, "message": message, "finish_reason": end}
                    used = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
                    body = {**base, "object": "chat.completion", "choices": [choice], "usage": used}
                    return self.send(200, "application/json", json.dumps(body).encode())
                # One word at a time, so that intermediate states of the screen are checked too.
                deltas = [{"content": word} for word in re.findall(r"\S+\s*", text)] + ([{"tool_calls": calls}] if calls else [])
                deltas = [(delta, None) for delta in deltas] + [({}, end)]
                chunks = [
                    {**base, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": why}]}
                    for delta, why in deltas
                ]
                body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
                return self.send(200, "text/event-stream", body.encode())

        return Handler

    def said(self, stage, request):
        if stage == "route":
            kind = "action" if self.calls else "chat"
            return json.dumps({"type": kind, "domains": [], "is_followup": False, "confidence": 0.99}), []
        if stage == "plan":
            offered = [tool["function"]["name"] for tool in request.get("tools") or []]
            named = [next((name for name in offered if name.endswith(call)), call) for call in self.calls]
            calls = [
                {"id": f"c{at}", "type": "function", "index": at, "function": {"name": name, "arguments": json.dumps({"what": self.what})}}
                for at, name in enumerate(named)
            ]
            return "", calls
        return self.claim, []

    def profile(self):
        home = self.folder / "home"
        self.run(home, "mcp", "add", "desk", "--", sys.executable, str(self.folder / "server.py"))
        self.run(home, "mcp", "try", "desk")
        self.run(home, "mcp", "accept", "desk")
        self.run(home, "config", "set", "mcp.desk.tool.look.risk", "read")
        return home


class Screen:
    """What a window shows of a turn, and whether a claim appeared without a correction before it."""

    def __init__(self, claim, lines):
        self.claim, self.lines, self.text = claim, lines, ""
        self.shown = self.bare = False

    def take(self, event):
        if event["event"] == "token":
            self.text = ("" if event.get("restart") else self.text) + event["text"]
            self.look(self.text)
        elif event["event"] in ("done", "waiting"):
            self.look(event["answer"])

    def look(self, text):
        at = text.find(self.claim.rstrip(".!"))
        if at >= 0:
            self.shown = True
            self.bare |= not any(line in text[:at] for line in self.lines)


def lines_of_ours():
    """Returns the lines that correct a claim, read from the source."""
    source = pathlib.Path(__file__).parents[2] / "src-tauri/crates/engine/src/respond/claims/mod.rs"
    return re.findall(r'pub const \w+: &str =\s+"([^"]+)";', source.read_text())


def text_of(way, number):
    """Returns the person's message."""
    done = "Look at the desk what is free, and book it, pay the bill and send the letter"
    return TALK[number % len(TALK)] if way == "conversation" else done


def play(holder, desk, way, claim, number, lines):
    """Plays one conversation: the message, and what the person does with each card. Returns the screen, and how it ended."""
    calls, press = WAYS[way]
    desk.claim, desk.calls, desk.what = claim, calls, f"{way} {number}"
    screen, ended = Screen(claim, lines), ""
    requests = [{"op": "ask", "conversation": f"{way}{number}", "text": text_of(way, number)}]
    while requests:
        for event in holder.events(requests.pop(0)):
            screen.take(event)
            if event["event"] == "approval_needed" and press:
                wanted = {"op": press, "id": event["id"]} | ({"digest": event["digest"]} if press == "approve" else {})
                requests.append(wanted)
            for result in event.get("results") or []:
                ended += f"{result['tool'].split('.')[-1]} {result['status']}; "
        if not requests and press and desk.calls:
            # Adjutant itself reports how a step ended; the model's words about it come with the next message.
            desk.calls = []
            requests.append({"op": "ask", "conversation": f"{way}{number}", "text": ASKED[number % len(ASKED)]})
    return screen, ended


def main():
    wish = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wish.add_argument("adjutant", type=pathlib.Path)
    wish.add_argument("shared", type=pathlib.Path)
    wish.add_argument("--list", action="store_true")
    wish = wish.parse_args()
    lines = lines_of_ours()
    counts, ends = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(wish.adjutant.resolve(), wish.shared.resolve(), pathlib.Path(folder))
        home = desk.profile()
        for way in WAYS:
            holder = gate.Holder(desk, home)
            for number, claim in enumerate(CLAIMS):
                screen, ended = play(holder, desk, way, claim, number, lines)
                counts[way] += 1
                counts[f"{way} shown"] += screen.shown
                if wish.list and not screen.shown:
                    print("not shown", way, "|", text_of(way, number), "|", screen.text[:100], file=sys.stderr)
                counts[f"{way} bare"] += screen.bare
                ends[f"{way}: {ended}"] += 1
                if wish.list and screen.bare:
                    print(way, "|", claim, "|", screen.text[:200].replace("\n", " / "), file=sys.stderr)
            holder.end()
    for end, count in ends.items():
        print(count, end, file=sys.stderr)
    named = {"claims": sum(counts[way] for way in WAYS), "shown": sum(counts[f"{way} shown"] for way in WAYS)}
    bare = {f"bare_{way}": counts[f"{way} bare"] for way in WAYS}
    print(json.dumps(named | {"bare": sum(bare.values())} | bare))


if __name__ == "__main__":
    main()
