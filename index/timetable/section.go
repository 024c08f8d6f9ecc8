package timetable

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/region"
)

// column is one array of the section.
type column struct {
	name  string
	put   func(a *region.Arrays)
	array func(s *region.Section) error
}

func columnOf[T any](name string, values *[]T) column {
	return column{
		name,
		func(a *region.Arrays) { region.Put(a, name, *values) },
		func(s *region.Section) (err error) { *values, err = region.Array[T](s, name); return err },
	}
}

// optional returns a column that sections of earlier imports lack.
func optional(c column) column {
	array := c.array
	c.array = func(s *region.Section) error {
		if !s.Has(c.name) {
			return nil
		}
		return array(s)
	}
	return c
}

func columns(x *Index) []column {
	return []column{
		columnOf("text", &x.text), columnOf("feeds", &x.feeds), columnOf("agencies", &x.agencies), columnOf("lines", &x.lines),
		columnOf("stops", &x.stops), columnOf("stop_row", &x.stopRow), columnOf("south_row", &x.southRow), columnOf("stop_ids", &x.stopIDs),
		columnOf("services", &x.services), columnOf("span", &x.span),
		columnOf("patterns", &x.patterns), columnOf("pattern_stops", &x.patternStops), columnOf("pattern_rules", &x.patternRules), columnOf("pattern_signs", &x.patternSigns),
		columnOf("trips", &x.trips), columnOf("times", &x.times), columnOf("headways", &x.headways), columnOf("trip_ids", &x.tripIDs), columnOf("trip_access", &x.tripAccess),
		columnOf("call_at", &x.callAt), columnOf("calls", &x.calls), columnOf("child_at", &x.childAt), columnOf("child", &x.child),
		columnOf("transfer_at", &x.transferAt), columnOf("transfers", &x.transfers), columnOf("walk_at", &x.walkAt), columnOf("walks", &x.walks), optional(columnOf("step_free", &x.stepFree)),
		columnOf("onward_at", &x.onwardAt), columnOf("onward", &x.onward), columnOf("translations", &x.translations),
		columnOf("shape_points", &x.shapePoints), columnOf("shape_at", &x.shapeAt), columnOf("pattern_shape", &x.patternShape), columnOf("placings", &x.placings),
	}
}

// Write writes the section file.
func (x *Index) Write(path string) error {
	a := &region.Arrays{}
	for _, c := range columns(x) {
		c.put(a)
	}
	return a.WriteFile(path)
}

// Open returns the timetable of a region; nil where it was built without.
func Open(r *region.Region) (*Index, error) {
	s, err := r.Optional(SectionName, Version, Version)
	if s == nil {
		return nil, err
	}
	return Read(s)
}

// Read returns the timetable of a section. It refuses arrays that do not fit each other,
// so that no later look-up leaves them.
func Read(s *region.Section) (*Index, error) {
	x := &Index{}
	for _, c := range columns(x) {
		if err := c.array(s); err != nil {
			return nil, err
		}
	}
	if err := (section{x}).check(); err != nil {
		return nil, fmt.Errorf("section %s: %w", SectionName, err)
	}
	section{x}.listLines()
	section{x}.listDoors()
	return x, section{x}.openZones()
}

// openZones finds the zone of each agency.
func (x section) openZones() error {
	x.zones = make([]*time.Location, len(x.agencies))
	for i, a := range x.agencies {
		zone, err := time.LoadLocation(x.string(a.Zone))
		if err != nil {
			return fmt.Errorf("section %s: %w", SectionName, err)
		}
		x.zones[i] = zone
	}
	return nil
}

// section is an Index that is being read.
type section struct{ *Index }

// inList reports whether n elements from first lie in a list.
func inList(first, n uint32, length int) bool { return uint64(first)+uint64(n) <= uint64(length) }

// offsets reports whether a list of first elements belongs to so many owners and a list.
func offsets(first []uint32, owners, length int) bool {
	if len(first) != owners+1 || first[0] != 0 || int(first[owners]) != length {
		return false
	}
	for i := range owners {
		if first[i] > first[i+1] {
			return false
		}
	}
	return true
}

func (x section) check() error {
	if len(x.span) != 3 || x.span[1] < 0 || x.span[2] < 0 || x.span[2] > mostLag || len(x.southRow) > 1 {
		return errors.New("its span of days cannot be read")
	}
	words := serviceWords(x.Index)
	if words == 0 && len(x.services) > 0 || words > 0 && len(x.services)%words != 0 {
		return errors.New("its services are of another span of days")
	}
	if len(x.patternRules) != len(x.patternStops) || !offsets(x.callAt, len(x.stops), len(x.calls)) || !offsets(x.childAt, len(x.stops), len(x.child)) ||
		!offsets(x.transferAt, len(x.stops), len(x.transfers)) || !offsets(x.walkAt, len(x.stops), len(x.walks)) {
		return errors.New("its lists of stops do not fit each other")
	}
	if rows := len(x.stopRow) - 1; rows < 0 || !offsets(x.stopRow, rows, len(x.stops)) || rows > 0 && len(x.southRow) != 1 {
		return errors.New("its rows do not have its stops")
	}
	for _, list := range [][]uint32{x.patternStops, x.child} {
		for _, s := range list {
			if int(s) >= len(x.stops) {
				return errors.New("it names a stop that is not there")
			}
		}
	}
	for _, c := range x.calls {
		if int(c.Pattern) >= len(x.patterns) || c.Position >= uint32(x.patterns[c.Pattern].Length) {
			return errors.New("a call is of no pattern")
		}
	}
	if err := x.checkPatterns(words); err != nil {
		return err // on which the shapes of patterns rely
	}
	return errors.Join(x.checkTexts(), x.checkChanges(), x.checkShapes())
}

// checkChanges checks what is said of changing between vehicles.
func (x section) checkChanges() error {
	for _, t := range x.transfers {
		if int(t.From) >= len(x.stops) || int(t.To) >= len(x.stops) || t.Kind > Impossible ||
			t.FromLine != None && int(t.FromLine) >= len(x.lines) || t.ToLine != None && int(t.ToLine) >= len(x.lines) ||
			t.FromTrip != None && int(t.FromTrip) >= len(x.trips) || t.ToTrip != None && int(t.ToTrip) >= len(x.trips) {
			return errors.New("a transfer is of a stop, a line or a trip that is not there")
		}
	}
	if slices.ContainsFunc(x.walks, func(w Walk) bool { return int(w.To) >= len(x.stops) }) {
		return errors.New("a walk is to no stop")
	}
	if n := len(x.stepFree); n > 0 && n != len(x.walks) {
		return errors.New("the step-free ways are not those of its walks")
	}
	if len(x.onwardAt) > 0 && !offsets(x.onwardAt, len(x.trips), len(x.onward)) || slices.ContainsFunc(x.onward, func(t uint32) bool { return int(t) >= len(x.trips) }) {
		return errors.New("a trip goes on as one that is not there")
	}
	return nil
}

func (x section) checkPatterns(words int) error {
	for _, p := range x.patterns {
		n, trips := uint32(p.Length), p.Count
		switch {
		case int(p.Line) >= len(x.lines) || n == 0,
			!inList(p.Stops, n, len(x.patternStops)),
			p.Signs != None && !inList(p.Signs, n, len(x.patternSigns)),
			!inList(p.Trips, trips, len(x.trips)),
			uint64(p.Times)+uint64(trips)*uint64(n) > uint64(len(x.times)),
			!inList(p.Headways, p.Repeats, len(x.headways)):
			return errors.New("a pattern ends after the section")
		}
		for _, h := range x.headways[p.Headways:][:p.Repeats] {
			if h.Trip >= trips || h.Every <= 0 || h.End < h.Start {
				return errors.New("a headway is of no trip, or without end")
			}
		}
	}
	if !x.checkIDs(x.stopIDs, len(x.stops)) || !x.checkIDs(x.tripIDs, len(x.trips)) {
		return errors.New("an id is of no stop or no trip")
	}
	if n := len(x.tripAccess); n > 0 && n != len(x.trips) {
		return errors.New("the wheelchairs are not those of its trips")
	}
	for _, t := range x.trips {
		if words == 0 || int(t.Service) >= len(x.services)/words {
			return errors.New("a trip has no service")
		}
	}
	return nil
}

// checkIDs reports whether ids are texts of some of so many.
func (x section) checkIDs(list []named, of int) bool {
	return !slices.ContainsFunc(list, func(n named) bool { return int(n.Of) >= of || !x.holdsText(n.ID) })
}

func (x section) checkTexts() error {
	ok := true
	check := func(texts ...uint32) {
		for _, at := range texts {
			ok = ok && x.holdsText(at)
		}
	}
	for _, f := range x.feeds {
		check(f.Name, f.Publisher, f.Link, f.Version, f.Licence)
	}
	for _, a := range x.agencies {
		check(a.ID, a.Code, a.Name, a.Link, a.Zone)
		ok = ok && int(a.Feed) < len(x.feeds)
	}
	for _, l := range x.lines {
		check(l.ID, l.ShortName, l.LongName)
		ok = ok && int(l.Agency) < len(x.agencies)
	}
	for _, s := range x.stops {
		check(s.ID, s.Code, s.Name, s.Indicator, s.Locality, s.Platform, s.Heading)
		ok = ok && (s.Parent == None || int(s.Parent) < len(x.stops))
	}
	for _, t := range x.trips {
		check(t.ID, t.Sign, t.Block)
	}
	check(x.patternSigns...)
	for _, t := range x.translations {
		check(t.Of, t.Language, t.Text)
	}
	if !ok {
		return errors.New("a text, an agency, a feed or a stop is not there")
	}
	return nil
}

func (x section) holdsText(at uint32) bool {
	return uint64(at)+2 <= uint64(len(x.text)) && uint64(at)+2+uint64(x.text[at])+uint64(x.text[at+1])<<8 <= uint64(len(x.text))
}

func (x *Index) string(at uint32) string { return string(x.bytes(at)) }

func (x *Index) bytes(at uint32) []byte {
	n := int(x.text[at]) | int(x.text[at+1])<<8
	return x.text[at+2 : int(at)+2+n]
}

func serviceWords(x *Index) int { return (int(x.span[1]) + 63) / 64 }

// listLines works out where the lines and their patterns are by name.
func (x section) listLines() {
	x.lineOf, x.lineNamed = map[string][]uint32{}, map[string][]uint32{}
	x.ofLineAt = make([]uint32, len(x.lines)+1)
	for n, l := range x.lines {
		id, name := x.string(l.ID), strings.ToLower(x.LineName(uint32(n)))
		x.lineOf[id] = append(x.lineOf[id], uint32(n))
		x.lineNamed[name] = append(x.lineNamed[name], uint32(n))
	}
	for _, p := range x.patterns {
		x.ofLineAt[p.Line+1]++
	}
	for i := range x.lines {
		x.ofLineAt[i+1] += x.ofLineAt[i]
	}
	x.ofLine = make([]uint32, len(x.patterns))
	next := slices.Clone(x.ofLineAt)
	for n, p := range x.patterns {
		x.ofLine[next[p.Line]] = uint32(n)
		next[p.Line]++
	}
}
