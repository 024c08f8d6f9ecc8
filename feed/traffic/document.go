// Package traffic has the records of feeds about roads: speeds, closures and incidents. Every
// reader of a format returns this form, before records are matched to the roads of a region.
package traffic

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/link"
)

// Document has the contents of a source at one time. It is immutable once it was read.
type Document struct {
	Taken time.Time // when the source made it; zero where it does not say
	Read  time.Time // when it was read
	// Delta says that what is not in the document stays as it was. Otherwise the document has
	// all records of the source.
	Delta    bool
	Segments []link.Segment
	Ways     []link.Way
	Turns    []link.Turn
	Records  []Record
	Links    []Link   // the source's own stretches of road, by which its records name places
	Ended    []string // ids of records that are over
	Rejected Rejected

	points int // of lines, parts of other places, and windows of all records and links
}

// Link is a stretch of road with a name in its source.
type Link struct {
	ID    string
	Line  []geo.Point // in the direction of travel
	Parts []string    // ids of the links it is made of, where it has no line
}

// Record is one thing that a source says of one stretch of road.
type Record struct {
	ID       string // in the source; "" where it has none
	Place    link.Place
	Kmh      float64   // of the traffic; 0 where not known
	Seconds  float64   // of travel along the place; 0 where not known
	At       time.Time // when it was observed; zero where not known
	Closed   bool      // nobody may pass
	Windows  []Window  // when it holds; nil is always
	Incident *Incident // nil for a mere speed
}

// Window is a time from From until before Until; the zero time is without end
// on that side.
type Window struct{ From, Until time.Time }

// Contains reports whether a moment is in the window.
func (w Window) Contains(at time.Time) bool {
	return (w.From.IsZero() || !at.Before(w.From)) && (w.Until.IsZero() || at.Before(w.Until))
}

// ActiveAt reports whether a record holds at a moment.
func (r *Record) ActiveAt(at time.Time) bool {
	return len(r.Windows) == 0 || slices.ContainsFunc(r.Windows, func(w Window) bool { return w.Contains(at) })
}

// Expired reports whether all of a record's times are past.
func (r *Record) Expired(at time.Time) bool {
	return len(r.Windows) > 0 && !slices.ContainsFunc(r.Windows, func(w Window) bool { return w.Until.IsZero() || at.Before(w.Until) })
}

// Incident is the part of a record that is for people.
type Incident struct {
	Situation   string   // id that the records of one event share
	Kind        string   // one of Kinds
	Cause       string   // in the source's words; "" where not known
	Severity    string   // one of Severities
	Roads       []string // names or numbers
	Direction   string   // in the source's words
	Description string
	LanesClosed *int
	LanesOpen   *int
	Updated     time.Time
}

// Kinds are the kinds of incidents.
var Kinds = []string{"accident", "closure", "congestion", "event", "hazard", "lane_closure", "obstruction", "other", "restriction", "roadworks", "vehicle_breakdown", "weather"}

// Severities are how grave an incident may be.
var Severities = []string{"unknown", "low", "medium", "high", "highest"}

// Severity gives one of Severities for a source's word.
func Severity(word string) string {
	switch word {
	case "highest", "high", "medium", "low":
		return word
	case "lowest", "none":
		return "low"
	case "critical", "severe", "major":
		return "high"
	case "moderate":
		return "medium"
	case "minor":
		return "low"
	}
	return "unknown"
}

// Rejected counts what was not taken, by the reason.
type Rejected map[string]int

// Sum returns how many were rejected.
func (r Rejected) Sum() int {
	n := 0
	for _, k := range r {
		n += k
	}
	return n
}

// Reject counts one more; reasons are few and fixed.
func (d *Document) Reject(reason string) {
	if d.Rejected == nil {
		d.Rejected = Rejected{}
	}
	d.Rejected[reason]++
}

// Reasons lists why things were rejected, sorted.
func (r Rejected) Reasons() []string { return slices.Sorted(maps.Keys(r)) }

// Limits of a document. One beyond them is refused as a whole, for a source that reports more
// is not of the kind that was configured.
const (
	MaxSpeeds  = 20_000_000
	MaxTurns   = 2_000_000
	MaxRecords = 500_000
	MaxPoints  = 20_000     // of one place
	maxPoints  = 10_000_000 // of all places, with the windows of all records
	maxRoads   = 8          // of one incident
	MaxKmh     = 250
)

// The reasons for which values are rejected.
const (
	badNumber   = "a number could not be read"
	badSpeed    = "speed out of range"
	BadPosition = "position out of range"
	BadTime     = "a time could not be read"
	NoPlace     = "no place that can be read"
	Doubled     = "reported twice"
	Unreadable  = "a record could not be read"
)

// Size returns how many records and speeds the document has.
func (d *Document) Size() int {
	return len(d.Segments) + len(d.Ways) + len(d.Turns) + len(d.Records)
}

// Speed checks a speed in km/h and gives it as a record's: 0 and below, and
// beyond 250, are none.
func (d *Document) Speed(kmh float64) (float64, bool) {
	if !(kmh > 0 && kmh <= MaxKmh) {
		d.Reject(badSpeed)
		return 0, false
	}
	return kmh, true
}

// Add takes a record, unless it names no place or its place is not on the globe.
func (d *Document) Add(r *Record) error {
	if !r.Place.Known() {
		d.Reject(NoPlace)
		return nil
	}
	if len(r.Place.Line) > MaxPoints {
		return fmt.Errorf("a record has a line of %d points, the limit is %d", len(r.Place.Line), MaxPoints)
	}
	for _, p := range r.Place.Line {
		if !p.Valid() {
			d.Reject(BadPosition)
			return nil
		}
	}
	if !r.clipped() {
		d.Reject(feed.LongText)
		return nil
	}
	if len(d.Records) >= MaxRecords {
		return fmt.Errorf("more than %d records", MaxRecords)
	}
	d.Records = append(d.Records, *r)
	return d.count(len(r.Place.Line) + len(r.Place.Nodes) + len(r.Place.Links) + len(r.Windows))
}

// AddLink takes a stretch of road.
func (d *Document) AddLink(l Link) error {
	if len(l.Line)+len(l.Parts) > MaxPoints {
		return fmt.Errorf("a link has more than %d points or parts", MaxPoints)
	}
	if len(d.Links) >= MaxRecords {
		return fmt.Errorf("more than %d links", MaxRecords)
	}
	if feed.TooLong(l.ID) || feed.TooLong(l.Parts...) {
		d.Reject(feed.LongText)
		return nil
	}
	d.Links = append(d.Links, l)
	return d.count(len(l.Line) + len(l.Parts))
}

// End takes the id of a record that is over.
func (d *Document) End(id string) error {
	if len(d.Ended) >= MaxRecords {
		return fmt.Errorf("more than %d records that are over", MaxRecords)
	}
	if feed.TooLong(id) {
		d.Reject(feed.LongText)
		return nil
	}
	d.Ended = append(d.Ended, id)
	return nil
}

// count counts the points of a place and the times of a record.
func (d *Document) count(points int) error {
	if d.points += points; d.points > maxPoints {
		return fmt.Errorf("more than %d points of places and times", maxPoints)
	}
	return nil
}

// clipped shortens texts for people to what an answer can have, so that a closure counts however
// long its description is. It returns false where an id of the record or its place is too long.
func (r *Record) clipped() bool {
	if feed.TooLong(r.ID) || feed.TooLong(r.Place.Links...) {
		return false
	}
	if in := r.Incident; in != nil {
		for _, text := range []*string{&in.Situation, &in.Cause, &in.Direction, &in.Description} {
			*text = feed.Clip(*text)
		}
		in.Roads = slices.Clip(in.Roads[:min(len(in.Roads), maxRoads)])
		for i := range in.Roads {
			in.Roads[i] = feed.Clip(in.Roads[i])
		}
	}
	return true
}

// Finish drops all but the last of records with one id.
func (d *Document) Finish() {
	last := map[string]int{}
	for i := range d.Records {
		if id := d.Records[i].ID; id != "" {
			last[id] = i
		}
	}
	kept := d.Records[:0]
	for i := range d.Records {
		if id := d.Records[i].ID; id != "" && last[id] != i {
			d.Reject(Doubled)
			continue
		}
		kept = append(kept, d.Records[i])
	}
	d.Records = kept
}

// Empty reports whether a document says nothing.
func (d *Document) Empty() bool {
	return len(d.Segments)+len(d.Ways)+len(d.Turns)+len(d.Records)+len(d.Links)+len(d.Ended) == 0
}
