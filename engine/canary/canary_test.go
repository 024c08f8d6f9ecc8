package canary

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

func TestQuestions(t *testing.T) {
	const good = `{"costing":"auto","locations":[{"lat":51.5,"lon":-1.5},{"lat":51.6,"lon":-1.5}]}`
	if list, err := parse([]byte(good + "\n\n" + good)); err != nil || len(list) != 2 || list[0].Costing != costing.Auto || list[0].Locations[1].Lat != 51.6 {
		t.Errorf("%+v %v", list, err)
	}
	for text, want := range map[string]string{
		"":  "no questions",
		"{": "line 1",
		good + "\n" + strings.Replace(good, "auto", "car", 1): "line 2: \"car\" is no costing",
		strings.Replace(good, "51.6", "516", 1):               "locations[1]",
		strings.Replace(good, `"lat":51.6,`, "", 1):           "locations[1]",
		`{"costing":"auto","locations":[{"lat":1,"lon":1}]}`:  "two locations",
		strings.Repeat(good+"\n", mostQuestions+1):            "more than 1000",
	} {
		if list, err := parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v %v, want %q", text, list, err, want)
		}
	}
}

func FuzzQuestions(f *testing.F) {
	f.Add([]byte(`{"costing":"auto","locations":[{"lat":51.5,"lon":-1.5},{"lat":51.6,"lon":-1.5}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := parse(text)
		for _, q := range list {
			if err != nil || len(q.Locations) < 2 || !q.Costing.Valid() {
				t.Errorf("%+v", q)
			}
		}
	})
}

// TestCompare has a new version answer twenty questions: one may be answered otherwise, and
// what the old version does not answer is not counted.
func TestCompare(t *testing.T) {
	questions := make([]Question, 20)
	for i := range questions {
		questions[i] = Question{costing.Auto, []geo.Point{{Lon: float64(i)}, {Lat: 1}}}
	}
	old := func(_ context.Context, q *Question) (Answer, error) { return Answer{10_000, 600}, nil }
	for name, c := range map[string]struct {
		old, fresh Answerer
		want       Outcome
		agrees     bool
		within     Bounds
	}{
		"alike":  {old, func(context.Context, *Question) (Answer, error) { return Answer{10_900, 650}, nil }, Outcome{Asked: 20}, true, KeptBounds},
		"longer": {old, func(context.Context, *Question) (Answer, error) { return Answer{12_000, 600}, nil }, Outcome{20, 20, "question 1, auto"}, false, KeptBounds},
		"slower": {old, func(context.Context, *Question) (Answer, error) { return Answer{10_000, 700}, nil }, Outcome{20, 20, "700 s instead of"}, false, KeptBounds},
		"one refused": {old, func(_ context.Context, q *Question) (Answer, error) {
			if q.Locations[0].Lon == 7 {
				return Answer{}, errors.New("no way")
			}
			return Answer{10_000, 600}, nil
		}, Outcome{20, 1, "question 8"}, true, KeptBounds},
		"short ones": {
			func(context.Context, *Question) (Answer, error) { return Answer{100, 10}, nil },
			func(context.Context, *Question) (Answer, error) { return Answer{149, 19}, nil },
			Outcome{Asked: 20},
			true, KeptBounds,
		},
		"nearly twice as slow, loosely":    {old, func(context.Context, *Question) (Answer, error) { return Answer{14_000, 1190}, nil }, Outcome{Asked: 20}, true, DrawnBounds},
		"more than twice as long, loosely": {old, func(context.Context, *Question) (Answer, error) { return Answer{20_100, 600}, nil }, Outcome{20, 20, "20100 m"}, false, DrawnBounds},
		"no room for half": {old, func(_ context.Context, q *Question) (Answer, error) {
			if q.Locations[0].Lon > 9 {
				return Answer{}, fault.New(fault.UpstreamUnavailable, "busy").With("retry_after", 1)
			}
			return Answer{10_000, 600}, nil
		}, Outcome{Asked: 10}, true, KeptBounds},
		"none before": {func(context.Context, *Question) (Answer, error) { return Answer{}, errors.New("no way") }, old, Outcome{}, true, KeptBounds},
	} {
		got, err := Compare(t.Context(), questions, c.old, c.fresh, c.within)
		if err != nil || got.Asked != c.want.Asked || got.Otherwise != c.want.Otherwise || !strings.Contains(got.First, c.want.First) || c.within.Accept(got) != c.agrees {
			t.Errorf("%s: %+v (agrees %t, %v), want %+v", name, got, c.within.Accept(got), err, c.want)
		}
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := Compare(gone, questions, Answerer(func(ctx context.Context, _ *Question) (Answer, error) { return Answer{}, ctx.Err() }), old, KeptBounds); !errors.Is(err, context.Canceled) {
		t.Errorf("with the caller gone: %v", err)
	}
}

// TestLatestRoutes checks that a source without questions of the operator has the latest
// routes, a bounded number of them and none with many places.
func TestLatestRoutes(t *testing.T) {
	s := NewSource(nil)
	for i := range 5000 {
		c := costing.Auto
		if i%2 == 1 {
			c = costing.Truck
		}
		s.Add(&engine.RouteRequest{Costing: c, Locations: engine.Stops([]geo.Point{{Lon: float64(i) / 100}, {Lat: 1}})})
	}
	s.Add(&engine.RouteRequest{Costing: costing.Bicycle, Locations: make([]engine.Location, mostPlaces+1)})
	all := s.Questions(func(costing.Costing) bool { return true })
	if len(all) != mostRecent {
		t.Errorf("%d questions", len(all))
	}
	late := 0
	for _, q := range all {
		if q.Costing == costing.Bicycle {
			t.Error("a route of many places is a question")
		}
		if q.Locations[0].Lon > 40 {
			late++
		}
	}
	if late < mostRecent/2 {
		t.Errorf("only %d questions are of late", late)
	}
	if list := s.Questions(func(c costing.Costing) bool { return c == costing.Truck }); len(list) == 0 || len(list) == len(all) {
		t.Errorf("%d questions are of lorries", len(list))
	}
	(*Source)(nil).Add(&engine.RouteRequest{}) // it has none, and keeps none
	fixed := NewSource([]Question{{costing.Auto, []geo.Point{{}, {Lat: 1}}}})
	fixed.Add(&engine.RouteRequest{Locations: make([]engine.Location, 2)})
	if list := fixed.Questions(func(costing.Costing) bool { return true }); len(list) != 1 || fmt.Sprint(list[0].Locations[1].Lat) != "1" {
		t.Errorf("%+v", list)
	}
}
