package along

import (
	"slices"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/wire/null"
)

// Sources names the sources that an answer comes from, and how far each can be relied on.
type Sources struct {
	Coverage    []Coverage `json:"coverage" nullable:"false" doc:"by source; osm is the map of the region"`
	Attribution []string   `json:"attribution" nullable:"false" doc:"to be shown with the answer, word for word"`
	Caveat      string     `json:"caveat"`
}

// Coverage is one source: what area it covers, and how far it can be relied on.
type Coverage struct {
	Source    string     `json:"source" doc:"id of the source, as records name it"`
	Name      string     `json:"name"`
	Area      *string    `json:"area" doc:"what it covers, in words; null where it does not say"`
	Licence   *string    `json:"licence" doc:"SPDX identifier or a name; null where it does not say"`
	State     feed.State `json:"state" enum:"waiting,ok,failing,stale,down" doc:"stale: what it says is older than it should be; failing: it could not be read again lately; down, waiting: it says nothing yet"`
	UpdatedAt *time.Time `json:"updated_at" doc:"what time its records are of"`
	AgeS      *float64   `json:"age_s" decimals:"0" doc:"seconds since then"`
	Records   int        `json:"records" doc:"it has, everywhere"`
}

// Feed is a feed of any kind.
type Feed interface {
	Source() *feed.Source
	Status() feed.Status
}

// SourcesOf returns the sources of an answer that comes from feeds, without attribution
// and caveat.
func SourcesOf[F Feed](feeds []F) Sources {
	out := Sources{Coverage: make([]Coverage, 0, len(feeds)), Attribution: []string{}}
	for _, f := range feeds {
		source, s := f.Source(), f.Status()
		out.Coverage = append(out.Coverage, Coverage{
			Source: source.ID, Name: source.Title(), Area: null.IfZero(source.Area), Licence: null.IfZero(source.Licence),
			State: s.State, UpdatedAt: s.At, AgeS: s.AgeS, Records: s.Records,
		})
	}
	return out
}

// The region's map as a source of records.
const (
	MapID      = "osm"
	MapLicence = "ODbL-1.0"
)

// AddMap adds the region's map, whose state is of a time, nil where that is not known.
func (s *Sources) AddMap(records int, updated *time.Time, now time.Time) {
	area, licence := "the region of the map", MapLicence
	c := Coverage{Source: MapID, Name: "OpenStreetMap", Area: &area, Licence: &licence, State: feed.OK, UpdatedAt: updated, Records: records}
	if updated != nil {
		age := max(0, now.Sub(*updated).Seconds())
		c.AgeS = &age
	}
	s.Coverage = append(s.Coverage, c)
}

// Attribute adds what a source wants to be shown, once.
func (s *Sources) Attribute(text string) {
	if text != "" && !slices.Contains(s.Attribution, text) {
		s.Attribution = append(s.Attribution, text)
	}
}

// AttributeFeeds adds what those feeds want to be shown whose ids are given.
func AttributeFeeds[F Feed](s *Sources, feeds []F, ids ...string) {
	for _, f := range feeds {
		if source := f.Source(); slices.Contains(ids, source.ID) {
			s.Attribute(source.Attribution)
		}
	}
}

// Warn sets the caveat: which sources cannot be relied on at the moment, and a text.
func (s *Sources) Warn(text string) {
	s.Caveat = ""
	for _, c := range s.Coverage {
		switch c.State {
		case feed.Stale:
			s.Caveat += c.Name + " is out of date. "
		case feed.Down, feed.Waiting:
			s.Caveat += c.Name + " says nothing at the moment. "
		}
	}
	s.Caveat += text
}
