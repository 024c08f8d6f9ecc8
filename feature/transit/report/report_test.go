package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/feature/transit/report"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/transit/journey"
)

// monday is the first day of the drawn timetable.
var monday = gtfs.DateOf(time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC))

// around holds the drawn town.
var around = geo.Bounds{Min: geo.Point{Lon: -1, Lat: 50}, Max: geo.Point{Lon: 1, Lat: 51}}

// town returns a line from West to East every 15 minutes from 7:00 until 18:45 on weekdays, once
// at 12:00 on Saturdays and never on Sundays; a night bus at 25:30 of weekdays; and a stop
// where nothing calls.
func town(t *testing.T) *timetable.Index {
	t.Helper()
	b := timetable.NewBuilder()
	f := b.AddFeed(timetable.Feed{Name: "town"})
	agency, err := b.AddAgency(timetable.Agency{ID: "1", Name: "Town", Zone: "Europe/London", Feed: f})
	if err != nil {
		t.Fatal(err)
	}
	var week, saturdays []gtfs.Date
	for d := monday; d < monday+28; d++ {
		switch w := d.Weekday(); {
		case w < 5:
			week = append(week, d)
		case w == 5:
			saturdays = append(saturdays, d)
		}
	}
	weekly, saturday := b.AddService(week), b.AddService(saturdays)
	west := b.AddStop(timetable.Stop{ID: "W", Name: "West", At: geo.Point{Lon: 0, Lat: 50.5}, Parent: -1})
	east := b.AddStop(timetable.Stop{ID: "E", Name: "East", At: geo.Point{Lon: 0.1, Lat: 50.5}, Parent: -1})
	b.AddStop(timetable.Stop{ID: "N", Name: "Nobody", At: geo.Point{Lon: 0.05, Lat: 50.5}, Parent: -1})
	line := b.AddLine(timetable.Line{ID: "1", ShortName: "1", Agency: agency, Mode: timetable.Bus})
	trip := func(service, minute int) {
		at := int32(minute * 60)
		b.AddTrip(timetable.Trip{ID: fmt.Sprint(service, "-", minute), Line: line, Service: service, Direction: 2, Visits: []timetable.Visit{
			{Stop: int32(west), Call: timetable.Call{Arrive: at, Depart: at}}, {Stop: int32(east), Call: timetable.Call{Arrive: at + 600, Depart: at + 600}},
		}})
	}
	for minute := 7 * 60; minute < 19*60; minute += 15 {
		trip(weekly, minute)
	}
	trip(weekly, 25*60+30)
	trip(saturday, 12*60)
	built, _ := b.Build()
	x, err := timetable.Open(regiontest.Of(t, timetable.SectionName, timetable.Version, built.Write))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func measure(t *testing.T, r *report.Request) *report.Report {
	t.Helper()
	r.Bounds, r.Most = around, 10
	if r.Modes == 0 {
		r.Modes = timetable.Road
	}
	out, err := report.Measure(t.Context(), town(t), time.Unix(int64(monday)*gtfs.Day, 0), r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The measures of a stop are those that one counts by hand.
func TestFrequencyAndSpan(t *testing.T) {
	out := measure(t, &report.Request{})
	if len(out.Stops) != 2 || out.Area.Stops != 2 || out.Area.Served != 1 {
		t.Fatalf("%d stops, %+v; want two, of which one has departures", len(out.Stops), out.Area)
	}
	west := out.Stops[0]
	if west.ID != "W" {
		west = out.Stops[1]
	}
	text, err := json.Marshal(west.Weekday)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"departures":49,"first":"2026-03-03T07:00:00Z","last":"2026-03-04T01:30:00Z","longest_gap_min":15,"per_hour":{"all_day":4,"early":0,"morning_peak":4,"midday":4,"afternoon_peak":4,"evening":0,"night":0.16666666666666666}}`
	if string(text) != want {
		t.Errorf("on the weekday %s, want %s", text, want)
	}
	if s := west.Saturday; s.Departures != 1 || *s.LongestGap != 420 || *s.First != "2026-03-07T12:00:00Z" || s.PerHour.AllDay != 1.0/12 || s.PerHour.Early != nil {
		t.Errorf("on Saturday %+v, want one departure at noon, and seven hours without", s)
	}
	if s := west.Sunday; s.Departures != 0 || s.First != nil || s.LongestGap != nil {
		t.Errorf("on Sunday %+v, want none", s)
	}
}

// A place is in the catchment of the stops near it, by how often they are served.
func TestCatchment(t *testing.T) {
	near := func(lon, weight float64) report.Point {
		return report.Point{At: geo.Point{Lon: lon, Lat: 50.502}, Weight: weight}
	}
	out := measure(t, &report.Request{Sets: []report.Set{{Name: "people", Points: []report.Point{
		near(0, 10), near(0.1, 20), near(0.05, 40), near(5, 80), // at West, at East where buses only end, where nothing calls, outside the area
	}}}})
	got := out.Area.Catchments[0]
	if want := (report.Catchment{Of: "people", Total: 70, Any: 10, Hourly: 10, Half: 10, Often: 10}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Every way of writing a report has each stop and each measure.
func TestTables(t *testing.T) {
	out := measure(t, &report.Request{Sets: []report.Set{{Name: "people", Points: []report.Point{{At: geo.Point{Lat: 50.5}, Weight: 3}}}}})
	var text bytes.Buffer
	if err := out.CSV(&text); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&text).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d rows, %v; want a header and two stops", len(rows), err)
	}
	features := out.GeoJSON()
	for i, f := range features.Features {
		for n, name := range rows[0] {
			if name == "lat" || name == "lon" {
				continue
			}
			v, there := f.Properties[name]
			if got := rows[i+1][n]; !there || (v == nil) != (got == "" && name != "lines") || v != nil && fmt.Sprint(v) != got {
				t.Errorf("stop %s: %s is %v as GeoJSON and %q as CSV", f.Properties["id"], name, v, got)
			}
		}
	}
}

func TestTablesRunNothing(t *testing.T) {
	for text, want := range map[string]string{
		"=1+1": "'=1+1", "-2+3": "'-2+3", "@SUM(A1)": "'@SUM(A1)", "\t+1": "\t'+1", "Quay;=1": "Quay;'=1", "'=1": "''=1",
		"High Street (E-bound)": "High Street (E-bound)", "opp. 5": "opp. 5", "": "",
	} {
		var out bytes.Buffer
		if err := (&report.Report{Stops: []report.Stop{{Name: text, Lon: -7.25}}}).CSV(&out); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&out).ReadAll()
		if err != nil || len(rows) != 2 {
			t.Fatalf("%q: %d rows, %v", text, len(rows), err)
		}
		if got := rows[1]; got[1] != want || got[5] != "-7.25" {
			t.Errorf("%q is written as %q, want %q; the longitude as %q", text, got[1], want, got[5])
		}
	}
}

// What a report cannot be made of is refused by name.
func TestRefused(t *testing.T) {
	x := town(t)
	now := time.Unix(int64(monday)*gtfs.Day, 0)
	for want, r := range map[string]*report.Request{
		"is not in the timetable":        {Bounds: around, Most: 10, Modes: timetable.Road, Day: monday - 1},
		"must be a day from Monday":      {Bounds: around, Most: 10, Modes: timetable.Road, Day: monday + 5},
		"has 2 stops and may have 1":     {Bounds: around, Most: 1, Modes: timetable.Road},
		"more than the 50000 places":     {Bounds: around, Most: 10, Modes: timetable.Road, Sets: []report.Set{{Name: "x", Points: make([]report.Point, 25_001)}, {Name: "y", Points: make([]report.Point, 25_000)}}},
		"has no stop":                    {Bounds: around, Most: 10, Modes: timetable.Ferry.Set()},
		"where vehicles of these modes ": {Bounds: geo.Bounds{Min: geo.Point{Lon: 20, Lat: 20}, Max: geo.Point{Lon: 21, Lat: 21}}, Most: 10, Modes: timetable.Road},
	} {
		if _, err := report.Measure(t.Context(), x, now, r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}

// From West a bus leaves every quarter of an hour and takes ten minutes; a place 500 m
// beyond East is as far as the wait, the ride and the walk, and one at West is there at once.
func TestReach(t *testing.T) {
	x := town(t)
	beyond := geo.Destination(geo.Point{Lon: 0.1, Lat: 50.5}, 90, 500)
	out, err := report.Measure(t.Context(), x, time.Unix(int64(monday)*gtfs.Day, 0), &report.Request{
		Bounds: around, Most: 10, Modes: timetable.Road,
		Reach: report.ReachIn(journey.NewNetwork(x, func(uint32) []journey.Walk { return nil }), timetable.Road),
		Sets: []report.Set{
			{Name: "school", Points: []report.Point{{At: beyond, Weight: 1}}},
			{Name: "shop", Points: []report.Point{{At: geo.Point{Lon: 0, Lat: 50.5}, Weight: 1}, {At: beyond, Weight: 1}}},
			{Name: "moon", Points: []report.Point{{At: geo.Point{Lon: 0.5, Lat: 50.5}, Weight: 1}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	west := out.Stops[slices.IndexFunc(out.Stops, func(s report.Stop) bool { return s.ID == "W" })].Reached
	walk := 500 * 1.3 / 80.0 // minutes, at 80 m a minute
	// At 7:00, 7:20, 7:40 and so on the next bus leaves after 0, 10, 5, 0, 10 and 5 minutes.
	if n := west["school"].Nearest; n == nil || math.Abs(*n-(15+walk)) > 0.02 {
		t.Errorf("the school is %v minutes away, want %g", n, 15+walk)
	}
	if w := west["school"].Within; w.M30 != 1 || w.M60 != 1 {
		t.Errorf("within reach %+v, want the school within 30 minutes", w)
	}
	if w := west["shop"]; *w.Nearest != 0 || math.Abs(w.Within.M30-2) > 1e-9 {
		t.Errorf("%+v, want a shop at the stop, and two within 30 minutes", w)
	}
	if w := west["moon"]; w.Nearest != nil || w.Within.M60 != 0 {
		t.Errorf("%+v, want nothing of what no bus goes to", w)
	}
	east := out.Stops[slices.IndexFunc(out.Stops, func(s report.Stop) bool { return s.ID == "E" })].Reached
	if n := east["school"].Nearest; n == nil || math.Abs(*n-walk) > 0.02 {
		t.Errorf("from East the school is %v minutes away, want the walk of %g", n, walk)
	}
}
