"""openapi-generator, and the whole games that are played on the clients it generates."""

import json
from pathlib import Path
from typing import NamedTuple

from mcmulti.client.client import Client
from tests.needs import found
from tests.slow.clients.contracts import contract
from tests.slow.clients.tools import run, standings

ROOT = Path(__file__).parents[3]
CHOICES = {
    "mcmulti": "Range SiteChoice TextChoice",
    "postal": "FlagChoice Form NumberChoice",
    "millionenspiel": "Range",
    "marracash": "NumberChoice Range StreetChoice TextChoice",
}
"""The types of the fields that commands of a game have; a game of any length has them all."""
JVM = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""Programs that run for seconds take half the CPU time if they are compiled quickly, not well."""
PLAYED = {
    "openapi_generator": ("mcmulti", "postal"),
    "openapi_python_client": ("mcmulti", "millionenspiel"),
    "go": ("mcmulti", "millionenspiel"),
    "java": ("mcmulti", "marracash"),
    "ruby": ("mcmulti", "marracash"),
    "typescript_axios": ("mcmulti", "postal"),
    "openapi_typescript": ("mcmulti", "marracash"),
    "typescript_fetch": ("mcmulti", "postal"),
    "hey_api": ("mcmulti", "millionenspiel"),
}
"""The rule sets that each generated client plays: the box game and one other, so that two languages play each."""
SELDOM = {"millionenspiel": "NumberChoice", "postal": "Range"}
"""What not every game has: one in thirty at random has no pension card, and by post not everybody plans ahead."""


class Generator(NamedTuple):
    """Where the packages of the lock file lie, with the generator's archive among them."""

    packages: Path

    @property
    def archive(self) -> Path:
        """The generator, and the libraries that the clients need that it generates for Java."""
        return self.packages / "openapi_generator_cli" / "openapi-generator.jar"

    def generate(self, language: str, name: str, folder: Path, **properties: str) -> None:
        """Write a client for a contract, by its name, into a folder.

        It looks up what `type` names, where it would try every schema in turn.
        """
        properties = {"useOneOfDiscriminatorLookup": "true", "hideGenerationTimestamp": "true", **properties}
        said = run(
            *(found("java"), *JVM, "-jar", self.archive, "generate", "--generator-name", language, "--output", folder),
            *("--input-spec", contract(name)),
            *("--additional-properties", ",".join(f"{key}={value}" for key, value in properties.items())),
            *("--global-property", "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"),
            folder=self.packages,
        )
        assert "is incorrect" not in said


async def assert_played(server: str, ruleset: str, printed: str) -> None:
    """What a program printed of the game it played is what the server has."""
    opened, chosen, events, ndjson, sse, frames, lines, balance, *places = printed.splitlines()
    game = opened.removeprefix("Plays game ")
    async with Client(server) as client:
        told = await client.view(game)
        replay = json.loads(await client.content(f"/v1/games/{game}/replay", by="turn", limit=1000))
        ledger = json.loads(await client.content(f"/v1/games/{game}/ledger", limit=1000))
    view, head = told["view"], told["seq"]
    assert view["status"] == "finished"
    kinds = set(chosen.removeprefix("Chose among: ").split())
    assert kinds - {SELDOM.get(ruleset)} == set(CHOICES[ruleset].split())
    assert events == f"Events: {head}"
    assert (ndjson, sse) == (f"application/x-ndjson: {head}", f"text/event-stream: {head}")
    assert frames == f"Frames: {len(replay['frames'])}"
    assert lines == f"Lines of the ledger: {len(ledger['lines'])}"
    assert balance == "Trial balance: 0"
    # A seat that was given up has no name, which each language writes in its own way.
    assert [place.replace(" null: ", " None: ") for place in places] == standings(view)
