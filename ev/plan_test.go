package ev_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/ev"
)

// brute returns the least cost by trying every order of stations and every charge.
func brute(p *ev.Problem) float64 {
	step := p.Battery.Capacity / float64(p.Steps)
	n := len(p.Stations) + 2
	best := math.Inf(1)
	used := make([]bool, n)
	calls := 0
	for i := range p.Stations {
		if p.Stations[i].Call {
			calls++
		}
	}
	var drive func(place, charge, section int, cost float64)
	drive = func(place, charge, section int, cost float64) {
		if cost >= best {
			return
		}
		for j := 1; j < n; j++ {
			if j == place || used[j] || j < n-1 && p.Stations[j-1].Section != section || j == n-1 && section < calls {
				continue
			}
			leg := p.Leg(place, j)
			energy := float64(charge) * step
			least := p.MinStop
			if j == n-1 {
				least = p.MinEnd
			} else if p.Stations[j-1].Call {
				least = p.Stations[j-1].Least
			}
			left := leg.Arrive(energy)
			if math.IsInf(leg.Seconds, 1) || left < least-1e-9 || energy-leg.Need < min(least, left)-1e-9 {
				continue
			}
			if j == n-1 {
				best = min(best, cost+leg.Seconds)
				continue
			}
			arrive := int(math.Floor(left/step + 1e-9))
			station := &p.Stations[j-1]
			took := 0.0
			if station.Call {
				// A vehicle at a charger charges all the while.
				for to := arrive; ; to++ {
					next := to < p.Steps && station.Watts > 0 && float64(to+1)*step <= p.MaxCharge+1e-9
					more := took
					if next {
						more += p.Battery.ChargeSeconds(float64(to)*step, float64(to+1)*step, station.Watts)
					}
					if !next || more > station.Dwell+1e-9 {
						drive(j, to, section+1, cost+leg.Seconds+max(station.Dwell, took))
					}
					if took = more; !next {
						break
					}
				}
				continue
			}
			used[j] = true
			for to := arrive + 1; to <= p.Steps && float64(to)*step <= p.MaxCharge+1e-9; to++ {
				took += p.Battery.ChargeSeconds(float64(to-1)*step, float64(to)*step, station.Watts)
				if took >= p.MinCharge-1e-9 {
					drive(j, to, section, cost+leg.Seconds+station.Overhead+station.Wait+station.Penalty+took)
				}
			}
			used[j] = false
		}
	}
	drive(0, int(math.Floor(p.Start/step+1e-9)), 0, 0)
	return best
}

// random returns a small journey between places in a plane, uphill and down, with so
// many calls on the way.
func random(r *rand.Rand, stations, calls, steps int) *ev.Problem {
	p := &ev.Problem{
		Battery: ev.Battery{Capacity: 20_000 + r.Float64()*60_000, Curve: []ev.CurvePoint{{0, 40_000 + r.Float64()*60_000}, {0.1 + r.Float64()*0.3, 60_000 + r.Float64()*150_000}, {0.5 + r.Float64()*0.3, 30_000 + r.Float64()*80_000}, {1, 5000 + r.Float64()*20_000}}},
		Steps:   steps, MinCharge: r.Float64() * 400,
	}
	p.Start = p.Battery.Capacity * (0.2 + 0.8*r.Float64())
	p.MinStop, p.MinEnd = p.Battery.Capacity*0.15*r.Float64(), p.Battery.Capacity*0.3*r.Float64()
	p.MaxCharge = p.Battery.Capacity * (0.7 + 0.3*r.Float64())
	far := 0.5 + 1.6*r.Float64() // times the range
	place := func(part float64) [3]float64 {
		return [3]float64{part * far, (r.Float64() - 0.5) * 0.2, r.Float64() * 800}
	}
	places := [][3]float64{place(0)}
	for range stations {
		p.Stations = append(p.Stations, ev.Station{Watts: []float64{11_000, 50_000, 150_000, 300_000}[r.IntN(4)], Overhead: 60 + r.Float64()*300, Wait: float64(r.IntN(2)) * 300 * r.Float64(), Penalty: float64(r.IntN(3)/2) * 500})
		places = append(places, place(r.Float64()))
	}
	if calls > 0 {
		// Each call ends the section of some of the stations.
		at := make([]int, calls)
		for i := range at {
			at[i] = r.IntN(stations + 1)
		}
		slices.Sort(at)
		list, where := []ev.Station(nil), places[:1:1]
		for i, section := 0, 0; i <= stations; i++ {
			for section < calls && at[section] == i {
				x := ev.Station{Section: section, Call: true, Dwell: float64(r.IntN(3)) * 1500 * r.Float64(), Least: p.Battery.Capacity * 0.2 * r.Float64(), Watts: []float64{0, 0, 11_000, 50_000}[r.IntN(4)]}
				section++
				list, where = append(list, x), append(where, place(float64(section)/float64(calls+1)))
			}
			if i < stations {
				p.Stations[i].Section = section
				list, where = append(list, p.Stations[i]), append(where, places[i+1])
			}
		}
		p.Stations, places = list, where
	}
	places = append(places, place(1))
	n := len(places)
	legs := make([]ev.Leg, n*n)
	for i := range n {
		for j := range n {
			a, b := places[i], places[j]
			metres := math.Hypot(a[0]-b[0], a[1]-b[1]) * p.Battery.Capacity / 0.2
			seconds := metres / (15 + 20*r.Float64())
			climb := (b[2] - a[2]) * 2000 * 9.81 / 3600
			var energies []float64
			for range 4 {
				energies = append(energies, metres/4*(0.15+0.1*r.Float64())+climb/4+(r.Float64()-0.5)*1500)
			}
			legs[i*n+j] = ev.LegOf(energies, p.Battery.Capacity)
			legs[i*n+j].Seconds = seconds
			if r.IntN(12) == 0 {
				legs[i*n+j].Seconds = math.Inf(1)
			}
		}
	}
	p.Leg = func(i, j int) ev.Leg { return legs[i*n+j] }
	return p
}

// TestNeverDearerThanBruteForce compares plans with all that there are, on 1500
// small journeys, and each plan against the rules.
func TestNeverDearerThanBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	feasible, several, called := 0, 0, 0
	for i := range 1500 {
		p := random(r, 1+r.IntN(4), max(0, r.IntN(6)-3), 10+r.IntN(12))
		want := brute(p)
		s, err := ev.Solve(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		bounded(t, p, s.Plan)
		if s.Plan == nil {
			if !math.IsInf(want, 1) {
				t.Fatalf("%d: no plan, brute force has one of %.1f s", i, want)
			}
			continue
		}
		feasible++
		if len(s.Plan.Stops) > 1 {
			several++
		}
		again := map[int]bool{}
		repeated := false
		if p.Stations[len(p.Stations)-1].Call || p.Stations[0].Section < p.Stations[len(p.Stations)-1].Section {
			called++
		}
		for _, stop := range s.Plan.Stops {
			repeated, again[stop.Station] = repeated || again[stop.Station], true
		}
		if s.Plan.Cost > want*(1+1e-9) || s.Plan.Cost < want*(1-1e-9) && !repeated { // brute force stops nowhere twice
			t.Fatalf("%d: %.3f s, brute force %.3f s", i, s.Plan.Cost, want)
		}
		judge(t, p, s.Plan)
	}
	t.Logf("%d of 1500 journeys are feasible, %d with several stops, %d with calls", feasible, several, called)
	if feasible < 200 || several < 50 || called < 50 {
		t.Error("too few cases say anything")
	}
}

// bounded compares what stops take at the least with a plan.
func bounded(t *testing.T, p *ev.Problem, plan *ev.Plan) {
	t.Helper()
	if plan == nil {
		return
	}
	floor := ev.NewLowerBound(p)
	for _, stop := range plan.Stops {
		if p.Stations[stop.Station].Call {
			continue
		}
		charged, took := 0.0, 0.0
		for _, s := range plan.Stops {
			x := &p.Stations[s.Station]
			if charged += s.Depart - s.Arrive; x.Call {
				took += s.Charging
			} else {
				took += x.Overhead + x.Wait + x.Penalty + s.Charging
			}
		}
		if least := floor.By(stop.Station, charged); least > took+1e-6 {
			t.Fatalf("stops take %.1f s, at the least %.1f", took, least)
		}
	}
}

// judge drives a plan with all its charge, unrounded.
func judge(t *testing.T, p *ev.Problem, plan *ev.Plan) {
	t.Helper()
	at, charge, cost := 0, p.Start, 0.0
	for _, stop := range plan.Stops {
		leg, least := p.Leg(at, stop.Station+1), p.MinStop
		x := &p.Stations[stop.Station]
		if x.Call {
			least = x.Least
		}
		charge = leg.Arrive(charge)
		if charge < least-1e-6 || charge < stop.Arrive-1e-6 {
			t.Fatalf("%.0f Wh are left at a stop, %.0f are planned and %.0f asked for", charge, stop.Arrive, least)
		}
		if x.Call {
			if stop.Depart < stop.Arrive || (x.Watts == 0) != (stop.Depart == stop.Arrive) && x.Watts == 0 || stop.Depart > max(stop.Arrive, p.MaxCharge)+1e-6 {
				t.Fatalf("a call charges from %.0f to %.0f Wh", stop.Arrive, stop.Depart)
			}
			cost += leg.Seconds + max(x.Dwell, stop.Charging)
			charge, at = max(charge, stop.Depart), stop.Station+1
			continue
		}
		if stop.Depart <= stop.Arrive || stop.Charging < p.MinCharge-1e-6 || stop.Depart > p.MaxCharge+1e-6 {
			t.Fatalf("a stop charges from %.0f to %.0f Wh in %.0f s", stop.Arrive, stop.Depart, stop.Charging)
		}
		cost += leg.Seconds + x.Overhead + x.Wait + x.Penalty + stop.Charging
		charge, at = max(charge, stop.Depart), stop.Station+1
	}
	last := p.Leg(at, len(p.Stations)+1)
	if charge = last.Arrive(charge); charge < p.MinEnd-1e-6 || charge < plan.End-1e-6 {
		t.Fatalf("%.0f Wh are left at the end, %.0f are planned and %.0f asked for", charge, plan.End, p.MinEnd)
	}
	if cost += last.Seconds; math.Abs(cost-plan.Cost) > 1e-6*cost {
		t.Fatalf("the plan costs %.3f s and says %.3f", cost, plan.Cost)
	}
}

func TestSolveEnds(t *testing.T) {
	p := random(rand.New(rand.NewPCG(1, 1)), 3, 0, 20)
	p.Start = 0
	s, err := ev.Solve(context.Background(), p)
	if err != nil || s.Plan != nil || s.Reached[0] < 0 {
		t.Errorf("without a charge: %+v %v", s, err)
	}
	far := country(24_000, 3, 40)
	for i := range far.Stations {
		far.Stations[i].Watts = 0
	}
	if s, err := ev.Solve(context.Background(), far); err != nil || s.Plan != nil {
		t.Errorf("where no station charges: %+v %v", s, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if s, err := ev.Solve(ctx, country(24_000, 200, 400)); err == nil && s.Settled > 300 {
		t.Error("a caller who has gone is not noticed")
	}
}

// country returns a journey of 300 km with stations beside the way, flat.
func country(capacity float64, stations int, steps int) *ev.Problem {
	r := rand.New(rand.NewPCG(3, 5))
	p := &ev.Problem{
		Battery: ev.Battery{Capacity: capacity, Curve: []ev.CurvePoint{{0, 1.6 * capacity}, {0.3, 1.8 * capacity}, {0.6, 1.2 * capacity}, {0.8, 0.6 * capacity}, {1, 0.15 * capacity}}},
		Steps:   steps, Start: capacity * 0.8, MinStop: capacity * 0.1, MinEnd: capacity * 0.1, MaxCharge: capacity * 0.95, MinCharge: 300,
	}
	at := [][2]float64{{0, 0}}
	for range stations {
		at = append(at, [2]float64{r.Float64() * 300e3, (r.Float64() - 0.5) * 10e3})
		p.Stations = append(p.Stations, ev.Station{Watts: []float64{22_000, 50_000, 150_000, 300_000}[r.IntN(4)], Overhead: 300})
	}
	at = append(at, [2]float64{300e3, 0})
	n := len(at)
	legs := make([]ev.Leg, n*n)
	leg := func(i, j int) ev.Leg {
		metres := 1.2 * math.Hypot(at[i][0]-at[j][0], at[i][1]-at[j][1])
		return ev.LegOf([]float64{metres * 0.17}, capacity).With(metres, metres/27)
	}
	for i := range n {
		for j := range n {
			legs[i*n+j] = leg(i, j)
		}
	}
	p.Leg = func(i, j int) ev.Leg { return legs[i*n+j] }
	return p
}

func BenchmarkSolve(b *testing.B) {
	for name, capacity := range map[string]float64{"24 kWh": 24_000, "60 kWh": 60_000} {
		b.Run(name, func(b *testing.B) {
			p := country(capacity, 500, 0)
			s, err := ev.Solve(context.Background(), p)
			if err != nil || s.Plan == nil {
				b.Fatal(s, err)
			}
			b.Logf("%d stops, %.0f s, %d labels", len(s.Plan.Stops), s.Plan.Cost, s.Settled)
			b.ResetTimer()
			for range b.N {
				if _, err := ev.Solve(context.Background(), p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
