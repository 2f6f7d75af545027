// Whole games on a client that openapi-generator generated for Go from the contract of one rule set. It opens a game,
// plays every seat to the end, reads the log in all its forms, and prints who won. `rules.go` has what is the rule set's
// own. The module is called games, and the client is its package mcmulti:
//
//	go run . http://127.0.0.1:8000
package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	random "math/rand"
	"net/http"
	"os"
	"sort"
	"strings"

	"games/mcmulti"
)

// The first commands are any of those offered. After these, everybody passes, and a game that stands still ends.
const lively = 60

// How likely a command is chosen, if not 1: a player who never ends a turn does not save.
var likely = map[string]float64{"RollDice": 3, "EndTurn": 3, "SellAsset": 0.2, "EndProduction": 0.2}

var passing = map[string]bool{"RollDice": true, "EndProduction": true, "EndPurchases": true, "EndTurn": true}

var draws = random.New(random.NewSource(20121))

// A player with a client that sends its token.
type player struct {
	client *mcmulti.APIClient
	token  string
}

type table struct {
	server  string
	game    string
	players []player
	chosen  map[string]bool
	sent    int
}

func main() {
	at := table{server: os.Args[1], chosen: map[string]bool{}}
	at.open()
	fmt.Println("Plays game", at.game)
	at.play()
	fmt.Println("Chose among:", strings.Join(sorted(at.chosen), " "))
	at.read()
	view, answer, err := at.players[0].client.GamesAPI.GetGame(context.Background(), at.game).Execute()
	check(answer, err)
	for _, place := range places(view.View) {
		fmt.Println(place)
	}
}

// Open a game, and seat everybody.
func (at *table) open() {
	run := unique()[:6]
	for _, name := range []string{"Ada", "Ben", "Cleo"}[:seats] {
		registered, answer, err := at.connected("").PlayersAPI.RegisterPlayer(context.Background()).
			NewPlayer(*mcmulti.NewNewPlayer(name + " " + run)).IdempotencyKey(unique()).Execute()
		check(answer, err)
		at.players = append(at.players, player{at.connected(registered.Token), registered.Token})
	}
	opened, answer, err := newGame(at.players[0].client.GamesAPI.OpenGame(context.Background())).Execute()
	check(answer, err)
	at.game = opened.Game
	for _, each := range at.players {
		entropy := unique()
		_, answer, err := each.client.PlayAPI.TakeSeat(context.Background(), at.game).
			Join(mcmulti.Join{Entropy: &entropy}).Execute()
		check(answer, err)
	}
}

func (at *table) connected(token string) *mcmulti.APIClient {
	configuration := mcmulti.NewConfiguration()
	configuration.Servers = mcmulti.ServerConfigurations{{URL: at.server}}
	if token != "" {
		configuration.AddDefaultHeader("Authorization", "Bearer "+token)
	}
	return mcmulti.NewAPIClient(configuration)
}

// Every seat moves when the game waits for it, until it waits for nobody.
func (at *table) play() {
	toMove := at.offered(at.players[0]).ToMove
	for len(toMove) > 0 {
		mover := at.players[toMove[0]]
		now, answer, err := mover.client.PlayAPI.ListOffers(context.Background(), at.game).Execute()
		check(answer, err)
		toMove = at.send(mover, at.command(at.choose(now.Offers)), answer.Header.Get("ETag"))
		at.sent++
	}
}

func (at *table) offered(by player) *mcmulti.Offers {
	now, answer, err := by.client.PlayAPI.ListOffers(context.Background(), at.game).Execute()
	check(answer, err)
	return now
}

func (at *table) choose(offered []mcmulti.Offer) mcmulti.Offer {
	var offers, idle []mcmulti.Offer
	for _, offer := range offered {
		if offer.Command != "LeaveSeat" {
			offers = append(offers, offer)
		}
		if passing[offer.Command] {
			idle = append(idle, offer)
		}
	}
	if at.sent >= lively && len(idle) > 0 {
		offers = idle
	}
	rest := 0.0
	for _, offer := range offers {
		rest += weight(offer)
	}
	rest *= draws.Float64()
	for _, offer := range offers {
		rest -= weight(offer)
		if rest < 0 {
			return offer
		}
	}
	return offers[len(offers)-1]
}

func weight(offer mcmulti.Offer) float64 {
	if much, known := likely[offer.Command]; known {
		return much
	}
	return 1
}

// The offered command, with any values that the offer admits.
func (at *table) command(offer mcmulti.Offer) mcmulti.Command {
	values := map[string]interface{}{"type": offer.Command}
	for name, field := range offer.Fields {
		values[name] = at.anyValue(field)
	}
	text, err := json.Marshal(values)
	check(nil, err)
	var command mcmulti.Command
	check(nil, json.Unmarshal(text, &command))
	return command
}

func (at *table) anyValue(field mcmulti.Field) interface{} {
	switch kind := field.GetActualInstance().(type) {
	case *mcmulti.Range:
		at.chosen["Range"] = true
		step := int32(1)
		if kind.Step != nil {
			step = *kind.Step
		}
		return kind.Min + step*draws.Int31n((kind.Max-kind.Min)/step+1)
	case *mcmulti.TextChoice:
		at.chosen["TextChoice"] = true
		return kind.Options[draws.Intn(len(kind.Options))]
	case *mcmulti.NumberChoice:
		at.chosen["NumberChoice"] = true
		return kind.Options[draws.Intn(len(kind.Options))]
	default:
		name, value := anyOwn(kind)
		at.chosen[name] = true
		return value
	}
}

// Send what was decided on the game as the entity tag names it. Returns the seats that the game waits for then.
func (at *table) send(by player, command mcmulti.Command, tag string) []int32 {
	result, answer, err := by.client.PlayAPI.SendCommands(context.Background(), at.game).
		Commands(mcmulti.Commands{Commands: []mcmulti.Command{command}}).
		IfMatch(tag).IdempotencyKey(unique()).Execute()
	if answer != nil && answer.StatusCode == http.StatusPreconditionFailed {
		return at.offered(by).ToMove // the game went on: look again
	}
	check(answer, err)
	return result.Table.ToMove
}

// Read the log in pages and as streams, the replay and the books, and print what is there.
func (at *table) read() {
	log, ctx := at.players[0].client.LogAPI, context.Background()
	events := 0
	for after := int32(0); ; {
		page, answer, err := log.ListEvents(ctx, at.game).After(after).Limit(100).Execute()
		check(answer, err)
		events += len(page.Events)
		if page.Next.Get() == nil {
			break
		}
		after = *page.Next.Get()
	}
	fmt.Println("Events:", events)
	for _, mediaType := range []string{"application/x-ndjson", "text/event-stream"} {
		count := 0
		at.follow(mediaType, func(mcmulti.EventItem) { count++ })
		fmt.Printf("%s: %d\n", mediaType, count)
	}
	replay, answer, err := log.ReplayGame(ctx, at.game).By("turn").Limit(1000).Execute()
	check(answer, err)
	fmt.Println("Frames:", len(replay.Frames))
	ledger, answer, err := log.GetLedger(ctx, at.game).Limit(1000).Execute()
	check(answer, err)
	fmt.Println("Lines of the ledger:", len(ledger.Lines))
	balances, answer, err := log.GetBalances(ctx, at.game).Execute()
	check(answer, err)
	sums := map[string]bool{}
	for _, unit := range balances.TrialBalance {
		sums[fmt.Sprint(unit.Sum)] = true
	}
	fmt.Println("Trial balance:", strings.Join(sorted(sums), " "))
}

// Call `each` with the events of a game as they happen, until it is over.
func (at *table) follow(mediaType string, each func(mcmulti.EventItem)) {
	request, err := http.NewRequest("GET", at.server+"/v1/games/"+at.game+"/events", nil)
	check(nil, err)
	request.Header.Set("Accept", mediaType)
	request.Header.Set("Authorization", "Bearer "+at.players[0].token)
	answer, err := at.players[0].client.GetConfig().HTTPClient.Do(request)
	check(answer, err)
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body) // line by line, as the server sends them
	lines.Buffer(nil, math.MaxInt32)
	for lines.Scan() {
		text := strings.TrimPrefix(lines.Text(), "data: ")
		if !strings.HasPrefix(text, "{") {
			continue // the other fields of SSE
		}
		var members map[string]json.RawMessage
		check(nil, json.Unmarshal([]byte(text), &members))
		if _, event := members["rule"]; !event {
			continue
		}
		var item mcmulti.EventItem
		check(nil, json.Unmarshal([]byte(text), &item))
		each(item)
	}
	check(nil, lines.Err())
}

func sorted(names map[string]bool) []string {
	var found []string
	for name := range names {
		found = append(found, name)
	}
	sort.Strings(found)
	return found
}

func unique() string {
	var bytes [16]byte
	_, err := rand.Read(bytes[:])
	check(nil, err)
	return hex.EncodeToString(bytes[:])
}

// End the program with an error, or with the problem that the server responded with.
func check(answer *http.Response, err error) {
	if err != nil {
		fmt.Println(err)
		if answer != nil {
			problem, _ := io.ReadAll(answer.Body)
			fmt.Println(string(problem))
		}
		os.Exit(1)
	}
	if answer != nil && answer.StatusCode >= 400 {
		fmt.Println(answer.Status)
		os.Exit(1)
	}
}
