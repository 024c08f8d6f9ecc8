package scenic

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/importer/basemap"
	"github.com/waygate/waygate/index/surroundings"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/towntest"
)

// drawn returns a town with a motorway in the north and a road in the south that takes a little
// longer and would be the faster one but for its ends. The area pqrs lies beside the road, wxyz
// around it, and tuvk around both.
func drawn(t *testing.T, motorway, road, areas string) (*embedded.Engine, *surroundings.Reader, *towntest.Town) {
	t.Helper()
	const width = 60
	line := func(at map[int]string) string {
		row := slices.Repeat([]string{" "}, width+1)
		for i, place := range at {
			row[i] = place
		}
		return strings.Join(row, "") + "\n"
	}
	drawing := line(map[int]string{3: "t", 57: "u"}) + line(map[int]string{0: "o", 1: "a", 5: "m", 55: "n", 59: "d", 60: "g"}) + "\n" +
		line(map[int]string{4: "w", 56: "x"}) + line(map[int]string{1: "e", 59: "f"}) + line(map[int]string{4: "p", 56: "q"}) +
		"\n" + line(map[int]string{4: "s", 56: "r"}) + line(map[int]string{4: "z", 56: "y"}) + line(map[int]string{3: "k", 57: "v"})
	ways := towntest.Ways{{"oam", "primary maxspeed=80"}, {"mn", motorway}, {"ndg", "primary maxspeed=80"}, {"ae", "primary maxspeed=30"}, {"ef", road}, {"fd", "primary maxspeed=30"}}
	for area := range strings.FieldsSeq(areas) {
		outline, tags, _ := strings.Cut(area, ":")
		ways = append(ways, [2]string{outline, strings.ReplaceAll(tags, ",", " ")})
	}
	town := towntest.Draw(t, drawing, ways)
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "map.pmtiles")
	if _, err := basemap.Build(t.Context(), basemap.Options{Sources: []string{town.PBF(t)}, Out: out, Progress: func(string, int64, int64) {}}); err != nil {
		t.Fatal(err)
	}
	r, err := tileset.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() }) // read only
	return e, surroundings.New(r), town
}

// ask compares the route through places of a town.
func ask(t *testing.T, e engine.Engine, ground *surroundings.Reader, extra float64, q *engine.RouteRequest) (*Block, *Chosen) {
	t.Helper()
	q.Costing, q.Want = costing.Auto, Wants
	found, err := e.Route(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	b, chosen, damaged, err := (&Service{Engine: e, Ground: ground}).Compare(t.Context(), &Request{Route: q, MaxExtra: extra}, found)
	if err != nil || len(damaged) > 0 {
		t.Fatal(err, damaged)
	}
	if (chosen != nil) != (b.Chosen == Scenic) || (b.Reason != nil) != (b.Chosen == Scenic) || b.Comparison.Spoken == "" || len(b.Caveats) == 0 {
		t.Errorf("%+v %+v", b, chosen)
	}
	return b, chosen
}

func through(points ...geo.Point) *engine.RouteRequest {
	return &engine.RouteRequest{Locations: engine.Stops(points)}
}

const (
	fast     = "motorway maxspeed=80"
	slow     = "primary maxspeed=80"
	country  = "primary maxspeed=90"
	lake     = "pqrsp:natural=water,water=lake,name=Mere"
	reserve  = "wxyzw:leisure=nature_reserve,name=Fen"
	forest   = "wxyzw:landuse=forest"
	park     = "wxyzw:leisure=park,name=Green"
	all      = "tuvkt:leisure=nature_reserve,name=Fen"
	drydock  = "pqrsp:natural=water,water=basin,name=Mere"
	wellhead = "wxyzw:boundary=protected_area,protect_class=12,name=Well"
)

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, motorway, road, areas string
		extra                       float64
		verdicts                    string // on the candidates
		features                    string // of the chosen route
	}{
		{name: "beside a lake", motorway: fast, areas: lake, extra: 30, verdicts: "alternate: no_motorway:same_route", features: "open_water"},
		{name: "in a reserve", motorway: fast, areas: reserve, extra: 30, verdicts: "alternate: no_motorway:same_route", features: "protected_landscape=Fen"},
		{name: "in a park beside a lake", motorway: fast, areas: park + " " + lake, extra: 30, verdicts: "alternate: no_motorway:same_route", features: "open_water park=Green"},
		{name: "no time", motorway: fast, areas: lake, verdicts: "alternate:over_time_budget no_motorway:same_route"},
		{name: "a wood is too little", motorway: fast, areas: forest, extra: 30, verdicts: "alternate:not_scenic_enough no_motorway:same_route"},
		{name: "a park has no weight", motorway: fast, areas: park, extra: 30, verdicts: "alternate:not_scenic_enough no_motorway:same_route"},
		{name: "a wood and no motorway", motorway: slow, areas: forest, extra: 30, verdicts: "alternate:not_scenic_enough"},
		{name: "nothing anywhere", motorway: slow, extra: 30, verdicts: "alternate:no_scenic_gain"},
		{name: "a basin is no lake", motorway: slow, areas: drydock, extra: 30, verdicts: "alternate:no_scenic_gain"},
		{name: "wells are protected for no beauty", motorway: slow, areas: wellhead, extra: 30, verdicts: "alternate:no_scenic_gain"},
		{name: "all in a tunnel", motorway: slow, road: country + " tunnel=yes", areas: lake, extra: 30, verdicts: "alternate:no_scenic_gain"},
		{name: "the same around both", motorway: fast, areas: all, extra: 30, verdicts: "alternate:nothing_to_say no_motorway:same_route", features: "protected_landscape=Fen"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.road == "" {
				c.road = country
			}
			e, ground, town := drawn(t, c.motorway, c.road, c.areas)
			b, chosen := ask(t, e, ground, c.extra, through(town.Point("o"), town.Point("g")))
			var verdicts, features []string
			for _, one := range b.Candidates {
				why := Rejected("")
				if one.Rejected != nil {
					why = *one.Rejected
				}
				verdicts = append(verdicts, string(one.Source)+":"+string(why))
			}
			for _, f := range b.Features {
				text := string(f.Kind)
				if f.Name != nil {
					text += "=" + *f.Name
				}
				features = append(features, text)
				// The areas end 300 m or 200 m before the road does.
				if f.Metres < 5000 || f.Metres > 5800 || f.Longest != f.Metres || f.Share < 0.75 || f.Share > 1 {
					t.Errorf("%+v", f)
				}
			}
			if got := strings.Join(verdicts, " "); got != c.verdicts {
				t.Errorf("%s, want %s: %+v", got, c.verdicts, b)
			}
			if got := strings.Join(features, " "); got != c.features {
				t.Errorf("%s, want %s", got, c.features)
			}
			if m := b.Metering; m.Route != 1 || m.MostEver != 2 || m.Probes != strings.Count(c.verdicts, ":") {
				t.Errorf("%+v", m)
			}
			if b.Coverage.Zoom != 12 || b.Coverage.Measured != 1 || b.Coverage.Missing != 0 || b.Coverage.Read == 0 {
				t.Errorf("%+v", b.Coverage)
			}
			x := b.Comparison
			if chosen == nil && (x.ExtraSeconds != 0 || x.Chosen != x.Fastest) {
				t.Errorf("%+v", x)
			}
			if chosen != nil && (x.ExtraMetres != x.Chosen.Metres-x.Fastest.Metres || x.ExtraMetres < 500 || x.ExtraSeconds <= 0 || !strings.Contains(x.Spoken, "longer")) {
				t.Errorf("%+v", x)
			}
		})
	}
}

// TestScore adds the shares of what is seen by the weights of the contract.
func TestScore(t *testing.T) {
	e, ground, town := drawn(t, fast, country, lake+" "+reserve)
	b, _ := ask(t, e, ground, 30, through(town.Point("o"), town.Point("g")))
	want := 0.0
	for _, f := range b.Features {
		want += map[Kind]float64{"open_water": 0.20, "protected_landscape": 0.25}[f.Kind] * f.Share
	}
	if got := b.Candidates[0].Score; got < want-0.002 || got > want+0.002 || got < 0.35 {
		t.Errorf("%v, want %v", got, want)
	}
	// The fastest has nothing but its motorway: 5 km of 6 km.
	if !strings.Contains(*b.Reason, "the fastest route -0.20") {
		t.Error(*b.Reason)
	}
	weights := 0.0
	for _, k := range kinds {
		weights += k.weight
	}
	if weights < 0.9999 || weights > 1.0001 {
		t.Errorf("the weights add up to %v", weights)
	}
}

// calls counts the routes that are computed, and fails those that a case wants to fail.
type calls struct {
	engine.Engine
	made []*engine.RouteRequest
	fail func(*engine.RouteRequest) bool
}

func (c *calls) Route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	c.made = append(c.made, r)
	if c.fail != nil && c.fail(r) {
		return nil, fault.New(fault.UpstreamUnavailable, "gone")
	}
	return c.Engine.Route(ctx, r)
}

func TestProbes(t *testing.T) {
	e, ground, town := drawn(t, fast, country, lake)
	a, d := town.Point("o"), town.Point("g")
	barred := func(r *engine.RouteRequest) bool { return r.Options.On(costing.ExcludeHighways) }
	for _, c := range []struct {
		name         string
		q            *engine.RouteRequest
		fail         func(*engine.RouteRequest) bool
		made         int // computations besides the route's own
		probes, most int // that succeeded, and that were reserved
		chosen, note string
	}{
		{name: "two locations", q: through(a, d), made: 2, probes: 2, most: 2, chosen: Scenic},
		{name: "alternates are there already", q: &engine.RouteRequest{Locations: engine.Stops([]geo.Point{a, d}), Alternates: 2}, made: 1, probes: 1, most: 1, chosen: Scenic},
		{name: "too few of them", q: &engine.RouteRequest{Locations: engine.Stops([]geo.Point{a, d}), Alternates: 1}, made: 2, probes: 2, most: 2, chosen: Scenic},
		{name: "three locations", q: through(a, town.Point("a"), d), made: 1, probes: 1, most: 1, chosen: Scenic, note: "more than two locations"},
		{name: "alternates fail", q: through(a, d), fail: func(r *engine.RouteRequest) bool { return r.Alternates > 0 }, made: 2, probes: 1, most: 2, chosen: Scenic, note: "the alternates"},
		{name: "the way without motorways fails", q: through(a, d), fail: barred, made: 2, probes: 1, most: 2, chosen: Scenic, note: "without motorways"},
		{name: "all fail", q: through(a, d), fail: func(r *engine.RouteRequest) bool { return r.Alternates > 0 || barred(r) }, made: 2, most: 2, chosen: Fastest, note: "failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			heard := &calls{Engine: e, fail: c.fail}
			b, _ := ask(t, heard, ground, 30, c.q)
			note := ""
			if b.CandidateNote != nil {
				note = *b.CandidateNote
			}
			if len(heard.made)-1 != c.made || *b.Metering != (Metering{1, c.probes, c.most}) || b.Chosen != c.chosen || !strings.Contains(note, c.note) || c.note == "" && note != "" {
				t.Errorf("%d calls, %+v, %s, %q", len(heard.made), *b.Metering, b.Chosen, note)
			}
			if Most(len(c.q.Locations), c.q.Alternates) != c.most {
				t.Errorf("%d are reserved", Most(len(c.q.Locations), c.q.Alternates))
			}
		})
	}
	// Who starts on the motorway has no way without it.
	if b, _ := ask(t, e, ground, 30, through(town.Between("m", "n", 0.1), d)); b.Chosen != Fastest || slices.ContainsFunc(b.Candidates, func(one Candidate) bool { return one.Rejected == nil }) {
		t.Errorf("%+v", b)
	}
	// A caller who leaves ends the comparison.
	ctx, cancel := context.WithCancel(t.Context())
	q := through(a, d)
	q.Costing, q.Want = costing.Auto, Wants
	found, err := e.Route(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, _, _, err := (&Service{Engine: e, Ground: ground}).Compare(ctx, &Request{Route: q, MaxExtra: 30}, found); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestSilent takes no route for one without motorways of which the engine does not say so.
func TestSilent(t *testing.T) {
	line := []geo.Point{{Lon: 1, Lat: 51}, {Lon: 1.1, Lat: 51}}
	for _, c := range []struct {
		name    string
		format  engine.Format
		leg     engine.Leg
		note    string
		caveats int
	}{
		{"no steps in OSRM's form", engine.OSRM, engine.Leg{Line: line}, "does not say", 2},
		{"steps without a motorway", engine.OSRM, engine.Leg{Line: line, Manoeuvres: make([]guidance.Manoeuvre, 1)}, "uses no motorway", 1},
		{"a summary that has none", engine.Native, engine.Leg{Line: line}, "uses no motorway", 1},
	} {
		found := &engine.RouteAnswer{Raw: []byte("{}"), Routes: []engine.Route{{Legs: []engine.Leg{c.leg}}}}
		q := through(line[0], line[0], line[1])
		q.Format = c.format
		b, _, _, err := (&Service{Engine: engine.Unimplemented{}, Ground: surroundings.New(empty{})}).Compare(t.Context(), &Request{Route: q, MaxExtra: 30}, found)
		if err != nil || b.CandidateNote == nil || !strings.Contains(*b.CandidateNote, c.note) || len(b.Caveats) != c.caveats || b.Metering.Probes != 0 {
			t.Errorf("%s: %v %+v", c.name, err, b)
		}
	}
}

// empty is an archive without tiles.
type empty struct{}

func (empty) TileIn(context.Context, int, int, int) ([]byte, bool, error) { return nil, false, nil }

// TestUnseen calls no route scenic of which the map is missing, and takes none for empty.
func TestUnseen(t *testing.T) {
	e, _, town := drawn(t, fast, country, lake)
	b, _ := ask(t, e, surroundings.New(empty{}), 30, through(town.Point("o"), town.Point("g")))
	if b.Chosen != Fastest || b.Coverage.Read != 0 || b.Coverage.Missing == 0 || b.Coverage.Measured != 0 || len(b.Features) != 0 {
		t.Errorf("%+v %+v", b, b.Coverage)
	}
	// What was measured of one of two routes alone says nothing of which is the more scenic.
	seen := func(measured float64) *route {
		tr := &track{length: 1000, measured: measured}
		tr.seen[surroundings.Sea].metres = measured
		return &route{answer: &engine.RouteAnswer{Routes: make([]engine.Route, 1)}, track: tr}
	}
	for _, c := range []struct {
		fast, other float64
		want        Rejected
	}{{1000, 400, NothingToSay}, {400, 1000, NothingToSay}, {600, 600, ""}} {
		x := &comparison{fastest: seen(c.fast), candidates: []*route{seen(c.other)}, Request: &Request{MaxExtra: 30}}
		x.fastest.track.seen[surroundings.Sea].metres = 0
		x.fastest.answer.Routes[0].Legs = []engine.Leg{{Line: []geo.Point{{Lon: 1}}}} // another line
		if got := x.reject(0); got != c.want {
			t.Errorf("%v: %q", c, got)
		}
	}
}
