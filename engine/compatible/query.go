package compatible

import (
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Query is a request while it is read.
type Query struct {
	// Route has what was read: costing and options, locations, what is drawn and
	// told.
	Route         engine.RouteRequest
	SkipWaypoints bool // the answer leaves out where the coordinates lie on the roads

	avoid, exclude []string
	chosen         map[string]json.RawMessage // costing options
	values         map[string]string          // of all parameters
}

// Reader reads one parameter.
type Reader func(q *Query, name, value string) error

// Limits says how many coordinates a service takes, and where.
type Limits struct {
	Least, Most int
	Bounds      geo.Bounds // of the region, for hints; empty where unknown
}

// Read checks the profile and the coordinates of a path, unescaped, and a query
// as it was sent. A parameter is read by the first of the readers that has its
// name. Failures are faults with a code of the envelope.
func Read(profile, coordinates, rawQuery string, l Limits, readers ...map[string]Reader) (*Query, error) {
	by, err := Costing(profile)
	if err != nil {
		return nil, err
	}
	line, err := Coordinates(coordinates, l.Least, l.Most, l.Bounds)
	if err != nil {
		return nil, err
	}
	values, err := pairs(rawQuery)
	if err != nil {
		return nil, err
	}
	q := &Query{values: values, chosen: map[string]json.RawMessage{}, Route: engine.RouteRequest{
		Costing: by, Output: engine.Output{Format: engine.OSRM, Overview: "simplified", Geometries: "polyline"},
	}}
	for _, p := range line {
		q.Route.Locations = append(q.Route.Locations, engine.Location{Point: p, Filter: engine.SearchFilter{ExcludeClosures: true}})
	}
next:
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, set := range readers {
			if read, known := set[name]; known {
				if err := read(q, name, values[name]); err != nil {
					return nil, err
				}
				continue next
			}
		}
		return nil, Refuse(InvalidQuery, "%q is not a parameter of this endpoint", fault.Clip(name))
	}
	if err := q.NeedSteps("voice_instructions", "banner_instructions"); err != nil {
		return nil, err
	}
	return q, q.settle()
}

// settle checks the costing options once all that sets one has been read.
func (q *Query) settle() error {
	if err := q.avoids(); err != nil {
		return err
	}
	settings, unknown, bad := costing.Parse(q.Route.Costing, q.chosen, "query")
	if len(bad) > 0 {
		name := strings.TrimPrefix(bad[0].Location, "query.")
		return Refuse(InvalidValue, "%s is %s and %s", name, fault.Clip(q.values[name]), bad[0].Message)
	}
	if len(unknown) > 0 {
		return Refuse(InvalidValue, "%s is not an option of the profile (%s)", unknown[0], q.Route.Costing)
	}
	q.Route.Options = settings
	return nil
}

// NeedSteps refuses those of some switches that are set where steps is not.
func (q *Query) NeedSteps(switches ...string) error {
	for _, name := range switches {
		if q.values[name] == "true" && !q.Route.Steps {
			return Refuse(InvalidOptions, "%s=true needs steps=true", name)
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
		if _, twice := values[n]; twice {
			return nil, Refuse(InvalidQuery, "%s stands twice in the query", fault.Clip(n))
		}
		values[n] = v
	}
	return values, nil
}

// Word reads one of a few words.
func Word(set func(*Query, string), allowed ...string) Reader {
	return func(q *Query, name, value string) error {
		if !slices.Contains(allowed, value) {
			return Refuse(InvalidValue, "%s is %q and must be one of %s", name, fault.Clip(value), strings.Join(allowed, ", "))
		}
		set(q, value)
		return nil
	}
}

// Flag reads a switch.
func Flag(set func(*Query, bool)) Reader {
	return func(q *Query, name, value string) error {
		if value != "true" && value != "false" {
			return Refuse(InvalidValue, "%s is %q and must be true or false", name, fault.Clip(value))
		}
		set(q, value == "true")
		return nil
	}
}

// Words reads a comma-separated list.
func Words(set func(*Query, []string)) Reader {
	return func(q *Query, _, value string) error {
		if value != "" {
			set(q, strings.Split(value, ","))
		}
		return nil
	}
}

// Number reads a number from least to most.
func Number(set func(*Query, float64), least, most float64) Reader {
	return func(q *Query, name, value string) error {
		v, err := Decimal(value)
		if err != nil || !(v >= least && v <= most) {
			limit := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
			return Refuse(InvalidValue, "%s is %q and must be a number from %s to %s", name, fault.Clip(value), limit(least), limit(most))
		}
		set(q, v)
		return nil
	}
}

// Indices reads a list of coordinates by their indices, separated by
// semicolons; nil where it is empty or "all".
func Indices(set func(*Query, []int)) Reader {
	return func(q *Query, name, value string) error {
		if value == "" || value == "all" {
			return nil
		}
		var list []int
		n := len(q.Route.Locations)
		for entry := range strings.SplitSeq(value, ";") {
			i, err := strconv.Atoi(entry)
			if err != nil || i < 0 || i >= n {
				return Refuse(InvalidValue, "%s has %q, which is no index of the %d coordinates", name, fault.Clip(entry), n)
			}
			list = append(list, i)
		}
		set(q, list)
		return nil
	}
}

// Waypoints reads which coordinates begin or end a leg: a rising list of indices
// from the first to the last.
func Waypoints(set func(*Query, []int)) Reader {
	return func(q *Query, name, value string) error {
		var list []int
		if err := Indices(func(_ *Query, all []int) { list = all })(q, name, value); err != nil || list == nil {
			return err
		}
		last := len(q.Route.Locations) - 1
		if list[0] != 0 || list[len(list)-1] != last {
			return Refuse(InvalidValue, "%s must have the first and the last coordinate, 0 and %d", name, last)
		}
		for i := 1; i < len(list); i++ {
			if list[i] <= list[i-1] {
				return Refuse(InvalidValue, "%s[%d] is %d, after %d; they must rise", name, i, list[i], list[i-1])
			}
		}
		set(q, list)
		return nil
	}
}

// PerCoordinate reads a list with an entry, maybe empty, for each coordinate.
// read gives what is wrong with an entry, or "".
func PerCoordinate(read func(q *Query, i int, entry string) (problem string)) Reader {
	return func(q *Query, name, value string) error {
		if value == "" {
			return nil
		}
		entries := strings.Split(value, ";")
		if n := len(q.Route.Locations); len(entries) != n {
			return Refuse(InvalidValue, "%s has %d entries and there are %d coordinates", name, len(entries), n)
		}
		for i, entry := range entries {
			if entry == "" {
				continue
			}
			if problem := read(q, i, entry); problem != "" {
				return Refuse(InvalidValue, "%s[%d] is %q and %s", name, i, fault.Clip(entry), problem)
			}
		}
		return nil
	}
}
