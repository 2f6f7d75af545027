"""Users' own strategies, good and bad, as files."""

import sys
from pathlib import Path

STRATEGIES = '''
import random, sys, time

def first(view, offers):
    """The first offer with the least values."""
    offer = offers[0]
    command = {"type": offer["command"]}
    for name, field in offer.get("fields", {}).items():
        command[name] = field["options"][0] if "options" in field else field["min"]
    return [command]

class Seeded:
    def __init__(self, seed):
        self.dice = random.Random(seed)
    def __call__(self, view, offers):
        return [{"type": "Roll", "value": self.dice.randrange(1000)}]

class Plain:
    def __call__(self, view, offers):
        return first(view, offers)

def raises(view, offers):
    return [{"type": offers[0]["comand"]}]

def quits(view, offers):
    sys.exit(3)

def hangs(view, offers):
    while True:
        try:
            time.sleep(60)
        except Exception:
            pass

def nonsense(view, offers):
    return {"type": "EndTurn"}

def no_json(view, offers):
    return [{"type": b"EndTurn"}]

def not_offered(view, offers):
    return [{"type": "StartGame"}]

def waits(view, offers):
    return []

def crashes(view, offers):
    import os
    os.kill(os.getpid(), 9)

class CrashesLater(Plain):
    """It plays ten times, and then ends its process as a fault in a library would."""
    def __init__(self, seed):
        self.times = 0
    def __call__(self, view, offers):
        self.times += 1
        if self.times > 10:
            import os
            os._exit(7)
        return super().__call__(view, offers)

class CrashesMade:
    def __init__(self, seed):
        import os
        os.abort()

class Broken:
    def __init__(self, seed):
        raise ValueError("no dice")

number = 7
def odd(one, two, three):
    return []
'''

PROGRAM = f"""#!{sys.executable}
import json, sys, time, os, subprocess
how = os.path.basename(sys.argv[0]).removesuffix(".run")
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        answer = {{"version": 2 if how == "newer" else 1}}
    elif asked["type"] == "end":
        open(os.path.join(os.path.dirname(sys.argv[0]), "ended"), "w").write("yes")
        break
    else:
        assert asked["time_left"] is None or asked["time_left"] > 0
        if how == "dies":
            print("my last words", file=sys.stderr)
            os._exit(4)
        if how == "garbage":
            print("Thinking about it")
        if how == "hangs":
            child = subprocess.Popen(["sleep", "600"])
            open(os.path.join(os.path.dirname(sys.argv[0]), "child"), "w").write(str(child.pid))
            time.sleep(600)
        offer = asked["offers"][0]
        command = {{"type": offer["command"]}}
        for name, field in offer.get("fields", {{}}).items():
            command[name] = field["options"][0] if "options" in field else field["min"]
        answer = {{"commands": [command]}}
        if how == "silent":
            answer = {{}}
    print(json.dumps(answer), flush=True)
"""


def strategies(folder: Path) -> Path:
    """A file of strategies in a folder."""
    path = folder / "minds.py"
    path.write_text(STRATEGIES)
    return path


def program(folder: Path, how: str) -> Path:
    """A program in a folder that plays, or does what its name says."""
    path = folder / f"{how}.run"
    path.write_text(PROGRAM)
    path.chmod(0o755)
    return path
