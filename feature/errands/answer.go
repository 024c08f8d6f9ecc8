package errands

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/hours"
)

// Codes of reasons.
const (
	DeadlineMissed    = "deadline_missed"
	DestinationTooFar = "destination_unreachable_in_time"
	NoCandidates      = "no_candidates_in_corridor"
	AllClosed         = "all_candidates_closed"
	Unroutable        = "unroutable"
)

// details word the codes that need no figures.
var details = map[string]string{
	DeadlineMissed: "all errands together arrive too late",
	NoCandidates:   "no place of the category lies within the detour of the direct route",
	AllClosed:      "the tags of opening hours prove every place that comes into question shut at the time of the stay, in every order",
	Unroutable:     "the network has no way to a place and on from it",
}

// Opening verdicts.
const (
	OpenOnTheTag = "open_on_the_tag"
	NotKnown     = "unknown"
)

// caveat explains the times.
const caveat = "Drives are timed free of traffic. Opening hours are what the tag of the map says and nobody has asked; public holidays count where those of the country are known, school holidays make unknown what depends on them."

// usage explains the cost of a plan.
const usage = "A plan costs a flat 10 Standard calls, feasible or not, whatever it had to search: %s were asked of the routing engine."

// Answer is a plan, or why there is none.
type Answer struct {
	Feasible     bool         `json:"feasible" doc:"all errands can be run, and the destination is reached by arrive_by"`
	Plan         *Plan        `json:"plan,omitempty" doc:"left out where not all can be done"`
	Reason       *Reason      `json:"reason,omitempty" doc:"why not all can be done; left out where it can"`
	Achievable   *Plan        `json:"achievable,omitempty" doc:"where not all can be done, the plan of as many errands as can; without any it is the drive alone. Left out where not even that arrives in time, and where all can be done"`
	Dropped      []Dropped    `json:"dropped" doc:"errands that achievable leaves out, or all where there is none"`
	Verification Verification `json:"verification"`
	Search       Search       `json:"search"`
	Usage        string       `json:"usage" doc:"what the call cost"`
	Caveat       string       `json:"caveat"`

	Engine []engine.Warning `json:"-"` // of the engine's calls
}

// Plan is a chain of stops.
type Plan struct {
	DepartAt string  `json:"depart_at" format:"date-time"`
	ArriveAt string  `json:"arrive_at" format:"date-time" doc:"at the destination"`
	Slack    float64 `json:"slack_s" decimals:"1" unit:"seconds" minimum:"0" doc:"left until arrive_by"`
	Drive    float64 `json:"drive_s" decimals:"1" unit:"seconds" minimum:"0" doc:"of all legs"`
	Dwell    float64 `json:"dwell_s" decimals:"1" unit:"seconds" minimum:"0" doc:"of all stops"`
	To       string  `json:"destination_name,omitempty"`
	Direct   float64 `json:"direct_s" decimals:"1" unit:"seconds" minimum:"0" doc:"of the drive without any errand"`
	Distance float64 `json:"distance_m" decimals:"1"`
	Stops    []Stop  `json:"stops" doc:"in the order of the visits"`
	Legs     []Leg   `json:"legs" doc:"one more than stops: to each stop, and then to the destination"`
}

// Stop is a visit.
type Stop struct {
	Errand     string   `json:"errand_id"`
	ID         string   `json:"id,omitempty" doc:"of the place in the index; left out of supplied ones"`
	Source     string   `json:"source" enum:"index,supplied"`
	Name       string   `json:"name,omitempty"`
	Lat        float64  `json:"lat" decimals:"6"`
	Lon        float64  `json:"lon" decimals:"6"`
	Categories []string `json:"categories,omitempty"`
	Street     string   `json:"street,omitempty"`
	House      string   `json:"housenumber,omitempty"`
	Locality   string   `json:"city,omitempty"`
	ArriveAt   string   `json:"arrive_at" format:"date-time"`
	LeaveAt    string   `json:"leave_at" format:"date-time"`
	Dwell      float64  `json:"dwell_minutes"`
	Opening    Opening  `json:"opening"`
}

// Opening reports whether the tag has the place open during a stay.
type Opening struct {
	Verdict      string `json:"verdict" enum:"open_on_the_tag,unknown" doc:"unknown without a tag, and where it cannot be judged for the whole stay"`
	OpeningHours string `json:"opening_hours,omitempty" doc:"the tag"`
	Timezone     string `json:"timezone,omitempty" doc:"by whose clocks it was judged"`
}

// Leg is a drive.
type Leg struct {
	From     string  `json:"from" doc:"origin, or the errand_id of a stop"`
	To       string  `json:"to" doc:"destination, or the errand_id of a stop"`
	DepartAt string  `json:"depart_at" format:"date-time"`
	ArriveAt string  `json:"arrive_at" format:"date-time"`
	Drive    float64 `json:"drive_s" decimals:"1" unit:"seconds" minimum:"0" doc:"by the matrix, free of traffic"`
	Distance float64 `json:"distance_m" decimals:"1"`
	Shape    string  `json:"shape" doc:"encoded polyline of six digits"`
}

// Reason is why not all can be done.
type Reason struct {
	Code        string   `json:"code" enum:"deadline_missed,destination_unreachable_in_time,no_candidates_in_corridor,all_candidates_closed,unroutable"`
	Detail      string   `json:"detail"`
	OverBy      *float64 `json:"over_by_s" unit:"seconds" nullable:"true" doc:"by how much the quickest plan of everything, or the drive alone, is late; null where there is none"`
	WouldArrive *string  `json:"would_arrive" format:"date-time" nullable:"true" doc:"when it would arrive"`
	Blocking    []string `json:"blocking" doc:"ids of the errands that stand in the way; none where the drive alone does"`

	named bool // blocking is the errands of the code
}

// late notes by how much an arrival is late.
func (r *Reason) late(by time.Duration, deadline time.Time) {
	seconds, at := math.Ceil(by.Seconds()*10)/10, deadline.Add(by).Round(time.Second).Format(time.RFC3339)
	r.OverBy, r.WouldArrive = &seconds, &at
}

// Dropped is an errand that is left out.
type Dropped struct {
	Errand string `json:"errand_id"`
	Code   string `json:"code" enum:"deadline_missed,destination_unreachable_in_time,no_candidates_in_corridor,all_candidates_closed,unroutable"`
}

// Verification reports how opening hours limited the plan.
type Verification struct {
	Basis string `json:"basis" enum:"opening_hours" doc:"the tag that was judged, by the clocks of the place, from the arrival through the stay"`
	Open  int    `json:"open_on_the_tag" minimum:"0" doc:"stops of the plan, or of achievable"`
	Not   int    `json:"unknown" minimum:"0" doc:"stops that are planned and not known to be open"`
	Shut  []Shut `json:"proven_shut" doc:"stops of the plan that would be quickest if nothing were ever shut, which their tags rule out"`
}

// Shut is a stop that its tag rules out.
type Shut struct {
	Errand       string `json:"errand_id"`
	ID           string `json:"id,omitempty"`
	Name         string `json:"name,omitempty"`
	OpeningHours string `json:"opening_hours"`
	Arrive       string `json:"would_arrive" format:"date-time"`
	Leave        string `json:"would_leave" format:"date-time"`
}

// Search is where candidates were looked for, and what bounded it.
type Search struct {
	Corridor         *Corridor  `json:"corridor,omitempty" doc:"left out where every errand has its place"`
	MaxDetourMinutes float64    `json:"max_detour_minutes"`
	PerErrand        int        `json:"max_candidates_per_errand"`
	Total            int        `json:"max_candidates"`
	Errands          []Searched `json:"errands" doc:"in the order of the request"`
	Routes           int        `json:"engine_routes" doc:"the direct one, and that of the plan"`
	Matrices         int        `json:"engine_matrices" minimum:"0" maximum:"1"`
}

// Corridor is circles around samples of the direct route.
type Corridor struct {
	Length  float64 `json:"length_m" decimals:"1"`
	Radius  float64 `json:"radius_m" decimals:"1"`
	Samples int     `json:"samples"`
}

// Searched counts the candidates of an errand.
type Searched struct {
	ID           string   `json:"errand_id"`
	Categories   []string `json:"categories,omitempty" doc:"that the category stands for"`
	Found        int      `json:"found" doc:"places in the corridor"`
	Considered   int      `json:"considered" doc:"candidates that were measured"`
	Shut         int      `json:"shut_throughout" doc:"passed over, since their tags prove them shut from the departure to arrive_by"`
	BeyondDetour int      `json:"beyond_detour" doc:"candidates further aside than the longest detour"`
	Unreachable  int      `json:"unreachable" doc:"candidates that no drive leads to, or on from"`

	dropped string // the code by which it is left out; "" where it is not
}

// clock returns an instant in the form of the answer, to the second.
func (j *job) clock(millis int64) string {
	return j.request.DepartAt.Add(time.Duration(millis) * time.Millisecond).Round(time.Second).In(j.request.ArriveBy.Location()).Format(time.RFC3339)
}

// detail returns the sentence of an engine's refusal.
func detail(err error) string {
	var e *fault.Error
	if errors.As(err, &e) {
		return e.Detail
	}
	return details[Unroutable]
}

// answer returns what a job came to.
func (j *job) answer(ctx context.Context, o *outcome, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	if o == nil {
		o = &outcome{shut: []Shut{}}
	}
	a := &Answer{Feasible: o.all != nil, Dropped: []Dropped{}, Verification: Verification{Basis: openingHours, Shut: o.shut}, Caveat: caveat}
	chosen := o.all
	if chosen == nil {
		chosen, a.Reason = o.largest, j.refused
		for i := range j.search.Errands {
			if o.set>>i&1 == 0 {
				s := &j.search.Errands[i]
				a.Dropped = append(a.Dropped, Dropped{s.ID, s.dropped})
			}
		}
	}
	if chosen != nil {
		plan, err := j.plan(ctx, chosen)
		if err != nil {
			return nil, err
		}
		if a.Feasible {
			a.Plan = plan
		} else {
			a.Achievable = plan
		}
		a.Verification.Not, a.Verification.Open = chosen.unknown, len(chosen.visits)-chosen.unknown
	}
	a.Search, a.Engine = j.search, j.warnings
	a.Usage = fmt.Sprintf(usage, asked(j.search.Matrices, j.search.Routes))
	return a, nil
}

func asked(matrices, routes int) string {
	words := [...]string{"no", "one", "two"}
	text := words[matrices] + " matrix and " + words[routes] + " route"
	if routes != 1 {
		text += "s"
	}
	return text
}

// plan requests the line of a solution and returns the plan with it.
func (j *job) plan(ctx context.Context, x *solution) (*Plan, error) {
	r := j.request
	points := []geo.Point{r.Origin}
	for _, v := range x.visits {
		points = append(points, j.candidates[v.candidate].place.At)
	}
	points = append(points, r.Destination)
	j.search.Routes++
	route, err := engine.Best(ctx, j.Engine, &engine.RouteRequest{Locations: engine.Stops(points), Costing: costing.Auto, Options: r.Options})
	if err != nil {
		return nil, err
	}
	if len(route.Legs) != len(points)-1 {
		return nil, fault.New(fault.Upstream, "the routing engine's route has %d legs and %d were asked for", len(route.Legs), len(points)-1).With("upstream_status", 200)
	}
	p := &Plan{
		DepartAt: j.clock(0), ArriveAt: j.clock(x.arrive), To: r.DestinationName, Slack: (r.ArriveBy.Sub(r.DepartAt) - time.Duration(x.arrive)*time.Millisecond).Seconds(),
		Direct: seconds(j.direct().millis), Stops: []Stop{}, Legs: []Leg{},
	}
	now, place, from := int64(0), 0, "origin"
	drive := func(to string, column int) {
		d := j.drive[place][column]
		leg := Leg{From: from, To: to, DepartAt: j.clock(now), ArriveAt: j.clock(now + d.millis), Drive: seconds(d.millis), Distance: d.metres, Shape: geo.EncodePolyline(route.Legs[len(p.Legs)].Line, 6)}
		p.Legs = append(p.Legs, leg)
		p.Drive, p.Distance, now = p.Drive+seconds(d.millis), p.Distance+d.metres, now+d.millis
		place, from = column+1, to
	}
	for _, v := range x.visits {
		drive(r.Errands[v.errand].ID, v.candidate)
		stay := r.Errands[v.errand].Dwell.Milliseconds()
		p.Stops = append(p.Stops, j.stop(v, now, now+stay))
		p.Dwell, now = p.Dwell+seconds(stay), now+stay
	}
	drive("destination", len(j.candidates))
	return p, nil
}

func seconds(millis int64) float64 { return float64(millis) / 1000 }

// stop returns a visit.
func (j *job) stop(v visit, arrive, leave int64) Stop {
	c, e := &j.candidates[v.candidate], &j.request.Errands[v.errand]
	s := Stop{
		Errand: e.ID, ID: c.place.ID, Source: "index", Name: c.place.Name, Lat: c.place.At.Lat, Lon: c.place.At.Lon, Categories: c.place.Categories,
		Street: c.place.Street, House: c.place.House, Locality: c.place.Locality,
		ArriveAt: j.clock(arrive), LeaveAt: j.clock(leave), Dwell: e.Dwell.Minutes(), Opening: Opening{Verdict: NotKnown, OpeningHours: c.hours.tag},
	}
	if c.supplied {
		s.ID, s.Source = "", "supplied"
	}
	if c.hours.zone != nil && c.hours.tag != "" {
		s.Opening.Timezone = c.hours.zone.String()
	}
	if c.hours.during(arrive, leave) == hours.Open {
		s.Opening.Verdict = OpenOnTheTag
	}
	return s
}
