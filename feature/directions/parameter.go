package directions

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/body"
	"github.com/waygate/waygate/fault"
)

func mapKeys(m map[string]string) iter.Seq[string] { return maps.Keys(m) }

// parameter reads one parameter of the compatible endpoint.
type parameter func(q *query, name, value string) error

// parameters is every parameter of the compatible endpoint.
var parameters = map[string]parameter{
	"overview":   word(func(q *query, v string) { q.req.Route.Overview = v }, "simplified", "full", "false"),
	"geometries": word(func(q *query, v string) { q.req.Route.Geometries = v }, "polyline", "polyline6", "geojson"),
	"steps":      flag(func(q *query, v bool) { q.req.Route.Steps = v }),

	"alternatives":      alternatives,
	"annotations":       annotations,
	"approaches":        perCoordinate(approach),
	"bearings":          perCoordinate(bearing),
	"radiuses":          perCoordinate(radius),
	"waypoints":         waypoints,
	"continue_straight": continueStraight,
	"skip_waypoints":    flag(func(q *query, v bool) { q.req.skipWaypoints = v }),
	"language":          language,

	"height":      option("height"),
	"width":       option("width"),
	"length":      option("length"),
	"weight":      option("weight"),
	"hazmat":      hazmat,
	"tunnel_code": tunnelCode,

	"avoid_tolls":     willingness("tolls"),
	"avoid_motorways": willingness("highways"),
	"avoid_ferries":   willingness("ferries"),
	"shortest":        flag(func(q *query, v bool) { q.chosen["shortest"] = json.RawMessage(strconv.FormatBool(v)) }),
	"avoid":           words(func(q *query, v []string) { q.avoid = append(q.avoid, v...) }),
	"exclude":         words(func(q *query, v []string) { q.exclude = append(q.exclude, v...) }),

	// Read once the rest is known.
	"voice_instructions":  flag(func(*query, bool) {}),
	"banner_instructions": flag(func(*query, bool) {}),
	"landmarks":           flag(func(*query, bool) {}),

	// Clients of the kind send these; they change nothing here.
	"hints":          ignored,
	"generate_hints": ignored,
	"snapping":       ignored,
	"format":         ignored,
	"access_token":   ignored,
	"api_key":        ignored,
}

// Parameters lists the names of every parameter, sorted.
func Parameters() []string { return slices.Sorted(maps.Keys(parameters)) }

func ignored(*query, string, string) error { return nil }

func word(set func(*query, string), allowed ...string) parameter {
	return func(q *query, name, value string) error {
		if !slices.Contains(allowed, value) {
			return refusal(invalidValue, "%s is %q and must be one of %s", name, fault.Clip(value), strings.Join(allowed, ", "))
		}
		set(q, value)
		return nil
	}
}

func flag(set func(*query, bool)) parameter {
	return func(q *query, name, value string) error {
		if value != "true" && value != "false" {
			return refusal(invalidValue, "%s is %q and must be true or false", name, fault.Clip(value))
		}
		set(q, value == "true")
		return nil
	}
}

// words reads a comma-separated list.
func words(set func(*query, []string)) parameter {
	return func(q *query, _, value string) error {
		if value != "" {
			set(q, strings.Split(value, ","))
		}
		return nil
	}
}

// perCoordinate reads a list with an entry, maybe empty, for each coordinate.
func perCoordinate(read func(l *engine.Location, entry string) (problem string)) parameter {
	return func(q *query, name, value string) error {
		if value == "" {
			return nil
		}
		entries := strings.Split(value, ";")
		if n := len(q.req.Route.Locations); len(entries) != n {
			return refusal(invalidValue, "%s has %d entries and there are %d coordinates", name, len(entries), n)
		}
		for i, entry := range entries {
			if entry == "" {
				continue
			}
			if problem := read(&q.req.Route.Locations[i], entry); problem != "" {
				return refusal(invalidValue, "%s[%d] is %q and %s", name, i, fault.Clip(entry), problem)
			}
		}
		return nil
	}
}

func approach(l *engine.Location, entry string) string {
	switch entry {
	case "curb":
		l.Side = engine.SameSide
	case "opposite":
		l.Side = engine.OppositeSide
	case "unrestricted":
		l.Side = engine.EitherSide
	default:
		return "must be curb, opposite or unrestricted"
	}
	return ""
}

// bearing reads "bearing" or "bearing,range".
func bearing(l *engine.Location, entry string) string {
	course, within, ranged := strings.Cut(entry, ",")
	v, err := decimal(course)
	if err != nil || v < 0 || v > 360 {
		return "must be bearing,range with a bearing between 0 and 360 degrees"
	}
	l.Heading = &v
	if !ranged {
		return ""
	}
	tolerance, err := decimal(within)
	if err != nil || tolerance < 0 || tolerance > 180 {
		return "must be bearing,range with a range between 0 and 180 degrees"
	}
	// In the engine's request 0 is the default tolerance; a range of nothing
	// is as narrow as can be.
	l.HeadingTolerance = max(tolerance, 1)
	return ""
}

func radius(l *engine.Location, entry string) string {
	if entry == "unlimited" {
		return ""
	}
	v, err := decimal(entry)
	if err != nil || v <= 0 {
		return "must be unlimited or a number of metres above 0"
	}
	l.SearchCutoff = min(v, body.MaxCutoff)
	return ""
}

func alternatives(q *query, name, value string) error {
	if value == "true" || value == "false" {
		q.req.Route.Alternates = 0
		if value == "true" {
			q.req.Route.Alternates = 1
		}
		return nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 {
		return refusal(invalidValue, "%s is %q and must be true, false or a number from 0 to %d", name, fault.Clip(value), MaxAlternates)
	}
	if n > MaxAlternates {
		return refusal(invalidValue, "%s is %d and may be at most %d", name, n, MaxAlternates)
	}
	q.req.Route.Alternates = n
	return nil
}

// annotations are checked; the answer carries none.
func annotations(_ *query, name, value string) error {
	known := []string{"true", "false", "nodes", "distance", "duration", "datasources", "weight", "speed", "congestion", "maxspeed"}
	for entry := range strings.SplitSeq(value, ",") {
		if !slices.Contains(known, entry) {
			return refusal(invalidValue, "%s has %q, which is none of %s", name, fault.Clip(entry), strings.Join(known, ", "))
		}
	}
	return nil
}

func continueStraight(q *query, name, value string) error {
	switch value {
	case "true":
		q.continueThrough = true
	case "false", "default":
	default:
		return refusal(invalidValue, "%s is %q and must be default, true or false", name, fault.Clip(value))
	}
	return nil
}

// waypoints names the coordinates that begin a leg; the others are passed on
// the way.
func waypoints(q *query, name, value string) error {
	if value == "" {
		return nil
	}
	n := len(q.req.Route.Locations)
	named := map[int]bool{}
	for entry := range strings.SplitSeq(value, ";") {
		i, err := strconv.Atoi(entry)
		if err != nil || i < 0 || i >= n {
			return refusal(invalidValue, "%s has %q, which is no index of the %d coordinates", name, fault.Clip(entry), n)
		}
		named[i] = true
	}
	if !named[0] || !named[n-1] {
		return refusal(invalidValue, "%s must have the first and the last coordinate, 0 and %d", name, n-1)
	}
	for i := range q.req.Route.Locations {
		if !named[i] {
			q.req.Route.Locations[i].Stop = engine.Via
		}
	}
	return nil
}

func language(q *query, name, value string) error {
	if value != "" && !body.IsLanguage(value) {
		return refusal(invalidValue, "%s is %q and must be a BCP 47 language tag such as en-GB", name, fault.Clip(value))
	}
	q.req.Route.Language = value
	return nil
}

// lorry guards the parameters that only a lorry has.
func lorry(q *query, name string) error {
	if q.req.Route.Costing != engine.Truck {
		return refusal(invalidValue, "%s needs the profile truck", name)
	}
	return nil
}

func option(of string) parameter {
	return func(q *query, name, value string) error {
		if err := lorry(q, name); err != nil {
			return err
		}
		v, err := decimal(value)
		if err != nil {
			return refusal(invalidValue, "%s is %q and must be a number", name, fault.Clip(value))
		}
		q.chosen[of] = json.RawMessage(strconv.FormatFloat(v, 'g', -1, 64))
		return nil
	}
}

func hazmat(q *query, name, value string) error {
	if err := lorry(q, name); err != nil {
		return err
	}
	return flag(func(q *query, v bool) { q.chosen["hazmat"] = json.RawMessage(strconv.FormatBool(v)) })(q, name, value)
}

func tunnelCode(q *query, name, value string) error {
	if err := lorry(q, name); err != nil {
		return err
	}
	code, ok := engine.ParseTunnelCode(value)
	if !ok {
		return refusal(invalidValue, "%s is %q and must be one of %s (escape the slash as %%2F)", name, fault.Clip(value), body.Listed(engine.TunnelCodes()))
	}
	q.chosen["adr_tunnel_code"] = quoted(code)
	return nil
}

// willingness reads a switch that sets a willingness to 0, where the profile
// has it.
func willingness(word string) parameter {
	return func(q *query, name, value string) error {
		option := optionOf("avoid", word)
		if !hasOption(q.req.Route.Costing, option) || word != "ferries" && !q.req.Route.Costing.Motorised() {
			return refusal(invalidValue, "%s needs a motorised profile; the profile is %s", name, q.req.Route.Costing)
		}
		return flag(func(q *query, v bool) {
			if v {
				q.chosen[option] = json.RawMessage("0")
			}
		})(q, name, value)
	}
}
