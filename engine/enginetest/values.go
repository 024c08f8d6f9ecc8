package enginetest

import (
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/towntest"
)

// valued asks for a route as a value and holds it against the same route as it
// was written.
func valued(t *testing.T, eng engine.Engine, town *towntest.Town, trip *Trip, r engine.RouteRequest, written *Route) {
	t.Helper()
	unit := 1000.0
	if r.Miles {
		unit = metresPerMile
	}
	r.Output, r.Want = engine.Output{Language: r.Language}, engine.WantManoeuvres|engine.WantEdges|engine.WantAdmins
	route, err := engine.Best(t.Context(), eng, &r)
	if err != nil {
		t.Fatal(err)
	}
	sum := &written.Trip.Summary
	if !near(route.Metres, sum.Length*unit, 2) || !near(route.Seconds, sum.Time, 1) || len(route.Legs) != len(written.Trip.Legs) {
		t.Errorf("the value is %g m and %g s in %d legs, the text %+v in %d", route.Metres, route.Seconds, len(route.Legs), sum, len(written.Trip.Legs))
	}
	if path := passed(town, route.Line()); path != trip.Path {
		t.Errorf("the value passes %q, want %q", path, trip.Path)
	}
	for _, p := range route.Line() {
		if !slack(route.Bounds).Contains(p) {
			t.Errorf("the bounds %v miss the point %v of the route", route.Bounds, p)
			break
		}
	}
	for i := range route.Legs {
		checkLeg(t, &route.Legs[i])
	}
}

// checkLeg checks what holds of every leg: its edges, where they are given, and
// its manoeuvres follow its line from end to end and add up to it.
func checkLeg(t *testing.T, l *engine.Leg) {
	t.Helper()
	metres, seconds, at := 0.0, 0.0, 0
	for i := range l.Edges {
		e := &l.Edges[i]
		if e.FromPoint != at || e.ToPoint < at || e.ToPoint >= len(l.Line) || e.Way == 0 || e.Class == "" || e.Use == "" || e.Surface == "" || e.Admin >= len(l.Admins) {
			t.Errorf("edge %d of a leg of %d points, from point %d on, is %+v", i, len(l.Line), at, e)
		}
		metres, seconds, at = metres+e.Metres, seconds+e.Seconds+e.Turn, e.ToPoint
	}
	if len(l.Edges) > 0 && (at != len(l.Line)-1 || !near(metres, l.Metres, 2) || !near(seconds, l.Seconds, 1)) {
		t.Errorf("edges of %g m and %g s lead to point %d of %d on a leg of %g m and %g s", metres, seconds, at, len(l.Line), l.Metres, l.Seconds)
	}
	metres, at = 0, 0
	for i := range l.Manoeuvres {
		m := &l.Manoeuvres[i]
		if m.BeginShape != at || m.EndShape < at {
			t.Errorf("manoeuvre %d begins at point %d and ends at %d, want %d", i, m.BeginShape, m.EndShape, at)
		}
		metres, at = metres+m.Metres, m.EndShape
	}
	if len(l.Manoeuvres) < 2 || at != len(l.Line)-1 || !near(metres, l.Metres, 2) {
		t.Errorf("%d manoeuvres of %g m lead to point %d of %d on a leg of %g m", len(l.Manoeuvres), metres, at, len(l.Line), l.Metres)
	}
}
