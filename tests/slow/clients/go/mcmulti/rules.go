package main

import (
	"fmt"

	"games/mcmulti"
)

// What is the box game's own.
const seats = 2

func newGame(request mcmulti.ApiOpenGameRequest) mcmulti.ApiOpenGameRequest {
	game, setup := mcmulti.NewNewMcMultiGame("mcmulti"), mcmulti.NewSetup()
	setup.SetSeats(seats)
	game.SetSetup(*setup)
	return request.NewGame(*game)
}

// The type of a field that not every rule set has, and any of its values.
func anyOwn(field interface{}) (string, interface{}) {
	options := field.(*mcmulti.SiteChoice).Options
	return "SiteChoice", options[draws.Intn(len(options))]
}

// Every player, best first.
func places(view mcmulti.McMultiView) []string {
	var found []string
	for _, place := range view.Standings {
		found = append(found, fmt.Sprintf("%d. %s: %d", place.Rank, *view.Seats[place.Seat].Name.Get(), place.Cash))
	}
	return found
}
