package main

import (
	"fmt"

	"games/mcmulti"
)

// What is the Millionenspiel's own.
const seats = 3

func newGame(request mcmulti.ApiOpenGameRequest) mcmulti.ApiOpenGameRequest {
	game, setup := mcmulti.NewNewMillionenspielGame("millionenspiel"), mcmulti.NewMillionenspielSetup()
	setup.SetSeats(seats)
	game.SetSetup(*setup)
	return request.NewGame(*game)
}

// Every rule set has all kinds of fields that this one has.
func anyOwn(field interface{}) (string, interface{}) {
	panic(fmt.Sprintf("%T is not a field of this game", field))
}

// The players who won.
func places(view mcmulti.MillionenspielView) []string {
	var found []string
	for _, seat := range view.Winners {
		found = append(found, fmt.Sprintf("1. %s: %d", *view.Seats[seat].Name.Get(), view.Seats[seat].Money))
	}
	return found
}
