// Package timezone returns the time zone of a place and what its clocks show.
package timezone

import (
	"fmt"
	"sync"
	"time"
	_ "time/tzdata" // so that zones are known on machines without the database

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/timezone"
)

// Zone is the time zone of a place at an instant.
type Zone struct {
	ID           string   `json:"timezone_id" doc:"IANA identifier"`
	Others       []string `json:"alternatives,omitempty" doc:"zones that are claimed for the place as well"`
	UTCOffset    int      `json:"utc_offset_s" unit:"seconds" doc:"local time less UTC at that instant, daylight saving included"`
	DSTOffset    int      `json:"dst_offset_s" unit:"seconds" doc:"what of it is daylight saving; 0 in standard time"`
	Abbreviation string   `json:"abbreviation" doc:"of the time in force, such as BST; an offset such as +03 where the zone has none"`
	Instant      string   `json:"timestamp" format:"date-time" doc:"the instant that this is of, in UTC"`
	Local        string   `json:"local_time" format:"date-time"`
	Accuracy     int      `json:"boundary_accuracy_m" unit:"metres" doc:"how far the borders of zones may be off"`
	Source       string   `json:"source"`
}

// locations are the zones that were asked for, by their names; there are some
// four hundred in all.
var locations sync.Map

func location(name string) (*time.Location, error) {
	if l, ok := locations.Load(name); ok {
		return l.(*time.Location), nil
	}
	l, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("time zone %s: %w", name, err)
	}
	locations.Store(name, l)
	return l, nil
}

// Location returns the time zone of a place, nil where it is not known.
func Location(p geo.Point) *time.Location {
	world, err := timezone.World()
	if err != nil {
		return nil
	}
	for _, name := range world.At(p) {
		if l, err := location(name); err == nil {
			return l
		}
	}
	return nil
}

// At returns the time zone of a place; not-found where the world's zones have a
// gap.
func At(p geo.Point, at time.Time) (*Zone, error) {
	world, err := timezone.World()
	if err != nil {
		return nil, err
	}
	names := world.At(p)
	if len(names) == 0 {
		return nil, fault.New(fault.NotFound, "no time zone is known at %s", p)
	}
	l, err := location(names[0])
	if err != nil {
		return nil, err
	}
	local := at.In(l)
	abbreviation, offset := local.Zone()
	return &Zone{
		ID: names[0], Others: names[1:], UTCOffset: offset, DSTOffset: saving(local), Abbreviation: abbreviation,
		Instant: at.UTC().Format(time.RFC3339), Local: local.Format(time.RFC3339), Accuracy: timezone.Accuracy, Source: timezone.Source,
	}, nil
}

// saving returns how much of the offset from UTC is daylight saving: the difference
// to the standard time before it, or after it where there is none.
func saving(t time.Time) int {
	if !t.IsDST() {
		return 0
	}
	_, offset := t.Zone()
	start, end := t.ZoneBounds()
	for _, other := range []time.Time{start.Add(-time.Second), end} {
		if !other.IsZero() && !start.IsZero() && !other.IsDST() {
			_, standard := other.Zone()
			return offset - standard
		}
	}
	return int(time.Hour / time.Second)
}
