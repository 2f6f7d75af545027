"""Offers as controls: a module of the pages that needs no page, with offers of random games."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mcmulti.domain.rulesets import CURRENT
from mcmulti.web.files import STATIC
from tests.api.guests import Json
from tests.needs import found
from tests.profiles import profile_of
from tests.pure.properties.random_games import moment

pytestmark = pytest.mark.needs("node")

_CHECK = """
import { readFileSync } from "node:fs";
const given = JSON.parse(readFileSync(0, "utf-8"));
const failed = [];
const told = (value) => JSON.stringify(value, (_, each) => each && typeof each === "object" && !Array.isArray(each)
  ? Object.fromEntries(Object.entries(each).sort()) : each);
const same = (name, got, wanted) => told(got) === told(wanted) || failed.push([name, got, wanted]);
%s
console.log(JSON.stringify(failed));
"""
_COMMANDS = """
import { command, controls, picked, picks, total } from "./play/offers.js";
for (const { offers, admitted, beyond, totals } of given) {
  const all = controls(offers);
  same("keys", new Set(all.map(({ key }) => key)).size, offers.length);
  admitted.forEach((some, index) => some.forEach((wanted) => {
    same("made", command(all[index], wanted), wanted);
    const open = Object.fromEntries(Object.entries(wanted).filter(([name]) => name in all[index].open));
    same("made of what is open", command(all[index], open), wanted);
  }));
  beyond.forEach((some, index) => some.forEach(({ field, wrong }) => {
    if (field in all[index].open) same("beyond", command(all[index], wrong), null);
  }));
  totals.forEach((some, index) => some.forEach(({ values, amount }) => {
    same("total", total(all[index], values), amount);
  }));
  for (const control of all)
    for (const pick of picks(control)) {
      const values = picked(control, pick);
      same(`picked ${pick}`, Object.keys(values ?? {}).length, pick.split(";").length);
    }
  same("not picked", all.map((control) => picked(control, "site=9,9,9")), all.map(() => null));
}
"""


def _failures(folder: Path, given: Any) -> list[Any]:
    """The differences that a program with the module finds."""
    shutil.copytree(STATIC, folder, dirs_exist_ok=True)
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (folder / "check.js").write_text(_CHECK % _COMMANDS, encoding="utf-8")
    done = subprocess.run(
        (found("node"), folder / "check.js"),
        input=json.dumps(given).encode(),
        capture_output=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    failed: list[Any] = json.loads(done.stdout)
    return failed


def _ends(field: Json) -> list[Any]:
    if "schema" in field:
        return [None] if field.get("optional") else [{}]
    return [field["options"][0], field["options"][-1]] if "options" in field else [field["min"], field["max"]]


def _beyond(field: Json) -> list[Any]:
    """Values next to the allowed ones of a field."""
    if "schema" in field:
        return [0, "x"] if field.get("optional") else [0, "x", None]
    if "options" in field:
        return ["", 99, {"quadrant": 0}, [], *([] if field.get("optional") else [None])]
    return [field["min"] - 1, field["max"] + 1, field["min"] + 0.5, str(field["min"]), None, True]


def _case(offers: list[Json]) -> Json:
    admitted, beyond, totals = [], [], []
    for offer in offers:
        fields = offer.get("fields", {})
        command = {"type": offer["command"]}
        ends = [{**command, **{name: _ends(field)[end] for name, field in fields.items()}} for end in (0, -1)]
        admitted.append(ends)
        beyond.append(
            [
                {"field": name, "wrong": {**ends[0], name: value}}
                for name, field in fields.items()
                for value in _beyond(field)
            ]
        )
        prices = fields.get("quantity", {}).get("prices", ())
        totals.append(
            [
                {"values": {"quantity": n}, "amount": sum(prices[:n])}
                for n in range(fields["quantity"]["min"], len(prices) + 1)
            ]
            if prices
            else []
        )
    return {"offers": offers, "admitted": admitted, "beyond": beyond, "totals": totals}


def _offers(name: str, seed: int, number: int) -> list[list[Json]]:
    ruleset, state = CURRENT[name], moment(name, seed, number)
    return [
        [
            {"sentence": "-", **msgspec.json.decode(msgspec.json.encode(offer))}
            for offer in (*ruleset.offers(state, seat), *ruleset.besides(state, seat))
        ]
        for seat in range(len(state.chairs))
    ]


@pytest.mark.parametrize("name", CURRENT)
def test_controls_make_every_command_that_is_offered_at_its_bounds_and_none_beside_them(
    name: str, tmp_path: Path
) -> None:
    moments = [(seed, number) for seed in range(4) for number in range(0, 300, 7)]
    cases = [_case(offers) for seed, number in moments for offers in _offers(name, seed, number)]
    seen = {offer["command"] for case in cases for offer in case["offers"]}
    assert profile_of(name).commands < len(seen), seen
    assert _failures(tmp_path, cases) == []
