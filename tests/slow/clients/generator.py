"""openapi-generator, and the whole games that are played on the clients it generates."""

import json
from pathlib import Path
from typing import NamedTuple

from mcmulti.client.client import Client
from mcmulti.domain.rulesets import SHIPPED
from tests.needs import found
from tests.profiles import profile_of
from tests.slow.clients.contracts import contract
from tests.slow.clients.tools import run, standings

ROOT = Path(__file__).parents[3]
JVM = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""Programs that run for seconds take half the CPU time if they are compiled quickly, not well."""
_PLAYING = frozenset(client for name in SHIPPED for client in profile_of(name).clients)
PLAYED = {client: tuple(name for name in SHIPPED if client in profile_of(name).clients) for client in _PLAYING}
"""The rule sets that each generated client plays: the box game and one other. At least two languages play each."""
PROPERTIES = {
    "python": {"packageName": "mcmulti_client"},
    "go": {"packageName": "mcmulti", "withGoMod": "false"},
    "java": {
        "library": "native",
        "openApiNullable": "false",
        "invokerPackage": "mcmulti",
        "apiPackage": "mcmulti.api",
        "modelPackage": "mcmulti.model",
    },
    "ruby": {"gemName": "mcmulti_client", "moduleName": "McMulti", "library": "faraday"},
    "php-nextgen": {"invokerPackage": "McMulti"},
    "typescript-fetch": {"importFileExtension": ".js"},
    "typescript-axios": {"importFileExtension": ".js"},
}
"""What the clients in each language are generated with, by the generator's name of it."""
WHOLE = tuple((language, "openapi") for language in ("python", "go", "php-nextgen"))
"""The clients of the whole contract."""
ALL = {
    # Where `type` names a schema, look it up instead of trying each in turn.
    "useOneOfDiscriminatorLookup": "true",
    "hideGenerationTimestamp": "true",
}
ONLY_CODE = dict.fromkeys(("apiTests", "modelTests", "apiDocs", "modelDocs"), "false")


class Generator(NamedTuple):
    """Where the packages of the lock file lie, with the generator's archive among them, and its clients."""

    packages: Path
    clients: Path

    def client(self, language: str, name: str) -> Path:
        """The folder with the client of a contract, by its name. One test uses it, and may add files."""
        return self.clients / f"{language} {name}"

    @property
    def archive(self) -> Path:
        """The generator, and the libraries that the clients need that it generates for Java."""
        return archive(self.packages)


def archive(packages: Path) -> Path:
    """The generator among these packages."""
    return packages / "openapi_generator_cli" / "openapi-generator.jar"


def generate(packages: Path, folder: Path) -> None:
    """Write all clients that tests use into a folder, in one process: most of its time is its start."""
    wanted = [(language, name) for language in PROPERTIES for name in PLAYED[language.replace("-", "_")]]
    files: list[Path] = []
    for language, name in (*wanted, *WHOLE):
        files.append(folder / f"{language} {name}.json")
        configuration = {
            "generatorName": language,
            "inputSpec": str(contract(name)),
            "outputDir": str(folder / f"{language} {name}"),
            "additionalProperties": ALL | PROPERTIES[language],
            "globalProperties": ONLY_CODE,
        }
        files[-1].write_text(json.dumps(configuration))
    said = run(found("java"), *JVM, "-jar", archive(packages), "batch", "--threads", "1", *files, folder=folder)
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
    profile = profile_of(ruleset)
    assert kinds - {profile.seldom} == profile.choices
    assert events == f"Events: {head}"
    assert (ndjson, sse) == (f"application/x-ndjson: {head}", f"text/event-stream: {head}")
    assert frames == f"Frames: {len(replay['frames'])}"
    assert lines == f"Lines of the ledger: {len(ledger['lines'])}"
    assert balance == "Trial balance: 0"
    # A seat that was given up has no name, which each language writes in its own way.
    assert [place.replace(" null: ", " None: ") for place in places] == standings(view)
