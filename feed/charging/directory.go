package charging

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
)

// Listed is a station of the directory, with the source that has most of its facts.
type Listed struct {
	Station
	Source *feed.Source
	Also   []*feed.Source // others that have it too
	// Live says that the state of some of its points is known.
	Live bool
}

// Directory is the stations of all sources, each once, with the states of their
// points. It is immutable, and found by Stations and Near.
type Directory struct {
	Stations []Listed
	Near     *corridor.Index // of Stations, by place
}

// sameWithin is how far apart in metres two sources put one station.
const sameWithin = 75

// Join makes the directory of what all sources have in force.
func Join(all []*feed.Snapshot[*Document]) *Directory {
	states := map[string]State{}
	for _, s := range all {
		for id, state := range s.Value.States {
			if before, there := states[folded(id)]; !there || state.At.After(before.At) {
				if state.At.IsZero() {
					state.At = s.At()
				}
				states[folded(id)] = state
			}
		}
	}
	var list []Listed
	var points []geo.Point
	for _, s := range all {
		for _, station := range s.Value.Stations {
			l := Listed{Station: station, Source: s.Source}
			l.Points = stated(station.Points, states, s.At())
			l.Live = slices.ContainsFunc(l.Points, func(p Point) bool { return p.Status != "" && !p.StatusAt.IsZero() })
			list = append(list, l)
			points = append(points, station.At)
		}
	}
	if len(all) > 1 {
		list = merged(list, points)
		points = points[:0]
		for i := range list {
			points = append(points, list[i].At)
		}
	}
	return &Directory{list, corridor.PointIndex(points)}
}

// stated gives points with the states that other documents have of them.
func stated(points []Point, states map[string]State, at time.Time) []Point {
	out := slices.Clone(points)
	for i := range out {
		p := &out[i]
		if p.Status != "" {
			p.StatusAt = at // the source says that it is so, whenever it last changed
		}
		if s, ok := states[folded(p.ID)]; ok && p.ID != "" && s.Status != "" {
			p.Status, p.StatusAt = s.Status, s.At
		}
	}
	return out
}

// merged makes one record of those that several sources have of one station: the live one, or
// the one with more connectors, is kept.
func merged(list []Listed, points []geo.Point) []Listed {
	x := corridor.PointIndex(points)
	byPoint := map[string]int{} // of ids of points
	gone := make([]bool, len(list))
	join := func(i, j int) {
		keep, drop := i, j
		if better(&list[j], &list[i]) {
			keep, drop = j, i
		}
		k, d := &list[keep], &list[drop]
		k.Also = append(append(k.Also, d.Source), d.Also...)
		fill(&k.Station, &d.Station)
		gone[drop] = true
	}
	for i := range list {
		if gone[i] {
			continue
		}
		for _, p := range list[i].Points {
			if p.ID == "" || gone[i] {
				continue
			}
			if j, there := byPoint[folded(p.ID)]; there && !gone[j] && list[j].Source != list[i].Source {
				join(j, i)
			}
			if !gone[i] {
				byPoint[folded(p.ID)] = i
			}
		}
		if gone[i] {
			continue
		}
		x.Search(geo.Around(points[i], sameWithin), func(j int) bool {
			if j != i && !gone[j] && !gone[i] && list[i].Source != list[j].Source && Same(&list[i].Station, &list[j].Station) {
				join(i, j)
			}
			return true
		})
	}
	out := list[:0]
	for i := range list {
		if !gone[i] {
			out = append(out, list[i])
		}
	}
	return out
}

// Same reports whether two records from different sources are of one station: near
// each other, and of one operator as far as both name one. Two operators at one
// car park are two.
func Same(a, b *Station) bool {
	if geo.Distance(a.At, b.At) > sameWithin {
		return false
	}
	if a.Operator == "" || b.Operator == "" {
		return true
	}
	x, y := words(a.Operator), words(b.Operator)
	for w := range x {
		if y[w] {
			return true
		}
	}
	return false
}

// words returns those that distinguish an operator from others.
func words(s string) map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		switch w {
		case "gmbh", "ag", "ltd", "limited", "plc", "co", "kg", "sa", "spa", "bv", "the", "network", "charging", "charge", "mobility", "energy", "ev", "und", "and":
		default:
			all[w] = true
		}
	}
	return all
}

// better reports whether a record says more than another.
func better(a, b *Listed) bool {
	if a.Live != b.Live {
		return a.Live
	}
	return connectors(&a.Station) > connectors(&b.Station)
}

func connectors(s *Station) (n int) {
	for i := range s.Points {
		n += len(s.Points[i].Connectors)
	}
	return n
}

// fill takes what a record does not say from another of the same station.
func fill(s, from *Station) {
	for _, f := range []struct {
		to   *string
		from string
	}{{&s.Name, from.Name}, {&s.Operator, from.Operator}, {&s.Address, from.Address}, {&s.Postcode, from.Postcode}, {&s.Country, from.Country}, {&s.Hours, from.Hours}} {
		if *f.to == "" {
			*f.to = f.from
		}
	}
	s.Always = s.Always || from.Always
	if connectors(s) == 0 {
		s.Points = from.Points
	}
}

// Has reports whether the directory has a station under another name: one near a
// record of another source, and of its operator. A nil directory has none.
func (d *Directory) Has(s *Station) bool {
	found := false
	if d != nil {
		d.Near.Search(geo.Around(s.At, sameWithin), func(i int) bool {
			found = Same(&d.Stations[i].Station, s)
			return !found
		})
	}
	return found
}
