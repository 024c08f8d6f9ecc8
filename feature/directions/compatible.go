package directions

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// profiles are the words for a way of travel in a compatible path.
var profiles = map[string]engine.Costing{
	"driving": engine.Auto, "car": engine.Auto, "auto": engine.Auto,
	"truck":   engine.Truck,
	"bus":     engine.Bus,
	"bicycle": engine.Bicycle, "bike": engine.Bicycle, "cycling": engine.Bicycle,
	"walking": engine.Pedestrian, "foot": engine.Pedestrian, "pedestrian": engine.Pedestrian,
	"scooter":    engine.MotorScooter,
	"motorcycle": engine.Motorcycle, "motorbike": engine.Motorcycle,
}

// Profiles lists the words for a way of travel, in the contract's order.
func Profiles() []string {
	return []string{"driving", "car", "auto", "truck", "bus", "bicycle", "bike", "cycling", "walking", "foot", "pedestrian", "scooter", "motorcycle", "motorbike"}
}

// query is a compatible request while it is read.
type query struct {
	req             *Request
	values          map[string]string
	chosen          map[string]json.RawMessage // costing options
	avoid, exclude  []string
	continueThrough bool
}

// Compatible checks a request of the compatible endpoint: the profile and the
// coordinates of its path, unescaped, and its query as it was sent.
func (s *Service) Compatible(profile, coordinates, rawQuery string) (*Request, error) {
	costing, ok := profiles[profile]
	if !ok {
		return nil, refusal(invalidValue, "profile %q is not one of %s", fault.Clip(profile), strings.Join(Profiles(), ", "))
	}
	line, err := Coordinates(coordinates, s.Bounds)
	if err != nil {
		return nil, err
	}
	values, err := pairs(rawQuery)
	if err != nil {
		return nil, err
	}
	q := &query{values: values, chosen: map[string]json.RawMessage{}, req: &Request{Route: engine.RouteRequest{
		Face: engine.Compatible, Costing: costing, Overview: "simplified", Geometries: "polyline",
	}}}
	for _, p := range line {
		q.req.Route.Locations = append(q.req.Route.Locations, engine.Location{Point: p, Filter: engine.SearchFilter{ExcludeClosures: true}})
	}
	for _, name := range slices.Sorted(mapKeys(values)) {
		read, known := parameters[name]
		if !known {
			return nil, refusal(invalidQuery, "%q is not a parameter of this endpoint", fault.Clip(name))
		}
		if err := read(q, name, values[name]); err != nil {
			return nil, err
		}
	}
	return s.finish(q)
}

// finish completes a request once all its parameters are read.
func (s *Service) finish(q *query) (*Request, error) {
	for _, name := range []string{"voice_instructions", "banner_instructions", "landmarks"} {
		if isTrue(q.values[name]) && !q.req.Route.Steps {
			return nil, refusal(invalidOptions, "%s=true needs steps=true", name)
		}
	}
	if isTrue(q.values["landmarks"]) {
		return nil, fault.New(fault.NotEnabled, "landmarks is not enabled on this deployment yet").With("code", invalidOptions)
	}
	if len(q.avoid)+len(q.exclude) > 0 {
		if err := q.req.avoids(q.avoid, q.exclude, q.chosen); err != nil {
			return nil, explained(err, slices.Concat(q.avoid, q.exclude))
		}
	}
	settings, unknown, bad := engine.ParseSettings(q.req.Route.Costing, q.chosen, "query")
	if len(bad) > 0 {
		name := strings.TrimPrefix(bad[0].Location, "query.")
		return nil, refusal(invalidValue, "%s is %s and %s", name, fault.Clip(q.values[name]), bad[0].Message)
	}
	if len(unknown) > 0 {
		return nil, refusal(invalidValue, "%s is not an option of the profile (%s)", unknown[0], q.req.Route.Costing)
	}
	q.req.Route.Options = settings
	if q.continueThrough {
		for i := range q.req.Route.Locations {
			if l := &q.req.Route.Locations[i]; l.Stop == "" && i > 0 && i < len(q.req.Route.Locations)-1 {
				l.Stop = engine.BreakThrough
			}
		}
	}
	if s.Remote && len(q.req.Route.Locations) > 2 {
		q.req.Route.Alternates = 0
	}
	return q.req, nil
}

// theirWords are the words that other servers of the kind have for what is
// called otherwise here.
var theirWords = map[string]string{"motorway": "highways", "toll": "tolls", "ferry": "ferries", "bridge": "bridges", "tunnel": "tunnels"}

// explained adds to a refusal of avoid or exclude what the words of other
// servers are called here.
func explained(err error, words []string) error {
	var e *fault.Error
	if !errors.As(err, &e) {
		return err
	}
	told := *e
	for _, w := range words {
		if ours := theirWords[w]; ours != "" {
			told.Detail += fmt.Sprintf("; what other servers call %s is %s here", w, ours)
		}
	}
	return &told
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
			return nil, refusal(invalidQuery, "the query is malformed near %q", fault.Clip(pair))
		}
		if _, twice := values[n]; twice {
			return nil, refusal(invalidQuery, "%s stands twice in the query", fault.Clip(n))
		}
		values[n] = v
	}
	return values, nil
}

func isTrue(s string) bool { v, err := strconv.ParseBool(s); return err == nil && v }
