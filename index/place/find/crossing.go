package find

import (
	"math"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/fold"
	"github.com/waygate/waygate/index/place/lexicon"
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
var connectors = fold.WordSet("and at und et y e i och en a ja og ecke esquina angle angolo hoek corner crossing junction intersection with mit con")

// corners are the words, folded, that say before two streets that their crossing is meant.
var corners = fold.WordSet("corner crossing junction intersection ecke kreuzung angle croisement carrefour esquina cruce interseccion angolo incrocio cruzamento hoek kruispunt rog skrzyzowanie horn korsning cornel of the von de la du des des di da del van")

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
	if s.depth > 0 || s.q.Typing || s.q.Kinds != 0 && !s.q.Kinds.Has(place.Street) || s.only != nil && !s.only.wants(sortKey{kind: place.Crossing}) {
		return
	}
	if !s.crossed {
		s.crossed = true
		s.findCrossings()
	}
	named := s.bestText() >= meetText // a place has the words for its name
	for i, c := range s.crossings {
		if c.sign || !named {
			s.addHit(hit{score: c.text*shareText + s.nearness(c.at), text: c.text, of: ofCrossings, i: uint32(i), record: place.None})
		}
	}
}

// findCrossings finds the crossings that the question may mean.
func (s *search) findCrossings() {
	tried := 0
	for i := 1; i < len(s.tokens) && tried < mostConnectors; i++ {
		left, right, sign := i, i, true
		switch before := s.q.Text[min(s.tokens[i-1].To, s.tokens[i].From):s.tokens[i].From]; {
		case strings.ContainsAny(before, "&/@+|"):
		case i+1 < len(s.tokens) && connectors[s.tokens[i].Whole] && s.bestText() < meetText:
			right, sign = i+1, false
		default:
			continue
		}
		tried++
		from := 0
		for from < left && corners[s.tokens[from].Whole] {
			from++
		}
		for right < len(s.tokens) && corners[s.tokens[right].Whole] {
			right++
		}
		if from < left && right < len(s.tokens) {
			s.cross(s.q.Text[s.tokens[from].From:s.tokens[left-1].To], s.q.Text[s.tokens[right].From:], sign)
		}
	}
}

// cross finds the crossings of the streets of two texts.
func (s *search) cross(first, second string, sign bool) {
	streets := func(text string) []hit {
		_, all, err := s.x.search(s.ctx, &place.Query{Text: text, Limit: mostMeeting, Bias: s.q.Bias, Box: s.q.Box, Kinds: place.Of(place.Street)}, s.depth+1)
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
			if at, ok := s.meeting(one.record, other.record, &left); ok && (s.q.Box == nil || s.q.Box.Contains(at.Point())) {
				s.crossings = append(s.crossings, crossing{[2]uint32{one.record, other.record}, at, meetText * min(one.text, other.text), sign})
			}
		}
	}
}

// crossingAt returns a crossing in full, and notes which words of the question met it.
func (s *search) crossingAt(i uint32, fields *[lexicon.MostTokens]met) place.Place {
	x, c := s.x, s.crossings[i]
	p := x.Place(c.streets[0], s.q.Lang)
	p.ID, p.Kind, p.At, p.Extent, p.Categories, p.Importance, p.Class, p.Object = "", place.Crossing, c.at.Point(), nil, nil, 0, "", place.Object{}
	p.Name = x.NameIn(c.streets[0], s.q.Lang) + " & " + x.NameIn(c.streets[1], s.q.Lang)
	for _, street := range c.streets {
		r := &x.Records[street]
		m, around := s.matchName(r.Name), s.settingOf(r.Setting)
		for t := range s.tokens {
			switch {
			case m.quality[t] > fields[t].quality:
				fields[t] = met{"street", x.NameString(r.Name), m.quality[t]}
			case around.quality[t] > fields[t].quality:
				fields[t] = met{"locality", x.Text(x.PartText[around.part[t]]), around.quality[t]}
			}
		}
	}
	return p
}

// meeting finds where two streets meet: where their lines cross or come nearest to each other.
// left is how many pairs of sides may still be compared.
func (s *search) meeting(a, b uint32, left *int) (at geo.Fixed, ok bool) {
	x := s.x
	aFrom, aTo := place.Rows(x.PieceOf, a)
	bFrom, bTo := place.Rows(x.PieceOf, b)
	best := meetMetres
	for i := aFrom; i < aTo; i++ {
		one := x.Points[x.PieceFrom[i]:x.PieceFrom[i+1]]
		reach := x.PieceBox(uint32(i))
		for k := bFrom; k < bTo; k++ {
			if *left--; *left < 0 || *left%4096 == 0 && s.ctx.Err() != nil {
				return at, ok
			}
			if !reach.Nearly(x.PieceBox(uint32(k))) {
				continue
			}
			other := x.Points[x.PieceFrom[k]:x.PieceFrom[k+1]]
			*left -= len(one) * len(other)
			if p, metres := nearestPoints(one, other); metres < best {
				at, best, ok = p.Fix(), metres, true
			}
		}
	}
	return at, ok
}

// nearestPoints returns the place between two lines where they are nearest, and how many metres
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
