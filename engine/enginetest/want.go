package enginetest

import (
	"slices"
	"strings"
	"testing"
)

// Valhalla's numbers of manoeuvres.
var (
	right           = []int{9, 10, 11, 18, 20, 23}
	left            = []int{14, 15, 16, 19, 21, 24}
	roundabouts     = []int{26}
	roundaboutExits = []int{27}
	ferries         = []int{28}
)

// wantTurns checks the sides of the turns between start and destination;
// going on is no turn.
func wantTurns(sides ...[]int) func(*testing.T, *Route) {
	return func(t *testing.T, r *Route) {
		t.Helper()
		var types []int
		for _, m := range r.Trip.Legs[0].Maneuvers {
			if slices.Contains(right, m.Type) || slices.Contains(left, m.Type) {
				types = append(types, m.Type)
			}
		}
		if len(types) != len(sides) {
			t.Errorf("the turns have the types %v, want %d turns", types, len(sides))
			return
		}
		for i, side := range sides {
			if !slices.Contains(side, types[i]) {
				t.Errorf("turn %d has the type %d, want one of %v", i, types[i], side)
			}
		}
	}
}

func wantRoundabout(exit int) func(*testing.T, *Route) {
	return func(t *testing.T, r *Route) {
		t.Helper()
		m := r.Manoeuvre(roundabouts...)
		if m == nil {
			t.Fatal("no manoeuvre enters a roundabout (type 26)")
		}
		if m.RoundaboutExitCount != exit {
			t.Errorf("the roundabout is left by the exit %d, want %d", m.RoundaboutExitCount, exit)
		}
	}
}

// wantJoined checks that entering and leaving a roundabout is one manoeuvre,
// and wantJoinedStep that it is one step.
func wantJoined(exit int) func(*testing.T, *Route) {
	return func(t *testing.T, r *Route) {
		t.Helper()
		wantRoundabout(exit)(t, r)
		list := r.Trip.Legs[0].Maneuvers
		if m := r.Manoeuvre(roundaboutExits...); m != nil || len(list) != 3 {
			t.Errorf("%d manoeuvres, and %+v leaves the roundabout, want 3 and none", len(list), m)
		}
	}
}

func wantJoinedStep(exit int) func(*testing.T, *OSRMRoute) {
	return func(t *testing.T, r *OSRMRoute) {
		t.Helper()
		steps := r.Routes[0].Legs[0].Steps
		if len(steps) != 3 || steps[1].Maneuver.Exit != exit {
			t.Errorf("%d steps, the second with the exit %d, want 3 and %d", len(steps), steps[1].Maneuver.Exit, exit)
		}
	}
}

// wantCountry checks the only country of a leg.
func wantCountry(code string) func(*testing.T, *Route) {
	return func(t *testing.T, r *Route) {
		t.Helper()
		if a := r.Trip.Legs[0].Summary.Admins; len(a) != 1 || a[0].Code != code || a[0].Text == "" {
			t.Errorf("the leg goes through %+v, want %s alone", a, code)
		}
	}
}

func wantCountrySteps(code, alpha3 string) func(*testing.T, *OSRMRoute) {
	return func(t *testing.T, r *OSRMRoute) {
		t.Helper()
		leg := &r.Routes[0].Legs[0]
		if a := leg.Admins; len(a) != 1 || a[0].Code != code || a[0].Alpha3 != alpha3 {
			t.Errorf("the leg goes through %+v, want %s alone", a, code)
		}
		for i, s := range leg.Steps {
			for _, x := range s.Intersections {
				if x.Admin == nil || *x.Admin != 0 {
					t.Errorf("an intersection of step %d lies in the country %v, want the first", i, x.Admin)
				}
			}
		}
	}
}

// wantSide checks the side of the road that steps give.
func wantSide(germany bool) func(*testing.T, *OSRMRoute) {
	side := "left"
	if germany {
		side = "right"
	}
	return func(t *testing.T, r *OSRMRoute) {
		t.Helper()
		for i, s := range r.Routes[0].Legs[0].Steps {
			if s.DrivingSide != side {
				t.Errorf("step %d has the driving side %q, want %q", i, s.DrivingSide, side)
			}
		}
	}
}

func wantSummary(what string, holds func(Summary) bool) func(*testing.T, *Route) {
	return func(t *testing.T, r *Route) {
		t.Helper()
		if !holds(r.Trip.Summary) {
			t.Errorf("the summary is %+v, want %s", r.Trip.Summary, what)
		}
	}
}

func wantFerry() func(*testing.T, *Route) {
	return func(t *testing.T, r *Route) {
		t.Helper()
		if !r.Trip.Summary.HasFerry {
			t.Error("the summary tells no ferry")
		}
		if r.Manoeuvre(ferries...) == nil {
			t.Error("no manoeuvre boards a ferry (type 28)")
		}
	}
}

func wantAlternate(t *testing.T, r *Route) {
	t.Helper()
	if len(r.Alternates) == 0 {
		t.Fatal("no alternate route")
	}
	if got := r.Alternates[0].Trip.Summary; got.Time < r.Trip.Summary.Time {
		t.Errorf("the alternate takes %g s, less than the best route's %g", got.Time, r.Trip.Summary.Time)
	}
	if r.Alternates[0].Trip.Legs[0].Shape == r.Trip.Legs[0].Shape {
		t.Error("the alternate is the best route again")
	}
}

func wantTunnel(category string) func(*testing.T, *Route) {
	return func(t *testing.T, r *Route) {
		t.Helper()
		if len(r.Tunnels) != 1 || r.Tunnels[0].Category != category || r.Tunnels[0].WayID == 0 {
			t.Errorf("the answer tells the tunnels %+v, want one of category %s with its way", r.Tunnels, category)
		}
	}
}

// wantLanes checks that lanes stand where the first step begins and nowhere
// else, each lane given by its arrows where it leads on, or by "-".
func wantLanes(want ...string) func(*testing.T, *OSRMRoute) {
	return func(t *testing.T, r *OSRMRoute) {
		t.Helper()
		var got []string
		for i, s := range r.Routes[0].Legs[0].Steps {
			for j, x := range s.Intersections {
				if len(x.Lanes) > 0 && i+j > 0 {
					t.Errorf("step %d, intersection %d has lanes %+v", i, j, x.Lanes)
				}
				if i+j > 0 {
					continue
				}
				for _, l := range x.Lanes {
					word := "-"
					if l.Valid {
						word = strings.Join(l.Indications, ",")
					}
					if l.Active && !l.Valid {
						t.Errorf("lane %+v is active and not valid", l)
					}
					got = append(got, word)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("lanes %q, want %q", got, want)
		}
	}
}
