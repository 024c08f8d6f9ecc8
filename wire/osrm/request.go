package osrm

import (
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

// Codes of the envelope of a failure.
const (
	InvalidURL     = "InvalidUrl"
	InvalidQuery   = "InvalidQuery"
	InvalidValue   = "InvalidValue"
	InvalidOptions = "InvalidOptions"
	TooBig         = "TooBig"
)

// Refuse returns a failure of a request with its code.
func Refuse(code, format string, args ...any) *fault.Error {
	return fault.New(fault.BadRequest, format, args...).With("code", code)
}

// Service is one of those in OSRM's form.
type Service uint8

// The services.
const (
	RouteService Service = 1 << iota
	TableService
	NearestService
	MatchService
	TripService

	drawn  = RouteService | MatchService | TripService // that answer with routes
	every  = drawn | TableService | NearestService
	chosen = RouteService | TableService | TripService // that choose ways between places
)

// limits is how many coordinates a service takes.
var limits = map[Service]struct{ least, most int }{RouteService: {2, 50}, TableService: {2, 1000}, NearestService: {1, 1}, MatchService: {2, 1000}, TripService: {2, 50}}

// URL is a request as it was sent: the profile and the coordinates of its path,
// unescaped, and its query. Failures of reading it are faults with a code of the
// envelope.
type URL struct {
	Profile, Coordinates, Query string
	Bounds                      geo.Bounds // of the region, for hints; empty where unknown

	// The results of reading.
	Warnings []engine.Warning  // of what in the query had no effect
	Receipt  bool              // a receipt is requested
	Given    []string          // names of the query, sorted
	Idle     []engine.Warning  // of what is accepted and says nothing here, for a receipt
	Settings *costing.Settings // options of the costing
}

// Option returns the costing option that a parameter sets by itself; zero where it sets none.
func Option(name string) costing.Option {
	if name == "tunnel_code" {
		return costing.ADRTunnelCode
	}
	return costing.Find(name)
}

// query is a request while it is read.
type query struct {
	asked *Route               // of the route service
	route *engine.RouteRequest // of that: costing and options, locations, what is drawn and listed

	continueThrough bool
	stops           []int  // coordinates that begin or end a leg; nil is all
	table           *Table // of the table service
	number          int    // of roads
	trace           trace
	trip            *Trip // of the trip service

	avoid, exclude []string
	receipt        bool
	options        map[string]json.RawMessage // costing options
	values         map[string]string          // of all parameters
}

// read checks what all services have in common.
func (u *URL) read(s Service) (*query, error) {
	c, err := profile(u.Profile)
	if err != nil {
		return nil, err
	}
	line, err := coordinates(u.Coordinates, s, u.Bounds)
	if err != nil {
		return nil, err
	}
	values, err := pairs(u.Query)
	if err != nil {
		return nil, err
	}
	asked := &Route{Route: engine.RouteRequest{
		Costing: c, Locations: make([]engine.Location, len(line)), Output: engine.Output{Format: engine.OSRM, Overview: "simplified", Geometries: "polyline"},
	}}
	q := &query{values: values, options: map[string]json.RawMessage{}, number: 1, asked: asked, route: &asked.Route}
	switch s {
	case TableService:
		q.table = &Table{Durations: true, Asked: true, Scale: 1}
	case TripService:
		q.trip = new(Trip)
	}
	for i, p := range line {
		q.route.Locations[i] = engine.Location{Point: p, Filter: engine.SearchFilter{ExcludeClosures: true}}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		p := find(s, name)
		if p == nil {
			u.Warnings = schema.AppendWarningOf(u.Warnings, name, schema.UnknownMember, "%s is not known here and had no effect", name)
			continue
		}
		if err := p.read(q, name, values[name]); err != nil {
			return nil, err
		}
		if strings.HasPrefix(p.doc, accepted) {
			u.Idle = schema.AppendWarningOf(u.Idle, name, schema.WithoutEffect, "%s is %s", name, p.doc)
		}
	}
	u.Receipt = q.receipt
	u.Given = slices.DeleteFunc(slices.Sorted(maps.Keys(values)), func(name string) bool { return name == "receipt" || name == "api_key" })
	u.Settings = &q.route.Options
	if err := q.needSteps("voice_instructions", "banner_instructions"); err != nil {
		return nil, err
	}
	return q, q.checkOptions(u)
}

// checkOptions checks the costing options once all that sets one has been read.
func (q *query) checkOptions(u *URL) error {
	if len(q.avoid)+len(q.exclude) > 0 {
		_, err := costing.Avoid(q.route.Costing, q.avoid, q.exclude, q.options)
		var e *fault.Error
		if errors.As(err, &e) {
			return e.With("code", InvalidValue)
		}
		if err != nil {
			return err
		}
	}
	note, assumed := costing.Complete(q.options)
	if note != "" {
		u.Warnings = schema.AppendWarning(u.Warnings, engine.WarnLoad, "%s", note)
	}
	settings, unknown, bad := costing.Parse(q.route.Costing, q.options, "query")
	if len(bad) > 0 {
		name := strings.TrimPrefix(bad[0].Location, "query.")
		return Refuse(InvalidValue, "%s is %s and %s", name, fault.Clip(q.values[name]), bad[0].Message)
	}
	if len(unknown) > 0 {
		return Refuse(InvalidValue, "%s is not an option of the profile (%s)", unknown[0], q.route.Costing)
	}
	settings.CodeAssumed = assumed
	q.route.Options = settings
	return nil
}

// needSteps refuses those of some switches that are set where steps is not.
func (q *query) needSteps(switches ...string) error {
	for _, name := range switches {
		if q.values[name] == "true" && !q.route.Steps {
			return Refuse(InvalidOptions, "%s=true needs steps=true", name)
		}
	}
	return nil
}

// noPreference refuses what prefers one way to another, for a service that
// chooses no way between places, for the reason given. A side to arrive on is
// such a preference too.
func (q *query) noPreference(reason string) error {
	for i := range parameters {
		name := parameters[i].name
		if v := q.values[name]; parameters[i].prefers && v != "" && v != "false" {
			return Refuse(InvalidValue, "%s is %q, which prefers one way to another, and %s; exclude leaves roads out here", name, fault.Clip(v), reason)
		}
	}
	for i, l := range q.route.Locations {
		if l.Side != "" && l.Side != engine.EitherSide {
			return Refuse(InvalidValue, "approaches[%d] is a side to arrive on, and %s", i, reason)
		}
	}
	return nil
}

// pairs splits a query. Lists have bare semicolons in it, which net/url
// refuses. A parameter that stands twice is refused.
func pairs(raw string) (map[string]string, error) {
	values := map[string]string{}
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		n, errN := url.QueryUnescape(name)
		v, errV := url.QueryUnescape(value)
		if err := errors.Join(errN, errV); err != nil {
			return nil, Refuse(InvalidQuery, "the query is malformed near %q", fault.Clip(pair))
		}
		if n == "" {
			return nil, Refuse(InvalidQuery, "%q in the query is a value without a name", fault.Clip(pair))
		}
		if _, repeated := values[n]; repeated {
			return nil, Refuse(InvalidQuery, "%s stands twice in the query", fault.Clip(n))
		}
		values[n] = v
	}
	return values, nil
}

// profiles are the words for a way of travel, in the contract's order.
var profiles = []struct {
	word    string
	costing costing.Costing
}{
	{"driving", costing.Auto},
	{"car", costing.Auto},
	{"auto", costing.Auto},
	{"truck", costing.Truck},
	{"bus", costing.Bus},
	{"bicycle", costing.Bicycle},
	{"bike", costing.Bicycle},
	{"cycling", costing.Bicycle},
	{"walking", costing.Pedestrian},
	{"foot", costing.Pedestrian},
	{"pedestrian", costing.Pedestrian},
	{"scooter", costing.MotorScooter},
	{"motorcycle", costing.Motorcycle},
	{"motorbike", costing.Motorcycle},
}

func profileWords() []string {
	words := make([]string, len(profiles))
	for i, p := range profiles {
		words[i] = p.word
	}
	return words
}

// profile returns the way of travel that a word means.
func profile(word string) (costing.Costing, error) {
	for _, p := range profiles {
		if p.word == word {
			return p.costing, nil
		}
	}
	return 0, Refuse(InvalidValue, "profile %q is not one of %s", fault.Clip(word), strings.Join(profileWords(), ", "))
}

// Parameters describes the path and the query of a service.
func (s Service) Parameters() []*schema.Parameter {
	list := []*schema.Parameter{
		{Name: "profile", In: "path", Required: true, Description: "way of travel", Schema: choice(profileWords())},
		{Name: "coordinates", In: "path", Required: true, Description: s.coordinates(), Schema: &schema.Schema{Type: schema.String}},
	}
	for i := range parameters {
		if p := &parameters[i]; p.of&s != 0 && !(p.prefers && s&chosen == 0) {
			described := p.schema
			list = append(list, &schema.Parameter{Name: p.name, In: "query", Description: p.doc, Schema: &described})
		}
	}
	return list
}
