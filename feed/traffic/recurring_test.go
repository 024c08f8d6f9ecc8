package traffic

import (
	"testing"
	"time"
)

func TestRecurring(t *testing.T) {
	published := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC) // a Monday
	night := Recurring{From: 22 * time.Hour, Until: 5 * time.Hour, Offset: time.Hour}
	night.Days[time.Friday] = true
	all := night.Windows(Window{}, published)
	if len(all) != 2 || !all[0].From.Equal(time.Date(2026, 11, 27, 21, 0, 0, 0, time.UTC)) || !all[0].Until.Equal(time.Date(2026, 11, 28, 4, 0, 0, 0, time.UTC)) {
		t.Errorf("on Friday nights: %v", all)
	}
	within := Window{From: published, Until: published.AddDate(0, 0, 1)}
	day := Recurring{From: 7 * time.Hour, Until: 20 * time.Hour}
	all = day.Windows(within, published)
	if len(all) != 2 || !all[0].From.Equal(published) || !all[1].Until.Equal(within.Until) {
		t.Errorf("within a day: %v", all)
	}
	if all = day.Windows(Window{Until: published.AddDate(0, -1, 0)}, published); all != nil {
		t.Errorf("over a month ago: %v", all)
	}
}

func TestTimeOfDay(t *testing.T) {
	for _, c := range []struct {
		text          string
		since, offset time.Duration
		told, ok      bool
	}{
		{"07:00:00+02:00", 7 * time.Hour, 2 * time.Hour, true, true},
		{"07:30:00Z", 7*time.Hour + 30*time.Minute, 0, true, true},
		{"07:30", 7*time.Hour + 30*time.Minute, 0, false, true},
		{"24:00", 0, 0, false, true},
		{"25:00", 0, 0, false, false},
		{"", 0, 0, false, false},
	} {
		since, offset, told, ok := TimeOfDay(c.text)
		if since != c.since || offset != c.offset || told != c.told || ok != c.ok {
			t.Errorf("%q: %v %v %v %v", c.text, since, offset, told, ok)
		}
	}
}
