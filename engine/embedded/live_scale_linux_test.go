package embedded_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/link"
	"github.com/waygate/waygate/road/overlay"
)

// BenchmarkLive measures how long live speeds of all edges of a region take to be in
// force for cars, and what that does to routes. The folder of a region is in
// WAYGATE_BENCH_REGION: go test ./engine/embedded -run '^$' -bench Live -benchtime 3x
func BenchmarkLive(b *testing.B) {
	dir := os.Getenv("WAYGATE_BENCH_REGION")
	if dir == "" {
		b.Skip("WAYGATE_BENCH_REGION names no folder of a region")
	}
	r, err := region.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	e, err := embedded.New(r)
	if err != nil {
		b.Fatal(err)
	}
	e.SetMetricMemory(1 << 30)
	g := e.Graph()
	random := rand.New(rand.NewPCG(1, 2))
	speeds := func() []link.Segment {
		list := make([]link.Segment, 0, g.Base)
		for x := range g.Base {
			from, to := e.Ends(x)
			list = append(list, link.Segment{From: from, To: to, Kmh: uint8(5 + random.IntN(100))})
		}
		return list
	}
	var pairs [][2]geo.Point
	for len(pairs) < 400 {
		x := graph.Edge(random.IntN(int(g.Base)))
		at := g.Position[g.ByEdge[x].Tail].Point()
		to := geo.Destination(at, random.Float64()*360, 5000+random.Float64()*10_000)
		if _, err := route(b, e, [2]geo.Point{at, to}, nil); err == nil {
			pairs = append(pairs, [2]geo.Point{at, to})
		}
	}
	lap := func(when *engine.When) []time.Duration {
		var list []time.Duration
		for _, p := range pairs {
			began := time.Now()
			_, _ = route(b, e, p, when)
			list = append(list, time.Since(began))
		}
		slices.SortFunc(list, cmp.Compare)
		return list
	}
	force := func(list []link.Segment) (cpu, wall time.Duration) {
		before, began := used(), time.Now()
		found, err := e.SpeedsOf(context.Background(), list)
		if err != nil {
			b.Fatal(err)
		}
		dense := make([]uint8, e.Edges())
		for _, s := range found {
			dense[s.Edge] = s.Kmh
		}
		e.SetLive(overlay.NewSnapshot(overlay.Roads{Taken: time.Now(), Speeds: dense}, e.Live()))
		for range 2 {
			_, _ = route(b, e, pairs[0], &engine.When{})
		}
		for {
			if _, _, busy := e.Audit(); busy == 0 {
				return used() - before, time.Since(began)
			}
			time.Sleep(time.Millisecond)
		}
	}
	plain := lap(nil)
	force(speeds())
	live := lap(&engine.When{})
	for b.Loop() {
		list := speeds()
		var stop atomic.Bool
		var during []time.Duration
		done := make(chan struct{})
		go func() {
			defer close(done)
			runtime.LockOSThread() // whose waiting for processors is its own
			for i := 0; !stop.Load(); i++ {
				began, waited := time.Now(), kept()
				_, _ = route(b, e, pairs[i%len(pairs)], &engine.When{})
				during = append(during, time.Since(began)-(kept()-waited))
				time.Sleep(2 * time.Millisecond)
			}
		}()
		time.Sleep(3 * time.Second)
		quiet := len(during)
		cpu, wall := force(list)
		stop.Store(true)
		<-done
		calm := slices.Clone(during[:quiet])
		slices.SortFunc(calm, cmp.Compare)
		while := slices.Clone(during[min(quiet, len(during)-1):])
		slices.SortFunc(while, cmp.Compare)
		fmt.Printf("%d edges: %.2f s of processor, %.2f s by the clock; routes meanwhile p50 %v p99 %v of %d, before p50 %v p99 %v\n", len(list), cpu.Seconds(), wall.Seconds(), at(while, 0.5), at(while, 0.99), len(while), at(calm, 0.5), at(calm, 0.99))
	}
	// In turn, so that what else the machine does meets both alike.
	runtime.LockOSThread() // whose time is that of the routes, without the collector's
	var ratios []float64
	for range 21 {
		before := ran()
		lap(nil)
		between := ran()
		lap(&engine.When{})
		ratios = append(ratios, (ran()-between).Seconds()/(between-before).Seconds())
	}
	runtime.UnlockOSThread()
	slices.Sort(ratios)
	fmt.Printf("processor: with traffic %.2f times a route without (median of %d turns, %.2f to %.2f)\n", ratios[len(ratios)/2], len(ratios), ratios[0], ratios[len(ratios)-1])
	again := lap(nil)
	bytes, _, _ := e.Audit()
	fmt.Printf("routes: without p50 %v p99 %v and p50 %v p99 %v, live p50 %v p99 %v; %d MB kept\n", at(plain, 0.5), at(plain, 0.99), at(again, 0.5), at(again, 0.99), at(live, 0.5), at(live, 0.99), bytes>>20)
}

func at(list []time.Duration, share float64) time.Duration {
	return list[min(len(list)-1, int(share*float64(len(list))))].Round(time.Microsecond)
}

func route(b *testing.B, e *embedded.Engine, ends [2]geo.Point, when *engine.When) (*engine.RouteAnswer, error) {
	b.Helper()
	return e.Route(context.Background(), &engine.RouteRequest{Costing: costing.Auto, Locations: engine.Stops(ends[:]), Conditions: engine.Conditions{When: when}, Want: engine.WantLine})
}

// used returns the time that this process has had processors for.
func used() time.Duration { return usedBy(syscall.RUSAGE_SELF) }

// ran returns the time that this thread has had processors for.
func ran() time.Duration { return usedBy(1) } // RUSAGE_THREAD

func usedBy(who int) time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(who, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// kept returns how long this thread was ready to run while other threads of the machine
// had its processors.
func kept() time.Duration {
	var ran, waited int64
	text, _ := os.ReadFile("/proc/thread-self/schedstat")
	_, _ = fmt.Sscan(string(text), &ran, &waited)
	return time.Duration(waited)
}
