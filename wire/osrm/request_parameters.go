package osrm

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/wire/schema"
)

// parameter is one of the query.
type parameter struct {
	name    string
	of      Service // that read it
	doc     string
	prefers bool // one way to another: refused by services that choose none
	form
}

// accepted begins the description of a parameter that is read and says nothing here.
const accepted = "accepted"

// find returns the parameter of a service by its name; nil where it has none.
func find(s Service, name string) *parameter {
	i := slices.IndexFunc(parameters, func(p parameter) bool { return p.name == name && p.of&s != 0 })
	if i < 0 {
		return nil
	}
	return &parameters[i]
}

// parameters are those of all services. Every road that may be travelled may be
// set out from here, positions close together never take part twice, and
// roundabouts always have a step of their own for the exit, whatever clients of
// the kind say of it.
var parameters = []parameter{
	{"overview", drawn, "geometry of the whole route", false, word(func(q *query, v string) { q.route.Overview = v }, "simplified", "full", "false")},
	{"steps", drawn, "manoeuvres of each leg", false, flag(func(q *query, v bool) { q.route.Steps = v })},
	{"geometries", drawn, "form of geometries; polyline has precision 5", false, word(func(q *query, v string) { q.route.Geometries = v }, "polyline", "polyline6", "geojson")},
	{"alternatives", RouteService, "true, false or a number up to 3", false, text(alternatives)},
	{"annotations", drawn, "of each piece of the line: true for distance, duration, speed, weight, nodes and datasources, or a list of these and maxspeed; nodes are null where the region keeps no number. Nothing is known of congestion", false, text(annotations)},
	{"annotations", TableService, "duration, distance or both, with a comma between them", false, text(tableAnnotations)},
	{"height", every, "metres; truck only", false, lorrys(costing.Height)},
	{"width", every, "metres; truck only", false, lorrys(costing.Width)},
	{"length", every, "metres; truck only", false, lorrys(costing.Length)},
	{"weight", every, "tonnes; truck only", false, lorrys(costing.Weight)},
	{"hazmat", every, "dangerous goods; without tunnel_code they count as code B, the most restricted; truck only", false, hazmat()},
	{"tunnel_code", every, "ADR tunnel restriction code, the slash escaped; (—) forbids no tunnel, any other says that the load is dangerous goods; truck only", false, text(tunnelCode)},
	{"avoid_tolls", every, "motorised profiles only", true, willingness(costing.UseTolls, true)},
	{"avoid_motorways", every, "motorised profiles only", true, willingness(costing.UseHighways, true)},
	{"avoid_ferries", every, "prefer routes without ferries", true, willingness(costing.UseFerry, false)},
	{"shortest", every, "minimise length", false, flag(func(q *query, v bool) { q.option(costing.Shortest, strconv.FormatBool(v)) })},
	{"avoid", every, "preference, comma-separated: tolls, highways, ferries", true, words(func(q *query, list []string) { q.avoid = list })},
	{"exclude", every, "hard, comma-separated: tolls, highways, ferries, bridges, tunnels", false, words(func(q *query, list []string) { q.exclude = list })},
	{"approaches", every, "curb, opposite or unrestricted for each coordinate", false, each(approach)},
	{"bearings", every, "bearing or bearing,range in degrees for each coordinate", false, each(bearing)},
	{"radiuses", every &^ MatchService, "for each coordinate how far a road may be, in metres; unlimited is 35,000", false, each(radius)},
	{"radiuses", MatchService, "for each position how far it may be off, in metres up to 100, or unlimited", false, each(accuracy)},
	{"waypoints", RouteService | MatchService, "indices of the coordinates that begin or end a leg, rising from the first to the last", false, waypoints(func(q *query, list []int) { q.stops = list })},
	{"continue_straight", RouteService, "no turning round at waypoints", false, word(func(q *query, v string) { q.continueThrough = v == "true" }, "default", "true", "false")},
	{"skip_waypoints", every, "leave waypoints out of the answer", false, flag(func(q *query, v bool) { q.route.SkipWaypoints = v })},
	{"voice_instructions", drawn, "what to say in each step, distances falling; needs steps=true", false, flag(func(q *query, v bool) { q.route.Voice = v })},
	{"voice_units", drawn, "of lengths that are said", false, word(func(q *query, v string) { q.route.Miles = v != "metric" }, "metric", "imperial", "british_imperial")},
	{"roundabout_exits", drawn, "false makes one step of entering a roundabout and leaving it; true where not given", false, flag(func(q *query, v bool) { q.route.JoinRoundabouts = !v })},
	{"translated_names", drawn, "true calls roads by their name in the language asked for wherever the map has one; otherwise only where that language is official, so that signs bear it", false, flag(func(q *query, v bool) { q.route.TranslatedNames = v })},
	{"banner_instructions", drawn, "what to show in each step, with lanes; needs steps=true", false, flag(func(q *query, v bool) { q.route.Banners = v })},
	{"landmarks", RouteService, "adds landmark_instruction to turns and forks near a well-known place; needs steps=true", false, flag(func(q *query, v bool) { q.asked.Landmarks = v })},
	{"language", drawn, narrate.About(), false, text(language)},
	{"number", NearestService, "of roads wanted", false, form{wholeTo(MaxNearest), nearestNumber}},
	{"sources", TableService, "indices of the coordinates that ways begin at, separated by semicolons, or all", false, indices(func(q *query, list []int) { q.table.From = list })},
	{"destinations", TableService, "indices of the coordinates that ways end at, or all", false, indices(func(q *query, list []int) { q.table.To = list })},
	{"fallback_speed", TableService, "metres a second in a straight line, for pairs without a way", false, numberWithin(func(q *query, v float64) { q.table.Fallback = v }, 0.001, 1000)},
	{"fallback_coordinate", TableService, "where that line is drawn from", false, word(func(q *query, v string) { q.table.Asked = v == "input" }, "input", "snapped")},
	{"scale_factor", TableService, "that durations are multiplied with", false, numberWithin(func(q *query, v float64) { q.table.Scale = v }, 1e-6, 1e6)},
	{"timestamps", MatchService, "whole seconds since 1970 for each coordinate, not falling", false, text(timestamps)},
	{"gaps", MatchService, "whether a gap of more than 2 km splits the trace; with ignore one of 20 km does", false, word(func(q *query, v string) { q.trace.together = v == "ignore" }, "split", "ignore")},
	{"tidy", MatchService, "accepted: positions close together never take part twice", false, flag(func(*query, bool) {})},
	{"roundtrip", TripService, "come back to the beginning; true where not given", false, flag(func(q *query, v bool) { q.trip.Open = !v })},
	{"source", TripService, "where the trip begins", false, word(func(q *query, v string) { q.trip.First = v == "first" }, "any", "first")},
	{"destination", TripService, "where it ends", false, word(func(q *query, v string) { q.trip.Last = v == "last" }, "any", "last")},
	{"snapping", every, "accepted: every road that may be travelled may be set out from", false, word(func(*query, string) {}, "default", "any")},
	{"generate_hints", every, "accepted: there are no hints", false, flag(func(*query, bool) {})},
	{"hints", every, "accepted and ignored", false, ignored()},
	{"format", every, "accepted: answers have OSRM's form", false, word(func(*query, string) {}, "json", "osrm")},
	{"receipt", every, "an extension: true adds the receipt block, which reports of every parameter whether it was honoured, clamped, ignored or is unknown", false, flag(func(q *query, v bool) { q.receipt = v })},
	{"access_token", every, "accepted and ignored", false, ignored()},
	{"api_key", every, "an API key, in place of a bearer token", false, ignored()},
}

func wholeTo(most float64) schema.Schema {
	least := 1.0
	return schema.Schema{Type: schema.Integer, Minimum: &least, Maximum: &most}
}

// option chooses an option of the costing.
func (q *query) option(o costing.Option, value string) {
	q.options[o.String()] = json.RawMessage(value)
}

// lorry guards the parameters that only a lorry has.
func lorry(q *query, name string) error {
	if q.route.Costing != costing.Truck {
		return Refuse(InvalidValue, "%s needs the profile truck", name)
	}
	return nil
}

// lorrys returns a measure of a lorry's.
func lorrys(o costing.Option) form {
	row := o.Row()
	return form{schema.Schema{Type: schema.Number, Minimum: &row.Min, Maximum: &row.Max}, func(q *query, name, value string) error {
		if err := lorry(q, name); err != nil {
			return err
		}
		v, err := decimal(value)
		if err != nil {
			return Refuse(InvalidValue, "%s is %q and must be a number", name, fault.Clip(value))
		}
		q.option(o, strconv.FormatFloat(v, 'g', -1, 64))
		return nil
	}}
}

func hazmat() form {
	f := flag(func(q *query, v bool) { q.option(costing.Hazmat, strconv.FormatBool(v)) })
	return form{f.schema, func(q *query, name, value string) error {
		if err := lorry(q, name); err != nil {
			return err
		}
		return f.read(q, name, value)
	}}
}

func tunnelCode(q *query, name, value string) error {
	if err := lorry(q, name); err != nil {
		return err
	}
	code, ok := costing.ParseTunnelCode(value)
	if !ok {
		return Refuse(InvalidValue, "%s is %q and must be one of %s (escape the slash as %%2F)", name, fault.Clip(value), strings.Join(costing.TunnelCodes(), ", "))
	}
	quoted, _ := json.Marshal(code) // a string always marshals
	q.option(costing.ADRTunnelCode, string(quoted))
	return nil
}

// willingness returns a switch that sets a willingness to 0, where the profile has it.
func willingness(o costing.Option, motorised bool) form {
	f := flag(func(q *query, v bool) {
		if v {
			q.option(o, "0")
		}
	})
	return form{f.schema, func(q *query, name, value string) error {
		if c := q.route.Costing; !o.In(c) || motorised && !c.Motorised() {
			return Refuse(InvalidValue, "%s needs a motorised profile; the profile is %s", name, c)
		}
		return f.read(q, name, value)
	}}
}

func annotations(q *query, name, value string) error {
	set, unknown, ok := engine.ParseAnnotations(value)
	if !ok {
		return Refuse(InvalidValue, "%s has %q, which is none of %s", name, fault.Clip(unknown), strings.Join(engine.AnnotationNames(), ", "))
	}
	q.route.Annotations = set
	return nil
}

func language(q *query, name, value string) error {
	if value != "" && !narrate.IsTag(value) {
		return Refuse(InvalidValue, "%s is %q and must be a BCP 47 language tag such as en-GB", name, fault.Clip(value))
	}
	q.route.Language = value
	return nil
}

func approach(q *query, i int, entry string) string {
	l := &q.route.Locations[i]
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
func bearing(q *query, i int, entry string) string {
	l := &q.route.Locations[i]
	bearing, within, ranged := strings.Cut(entry, ",")
	v, err := decimal(bearing)
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

// maxCutoff is the farthest in metres that a road may be looked for, where that is
// to be unlimited too.
const maxCutoff = 35_000

func radius(q *query, i int, entry string) string {
	l := &q.route.Locations[i]
	if entry == "unlimited" {
		l.SearchCutoff = maxCutoff
		return ""
	}
	v, err := decimal(entry)
	if err != nil || v <= 0 {
		return "must be unlimited or a number of metres above 0"
	}
	l.SearchCutoff = min(v, maxCutoff)
	return ""
}
