package vroom_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search"
	"github.com/waygate/waygate/fleet/vroom"
	"github.com/waygate/waygate/fleet/vroom/vroomtest"
)

// each runs a test on the stand-in, and on a real VROOM where there is one.
func each(t *testing.T, test func(t *testing.T, s *vroom.Solver)) {
	t.Run("stand-in", func(t *testing.T) { test(t, vroom.New(vroomtest.Start(t), nil)) })
	t.Run("real", func(t *testing.T) { test(t, vroom.New(vroomtest.Real(t), nil)) })
}

// drawn returns a problem of all that VROOM can express.
func drawn(seed uint64) *fleet.Problem {
	r := rand.New(rand.NewPCG(seed, 3))
	const jobs, shipments, vehicles, dims = 14, 4, 3, 2
	n := jobs + 2*shipments + 2
	p := &fleet.Problem{}
	x, y := make([]int, n), make([]int, n)
	for i := range n {
		x[i], y[i] = r.IntN(60), r.IntN(60)
	}
	for k := range 2 {
		m := fleet.Matrix{N: n, Seconds: make([]int32, n*n), Metres: make([]int32, n*n)}
		for a := range n {
			for b := range n {
				d := int32(max(x[a]-x[b], x[b]-x[a]) + max(y[a]-y[b], y[b]-y[a])) //nolint:gosec // small
				m.Seconds[a*n+b], m.Metres[a*n+b] = d*10+int32((a+b+k)%7), d*100  //nolint:gosec // small
				if a == b {
					m.Seconds[a*n+b] = 0
				}
			}
		}
		if seed%3 == 0 {
			for a := range n { // an island: there is no way on or off it
				if a != n-1 {
					m.Seconds[a*n+n-1], m.Seconds[(n-1)*n+a] = fleet.Unreachable, fleet.Unreachable
				}
			}
		}
		p.Matrices = append(p.Matrices, m)
	}
	// Unix seconds on some days, and those of after VROOM's last moment on others.
	day := []int64{0, 1_800_000_000, 1 << 36}[seed%3]
	amount := func() []int32 { return []int32{r.Int32N(4), r.Int32N(3)} }
	windows := func() []fleet.Window {
		if r.IntN(2) == 0 {
			return nil
		}
		a := day + r.Int64N(8000)
		return []fleet.Window{{Start: a, End: a + 2500}, {Start: a + 4000, End: a + 7000}}
	}
	at := 2
	place := func() fleet.Place {
		at++
		pl := fleet.Place{Location: at - 1, Service: r.Int64N(300), Windows: windows()}
		if pl.Windows == nil {
			pl.Setup = r.Int64N(100)
		}
		if r.IntN(3) == 0 {
			pl.ServiceByType = map[string]int64{"van": r.Int64N(200)}
		}
		pl.Territories = []int32{r.Int32N(3)}
		return pl
	}
	for range jobs {
		p.Jobs = append(p.Jobs, fleet.Job{Place: place(), Delivery: amount(), Pickup: amount(), Priority: r.IntN(3) * 50})
		if r.IntN(4) == 0 {
			p.Jobs[len(p.Jobs)-1].Skills = []int32{-5}
		}
	}
	for range shipments {
		p.Shipments = append(p.Shipments, fleet.Shipment{Pickup: place(), Delivery: place(), Amount: amount()})
	}
	for i := range vehicles {
		v := fleet.Vehicle{Profile: i % 2, Start: 0, End: r.IntN(3) - 1, Capacity: []int32{12, 9}, PerHour: 3600, Fixed: r.Int64N(200), PerTaskHour: r.Int64N(2) * 1000}
		if r.IntN(3) > 0 {
			v.Windows = []fleet.Window{{Start: day, End: day + 5000 + r.Int64N(9000)}}
			v.Breaks = []fleet.Break{{Service: 300}, {Windows: []fleet.Window{{Start: day + 2000, End: day + 4000}}, Service: 600, MaxLoad: []int32{10, 9}}}
		}
		switch r.IntN(5) {
		case 0:
			v.MaxTasks = 5
		case 1:
			v.MaxTravelTime = 3000
		case 2:
			v.MaxDistance = 25000
		case 3:
			v.PerKilometre = 100
		}
		if i == 0 {
			v.Skills, v.Type, v.SpeedFactor = []int32{-5}, "van", 1.333
		}
		if i == 1 {
			v.Territories = []int32{0, 1}
			v.OnBoard = []int{0}
		}
		p.Vehicles = append(p.Vehicles, v)
	}
	return p
}

// VROOM's answers keep every constraint of a problem with all that it can express.
func TestSolve(t *testing.T) {
	each(t, func(t *testing.T, s *vroom.Solver) {
		seeds := uint64(9)
		if testing.Short() {
			seeds = 2
		}
		for seed := range seeds {
			p := drawn(seed)
			if err := s.Refuses(p); err != nil {
				t.Fatal(err)
			}
			heard := 0
			plan, err := s.Solve(t.Context(), p, search.Options{Time: 20 * time.Second, Progress: func(search.Progress) { heard++ }})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if bad := fleet.Verify(p, plan); len(bad) > 0 || heard != 1 {
				t.Errorf("seed %d: %v", seed, bad)
			}
			ours, err := search.Solve(t.Context(), p, search.Options{Seed: 1, Iterations: 1000})
			if err != nil {
				t.Fatal(err)
			}
			if len(ours.Unassigned)+2 < len(plan.Unassigned) {
				t.Errorf("seed %d: leaves %d over, and ours %d", seed, len(plan.Unassigned), len(ours.Unassigned))
			}
			t.Logf("seed %d: priority %d and %d, left over %d and %d, cost %d and %d", seed, plan.Priority, ours.Priority, len(plan.Unassigned), len(ours.Unassigned), plan.Cost/fleet.CostUnit, ours.Cost/fleet.CostUnit)
			// It goes on from a plan.
			for i := range p.Vehicles {
				p.Vehicles[i].Initial = plan.Stops(i)
			}
			again, err := s.Solve(t.Context(), p, search.Options{})
			if err != nil || again.Priority < plan.Priority {
				t.Errorf("seed %d: from a plan of priority %d: %+v %v", seed, plan.Priority, again, err)
			}
		}
	})
}

// A load on board that cannot be delivered takes its room all the same.
func TestLoadThatStays(t *testing.T) {
	each(t, func(t *testing.T, s *vroom.Solver) {
		m := fleet.Matrix{N: 3, Seconds: []int32{0, 10, 10, 10, 0, 10, 10, 10, 0}, Metres: make([]int32, 9)}
		p := &fleet.Problem{
			Matrices:  []fleet.Matrix{m},
			Vehicles:  []fleet.Vehicle{{Capacity: []int32{3}, PerHour: 3600, OnBoard: []int{0}, Windows: []fleet.Window{{Start: 100, End: 500}}}},
			Shipments: []fleet.Shipment{{Pickup: fleet.Place{Location: 1}, Delivery: fleet.Place{Location: 1, Windows: []fleet.Window{{Start: 0, End: 9}}}, Amount: []int32{2}}},
			Jobs:      []fleet.Job{{Place: fleet.Place{Location: 1}, Delivery: []int32{1}}, {Place: fleet.Place{Location: 2}, Delivery: []int32{1}}},
		}
		plan, err := s.Solve(t.Context(), p, search.Options{})
		if err != nil || len(plan.Unassigned) != 2 {
			t.Errorf("%+v %v", plan, err)
		}
	})
}

// TestDistancesAreSent checks that VROOM gets distances where they matter to a
// vehicle, of all vehicles then, and is spared them otherwise.
func TestDistancesAreSent(t *testing.T) {
	for _, c := range []struct {
		name    string
		vehicle fleet.Vehicle
		want    string
	}{
		{"times", fleet.Vehicle{PerHour: 3600}, `[[0,5],[5,0]]`},
		{"price by distance", fleet.Vehicle{PerHour: 3600, PerKilometre: 1}, `[[0,5],[5,0]] [[0,80],[80,0]]`},
		{"longest distance", fleet.Vehicle{PerHour: 3600, MaxDistance: 1}, `[[0,5],[5,0]] [[0,80],[80,0]]`},
	} {
		var got []string
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var sent struct {
				Matrices map[string]struct{ Durations, Distances json.RawMessage }
			}
			if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
				t.Error(err)
			}
			for _, m := range sent.Matrices {
				got = append(got, strings.TrimSpace(string(m.Durations)+" "+string(m.Distances)))
			}
			_, _ = w.Write([]byte(`{"code":0,"unassigned":[{"id":0,"type":"job"}]}`))
		}))
		p := &fleet.Problem{
			Matrices: []fleet.Matrix{{N: 2, Seconds: []int32{0, 5, 5, 0}, Metres: []int32{0, 80, 80, 0}}},
			Vehicles: []fleet.Vehicle{c.vehicle},
			Jobs:     []fleet.Job{{Place: fleet.Place{Location: 1}}},
		}
		if _, err := vroom.New(s.URL, nil).Solve(t.Context(), p, search.Options{}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		s.Close()
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: VROOM is sent %q, want %s", c.name, got, c.want)
		}
	}
}

// Where no vehicle is able to serve anything all is left over.
func TestNobodyIsAble(t *testing.T) {
	each(t, func(t *testing.T, s *vroom.Solver) {
		p := &fleet.Problem{
			Matrices: []fleet.Matrix{{N: 2, Seconds: []int32{0, 10, 10, 0}, Metres: make([]int32, 4)}},
			Vehicles: []fleet.Vehicle{{PerHour: 3600, MaxTasks: fleet.None}, {PerHour: 3600}},
			Jobs:     []fleet.Job{{Place: fleet.Place{Location: 1}, Skills: []int32{1}}},
		}
		plan, err := s.Solve(t.Context(), p, search.Options{})
		if err != nil || len(plan.Unassigned) != 1 || len(plan.Routes) != 0 {
			t.Errorf("%+v %v", plan, err)
		}
	})
}

// An answer that is not one of VROOM's is a fault of the upstream, and shows neither its
// address nor its words.
func TestFailures(t *testing.T) {
	steps := func(list string) string {
		return `{"code":0,"routes":[{"vehicle":0,"steps":[{"type":"start"},` + list + `,{"type":"end"}]}]}`
	}
	answers := map[string]struct {
		status int
		body   string
		want   fault.Slug
	}{
		"html":            {200, "<html>secret</html>", fault.Upstream},
		"nothing":         {200, "", fault.Upstream},
		"no code":         {200, `{"routes":[]}`, fault.Upstream},
		"another type":    {200, `{"code":0,"routes":"secret"}`, fault.Upstream},
		"internal":        {500, `{"code":1,"error":"secret"}`, fault.Upstream},
		"input":           {400, `{"code":2,"error":"secret"}`, fault.Upstream},
		"router":          {200, `{"code":3,"error":"secret"}`, fault.Upstream},
		"too large":       {413, `{"code":4,"error":"secret"}`, fault.Upstream},
		"not here":        {404, "secret", fault.Upstream},
		"elsewhere":       {302, "secret", fault.Upstream},
		"huge":            {200, `{"code":0,"x":"` + strings.Repeat("secret", 1<<18) + `"}`, fault.Upstream},
		"unknown vehicle": {200, `{"code":0,"routes":[{"vehicle":7,"steps":[]}]}`, fault.Upstream},
		"vehicle twice":   {200, `{"code":0,"routes":[{"vehicle":0},{"vehicle":0}]}`, fault.Upstream},
		"unknown job":     {200, steps(`{"type":"job","id":99}`), fault.Upstream},
		"negative job":    {200, steps(`{"type":"job","id":-1}`), fault.Upstream},
		"job twice":       {200, steps(`{"type":"job","id":0},{"type":"job","id":0}`), fault.Upstream},
		"half a shipment": {200, steps(`{"type":"pickup","id":0}`), fault.Upstream},
		"wrong order":     {200, steps(`{"type":"delivery","id":0},{"type":"pickup","id":0}`), fault.Upstream},
		"unknown step":    {200, steps(`{"type":"secret","id":0}`), fault.Upstream},
		"overloaded":      {200, steps(`{"type":"job","id":0},{"type":"job","id":1}`), fault.Upstream},
	}
	p := &fleet.Problem{
		Matrices:  []fleet.Matrix{{N: 2, Seconds: []int32{0, 5, 5, 0}, Metres: make([]int32, 4)}},
		Vehicles:  []fleet.Vehicle{{Capacity: []int32{1}, PerHour: 3600}},
		Jobs:      []fleet.Job{{Place: fleet.Place{Location: 1}, Delivery: []int32{1}}, {Place: fleet.Place{Location: 1}, Delivery: []int32{1}}},
		Shipments: []fleet.Shipment{{Pickup: fleet.Place{Location: 1}, Amount: []int32{1}}},
	}
	check := func(t *testing.T, name, address string, err error, want fault.Slug) {
		t.Helper()
		f := (*fault.Error)(nil)
		if !errors.As(err, &f) || f.Slug != want || !strings.Contains(f.Detail, "VROOM") {
			t.Errorf("%s: %v, want %s", name, err, want)
			return
		}
		if strings.Contains(f.Detail, "secret") || strings.Contains(f.Detail, strings.TrimPrefix(address, "http://")) {
			t.Errorf("%s: shows what is the server's: %s", name, f.Detail)
		}
	}
	for name, a := range answers {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "http://"+r.Host+"/other")
			if r.URL.Path == "/other" {
				t.Errorf("%s: a redirect was followed", name)
			}
			w.WriteHeader(a.status)
			_, _ = w.Write([]byte(a.body))
		}))
		_, err := vroom.New(server.URL, nil).Solve(t.Context(), p, search.Options{})
		check(t, name, server.URL, err, a.want)
		server.Close()
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	_, err := vroom.New(gone.URL, nil).Solve(t.Context(), p, search.Options{})
	check(t, "down", gone.URL, err, fault.UpstreamUnavailable)
	cut := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte(`{"code":0`))
	}))
	_, err = vroom.New(cut.URL, nil).Solve(t.Context(), p, search.Options{})
	check(t, "cut off", cut.URL, err, fault.Upstream)
	cut.Close()
}

// A server that does not answer is waited for as long as the caller waits, and heeds one who
// leaves; a caller who comes while it is busy waits as well.
func TestWaitsAtOnce(t *testing.T) {
	asked, release := make(chan struct{}, 100), make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		select {
		case <-r.Context().Done():
		case <-release:
		}
	}))
	defer slow.Close()
	defer close(release)
	s := vroom.New(slow.URL, nil)
	p := drawn(1)
	late, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.Solve(late, p, search.Options{}); !fault.Is(err, fault.UpstreamTimeout) && !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	for len(asked) > 0 {
		<-asked
	}
	ctx, leave := context.WithCancel(t.Context())
	ends := make(chan error)
	for range 6 {
		go func() {
			_, err := s.Solve(ctx, p, search.Options{})
			ends <- err
		}()
	}
	for range 4 {
		<-asked
	}
	leave()
	for range 6 {
		if err := <-ends; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

func TestRefuses(t *testing.T) {
	s := vroom.New("http://vroom.example", nil)
	for field, change := range map[string]func(p *fleet.Problem){
		"vehicles[1].reloads":        func(p *fleet.Problem) { p.Vehicles[1].Reloads = &fleet.Reloads{MaxTrips: 2} },
		"vehicles[0].time_windows":   func(p *fleet.Problem) { p.Vehicles[0].Windows = []fleet.Window{{End: 1}, {Start: 5, End: 6}} },
		"vehicles[2].first_stop_ids": func(p *fleet.Problem) { p.Vehicles[2].First = []fleet.Stop{{}} },
		"vehicles[0].start":          func(p *fleet.Problem) { p.Vehicles[0].Start, p.Vehicles[0].End = fleet.None, fleet.None },
		"vehicles[0].breaks": func(p *fleet.Problem) {
			p.Vehicles[0].Breaks = []fleet.Break{{Windows: []fleet.Window{{Start: 5, End: 9}}}, {}}
		},
		"jobs[3].setup": func(p *fleet.Problem) {
			p.Jobs[3].Windows, p.Jobs[3].SetupByType = []fleet.Window{{End: 9}}, map[string]int64{"van": 4}
		},
		"shipments[1].delivery.setup": func(p *fleet.Problem) {
			p.Shipments[1].Delivery.Windows, p.Shipments[1].Delivery.Setup = []fleet.Window{{End: 9}}, 4
		},
		"shipments[2].max_ride_time_s": func(p *fleet.Problem) { p.Shipments[2].MaxRide = 60 },
		"together":                     func(p *fleet.Problem) { p.SameVehicle = [][]fleet.Task{{{Index: 0}, {Index: 1}}} },
		"apart":                        func(p *fleet.Problem) { p.Incompatible = [][]fleet.Task{{{Index: 0}, {Index: 1}}} },
		"stability":                    func(p *fleet.Problem) { p.Stability.Position = 60 },
	} {
		p := drawn(1)
		change(p)
		err := s.Refuses(p)
		if !fault.Is(err, fault.BadRequest) || !strings.Contains(err.Error(), field+":") {
			t.Errorf("%s: %v", field, err)
		}
	}
	if s.Stable() || s.Name() != "vroom" || s.Load(drawn(1), search.Options{}).Processor != 0 {
		t.Error(fmt.Sprint(s))
	}
}
