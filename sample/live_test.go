package sample_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/sample"
)

// What the county tells follows from the time, and moves with it.
func TestLive(t *testing.T) {
	l := sample.Generate().Live()
	noon := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	for name, write := range map[string]func(io.Writer, time.Time) error{"prices": l.Prices, "chargers": l.Chargers, "weather": l.Weather, "traffic": l.Traffic, "incidents": l.Incidents} {
		text := func(at time.Time) string {
			var b bytes.Buffer
			if err := write(&b, at); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		if first := text(noon); first != text(noon) {
			t.Errorf("%s differ from themselves", name)
		}
		if text(noon) == text(noon.Add(7*time.Hour)) {
			t.Errorf("%s stand still", name)
		}
		if n := strings.Count(text(noon), "\n") + strings.Count(text(noon), `{"`); n < 4 {
			t.Errorf("%s: %d lines", name, n)
		}
	}
}

// onRoad is what the county says of a way.
type onRoad struct {
	Way    int64
	Closed bool
	From   time.Time
	Until  time.Time
	Kmh    float64 `json:"speed_kph"`
}

// told reads what the county says of its roads at a moment.
func told(t *testing.T, write func(io.Writer, time.Time) error, at time.Time) (list []onRoad) {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, at); err != nil {
		t.Fatal(err)
	}
	d := struct {
		Taken   time.Time
		Records any
	}{Records: &list}
	if err := json.Unmarshal(b.Bytes(), &d); err != nil || !d.Taken.Equal(at) {
		t.Fatalf("made at %v, not %v: %v", d.Taken, at, err)
	}
	return list
}

// Traffic is on real ways, slow in the rush hour and not at night; the closure
// comes and goes, and something has always happened.
func TestLiveRoads(t *testing.T) {
	s := sample.Generate()
	l := s.Live()
	ways := map[int64]bool{}
	for i := range s.Data.Ways {
		w := &s.Data.Ways[i]
		ways[w.ID] = w.Tags.Get("highway") != ""
	}
	mean := func(at time.Time) float64 {
		sum, list := 0.0, told(t, l.Traffic, at)
		for _, r := range list {
			if !ways[r.Way] || r.Kmh < 5 || r.Kmh > 115 {
				t.Fatalf("traffic %+v", r)
			}
			sum += r.Kmh
		}
		return sum / float64(len(list))
	}
	monday := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	if night, rush := mean(monday.Add(3*time.Hour)), mean(monday.Add(8*time.Hour)); rush > 0.9*night {
		t.Errorf("%.1f km/h at eight in the morning, %.1f at three", rush, night)
	}
	closed, minutes := map[int64]int{}, 0
	for ; minutes < 120; minutes++ {
		at := monday.Add(time.Duration(minutes) * time.Minute)
		list := told(t, l.Incidents, at)
		if len(list) == 0 {
			t.Fatalf("nothing has happened at %s", at)
		}
		for _, r := range list {
			if !ways[r.Way] || at.Before(r.From) || !at.Before(r.Until) {
				t.Errorf("at %s: %+v", at, r)
			}
			if r.Closed {
				closed[r.Way]++
			}
		}
	}
	if len(closed) != 1 {
		t.Fatalf("closed are %v", closed)
	}
	for way, n := range closed {
		if n < minutes/4 || n > minutes/2 {
			t.Errorf("way %d is closed in %d of %d minutes", way, n, minutes)
		}
	}
}
