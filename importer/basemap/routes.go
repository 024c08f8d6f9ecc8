package basemap

import (
	"cmp"
	"slices"
	"strings"

	"github.com/waygate/waygate/osm"
)

// signed is a route that signs along its ways name: a numbered road, or a line of
// public transport.
type signed struct {
	network, ref, colour string
	road                 bool
}

// signedRoute reads a relation of a route; not ok for one of another kind.
func signedRoute(tags osm.Tags) (signed, bool) {
	if tags.Get("type") != "route" || tags.Get("ref") == "" {
		return signed{}, false
	}
	s := signed{network: tags.Get("network"), ref: tags.Get("ref")}
	switch tags.Get("route") {
	case "road":
		s.road = true
		return s, s.network != ""
	case "subway", "light_rail", "tram", "monorail", "funicular":
		s.colour = tags.Get("colour")
		return s, true
	}
	return signed{}, false
}

// shortRef returns a number as signs show it: the first of several, without spaces.
func shortRef(ref string) string {
	first, _, _ := strings.Cut(ref, ";")
	return strings.ReplaceAll(strings.TrimSpace(first), " ", "")
}

// roadRoute returns the numbered road of a way's number: of the relations whose number
// it ends with, or of any if it has none, the one of the greatest network, which has
// the shortest name.
func roadRoute(routes []signed, ref string) (best signed, ok bool) {
	for _, r := range routes {
		if !r.road || ref != "" && !strings.HasSuffix(shortRef(ref), shortRef(r.ref)) {
			continue
		}
		if !ok || cmp.Or(cmp.Compare(len(r.network), len(best.network)), cmp.Compare(r.network, best.network), cmp.Compare(r.ref, best.ref)) < 0 {
			best, ok = r, true
		}
	}
	return best, ok
}

// transitLines returns the lines of public transport on a way: their numbers in
// alphabetical order, and a colour if all have the same.
func transitLines(routes []signed) (refs, colour string) {
	var list []string
	first := true
	for _, r := range routes {
		if r.road {
			continue
		}
		list = append(list, r.ref)
		if first {
			colour, first = r.colour, false
		} else if r.colour != colour {
			colour = ""
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	return strings.Join(list[:min(len(list), maxLines)], ", "), colour
}

// maxLines limits the numbers on one stretch of rails.
const maxLines = 6
