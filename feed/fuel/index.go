package fuel

import (
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
)

// Listed is a station with the source it is from.
type Listed struct {
	Station
	Source *feed.Source
}

// Index is the stations of all sources, each once, to be compared with routes. It
// is immutable.
type Index struct {
	Stations []Listed
	Near     *corridor.Index
}

// sameWithin is how far apart in metres two sources put one station.
const sameWithin = 80

// Join makes the index of what all sources have in force. A station that several
// have is listed once, with each price of the source that changed it last.
func Join(all []*feed.Snapshot[[]Station]) *Index {
	var list []Listed
	var points []geo.Point
	for _, s := range all {
		for _, station := range s.Value {
			list = append(list, Listed{station, s.Source})
			points = append(points, station.At)
		}
	}
	x := corridor.PointIndex(points)
	gone := make([]bool, len(list))
	if len(all) > 1 {
		for i := range list {
			if gone[i] {
				continue
			}
			x.Search(geo.Around(points[i], sameWithin), func(j int) bool {
				if j > i && !gone[j] && list[i].Source != list[j].Source && same(&list[i].Station, &list[j].Station) && geo.Distance(points[i], points[j]) <= sameWithin {
					list[i].Prices = newest(list[i].Prices, list[j].Prices)
					gone[j] = true
				}
				return true
			})
		}
	}
	out := &Index{}
	points = points[:0]
	for i := range list {
		if !gone[i] {
			out.Stations = append(out.Stations, list[i])
			points = append(points, list[i].At)
		}
	}
	out.Near = corridor.PointIndex(points)
	return out
}

// same reports whether two records that lie together are of one station: of one
// brand, or of one postcode where a brand is not known. Two brands that share a
// forecourt are two.
func same(a, b *Station) bool {
	if a.Brand != "" && b.Brand != "" {
		x, y := folded(a.Brand), folded(b.Brand)
		return strings.Contains(x, y) || strings.Contains(y, x)
	}
	return a.Postcode == "" || b.Postcode == "" || folded(a.Postcode) == folded(b.Postcode)
}

func folded(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 127 {
			return r
		}
		return -1
	}, strings.ToLower(s))
}

// newest returns each grade's price by whoever changed it last.
func newest(a, b []Price) []Price {
	out := slices.Clone(a)
	for _, p := range b {
		i := slices.IndexFunc(out, func(q Price) bool { return q.Grade == p.Grade })
		switch {
		case i < 0:
			out = append(out, p)
		case p.At.After(out[i].At):
			out[i] = p
		}
	}
	return out
}

// StaleAfter is how old a price may be.
const StaleAfter = 24 * time.Hour
