package embedded

import (
	"testing"

	"github.com/waygate/waygate/road/guide"
)

// What is worded as bearing right is a slight right, though the course changes
// by more: another road goes further to the right.
func TestModifiersFollowTheWords(t *testing.T) {
	for kind, want := range map[guide.Type]string{
		guide.SlightRight: "slight right", guide.Right: "right", guide.SharpRight: "sharp right", guide.UturnRight: "uturn",
		guide.SlightLeft: "slight left", guide.Left: "left", guide.SharpLeft: "sharp left", guide.UturnLeft: "uturn",
	} {
		for _, m := range []guide.Manoeuvre{{}, {Stays: true}, {EndOfRoad: true}} {
			m.Type, m.Before, m.After = kind, 350, 55
			got := maneuverOf([]guide.Manoeuvre{{Type: guide.Start}, m, {Type: guide.Destination}}, 1)
			wantKind := "turn"
			switch {
			case m.Stays:
				wantKind = "continue"
			case m.EndOfRoad && want != "uturn":
				wantKind = "end of road"
			}
			if got.modifier != want || got.kind != wantKind {
				t.Errorf("type %d (stays %v, end of road %v) is %q %q, want %q %q", kind, m.Stays, m.EndOfRoad, got.kind, got.modifier, wantKind, want)
			}
		}
	}
}
