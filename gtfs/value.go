package gtfs

import (
	"strconv"
	"time"
)

// Seconds of a day, and the latest time that is taken: two weeks after a service day began.
const (
	Day        = 24 * 60 * 60
	LatestTime = 14 * Day
)

// Time reads a time of a service day such as "8:05:00" or "25:10:00", in seconds after
// noon minus twelve hours; false where it is none, as where it has 61 minutes.
func Time(text []byte) (seconds int, ok bool) {
	parts, n, digits := [3]int{}, 0, 0
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9' && digits < 4:
			parts[n] = parts[n]*10 + int(c-'0')
			digits++
		case c == ':' && digits > 0 && n < 2:
			n++
			digits = 0
		default:
			return 0, false
		}
	}
	if n != 2 || digits == 0 || parts[1] > 59 || parts[2] > 59 {
		return 0, false
	}
	seconds = parts[0]*3600 + parts[1]*60 + parts[2]
	return seconds, seconds <= LatestTime
}

// Date is a day of the calendar as the number of days since 1 January 1970.
type Date int32

// ReadDate reads a date such as "20260131"; false where there is no such day.
func ReadDate(text []byte) (Date, bool) {
	if len(text) != 8 {
		return 0, false
	}
	t, err := time.Parse("20060102", string(text))
	if err != nil {
		return 0, false
	}
	return Date(t.Unix() / Day), true
}

// DateOf returns the day of a time in its own zone.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / Day)
}

// Begin returns the time from which the times of a service day count in a zone: noon minus
// twelve hours, which is not midnight where clocks change on that day.
func (d Date) Begin(zone *time.Location) time.Time {
	y, m, day := time.Unix(int64(d)*Day, 0).UTC().Date()
	return time.Date(y, m, day, 12, 0, 0, 0, zone).Add(-12 * time.Hour)
}

// Weekday is 0 on a Monday and 6 on a Sunday.
func (d Date) Weekday() int { return (int(d)%7 + 10) % 7 }

// String writes the date as 2026-01-31.
func (d Date) String() string { return time.Unix(int64(d)*Day, 0).UTC().Format(time.DateOnly) }

// ParseDate reads what String writes; false where there is no such day.
func ParseDate(text string) (Date, bool) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return 0, false
	}
	return DateOf(t), true
}

// Digits writes the date as 20260131.
func (d Date) Digits() string { return time.Unix(int64(d)*Day, 0).UTC().Format("20060102") }

// Degrees reads a coordinate of -most to most.
func Degrees(text []byte, most float64) (float64, bool) {
	v, err := strconv.ParseFloat(string(text), 64)
	return v, err == nil && v >= -most && v <= most
}
