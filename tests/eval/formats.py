#!/usr/bin/env python3
"""Gives the real program the files of ../shared/data/safety: imports the mails and calendars, each into a profile of its own, and
compares what it shows with what the parsers expect that the files come from; lets it read JSON as arguments of an effect.

usage: formats.py ADJUTANT SHARED [--list]
Prints the figures as one JSON object; --list names each difference. What is compared:
  JSON         the value of every text that JSONTestSuite calls valid, and the refusal of every other. A repeated key is refused on
               purpose, although the suite calls it valid. Texts that may be either only must not crash.
  headers      sender, recipients, subject, date and Message-ID of each mail, and each single header of these kinds; Received and
               Content-Type are read without an expectation.
  texts        the text of each mail, and the number of its attachments.
  occurrences  every start that calcard finds (the first 12 of a file), and no others where it finds fewer. A time in a zone that
               calcard does not know counts by its clock, because calcard takes the zone of floating times then. A task has one
               occurrence, when it is due. Files with neither events nor tasks are only read.
"""
import argparse
import base64
import collections
import concurrent.futures
import datetime
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zoneinfo

SECONDS_MAX = 60
# The zone in which calcard was told to read floating times.
FLOATING = zoneinfo.ZoneInfo("Pacific/Auckland")
# Where calcard leaves out an instance: the last one, which begins at the moment of UNTIL and belongs to the series (RFC 5545, 3.3.10).
ONE_MORE = {"cal-128": 1}
SPAN = ["--from", "0001-01-02", "--to", "2125-01-01", "--limit", "100000"]


class Hang(Exception):
    """The program did not end in time."""


class Crash(Exception):
    """The program panicked, or a signal ended it."""


class Program:
    """The program with a profile of its own, in a folder that is removed."""

    def __init__(self, adjutant):
        self.adjutant, self.kept = adjutant, tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.kept.name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kept.cleanup()

    def run(self, *args):
        command = [self.adjutant, "--home", self.folder / "home", "--json", "--tz", str(FLOATING), *args]
        try:
            done = subprocess.run(command, capture_output=True, timeout=SECONDS_MAX)
        except subprocess.TimeoutExpired as late:
            raise Hang from late
        said = done.stdout.decode() + done.stderr.decode()
        if done.returncode not in (0, 1, 2) or "panicked" in said:
            raise Crash(said)
        return done.stdout.decode()

    def imported(self, name, content):
        """Imports a file."""
        (self.folder / name).write_bytes(content)
        self.run("import", self.folder / name)

    def shown(self, *args):
        return json.loads(self.run("show", *args))


def strict(text):
    """Returns the value of a JSON text in a list; an empty list if it repeats a key."""
    def pairs(found):
        if len({key for key, _ in found}) != len(found):
            raise KeyError
        return dict(found)
    try:
        return [json.loads(text, object_pairs_hook=pairs)]
    except KeyError:
        return []


def of_json(adjutant, rows, wrong):
    """Reads every text as a part of the arguments of an effect."""
    total = collections.Counter()
    texts = [row for row in rows if "input" in row]
    with Program(adjutant) as program:
        cases, answers = program.folder / "cases", program.folder / "answers"
        wrapped = [{"id": row["id"], "effect": True, "input": f'{{"value": {row["input"]}}}'} for row in texts]
        cases.write_text("".join(json.dumps(case) + "\n" for case in wrapped))
        program.run("eval", "repair", "--in", cases, "--out", answers)
        read = {one["id"]: one for one in map(json.loads, answers.open())}
    for row in texts:
        got = read[row["id"]]
        if row["strict"] == "either":
            continue
        kind = "accepted" if row["strict"] == "accept" and strict(row["input"]) else "refused"
        right = got.get("value") == {"value": strict(row["input"])[0]} if kind == "accepted" else "value" not in got
        total["json_" + kind] += 1
        total["json_" + kind + "_rightly"] += right
        if not right:
            wrong(row["id"], got)
    # Texts that are not even Unicode come as a message of another program, and get no answer.
    for row in rows:
        if "input_b64" in row:
            answer = served(adjutant, base64.b64decode(row["input_b64"]).replace(b"\n", b" "))
            if row["strict"] == "reject":
                total["json_refused"] += 1
                total["json_refused_rightly"] += not answer
                if answer:
                    wrong(row["id"], answer)
    return total


def served(adjutant, raw):
    """Sends a message with a raw part to `adjutant mcp serve`; returns the answer to it, if any, once the next one is answered."""
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}).encode(),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode(),
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"approval.status","arguments":{"x":' + raw + b"}}}",
        json.dumps({"jsonrpc": "2.0", "id": 3, "method": "ping"}).encode(),
    ]
    with Program(adjutant) as program:
        command = [adjutant, "--home", program.folder / "home", "mcp", "serve"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
            server.stdin.write(b"".join(line + b"\n" for line in lines))
            server.stdin.flush()
            found = None
            for line in server.stdout:
                answer = json.loads(line)
                if answer.get("id") == 3:
                    break
                found = answer if answer.get("id") == 2 else found
            else:
                raise Crash("mcp serve ended")
            server.stdin.close()
            return found


def even(text):
    return " ".join((text or "").split())


def people(expected):
    """Returns the addresses of an expected header, those of groups included."""
    groups = expected.get("Group")
    listed = [one for group in groups for one in group["addresses"]] if groups else expected.get("List", [])
    return [(even(one["name"]), even(one["address"])) for one in listed if one["address"]]


def instant(expected):
    zone = datetime.timedelta(hours=expected["tz_hour"], minutes=expected["tz_minute"])
    at = [expected[name] for name in ("year", "month", "day", "hour", "minute", "second")]
    return datetime.datetime(*at, tzinfo=datetime.timezone(-zone if expected["tz_before_gmt"] else zone))


def is_header(name, expected, mail):
    """Whether a mail as shown has the expected header."""
    if name == "from":
        return (people(expected) or [("", "")])[0] == (even(mail["from_name"]), even(mail["from"]))
    if name in ("to", "cc"):
        return [address for _, address in people(expected)] == [even(one) for one in mail[name]]
    if name == "date":
        return instant(expected) == datetime.datetime.fromisoformat(mail["date"])
    return even(expected) == even(mail[name])


def of_mails(adjutant, rows, wrong):
    def one(row):
        total, headers = collections.Counter(), row["expect"]["headers"]
        with Program(adjutant) as program:
            program.imported("mail.eml", base64.b64decode(row["raw_b64"]))
            listed = program.shown("mail")
            mail = program.shown("mail", listed[0]["id"])[0] if listed else None
        # Without a sender, a subject and a date it counts as no mail.
        if bool(mail) != bool({"from", "subject", "date"} & headers.keys()):
            wrong(row["id"], mail)
            total["headers"] += 1
        if not mail:
            return total
        for name in headers.keys() & {"from", "to", "cc", "date", "subject", "message_id"}:
            right = is_header(name, headers[name], mail)
            total["headers"] += 1
            total["headers_right"] += right
            if not right:
                wrong(row["id"], name, headers[name], mail)
        parts = [part["text"] for part in row["expect"]["text_body"] if part["type"] == "text"]
        right = all(even(part.replace("\0", "")) in even(mail["text"]) for part in parts) and len(mail["files"]) == len(row["expect"]["attachments"])
        total["texts"] += 1
        total["texts_right"] += right
        if not right:
            wrong(row["id"], "text or attachments", row["expect"], mail)
        return total
    return each(one, rows, wrong)


# How a single header is put into a mail, and what of the mail as shown it must come to.
FIELDS = {"address": ("To", "to"), "date": ("Date", "date"), "id": ("Message-ID", "message_id"), "unstructured": ("Subject", "subject")}


def of_headers(adjutant, rows, wrong):
    """Imports one mail for each header, all at once; one with another Message-ID is found by its subject."""
    total = collections.Counter()
    with Program(adjutant) as program:
        folder = program.folder / "mails"
        folder.mkdir()
        for row in rows:
            name, _ = FIELDS.get(row["field"], (row["field"].replace("_", "-").title(), None))
            # The header ends at its first empty line.
            value = re.split(r"\r?\n\r?\n", row["header"].lstrip(" "))[0].rstrip("\r\n")
            head = {"From": "a@example.org", "Subject": row["id"], "Message-ID": f"<{row['id']}>", name: value}
            text = "".join(f"{name}: {value}\n" for name, value in head.items()) + "\nHello\n"
            (folder / f"{row['id']}.eml").write_text(text, encoding="utf-8")
        program.run("import", folder)
        mails = program.shown("mail", "--limit", "100000")
    if len(mails) != len(rows):
        wrong("headers", f"{len(rows) - len(mails)} mails are missing")
    for row in rows:
        _, name = FIELDS.get(row["field"], (None, None))
        if name is None or row["expected"] is None:
            continue
        expected = row["expected"][0] if row["field"] == "id" else row["expected"]
        own = [mail for mail in mails if row["id"] in (mail["subject"], mail["message_id"])]
        right = len(own) == 1 and is_header(name, expected, own[0])
        total["headers"] += 1
        total["headers_right"] += right
        if not right:
            wrong(row["id"], row["header"], expected, own and own[0][name])
    return total


def starts(expected):
    """Returns the forms in which an expected start may be shown."""
    at = datetime.datetime.fromisoformat(expected)
    forms = {at.timestamp()}
    if at.utcoffset() == at.astimezone(FLOATING).utcoffset():
        forms.add(at.replace(tzinfo=None))
    if at.time() == datetime.time():
        forms.add(at.date().isoformat())
    return forms


def shown_start(text):
    if "T" not in text:
        return {text}
    at = datetime.datetime.fromisoformat(text)
    return {at.timestamp(), at.replace(tzinfo=None)}


def of_calendars(adjutant, rows, wrong):
    def one(row):
        total, content = collections.Counter(), base64.b64decode(row["ics_b64"])
        with Program(adjutant) as program:
            program.imported("calendar.ics", content)
            # A series whose rule cannot be read has a row that says so.
            events = [event["start"] for event in program.shown("events", *SPAN) if "unexpanded" not in event]
            tasks = [task["due"] for task in program.shown("tasks", "--limit", "100000") if task.get("due")]
        if "expect_occurrences" not in row or not re.search(rb"BEGIN:V(EVENT|TODO)", content):
            return total
        found = [shown_start(start) for start in events + tasks]
        expected = {one["start"]: starts(one["start"]) for one in row["expect_occurrences"]}
        missing = [start for start, forms in expected.items() if not any(forms & one for one in found)]
        others = [one for one in found if not any(forms & one for forms in expected.values())] if row["n_occurrences"] < 12 else []
        # calcard gives a task no occurrence where it has no start; ours is due then.
        others = others if len(others) > len(tasks) else []
        too_many = len(others) - ONE_MORE.get(row["id"], 0)
        total.update(occurrences=len(expected), occurrences_right=len(expected) - len(missing), occurrences_too_many=too_many)
        if missing or too_many:
            wrong(row["id"], missing, others)
        return total
    return each(one, rows, wrong)


def each(one, rows, wrong):
    """Sums the figures of all rows; a crash or a hang is one of them."""
    def safe(row):
        try:
            return one(row)
        except Hang:
            wrong(row["id"], "hangs")
            return collections.Counter(hangs=1)
        except Crash as crash:
            wrong(row["id"], crash)
            return collections.Counter(crashes=1)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return sum(pool.map(safe, rows), collections.Counter())


def main():
    wish = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wish.add_argument("adjutant", type=pathlib.Path)
    wish.add_argument("shared", type=pathlib.Path)
    wish.add_argument("--list", action="store_true")
    wish = wish.parse_args()
    data, adjutant = wish.shared.resolve() / "data/safety", wish.adjutant.resolve()
    rows = lambda name: [json.loads(line) for line in (data / name).open()]
    wrong = lambda *what: print(*what, file=sys.stderr, flush=True) if wish.list else None
    total = collections.Counter(hangs=0, crashes=0, occurrences_too_many=0)
    total.update(of_json(adjutant, rows("json/strict.jsonl"), wrong))
    total.update(of_mails(adjutant, rows("mail/messages.jsonl"), wrong))
    total.update(of_headers(adjutant, rows("mail/header_fields.jsonl"), wrong))
    total.update(of_calendars(adjutant, rows("ical/ical.jsonl"), wrong))
    share = lambda name, right: round(total[right] / max(1, total[name]), 4)
    shares = {
        "json_accepted_share": share("json_accepted", "json_accepted_rightly"),
        "json_refused_share": share("json_refused", "json_refused_rightly"),
        **{f"{name}_share": share(name, f"{name}_right") for name in ("headers", "texts", "occurrences")},
    }
    print(json.dumps({**total, **shares}))


if __name__ == "__main__":
    main()
