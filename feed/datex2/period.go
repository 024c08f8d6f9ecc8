package datex2

import (
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // so that zones are known on machines without the database

	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/timezone"
	"github.com/waygate/waygate/road/link"
	"github.com/waygate/waygate/road/openlr"
)

// maxPeriods is how many periods of validity of a record are read, and maxHours how
// many times of the day of each.
const (
	maxPeriods = 500
	maxHours   = 24
)

// period is a period in which a record holds, at all times or at recurring ones.
type period struct {
	traffic.Window
	hours []hours
	days  [7]bool
	odd   bool // recurs in a way that is not read
}

// hours is a time of the day.
type hours struct {
	from, until time.Duration
	offset      time.Duration
	hasOffset   bool
	begun, over bool // from and until were read
}

// period returns the period of validity that is open; nil where none is.
func (x *reader) period() *period {
	if x.record == nil || len(x.record.periods) == 0 || !x.inElement("validPeriod") {
		return nil
	}
	return &x.record.periods[len(x.record.periods)-1]
}

func (r *record) beginPeriod() {
	if n := len(r.periods); n == maxPeriods {
		r.periods[n-1].odd = true
		return
	}
	r.periods = append(r.periods, period{})
}

// begin begins an element of a period by its name.
func (p *period) begin(name string) {
	if name == "recurringSpecialDay" || len(p.hours) == maxHours {
		p.odd = true
		return
	}
	p.hours = append(p.hours, hours{})
}

// leaf takes the text of an element of a period.
func (p *period) leaf(name string, raw []byte) {
	switch name {
	case "startOfPeriod":
		p.From = timeOf(raw)
	case "endOfPeriod":
		p.Until = timeOf(raw)
	case "applicableDay":
		day, ok := traffic.Weekdays[strings.ToLower(string(raw))]
		p.days[day] = true
		p.odd = p.odd || !ok
	case "applicableWeek", "applicableMonth":
		p.odd = true
	case "startTimeOfPeriod", "endTimeOfPeriod":
		since, offset, hasOffset, ok := traffic.TimeOfDay(string(raw))
		if !ok || len(p.hours) == 0 {
			p.odd = true
			return
		}
		h := &p.hours[len(p.hours)-1]
		if hasOffset {
			h.offset, h.hasOffset = offset, true
		}
		if name == "startTimeOfPeriod" {
			h.from, h.begun = since, true
		} else {
			h.until, h.over = since, true
		}
	}
}

// windows lists the times at which a record holds; nil is always. ok is false where it holds at
// recurring times that cannot be worked out: the windows are then the whole of its periods.
// Times of the day without an offset are local times of its places.
func (r *record) windows(published time.Time, places []link.Place) (list []traffic.Window, ok bool) {
	ok = true
	var local *time.Location
	for i := range r.periods {
		p := &r.periods[i]
		w := p.Window
		if w.From.IsZero() {
			w.From = r.overall.From
		}
		if w.Until.IsZero() {
			w.Until = r.overall.Until
		}
		recurs := len(p.hours) > 0 || p.days != [7]bool{}
		odd := p.odd || slices.ContainsFunc(p.hours, func(h hours) bool { return !h.begun || !h.over })
		if odd || recurs && published.IsZero() {
			list, ok = append(list, w), false
			continue
		}
		if !recurs {
			if w != (traffic.Window{}) {
				list = append(list, w)
			}
			continue
		}
		for _, h := range p.times() {
			x := traffic.Recurring{From: h.from, Until: h.until, Days: p.days}
			switch {
			case h.hasOffset:
				x.Zone = time.FixedZone("", int(h.offset/time.Second))
			case local == nil:
				local = r.zone(places)
				fallthrough
			default:
				x.Zone = local
			}
			from := published
			if w.From.After(from) {
				from = w.From
			}
			list = append(list, x.Windows(w, from)...)
		}
		if len(list) == 0 {
			list = []traffic.Window{{Until: published}} // it is over
		}
	}
	if list == nil && r.overall != (traffic.Window{}) {
		list = []traffic.Window{r.overall}
	}
	return list, ok
}

// zone returns the time zone of the first place with coordinates; where there is none it returns
// the offset of the record's own beginning.
func (r *record) zone(places []link.Place) *time.Location {
	for i := range places {
		at, ok := begin(&places[i])
		if !ok {
			continue
		}
		if zone := r.clocks.at(at); zone != nil {
			return zone
		}
	}
	_, seconds := r.overall.From.Zone()
	return time.FixedZone("", seconds)
}

// clocks are the time zones that a document's places lie in, by their names.
type clocks map[string]*time.Location

// at returns the time zone of a place; nil where it is not known.
func (c clocks) at(p geo.Point) *time.Location {
	world, err := timezone.World()
	if err != nil {
		return nil
	}
	for _, name := range world.At(p) {
		if c[name] == nil {
			zone, err := time.LoadLocation(name)
			if err != nil {
				continue
			}
			c[name] = zone
		}
		return c[name]
	}
	return nil
}

// begin returns where a place begins; ok is false where it has no coordinates.
func begin(p *link.Place) (at geo.Point, ok bool) {
	switch {
	case len(p.Line) > 0:
		at = p.Line[0]
	case p.OpenLR != nil:
		line, err := openlr.Parse(p.OpenLR)
		if err != nil {
			return at, false
		}
		at = line.Points[0].At
	default:
		return at, false
	}
	return at, at.Valid()
}

// times returns the times of the day of a period; the whole day where it has only days.
func (p *period) times() []hours {
	if len(p.hours) == 0 {
		return []hours{{}}
	}
	return p.hours
}
