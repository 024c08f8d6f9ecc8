package heritage

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
	"github.com/waygate/waygate/index/heritage"
)

var home = geo.Point{Lon: -0.1, Lat: 51.5}

// at returns a point so many metres east and north of home.
func at(east, north float64) geo.Point {
	const metres = geo.EarthRadius * math.Pi / 180
	return geo.Point{Lon: home.Lon + east/metres/math.Cos(home.Lat*math.Pi/180), Lat: home.Lat + north/metres}
}

func line(xy ...float64) (l []geo.Point) {
	for i := 0; i+1 < len(xy); i += 2 {
		l = append(l, at(xy[i], xy[i+1]))
	}
	return l
}

func entry(id string, p geo.Point, direction ...float64) heritage.Entry {
	e := heritage.Entry{ID: id, Lat: p.Lat, Lon: p.Lon, Text: "Here is " + id + ".", Subject: id, Basis: "record", Source: "https://archive.example/" + id, Licence: "CC0-1.0", Reviewer: "A. Smith"}
	if direction != nil {
		e.Direction = &direction[0]
	}
	return e
}

func index(id string, entries ...heritage.Entry) *heritage.Index {
	return heritage.NewIndex([]heritage.Corpus{{
		Corridor: heritage.Corridor{ID: id, Name: "The " + id, Road: "B1"}, ReviewedOn: "2026-11-01", Attribution: []string{"Archive of " + id}, Entries: entries,
	}})
}

func answer(t *testing.T, r Request, indexes ...*heritage.Index) *Answer {
	t.Helper()
	a, err := Along(t.Context(), indexes, &r)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// spoken lists what is spoken and where, and the census.
func spoken(a *Answer) string {
	text := ""
	for _, l := range a.Lines {
		text += fmt.Sprintf("%s %.0f %.0f; ", l.ID, l.At, l.Offset)
	}
	c := a.Census
	return fmt.Sprintf("%s%d=%d+%d, %d=%d+%d+%d", text, c.Entries, c.Within, c.Beyond, c.Within, c.Spoken, c.Budget, c.Direction)
}

func TestAlong(t *testing.T) {
	street := line(0, 0, 5000, 0)
	towers := index("street", entry("north", at(1000, 79)), entry("south", at(2000, -79)), entry("far", at(3000, 81)))
	signs := index("street", entry("eastward", at(1000, 10), 90), entry("westward", at(2000, 10), 270), entry("both", at(3000, 10)), entry("slant", at(4000, 10), 31), entry("aslant", at(4500, 10), 29))
	row := index("street", entry("a", at(100, 5)), entry("b", at(300, 5)), entry("c", at(499, 5)), entry("d", at(501, 5)), entry("e", at(1000, 5)))
	for name, c := range map[string]struct {
		line  []geo.Point
		r     Request
		index *heritage.Index
		want  string
	}{
		"79 and 81 m":  {street, Request{Offset: 80, MostLines: 50}, towers, "north 1000 79; south 2000 79; 3=2+1, 2=2+0+0"},
		"within 60 m":  {street, Request{Offset: 60, MostLines: 50}, towers, "3=0+3, 0=0+0+0"},
		"eastwards":    {street, Request{Offset: 60, MostLines: 50}, signs, "eastward 1000 10; both 3000 10; slant 4000 10; 5=5+0, 5=3+0+2"},
		"westwards":    {line(5000, 0, 0, 0), Request{Offset: 60, MostLines: 50}, signs, "both 2000 10; westward 3000 10; 5=5+0, 5=2+0+3"},
		"out and back": {line(0, 0, 3500, 0, 0, 0), Request{Offset: 60, MostLines: 50}, signs, "eastward 1000 10; both 3000 10; westward 5000 10; 5=3+2, 3=3+0+0"},
		"400 m apart":  {street, Request{GapMetres: 400, Offset: 60, MostLines: 50}, row, "a 100 5; d 501 5; e 1000 5; 5=5+0, 5=3+2+0"},
		"two lines":    {street, Request{GapMetres: 10, Offset: 60, MostLines: 2}, row, "a 100 5; b 300 5; 5=5+0, 5=2+3+0"},
		"elsewhere":    {line(0, 9000, 5000, 9000), Request{Offset: 80, MostLines: 50}, row, "5=0+5, 0=0+0+0"},
		// A ride that crosses the border of an entry's reach again and again, and one round
		// and round it: 17 announcements of one historical marker (osmandapp/OsmAnd#7375).
		"in and out of reach":    {line(900, 61, 920, 59, 940, 61, 960, 59, 980, 61, 1000, 59, 1020, 61, 1040, 59, 1060, 61), Request{Offset: 60, MostLines: 50}, index("street", entry("marker", at(1000, 0))), "marker 100 59; 1=1+0, 1=1+0+0"},
		"round and round":        {line(1100, 0, 1000, 100, 900, 0, 1000, -100, 1100, 0, 1000, 100, 900, 0, 1000, -100, 1100, 0), Request{Offset: 80, MostLines: 50}, index("street", entry("marker", at(1000, 0))), "marker 71 71; 1=1+0, 1=1+0+0"},
		"an end before an entry": {line(150, 0, 240, 0), Request{Offset: 61, MostLines: 50}, row, "a 0 50; b 90 60; 5=2+3, 2=2+0+0"},
	} {
		c.r.Line = c.line
		a := answer(t, c.r, c.index)
		if got := spoken(a); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if a.Corridor == nil || a.Corridor.ID != "street" || *a.Census.Corridor != "street" || len(a.Attribution) != min(1, len(a.Lines)) || a.Lines == nil || a.Attribution == nil || a.Caveat == "" {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// TestBudgets holds the gap by time at the mean speed, with the distance as its floor.
// TestReportedElsewhere has what users of other programs reported of what is said at places: said again
// on the way back (Scottish-Tech-Army/Soundscape-Android#667), on the other carriageway too
// (osmandapp/OsmAnd#2335), one of two at the same place lost without a word (owntracks/android#54), and
// nothing where the way begins inside the reach (owntracks/ios#89).
func TestReportedElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		line []geo.Point
		what *heritage.Index
		want string
	}{
		"there and back":  {line(0, 0, 5000, 0, 0, 0), index("street", entry("a", at(1000, 10))), "a 1000 10; 1=1+0, 1=1+0+0"},
		"the other way":   {line(5000, 0, 0, 0), index("street", entry("a", at(1000, 10), 90)), "1=1+0, 1=0+0+1"},
		"at one place":    {line(0, 0, 5000, 0), index("street", entry("a", at(1000, 10)), entry("b", at(1000, 10))), "a 1000 10; 2=2+0, 2=1+1+0"},
		"where it begins": {line(0, 0, 5000, 0), index("street", entry("a", at(0, 10))), "a 0 10; 1=1+0, 1=1+0+0"},
	} {
		if got := spoken(answer(t, Request{Line: c.line, Offset: 60, GapMetres: 400, MostLines: 12}, c.what)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestBudgets(t *testing.T) {
	street := line(0, 0, 5000, 0)
	for name, c := range map[string]struct {
		duration, seconds, metres float64 // no duration is 0
		gap                       float64
		basis                     string
		kph                       float64
	}{
		"a distance alone":        {0, 900, 400, 400, "distance", 0},
		"no gap":                  {0, 900, 0, 0, "distance", 0},
		"60 s at 30 km/h":         {600, 60, 400, 500, "time", 30},
		"the floor of 400 m":      {600, 30, 400, 400, "distance", 30},
		"time that is the floor":  {600, 48, 400, 400, "distance", 30},
		"900 s at 30 km/h":        {600, 900, 400, 7500, "time", 30},
		"no time between":         {600, 0, 0, 0, "distance", 30},
		"at the pace of a walker": {3600, 900, 400, 1250, "time", 5},
	} {
		r := Request{Line: street, GapSeconds: c.seconds, GapMetres: c.metres, Offset: 60, MostLines: 12}
		if c.duration > 0 {
			r.Duration = &c.duration
		}
		got := answer(t, r, index("street", entry("a", at(10, 10)))).Census
		kph := 0.0
		if got.Speed != nil {
			kph = *got.Speed
		}
		if math.Abs(got.Gap-c.gap) > c.gap/1000 || got.Basis != c.basis || math.Abs(kph-c.kph) > 0.01*c.kph || (got.Speed == nil) != (c.duration == 0) {
			t.Errorf("%s: gap %g by %s, %g km/h: want %g by %s, %g", name, got.Gap, got.Basis, kph, c.gap, c.basis, c.kph)
		}
	}
}

func TestSeveralCorridors(t *testing.T) {
	r := Request{Line: line(0, 0, 5000, 0), Offset: 60, MostLines: 50}
	if a := answer(t, r); a.Corridor != nil || a.Census.Corridor != nil || a.Census.Entries != 0 || len(a.Lines) != 0 {
		t.Errorf("without corridors: %+v", a)
	}
	east, west := index("east", entry("a", at(3000, 5)), entry("b", at(4000, 5))), index("west", entry("c", at(1000, 5)), entry("d", at(9000, 5)))
	a := answer(t, r, west, east)
	if got := spoken(a); got != "c 1000 5; a 3000 5; b 4000 5; 4=3+1, 3=3+0+0" || a.Corridor.ID != "east" || fmt.Sprint(a.Attribution) != "[Archive of west Archive of east]" || a.Lines[0].Corridor != "west" {
		t.Errorf("%s: %+v", got, a)
	}
	// A corridor that two regions have counts once.
	if again := spoken(answer(t, r, west, east, west, east)); again != spoken(a) {
		t.Error(again)
	}
	r.Line = line(0, 9000, 100, 9000)
	if a := answer(t, r, west, east); a.Corridor.ID != "west" || a.Census.Beyond != 4 {
		t.Errorf("out of reach: %+v", a)
	}
}

// TestChosenIsBest compares with distances to every piece of the line, and with the most
// lines that a budget allows, found by trying every last line.
func TestChosenIsBest(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	several, directed, silenced := 0, 0, 0
	for n := range 300 {
		l := []geo.Point{home}
		bearing := r.Float64() * 360
		for range 2 + r.IntN(30) {
			bearing += r.NormFloat64() * 60
			l = append(l, geo.Destination(l[len(l)-1], bearing, 5+r.Float64()*150))
		}
		c := corridor.New(l)
		var entries []heritage.Entry
		for i := range r.IntN(25) {
			on, _ := c.At(r.Float64() * c.Length())
			e := entry(fmt.Sprint("e", i), geo.Destination(on, r.Float64()*360, r.Float64()*120))
			if r.IntN(3) == 0 {
				e = entry(e.ID, e.At(), r.Float64()*360)
			}
			entries = append(entries, e)
		}
		req := Request{Line: l, GapMetres: r.Float64() * 500, Offset: 1 + r.Float64()*79, MostLines: 1 + r.IntN(10)}
		a := answer(t, req, index("x", entries...))
		var arcs []float64
		within, against := 0, 0
		for _, e := range entries {
			least, least2, where, start := math.Inf(1), math.Inf(1), 0.0, 0.0
			for i := 1; i < len(l); i++ {
				_, t, square := geo.Nearest(e.At(), l[i-1], l[i])
				d, length := math.Sqrt(square), geo.Distance(l[i-1], l[i])
				least = min(least, d)
				if (e.Direction == nil || corridor.Deviation(geo.Bearing(l[i-1], l[i]), *e.Direction) <= 60) && d < least2-1e-3 {
					least2, where = d, start+t*length
				}
				start += length
			}
			if least <= req.Offset {
				within++
				if least2 <= req.Offset {
					arcs = append(arcs, where)
				} else {
					against++
				}
			}
		}
		slices.Sort(arcs)
		best := 0
		count := make([]int, len(arcs))
		for i := range arcs {
			count[i] = 1
			for j := range i {
				if arcs[i]-arcs[j] >= req.GapMetres {
					count[i] = max(count[i], count[j]+1)
				}
			}
			best = max(best, count[i])
		}
		best = min(best, req.MostLines)
		k := a.Census
		if k.Entries != len(entries) || k.Within != within || k.Beyond != len(entries)-within || k.Direction != against || k.Spoken != best || k.Budget != within-against-best || len(a.Lines) != best {
			t.Errorf("case %d: %+v; of %d are %d within reach, %d for others, %d can be spoken", n, k, len(entries), within, against, best)
		}
		for i, s := range a.Lines {
			_, there := slices.BinarySearchFunc(arcs, s.At, func(a, b float64) int {
				if math.Abs(a-b) < 0.5 {
					return 0
				}
				return int(math.Copysign(1, a-b))
			})
			if !there || i > 0 && s.At-a.Lines[i-1].At < req.GapMetres || s.Offset > req.Offset {
				t.Errorf("case %d: line %d at %g of %v", n, i, s.At, arcs)
			}
		}
		several, directed, silenced = several+min(1, best/2), directed+against, silenced+k.Budget
	}
	if several < 50 || directed < 50 || silenced < 50 {
		t.Errorf("%d answers of several lines, %d entries for others, %d silenced: the cases prove too little", several, directed, silenced)
	}
}

func TestAlongHeedsItsCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Along(ctx, []*heritage.Index{index("x", entry("a", home))}, &Request{Line: line(0, 0, 100, 0), Offset: 60, MostLines: 1})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// counted admits all work and keeps its estimate.
type counted struct{ estimate engine.Estimate }

func (c *counted) Work(ctx context.Context, e engine.Estimate) (context.Context, func(bool), error) {
	c.estimate = e
	return ctx, func(bool) {}, nil
}

// TestEffortGrowsWithTheWork checks that a line that crosses a corridor again and again is
// estimated by what it compares.
func TestEffortGrowsWithTheWork(t *testing.T) {
	var entries []heritage.Entry
	for i := range 2000 {
		entries = append(entries, entry(fmt.Sprint(i), at(float64(i%50)*10, float64(i/50)*10)))
	}
	x := []*heritage.Index{index("x", entries...)}
	var few, many counted
	zigzag := []geo.Point{}
	for i := range 5000 {
		zigzag = append(zigzag, at(float64(i%2)*500, float64(i%40)*10))
	}
	for c, l := range map[*counted][]geo.Point{&few: zigzag[:2], &many: zigzag} {
		if _, err := Along(engine.WithAdmission(t.Context(), c), x, &Request{Line: l, Offset: 60, MostLines: 50}); err != nil {
			t.Fatal(err)
		}
	}
	if few.estimate.Work <= 0 || many.estimate.Work < 500*few.estimate.Work || many.estimate.Bytes <= few.estimate.Bytes {
		t.Errorf("%+v and %+v", few.estimate, many.estimate)
	}
}

// road returns a line of a route of so many kilometres, with a position every 25 m.
func road(kilometres int) []geo.Point {
	r := rand.New(rand.NewPCG(3, 4))
	l, bearing := []geo.Point{home}, 90.0
	for range kilometres * 40 {
		bearing += r.NormFloat64() * 3
		l = append(l, geo.Destination(l[len(l)-1], bearing, 25))
	}
	return l
}

func BenchmarkAlong(b *testing.B) {
	var far, near []heritage.Entry
	l := road(100)
	for i := range 1000 {
		far = append(far, entry(fmt.Sprint("f", i), geo.Destination(at(0, 200_000), float64(i), float64(i))))
		near = append(near, entry(fmt.Sprint("n", i), geo.Destination(l[i*3], float64(i), float64(i%100))))
	}
	for name, x := range map[string]*heritage.Index{"out of reach": index("far", far...), "in reach": index("near", near...)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Along(b.Context(), []*heritage.Index{x}, &Request{Line: l, GapMetres: 400, Offset: 60, MostLines: 50}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
