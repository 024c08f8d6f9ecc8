package conditional

import (
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// parseTime reads "Tu 07:30" (of the week of 1 September 2026), "2026-12-24 10:00".
func parseTime(t *testing.T, s string) time.Time {
	t.Helper()
	if at, err := time.Parse("2006-01-02 15:04", s); err == nil {
		return at
	}
	day, clock, _ := strings.Cut(s, " ")
	at, err := time.Parse("15:04", clock)
	if err != nil {
		t.Fatal(err)
	}
	// 30 August 2026 is a Sunday.
	return time.Date(2026, 8, 30+strings.Index("SuMoTuWeThFrSa", day)/2, at.Hour(), at.Minute(), 0, 0, time.UTC)
}

func TestClauses(t *testing.T) {
	lorry := &Vehicle{Mode: graph.Truck, Range: func(property string) (float64, float64) {
		if property == "weight" {
			return 12, 12
		}
		return AnyRange(property)
	}}
	for _, c := range []struct{ tag, at, want string }{
		{"no @ (Mo-Fr 07:00-09:00)", "Mo 08:00", "no 1"},
		{"no @ (Mo-Fr 07:00-09:00)", "Sa 08:00", "no 0"},
		{"yes@(Apr 1-Oct 25)", "2026-05-01 12:00", "yes 1"},
		{"no @(Mo-Fr 07:30-09:30; PH off)", "Mo 08:00", "no 1"},
		{"destination @ (06:30-08:30);destination @ (16:30-18:30)", "Mo 17:00", "destination 0,destination 1"},
		{"no @ 22:00-24:00; no @ 00:00-06:00", "Mo 23:00", "no 1,no 0"},
		{"designated @ Mo-Su 21:00-9:00", "Mo 22:00", "designated 1"},
		{"no @ (7:30-19:00 AND weight>7.5)", "Mo 08:00", "no 1"},
		{"no @ (7:30-19:00 AND weight>7.5)", "Mo 20:00", "no 0"},
		{"no @ (7:30-19:00 and weight > 18 t)", "Mo 08:00", "no 0"},
		{"no @ (maxweight > 3.5)", "Mo 08:00", "no 1"},
		{"no @ (length > 12)", "Mo 08:00", "no 2"},
		{"no @ (weight>3500kg)", "Mo 08:00", "no 1"},
		{"yes @ (delivery AND 05:00-11:00)", "Mo 06:00", "yes 1"},
		{"no @ ((07:30-19:00) AND (weight>7.5))", "Mo 08:00", "no 1"},
		{"no @ (07:30-19:00) AND (weight>18)", "Mo 08:00", "no 0"},
		{"no @ (weight>12.1)", "Mo 08:00", "no 0"},
		{"no @ (weight>=12)", "Mo 08:00", "no 1"},
		{"no @ (weight>13 st)", "Mo 08:00", "no 1"},
		{"no @ (weight>14 st)", "Mo 08:00", "no 0"},
		{"no @ (weight>7,5)", "Mo 08:00", "no 1"},
		{"no @ (weightrating:hgv>7.5 t)", "Mo 08:00", "no 2"},
		{"no @ (weight:hgv>7.5 t)", "Mo 08:00", "no 1"},
		{"no @ (weight:bus>7.5 t)", "Mo 08:00", "no 0"},
		{"no @ hgv; no @ bus; no @ (hazmat)", "Mo 08:00", "no 1,no 0,no 0"},
		{"no @ (emissions < euro_6)", "Mo 08:00", "no 2"},
		{"yes @ (delivery AND 05:00-11:00)", "Mo 12:00", "yes 0"},
		{"yes @ destination", "Mo 06:00", "yes 1"},
		{"none @ (agricultural);none @ (forestry)", "Mo 06:00", "none 2,none 2"},
		{"no @ (Mo-Sa 00:00-10:00,12:30-24:00; Su 00:00-24:00; PH 00:00-24:00); yes @ disabled @; yes @ emergency", "Su 11:00", "no 1,yes 2,yes 0"},
		{"no @ (Mo-Fr 17:00,19:00)", "Mo 18:00", "no 2"},
		{"no @ (sunset-sunrise)", "Mo 02:00", "no 2"},
		{"delivery", "Mo 02:00", ""},
		{"", "Mo 02:00", ""},
		{"no@", "Mo 02:00", "no 2"},
	} {
		var got []string
		for _, x := range Clauses(c.tag) {
			got = append(got, x.Value+" "+string('0'+rune(x.If.At(&LocalTime{Local: parseTime(t, c.at)}, lorry))))
		}
		if strings.Join(got, ",") != c.want {
			t.Errorf("%s at %s: %v, want %s", c.tag, c.at, got, c.want)
		}
	}
}

// FuzzClauses takes any text.
func FuzzClauses(f *testing.F) {
	f.Add("no @ (Mo-Fr 07:00-09:30; PH off); yes @ weight<7.5")
	f.Add("no@(;x@")
	here := NearTo('G'<<8|'B', geo.Point{Lon: -3, Lat: 51}).Place()
	f.Fuzz(func(t *testing.T, text string) {
		for _, x := range Clauses(text) {
			x.If.At(&LocalTime{Local: time.Unix(1788253200, 0).UTC(), Place: here}, &Vehicle{Range: AnyRange})
		}
		if l := law(false, "hgv:conditional", text, "oneway:conditional", text, "maxweight:conditional", text, "maxspeed:conditional", text); l != nil {
			usual := graph.SpeedLimits{All: 50}
			if most := l.Fastest(usual, graph.Truck); l.LimitsAt(usual, nil, &Vehicle{Mode: graph.Truck, Range: AnyRange}).All > most.All {
				t.Errorf("%q: the limits are never more than %v", text, most)
			}
			v := &Vehicle{Mode: graph.Truck, Range: AnyRange}
			l.Of(true, nil, v, Feared)
			l.Doubts(nil, v, func(string, bool) {})
			l.MinutesOn(nil, LocalTime{Local: time.Unix(1788253200, 0).UTC(), Place: here})
		}
	})
}
