// Package landmarks names the places by which a traveller knows where to turn.
// It names none rather than a doubtful one.
package landmarks

import (
	"fmt"
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/landmark"
)

// Reach is how far from a junction a place may be, in metres.
const Reach = 40

// Most is how many manoeuvres of one route are annotated.
const Most = 40

// Turn is a manoeuvre that a place may be named for: a turn or a fork.
type Turn struct {
	At          geo.Point
	Bearing     float64 // degrees from north, arriving; negative where there is none
	Instruction string  // as the engine words it
}

// Placement says where the junction is as seen from the place.
type Placement int

// The placements.
const (
	Beside Placement = iota
	Before           // one turns before one comes to the place
	After            // one turns once one is past it
)

// aside is within how many metres along the road a place is beside a junction.
const aside = 15

// Phrase words an instruction with a place.
type Phrase func(instruction, place string, where Placement) string

// Service names landmarks. Index may be nil: then there are none. Speak gives
// the phrase of a language (BCP 47), nil where it is not spoken.
type Service struct {
	Index *landmark.Index
	Speak func(language string) Phrase
}

// Block is what an answer says of its landmarks.
type Block struct {
	Annotated int    `json:"annotated" doc:"manoeuvres with a landmark_instruction"`
	Note      string `json:"note,omitempty" doc:"present where the most that one route gets was reached, or where none can be named here"`
}

// Annotate words the instructions that a place can be named in. turns holds nil
// for manoeuvres that none may be named for; the texts are those of the same
// index, "" for none.
func (s *Service) Annotate(language string, turns []*Turn) ([]string, Block) {
	texts := make([]string, len(turns))
	if s == nil || s.Index == nil {
		return texts, Block{Note: "this server has no index of places, so no landmark can be named"}
	}
	phrase := s.Speak(language)
	if phrase == nil {
		return texts, Block{Note: "landmarks are not worded in the language " + language}
	}
	var b Block
	for i, t := range turns {
		if t == nil || t.Instruction == "" {
			continue
		}
		p, ok := s.best(t.At)
		if !ok {
			continue
		}
		if b.Annotated == Most {
			b.Note = fmt.Sprintf("one route gets at most %d landmarks; the manoeuvres after that have none", Most)
			break
		}
		texts[i] = phrase(t.Instruction, p.Name, placement(t, p.At))
		b.Annotated++
	}
	return texts, b
}

// best is the place by which a junction is best recognised: what counts is the
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

// placement tells how far along the road a place lies from the junction.
func placement(t *Turn, at geo.Point) Placement {
	if t.Bearing < 0 {
		return Beside
	}
	ahead := geo.Distance(t.At, at) * math.Cos((geo.Bearing(t.At, at)-t.Bearing)*math.Pi/180)
	switch {
	case ahead > aside:
		return Before
	case ahead < -aside:
		return After
	}
	return Beside
}
