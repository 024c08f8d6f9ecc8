package osrm

import (
	"testing"

	"github.com/waygate/waygate/guidance"
)

// A turn worded as bearing right is a slight right, though the course changes by more:
// another road goes further to the right.
func TestModifiersFollowTheWords(t *testing.T) {
	for kind, want := range map[guidance.Type]string{
		guidance.SlightRight: "slight right", guidance.Right: "right", guidance.SharpRight: "sharp right", guidance.UturnRight: "uturn",
		guidance.SlightLeft: "slight left", guidance.Left: "left", guidance.SharpLeft: "sharp left", guidance.UturnLeft: "uturn",
	} {
		for _, m := range []guidance.Manoeuvre{{}, {ToStayOn: true}, {EndOfRoad: true}} {
			m.Type, m.Before, m.After = kind, 350, 55
			got := maneuverOf([]guidance.Manoeuvre{{Type: guidance.Start}, m, {Type: guidance.Destination}}, 1)
			wantKind := "turn"
			switch {
			case m.ToStayOn:
				wantKind = "continue"
			case m.EndOfRoad && want != "uturn":
				wantKind = "end of road"
			}
			if got.modifier != want || got.kind != wantKind {
				t.Errorf("type %d (stays %v, end of road %v) is %q %q, want %q %q", kind, m.ToStayOn, m.EndOfRoad, got.kind, got.modifier, wantKind, want)
			}
		}
	}
}
