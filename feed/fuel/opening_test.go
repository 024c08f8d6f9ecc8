package fuel

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/realdata"
)

// week writes opening_times with the same hours from Monday to Friday.
func week(usual, saturday, sunday string) json.RawMessage {
	text := `{"usual_days":{`
	for _, d := range weekdays[:5] {
		text += `"` + d[0] + `":` + usual + `,`
	}
	return json.RawMessage(text + `"saturday":` + saturday + `,"sunday":` + sunday + `}}`)
}

func TestOpening(t *testing.T) {
	const always, long = `{"is_24_hours":true}`, `{"open":"06:00","close":"23:00"}`
	for want, raw := range map[string]json.RawMessage{
		"24/7": week(always, always, always),
		"Mo-Fr 00:00-24:00; Sa 06:00-23:00; Su 08:00-24:00": week(always, long, `{"open_time":"08:00:00","close_time":"23:59:00","is_24_hours":false}`),
		"Mo-Sa 06:00-23:00; Su 22:00-04:00":                 week(long, long, `{"open":"22:00","close":"04:00"}`),
	} {
		if got := opening(raw); got != want {
			t.Errorf("%s is %q, want %q", raw, got, want)
		}
	}
	for name, raw := range map[string]json.RawMessage{
		"nothing":              nil,
		"no object":            json.RawMessage(`[1]`),
		"one day is not known": week(always, always, `null`),
		"no time":              week(long, long, `{"open":"morning","close":"23:00"}`),
		"midnight to midnight": week(long, long, `{"open":"00:00","close":"00:00","is_24_hours":false}`),
	} {
		if got := opening(raw); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestAmenities(t *testing.T) {
	if got := strings.Join(amenities(json.RawMessage(`["water_filling","customer_toilets","","water_filling"]`)), " "); got != "customer_toilets water_filling" {
		t.Errorf("%q", got)
	}
	if got := amenities(json.RawMessage(`{"customer_toilets":true}`)); got != nil {
		t.Errorf("%q", got)
	}
}

// TestOwnOpening checks that our own forms have hours and amenities.
func TestOwnOpening(t *testing.T) {
	for name, text := range map[string]string{
		"a.csv":  "id,lat,lon,e10,opening_hours,amenities\na,51.5,-1.5,139.9,Mo-Su 06:00-22:00,toilets; shop\n",
		"a.json": `{"stations":[{"id":"a","lat":51.5,"lon":-1.5,"prices":{"e10":139.9},"opening_hours":"Mo-Su 06:00-22:00","amenities":["shop","toilets"]}]}`,
	} {
		f, err := polled(t, feed.Source{URL: file(t, name, text), Country: "GB"})
		if err != nil {
			t.Fatal(err)
		}
		if s := f.Latest().Value; len(s) != 1 || s[0].Hours != "Mo-Su 06:00-22:00" || strings.Join(s[0].Amenities, " ") != "shop toilets" {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if got := written(strings.Repeat("x", 300)); got != "" {
		t.Errorf("hours of 300 bytes: %s", got)
	}
}

// TestOpeningOfRealForecourts checks that hours are taken in as OSM's are read.
func TestOpeningOfRealForecourts(t *testing.T) {
	f, err := polled(t, feed.Source{URL: realdata.File(t, "feeds/fuel-uk/UpdatedFuelPrice-20260202.csv")})
	if err != nil {
		t.Fatal(err)
	}
	always, known, toilets := 0, 0, 0
	for _, s := range f.Latest().Value {
		if s.Hours == "24/7" {
			always++
		}
		if s.Hours != "" {
			known++
			if _, err := hours.Parse(s.Hours); err != nil {
				t.Errorf("%s: %v", s.Hours, err)
			}
		}
		if strings.Contains(strings.Join(s.Amenities, " "), "customer_toilets") {
			toilets++
		}
	}
	if always < 300 || known < 500 || toilets < 100 {
		t.Errorf("%d are always open, of %d the hours are known, %d have toilets", always, known, toilets)
	}
}
