package zones

import (
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/zone"
	"github.com/waygate/waygate/wire/null"
)

// Block is the part of an answer about the zones that its routes run through.
type Block struct {
	JudgedAt string    `json:"judged_at" enum:"departure_now,departure,arrival,fixed" doc:"what the times rest on: setting out now (as without date_time), date_time as departure or arrival, or one time for all of the journey"`
	Zones    []Crossed `json:"zones" doc:"by route, and in the order in which it comes to them"`
	Charges  []Total   `json:"daily_charges" doc:"what the zones of the route ask together that charge by the day; a day that is paid already, discounts and fleets are not known here"`
	Caveat   string    `json:"caveat"`
}

// Crossed is a zone that a route runs through.
type Crossed struct {
	Route    int       `json:"route" doc:"0 is the route, 1 its first alternate; a scenic alternative comes after all others"`
	ID       string    `json:"id"`
	Name     string    `json:"name"`
	Scheme   string    `json:"scheme,omitempty"`
	Verdict  Verdict   `json:"verdict" enum:"free,unknown,charged,banned" doc:"the severest while the route is in it"`
	Reason   Reason    `json:"reason" enum:"by_rule,vehicle_not_covered,standard_met,outside_hours,hours_unknown,rules_unknown,vehicle_not_told"`
	Text     string    `json:"text" doc:"the reason for people"`
	Amount   *float64  `json:"amount" doc:"of a charge; null where there is none or it is not known"`
	Currency *string   `json:"currency" doc:"ISO 4217"`
	Per      *string   `json:"per" enum:"day,hour,entry"`
	Hours    *string   `json:"hours" doc:"of the rule that decided, in the syntax of opening_hours; null is always"`
	Website  *string   `json:"website" doc:"for drivers; null where not known"`
	Passages []Passage `json:"passages"`
	Starts   bool      `json:"starts_inside"`
	Ends     bool      `json:"ends_inside"`
	Sources  Sources   `json:"sources"`
	Outdated string    `json:"outdated,omitempty" doc:"present where what is known of the zone was last compared more than two years ago: since when"`
}

// Passage is a stretch of a route in a zone.
type Passage struct {
	Enter   float64 `json:"enter_arc_m" doc:"metres along the route"`
	Leave   float64 `json:"leave_arc_m"`
	Enters  string  `json:"enters_at" format:"date-time"`
	Leaves  string  `json:"leaves_at" format:"date-time"`
	enters  time.Time
	leaves  time.Time
	seconds [2]float64
}

// Sources are the sources of a zone's rules and boundary.
type Sources struct {
	Origin   string  `json:"origin" enum:"dataset,map" doc:"map is OpenStreetMap, whose zones have no rules here"`
	Charges  *Source `json:"charges,omitempty" doc:"absent where no rules are known"`
	Boundary Source  `json:"boundary"`
}

// Source is where rules or a boundary were published.
type Source struct {
	Publisher string  `json:"publisher"`
	URL       string  `json:"url"`
	Licence   string  `json:"licence"`
	Checked   *string `json:"checked" format:"date" doc:"the day on which it was compared with its source; null of the map"`
}

// Total is a sum of charges.
type Total struct {
	Currency string  `json:"currency"`
	Amount   float64 `json:"amount"`
	Zones    int     `json:"zones"`
}

const caveat = "a reading of published rules, not a decision of who runs the zone: exemptions of single vehicles, payments and signs on the road are not known here"

// leastPassage is the shortest passage in metres. Shorter ones come of rounding, where a border
// runs along a road.
const leastPassage = 1.0

// Along returns the block about the zones that routes run through, and nil where they run through
// none. The vehicle may be nil. Routes must have lines, and pieces for the times on them.
func (s *Service) Along(x *zone.Index, v *Vehicle, when *engine.When, routes []engine.Route) *Block {
	if len(x.All()) == 0 {
		return nil
	}
	b := &Block{JudgedAt: basis(when), Charges: []Total{}, Caveat: caveat}
	for i := range routes {
		for _, c := range s.crossed(x, v, when, &routes[i]) {
			c.Route = i
			b.Zones = append(b.Zones, c)
			if i == 0 && c.Verdict == Charged && c.Amount != nil && *c.Per == "day" {
				b.add(*c.Currency, *c.Amount)
			}
		}
	}
	if len(b.Zones) == 0 {
		return nil
	}
	return b
}

func basis(when *engine.When) string {
	switch {
	case when == nil || when.Type == engine.Now:
		return "departure_now"
	case when.Type == engine.Arrive:
		return "arrival"
	case when.Type == engine.Invariant:
		return "fixed"
	}
	return "departure"
}

func (b *Block) add(currency string, amount float64) {
	i := slices.IndexFunc(b.Charges, func(t Total) bool { return t.Currency == currency })
	if i < 0 {
		b.Charges = append(b.Charges, Total{Currency: currency})
		i = len(b.Charges) - 1
	}
	b.Charges[i].Amount += amount
	b.Charges[i].Zones++
}

// crossed returns the zones on one route.
func (s *Service) crossed(x *zone.Index, v *Vehicle, when *engine.When, r *engine.Route) (list []Crossed) {
	line := lineOf(r)
	all := x.Crossed(line)
	if len(all) == 0 {
		return nil
	}
	arcs, seconds := measured(r, len(line))
	for _, c := range all {
		var passages []Passage
		for _, in := range c.Stretches {
			p := Passage{Enter: decimetres(at(arcs, in.From)), Leave: decimetres(at(arcs, in.To)), seconds: [2]float64{at(seconds, in.From), at(seconds, in.To)}}
			if p.Leave-p.Enter >= leastPassage {
				passages = append(passages, p)
			}
		}
		if len(passages) == 0 {
			continue
		}
		list = append(list, s.judge(c.Placed, v, when, r, passages, decimetres(arcs[len(arcs)-1])))
	}
	return list
}

// judge judges the passages of a route through a zone, and returns the severest verdict.
func (s *Service) judge(z *zone.Placed, v *Vehicle, when *engine.When, r *engine.Route, all []Passage, length float64) Crossed {
	out := Crossed{ID: z.ID, Name: z.Name, Scheme: z.Scheme, Website: null.IfZero(z.Website), Passages: all, Sources: SourcesOf(z), Outdated: Outdated(&z.Zone, s.now()), Starts: all[0].Enter == 0, Ends: all[len(all)-1].Leave == length}
	begin := s.begin(&z.Zone, when, r)
	var worst Judgement
	for i := range all {
		p := &all[i]
		p.enters, p.leaves = begin, begin
		if when == nil || when.Type != engine.Invariant {
			p.enters = begin.Add(time.Duration(p.seconds[0] * float64(time.Second)))
			p.leaves = begin.Add(time.Duration(p.seconds[1] * float64(time.Second)))
		}
		p.Enters, p.Leaves = p.enters.Format(time.RFC3339), p.leaves.Format(time.RFC3339)
		j, _ := Between(&z.Zone, v, p.enters, p.leaves, s.holidays(&z.Zone))
		if i == 0 || j.Verdict.severity() > worst.Verdict.severity() {
			worst = j
		}
	}
	out.Verdict, out.Reason, out.Text = worst.Verdict, worst.Reason, worst.worded(&z.Zone, v)
	if rule := worst.Rule; rule != nil {
		if rule.Hours != "" {
			out.Hours = &rule.Hours
		}
		if worst.Verdict == Charged && rule.Amount != nil {
			out.Amount, out.Currency, out.Per = rule.Amount, &rule.Currency, &rule.Per
		}
	}
	return out
}

// begin returns when a route sets out, in the time zone of a zone.
func (s *Service) begin(z *zone.Zone, when *engine.When, r *engine.Route) time.Time {
	switch {
	case when == nil || when.Type == engine.Now:
		return s.now().In(location(z)).Truncate(time.Second)
	case when.Type == engine.Arrive:
		if len(r.Waypoints) > 0 && !r.Waypoints[0].At.IsZero() {
			return localIn(r.Waypoints[0].At, z)
		}
		return localIn(when.Local, z).Add(-time.Duration(r.Seconds * float64(time.Second)))
	}
	return localIn(when.Local, z)
}

// lineOf returns the line of a route, each point once where legs meet.
func lineOf(r *engine.Route) (line []geo.Point) {
	for i := range r.Legs {
		line = append(line, r.Legs[i].Line...)
	}
	return slices.Compact(line)
}

// measured returns the metres and the seconds up to each of the n points of a route's line.
func measured(r *engine.Route, n int) (arcs, seconds []float64) {
	arcs, seconds = make([]float64, 0, n), make([]float64, 0, n)
	arc, before := 0.0, 0.0
	var last geo.Point
	for i := range r.Legs {
		leg := &r.Legs[i]
		weights, sum := make([]float64, max(0, len(leg.Line)-1)), 0.0
		for j := range weights {
			if len(leg.Pieces) == len(weights) {
				weights[j] = leg.Pieces[j].Seconds
			} else {
				weights[j] = geo.Distance(leg.Line[j], leg.Line[j+1])
			}
			sum += weights[j]
		}
		part := 0.0
		for j, p := range leg.Line {
			if j > 0 {
				arc += geo.Distance(leg.Line[j-1], p)
				part += weights[j-1]
			}
			if len(arcs) > 0 && last == p {
				continue
			}
			last = p
			took := before
			if sum > 0 {
				took += leg.Seconds * part / sum // time lost at junctions is spread over the leg
			}
			arcs, seconds = append(arcs, arc), append(seconds, took)
		}
		before += leg.Seconds
	}
	return arcs, seconds
}

// at interpolates values at a place of a line: the index of a point, and the fraction of the way
// to the next.
func at(values []float64, place float64) float64 {
	i := min(int(place), len(values)-1)
	if i+1 >= len(values) {
		return values[i]
	}
	return values[i] + (values[i+1]-values[i])*(place-math.Floor(place))
}

func decimetres(metres float64) float64 { return math.Round(metres*10) / 10 }

// SourcesOf returns the sources of a zone.
func SourcesOf(z *zone.Placed) Sources {
	out := Sources{Origin: "dataset", Boundary: sourceOf(&z.Boundary.Source)}
	if z.Mapped {
		out.Origin = "map"
	}
	if z.Charges != nil && len(z.Rules) > 0 {
		charges := sourceOf(z.Charges)
		out.Charges = &charges
	}
	return out
}

func sourceOf(s *zone.Source) Source {
	out := Source{Publisher: s.Publisher, URL: s.URL, Licence: s.Licence}
	if s.Checked != "" {
		out.Checked = &s.Checked
	}
	return out
}
