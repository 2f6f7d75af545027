"""The document narrowed to a rule set: the same operations, with only the union members that its games have; and to the
few operations that a bot needs to play whole games, which are marked in the full document.

Types keep their names, so what is left means the same as in the full document. A union with one remaining member
becomes that member, and unused schemas are removed. A second tag would mark the operations for bots too, but some
generators then write each of them twice, and clients do not compile.
"""

from collections.abc import Mapping
from typing import Any

from mcmulti.api.openapi.changes import KNOWN, RULESETS, SAME_TAG
from mcmulti.api.openapi.examples import exemplified
from mcmulti.api.openapi.references import REF, SCHEMAS, reached, reached_schemas, renamed

Node = dict[str, Any]
Nodes = Mapping[str, Node]
_NOTHING = {
    "type": "object",
    "description": "Empty: games of this rule set do not use it.",
    "additionalProperties": False,
}
"""The schema of a body for other games only."""
_CALLED = "x-codegen-request-body-name"
"""What openapi-generator names a body in code. Otherwise it would use its schema's name, which differs in
every game.
"""
BOTS = "bots"
"""The tag of these operations in their own document. The full document marks them with `x-bots`."""
FOR_BOTS = frozenset(
    {
        "registerPlayer",
        "getMe",
        "listRulesets",
        "getRuleset",
        "openGame",
        "listGames",
        "getGame",
        "takeSeat",
        "followGames",
        "listOffers",
        "sendCommands",
        "listEvents",
    }
)


def narrowed(document: Mapping[str, Any], ruleset: str) -> Node:
    """The document for the games of one rule set, in all its versions. The given document is not changed."""
    schemas: Nodes = document["components"]["schemas"]
    members = {
        name: found for name, schema in schemas.items() if (found := _union_members(schema, ruleset)) is not None
    }
    own = {name for names in members.values() for name in names}
    unions = {name: _union(schemas, schemas[name], names, ruleset) for name, names in members.items()}
    tagged = {name: _left(schema, own) for name, schema in schemas.items() if schema.get(SAME_TAG)}
    offer = _offering(schemas["Offer"], unions["Command"])
    alone = {name: _names(union)[0] for name, union in unions.items() if len(union["oneOf"]) == 1}
    foreign = _foreign(document, members, own)
    bodies = {
        path: {method: _with_body(each, schemas, alone, foreign) for method, each in operations.items()}
        for path, operations in document["paths"].items()
    }
    content = {
        **document,
        "paths": renamed(bodies, alone),
        "components": {
            **document["components"],
            "schemas": renamed({**schemas, **unions, **tagged, "Offer": offer}, alone),
        },
    }
    return used(exemplified(content, ruleset))


def _union_members(schema: Node, ruleset: str) -> list[str] | None:
    """The union members of a rule set's games; None if the union does not differ between games."""
    if RULESETS in schema:
        return [name for names in _members_by_version(schema, ruleset).values() for name in names]
    tags = schema.get("discriminator", {})
    return [tags["mapping"][ruleset].removeprefix(SCHEMAS)] if tags.get("propertyName") == "ruleset" else None


def _members_by_version(union: Node, ruleset: str) -> dict[str, list[str]]:
    """The members of a union by version of a rule set."""
    return {part: names for part, names in union[RULESETS].items() if part.rpartition("/")[0] == ruleset}


def _union(schemas: Nodes, union: Node, members: list[str], ruleset: str) -> Node:
    """A union with only these members."""
    mapping: dict[str, str] = {}
    for tag, target in union["discriminator"]["mapping"].items():
        left = [name for name in _meant(schemas, target) if name in members]
        if left:
            mapping[tag] = target if len(left) > 1 else REF.format(name=left[0])
    found = {
        **union,
        "oneOf": [{"$ref": target} for target in mapping.values()],
        "discriminator": {**union["discriminator"], "mapping": mapping},
    }
    return {**found, RULESETS: _members_by_version(union, ruleset)} if RULESETS in union else found


def _offering(offer: Node, commands: Node) -> Node:
    """The schema of offers of only these commands."""
    command = {**offer["properties"]["command"], KNOWN: list(commands["discriminator"]["mapping"])}
    return {**offer, "properties": {**offer["properties"], "command": command}}


def _meant(schemas: Nodes, target: str) -> list[str]:
    """The schemas for a tag in a union."""
    name = target.removeprefix(SCHEMAS)
    return _names(schemas[name]) if schemas[name].get(SAME_TAG) else [name]


def _names(schema: Node) -> list[str]:
    """The names of a union's members; for a reference, its own."""
    members = schema.get("oneOf") or schema.get("anyOf") or [schema]
    return [str(member["$ref"]).removeprefix(SCHEMAS) for member in members]


def _left(schema: Node, own: set[str]) -> Node:
    """Types with the same tag, as far as they belong to a rule set."""
    return {**schema, "anyOf": [{"$ref": REF.format(name=name)} for name in _names(schema) if name in own]}


def _foreign(document: Mapping[str, Any], unions: Mapping[str, object], own: set[str]) -> set[str]:
    """The schemas that exist only for games of other rule sets."""
    schemas = document["components"]["schemas"]
    targets = {target for name in unions for target in schemas[name]["discriminator"]["mapping"].values()}
    all_members = {name for target in targets for name in _meant(schemas, target)}
    mine, theirs = (
        reached_schemas(document, [{"$ref": REF.format(name=name)} for name in names])
        for names in (own, all_members - own)
    )
    return theirs - mine


def _with_body(operation: Node, schemas: Nodes, alone: Mapping[str, str], foreign: set[str]) -> Node:
    """An operation with the body that can be sent in games of the rule set."""
    if "requestBody" not in operation:
        return operation
    body = operation["requestBody"]
    name, *others = _names(body["content"]["application/json"]["schema"])
    if foreign.issuperset({name, *others}):
        content = {media_type: {"schema": _NOTHING} for media_type in body["content"]}
        return {**operation, "requestBody": {**body, "description": _NOTHING["description"], "content": content}}
    if name in alone:
        body = {**body, "description": schemas[alone[name]]["description"]}
        return {**operation, "requestBody": body, _CALLED: f"{name[0].lower()}{name[1:]}"}
    return operation


def used(document: Node) -> Node:
    """The document without unused components."""
    used = reached(document, document["paths"])
    components = {
        group: {name: each for name, each in members.items() if f"#/components/{group}/{name}" in used}
        for group, members in document["components"].items()
    }
    components["securitySchemes"] = document["components"]["securitySchemes"]  # operations name these without `$ref`
    return {**document, "components": components}


def for_bots(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with only these operations and their components. The given document is not changed."""
    paths = {
        path: kept
        for path, operations in document["paths"].items()
        if (
            kept := {
                method: _within_part(each) for method, each in operations.items() if each["operationId"] in FOR_BOTS
            }
        )
    }
    info = {
        **document["info"],
        "title": "mcmulti for bots",
        "summary": "What a bot needs to play whole games over HTTP.",
    }
    tags = [{"name": BOTS, "description": "What a bot needs to play whole games."}]
    return used({**document, "info": info, "tags": tags, "paths": paths})


def _within_part(operation: dict[str, Any]) -> dict[str, Any]:
    """An operation with only this tag, with links only to other operations of the part."""
    return {
        **operation,
        "tags": [BOTS],
        "responses": {status: _linking(response) for status, response in operation["responses"].items()},
    }


def _linking(response: dict[str, Any]) -> dict[str, Any]:
    if "links" not in response:
        return response
    left = {name: link for name, link in response["links"].items() if link["operationId"] in FOR_BOTS}
    others = {name: value for name, value in response.items() if name != "links"}
    return {**others, "links": left} if left else others
