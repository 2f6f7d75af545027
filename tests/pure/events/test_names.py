"""Names that count as the same."""
# ruff: noqa: RUF001 - characters that are mistaken for others are what this is about

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcmulti.events.store.names import _prototypes, is_reserved, name_key, name_skeleton, of_one_script, skeleton

ORDINARY = """
Ada Adam Agnes Ahmed Aisha Alan Alice Alma Amir Ana Andrea Andrei Anna Anni Arno Astrid Barbara Ben Berta Bjørn Bo
Carl Carla Chen Chloe Clara Cleo Dan Dana Daniel David Deniz Diego Dieter Dilan Dmitri Dora Edda Eli Elia Elias Elif
Ella Elli Emil Emilia Emma Eric Erica Eva Eve Fatima Felix Fiona Frida Georg Greta Hanna Hans Heidi Hugo Ian Ida Ila
Ilse Ines Inga Ingrid Ira Iris Isa Ivan Ivy Jan Jana Jane Jens Jill Jim Joan Johan John Jon José Josef Julia Juliana
Juna Jürgen Karim Karin Karl Kim Kirill Klara Laila Lan Lara Lars Lea Lena Leo Li Lia Lili Lilli Lina Lisa Liu Lola
Lotte Lou Luca Lucia Lui Lukas Łukasz Lulu Maja Malia Malik Mara Marc Maria Marie Marta Martin Max Maya Mia Mika
Mila Mira Mohamed Mona Nadia Nia Nick Nico Nils Nina Noah Noor Nora Olaf Olga Oliver Ömer Omar Otto Paul Paula Pia
Piet Quinn Rahel Ravi Rita Rolf Rosa Ruth Sam Sara Selma Sina Sofia Sven Søren Tara Tim Timo Tina Tom Uli Ulla Uma
Ute Vera Viola Wim Xenia Yael Yusuf Zoe Ольга Иван Анна Дмитрий Мария Ελένη Γιώργος Νίκος 王伟 李娜 さくら たろう
민준 서연 محمد فاطمة דוד שרה
"""


def same(one: str, other: str) -> bool:
    return name_key(one) == name_key(other) or name_skeleton(one) == name_skeleton(other)


def test_ordinary_names_do_not_look_alike() -> None:
    """Names of bots do not clash either, which are a word and a number."""
    bots = [f"{name} {number}" for name in ("Ada", "Ben", "Cleo", "Dan") for number in range(1000, 1300)]
    assert [pair for pair in combinations(ORDINARY.split(), 2) if same(*pair)] == []
    assert len({name_skeleton(name) for name in bots}) == len(bots)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice", "\u0410lice"),
        ("Alice", "AIice"),
        ("ALICE", "alice"),
        ("ANNI", "\u0430nni"),
        ("Ian", "lan"),
        ("Player 1", "Player l"),
        ("Bot 10", "Bot lO"),
        ("Barney", "Bamey"),
        ("Nora", "\u039dora"),
        ("scope", "\u0455\u0441\u043e\u0440\u0435"),
        ("O'Neil", "O\u2019Neil"),
        ("\ufb01n", "Fin"),
        ("Zo\u00e9", "Zoe\u0301"),
        ("Eva", "E\u034fva"),
        ("Eva", "Ev\U000e0100a"),
        ("Jo Ann", " Jo  Ann"),
        ("𝕬𝖉𝖆", "Ada"),
        ("Alice", "A\u04cfice"),
        ("Alice", "\u0410\u04cf\u0456\u0441\u0435"),
        ("Robo", "R0b0"),
        ("ROBO", "r0bo"),
        ("House bot", "H0use bot"),
        ("Jade", "J\u1ea1de"),
        ("José", "jose"),
        ("Søren", "Soren"),
        ("Андрей", "Андреи"),
        ("Ben", "Ben."),
        ("ben", "BEN."),
        ("Ben", "\u201cBen\u201d"),
        ("C3PO", "C-3PO"),
        ("Ben", "Ben\u02bc"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Elia", "Ella"),
        ("Elia", "ELLA"),
        ("Ila", "Lia"),
        ("Ian", "Lan"),
        ("Tim", "Tin"),
        ("Ben 1234", "Ben 1243"),
        ("JoAnn", "Jo Ann"),
        ("Ben", "ΒΕΝ"),  # Greek capitals: they look like those of another case
        ("Ben", "Ben★"),
        ("!!", "!?"),
        ("がく", "かく"),
        ("कि", "की"),
        ("Ольга", "Onbra"),
        ("👨\u200d👩\u200d👧", "👨👩👧"),
        ("👍🏻", "👍🏿"),
    ],
)
def test_names_that_differ_visibly(one: str, other: str) -> None:
    assert not same(one, other)


@pytest.mark.parametrize(
    "name",
    [
        *ORDINARY.split(),
        "Jo-Ann 2",
        "Ада Лавлейс",
        "山田 太郎",
        "ケン・サトウ",
        "Akira 明",
        "김 Kim",
        "ㄅㄆ 王",
        "Ἀθηνᾶ",
        "राम",
        "ไทย",
        "Ａｄａ",
        "42",
        "★",
        "👨\u200d👩\u200d👧",
        "Seat of Power",
        "Platzhirsch",
        "Hausboot",
        "Banker",
        "Seath",
        "Referees",
    ],
)
def test_names_of_one_script_are_possible(name: str) -> None:
    assert of_one_script(name)
    assert not is_reserved(name)


@pytest.mark.parametrize(
    "name", ["A\u04cfice", "\u0410lice", "Nοra", "Аdmin", "Ρaul", "あА", "한あ", "Ян Ian", "אAda", "Ꭺda", "𝕬дa"]
)
def test_names_of_mixed_scripts_are_not(name: str) -> None:
    assert not of_one_script(name)


@pytest.mark.parametrize(
    "name",
    [
        "Seat 2",
        "seat 0",
        "SEAT2",
        "Ѕеаt 3",
        "Platz 12",
        "Séat 1",
        "House bot",
        "H0use bot",
        "house-bot 17",
        "HOUSE  BOT",
        "Hausbot",
        "Haus-B0t 3",
        "mcmulti",
        "McMu1ti",
        "Admin",
        "ADM1N",
        "Ädmin",
        "Server.",
        "Refer\u00e9e",
        "Schiedsrichter",
        "Bank",
        "M0derator",
    ],
)
def test_names_of_seats_bots_and_operators_are_reserved(name: str) -> None:
    assert is_reserved(name)


@given(st.text(max_size=40))
def test_a_skeleton_is_its_own(name: str) -> None:
    assert skeleton(skeleton(name)) == skeleton(name)
    assert same(name, name)


@given(st.text(alphabet=st.sampled_from(sorted(_prototypes())), max_size=10))
def test_what_looks_alike_has_one_skeleton(name: str) -> None:
    """Character by character, whatever is beside it. Accents stay with their letters."""
    alike = "".join(f"x{_prototypes()[character]}" for character in name)
    name = "".join(f"x{character}" for character in name)
    assert skeleton(name) == skeleton(alike)
    assert skeleton(skeleton(name)) == skeleton(name)
