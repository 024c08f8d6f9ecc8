package hours_test

import (
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/hours/holiday"
)

// TestStretches asks minute by minute, through the days on which clocks change and
// through holidays.
func TestStretches(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := geo.Point{Lon: 13.4, Lat: 52.52}
	for _, text := range []string{
		"Mo-Fr 08:00-18:00; Sa 09:00-14:00; PH off", "Mo-Su 18:00-03:00", "24/7", "off", "sunrise-sunset; PH 10:00-(sunset+01:30)", "(dawn-00:20)-dusk", "Su 20:00+; SH off", "Sa 22:00-26:00 || \"on request\"",
		"easter -2 days off, Mo-Su 10:00-12:00", "easter-May 1 08:00-09:00", "Mo[1],Su[-1] 02:15-02:45", "week 13 Su 01:30-04:00",
	} {
		s, err := hours.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []*hours.Place{{}, {At: &at, Holiday: holiday.In("de", "Berlin")}} {
			for _, begin := range []time.Time{time.Date(2026, 3, 28, 9, 30, 0, 0, time.UTC), time.Date(2026, 10, 24, 22, 0, 0, 0, time.UTC), time.Date(2026, 4, 2, 0, 0, 0, 0, time.UTC)} {
				end := begin.AddDate(0, 0, 3)
				list := s.Stretches(begin, end, zone, p)
				if !list[0].From.Equal(begin) || !list[len(list)-1].To.Equal(end) {
					t.Errorf("%q: %v", text, list)
				}
				i := 0
				for now := begin; now.Before(end); now = now.Add(time.Minute) {
					for !now.Before(list[i].To) {
						if i++; !list[i].From.Equal(list[i-1].To) || list[i].State == list[i-1].State {
							t.Fatalf("%q: %v after %v", text, list[i], list[i-1])
						}
					}
					if want := s.In(now.In(zone), p); list[i].State != want {
						t.Fatalf("%q at %s is %d, and %d in %v", text, now.In(zone), want, list[i].State, list[i])
					}
				}
			}
		}
	}
}

// A value that depends on a possible holiday is unknown, and no other is.
func TestPerhaps(t *testing.T) {
	s, err := hours.Parse("Mo-Fr 08:00-18:00; PH 10:00-12:00; SH 09:00-20:00")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at    string
		known bool
		want  hours.State
	}{
		{"2026-06-10T11:00", false, hours.Open},
		{"2026-06-10T13:00", false, hours.Unknown},
		{"2026-06-10T07:00", false, hours.Closed},
		{"2026-06-10T13:00", true, hours.Open},
		{"2026-06-10T08:30", true, hours.Unknown},
		{"2026-06-10T19:00", true, hours.Unknown},
		{"2026-06-10T21:00", true, hours.Closed},
	} {
		at, err := time.Parse("2006-01-02T15:04", c.at)
		if err != nil {
			t.Fatal(err)
		}
		p := &hours.Place{}
		if c.known {
			p.Holiday = holiday.In("GB", "")
		}
		if got := s.In(at, p); got != c.want {
			t.Errorf("%s, known %v: %d, want %d", c.at, c.known, got, c.want)
		}
	}
}
