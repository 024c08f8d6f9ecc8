package vroom

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/waygate/waygate/fleet"
)

// The names of VROOM's JSON. Times are whole seconds, distances metres, ids the places in the
// problem; a load on board is a job after those of the problem.
type problem struct {
	Vehicles  []vehicle  `json:"vehicles"`
	Jobs      []job      `json:"jobs"`
	Shipments []shipment `json:"shipments"`
	Options   *options   `json:"options,omitempty"` // of vroom-express
}

type options struct {
	Limit int64 `json:"l"` // seconds
}

type vehicle struct {
	ID          int       `json:"id"`
	Profile     string    `json:"profile"`
	Start       *int      `json:"start_index,omitempty"`
	End         *int      `json:"end_index,omitempty"`
	Capacity    []int32   `json:"capacity,omitempty"`
	Costs       costs     `json:"costs"`
	Skills      []int     `json:"skills,omitempty"`
	Type        string    `json:"type,omitempty"`
	Window      *window   `json:"time_window,omitempty"`
	Breaks      []rest    `json:"breaks,omitempty"`
	MaxTasks    int       `json:"max_tasks,omitempty"`
	MaxTravel   int64     `json:"max_travel_time,omitempty"`
	MaxDistance int64     `json:"max_distance,omitempty"`
	Steps       []visited `json:"steps,omitempty"`
}

type costs struct {
	Fixed       int64 `json:"fixed"`
	PerHour     int64 `json:"per_hour"`
	PerTaskHour int64 `json:"per_task_hour"`
	PerKM       int64 `json:"per_km"`
}

type rest struct {
	ID      int      `json:"id"`
	Windows []window `json:"time_windows,omitempty"`
	Service int64    `json:"service"`
	MaxLoad []int32  `json:"max_load,omitempty"`
}

type window [2]int64

type stopSpec struct {
	ID             int              `json:"id"`
	Location       int              `json:"location_index"`
	Setup          int64            `json:"setup,omitempty"`
	Service        int64            `json:"service"`
	SetupPerType   map[string]int64 `json:"setup_per_type,omitempty"`
	ServicePerType map[string]int64 `json:"service_per_type,omitempty"`
	Windows        []window         `json:"time_windows,omitempty"`
}

type job struct {
	stopSpec
	Delivery []int32 `json:"delivery,omitempty"`
	Pickup   []int32 `json:"pickup,omitempty"`
	Skills   []int   `json:"skills,omitempty"`
	Priority int     `json:"priority,omitempty"`
}

type shipment struct {
	Pickup   stopSpec `json:"pickup"`
	Delivery stopSpec `json:"delivery"`
	Amount   []int32  `json:"amount,omitempty"`
	Skills   []int    `json:"skills,omitempty"`
	Priority int      `json:"priority,omitempty"`
}

type visited struct {
	Type string `json:"type"`
	ID   int    `json:"id"`
}

// lastMoment is the latest time that VROOM can express.
const lastMoment = math.MaxUint32

// writer writes a problem in VROOM's form.
type writer struct {
	*question
	out    problem
	zero   int64 // subtracted from all times
	fleets map[string]int
	able   [][]int // by vehicle: the numbers of the sets of vehicles that it is in, which stand for skills, territories and ways
	used   []int   // locations, in VROOM's order
	number []int   // of a location among them, -1 for none
	drives []drive
	metres bool // distances matter, of some vehicle: VROOM wants them of all then
}

// drive is a profile of VROOM's: a matrix at the speed factor of some vehicles.
type drive struct {
	profile  int
	factor   float64
	pathless int64 // time that stands for no way, 0 where all ways exist
}

// written returns a problem in VROOM's form. Tasks that no vehicle is able to serve are
// left out; nil is a problem without any others, which VROOM refuses.
func written(ctx context.Context, q *question) ([]byte, error) {
	w := &writer{question: q, fleets: map[string]int{}, able: make([][]int, len(q.p.Vehicles)), number: make([]int, q.p.Matrices[0].N)}
	for i := range w.number {
		w.number[i] = -1
	}
	if q.limit > 0 {
		w.out.Options = &options{max(1, int64(q.limit/time.Second))}
	}
	w.zero = max(0, w.earliest()-margin)
	w.out.Jobs, w.out.Shipments = []job{}, []shipment{}
	if err := w.tasks(ctx); err != nil {
		return nil, err
	}
	if len(w.out.Jobs)+len(w.out.Shipments) == 0 {
		return nil, nil
	}
	w.vehicles()
	text, err := json.Marshal(&w.out)
	if err != nil {
		return nil, fmt.Errorf("write a problem for VROOM: %w", err)
	}
	return w.matrices(ctx, text)
}

// margin is how long before the first window a vehicle may set out.
const margin = 1 << 22

// earliest returns when the first window begins.
func (w *writer) earliest() int64 {
	first := int64(math.MaxInt64)
	see := func(list []fleet.Window) {
		if len(list) > 0 {
			first = min(first, list[0].Start)
		}
	}
	for i := range w.p.Vehicles {
		see(w.p.Vehicles[i].Windows)
		for k := range w.p.Vehicles[i].Breaks {
			see(w.p.Vehicles[i].Breaks[k].Windows)
		}
	}
	for i := range w.p.Jobs {
		see(w.p.Jobs[i].Windows)
	}
	for i := range w.p.Shipments {
		see(w.p.Shipments[i].Pickup.Windows)
		see(w.p.Shipments[i].Delivery.Windows)
	}
	if first == math.MaxInt64 {
		return 0
	}
	return first
}

func (w *writer) windows(list []fleet.Window) (out []window) {
	for _, x := range list {
		out = append(out, window{min(x.Start-w.zero, lastMoment), min(x.End-w.zero, lastMoment)})
	}
	return out
}

// tasks writes the tasks that some vehicle is able to serve.
func (w *writer) tasks(ctx context.Context) error {
	aboard := map[int]bool{}
	for i := range w.p.Vehicles {
		for _, s := range w.p.Vehicles[i].OnBoard {
			aboard[s] = true
		}
	}
	for i := range w.p.Jobs {
		j := &w.p.Jobs[i]
		if skills, ok := w.skills(fleet.Task{Index: i}); ok {
			w.out.Jobs = append(w.out.Jobs, job{w.stopSpec(i, &j.Place), j.Delivery, j.Pickup, skills, j.Priority})
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	for i := range w.p.Shipments {
		s := &w.p.Shipments[i]
		skills, ok := w.skills(fleet.Task{Shipment: true, Index: i})
		switch {
		case !ok || w.stays != nil && w.stays[i]:
		case aboard[i]:
			w.out.Jobs = append(w.out.Jobs, job{w.stopSpec(len(w.p.Jobs)+i, &s.Delivery), s.Amount, nil, skills, s.Priority})
		default:
			w.out.Shipments = append(w.out.Shipments, shipment{w.stopSpec(i, &s.Pickup), w.stopSpec(i, &s.Delivery), s.Amount, skills, s.Priority})
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// skills returns the skill that stands for the vehicles which are able to serve a task:
// none if all are, false if none is.
func (w *writer) skills(t fleet.Task) ([]int, bool) {
	set := make([]byte, len(w.p.Vehicles))
	n := 0
	for v := range w.p.Vehicles {
		if w.p.CanServe(v, t) {
			set[v] = 1
			n++
		}
	}
	if n == 0 || n == len(set) {
		return nil, n > 0
	}
	number, known := w.fleets[string(set)]
	if !known {
		number = len(w.fleets)
		w.fleets[string(set)] = number
		for v, in := range set {
			if in == 1 {
				w.able[v] = append(w.able[v], number)
			}
		}
	}
	return []int{number}, true
}

func (w *writer) stopSpec(id int, pl *fleet.Place) stopSpec {
	return stopSpec{id, w.location(pl.Location), pl.Setup, pl.Service, pl.SetupByType, pl.ServiceByType, w.windows(pl.Windows)}
}

// location returns the number of a location among those in use.
func (w *writer) location(l int) int {
	if w.number[l] < 0 {
		w.number[l] = len(w.used)
		w.used = append(w.used, l)
	}
	return w.number[l]
}

func (w *writer) end(l int) *int {
	if l == fleet.None {
		return nil
	}
	n := w.location(l)
	return &n
}

func (w *writer) vehicles() {
	sets := make([]int, len(w.p.Vehicles))
	for i := range w.p.Vehicles {
		v := &w.p.Vehicles[i]
		sets[i] = w.drive(v)
		x := vehicle{
			ID: i, Profile: strconv.Itoa(sets[i]), Start: w.end(v.Start), End: w.end(v.End), Capacity: w.room(v), Skills: w.able[i], Type: v.Type,
			Costs:    costs{v.Fixed, v.PerHour, v.PerTaskHour, v.PerKilometre},
			MaxTasks: max(0, v.MaxTasks), MaxTravel: v.MaxTravelTime, MaxDistance: v.MaxDistance,
		}
		if len(v.Windows) > 0 {
			x.Window = &w.windows(v.Windows)[0]
		}
		for k := range v.Breaks {
			b := &v.Breaks[k]
			x.Breaks = append(x.Breaks, rest{k, w.windows(b.Windows), b.Service, b.MaxLoad})
		}
		if w.begun {
			x.Steps = w.steps(v.Begins())
		}
		w.out.Vehicles = append(w.out.Vehicles, x)
	}
	// The time of a missing way depends on how many there are.
	for k := range w.drives {
		w.drives[k].pathless = w.pathless(&w.p.Matrices[w.drives[k].profile])
	}
	for i := range w.out.Vehicles {
		if none := w.drives[sets[i]].pathless; none > 0 {
			x := &w.out.Vehicles[i]
			if x.MaxTravel == 0 || x.MaxTravel >= none {
				x.MaxTravel = none - 1
			}
		}
	}
}

// room returns the capacity of a vehicle less the loads that stay on board.
func (w *writer) room(v *fleet.Vehicle) []int32 {
	room := append([]int32(nil), v.Capacity...)
	for _, s := range v.OnBoard {
		for d, n := range w.p.Shipments[s].Amount {
			if w.stays != nil && w.stays[s] {
				room[d] = max(0, room[d]-n)
			}
		}
	}
	return room
}

func (w *writer) steps(stops []fleet.Stop) (out []visited) {
	for _, s := range stops {
		x := visited{map[fleet.StopKind]string{fleet.AtJob: "job", fleet.AtPickup: "pickup", fleet.AtDelivery: "delivery"}[s.Kind], s.Index}
		if s.Kind == fleet.AtDelivery && w.isAboard(s.Index) {
			x = visited{"job", len(w.p.Jobs) + s.Index}
		}
		out = append(out, x)
	}
	return out
}

func (w *writer) isAboard(shipment int) bool {
	for i := range w.p.Vehicles {
		for _, s := range w.p.Vehicles[i].OnBoard {
			if s == shipment {
				return true
			}
		}
	}
	return false
}

// drive returns the number of a vehicle's profile.
func (w *writer) drive(v *fleet.Vehicle) int {
	w.metres = w.metres || v.PerKilometre > 0 || v.MaxDistance > 0
	for k := range w.drives {
		if d := &w.drives[k]; d.profile == v.Profile && d.factor == v.SpeedFactor {
			return k
		}
	}
	w.drives = append(w.drives, drive{profile: v.Profile, factor: v.SpeedFactor})
	return len(w.drives) - 1
}
