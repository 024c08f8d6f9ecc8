package directions

import (
	"slices"
	"strconv"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/compatible"
	"github.com/waygate/waygate/fault"
)

// parameters are those of the compatible endpoint that its siblings do not
// have, or read otherwise.
func (r *Request) parameters() map[string]compatible.Reader {
	return map[string]compatible.Reader{
		"alternatives":      alternatives,
		"waypoints":         compatible.Waypoints(func(_ *compatible.Query, list []int) { r.stops = list }),
		"continue_straight": compatible.Word(func(_ *compatible.Query, v string) { r.continueThrough = v == "true" }, "default", "true", "false"),
		"landmarks":         compatible.Flag(func(_ *compatible.Query, v bool) { r.Landmarks = v }),
	}
}

// Parameters lists the names of every parameter, sorted.
func Parameters() []string {
	var names []string
	for _, set := range []map[string]compatible.Reader{new(Request).parameters(), compatible.Drawing, compatible.Places, compatible.Vehicle} {
		for name := range set {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func alternatives(q *compatible.Query, name, value string) error {
	if value == "true" || value == "false" {
		q.Route.Alternates = 0
		if value == "true" {
			q.Route.Alternates = 1
		}
		return nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 {
		return compatible.Refuse(compatible.InvalidValue, "%s is %q and must be true, false or a number from 0 to %d", name, fault.Clip(value), MaxAlternates)
	}
	if n > MaxAlternates {
		return compatible.Refuse(compatible.InvalidValue, "%s is %d and may be at most %d", name, n, MaxAlternates)
	}
	q.Route.Alternates = n
	return nil
}

// stop sets what happens at the coordinates between the first and the last. The
// waypoints named begin a leg; the others are passed on the way.
func (r *Request) stop() {
	l := r.Route.Locations
	if r.stops != nil {
		for i := range l {
			if !slices.Contains(r.stops, i) {
				l[i].Stop = engine.Via
			}
		}
	}
	if r.continueThrough {
		for i := 1; i < len(l)-1; i++ {
			if l[i].Stop == "" {
				l[i].Stop = engine.BreakThrough
			}
		}
	}
}
