#!/usr/bin/env python3
"""A client of a session's control socket, with Python's own library alone: python3 client.py TAG TEXT

One JSON document a line, in both directions. A request has an id of the client's; a call is answered by one Exit, a
subscription by Chunks, each of which is acknowledged, and an Exit. docs/protocol.md has the procedures.
"""
import itertools
import json
import os
import socket
import sys


class Host:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(120)
        self.socket.connect(path)
        self.lines = self.socket.makefile("r", encoding="utf-8")
        self.ids = itertools.count()

    def write(self, message):
        self.socket.sendall((json.dumps(message) + "\n").encode())

    def stream(self, procedure, payload=None):
        """The values of a subscription; the value of a call is the last one."""
        request = str(next(self.ids))
        self.write({"_tag": "Request", "id": request, "tag": procedure, "payload": payload, "headers": []})
        for line in self.lines:
            message = json.loads(line)
            if message.get("requestId") != request:
                continue
            if message["_tag"] == "Chunk":
                yield from message["values"]
                self.write({"_tag": "Ack", "requestId": request})
            elif message["_tag"] == "Exit":
                if message["exit"]["_tag"] != "Success":
                    raise RuntimeError(json.dumps(message["exit"]["cause"]))
                yield message["exit"].get("value")
                return
        raise RuntimeError("the host has ended")

    def call(self, procedure, payload=None):
        return list(self.stream(procedure, payload))[-1]


def main(tag, text):
    home = os.environ.get("LEAP_HOME") or os.path.join(
        os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state"), "leap")
    host = Host(os.path.join(home, "sessions", tag, "host.sock"))
    hello = host.call("Hello")
    if hello["protocol"] != 1:
        sys.exit(f"leap {hello['version']} speaks protocol {hello['protocol']}, and this client 1")
    sent = host.call("Send", {"text": text, "images": [], "front": False, "force": False})
    for receipt in host.stream("Receipt", {"id": sent["id"]}):
        if receipt is not None:
            print(receipt["status"], flush=True)
    print(host.call("Response", {"id": sent["id"]})["text"])


if __name__ == "__main__":
    main(*sys.argv[1:3])
