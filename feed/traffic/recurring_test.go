package traffic

import (
	"testing"
	"time"
)

func TestRecurring(t *testing.T) {
	published := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC) // a Monday
	night := Recurring{From: 22 * time.Hour, Until: 5 * time.Hour, Zone: time.FixedZone("", 3600)}
	night.Days[time.Friday] = true
	all := night.Windows(Window{}, published)
	if len(all) != 2 || !all[0].From.Equal(time.Date(2026, 11, 27, 21, 0, 0, 0, time.UTC)) || !all[0].Until.Equal(time.Date(2026, 11, 28, 4, 0, 0, 0, time.UTC)) {
		t.Errorf("on Friday nights: %v", all)
	}
	within := Window{From: published, Until: published.AddDate(0, 0, 1)}
	day := Recurring{From: 7 * time.Hour, Until: 20 * time.Hour, Zone: time.UTC}
	all = day.Windows(within, published)
	if len(all) != 2 || !all[0].From.Equal(published) || !all[1].Until.Equal(within.Until) {
		t.Errorf("within a day: %v", all)
	}
	if all = day.Windows(Window{Until: published.AddDate(0, -1, 0)}, published); all != nil {
		t.Errorf("over a month ago: %v", all)
	}
}

// TestRecurringAcrossAChangeOfClocks has hours stay those of the clock, and a night
// be an hour longer or shorter.
func TestRecurringAcrossAChangeOfClocks(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		published time.Time
		lengths   map[int]time.Duration // by the day of the month on which a night begins
	}{
		{time.Date(2026, 10, 23, 12, 0, 0, 0, time.UTC), map[int]time.Duration{24: 8 * time.Hour, 25: 7 * time.Hour}},
		{time.Date(2026, 3, 27, 12, 0, 0, 0, time.UTC), map[int]time.Duration{28: 6 * time.Hour, 29: 7 * time.Hour}},
	} {
		night := Recurring{From: 22 * time.Hour, Until: 5 * time.Hour, Zone: berlin}
		all := night.Windows(Window{}, c.published)
		if len(all) != recurringDays+1 {
			t.Errorf("%v: %d nights", c.published, len(all))
		}
		for _, w := range all {
			from, until := w.From.In(berlin), w.Until.In(berlin)
			if from.Hour() != 22 || until.Hour() != 5 {
				t.Errorf("from %v until %v", from, until)
			}
			if want := c.lengths[from.Day()]; want != 0 && until.Sub(from) != want {
				t.Errorf("the night of %v has %v, not %v", from, until.Sub(from), want)
			}
		}
	}
}

func TestTimeOfDay(t *testing.T) {
	for _, c := range []struct {
		text          string
		since, offset time.Duration
		hasOffset, ok bool
	}{
		{"07:00:00+02:00", 7 * time.Hour, 2 * time.Hour, true, true},
		{"07:30:00Z", 7*time.Hour + 30*time.Minute, 0, true, true},
		{"07:30", 7*time.Hour + 30*time.Minute, 0, false, true},
		{"24:00", 0, 0, false, true},
		{"25:00", 0, 0, false, false},
		{"", 0, 0, false, false},
	} {
		since, offset, hasOffset, ok := TimeOfDay(c.text)
		if since != c.since || offset != c.offset || hasOffset != c.hasOffset || ok != c.ok {
			t.Errorf("%q: %v %v %v %v", c.text, since, offset, hasOffset, ok)
		}
	}
}
