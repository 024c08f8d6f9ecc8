package report

import (
	"time"

	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
)

// mostDepartures bounds those of a stop on one day: one every 15 seconds.
const mostDepartures = 5760

// Service counts the departures from a stop on a day.
type Service struct {
	Departures int       `json:"departures" doc:"in the 24 hours from 05:00"`
	First      *string   `json:"first" doc:"RFC 3339 in the zone of the stop; null where nothing leaves"`
	Last       *string   `json:"last" doc:"may be after midnight"`
	LongestGap *int      `json:"longest_gap_min" doc:"minutes without a departure in the day; null where nothing leaves in it"`
	PerHour    Frequency `json:"per_hour" doc:"departures an hour"`
}

// Frequency is departures an hour in the periods of a day.
type Frequency struct {
	AllDay    float64  `json:"all_day" decimals:"2" doc:"07:00 to 19:00, on Sundays 09:00 to 18:00"`
	Early     *float64 `json:"early" decimals:"2" doc:"05:00 to 07:00; null at weekends, as the three that follow"`
	Morning   *float64 `json:"morning_peak" decimals:"2" doc:"07:00 to 09:30"`
	Midday    *float64 `json:"midday" decimals:"2" doc:"09:30 to 16:00"`
	Afternoon *float64 `json:"afternoon_peak" decimals:"2" doc:"16:00 to 18:30"`
	Evening   float64  `json:"evening" decimals:"2" doc:"19:00 to 23:00"`
	Night     float64  `json:"night" decimals:"2" doc:"23:00 to 05:00"`
}

// period is part of a service day, in hours after it began.
type period struct {
	from, to float64
	of       func(*Frequency) **float64
}

var (
	weekdayPeriods = []period{
		{5, 7, func(f *Frequency) **float64 { return &f.Early }},
		{7, 9.5, func(f *Frequency) **float64 { return &f.Morning }},
		{9.5, 16, func(f *Frequency) **float64 { return &f.Midday }},
		{16, 18.5, func(f *Frequency) **float64 { return &f.Afternoon }},
	}
	weekendPeriods []period
)

// service measures the departures of a stop on a service day, whose daytime is between so
// many hours after it began. A day goes from 05:00 on for 24 hours: its night is that which follows.
func (m *measuring) service(stop uint32, day gtfs.Date, zone *time.Location, periods []period, from, to float64) Service {
	begin := day.Begin(zone)
	at := func(hours float64) time.Time { return begin.Add(time.Duration(hours * float64(time.Hour))) }
	list := m.x.Departures(timetable.DepartureQuery{Stops: []uint32{stop}, Modes: m.r.Modes, From: at(5), Window: 24 * time.Hour, Limit: mostDepartures})
	s := Service{Departures: len(list)}
	if len(list) == 0 {
		for _, p := range periods {
			*p.of(&s.PerHour) = new(float64)
		}
		return s
	}
	first, last := list[0].At.In(zone).Format(time.RFC3339), list[len(list)-1].At.In(zone).Format(time.RFC3339)
	s.First, s.Last = &first, &last
	perHour := func(from, to float64) float64 {
		n := 0
		for _, d := range list {
			if !d.At.Before(at(from)) && d.At.Before(at(to)) {
				n++
			}
		}
		return float64(n) / (to - from)
	}
	s.PerHour.AllDay, s.PerHour.Evening, s.PerHour.Night = perHour(from, to), perHour(19, 23), perHour(23, 29)
	for _, p := range periods {
		v := perHour(p.from, p.to)
		*p.of(&s.PerHour) = &v
	}
	if s.PerHour.AllDay > 0 {
		gap := longestGap(list, at(from), at(to))
		s.LongestGap = &gap
	}
	return s
}

// longestGap returns the longest time without a departure between two times, in minutes.
func longestGap(list []timetable.Departure, from, to time.Time) int {
	longest, before := time.Duration(0), from
	for _, d := range list {
		if d.At.Before(from) || !d.At.Before(to) {
			continue
		}
		longest, before = max(longest, d.At.Sub(before)), d.At
	}
	return int(max(longest, to.Sub(before)).Minutes())
}
