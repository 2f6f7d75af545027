"""`mcmulti bot --lobby` in several games at a time, while bot and server are killed."""

import signal
from pathlib import Path

from tests.cli.command import PATIENCE
from tests.cli.lobby import DUEL, kept, listed, lobby_bot, opened, played_on, serving, table, wait


def test_three_games_at_a_time_go_on_though_bot_and_server_are_killed(tmp_path: Path) -> None:
    """Four tables for a bot that plays three at a time: the fourth must wait."""
    with serving(tmp_path) as (serve, person):
        address, port = str(person.base_url), str(person.base_url.port)
        games = [opened(person, DUEL, bots=2) for _ in range(4)]
        with lobby_bot(address, tmp_path, "patient", "--games", "4") as patient:
            with lobby_bot(address, tmp_path, "killed", "--games", "3") as killed:
                wait(lambda: len(listed(person, status="running")) == 3)
                killed.interrupt(signal.SIGKILL)
            before = kept(tmp_path, "killed")
            assert len(before["games"]) == 3
            with lobby_bot(address, tmp_path, "killed", "--games", "3") as again:
                for game in before["games"]:
                    again.line(f"{before['name']} continues game {game}.")
                seats = {game: table(person, game)["seats"] for game in before["games"]}
                serve.interrupt(signal.SIGKILL)
                with serving(tmp_path, port) as (_, other):
                    wait(lambda: sorted(listed(other, status="finished")) == sorted(games), 4 * PATIENCE)
                    for game in before["games"]:
                        over = table(other, game)
                        assert [seat["player"] for seat in over["seats"]] == [seat["player"] for seat in seats[game]]
                        assert over["outcome"]["winners"] != []
                    wait(lambda: not kept(tmp_path, "killed")["games"])
                    assert [command.interrupt(signal.SIGTERM) for command in (again, patient)] == [0, 0]
    wait(lambda: not played_on(tmp_path))
