// Package vroomtest is a server for tests that speaks VROOM's documented JSON with matrices,
// as vroom-express serves it, and plans with our own solver.
package vroomtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search"
)

// Env names the address of a real VROOM for tests, such as http://127.0.0.1:3000.
const Env = "WAYGATE_TEST_VROOM_URL"

// Real returns the address of a real VROOM; without one the test is skipped.
func Real(t testing.TB) string {
	t.Helper()
	address := os.Getenv(Env)
	if address == "" {
		t.Skipf("no VROOM to ask: set %s to the address of one (vroom-express)", Env)
	}
	return address
}

// Start starts the stand-in, and returns its address.
func Start(t testing.TB) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(serve))
	t.Cleanup(s.Close)
	return s.URL
}

func serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	status, answer := http.StatusOK, map[string]any(nil)
	if err == nil {
		answer, err = solve(r, body)
	}
	if err != nil {
		status, answer = http.StatusBadRequest, map[string]any{"code": 2, "error": err.Error()}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer)
}

// These types have no negative values in VROOM.
type (
	count   = uint32
	amounts []count
	span    [2]count
)

type input struct {
	Vehicles []struct {
		ID          int     `json:"id"`
		Profile     string  `json:"profile"`
		Start       *int    `json:"start_index"`
		End         *int    `json:"end_index"`
		Capacity    amounts `json:"capacity"`
		Skills      amounts `json:"skills"`
		Type        string  `json:"type"`
		Window      *span   `json:"time_window"`
		MaxTasks    *count  `json:"max_tasks"`
		MaxTravel   *count  `json:"max_travel_time"`
		MaxDistance *count  `json:"max_distance"`
		Costs       struct {
			Fixed       count  `json:"fixed"`
			PerHour     *count `json:"per_hour"`
			PerTaskHour count  `json:"per_task_hour"`
			PerKM       count  `json:"per_km"`
		} `json:"costs"`
		Breaks []struct {
			ID      int     `json:"id"`
			Windows []span  `json:"time_windows"`
			Service count   `json:"service"`
			MaxLoad amounts `json:"max_load"`
		} `json:"breaks"`
		Steps []struct {
			Type string `json:"type"`
			ID   int    `json:"id"`
		} `json:"steps"`
	} `json:"vehicles"`
	Jobs []struct {
		stop
		Delivery amounts `json:"delivery"`
		Pickup   amounts `json:"pickup"`
		Skills   amounts `json:"skills"`
		Priority int     `json:"priority"`
	} `json:"jobs"`
	Shipments []struct {
		Pickup   stop    `json:"pickup"`
		Delivery stop    `json:"delivery"`
		Amount   amounts `json:"amount"`
		Skills   amounts `json:"skills"`
		Priority int     `json:"priority"`
	} `json:"shipments"`
	Matrices map[string]struct {
		Durations [][]count `json:"durations"`
		Distances [][]count `json:"distances"`
	} `json:"matrices"`
	Options struct {
		Limit count `json:"l"`
	} `json:"options"`
}

type stop struct {
	ID             int              `json:"id"`
	Location       int              `json:"location_index"`
	Setup          count            `json:"setup"`
	Service        count            `json:"service"`
	SetupPerType   map[string]int64 `json:"setup_per_type"`
	ServicePerType map[string]int64 `json:"service_per_type"`
	Windows        []span           `json:"time_windows"`
}

// ids are those of the tasks, by their places in the problem.
type ids struct{ jobs, pickups, deliveries []int }

// solve plans as VROOM would. Steps that cannot be driven are an error.
func solve(r *http.Request, body []byte) (map[string]any, error) {
	in := &input{}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(in); err != nil {
		return nil, err
	}
	p, names, err := in.problem()
	if err != nil {
		return nil, err
	}
	orders := make([][]fleet.Stop, len(p.Vehicles))
	for i := range p.Vehicles {
		orders[i] = p.Vehicles[i].Initial
	}
	if _, err := search.Arrange(p, orders); err != nil {
		return nil, err
	}
	plan, err := search.Solve(r.Context(), p, search.Options{Seed: 1, Iterations: 1000})
	if err != nil {
		return nil, err
	}
	return in.answer(plan, names), nil
}

func (in *input) problem() (*fleet.Problem, *ids, error) {
	p, names := &fleet.Problem{}, &ids{}
	profiles := []string{}
	for name := range in.Matrices {
		profiles = append(profiles, name)
	}
	slices.Sort(profiles)
	for _, name := range profiles {
		m := in.Matrices[name]
		n := len(m.Durations)
		if (m.Distances == nil) != (in.Matrices[profiles[0]].Distances == nil) {
			return nil, nil, errors.New("Missing distances matrix for " + name + " profile.")
		}
		x := fleet.Matrix{N: n, Seconds: make([]int32, n*n), Metres: make([]int32, n*n)}
		for i := range n {
			if len(m.Durations[i]) != n || m.Distances != nil && (len(m.Distances) != n || len(m.Distances[i]) != n) {
				return nil, nil, errors.New("Unexpected matrix line length.") //nolint:staticcheck,revive // VROOM's words
			}
			for j := range n {
				x.Seconds[i*n+j] = int32(min(m.Durations[i][j], 1<<26)) //nolint:gosec // bounded
				if m.Distances != nil {
					x.Metres[i*n+j] = int32(min(m.Distances[i][j], 1<<26)) //nolint:gosec // bounded
				}
			}
		}
		p.Matrices = append(p.Matrices, x)
	}
	for i := range in.Jobs {
		j := &in.Jobs[i]
		names.jobs = append(names.jobs, j.ID)
		p.Jobs = append(p.Jobs, fleet.Job{Place: j.fleetPlace(), Delivery: signed(j.Delivery), Pickup: signed(j.Pickup), Skills: signed(j.Skills), Priority: j.Priority})
	}
	for i := range in.Shipments {
		s := &in.Shipments[i]
		names.pickups, names.deliveries = append(names.pickups, s.Pickup.ID), append(names.deliveries, s.Delivery.ID)
		p.Shipments = append(p.Shipments, fleet.Shipment{Pickup: s.Pickup.fleetPlace(), Delivery: s.Delivery.fleetPlace(), Amount: signed(s.Amount), Skills: signed(s.Skills), Priority: s.Priority})
	}
	for i := range in.Vehicles {
		v := &in.Vehicles[i]
		f := fleet.Vehicle{
			Profile: slices.Index(profiles, v.Profile), Start: fleet.None, End: fleet.None, Type: v.Type, Capacity: signed(v.Capacity), Skills: signed(v.Skills),
			Fixed: int64(v.Costs.Fixed), PerHour: 3600, PerTaskHour: int64(v.Costs.PerTaskHour), PerKilometre: int64(v.Costs.PerKM),
		}
		if f.Profile < 0 || v.ID != i {
			return nil, nil, fmt.Errorf("vehicle %d has the profile %q and the id %d", i, v.Profile, v.ID)
		}
		if v.Costs.PerHour != nil {
			f.PerHour = int64(*v.Costs.PerHour)
		}
		if v.Start != nil {
			f.Start = *v.Start
		}
		if v.End != nil {
			f.End = *v.End
		}
		if v.Window != nil {
			f.Windows = spans([]span{*v.Window})
		}
		if v.MaxTasks != nil {
			f.MaxTasks = int(*v.MaxTasks)
		}
		if v.MaxTravel != nil {
			f.MaxTravelTime = int64(*v.MaxTravel)
		}
		if v.MaxDistance != nil {
			f.MaxDistance = int64(*v.MaxDistance)
		}
		for _, b := range v.Breaks {
			f.Breaks = append(f.Breaks, fleet.Break{Windows: spans(b.Windows), Service: int64(b.Service), MaxLoad: signed(b.MaxLoad)})
		}
		for _, s := range v.Steps {
			kind := strings.NewReplacer("job", "0", "pickup", "1", "delivery", "2").Replace(s.Type)
			list := [][]int{names.jobs, names.pickups, names.deliveries}[kind[0]-'0']
			f.Initial = append(f.Initial, fleet.Stop{Kind: fleet.StopKind(kind[0] - '0'), Index: slices.Index(list, s.ID)})
		}
		p.Vehicles = append(p.Vehicles, f)
	}
	return p, names, nil
}

func signed(list amounts) (out []int32) {
	for _, n := range list {
		out = append(out, int32(n)) //nolint:gosec // a test's
	}
	return out
}

func spans(list []span) (out []fleet.Window) {
	for _, x := range list {
		out = append(out, fleet.Window{Start: int64(x[0]), End: int64(x[1])})
	}
	return out
}

func (s *stop) fleetPlace() fleet.Place {
	return fleet.Place{Location: s.Location, Setup: int64(s.Setup), Service: int64(s.Service), Windows: spans(s.Windows), SetupByType: s.SetupPerType, ServiceByType: s.ServicePerType}
}

func (in *input) answer(plan *fleet.Plan, names *ids) map[string]any {
	routes := []any{}
	for i := range plan.Routes {
		r := &plan.Routes[i]
		steps := []any{}
		for k := range r.Steps {
			s := &r.Steps[k]
			x := map[string]any{"arrival": s.Arrival, "duration": s.Travel, "setup": s.Setup, "service": s.Service, "waiting_time": s.Waiting, "load": s.Load, "violations": []any{}}
			switch s.Kind {
			case fleet.StepStart:
				x["type"] = "start"
			case fleet.StepBreak:
				x["type"], x["id"] = "break", in.Vehicles[r.Vehicle].Breaks[s.Break].ID
			case fleet.StepEnd:
				x["type"] = "end"
			case fleet.StepStop:
				x["type"] = []string{"job", "pickup", "delivery"}[s.Stop.Kind]
				x["id"] = [][]int{names.jobs, names.pickups, names.deliveries}[s.Stop.Kind][s.Stop.Index]
			}
			steps = append(steps, x)
		}
		routes = append(routes, map[string]any{"vehicle": r.Vehicle, "cost": r.Cost / fleet.CostUnit, "duration": r.Travel, "steps": steps, "violations": []any{}})
	}
	return map[string]any{
		"code": 0, "routes": routes, "unassigned": []any{},
		"summary": map[string]any{"cost": plan.Cost / fleet.CostUnit, "routes": len(routes), "unassigned": len(plan.Unassigned), "computing_times": map[string]any{"loading": 1, "solving": 1}},
	}
}
