<?php

// Whole games on a client that openapi-generator generated for PHP, with its generator php-nextgen, from the contract of
// one rule set. It opens a game, plays every seat to the end, reads the log in all its forms, and prints who won:
//
//     php games.php CLIENT http://127.0.0.1:8000 postal

declare(strict_types=1);

use GuzzleHttp\Client;
use GuzzleHttp\Psr7\Utils;
use McMulti\Api\GamesApi;
use McMulti\Api\LogApi;
use McMulti\Api\PlayApi;
use McMulti\Api\PlayersApi;
use McMulti\ApiException;
use McMulti\Configuration;
use McMulti\Model;
use McMulti\ObjectSerializer;

[, , $server, $ruleset] = $argv;

require __DIR__ . '/client.php';

const SEATS = ['mcmulti' => 2, 'postal' => 4];
// The first commands are any of those offered. After these, everybody passes, and a game that stands still ends.
const LIVELY = 60;
// How likely a command is chosen, if not 1: a player who never ends a turn does not save.
const LIKELY = [
    'RollDice' => 3, 'EndTurn' => 3, 'SellAsset' => 0.2, 'EndProduction' => 0.2,
    'HoldRound' => 0.2, 'WithdrawOrders' => 0.2, 'SetStanding' => 0.1, 'EndStanding' => 0.2,
];
const PASSING = ['RollDice', 'EndProduction', 'EndPurchases', 'EndTurn', 'SubmitOrders'];

/** A player with a token, and a client that sends the token. */
final class Player
{
    public readonly GamesApi $games;
    public readonly PlayApi $play;
    public readonly LogApi $log;

    public function __construct(private readonly Client $http, string $server, string $name)
    {
        $anonymous = new PlayersApi($http, (new Configuration())->setHost($server));
        $token = $anonymous->registerPlayer(new Model\NewPlayer(['name' => $name]))->getToken();
        $configuration = (new Configuration())->setHost($server)->setAccessToken($token);
        $this->games = new GamesApi($http, $configuration);
        $this->play = new PlayApi($http, $configuration);
        $this->log = new LogApi($http, $configuration);
    }

    /**
     * Send what was decided on the game as the entity tag names it. Returns the seats that the game waits for then.
     *
     * @return int[]
     */
    public function sent(string $game, Model\Commands $commands, string $tag): array
    {
        $key = bin2hex(random_bytes(16));
        try {
            return $this->play->sendCommands($game, $commands, if_match: $tag, idempotency_key: $key)->getTable()->getToMove();
        } catch (ApiException $refused) {
            if ($refused->getCode() !== 412) {
                throw $refused;
            }
            return $this->play->listOffers($game)->getToMove(); // the game went on: look again
        }
    }

    /** The events of a game as they happen, until it is over. */
    public function follow(string $game, string $mediaType): Generator
    {
        $request = $this->log->listEventsRequest($game)->withHeader('Accept', $mediaType);
        $body = $this->http->send($request, ['stream' => true])->getBody();
        while (($line = Utils::readLine($body)) !== '') { // as the server sends them
            $text = str_starts_with($line, 'data: ') ? substr($line, strlen('data: ')) : $line;
            if (!str_starts_with($text, '{')) {
                continue; // the other fields of SSE
            }
            $item = json_decode($text, flags: JSON_THROW_ON_ERROR);
            if (isset($item->rule)) {
                yield ObjectSerializer::deserialize($item, Model\EventItem::class);
            }
        }
    }
}

/** A random number, at least 0 and less than 1. */
function draw(): float
{
    return mt_rand() / (mt_getrandmax() + 1);
}

/** @param Model\Offer[] $offered */
function choose(array $offered, int $sent): Model\Offer
{
    $offers = array_filter($offered, fn ($offer) => $offer->getCommand() !== 'LeaveSeat');
    $idle = array_filter($offers, passes(...));
    if ($sent >= LIVELY && $idle !== []) {
        $offers = $idle;
    }
    $ranked = array_map(fn ($offer) => [draw() ** (1 / (LIKELY[$offer->getCommand()] ?? 1)), $offer], $offers);
    usort($ranked, fn ($one, $other) => $other[0] <=> $one[0]);
    return $ranked[0][1];
}

/** Whether the command leaves everything as it is: holding a round no more does. */
function passes(Model\Offer $offer): bool
{
    $hold = $offer->getFields()['hold'] ?? null;
    return in_array($offer->getCommand(), PASSING, true) || ($hold !== null && $hold->getOptions() === [false]);
}

/** The offered command, with any values that the offer admits. */
function commands(Model\Offer $offer, int $sent, array &$chosen): Model\Commands
{
    $values = ['type' => $offer->getCommand()];
    foreach ($offer->getFields() ?? [] as $name => $field) {
        $chosen[] = (new ReflectionClass($field))->getShortName();
        $values[$name] = anyValue($field, $sent < LIVELY);
    }
    $json = json_encode(['commands' => [$values]], JSON_THROW_ON_ERROR);
    return ObjectSerializer::deserialize($json, Model\Commands::class);
}

/** Any value that the field of an offer may have. A sheet says little unless it is lively. */
function anyValue(object $field, bool $lively): mixed
{
    if ($field instanceof Model\Range) {
        $step = $field->getStep() ?? 1;
        return $field->getMin() + $step * mt_rand(0, intdiv($field->getMax() - $field->getMin(), $step));
    }
    if ($field instanceof Model\Form) {
        return $lively ? sheet() : new stdClass();
    }
    $options = $field->getOptions();
    return $options[array_rand($options)];
}

/** Build a station while there is money, and fill it. */
function sheet(): Model\OrderSheet
{
    $plot = new Model\Plot(['row' => mt_rand(1, 6), 'column' => mt_rand(1, 6)]);
    $station = new Model\BuyAssetOrder(['type' => 'BuyAssetOrder', 'kind' => 'station', 'plot' => $plot]);
    $rich = new Model\CashIs(['type' => 'CashIs', 'at_least' => 60]);
    $building = new Model\IfOrder(['type' => 'IfOrder', 'condition' => $rich, 'then' => [$station]]);
    $barrels = new Model\BuyBarrelsOrder([
        'type' => 'BuyBarrelsOrder', 'market' => 'domestic', 'good' => 'gasoline', 'quantity' => 'max', 'not_above' => 16,
    ]);
    return new Model\OrderSheet(['orders' => [$building], 'trades' => [$barrels]]);
}

function read(Player $player, string $game): void
{
    $events = 0;
    for ($after = 0; $after !== null; $after = $page->getNext()) {
        $page = $player->log->listEvents($game, after: $after, limit: 100);
        $events += count($page->getEvents());
    }
    echo "Events: $events\n";
    foreach (['application/x-ndjson', 'text/event-stream'] as $mediaType) {
        echo "$mediaType: ", iterator_count($player->follow($game, $mediaType)), "\n";
    }
    echo 'Frames: ', count($player->log->replayGame($game, by: 'turn', limit: 1000)->getFrames()), "\n";
    echo 'Lines of the ledger: ', count($player->log->getLedger($game, limit: 1000)->getLines()), "\n";
    $sums = array_map(fn ($unit) => $unit->getSum(), $player->log->getBalances($game)->getTrialBalance());
    echo 'Trial balance: ', implode(' ', array_unique($sums)), "\n";
}

mt_srand(20121);
$http = new Client();
$run = bin2hex(random_bytes(3));
$names = array_slice(['Ada', 'Ben', 'Cleo', 'Dan'], 0, SEATS[$ruleset]);
$players = array_map(fn ($name) => new Player($http, $server, "$name $run"), $names);
$new = json_encode(['ruleset' => $ruleset, 'setup' => ['seats' => SEATS[$ruleset]]], JSON_THROW_ON_ERROR);
$kind = ['mcmulti' => Model\NewMcMultiGame::class, 'postal' => Model\NewPostalGame::class][$ruleset];
$game = $players[0]->games->openGame(ObjectSerializer::deserialize($new, $kind))->getGame();
foreach ($players as $player) {
    $player->play->takeSeat($game, new Model\Join(['entropy' => bin2hex(random_bytes(16))]));
}
echo "Plays game $game\n";
$chosen = [];
$toMove = $players[0]->play->listOffers($game)->getToMove();
for ($sent = 0; $toMove !== []; ++$sent) {
    $player = $players[$toMove[0]];
    [$now, , $headers] = $player->play->listOffersWithHttpInfo($game);
    $toMove = $player->sent($game, commands(choose($now->getOffers(), $sent), $sent, $chosen), array_change_key_case($headers)['etag'][0]);
}
$chosen = array_unique($chosen);
sort($chosen);
echo 'Chose among: ', implode(' ', $chosen), "\n";
read($players[0], $game);
$view = $players[0]->games->getGame($game)->getView();
foreach ($view->getStandings() as $place) {
    echo "{$place->getRank()}. {$view->getSeats()[$place->getSeat()]->getName()}: {$place->getCash()}\n";
}
