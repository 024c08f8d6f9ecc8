package place

import (
	"math"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
)

// Bounds of the search for where two streets meet.
const (
	mostConnectors = 3       // words between two streets that are tried
	mostMeeting    = 16      // streets of either name
	mostSides      = 400_000 // pairs of sides of their lines that are compared
	meetMetres     = 20.0    // between lines that meet: they are simplified, and drawn along carriageways
	meetText       = 0.96    // of a crossing: less than of a place that has these words for its name
	streetText     = 0.7     // of a street that is meant
)

// connectors are the words, folded, that stand between the names of two streets that meet.
var connectors = wordSet("and at und et y e i och en a ja og ecke esquina angle angolo hoek corner crossing junction intersection with mit con")

// corners are the words, folded, that say before two streets that their crossing is meant.
var corners = wordSet("corner crossing junction intersection ecke kreuzung angle croisement carrefour esquina cruce interseccion angolo incrocio cruzamento hoek kruispunt rog skrzyzowanie horn korsning cornel of the von de la du des des di da del van")

// crossing is where two streets meet.
type crossing struct {
	streets [2]uint32 // records
	at      geo.Fixed
	text    float64
	sign    bool // a sign stands between their names, and no word that may be part of one
}

// byCrossings brings up the crossings of two streets that the question names, with a word or
// a sign between them. Typos in the other words of the question make no others.
func (s *search) byCrossings() {
	if s.within || s.q.Typing || s.q.Kinds != 0 && !s.q.Kinds.Has(Street) {
		return
	}
	if !s.crossed {
		s.crossed = true
		s.findCrossings()
	}
	named := s.bestText() >= meetText // a place has the words for its name
	for i, c := range s.crossings {
		if c.sign || !named {
			s.keep(hit{score: c.text*shareText + s.nearness(c.at), text: c.text, of: ofCrossings, i: uint32(i), record: none})
		}
	}
}

// findCrossings finds the crossings that the question may mean.
func (s *search) findCrossings() {
	tried := 0
	for i := 1; i < len(s.tokens) && tried < mostConnectors; i++ {
		left, right, sign := i, i, true
		switch before := s.q.Text[min(s.tokens[i-1].to, s.tokens[i].from):s.tokens[i].from]; {
		case strings.ContainsAny(before, "&/@+|"):
		case i+1 < len(s.tokens) && connectors[s.tokens[i].whole] && s.bestText() < meetText:
			right, sign = i+1, false
		default:
			continue
		}
		tried++
		from := 0
		for from < left && corners[s.tokens[from].whole] {
			from++
		}
		for right < len(s.tokens) && corners[s.tokens[right].whole] {
			right++
		}
		if from < left && right < len(s.tokens) {
			s.cross(s.q.Text[s.tokens[from].from:s.tokens[left-1].to], s.q.Text[s.tokens[right].from:], sign)
		}
	}
}

// cross finds the crossings of the streets of two texts.
func (s *search) cross(first, second string, sign bool) {
	streets := func(text string) []hit {
		_, all, err := s.x.search(s.ctx, &Query{Text: text, Limit: mostMeeting, Bias: s.q.Bias, Box: s.q.Box, Kinds: Of(Street)}, true)
		if err != nil {
			return nil
		}
		all = slices.DeleteFunc(all, func(h hit) bool { return h.text < streetText })
		return all[:min(len(all), mostMeeting)]
	}
	ones := streets(first)
	if len(ones) == 0 {
		return
	}
	left := mostSides
	for _, other := range streets(second) {
		for _, one := range ones {
			if one.record == other.record || s.ctx.Err() != nil {
				continue
			}
			if at, ok := s.meeting(one.record, other.record, &left); ok && (s.q.Box == nil || inBox(s.q.Box, at.Point())) {
				s.crossings = append(s.crossings, crossing{[2]uint32{one.record, other.record}, at, meetText * min(one.text, other.text), sign})
			}
		}
	}
}

// crossingAt gives a crossing in full, and notes which words of the question met it.
func (s *search) crossingAt(i uint32, tell *[mostTokens]met) Place {
	x, c := s.x, s.crossings[i]
	p := x.place(c.streets[0], s.q.Lang)
	p.ID, p.Kind, p.At, p.Extent, p.Categories, p.Importance = "", Crossing, c.at.Point(), nil, nil, 0
	p.Name = x.nameIn(c.streets[0], s.q.Lang) + " & " + x.nameIn(c.streets[1], s.q.Lang)
	for _, street := range c.streets {
		r := &x.records[street]
		m, around := s.matchName(r.Name), s.settingOf(r.Setting)
		for t := range s.tokens {
			switch {
			case m.quality[t] > tell[t].quality:
				tell[t] = met{"street", x.nameString(r.Name), m.quality[t]}
			case around.quality[t] > tell[t].quality:
				tell[t] = met{"locality", x.text(x.partText[around.part[t]]), around.quality[t]}
			}
		}
	}
	return p
}

// meeting finds where two streets meet: where their lines cross or come nearest to each other.
// left is how many pairs of sides may still be compared.
func (s *search) meeting(a, b uint32, left *int) (at geo.Fixed, ok bool) {
	x := s.x
	aFrom, aTo := rows(x.pieceOf, a)
	bFrom, bTo := rows(x.pieceOf, b)
	best := meetMetres
	for i := aFrom; i < aTo; i++ {
		one := x.points[x.pieceFrom[i]:x.pieceFrom[i+1]]
		reach := x.pieceBox(uint32(i))
		for k := bFrom; k < bTo; k++ {
			if *left--; *left < 0 || *left%4096 == 0 && s.ctx.Err() != nil {
				return at, ok
			}
			if !reach.nearly(x.pieceBox(uint32(k))) {
				continue
			}
			other := x.points[x.pieceFrom[k]:x.pieceFrom[k+1]]
			*left -= len(one) * len(other)
			if p, metres := nearestPoints(one, other); metres < best {
				at, best, ok = p.Fix(), metres, true
			}
		}
	}
	return at, ok
}

// nearUnits is by how much boxes of lines that meet may be apart, in units of geo.Fixed.
const nearUnits = 5000

// nearly reports whether two boxes have a place in common or are near each other. One that
// crosses the antimeridian is near all.
func (b box) nearly(o box) bool {
	if b.west > b.east || o.west > o.east {
		return true
	}
	return b.west-nearUnits <= o.east && o.west-nearUnits <= b.east && b.south-nearUnits <= o.north && o.south-nearUnits <= b.north
}

// nearestPoints gives the place between two lines where they are nearest, and how many metres
// they are apart there: 0 where they cross.
func nearestPoints(a, b []geo.Fixed) (at geo.Point, metres float64) {
	least := math.Inf(1) // square metres
	look := func(points, line []geo.Fixed) {
		for _, f := range points {
			p := f.Point()
			for i := range max(1, len(line)-1) {
				foot, _, square := geo.Nearest(p, line[i].Point(), line[min(i+1, len(line)-1)].Point())
				if square < least {
					least, at = square, geo.Between(p, foot, 0.5)
				}
			}
		}
	}
	look(a, b)
	look(b, a)
	for i := 1; i < len(a); i++ {
		for k := 1; k < len(b); k++ {
			if along, _, ok := geo.Crossing(a[i-1].Point(), a[i].Point(), b[k-1].Point(), b[k].Point()); ok {
				return geo.Between(a[i-1].Point(), a[i].Point(), along), 0
			}
		}
	}
	return at, math.Sqrt(least)
}
