package native

import (
	"fmt"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/schema"
)

// MatrixLocation is a source or target of a matrix, which may have a time of its own.
type MatrixLocation struct {
	RouteLocation
	DateTime string `json:"date_time,omitempty" maxLength:"16" example:"2026-09-01T08:00" doc:"of a source when one sets out there (current is now), of a target when one arrives there: local, YYYY-MM-DDTHH:MM. Either sources or targets have times, all of one side or, beside the date_time of the request, some; at most 500 different ones. Not with the costing transit"`

	local time.Time
}

// mostTimes is how many different times the places of a matrix may have.
const mostTimes = 500

// current is the local time of now, in Valhalla's word.
const current = "current"

// Check reads the time.
func (l *MatrixLocation) Check(c *schema.Context) {
	l.RouteLocation.Check(c)
	if l.DateTime != "" && l.DateTime != current {
		l.local = localTime(c, "date_time", l.DateTime)
	}
}

// places are locations without their times.
func places(list []MatrixLocation) []RouteLocation {
	if list == nil {
		return nil
	}
	all := make([]RouteLocation, len(list))
	for i := range list {
		all[i] = list[i].RouteLocation
	}
	return all
}

// timed returns the number of the first location of a list that has a time, and of the first
// that has none; -1 where there is no such.
func timed(list []MatrixLocation) (with, without int) {
	with, without = -1, -1
	for i := range list {
		if list[i].DateTime != "" && with < 0 {
			with = i
		} else if list[i].DateTime == "" && without < 0 {
			without = i
		}
	}
	return with, without
}

// checkTimes refuses times of sources and targets that do not go together.
func (r *MatrixRequest) checkTimes(c *schema.Context) {
	departure, without := timed(r.Sources)
	arrival, other := timed(r.Targets)
	name, list, at := "sources", r.Sources, departure
	if departure < 0 {
		name, list, at, without = "targets", r.Targets, arrival, other
	}
	if at < 0 {
		return
	}
	here := fmt.Sprintf("%s[%d].date_time", name, at)
	switch {
	case r.IsTransit():
		c.Refuse(here, list[at].DateTime, "is the time of one place, which the costing transit does not have: give the request a date_time")
	case r.AvoidZones:
		c.Refuse(here, list[at].DateTime, "is the time of one place and cannot stand beside avoid_zones, which looks at the hours of zones: give the request a date_time")
	case departure >= 0 && arrival >= 0:
		c.Refuse(fmt.Sprintf("targets[%d].date_time", arrival), r.Targets[arrival].DateTime, "stands beside sources[%d].date_time: a matrix has times of departure at sources or of arrival at targets", departure)
	case r.DateTime == nil && without >= 0:
		c.Refuse(fmt.Sprintf("%s[%d].date_time", name, without), nil, "is missing, and %s has one: give one to all %s, or a date_time to the request, for the others", here, name)
	case r.DateTime != nil && departure >= 0 && r.DateTime.Type > int(engine.Depart):
		c.Refuse("date_time.type", r.DateTime.Type, "must be 0 or 1, a time of departure, beside %s", here)
	case r.DateTime != nil && arrival >= 0 && r.DateTime.Type != int(engine.Arrive):
		c.Refuse("date_time.type", r.DateTime.Type, "must be 2, a time of arrival, beside %s", here)
	}
	different := map[string]bool{}
	for i := range list {
		if different[list[i].DateTime] = true; len(different) > mostTimes {
			c.Refuse(fmt.Sprintf("%s[%d].date_time", name, i), list[i].DateTime, "is the %dth different time, and a matrix may have %d", len(different), mostTimes)
			return
		}
	}
	for i := range r.Targets {
		if r.Targets[i].DateTime == current {
			c.Refuse(fmt.Sprintf("targets[%d].date_time", i), current, "must be a local date and time as YYYY-MM-DDTHH:MM: nobody arrives who sets out now")
			return
		}
	}
}

// times returns those of the sources or, of arrival, of the targets; nil where no place has one.
func (r *MatrixRequest) times() []engine.When {
	list, kind := r.Sources, engine.Depart
	if with, _ := timed(list); with < 0 {
		list, kind = r.Targets, engine.Arrive
		if with, _ = timed(list); with < 0 {
			return nil
		}
	}
	all := make([]engine.When, len(list))
	for i := range list {
		switch list[i].DateTime {
		case "":
			all[i] = r.DateTime.when
		case current: // the zero value
		default:
			all[i] = engine.When{Type: kind, Local: list[i].local}
		}
	}
	return all
}
