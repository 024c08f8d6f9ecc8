package evplan

import (
	"math"
	"slices"

	"github.com/waygate/waygate/ev"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/null"
)

// Answer is a plan, or why there is none.
type Answer struct {
	Feasible    bool           `json:"feasible"`
	Reason      *Reason        `json:"reason,omitempty" doc:"present where there is no plan"`
	Furthest    *Furthest      `json:"furthest,omitempty" doc:"how far the vehicle comes; present where there is no plan"`
	Summary     *Summary       `json:"summary,omitempty" doc:"present where there is a plan, as legs, stops and profile"`
	Legs        []Leg          `json:"legs,omitempty"`
	Stops       []Stop         `json:"stops,omitempty" doc:"after each leg but the last"`
	Profile     []ProfilePoint `json:"profile,omitempty" doc:"state of charge and height along the journey; at a stop there are two points at one distance"`
	Direct      Direct         `json:"direct"`
	Search      Looked         `json:"search"`
	Attribution []string       `json:"attribution"`
	Caveat      string         `json:"caveat"`
}

// Reason is why there is no plan.
type Reason struct {
	Code string `json:"code" enum:"no_stations,start_too_low,gap,stop_minimum,destination_minimum" doc:"no station near the route fits the vehicle; none is within reach of the start; some are and the destination is not; it is, but not with the charge that is to be left at the locations on the way, or at the end"`
	Text string `json:"text"`
}

// Furthest is the last place on the direct route that the vehicle comes to with
// the lesser of the charges that are to be left at stations and at the end.
type Furthest struct {
	Lat     float64 `json:"lat"`
	Lon     float64 `json:"lon"`
	Metres  float64 `json:"distance_m" doc:"along the direct route"`
	After   *string `json:"after_station" doc:"name of the station it was charged at last, null where it was not"`
	Stretch float64 `json:"range_km" doc:"from there, or from the start, by the consumption of the direct route"`
	Area    *Area   `json:"area,omitempty" doc:"what is within that range of there, as a GeoJSON MultiPolygon; absent where the routing engine cannot outline it"`
}

// Area is a GeoJSON MultiPolygon.
type Area struct {
	Type        string           `json:"type" enum:"MultiPolygon"`
	Coordinates [][][][2]float64 `json:"coordinates"`
}

// Summary adds the journey up.
type Summary struct {
	Metres      float64 `json:"distance_m"`
	Seconds     float64 `json:"duration_s" doc:"driving, charging, stopping and waiting"`
	Driving     float64 `json:"driving_s"`
	Charging    float64 `json:"charging_s" doc:"beside dwelling"`
	Stopping    float64 `json:"stopping_s" doc:"parking and plugging in, waiting that is expected, and dwelling at locations"`
	Energy      float64 `json:"energy_kwh" doc:"that driving takes"`
	Consumption float64 `json:"consumption_kwh_per_100km"`
	Charged     float64 `json:"charged_kwh"`
	Departure   float64 `json:"departure_soc_pct"`
	Arrival     float64 `json:"arrival_soc_pct"`
	Stops       int     `json:"stops"`
}

// Leg is the way from one stop to the next.
type Leg struct {
	Metres      float64  `json:"distance_m"`
	Seconds     float64  `json:"duration_s"`
	Energy      float64  `json:"energy_kwh" doc:"below zero where more comes back than is taken"`
	Consumption float64  `json:"consumption_kwh_per_100km"`
	Departure   float64  `json:"departure_soc_pct"`
	Arrival     float64  `json:"arrival_soc_pct"`
	Lowest      float64  `json:"lowest_soc_pct" doc:"on the way"`
	Ascent      *float64 `json:"ascent_m" doc:"of the smoothed heights; null where heights are not known"`
	Descent     *float64 `json:"descent_m"`
	Shape       string   `json:"shape" doc:"encoded polyline of six digits"`
}

// Stop is a stop to charge, or a location between the ends.
type Stop struct {
	Location *int     `json:"location_index" doc:"of the location; null for a stop that the plan puts in"`
	Station  *Station `json:"station" doc:"null at a location where no station is known"`
	Dwell    float64  `json:"dwell_s" doc:"at a location: that was asked for; charging takes time beyond it only"`
	Metres   float64  `json:"distance_m" doc:"from the start"`
	Arrival  float64  `json:"arrival_soc_pct"`
	Depart   float64  `json:"departure_soc_pct"`
	Charged  float64  `json:"charged_kwh"`
	Charging float64  `json:"charging_s"`
	Overhead float64  `json:"overhead_s"`
	Waiting  float64  `json:"waiting_s" doc:"expected: 900 where all points that fit were taken when the source last said"`
	Most     float64  `json:"power_kw" doc:"most that station and vehicle can do together"`
	Mean     float64  `json:"mean_power_kw"`
}

// Station is where a stop is.
type Station struct {
	_        struct{} `nullable:"true"`
	ID       string   `json:"id" doc:"in its source"`
	Source   string   `json:"source"`
	Name     *string  `json:"name"`
	Operator *string  `json:"operator"`
	Lat      float64  `json:"lat"`
	Lon      float64  `json:"lon"`
	Live     bool     `json:"live" doc:"whether the state of some of its points is known"`
}

// ProfilePoint is a place on the journey.
type ProfilePoint struct {
	Metres float64  `json:"distance_m"`
	Charge float64  `json:"soc_pct"`
	Height *float64 `json:"height_m" doc:"of the ground; null where not known"`
}

// Direct is the route without a stop.
type Direct struct {
	Metres  float64 `json:"distance_m"`
	Seconds float64 `json:"duration_s"`
	Energy  float64 `json:"energy_kwh"`
}

// Looked counts the candidates that the search compared.
type Looked struct {
	Stations   int            `json:"stations" doc:"within corridor_m of the direct route"`
	Candidates int            `json:"candidates" doc:"of those that fit: the strongest of each part of the route, 500 at the most"`
	Compared   int            `json:"compared" doc:"candidates between which all ways were worked out: with others a plan would be less than a fiftieth faster"`
	Excluded   map[string]int `json:"excluded" doc:"by why: private, connector, power, power_unknown, out_of_order"`
	Measured   int            `json:"legs_measured" doc:"ways whose energy was worked out edge by edge; all of the plan are"`
	Rounds     int            `json:"rounds"`
}

const caveat = "consumption is a model: wind, tyres, snow, driving style and the age of a battery are not known to it; legs are the fastest ways, not those of the least energy"

// profilePoints is how many points of a leg the profile has.
const profilePoints = 100

// report writes the answer for a plan.
type report struct {
	*journey
	answer *Answer
	sum    *Summary
}

// toAnswer drives along a plan, leg by leg, and writes what it takes.
func (j *journey) toAnswer(p *ev.Plan) *Answer {
	full := j.Battery.Capacity
	a, sum := j.newAnswer(), &Summary{Departure: percent(j.Start)}
	r := &report{j, a, sum}
	a.Feasible, a.Summary = true, sum
	charge, at, metres := j.Start*full, 0, 0.0
	for i := range len(p.Stops) + 1 {
		next := len(j.places) - 1
		if i < len(p.Stops) {
			next = p.Stops[i].Station + 1
		}
		d := j.measured[j.way(at, next)]
		charge = r.leg(d, charge, metres)
		metres += d.Metres
		sum.Driving += d.Seconds
		sum.Energy += d.Cost
		if at = next; i == len(p.Stops) {
			break
		}
		charge = r.stop(&p.Stops[i], charge, metres)
	}
	sum.Metres, sum.Arrival = whole(metres), percent(charge/full)
	sum.Seconds = whole(sum.Driving + sum.Charging + sum.Stopping)
	sum.Consumption = per100(sum.Energy, metres)
	sum.Driving, sum.Charging, sum.Stopping = whole(sum.Driving), whole(sum.Charging), whole(sum.Stopping)
	sum.Energy, sum.Charged = kwh(sum.Energy), kwh(sum.Charged)
	return a
}

// leg adds a leg that begins with a charge, so many metres from the start, and returns the
// charge at its end.
func (r *report) leg(d *driven, charge, metres float64) (left float64) {
	full := r.Battery.Capacity
	leg := Leg{Metres: whole(d.Metres), Seconds: whole(d.Seconds), Energy: kwh(d.Cost), Departure: percent(charge / full), Shape: geo.EncodePolyline(d.line, 6)}
	leg.Consumption = per100(d.Cost, d.Metres)
	leg.Ascent, leg.Descent = d.climbed()
	left, lowest := r.drive(d, charge, metres)
	leg.Arrival, leg.Lowest = percent(left/full), percent(lowest/full)
	r.answer.Legs = append(r.answer.Legs, leg)
	return left
}

// stop adds a stop and returns the charge after it.
func (r *report) stop(s *ev.Stop, charge, metres float64) float64 {
	at, sum := &r.places[s.Station+1], r.sum
	full := r.Battery.Capacity
	depart := r.departure(at, s, charge)
	seconds := 0.0
	if depart > charge {
		seconds = r.Battery.ChargeSeconds(charge, depart, at.watts)
	}
	stop := Stop{Metres: whole(metres), Arrival: percent(charge / full), Depart: percent(depart / full), Charged: kwh(depart - charge), Charging: whole(seconds), Most: math.Round(at.watts/100) / 10}
	if seconds > 0 {
		stop.Mean = math.Round((depart-charge)/max(seconds, 1)*36) / 10
	}
	if c := at.candidate; c.Station != nil {
		stop.Station = &Station{ID: c.ID, Source: c.source(), Name: null.IfZero(c.Name), Operator: null.IfZero(c.Operator), Lat: c.At.Lat, Lon: c.At.Lon, Live: c.listed != nil && c.listed.Live}
		r.credit(c)
	}
	if at.call {
		stop.Location, stop.Dwell = &at.location, at.dwell.Seconds()
		sum.Charging += max(0, seconds-stop.Dwell)
		sum.Stopping += stop.Dwell
	} else {
		sum.Stops++
		stop.Overhead, stop.Waiting = r.Overhead.Seconds(), at.wait.Seconds()
		sum.Charging += seconds
		sum.Stopping += stop.Overhead + stop.Waiting
	}
	r.answer.Stops = append(r.answer.Stops, stop)
	sum.Charged += depart - charge
	return depart
}

// departure returns the charge that a stop charges to. The search works in steps of charge
// and rounds down, so that the vehicle may arrive with more than the search reckoned with
// and have time left to charge further.
func (r *report) departure(at *planPlace, s *ev.Stop, charge float64) float64 {
	full := r.Battery.Capacity
	depart, least := max(s.Depart, charge), r.MinCharge.Seconds()
	if at.watts <= 0 {
		return charge
	}
	if at.call {
		least = at.dwell.Seconds()
	}
	for depart+full/1000 <= r.MaxCharge*full {
		if next := depart + full/1000; at.call && r.Battery.ChargeSeconds(charge, next, at.watts) > least || !at.call && r.Battery.ChargeSeconds(charge, depart, at.watts) >= least {
			break
		}
		depart += full / 1000
	}
	return depart
}

// credit adds what the sources of a station want to be shown, each once.
func (r *report) credit(c *candidate) {
	add := func(text string) {
		if text != "" && !slices.Contains(r.answer.Attribution, text) {
			r.answer.Attribution = append(r.answer.Attribution, text)
		}
	}
	if c.listed == nil {
		add(r.Mapped.Attribution)
		return
	}
	add(c.listed.Source.Attribution)
	for _, also := range c.listed.Also {
		add(also.Attribution)
	}
}

// drive adds the charges along a way to the profile, and returns what is left at its end and
// the lowest charge on it.
func (r *report) drive(d *driven, charge, metres float64) (left, lowest float64) {
	full := r.Battery.Capacity
	lowest = charge
	every := max(1, (len(d.line)-1)/profilePoints)
	scale := 1.0 // the line's length is not exactly that of the roads
	if n := d.arcs[len(d.arcs)-1]; n > 0 {
		scale = d.Metres / n
	}
	for i := range d.line {
		if i > 0 {
			charge = min(full, charge-(d.energies[i]-d.energies[i-1]))
		}
		lowest = min(lowest, charge)
		if i%every == 0 || i == len(d.line)-1 {
			p := ProfilePoint{Metres: whole(metres + d.arcs[i]*scale), Charge: percent(charge / full)}
			if d.heights != nil {
				h := math.Round(d.heights[i]*10) / 10
				p.Height = &h
			}
			r.answer.Profile = append(r.answer.Profile, p)
		}
	}
	return charge, lowest
}

// climbed returns the ascent and the descent of a way in metres; nil where its heights are
// not known.
func (d *driven) climbed() (up, down *float64) {
	if d.heights == nil {
		return nil, nil
	}
	var climbs, falls float64
	for i := 1; i < len(d.heights); i++ {
		h := d.heights[i] - d.heights[i-1]
		climbs, falls = climbs+max(0, h), falls+max(0, -h)
	}
	climbs, falls = whole(climbs), whole(falls)
	return &climbs, &falls
}

// newAnswer returns the part of an answer that is there with a plan and without.
func (j *journey) newAnswer() *Answer {
	j.looked.Measured = len(j.measured)
	for i := range j.sections {
		j.looked.Compared += len(j.sections[i].chosen)
	}
	return &Answer{
		Direct: Direct{Metres: whole(j.direct.Metres), Seconds: whole(j.direct.Seconds), Energy: kwh(j.direct.Cost)},
		Search: j.looked, Attribution: []string{}, Caveat: caveat,
	}
}

func (c *candidate) source() string {
	if c.listed == nil {
		return osm
	}
	return c.listed.Source.ID
}

func whole(v float64) float64   { return math.Round(v) }
func kwh(wh float64) float64    { return math.Round(wh) / 1000 }
func percent(p float64) float64 { return math.Round(p*1000) / 10 }

func per100(wh, metres float64) float64 {
	if metres <= 0 {
		return 0
	}
	return math.Round(wh/metres*1000) / 10
}
