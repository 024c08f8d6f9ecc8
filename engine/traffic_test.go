package engine_test

import (
	"context"
	"slices"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// TestShares checks what the times of a way rest on, of which the first half has live speeds
// and the first three quarters usual ones.
func TestShares(t *testing.T) {
	line := []geo.Point{{Lon: 0, Lat: 50}, {Lon: 0.01, Lat: 50}}
	length := geo.Length(line)
	known := &engine.KnownTraffic{Along: func(_ context.Context, _ []geo.Point, yield func(arc, metres float64, k engine.TrafficFacts)) error {
		for i := range 4 {
			yield(float64(i)*length/4, length/4, engine.TrafficFacts{Covered: i < 3, Live: i < 2, Usual: i < 3})
		}
		return nil
	}}
	now := &engine.When{Type: engine.Now}
	for _, c := range []struct {
		what  string
		when  *engine.When
		types []string
		after float64
		want  engine.Shares
		names []string
	}{
		{"no time", nil, nil, 0, engine.Shares{Covered: 0.75, Default: 1}, []string{"default"}},
		{"now", now, nil, 0, engine.Shares{Covered: 0.75, Live: 0.5, Usual: 0.25, Default: 0.25}, []string{"live", "profile", "default"}},
		{"in half an hour", now, nil, 1800, engine.Shares{Covered: 0.75, Live: 0.25, Predicted: 0.25, Usual: 0.25, Default: 0.25}, []string{"live", "predicted", "profile", "default"}},
		{"in an hour", now, nil, 3600, engine.Shares{Covered: 0.75, Predicted: 0.5, Usual: 0.25, Default: 0.25}, []string{"predicted", "profile", "default"}},
		{"without usual speeds", now, []string{"current"}, 1800, engine.Shares{Covered: 0.75, Live: 0.25, Default: 0.75}, []string{"live", "default"}},
		{"without live speeds", now, []string{"predicted"}, 0, engine.Shares{Covered: 0.75, Usual: 0.75, Default: 0.25}, []string{"profile", "default"}},
		{"at a stated time", &engine.When{Type: engine.Depart}, nil, 0, engine.Shares{Covered: 0.75, Usual: 0.75, Default: 0.25}, []string{"profile", "default"}},
	} {
		got, err := known.Shares(t.Context(), costing.Auto, &engine.Conditions{When: c.when, SpeedTypes: c.types}, engine.Stretch{Line: line, After: c.after})
		if err != nil || got != c.want || !slices.Equal(got.Sources(), c.names) {
			t.Errorf("%s: %+v %v, want %+v %v (%v)", c.what, got, got.Sources(), c.want, c.names, err)
		}
	}
}

// TestSharesByCosting checks that the times of travellers that are no motor traffic rest on
// neither live nor usual speeds, also where some are known.
func TestSharesByCosting(t *testing.T) {
	line := []geo.Point{{Lon: 0, Lat: 50}, {Lon: 0.01, Lat: 50}}
	known := &engine.KnownTraffic{Along: func(_ context.Context, _ []geo.Point, yield func(arc, metres float64, k engine.TrafficFacts)) error {
		yield(0, geo.Length(line)/2, engine.TrafficFacts{Covered: true, Live: true, Usual: true})
		yield(geo.Length(line)/2, geo.Length(line)/2, engine.TrafficFacts{Covered: true, Usual: true})
		return nil
	}}
	for _, of := range costing.All {
		want := engine.Shares{Covered: 1, Live: 0.5, Usual: 0.5}
		if of == costing.Bicycle || of == costing.Pedestrian {
			want = engine.Shares{Covered: 1, Default: 1}
		}
		got, err := known.Shares(t.Context(), of, &engine.Conditions{When: &engine.When{}}, engine.Stretch{Line: line})
		if err != nil || got != want {
			t.Errorf("%s: %+v, want %+v (%v)", of, got, want, err)
		}
	}
}

// TestStaleFor has a way be stale where all that would be live of it is too old, and that
// is why nothing is.
func TestStaleFor(t *testing.T) {
	line := []geo.Point{{Lon: 0, Lat: 50}, {Lon: 0.01, Lat: 50}}
	fresh, old := engine.TrafficFacts{Covered: true, Live: true}, engine.TrafficFacts{Covered: true, Old: true}
	now, later := engine.Conditions{When: &engine.When{}}, engine.Conditions{When: &engine.When{Type: engine.Depart}}
	for i, c := range []struct {
		halves     [2]engine.TrafficFacts
		conditions engine.Conditions
		want       bool
	}{
		{[2]engine.TrafficFacts{fresh, fresh}, now, false},
		{[2]engine.TrafficFacts{fresh, old}, now, false},
		{[2]engine.TrafficFacts{old, {}}, now, true},
		{[2]engine.TrafficFacts{old, old}, later, false},
		{[2]engine.TrafficFacts{}, now, false},
	} {
		known := &engine.KnownTraffic{Along: func(_ context.Context, _ []geo.Point, yield func(arc, metres float64, k engine.TrafficFacts)) error {
			for j, k := range c.halves {
				yield(float64(j)*geo.Length(line)/2, geo.Length(line)/2, k)
			}
			return nil
		}}
		shares, err := known.Shares(t.Context(), costing.Auto, &c.conditions, engine.Stretch{Line: line})
		if err != nil || known.StaleFor(shares) != c.want {
			t.Errorf("%d: %+v, stale %v, want %v (%v)", i, shares, !c.want, c.want, err)
		}
	}
}

// TestConfidence checks how far times can be trusted by what they rest on.
func TestConfidence(t *testing.T) {
	for _, c := range []struct {
		shares engine.Shares
		want   float64
	}{
		{engine.Shares{}, 0},
		{engine.Shares{Live: 1}, 0.9},
		{engine.Shares{Predicted: 1}, 0.6},
		{engine.Shares{Usual: 1}, 0.6},
		{engine.Shares{Default: 1}, 0.3},
		{engine.Shares{Live: 0.5, Predicted: 0.2, Usual: 0.1, Default: 0.2, Old: 0.4, Covered: 1}, 0.69},
	} {
		if got := c.shares.Confidence(); got != c.want {
			t.Errorf("%+v: %g, want %g", c.shares, got, c.want)
		}
	}
}
