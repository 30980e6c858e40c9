#!/usr/bin/env python3
"""Connects the real program to a server that offers 300 tools, and asks for things that need one of them. A model that routes every
message to the person's data sees what a planner sees. Counts the messages for which the right tool is in a prompt, and compares the
longest prompt with the longest one without the server.

usage: tools.py ADJUTANT SHARED [--list]     (SHARED is not used; the tools and messages are those of the engine's tests of retrieval)
Prints the figures as one JSON object; --list names each message without its tool.
"""
import argparse
import http.server
import json
import pathlib
import sys
import tempfile
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import cards  # noqa: E402
import gate  # noqa: E402

CASES = pathlib.Path(__file__).parents[2] / "src-tauri/crates/engine/src/retrieval/tests"
ROUTE = json.dumps({"type": "action", "domains": ["data"], "is_followup": False, "confidence": 0.9})


class Model(http.server.BaseHTTPRequestHandler):
    """Answers a request to route, and nothing useful to any other; keeps every prompt."""

    protocol_version = "HTTP/1.1"
    prompts = []

    def log_message(self, *_):
        pass

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        prompt = "\n".join(str(message["content"]) for message in request["messages"])
        self.prompts.append(prompt)
        said = ROUTE if prompt.startswith("You route") else "{}"
        choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        body = json.dumps({"id": "x", "object": "chat.completion", "model": "m", "choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def table(name):
    lines = (CASES / name).read_text().splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def offered():
    """Returns two tools for each thing that the servers of the table hold."""
    tools = []
    for server, title, things in table("servers.tsv"):
        for thing in things.split(", "):
            name = f"{server}_{{}}{thing.replace(' ', '_').replace('-', '_')}"
            tools.append({"name": name.format("list_") + "s", "description": f"Lists {thing}s in {title}, newest first, with their properties."})
            tools.append({"name": name.format(""), "description": f"Creates a {thing} in {title} and returns it. Needs write access."})
    return tools


def asked(adjutant, port, tools, messages):
    """Returns the prompts for each message."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        desk, home = cards.Desk(adjutant, folder), folder / "home"
        desk.environment |= {"ADJUTANT_MODEL_URL": f"http://127.0.0.1:{port}/v1", "ADJUTANT_MODEL": "m"}
        if tools:
            cards.connect(desk, home, folder, tools)
        holder, all_of_them = gate.Holder(desk, home), []
        for number, text in enumerate(messages):
            Model.prompts.clear()
            list(holder.events({"op": "ask", "conversation": f"c{number}", "text": text}))
            all_of_them.append(list(Model.prompts))
        holder.end()
        return all_of_them


def main():
    wish = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wish.add_argument("adjutant", type=pathlib.Path)
    wish.add_argument("shared", type=pathlib.Path)
    wish.add_argument("--list", action="store_true")
    wish = wish.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    cases = [(text, "mcp.tools." + tool.removeprefix("mcp.").replace(".", "_", 1)) for text, _, tool in table("queries.tsv") if tool.startswith("mcp.")]
    play = lambda tools: asked(wish.adjutant.resolve(), server.server_port, tools, [text for text, _ in cases])
    longest = lambda prompts: max(len(one) for some in prompts for one in some)
    tools = offered()
    without, having = play([]), play(tools)
    found = [any(tool in one for one in prompts) for (_, tool), prompts in zip(cases, having)]
    for (text, tool), right in zip(cases, found):
        if wish.list and not right:
            print(text, tool, file=sys.stderr)
    figures = {"tools": len(tools), "messages": len(cases), "found_share": sum(found) / len(cases)}
    print(json.dumps(figures | {"prompt_chars": longest(having), "prompt_chars_without": longest(without), "growth": round(longest(having) / longest(without), 3)}))


if __name__ == "__main__":
    main()
