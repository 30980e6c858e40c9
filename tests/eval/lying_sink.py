#!/usr/bin/env python3
"""Sends mail through a server that lies, with kills: the real program with a mail account (Dovecot), a keyring and
safety_smtp_sink.py of ../shared/tools, which loses replies, hangs, refuses mail or accepts only some recipients. The program is killed
at each crash point of storage and in between, and restarted twice; its reports about the mail are compared with what the sink accepted.

usage: lying_sink.py ADJUTANT SHARED [--runs N] [--seed N]     (needs dovecot, gnome-keyring, openssl, and a debug build: only those have crash points)
Prints the figures as one JSON object: mails accepted twice, mails no longer reported at all, mails falsely reported as sent.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import socketserver
import ssl
import subprocess
import sys
import tempfile
import threading
import time

# Behaviours of the sink, chosen by the name of the first recipient.
BEHAVIOURS = ["ok", "lostreply", "hang", "dropdata", "tempfail", "reject", "partial", "lateok"]
PASSWORD = "of-the-mailbox"
ADDRESS = "alex@home.example"
RUN_SECONDS = 90
# A hang lasts longer than anybody waits; the program is killed during it.
HANG_SECONDS = 4


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def until(what, ready):
    end = time.monotonic() + 30
    while not ready():
        if time.monotonic() > end:
            sys.exit(f"{what} does not start")
        time.sleep(0.05)


def answers(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


class Servers:
    """A certificate, Dovecot, a keyring on a bus of its own, and the sink behind TLS."""

    def __init__(self, folder, shared):
        self.folder, self.children = folder, []
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
            + ["-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
            check=True, capture_output=True,
        )
        said = subprocess.run(
            ["openssl", "x509", "-in", folder / "cert.pem", "-noout", "-fingerprint", "-sha256"],
            check=True, capture_output=True, text=True,
        ).stdout
        self.fingerprint = said.strip().split("=")[1].replace(":", "").lower()
        self.reading, self.sending, self.sink = free_port(), free_port(), free_port()
        self.log = folder / "taken.jsonl"
        self.log.touch()
        self.dovecot()
        self.keyring()
        self.start([sys.executable, shared / "tools/safety_smtp_sink.py", str(self.sink), str(self.log)])
        self.relay()
        until("the sink", lambda: answers(self.sink))

    def start(self, command, **more):
        child = subprocess.Popen(command, stderr=subprocess.DEVNULL, **more)
        self.children.append(child)
        return child

    def dovecot(self):
        here = self.folder
        boxes = "".join(f"mailbox {name} {{\n special_use = \\{name}\n auto = create\n }}\n" for name in ("Sent", "Trash", "Drafts"))
        group = subprocess.run(["id", "-gn", "nobody"], capture_output=True, text=True).stdout.strip()
        (here / "conf").write_text(
            f"base_dir = {here}/run\nstate_dir = {here}/run\nlog_path = /dev/stderr\nlisten = 127.0.0.1\nprotocols = imap\n"
            f"ssl = yes\nssl_cert = <{here}/cert.pem\nssl_key = <{here}/key.pem\n"
            f"default_internal_user = nobody\ndefault_internal_group = {group}\ndefault_login_user = nobody\n"
            f"service imap-login {{\n chroot =\n inet_listener imap {{\n port = 0\n }}\n inet_listener imaps {{\n port = {self.reading}\n }}\n}}\n"
            "service anvil {\n chroot =\n unix_listener anvil-auth-penalty {\n mode = 0\n }\n}\n"
            "mail_max_userip_connections = 100\nauth_mechanisms = plain login\nauth_failure_delay = 0\n"
            f"passdb {{\n driver = static\n args = password={PASSWORD}\n}}\n"
            f"userdb {{\n driver = static\n args = uid=65534 gid=65534 home={here}/mail/%u\n}}\n"
            "first_valid_uid = 1\nmail_location = maildir:~/\nmail_fsync = never\n"
            f"namespace inbox {{\n inbox = yes\n separator = /\n {boxes}}}\n"
        )
        for name in ("run", "mail"):
            (here / name).mkdir()
        for name in ("", "run", "mail", "conf", "cert.pem", "key.pem"):
            os.chown(here / name, 65534, 65534)
        self.start(["/usr/sbin/dovecot", "-F", "-c", here / "conf"], stdout=subprocess.DEVNULL)
        until("Dovecot", lambda: answers(self.reading))

    def keyring(self):
        bus = self.folder / "bus.conf"
        bus.write_text(
            f"<busconfig><type>session</type><listen>unix:dir={self.folder}</listen><auth>EXTERNAL</auth>"
            '<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>'
        )
        child = self.start(["dbus-daemon", f"--config-file={bus}", "--nofork", "--print-address=1"], stdout=subprocess.PIPE, text=True)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = child.stdout.readline().strip()
        own = self.environment | {"XDG_DATA_HOME": str(self.folder), "XDG_RUNTIME_DIR": str(self.folder)}
        ring = self.start(
            ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=own,
        )
        ring.stdin.write(b"of the keyring")
        ring.stdin.close()
        # The keyring takes its name on the bus before its collection exists.
        ask = ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets"]
        ask += ["org.freedesktop.Secret.Service.ReadAlias", "string:default"]
        until(
            "the keyring",
            lambda: "/org/freedesktop/secrets/" in subprocess.run(ask, env=self.environment, capture_output=True, text=True).stdout,
        )

    def relay(self):
        """Adds TLS and authentication in front of the sink, which supports neither."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "cert.pem", self.folder / "key.pem")
        sink = self.sink

        class Relay(socketserver.BaseRequestHandler):
            def handle(self):
                try:
                    client = context.wrap_socket(self.request, server_side=True)
                    server = socket.create_connection(("127.0.0.1", sink))
                    threading.Thread(target=self.back, args=(server, client), daemon=True).start()
                    for line in client.makefile("rb"):
                        if line.upper().startswith(b"AUTH"):
                            client.sendall(b"235 you are who you are\r\n")
                        else:
                            server.sendall(line)
                except OSError:
                    pass

            @staticmethod
            def back(server, client):
                try:
                    for line in server.makefile("rb"):
                        client.sendall(b"250-AUTH PLAIN\r\n" * line.startswith(b"250-8BITMIME") + line)
                    client.unwrap()
                except OSError:
                    pass
                client.close()

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = daemon_threads = True

        threading.Thread(target=Server(("127.0.0.1", self.sending), Relay).serve_forever, daemon=True).start()

    def end(self):
        for child in reversed(self.children):
            child.terminate()
            child.wait()

    def taken(self):
        """Returns how often the sink accepted each Message-ID."""
        return collections.Counter(json.loads(line)["message_id"] for line in self.log.open())


class Person:
    """A profile with the mail account, used through the program."""

    def __init__(self, adjutant, servers, number):
        self.adjutant, self.servers, self.number = adjutant, servers, number
        self.home = servers.folder / f"home{number}"
        self.run("config", "set", "hold_seconds", "0")
        fields = [f"address={ADDRESS}", f"user=alex{number}", f"server=localhost:{servers.reading}", f"sending=localhost:{servers.sending}"]
        fields = [part for field in fields for part in ("--set", field)]
        added = self.run("accounts", "add", "imap", *fields, "--trust", servers.fingerprint, typed=PASSWORD + "\n")
        if added.returncode:
            sys.exit(f"the account was not added: {added.stderr}")

    def run(self, *args, typed="", after=None, **environment):
        """Runs the program to its end, or kills it after this many seconds."""
        command = [self.adjutant, "--json", "--home", self.home, *args]
        child = subprocess.Popen(
            command, env=self.servers.environment | environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        try:
            out, err = child.communicate(typed, timeout=after or RUN_SECONDS)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
            out, err = child.communicate()
            if not after:
                sys.exit(f"{' '.join(args)} does not end: {err}")
        return subprocess.CompletedProcess(command, child.returncode, out, err)

    def card(self, to):
        said = self.run("ask", f"Send an email to {to} with the subject Hello saying that I am late")
        events = [json.loads(line) for line in said.stdout.splitlines()]
        return next((event["id"], event["digest"]) for event in events if event["event"] == "approval_needed")

    def state(self, action):
        rows = json.loads(self.run("show", "approvals", action).stdout or "[]")
        return rows[0]["state"] if rows else "gone"

    def goes_on(self, action):
        """Restarts the program twice. Approves the action if it still waits, and runs due work if it was approved."""
        self.run("accounts", "sync")
        if self.state(action) == "pending":
            rows = json.loads(self.run("show", "approvals", action).stdout)
            self.run("approve", action, "--digest", rows[0]["digest"], after=HANG_SECONDS)
        if self.state(action) in ("approved", "executing"):
            self.run("run", after=HANG_SECONDS)
        self.run("accounts", "sync")
        return self.state(action)


def places(person):
    """Returns the crash points of storage while a mail is sent, the first and the last pass of each."""
    log = person.home / "places"
    action, digest = person.card("ok@there.example")
    person.run("approve", action, "--digest", digest, ADJUTANT_CRASH_LOG=str(log))
    times = collections.Counter(log.read_text().split())
    return [f"{place}:{time}" for place, last in times.items() for time in sorted({1, last})]


def play(person, number, behaviour, at):
    """Sends one mail with a kill and two restarts. Returns what became of it."""
    to = f"{behaviour}{person.number}x{number}@there.example"
    others = f" and bad{person.number}x{number}@there.example" if behaviour == "partial" else ""
    action, digest = person.card(to + others)
    kill = {"ADJUTANT_CRASH_AT": at} if isinstance(at, str) else {}
    ended = person.run("approve", action, "--digest", digest, after=HANG_SECONDS if kill else at, **kill)
    return {"to": to, "at": at, "killed": ended.returncode == -signal.SIGKILL, "state": person.goes_on(action)}


def judge(rows, servers):
    """Compares the program's reports with what the sink accepted."""
    took = collections.Counter(one for line in servers.log.open() for one in json.loads(line)["to"])
    wrong = collections.defaultdict(list)
    for row in rows:
        taken, state = took[row["to"]], row["state"]
        if taken > 1:
            wrong["twice"].append(row)
        if state == "succeeded" and not taken:
            wrong["false_sent"].append(row)
        # Reported as not sent, or not reported at all.
        if taken and state not in ("succeeded", "unknown", "needs_person"):
            wrong["lost"].append(row)
        if state == "gone":
            wrong["lost"].append(row)
    return wrong


def worker(person, mine, rows):
    for number, (behaviour, at) in mine:
        rows.append(play(person, number, behaviour, at))


def main():
    wish = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wish.add_argument("adjutant", type=pathlib.Path)
    wish.add_argument("shared", type=pathlib.Path)
    wish.add_argument("--runs", type=int, default=200)
    wish.add_argument("--seed", type=int, default=7)
    wish = wish.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="adj-sink"))
    folder.chmod(0o755)
    servers, rows = Servers(folder, wish.shared.resolve()), []
    try:
        persons = [Person(wish.adjutant.resolve(), servers, number) for number in (1, 2)]
        at = places(persons[0])
        chance = random.Random(wish.seed)
        # Combines the crash points with the behaviours in turn, and adds as many kills at other times.
        plan = [(BEHAVIOURS[(number + number // len(at)) % len(BEHAVIOURS)], at[number % len(at)]) for number in range(wish.runs)]
        plan = [(how, chance.uniform(0.02, HANG_SECONDS / 4) if number % 3 == 2 else where) for number, (how, where) in enumerate(plan)]
        shares = [[(number, one) for number, one in enumerate(plan) if number % 2 == person.number - 1] for person in persons]
        threads = [threading.Thread(target=worker, args=(person, mine, rows)) for person, mine in zip(persons, shares)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        wrong = judge(rows, servers)
    finally:
        servers.end()
        shutil.rmtree(folder, ignore_errors=True)
    for name, found in wrong.items():
        for row in found:
            print(name, row, file=sys.stderr)
    states = collections.Counter(f"{re.match('[a-z]+', row['to'])[0]} {row['state']}" for row in rows)
    print(json.dumps(states, indent=1, sort_keys=True), file=sys.stderr)
    named = {"runs": len(rows), "places": len(at), "killed": sum(row["killed"] for row in rows)}
    print(json.dumps(named | {name: len(wrong[name]) for name in ("twice", "lost", "false_sent")}))


if __name__ == "__main__":
    main()
