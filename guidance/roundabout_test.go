package guidance_test

import (
	"testing"

	"github.com/waygate/waygate/guidance"
)

func TestJoinRoundabouts(t *testing.T) {
	list := []guidance.Manoeuvre{
		{Type: guidance.Start, End: 2, EndShape: 4, Metres: 10},
		{Type: guidance.RoundaboutEnter, Begin: 2, End: 3, BeginShape: 4, EndShape: 6, Metres: 20, Seconds: 2, Cost: 3, Before: 10, After: 50, Exits: 2},
		{Type: guidance.RoundaboutExit, Begin: 3, End: 5, BeginShape: 6, EndShape: 9, Metres: 300, Seconds: 30, Cost: 40, Before: 300, After: 340, Toll: true, Names: []guidance.Name{{Text: "Mill Lane"}}},
		{Type: guidance.RoundaboutEnter, Begin: 5, End: 6, BeginShape: 9, EndShape: 11, Metres: 5},
		{Type: guidance.Destination, Begin: 6, End: 6, BeginShape: 11, EndShape: 11},
	}
	if e := guidance.Leaving(list, 1); e != &list[2] {
		t.Errorf("before joining the exit is %+v", e)
	}
	got := guidance.JoinRoundabouts(list)
	if len(got) != 4 {
		t.Fatalf("%d manoeuvres, want 4", len(got))
	}
	m := &got[1]
	if m.Type != guidance.RoundaboutEnter || m.Begin != 2 || m.End != 5 || m.BeginShape != 4 || m.EndShape != 9 ||
		m.Metres != 320 || m.Seconds != 32 || m.Cost != 43 || m.After != 50 || !m.Toll || m.Exits != 2 {
		t.Errorf("joined: %+v", m)
	}
	if e := guidance.Leaving(got, 1); e == nil || e.Metres != 300 || e.Names[0].Text != "Mill Lane" || e.After != 340 {
		t.Errorf("the exit of what is joined is %+v", e)
	}
	if got[2].Out != nil || guidance.Leaving(got, 2) != nil || guidance.Leaving(got, 0) != nil {
		t.Error("a roundabout that is arrived on has an exit")
	}
}
