package guidance_test

import (
	"testing"

	"github.com/waygate/waygate/guidance"
)

// TestKinds checks which manoeuvres are turns at a junction, and which end a leg.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		kind          guidance.Type
		turn, arrival bool
	}{
		{guidance.StartLeft, false, false},
		{guidance.Destination, false, true},
		{guidance.DestinationRight, false, true},
		{guidance.DestinationLeft, false, true},
		{guidance.Becomes, true, false},
		{guidance.Continue, true, false},
		{guidance.UturnRight, true, false},
		{guidance.SlightLeft, true, false},
		{guidance.RampStraight, false, false},
		{guidance.Merge, false, false},
	} {
		if c.kind.Turn() != c.turn || c.kind.Arrival() != c.arrival {
			t.Errorf("kind %d is a turn: %v, an arrival: %v", c.kind, c.kind.Turn(), c.kind.Arrival())
		}
	}
}
