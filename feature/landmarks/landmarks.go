// Package landmarks names the places by which a traveller recognises where to turn. It names
// none rather than a doubtful one.
package landmarks

import (
	"fmt"
	"math"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/index/landmark"
)

// Reach is how far from a junction a place may be, in metres.
const Reach = 40

// Most is how many manoeuvres of one route are annotated.
const Most = 40

// aside is within how many metres along the road a place is beside a junction.
const aside = 15

// Service names landmarks. Index may be nil: then there are none.
type Service struct{ Index *landmark.Index }

// Block has the answer's attribution and note on landmarks.
type Block struct {
	Annotated int    `json:"annotated" doc:"manoeuvres with a landmark_instruction"`
	Note      string `json:"note,omitempty" doc:"present where the most that one route gets was reached, or where none can be named here"`
}

// Annotate gives the manoeuvres of an answer's routes the landmarks by which they
// are recognised, where the answer has instructions that can name them.
func (s *Service) Annotate(o *engine.Output, a *engine.RouteAnswer) Block {
	if s == nil || s.Index == nil {
		return Block{Note: "this server has no index of places, so no landmark can be named"}
	}
	if _, spoken := narrate.Find(a.Language); !spoken {
		return Block{Note: "landmarks are not worded in the language " + a.Language}
	}
	var b Block
	for i := range a.Routes {
		for j := range a.Routes[i].Legs {
			if !s.leg(&a.Routes[i].Legs[j], o, &b) {
				b.Note = fmt.Sprintf("one route gets at most %d landmarks; the manoeuvres after that have none", Most)
				return b
			}
		}
	}
	return b
}

// leg annotates a leg; it reports false once there are too many.
func (s *Service) leg(l *engine.Leg, o *engine.Output, b *Block) bool {
	for i := range l.Manoeuvres {
		m := &l.Manoeuvres[i]
		if m.BeginShape >= len(l.Line) {
			continue // the line was left out
		}
		if l.Instructions == nil {
			if !o.Speaks() || !turns(l.Manoeuvres, i, o.Format) {
				continue
			}
		} else if l.Instructions[i] == "" || !turns(l.Manoeuvres, i, engine.Native) {
			continue
		}
		at := l.Line[m.BeginShape]
		p, ok := s.best(at)
		if !ok {
			continue
		}
		if b.Annotated == Most {
			return false
		}
		m.Landmark = &guidance.Landmark{Name: p.Name, Where: placement(at, m.Before, p.At)}
		b.Annotated++
	}
	return true
}

// turns reports whether a manoeuvre is a turn or a fork. In OSRM's words so is
// where the road that one stays on, or one without a name, bends.
func turns(list []guidance.Manoeuvre, i int, f engine.Format) bool {
	m := &list[i]
	switch m.Type {
	case guidance.SlightRight, guidance.Right, guidance.SharpRight, guidance.SharpLeft, guidance.Left, guidance.SlightLeft,
		guidance.StayStraight, guidance.StayRight, guidance.StayLeft:
		return true
	case guidance.Becomes, guidance.Continue:
		bend := geo.Turn(float64(m.Before), float64(m.After))
		return f == engine.OSRM && i > 0 && list[i-1].Travel == m.Travel && (m.ToStayOn || len(m.Names) == 0) && bend > 10 && bend < 350
	}
	return false
}

// best returns the place by which a junction is best recognised: what counts is the
// kind of place, then how near it is.
func (s *Service) best(at geo.Point) (best landmark.Place, ok bool) {
	top := 0.0
	s.Index.Near(at, Reach, func(p landmark.Place, away float64) {
		score := Score(&p)
		if score < enough {
			return
		}
		// A place across the road beats a better known one at the limit.
		if weighed := score - 0.3*away/Reach; weighed > top {
			best, ok, top = p, true, weighed
		}
	})
	return best, ok
}

// placement returns how far along the road, on which one comes to a junction in a
// course, a place lies from it.
func placement(junction geo.Point, bearing int, place geo.Point) guidance.Placement {
	if bearing < 0 {
		return guidance.Beside
	}
	ahead := geo.Distance(junction, place) * math.Cos((geo.Bearing(junction, place)-float64(bearing))*math.Pi/180)
	switch {
	case ahead > aside:
		return guidance.Before
	case ahead < -aside:
		return guidance.After
	}
	return guidance.Beside
}
