package timetable

import (
	"context"
	"maps"
	"slices"

	"github.com/waygate/waygate/gtfs"
)

// longestService bounds the days of a service: feeds that end in 2099 are cut.
const longestService = 4000

func (r *reader) readServices(ctx context.Context) error {
	runs := map[string]map[gtfs.Date]bool{}
	columns := []string{"service_id", "start_date", "end_date", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
	err := r.Read(ctx, "calendar.txt", columns, func(row *gtfs.Row) {
		id := row.Text(0)
		first, ok := gtfs.ReadDate(row.Bytes(1))
		last, too := gtfs.ReadDate(row.Bytes(2))
		if !ok || !too || last < first {
			r.Faults.Add("calendar.txt: dates that are none, or end before they begin", id)
			return
		}
		if last-first >= longestService {
			r.Faults.Add("calendar.txt: a service of more than 4000 days, cut there", id)
			last = first + longestService - 1
		}
		days := runs[id]
		if days == nil {
			days = map[gtfs.Date]bool{}
			runs[id] = days
		}
		for d := first; d <= last; d++ {
			if string(row.Bytes(3+d.Weekday())) == "1" {
				days[d] = true
			}
		}
	})
	if err != nil {
		return err
	}
	err = r.Read(ctx, "calendar_dates.txt", []string{"service_id", "date", "exception_type"}, func(row *gtfs.Row) {
		id := row.Text(0)
		day, ok := gtfs.ReadDate(row.Bytes(1))
		if !ok {
			r.Faults.Add("calendar_dates.txt: a date that is none", id)
			return
		}
		if runs[id] == nil {
			runs[id] = map[gtfs.Date]bool{}
		}
		switch string(row.Bytes(2)) {
		case "1":
			runs[id][day] = true
		case "2":
			delete(runs[id], day)
		default:
			r.Faults.Add("calendar_dates.txt: an exception_type that is none", id)
		}
	})
	for _, id := range slices.Sorted(maps.Keys(runs)) {
		days := slices.Sorted(maps.Keys(runs[id]))
		if len(days) == 0 {
			r.services[id] = never
			continue
		}
		r.services[id] = r.AddService(days)
	}
	return err
}

// never is a service without a day.
const never = -1
