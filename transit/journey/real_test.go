package journey_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/waygate/waygate/gtfs"
	importer "github.com/waygate/waygate/importer/timetable"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/transit/journey"
)

const newport = "newport-wales-bus_gtfs.zip"

// real returns a town of a feed, with walks of up to 300 m.
func real(t testing.TB, feed string) *town {
	t.Helper()
	out := filepath.Join(t.TempDir(), "section")
	if _, err := importer.Build(t.Context(), importer.Options{Feeds: []string{realdata.File(t, "transit/"+feed)}, Out: out}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	s, err := region.ReadSection(timetable.SectionName, data)
	if err != nil {
		t.Fatal(err)
	}
	x, err := timetable.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	d := &town{x: x, walk: near(x, 300)}
	d.n = journey.NewNetwork(x, d.walks)
	for s := range uint32(x.Stops()) {
		if len(x.CallsAt(s)) > 0 {
			d.stops = append(d.stops, s)
		}
	}
	return d
}

// near returns the walks between stops that are near each other.
func near(x *timetable.Index, metres float64) map[uint32][]journey.Walk {
	walks := map[uint32][]journey.Walk{}
	for s := range uint32(x.Stops()) {
		if len(x.CallsAt(s)) == 0 {
			continue
		}
		x.Near(x.Stop(s).At, metres, func(to uint32, away float64) {
			if to != s && len(x.CallsAt(to)) > 0 {
				walks[s] = append(walks[s], journey.Walk{To: to, Seconds: int32(math.Ceil(away * 1.3 / 1.2))})
			}
		})
	}
	return walks
}

// around returns the stops that can be walked to from one.
func (d *town) around(stop uint32) []journey.Access {
	list := []journey.Access{{Stop: stop}}
	for _, w := range d.walk[stop] {
		list = append(list, journey.Access{Stop: w.To, Seconds: w.Seconds})
	}
	return list
}

// realQuestion draws a question about a real timetable, by day.
func (d *town) realQuestion(r *rand.Rand) *journey.Query {
	first, last, _ := d.x.Span()
	day := first + 7
	if n := int(last-first) - 14; n > 0 {
		day += gtfs.Date(r.IntN(n))
	}
	return &journey.Query{
		From: d.around(d.stops[r.IntN(len(d.stops))]), To: d.around(d.stops[r.IntN(len(d.stops))]), Direct: -1,
		At:    day.Begin(time.UTC).Add(7*time.Hour + time.Duration(r.IntN(12*3600))*time.Second),
		Modes: timetable.All, MinChange: 60,
	}
}

const inTurn = 10

// benchmark asks 200 questions, each ten times in turn. What it reports as p50 and p95 is of the
// least time that each of them took: others on the machine make a question slower now and
// then, but not each time.
func benchmark(b *testing.B, d *town, apart float64, change func(q *journey.Query)) {
	r := rand.New(rand.NewPCG(1, 1))
	queries := make([]*journey.Query, 200)
	first, last, _ := d.x.Span()
	day := (first + last) / 2
	day -= gtfs.Date(day.Weekday()) - 1 // a Tuesday
	for i := range queries {
		queries[i] = d.realQuestion(r)
		from := d.stops[r.IntN(len(d.stops))]
		var near []uint32
		d.x.Near(d.x.Stop(from).At, apart, func(stop uint32, _ float64) {
			if len(d.x.CallsAt(stop)) > 0 {
				near = append(near, stop)
			}
		})
		slices.Sort(near)
		queries[i].From, queries[i].To = d.around(from), d.around(near[r.IntN(len(near))])
		queries[i].At = day.Begin(time.UTC).Add(7*time.Hour + time.Duration(r.IntN(12*3600))*time.Second)
		change(queries[i])
	}
	for _, q := range queries[:20] {
		find(b, d.n, q)
	}
	found, n := 0, 0
	times := make([]time.Duration, len(queries)) // the least of each
	before := processor(b)
	for b.Loop() {
		at := n / inTurn % len(queries)
		begin := time.Now()
		found += len(find(b, d.n, queries[at]))
		if took := time.Since(begin); times[at] == 0 || took < times[at] {
			times[at] = took
		}
		n++
	}
	times = times[:min((n+inTurn-1)/inTurn, len(times))]
	b.ReportMetric(float64(processor(b)-before)/float64(time.Microsecond)/float64(n), "cpu-µs/op")
	b.ReportMetric(float64(found)/float64(n), "journeys/op")
	b.ReportMetric(percentile(times, 50), "p50-µs")
	b.ReportMetric(percentile(times, 95), "p95-µs")
}

func BenchmarkNewport(b *testing.B) {
	d := real(b, newport)
	for _, c := range []struct {
		name  string
		apart float64 // metres between the ends at most
	}{{"near", 10_000}, {"far", 300_000}} {
		b.Run(c.name+"/departure", func(b *testing.B) { benchmark(b, d, c.apart, func(*journey.Query) {}) })
		b.Run(c.name+"/arrival", func(b *testing.B) { benchmark(b, d, c.apart, func(q *journey.Query) { q.ArriveBy = true }) })
		b.Run(c.name+"/window", func(b *testing.B) { benchmark(b, d, c.apart, func(q *journey.Query) { q.Window = 2 * time.Hour }) })
		b.Run(c.name+"/arrival-window", func(b *testing.B) {
			benchmark(b, d, c.apart, func(q *journey.Query) { q.Window, q.ArriveBy = 2*time.Hour, true })
		})
	}
	b.Run("reach", func(b *testing.B) {
		r := rand.New(rand.NewPCG(1, 1))
		stops := 0
		for b.Loop() {
			if err := d.n.Reach(b.Context(), d.realQuestion(r), time.Hour, func(uint32, int32, bool) { stops++ }); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(stops)/float64(b.N), "stops/op")
	})
}

// percentile returns one of times, in microseconds.
func percentile(times []time.Duration, n int) float64 {
	slices.Sort(times)
	return float64(times[(len(times)-1)*n/100].Nanoseconds()) / 1000
}

// processor returns the processor time that was used.
func processor(t testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
