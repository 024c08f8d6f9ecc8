package e2e

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkEndpoints asks every endpoint again and again over one connection,
// by the questions of testdata/answers that have an answer (corpus) and by
// drawn ones (drawn). An operation is one request, all of a set weighing the
// same; cpu-µs/op is the processor time of the server, which a busy machine
// changes little.
//
// $WAYGATE_BINARY names another binary than the one that is built, and
// $WAYGATE_BENCH_REGION the folder of a region in place of the sample county,
// to which only drawn questions are put.
func BenchmarkEndpoints(b *testing.B) {
	region, elsewhere := os.LookupEnv("WAYGATE_BENCH_REGION")
	if !elsewhere {
		region = countyDir(b)
	}
	g := start(b, []string{"SVC_REGION_DIR=" + region, "SVC_ADMIN_TOKEN=" + adminToken}, "serve")
	key, _ := mint(b, g, 1e12, 1e6)
	s := &scribe{gateway: g, key: key}
	if !elsewhere {
		b.Run("corpus", func(b *testing.B) {
			asked := corpus(b)
			for _, e := range endpoints(b, g.get(b, "/openapi.json")) {
				if set := slices.DeleteFunc(slices.Clone(asked), func(q question) bool { return !e.takes(q) }); len(set) > 0 {
					b.Run(e.name(), func(b *testing.B) { s.measure(b, set) })
				}
			}
		})
	}
	b.Run("drawn", func(b *testing.B) {
		for _, d := range drawn(b, s) {
			b.Run(d.name, func(b *testing.B) { s.measure(b, d.set) })
		}
	})
}

// corpus returns the questions that have an answer and change nothing.
func corpus(b *testing.B) (all []question) {
	b.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", answersDir, "*.txt"))
	if err != nil || len(files) == 0 {
		b.Fatalf("no answers (%v)", err)
	}
	for _, file := range files {
		if filepath.Base(file) != accountsFile+".txt" {
			all = append(all, questions(b, file)...)
		}
	}
	return slices.DeleteFunc(all, func(q question) bool { return !strings.HasPrefix(q.want, "200\n") })
}

// name returns that of the endpoint's benchmark.
func (e endpoint) name() string { return e.method + strings.ReplaceAll(e.path, "/", ":") }

// measure asks the questions of a set in turn.
func (s *scribe) measure(b *testing.B, set []question) {
	b.Helper()
	for _, q := range set { // what is worked out once is no part of it
		if a := s.send(b, q); a.status != 200 {
			b.Fatalf("%s %s\n%.2000s\n%s", q.method, q.target, q.body, a)
		}
	}
	began, passes := worked(b, s.gateway), 0
	for b.Loop() {
		for _, q := range set {
			s.send(b, q)
		}
		passes++
	}
	requests := float64(passes * len(set))
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/requests, "ns/op")
	b.ReportMetric(float64((worked(b, s.gateway)-began).Microseconds())/requests, "cpu-µs/op")
}

// worked returns the processor time that a gateway has had, to the nanosecond.
func worked(b testing.TB, g *gateway) time.Duration {
	b.Helper()
	return processor(b, g.cmd.Process.Pid)
}

// processor returns the processor time that a process has had.
func processor(b testing.TB, pid int) time.Duration {
	b.Helper()
	ran, _ := processors(b, pid)
	return ran
}

// processors returns the processor time that the threads of a process have had, and how long they
// waited for one while others had it.
func processors(b testing.TB, pid int) (ran, waited time.Duration) {
	b.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(threads) == 0 {
		b.Fatalf("no threads in /proc (%v): the benchmark runs on Linux", err)
	}
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if err != nil {
			continue // the thread has ended
		}
		var on, off, slices int64
		if _, err := fmt.Sscan(string(text), &on, &off, &slices); err != nil {
			b.Fatalf("%s: %q", thread, text)
		}
		ran, waited = ran+time.Duration(on), waited+time.Duration(off)
	}
	return ran, waited
}

// drawnSet is a benchmark of drawn questions.
type drawnSet struct {
	name string
	set  []question
}

// drawn makes questions between places of whatever region is served.
func drawn(b *testing.B, s *scribe) []drawnSet {
	b.Helper()
	places := s.settle(b)
	long := fmt.Sprintf(`"locations":[%s,%s],"costing":"auto"`, places[0], places[1])
	// The legs of a journey, for sets of some requests.
	legs := func(format string, n int) (set []question) {
		for i := range n {
			set = append(set, posted("", fmt.Sprintf(format, places[i], places[i+1])))
		}
		return set
	}
	to := func(target string, set []question) []question {
		for i := range set {
			set[i].target = target
		}
		return set
	}
	var route struct {
		Routes []struct {
			Geometry struct{ Coordinates [][2]float64 }
		}
	}
	s.send(b, asked(fmt.Sprintf("/route/v1/driving/%s;%s?overview=full&geometries=geojson", places[0].url(), places[1].url()))).into(b, &route)
	trace := noisy(route.Routes[0].Geometry.Coordinates, 400)
	var urls []string
	for _, p := range places {
		urls = append(urls, p.url())
	}
	var positions, matched []string
	for i, p := range trace {
		positions = append(positions, p.String())
		if i < 100 {
			matched = append(matched, p.url())
		}
	}
	shape := `"shape":[` + strings.Join(positions, ",") + `]`
	all := `[` + joined(places) + `]`
	both := `{"locations":[%s,%s],"costing":"auto"`
	all50 := fmt.Sprintf(`{"sources":%s,"targets":%s,"costing":"auto"}`, all, all)
	full := "steps=true&overview=full&annotations=true&voice_instructions=true&banner_instructions=true"
	return []drawnSet{
		{"route", to("/route", legs(both+`}`, 10))},
		{"route lorry", to("/route", legs(strings.Replace(both, "auto", "truck", 1)+`}`, 10))},
		{"route on foot", to("/route", legs(strings.Replace(both, "auto", "pedestrian", 1)+`}`, 10))},
		{"route with other options", to("/route", legs(both+`,"costing_options":{"auto":{"use_highways":0.1,"top_speed":90}}}`, 10))},
		{"route without text", to("/route", legs(both+`,"directions_type":"none"}`, 10))},
		{"route with alternates", to("/route", legs(both+`,"alternates":2}`, 10))},
		{"route with rationale", to("/route", legs(both+`,"rationale":true,"exclude":["tolls"]}`, 5))},
		{"route with landmarks", to("/route", legs(both+`,"landmarks":true}`, 10))},
		{"route in Welsh", to("/route", legs(both+`,"language":"cy"}`, 10))},
		{"route through 50", to("/route", []question{posted("", `{"locations":`+all+`,"costing":"auto"}`)})},
		{"route osrm for a navigator", to("/route", legs(both+`,"format":"osrm","voice_instructions":true,"banner_instructions":true,"turn_lanes":true,`+
			`"filters":{"action":"include","attributes":["shape_attributes.length","shape_attributes.time","shape_attributes.speed","shape_attributes.speed_limit"]}}`, 10))},
		{"osrm route", []question{asked("/route/v1/driving/" + urls[0] + ";" + urls[1])}},
		{"osrm route for a navigator", []question{asked("/route/v1/driving/" + urls[0] + ";" + urls[1] + "?" + full)}},
		{"osrm table 50x50", []question{asked("/table/v1/driving/" + strings.Join(urls, ";") + "?annotations=duration,distance")}},
		{"osrm nearest", []question{asked("/nearest/v1/driving/" + urls[0] + "?number=5")}},
		{"osrm match 100", []question{asked("/match/v1/driving/" + strings.Join(matched, ";") + "?" + full)}},
		{"osrm trip 10", []question{asked("/trip/v1/driving/" + strings.Join(urls[:10], ";"))}},
		{"locate 50", []question{posted("/locate", `{"locations":`+all+`,"costing":"auto"}`)}},
		{"locate verbose", []question{posted("/locate", `{"locations":[`+places[0].String()+`],"costing":"auto","verbose":true}`)}},
		{"progress", []question{posted("/route/progress", `{"costing":"auto","position":`+trace[len(trace)/2].String()+`,`+shape+`}`)}},
		{"along 40 places", []question{posted("/route/along", `{`+long+`,"places":[`+joined(places[2:42])+`]}`)}},
		{"report", to("/route/report", legs(both+`}`, 10))},
		{"report of a line", []question{posted("/route/report", `{"costing":"auto",`+shape+`}`)}},
		{"centroid 5", []question{posted("/centroid", `{"costing":"auto","locations":[`+joined(places[:5])+`]}`)}},
		{"matrix 5x5", []question{posted("/matrix", `{"locations":[`+joined(places[:5])+`],"costing":"auto"}`)}},
		{"matrix 50x50", []question{posted("/matrix", all50)}},
		{"matrix 50x50 lorry", []question{posted("/matrix", strings.Replace(all50, "auto", "truck", 1))}},
		{"isochrone 10 min", []question{posted("/isochrone", `{"locations":[`+places[0].String()+`],"costing":"auto","contours":[{"time":10}],"polygons":true}`)}},
		{"trace_route 400", []question{posted("/trace_route", `{"costing":"auto","shape_match":"map_snap",`+shape+`}`)}},
		{"trace_attributes 400", []question{posted("/trace_attributes", `{"costing":"auto","shape_match":"map_snap",`+shape+`}`)}},
	}
}

// spot is a place of a drawn question.
type spot struct{ lat, lon float64 }

// String returns the place as a body has it.
func (p spot) String() string { return fmt.Sprintf(`{"lat":%.6f,"lon":%.6f}`, p.lat, p.lon) }

func (p spot) url() string { return fmt.Sprintf("%.6f,%.6f", p.lon, p.lat) }

func joined(places []spot) string {
	var all []string
	for _, p := range places {
		all = append(all, p.String())
	}
	return strings.Join(all, ",")
}

func asked(target string) question { return question{method: "GET", target: target} }

func posted(target, body string) question {
	return question{method: "POST", target: target, body: body}
}

// settle finds fifty places on roads that a car reaches from one another.
func (s *scribe) settle(b testing.TB) []spot {
	b.Helper()
	var facts struct{ Bounds [4]float64 }
	s.send(b, asked("/explorer.json")).into(b, &facts)
	seed := uint64(1) // the same places each time
	next := func(from, to float64) float64 {
		seed = seed*6364136223846793005 + 1442695040888963407
		return from + (to-from)*float64(seed>>11)/(1<<53)
	}
	var found []spot
	for tries := 0; len(found) < 150; tries++ {
		if tries == 10_000 {
			b.Fatalf("%d places on roads in %d tries", len(found), tries)
		}
		p := spot{lon: next(facts.Bounds[0], facts.Bounds[2]), lat: next(facts.Bounds[1], facts.Bounds[3])}
		a := s.send(b, asked("/nearest/v1/driving/"+p.url()))
		if a.status != 200 {
			continue
		}
		var nearest struct {
			Waypoints []struct{ Location [2]float64 }
		}
		a.into(b, &nearest)
		at := nearest.Waypoints[0].Location
		found = append(found, spot{lat: at[1], lon: at[0]})
	}
	var matrix struct{ Durations [][]*float64 }
	s.send(b, posted("/matrix", `{"locations":[`+joined(found)+`],"costing":"auto"}`)).into(b, &matrix)
	var best []spot
	for i := range found {
		var met []spot
		for j := range found {
			if matrix.Durations[i][j] != nil && matrix.Durations[j][i] != nil {
				met = append(met, found[j])
			}
		}
		if len(met) > len(best) {
			best = met
		}
	}
	if len(best) < 50 {
		b.Fatalf("%d of %d places reach one another", len(best), len(found))
	}
	return best[:50]
}

// noisy returns n positions evenly along a line, each some metres off it.
func noisy(line [][2]float64, n int) (positions []spot) {
	var arc []float64
	sum := 0.0
	for i, p := range line {
		if i > 0 {
			sum += math.Hypot((p[0]-line[i-1][0])*math.Cos(p[1]*math.Pi/180), p[1]-line[i-1][1])
		}
		arc = append(arc, sum)
	}
	for i := range n {
		at := sum * float64(i) / float64(n)
		k, _ := slices.BinarySearch(arc, at)
		k = min(max(k, 1), len(line)-1)
		share := (at - arc[k-1]) / max(arc[k]-arc[k-1], 1e-12)
		off := [2]float64{float64(i*7%5-2) * 2e-5, float64(i*3%5-2) * 2e-5} // to 4 m
		positions = append(positions, spot{
			lon: line[k-1][0] + share*(line[k][0]-line[k-1][0]) + off[0],
			lat: line[k-1][1] + share*(line[k][1]-line[k-1][1]) + off[1],
		})
	}
	return positions
}
