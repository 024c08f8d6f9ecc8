package bench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/parallel"
)

// Load is a server under a mix of small and dear calls: what becomes of small
// ones, and of those that come all at once.
type Load struct {
	Server  *Server
	Set     []Request     // routes: the small calls, and the places of the dear ones
	Small   int           // clients of small calls
	Dear    int           // clients of dear ones
	Block   time.Duration // small calls alone and beside dear ones take turns of so long
	Rounds  int
	Burst   int // dear calls at once
	Readers int // connections of plain routes, and isochrones at once

	mu   sync.Mutex
	seed int
}

// Tally counts calls by their outcome.
type Tally struct {
	Took   []time.Duration // of those answered with 200
	Status map[int]int
	Hints  int           // refusals with Retry-After
	Heard  time.Duration // the longest until any answer
	Over   time.Duration // all of it
}

// Quantile returns the time that a share of the answers kept below; it sorts them.
func (t *Tally) Quantile(share float64) time.Duration {
	if len(t.Took) == 0 {
		return 0
	}
	slices.Sort(t.Took)
	return t.Took[min(len(t.Took)-1, int(share*float64(len(t.Took))))]
}

// Rate is answers a second.
func (t *Tally) Rate() float64 { return float64(len(t.Took)) / t.Over.Seconds() }

func (t *Tally) String() string {
	return fmt.Sprintf("%d answered, %.1f/s, p50 %s, p99 %s, the longest until any answer %s, statuses %v, %d with Retry-After",
		len(t.Took), t.Rate(), round(t.Quantile(0.5)), round(t.Quantile(0.99)), round(t.Heard), t.Status, t.Hints)
}

func (t *Tally) add(o *Tally) {
	t.Took = append(t.Took, o.Took...)
	if t.Status == nil {
		t.Status = map[int]int{}
	}
	for s, n := range o.Status {
		t.Status[s] += n
	}
	t.Hints, t.Heard, t.Over = t.Hints+o.Hints, max(t.Heard, o.Heard), t.Over+o.Over
}

// Run loads the server and writes what came of it.
func (l *Load) Run(ctx context.Context, w io.Writer) error {
	if len(l.Set) < 2 {
		return fmt.Errorf("a set of at least two routes is needed")
	}
	if _, err := l.clients(ctx, l.Small, l.Block/2, l.route); err != nil { // warm
		return err
	}
	for _, part := range []struct {
		name string
		n    int
		of   func(int) call
	}{
		{"connections of plain routes, 20 each", l.Readers, l.route}, {"isochrones of an hour with an exclusion at once", l.Readers, l.hour}, {"dear matrices at once", l.Burst, l.timed},
	} {
		if _, err := l.send(ctx, part.of(l.next())); err != nil { // what the first of its kind works out stays
			return err
		}
		before := l.Server.Own()
		t, most, err := l.burst(ctx, part.n, part.of)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(w, "%d %s: %s; own memory %d MB before, %+d MB at most\n", part.n, part.name, t, before>>20, (most-before)>>20)
	}
	var alone, beside, dear Tally
	for range l.Rounds {
		t, err := l.clients(ctx, l.Small, l.Block, l.route)
		if err != nil {
			return err
		}
		alone.add(t)
		loading, stop := context.WithCancel(ctx)
		var others *Tally
		var beyond parallel.Group
		beyond.Go(func() { others, _ = l.clients(loading, l.Dear, time.Hour, l.dear) }) // ended by stop
		time.Sleep(l.Block / 5)                                                         // until the dear ones are there
		t, err = l.clients(ctx, l.Small, l.Block, l.route)
		stop()
		beyond.Wait()
		dear.add(others)
		if err != nil {
			return err
		}
		beside.add(t)
	}
	_, _ = fmt.Fprintf(w, "%d clients of small routes alone: %s\n", l.Small, &alone)
	_, _ = fmt.Fprintf(w, "the same beside %d clients of dear calls: %s\n", l.Dear, &beside)
	_, _ = fmt.Fprintf(w, "the dear calls: %s\n", &dear)
	_, _ = fmt.Fprintf(w, "beside dear calls p99 is %.1f times of what it is alone, the rate %.0f %%\n",
		beside.Quantile(0.99).Seconds()/alone.Quantile(0.99).Seconds(), 100*beside.Rate()/alone.Rate())

	return nil
}

// call is a request as it is sent.
type call struct {
	path string
	body any
	n    int // times, one after the other
}

// clients has clients ask again and again for a while.
func (l *Load) clients(ctx context.Context, n int, d time.Duration, of func(int) call) (*Tally, error) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	began := time.Now()
	t := &Tally{}
	var all parallel.Group
	for range n {
		all.Go(func() {
			for ctx.Err() == nil {
				one, err := l.send(ctx, of(l.next()))
				if err == nil {
					l.mu.Lock()
					t.add(one)
					l.mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	t.Over = time.Since(began)
	if len(t.Status) == 0 && n > 0 && d < time.Hour {
		return nil, fmt.Errorf("%s answered nothing in %s", l.Server.Address, d)
	}
	return t, nil
}

// burst sends calls at once, and returns the most memory that the server took.
func (l *Load) burst(ctx context.Context, n int, of func(int) call) (*Tally, int64, error) {
	began := time.Now()
	t := &Tally{}
	var failure error
	var all parallel.Group
	for range n {
		all.Go(func() {
			c := of(l.next())
			for range max(1, c.n) {
				one, err := l.send(ctx, c)
				l.mu.Lock()
				if err != nil {
					failure = err
				} else {
					t.add(one)
				}
				l.mu.Unlock()
			}
		})
	}
	most := l.Server.watch(all.Wait)
	t.Over = time.Since(began)
	return t, most, failure
}

func (l *Load) next() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seed++
	return l.seed
}

// send makes a call and reads its answer to the end.
func (l *Load) send(ctx context.Context, c call) (*Tally, error) {
	r, err := l.Server.newRequest(ctx, http.MethodPost, c.path, c.body)
	if err != nil {
		return nil, err
	}
	return l.heard(r)
}

// heard sends a request and reads its answer to the end.
func (l *Load) heard(r *http.Request) (*Tally, error) {
	began := time.Now()
	resp, err := l.Server.do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return nil, err
	}
	took := time.Since(began)
	t := &Tally{Status: map[int]int{resp.StatusCode: 1}, Heard: took}
	if resp.StatusCode == http.StatusOK {
		t.Took = []time.Duration{took}
	} else if resp.Header.Get("Retry-After") != "" {
		t.Hints = 1
	}
	return t, nil
}

// latLon is a location of a request in Valhalla's form.
type latLon struct {
	Lat float64 `json:"lat"`
	Lon float64 `json:"lon"`
}

func at(p Position) latLon { return latLon{Lat: p[1], Lon: p[0]} }

type object = map[string]any

// route returns a small call.
func (l *Load) route(i int) call {
	q := l.Set[i%len(l.Set)]
	return call{"/route", object{"costing": "auto", "locations": []latLon{at(q.Points[0]), at(q.Points[1])}}, 20}
}

// around lists the n places of the set nearest to one of them.
func (l *Load) around(i, n int) []latLon {
	here := l.Set[i*7919%len(l.Set)].Points[0].Point()
	list := make([]Position, 0, len(l.Set))
	for _, q := range l.Set {
		list = append(list, q.Points[0])
	}
	slices.SortFunc(list, func(a, b Position) int {
		return cmp.Compare(geo.Distance(here, a.Point()), geo.Distance(here, b.Point()))
	})
	out := make([]latLon, 0, n)
	for _, p := range list[:min(n, len(list))] {
		out = append(out, at(p))
	}
	return out
}

// timed returns a matrix with a time of departure.
func (l *Load) timed(i int) call {
	list := l.around(i, 25)
	return call{"/matrix", object{"costing": "auto", "sources": list, "targets": list, "date_time": object{"type": 1, "value": "2026-03-04T08:00"}}, 1}
}

// hour returns an isochrone past a closed square.
func (l *Load) hour(i int) call {
	p := l.around(i, 1)[0]
	x, y := p.Lon+0.004, p.Lat+0.004
	ring := [][2]float64{{x, y}, {x + 0.003, y}, {x + 0.003, y + 0.003}, {x, y + 0.003}}
	return call{"/isochrone", object{"costing": "auto", "locations": []latLon{p}, "contours": []object{{"time": 60}}, "exclude_polygons": [][][2]float64{ring}}, 1}
}

// dear returns one of the dearest calls of each kind.
func (l *Load) dear(i int) call {
	switch i % 5 {
	case 0:
		return l.hour(i)
	case 1: // options that nobody had before
		list := l.around(i, 50)
		return call{"/matrix", object{
			"costing": "auto", "sources": list, "targets": list,
			"costing_options": object{"auto": object{"top_speed": 60 + i%150, "gate_penalty": i % 997}},
		}, 1}
	case 2:
		q := l.Set[i%len(l.Set)]
		return call{"/route", object{"costing": "auto", "locations": []latLon{at(q.Points[0]), at(q.Points[1])}, "alternates": 3}, 1}
	case 3:
		list := l.around(i, 8)
		return call{"/centroid", object{"costing": "pedestrian", "locations": list}, 1}
	}
	return l.timed(i)
}
