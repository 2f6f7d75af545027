"""Events with the sentences that people should read, written by hand in both languages.

Ada, Ben, Cleo, and Dan sit on seats 0 to 3. Two players own quadrants 0 and 2, 1 and 3. With three, the last one is the
ghost's.
"""

from typing import NamedTuple

from msgspec.structs import replace

from mcmulti.domain.core.capabilities.clock import BankUsed, MissesForgiven, TimeGranted
from mcmulti.domain.core.capabilities.leaving import LastRemained, SeatVacated, SubstituteSatDown
from mcmulti.domain.core.capabilities.length import LengthReached
from mcmulti.domain.core.capabilities.positions import PositionSetUp
from mcmulti.domain.core.capabilities.undo.trail import MoveClosed, MovesTakenBack, TakeBackAnswered, TakeBackAsked
from mcmulti.domain.core.capabilities.votes import EndAgreed, EndAgreedTo, EndProposalFell, EndProposed, VoteCast
from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.course.positions import Moment
from mcmulti.domain.core.course.starting import SeatsClosedUp, StartAgreedTo
from mcmulti.domain.core.course.unasked import MovedUnasked
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.table import SeatLeft, SeatTaken, SeedRevealed
from mcmulti.domain.mcmulti.instructions import InstructionSet
from mcmulti.domain.mcmulti.news.cards import NewsDiscarded, NewsMovedUp, NewsTriggered, NewsTurnedOver
from mcmulti.domain.mcmulti.news.consumer import ConsumerPriceMoved
from mcmulti.domain.mcmulti.news.effects import BarrelsShifted, BarrelsUsedUp
from mcmulti.domain.mcmulti.news.taxes import TaxLevied, TaxPaid
from mcmulti.domain.mcmulti.news.warming import CleanUpOrdered, CleanUpPaid, CleanUpsEnded, IdleRefinerySold
from mcmulti.domain.mcmulti.phases.assets import AssetPhaseBegan, AssetSold
from mcmulti.domain.mcmulti.phases.dice import DiceRolled, DifferenceAdvanced, EconomyChanged
from mcmulti.domain.mcmulti.phases.ending import GameFinished, TurnBegan, VictoryDeclared
from mcmulti.domain.mcmulti.phases.operations import CrudePumped, CrudeRefined, GasolineSold, OilStruck
from mcmulti.domain.mcmulti.phases.production import OperationBegan
from mcmulti.domain.mcmulti.phases.purchase import PurchasesEnded, PurchasesPutOff
from mcmulti.domain.mcmulti.phases.selling_out import HoldingsSold, QuadrantsGivenUp
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.mcmulti.state import Due, State
from mcmulti.domain.mcmulti.table import FirstPlayerChosen, GameOpened, GameStarted, StartingRoll, StartRolled
from mcmulti.domain.oil.names import Site
from mcmulti.domain.oil.rules.assets import AssetBought
from mcmulti.domain.oil.rules.ending import AssetsLiquidated, GameStoodStill
from mcmulti.domain.oil.rules.trading import BarrelsBought, BarrelsSold
from mcmulti.domain.oil.state import Standing
from tests.pure.mcmulti.situations import situation, table

FOUR = situation(4)
THREE = situation(3)
TWO = situation(2)
IN_NEWS = replace(FOUR, phase="news")


def die(value: int) -> Draw:
    return Draw(1, 6, value)


class Told(NamedTuple):
    before: State | None
    event: Event
    en: str
    de: str


TABLE = (
    Told(
        None,
        GameOpened("game", "mcmulti", 1, Setup(), "00" * 32),
        "A table for 4 players is opened; victory can be declared with $750M in cash.",
        "Ein Tisch für 4 Personen wird eröffnet; ab 750 Mio. $ Bargeld darf der Sieg erklärt werden.",
    ),
    Told(
        table(4, ()),
        SeatTaken(1, "player-1", ""),
        "Ben sits down.",
        "Ben setzt sich.",
    ),
    Told(
        table(4, ()),
        SeatTaken(0, "player-0", "clover"),
        "Ada sits down and adds entropy to the dice.",
        "Ada setzt sich und gibt den Würfeln eigene Entropie bei.",
    ),
    Told(
        table(4, (2,)),
        SeatLeft(2),
        "Cleo leaves the table, and the seat is free again.",
        "Cleo verlässt den Tisch, und der Platz ist wieder frei.",
    ),
    Told(FOUR, MoveClosed(1, False, ()), "Ben has moved.", "Ben hat gezogen."),
    Told(
        FOUR,
        MoveClosed(None, True, ()),
        "The game has moved by itself.",
        "Das Spiel ist von selbst weitergegangen.",
    ),
    Told(
        FOUR,
        MovesTakenBack(0, 1, ()),
        "The last move is taken back, as Ada wants it.",
        "Der letzte Zug wird zurückgenommen, wie Ada es will.",
    ),
    Told(
        FOUR,
        MovesTakenBack(0, 3, ()),
        "The last 3 moves are taken back, as Ada wants it.",
        "Die letzten 3 Züge werden zurückgenommen, wie Ada es will.",
    ),
    Told(
        FOUR,
        TakeBackAsked(3, 1),
        "Dan asks the others to take the last move back.",
        "Dan bittet die anderen, den letzten Zug zurückzunehmen.",
    ),
    Told(
        FOUR,
        TakeBackAsked(3, 2),
        "Dan asks the others to take the last 2 moves back.",
        "Dan bittet die anderen, die letzten 2 Züge zurückzunehmen.",
    ),
    Told(FOUR, TakeBackAnswered(2, True), "Cleo agrees to take it back.", "Cleo stimmt der Rücknahme zu."),
    Told(
        FOUR,
        TakeBackAnswered(2, False),
        "Cleo does not agree to take it back.",
        "Cleo stimmt der Rücknahme nicht zu.",
    ),
    Told(
        table(4, (1, 3)),
        StartAgreedTo(3, 1, 2),
        "Dan agrees to start, as 1 of 2 do now.",
        "Dan ist mit dem Beginn einverstanden, wie nun 1 von 2.",
    ),
    Told(
        table(4, (0, 1, 3)),
        SeatsClosedUp((0, 1, 3)),
        "Those behind free seats move forward: the 3 players sit together.",
        "Wer hinter freien Plätzen sitzt, rückt vor: Die 3 Spieler sitzen zusammen.",
    ),
    Told(  # seats 1 and 3 are taken and become players 0 and 1
        table(4, (1, 3)),
        GameStarted((1, 3), (0, 1, 0, 1), ",", 300, 2, 2, "recovery", {"crude": 5, "gasoline": 7}, 26, ()),
        "The game starts with Ben (north-west), Dan (north-east), Ben (south-east) and Dan (south-west); each player "
        "gets $300M, 2 barrels of crude and 2 barrels of gasoline, and the economy is in Recovery.",
        "Das Spiel beginnt: Ben (Nordwesten), Dan (Nordosten), Ben (Südosten) und Dan (Südwesten); jeder Spieler "
        "erhält 300 Mio. $, 2 Fässer Rohöl und 2 Fässer Benzin, und die Wirtschaftslage ist „Erholung“.",
    ),
    Told(
        table(3),
        GameStarted((0, 1, 2), (0, 1, 2, None), ",,", 250, 2, 1, "recovery", {"crude": 5, "gasoline": 7}, 26, ()),
        "The game starts with Ada (north-west), Ben (north-east), Cleo (south-east) and the ghost (south-west); each "
        "player gets $250M, 2 barrels of crude and 1 barrel of gasoline, and the economy is in Recovery.",
        "Das Spiel beginnt: Ada (Nordwesten), Ben (Nordosten), Cleo (Südosten) und der Geisterspieler (Südwesten); "
        "jeder Spieler erhält 250 Mio. $, 2 Fässer Rohöl und 1 Fass Benzin, und die Wirtschaftslage ist „Erholung“.",
    ),
    Told(
        TWO,
        StartRolled((StartingRoll(0, die(1)), StartingRoll(1, die(6)))),
        "Rolls for the first turn (Ada: 1, Ben: 6).",
        "Es wird ausgewürfelt, wer beginnt (Ada: 1, Ben: 6).",
    ),
    Told(
        THREE,
        FirstPlayerChosen(1, 1, (1, 2, 0)),
        "Ben goes first, in the north-east; the order of the special purchase round is Ben (north-east), "
        "Cleo (south-east) and Ada (north-west).",
        "Ben beginnt im Nordosten; die Reihenfolge der Sonderkaufrunde ist Ben (Nordosten), Cleo (Südosten) und "
        "Ada (Nordwesten).",
    ),
    Told(
        TWO,
        PurchasesEnded(1, 3),
        "Ben buys nothing more for the south-west in the special purchase round.",
        "Ben kauft in der Sonderkaufrunde nichts mehr für den Südwesten.",
    ),
    Told(
        TWO,
        PurchasesPutOff(1, 3),
        "Nobody plays seat 2: its go in the special purchase round, for the south-west, comes last.",
        "Niemand spielt Platz 2: In der Sonderkaufrunde ist der Südwesten zuletzt an der Reihe.",
    ),
)

NEWS = (
    Told(
        FOUR,
        NewsTurnedOver("long_cold_winter", "likelier", Draw(1, 8, 4)),
        "A card is drawn from the news pile: “Long cold winter” is now the likelier news.",
        "Vom Nachrichtenstapel wird eine Karte gezogen: „Langer, kalter Winter“ ist nun das wahrscheinlichere "
        "Ereignis.",
    ),
    Told(
        FOUR,
        NewsTurnedOver("snap_inspection", "less_likely", None),
        "A news card that was done before comes back: “Snap inspection” is now the less likely news.",
        "Eine schon abgelegte Nachrichtenkarte kommt wieder: „Unangemeldete Prüfung“ ist nun das "
        "unwahrscheinlichere Ereignis.",
    ),
    Told(
        FOUR,
        NewsMovedUp("snap_inspection"),
        "“Snap inspection” moves up and is now the likelier news.",
        "„Unangemeldete Prüfung“ rückt auf und ist nun das wahrscheinlichere Ereignis.",
    ),
    Told(
        FOUR,
        NewsTriggered("world_market_uncertainty"),
        "The news “World market uncertainty” happens.",
        "Das Ereignis „Unsicherer Weltmarkt“ tritt ein.",
    ),
    Told(
        FOUR,
        NewsTriggered("foreign_embargo"),
        "The news “Foreign embargo” happens: the foreign market is closed until the next double 2, 4 or 5.",
        "Das Ereignis „Auslandsembargo“ tritt ein: Der Auslandsmarkt ist geschlossen, bis ein 2er-, 4er- oder "
        "5er-Pasch fällt.",
    ),
    Told(
        FOUR,
        NewsDiscarded("global_warming_threat"),
        "The news “Global warming threat” is done and goes under the pile.",
        "Das Ereignis „Drohende Erderwärmung“ ist erledigt, und die Karte kommt unter den Stapel.",
    ),
    Told(
        FOUR,
        NewsDiscarded("domestic_price_freeze"),
        "The news “Domestic price freeze” is done and goes under the pile: the domestic market is open again.",
        "Das Ereignis „Preisstopp im Inland“ ist erledigt, und die Karte kommt unter den Stapel: Der Inlandsmarkt "
        "ist wieder offen.",
    ),
    Told(
        FOUR,
        TaxLevied("state_sales_tax", (Due(3, 45), Due(0, 15))),
        "Payments for “State sales tax” are due (Dan: $45M, Ada: $15M).",
        "Für „Staatliche Verkaufssteuer“ ist zu zahlen (Dan: 45 Mio. $, Ada: 15 Mio. $).",
    ),
    Told(FOUR, TaxPaid(3, 45, 45), "Dan pays the $45M due.", "Dan zahlt die fälligen 45 Mio. $."),
    Told(
        FOUR,
        TaxPaid(3, 45, 20),
        "Dan owes $45M and pays all there is: $20M.",
        "Dan schuldet 45 Mio. $ und zahlt alles, was da ist: 20 Mio. $.",
    ),
    Told(
        FOUR,
        TaxPaid(3, 45, 0),
        "Dan owes $45M and has nothing to pay it with.",
        "Dan schuldet 45 Mio. $ und hat nichts, um zu zahlen.",
    ),
    Told(
        FOUR,
        CleanUpOrdered((Site(2, 5, 1),), (2,)),
        "The only refinery falls idle until it is cleaned up: row 5, column 1 of the south-east; Cleo may pay for it "
        "now.",
        "Die einzige Raffinerie steht bis zur Sanierung still: Zeile 5, Spalte 1 im Südosten; Cleo darf jetzt dafür "
        "zahlen.",
    ),
    Told(
        TWO,
        CleanUpOrdered((Site(0, 1, 1), Site(2, 5, 1)), (0,)),
        "All 2 refineries fall idle until they are cleaned up: row 1, column 1 of the north-west; row 5, column 1 of "
        "the south-east; Ada may pay for them now.",
        "Alle 2 Raffinerien stehen bis zur Sanierung still: Zeile 1, Spalte 1 im Nordwesten; Zeile 5, Spalte 1 "
        "im Südosten; Ada darf jetzt dafür zahlen.",
    ),
    Told(
        FOUR,
        CleanUpOrdered((Site(0, 1, 1), Site(0, 1, 3), Site(0, 4, 4), Site(3, 2, 2)), (3, 0)),
        "All 4 refineries fall idle until they are cleaned up: row 1, column 1; row 1, column 3 and row 4, column 4 "
        "of the north-west; row 2, column 2 of the south-west; Dan and Ada may pay for theirs now, in this order.",
        "Alle 4 Raffinerien stehen bis zur Sanierung still: Zeile 1, Spalte 1; Zeile 1, Spalte 3 und Zeile 4, "
        "Spalte 4 im Nordwesten; Zeile 2, Spalte 2 im Südwesten; zahlen dürfen der Reihe nach "
        "Dan und Ada.",
    ),
    Told(
        FOUR,
        CleanUpPaid(0, Site(0, 2, 3), 25),
        "Ada pays $25M to clean up the refinery at row 2, column 3 of the north-west, which works again.",
        "Ada zahlt 25 Mio. $ für die Sanierung der Raffinerie in Zeile 2, Spalte 3 im Nordwesten, die nun wieder "
        "arbeitet.",
    ),
    Told(
        FOUR,
        CleanUpsEnded(1),
        "Ben pays for no more clean-ups now.",
        "Ben zahlt jetzt keine weiteren Sanierungen.",
    ),
    Told(
        FOUR,
        BarrelsUsedUp("domestic", "gasoline", 1),
        "The cheapest barrel of gasoline on the domestic market is used up.",
        "Das billigste Fass Benzin auf dem Inlandsmarkt wird aufgebraucht.",
    ),
    Told(
        FOUR,
        BarrelsUsedUp("domestic", "gasoline", 5),
        "The 5 cheapest barrels of gasoline on the domestic market are used up.",
        "Die 5 billigsten Fässer Benzin auf dem Inlandsmarkt werden aufgebraucht.",
    ),
    Told(
        FOUR,
        BarrelsShifted("foreign", "domestic", "crude", 1),
        "The cheapest barrel of crude moves from the foreign market to the domestic market.",
        "Das billigste Fass Rohöl wandert vom Auslandsmarkt auf den Inlandsmarkt.",
    ),
    Told(
        FOUR,
        BarrelsShifted("foreign", "domestic", "crude", 3),
        "The 3 cheapest barrels of crude move from the foreign market to the domestic market.",
        "Die 3 billigsten Fässer Rohöl wandern vom Auslandsmarkt auf den Inlandsmarkt.",
    ),
    Told(
        FOUR,
        ConsumerPriceMoved(26, 35, 0),
        "The consumer price rises from $26M to $35M.",
        "Der Verbraucherpreis steigt von 26 Mio. $ auf 35 Mio. $.",
    ),
    Told(
        FOUR,
        ConsumerPriceMoved(26, 11, 0),
        "The consumer price falls from $26M to $11M.",
        "Der Verbraucherpreis fällt von 26 Mio. $ auf 11 Mio. $.",
    ),
    Told(
        FOUR,
        ConsumerPriceMoved(24, 41, 2),
        "The consumers use up 2 barrels of gasoline, and the consumer price rises from $24M to $41M.",
        "Die Verbraucher verbrauchen 2 Fässer Benzin, und der Verbraucherpreis steigt von 24 Mio. $ auf 41 Mio. $.",
    ),
    Told(
        FOUR,
        ConsumerPriceMoved(24, 20, 1),
        "The consumers use up 1 barrel of gasoline, and the consumer price falls from $24M to $20M.",
        "Die Verbraucher verbrauchen 1 Fass Benzin, und der Verbraucherpreis fällt von 24 Mio. $ auf 20 Mio. $.",
    ),
    Told(
        FOUR,
        ConsumerPriceMoved(24, 24, 3),
        "The consumers use up 3 barrels of gasoline; the consumer price stays at $24M.",
        "Die Verbraucher verbrauchen 3 Fässer Benzin; der Verbraucherpreis bleibt bei 24 Mio. $.",
    ),
)

TURN = (
    Told(
        FOUR,
        TurnBegan(12, 2, 2),
        "Turn 12: Cleo plays in the south-east.",
        "Zug 12: Cleo ist im Südosten am Zug.",
    ),
    Told(
        THREE,
        TurnBegan(8, 3, None),
        "Turn 8: the ghost plays in the south-west.",
        "Zug 8: Der Geisterspieler ist im Südwesten am Zug.",
    ),
    Told(
        FOUR,
        BarrelsBought(0, "domestic", "crude", (6,)),
        "Ada buys 1 barrel of crude on the domestic market for $6M.",
        "Ada kauft auf dem Inlandsmarkt 1 Fass Rohöl für 6 Mio. $.",
    ),
    Told(  # 16 + 18 + 20 = 54
        FOUR,
        BarrelsBought(1, "foreign", "gasoline", (16, 18, 20)),
        "Ben buys 3 barrels of gasoline on the foreign market for $54M (the first at $16M, the last at $20M).",
        "Ben kauft auf dem Auslandsmarkt 3 Fässer Benzin für 54 Mio. $ (das erste für 16 Mio. $, das letzte für "
        "20 Mio. $).",
    ),
    Told(
        FOUR,
        BarrelsSold(0, "foreign", "gasoline", (14,)),
        "Ada sells 1 barrel of gasoline on the foreign market for $14M.",
        "Ada verkauft auf dem Auslandsmarkt 1 Fass Benzin für 14 Mio. $.",
    ),
    Told(  # 5 + 4 = 9
        FOUR,
        BarrelsSold(0, "domestic", "crude", (5, 4)),
        "Ada sells 2 barrels of crude on the domestic market for $9M (the first at $5M, the last at $4M).",
        "Ada verkauft auf dem Inlandsmarkt 2 Fässer Rohöl für 9 Mio. $ (das erste für 5 Mio. $, das letzte für "
        "4 Mio. $).",
    ),
    Told(
        FOUR,
        DiceRolled(3, die(1), die(4)),
        "Dan rolls red 1 and black 4.",
        "Dan würfelt Rot 1 und Schwarz 4.",
    ),
    Told(FOUR, DiceRolled(3, die(6), die(6)), "Dan rolls a double 6.", "Dan würfelt einen 6er-Pasch."),
    Told(
        THREE,
        DiceRolled(None, die(5), die(2)),
        "The ghost rolls red 5 and black 2.",
        "Der Geisterspieler würfelt Rot 5 und Schwarz 2.",
    ),
    Told(
        THREE,
        DiceRolled(None, die(3), die(3)),
        "The ghost rolls a double 3.",
        "Der Geisterspieler würfelt einen 3er-Pasch.",
    ),
    Told(
        FOUR,
        DifferenceAdvanced(3, 7),
        "The difference track advances by 3 to 7.",
        "Die Würfelunterschiedsleiste rückt um 3 auf 7 vor.",
    ),
    Told(
        FOUR,
        DifferenceAdvanced(0, 4),
        "The difference track stays at 4.",
        "Die Würfelunterschiedsleiste bleibt auf 4.",
    ),
    Told(
        FOUR,
        EconomyChanged(die(6), "recovery", "rapid_growth"),
        "The green die shows 6: the economy turns from Recovery to Rapid growth, and the difference track goes back "
        "to 0.",
        "Der grüne Würfel zeigt 6: Die Wirtschaftslage wechselt von „Erholung“ zu „Rasches Wachstum“, und die "
        "Würfelunterschiedsleiste geht auf 0 zurück.",
    ),
    Told(
        FOUR,
        EconomyChanged(die(2), "depression", "depression"),
        "The green die shows 2: the economy stays in Depression, and the difference track goes back to 0.",
        "Der grüne Würfel zeigt 2: Die Wirtschaftslage bleibt „Depression“, und die Würfelunterschiedsleiste geht "
        "auf 0 zurück.",
    ),
    Told(
        FOUR,
        OperationBegan(0, 0, False, 1, 2, 4, Site(0, 2, 1)),
        "The dice hit assets in the north-west: Ada may sell 1 barrel of gasoline to the consumers, refine up to 2 "
        "barrels of crude, pump up to 4 barrels of crude and turn the rig at row 2, column 1 into a well.",
        "Die Würfel treffen Anlagen im Nordwesten: Ada darf 1 Fass Benzin an die Verbraucher verkaufen, bis zu 2 "
        "Fässer Rohöl raffinieren, bis zu 4 Fässer Rohöl fördern und den Bohrturm in Zeile 2, Spalte 1 in eine "
        "Ölquelle umwandeln.",
    ),
    Told(
        FOUR,
        OperationBegan(1, 1, True, 0, 1, 0, None),
        "The dice hit the neighbor in the north-east: Ben may refine 1 barrel of crude.",
        "Die Würfel treffen den Nachbarn im Nordosten: Ben darf 1 Fass Rohöl raffinieren.",
    ),
    Told(
        FOUR,
        GasolineSold(2, (25,)),
        "Cleo sells 1 barrel of gasoline to the consumers for $25M.",
        "Cleo verkauft 1 Fass Benzin an die Verbraucher für 25 Mio. $.",
    ),
    Told(  # 25 + 24 = 49
        FOUR,
        GasolineSold(2, (25, 24)),
        "Cleo sells 2 barrels of gasoline to the consumers for $49M (the first at $25M, the last at $24M).",
        "Cleo verkauft 2 Fässer Benzin an die Verbraucher für 49 Mio. $ (das erste für 25 Mio. $, das letzte für "
        "24 Mio. $).",
    ),
    Told(
        FOUR,
        CrudeRefined(3, 1),
        "Dan refines 1 barrel of crude into gasoline.",
        "Dan raffiniert 1 Fass Rohöl zu Benzin.",
    ),
    Told(FOUR, CrudePumped(0, 4), "Ada pumps 4 barrels of crude.", "Ada fördert 4 Fässer Rohöl."),
    Told(
        FOUR,
        OilStruck(2, Site(2, 2, 1), 3, 15),
        "Cleo strikes oil: for $15M the rig at row 2, column 1 of the south-east becomes a well, number 3 on the "
        "board.",
        "Cleo stößt auf Öl: Für 15 Mio. $ wird der Bohrturm in Zeile 2, Spalte 1 im Südosten zur Ölquelle, der 3. "
        "auf dem Betriebsplan.",
    ),
    Told(
        TWO,
        AssetPhaseBegan(1, 3),
        "The asset phase of Ben in the south-west begins.",
        "Die Anlagenphase von Ben im Südwesten beginnt.",
    ),
    Told(
        FOUR,
        AssetBought(0, "rig", Site(0, 1, 6), 5),
        "Ada buys a rig for $5M and places it at row 1, column 6 of the north-west.",
        "Ada kauft und errichtet für 5 Mio. $ einen Bohrturm in Zeile 1, Spalte 6 im Nordwesten.",
    ),
    Told(
        FOUR,
        AssetBought(3, "station", Site(3, 6, 1), 48),
        "Dan buys a station for $48M and places it at row 6, column 1 of the south-west.",
        "Dan kauft und errichtet für 48 Mio. $ eine Tankstelle in Zeile 6, Spalte 1 im Südwesten.",
    ),
    Told(
        FOUR,
        AssetBought(1, "refinery", Site(1, 4, 4), 64),
        "Ben buys a refinery for $64M and places it at row 4, column 4 of the north-east.",
        "Ben kauft und errichtet für 64 Mio. $ eine Raffinerie in Zeile 4, Spalte 4 im Nordosten.",
    ),
    Told(
        FOUR,
        AssetSold(0, "well", Site(0, 3, 3), 30),
        "Ada sells the well at row 3, column 3 of the north-west for $30M.",
        "Ada verkauft für 30 Mio. $ die Ölquelle in Zeile 3, Spalte 3 im Nordwesten.",
    ),
    Told(
        FOUR,
        AssetSold(0, "station", Site(0, 3, 4), 24),
        "Ada sells the station at row 3, column 4 of the north-west for $24M.",
        "Ada verkauft für 24 Mio. $ die Tankstelle in Zeile 3, Spalte 4 im Nordwesten.",
    ),
    Told(
        IN_NEWS,
        IdleRefinerySold(1, "refinery", Site(1, 5, 5), 60),
        "Ben does not pay for the clean-up of the refinery at row 5, column 5 of the north-east,"
        " which is sold for $60M.",
        "Ben zahlt nicht für die Sanierung, und die Raffinerie in Zeile 5, Spalte 5 im Nordosten wird für 60 Mio. $"
        " verkauft.",
    ),
    Told(
        IN_NEWS,
        AssetSold(1, "rig", Site(1, 2, 2), 2),
        "To raise what is due, Ben sells the rig at row 2, column 2 of the north-east for $2M.",
        "Um das Fällige aufzubringen, verkauft Ben für 2 Mio. $ den Bohrturm in Zeile 2, Spalte 2 im Nordosten.",
    ),
    Told(
        IN_NEWS,
        AssetSold(1, "refinery", Site(1, 5, 5), 24),
        "To raise what is due, Ben sells the refinery at row 5, column 5 of the north-east for $24M.",
        "Um das Fällige aufzubringen, verkauft Ben für 24 Mio. $ die Raffinerie in Zeile 5, Spalte 5 im Nordosten.",
    ),
)

END = (
    Told(
        THREE,
        VictoryDeclared(1, 776, (2, 3, 0)),
        "Ben declares victory with $776M in cash; the last turns: Cleo (south-east), the ghost (south-west) and "
        "Ada (north-west).",
        "Ben erklärt mit 776 Mio. $ Bargeld den Sieg; die letzten Züge: Cleo (Südosten), der Geisterspieler "
        "(Südwesten) und Ada (Nordwesten).",
    ),
    Told(
        FOUR,
        GameStoodStill(10),
        "Nobody's cash, barrels, or assets have changed in 10 full rounds: the game is at a standstill and ends.",
        "In 10 vollen Runden hat sich niemandes Bargeld geändert, kein Lager und keine Anlage: Das Spiel steht still "
        "und endet.",
    ),
    Told(  # 2 x 2 + 20 + 3 x 18 = 78 at the prices of the Depression
        FOUR,
        AssetsLiquidated(0, rigs=2, wells=1, stations=3, refineries=0, proceeds=78),
        "Ada sells all remaining assets at Depression prices: 2 rigs, 1 well and 3 stations for $78M.",
        "Ada verkauft alle übrigen Anlagen zu Depressionspreisen: 2 Bohrtürme, 1 Ölquelle und 3 Tankstellen für "
        "78 Mio. $.",
    ),
    Told(  # 2 + 2 x 20 + 18 + 2 x 24 = 108
        FOUR,
        AssetsLiquidated(3, rigs=1, wells=2, stations=1, refineries=2, proceeds=108),
        "Dan sells all remaining assets at Depression prices: 1 rig, 2 wells, 1 station and 2 refineries for $108M.",
        "Dan verkauft alle übrigen Anlagen zu Depressionspreisen: 1 Bohrturm, 2 Ölquellen, 1 Tankstelle und "
        "2 Raffinerien für 108 Mio. $.",
    ),
    Told(
        TWO,
        AssetsLiquidated(1, rigs=0, wells=0, stations=0, refineries=1, proceeds=24),
        "Ben sells all remaining assets at Depression prices: 1 refinery for $24M.",
        "Ben verkauft alle übrigen Anlagen zu Depressionspreisen: 1 Raffinerie für 24 Mio. $.",
    ),
    Told(
        THREE,
        GameFinished((Standing(2, 1, 1048, 0), Standing(0, 2, 854, 9), Standing(1, 3, 98, 3)), (2,), "cash"),
        "The game is over, and Cleo wins with the most cash (Cleo: $1,048M, Ada: $854M, Ben: $98M).",
        "Das Spiel ist aus, und Cleo gewinnt mit dem meisten Bargeld (Cleo: 1.048 Mio. $, Ada: 854 Mio. $, "
        "Ben: 98 Mio. $).",
    ),
    Told(
        TWO,
        GameFinished((Standing(1, 1, 800, 4), Standing(0, 2, 800, 1)), (1,), "barrels"),
        "The game is over, and Ben wins because barrels decide between equal cash (Ben: $800M and 4 barrels, "
        "Ada: $800M and 1 barrel).",
        "Das Spiel ist aus, und Ben gewinnt, weil bei gleich viel Bargeld die Fässer entscheiden (Ben: 800 Mio. $ "
        "und 4 Fässer, Ada: 800 Mio. $ und 1 Fass).",
    ),
    Told(
        TWO,
        GameFinished((Standing(0, 1, 800, 2), Standing(1, 1, 800, 2)), (0, 1), "shared"),
        "The game is over, and Ada and Ben share the victory with equal cash and equal barrels (Ada: $800M and 2 "
        "barrels, Ben: $800M and 2 barrels).",
        "Das Spiel ist aus, und Ada und Ben teilen sich den Sieg mit gleich viel Bargeld und gleich vielen Fässern "
        "(Ada: 800 Mio. $ und 2 Fässer, Ben: 800 Mio. $ und 2 Fässer).",
    ),
    Told(
        FOUR,
        SeedRevealed("4e" * 32),
        "The secret seed is revealed: everybody can now recompute the dice.",
        "Der geheime Seed wird aufgedeckt: Alle können die Würfe nun nachrechnen.",
    ),
)

TIME = (
    Told(
        FOUR,
        LengthReached(15000),
        "The game ends: it has reached 15,000 events, the most a game may have.",
        "Das Spiel endet: Es hat 15.000 Ereignisse, mehr darf keine Partie haben.",
    ),
    Told(
        FOUR,
        PositionSetUp((), None, ""),
        "The practice game begins from the given position.",
        "Die Übungspartie beginnt aus der vorgegebenen Stellung.",
    ),
    Told(
        FOUR,
        PositionSetUp((), Moment(FOUR.game_id, 1120, "0" * 64), ""),
        "The practice game goes on from event 1,120 of another game, with new dice.",
        "Die Übungspartie geht nach Ereignis 1.120 einer anderen Partie weiter, mit neuen Würfeln.",
    ),
    Told(
        FOUR,
        BankUsed(0, 15, 585),
        "Ada takes 15 seconds from the bank, where 585 are left.",
        "Ada nimmt 15 Sekunden aus der Reserve, in der 585 bleiben.",
    ),
    Told(
        FOUR,
        InstructionSet(1, 0, "0" * 32, None),
        "Ben sends the server a sealed instruction for other players' turns.",
        "Ben schickt dem Server eine versiegelte Anweisung für die Züge anderer.",
    ),
    Told(FOUR, TimeGranted(0, 1, 60, 5), "Ben grants Ada 60 seconds more.", "Ben gewährt Ada 60 Sekunden mehr."),
    Told(
        FOUR,
        MissesForgiven(0),
        "Ada moves again, and earlier misses no longer count.",
        "Ada zieht wieder selbst: Was versäumt wurde, zählt nicht mehr.",
    ),
    Told(
        FOUR,
        MovedUnasked(0, "time", "RollDice", 1, 5),
        "Ada ran out of time: the default answer is given.",
        "Die Zeit von Ada ist um: Die Standardantwort wird gegeben.",
    ),
    Told(
        FOUR,
        MovedUnasked(0, "vacant", "RollDice", 0, 5),
        "Nobody plays seat 1: the default answer is given.",
        "Niemand spielt Platz 1: Die Standardantwort wird gegeben.",
    ),
)

LEFT = replace(FOUR, player_ids=(*FOUR.player_ids[:3], None))
"""Dan has left."""

LEAVING = (
    Told(
        FOUR,
        SeatVacated(3, "resigned"),
        "Dan resigns, and seat 4 is empty.",
        "Dan gibt auf, und Platz 4 ist leer.",
    ),
    Told(
        FOUR,
        SeatVacated(3, "missed"),
        "Dan let too many moves pass, and seat 4 is empty.",
        "Dan hat zu viele Züge verstreichen lassen, und Platz 4 ist leer.",
    ),
    Told(
        FOUR,
        SeatVacated(3, "returned"),
        "Dan gets up from seat 4: the player who left it is back.",
        "Dan steht von Platz 4 auf: Wer ihn verlassen hat, ist wieder da.",
    ),
    Told(
        FOUR,
        SeatVacated(3, "last"),
        "Dan gets up from seat 4: only one player is left.",
        "Dan steht von Platz 4 auf: Nur ein Spieler ist noch da.",
    ),
    Told(
        LEFT,
        SubstituteSatDown(3, "player"),
        "Somebody takes seat 4 and plays on from here.",
        "Jemand nimmt Platz 4 ein und spielt von hier an weiter.",
    ),
    Told(  # a rig brings 3, a station 24
        LEFT,
        HoldingsSold(3, rigs=1, wells=0, stations=1, refineries=0, proceeds=27),
        "The assets of seat 4 are sold at today's prices: 1 rig and 1 station for $27M.",
        "Die Anlagen von Platz 4 werden zu heutigen Preisen verkauft: 1 Bohrturm und 1 Tankstelle für 27 Mio. $.",
    ),
    Told(
        LEFT,
        QuadrantsGivenUp(3, (3,)),
        "The ghost takes over what seat 4 had: south-west.",
        "Was Platz 4 gehörte, hat von nun an der Geisterspieler: Südwesten.",
    ),
    Told(FOUR, LastRemained(0), "All others have left: Ada wins.", "Alle anderen sind gegangen: Ada gewinnt."),
    Told(
        FOUR,
        EndProposed(1, "rank", 5),
        "Ben proposes to end the game now with its final standings.",
        "Ben schlägt vor, das Spiel jetzt zu beenden, mit dem Endstand, der sich daraus ergibt.",
    ),
    Told(
        FOUR,
        EndProposed(1, "call_off", 5),
        "Ben proposes to call the game off.",
        "Ben schlägt vor, das Spiel abzubrechen.",
    ),
    Told(
        FOUR,
        VoteCast(2, True, "0" * 32),
        "Somebody answers the proposal to end the game.",
        "Jemand antwortet auf den Vorschlag, das Spiel zu beenden.",
    ),
    Told(
        FOUR,
        EndAgreedTo(2, 4),
        "2 of 4 agree to end the game.",
        "2 von 4 sind einverstanden, das Spiel zu beenden.",
    ),
    Told(
        FOUR,
        EndProposalFell("refused"),
        "The proposal to end the game is refused.",
        "Der Vorschlag, das Spiel zu beenden, ist abgelehnt.",
    ),
    Told(
        FOUR,
        EndProposalFell("turn"),
        "The proposal to end the game lapses: not everybody agreed in time.",
        "Der Vorschlag, das Spiel zu beenden, ist hinfällig: Nicht alle waren rechtzeitig einverstanden.",
    ),
    Told(
        FOUR,
        EndAgreed("rank"),
        "All agree to end the game now.",
        "Alle sind einverstanden, das Spiel jetzt zu beenden.",
    ),
    Told(
        FOUR,
        EndAgreed("call_off"),
        "All agree to call the game off: nobody wins.",
        "Alle sind einverstanden, das Spiel abzubrechen: Niemand gewinnt.",
    ),
    Told(
        replace(TWO, player_ids=(None, "player-1")),
        GameFinished((Standing(1, 1, 20, 0), Standing(0, 2, 500, 0)), (1,), "left"),
        "The game is over, and Ben wins, as all others have left (Ben: $20M, Seat 1, who left: $500M).",
        "Das Spiel ist aus, und Ben gewinnt, da alle anderen gegangen sind (Ben: 20 Mio. $, Platz 1, gegangen: "
        "500 Mio. $).",
    ),
)

ALL = (*TABLE, *NEWS, *TURN, *LEAVING, *END, *TIME)
