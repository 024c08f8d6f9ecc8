package compatible

import (
	"strings"

	"github.com/waygate/waygate/engine"
)

// maxCutoff is the farthest in metres that a road may be looked for, where that is
// to be unlimited too.
const maxCutoff = 35_000

// Places are the parameters that say more of each coordinate, and those that
// clients of the kind send and that change nothing here: every road that may be
// travelled may be set out from, and roundabouts always have a step of their own
// for the exit.
var Places = map[string]Reader{
	"approaches": each(approach),
	"bearings":   each(bearing),
	"radiuses":   each(radius),
	"snapping":   Word(func(*Query, string) {}, "default", "any"),

	"skip_waypoints": Flag(func(q *Query, v bool) { q.SkipWaypoints = v }),

	"generate_hints": Flag(func(*Query, bool) {}),
	"format":         Word(func(*Query, string) {}, "json", "osrm"),
	"hints":          ignored,
	"access_token":   ignored,
	"api_key":        ignored,
}

func ignored(*Query, string, string) error { return nil }

func each(read func(l *engine.Location, entry string) string) Reader {
	return PerCoordinate(func(q *Query, i int, entry string) string { return read(&q.Route.Locations[i], entry) })
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
	v, err := Decimal(course)
	if err != nil || v < 0 || v > 360 {
		return "must be bearing,range with a bearing between 0 and 360 degrees"
	}
	l.Heading = &v
	if !ranged {
		return ""
	}
	tolerance, err := Decimal(within)
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
		l.SearchCutoff = maxCutoff
		return ""
	}
	v, err := Decimal(entry)
	if err != nil || v <= 0 {
		return "must be unlimited or a number of metres above 0"
	}
	l.SearchCutoff = min(v, maxCutoff)
	return ""
}
