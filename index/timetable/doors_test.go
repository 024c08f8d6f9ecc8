package timetable

import (
	"fmt"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

// Sections of imports before there were step-free ways are read: their entrances are known, and no
// way to them as step-free.
func TestDoorsOfEarlierSections(t *testing.T) {
	b := NewBuilder()
	var stops []int
	for i, kind := range []uint8{KindStation, KindStop, KindEntrance, KindEntrance} {
		stops = append(stops, b.AddStop(Stop{ID: fmt.Sprint(i), At: geo.Point{Lon: 9.5, Lat: 47.5 + float64(i)/1000}, Parent: -1, Kind: kind}))
	}
	b.AddWalk(stops[1], stops[2], 60, 70)
	b.AddWalk(stops[2], stops[1], 50, 70)
	b.AddWalk(stops[3], stops[1], 90, 70)
	b.AddStepFree(stops[2], stops[1], 80)
	made, _ := b.Build()
	for _, earlier := range []bool{false, true} {
		x, err := Read(sectionOf(t, made, earlier))
		if err != nil {
			t.Fatal(err)
		}
		platform, _ := x.Find("1")
		station, _ := x.Find("0")
		got := ""
		for _, ask := range [][2]bool{{true, false}, {false, false}, {true, true}, {false, true}} {
			for _, w := range x.Doors(platform, ask[0], ask[1]) {
				got += fmt.Sprint(x.Stop(w.To).ID, " ", w.Seconds, ", ")
			}
			got += "; "
		}
		want := "2 50, 3 90, ; 2 60, ; 2 80, ; ; "
		if earlier {
			want = "2 50, 3 90, ; 2 60, ; ; ; "
		}
		if got != want {
			t.Errorf("earlier %v: %s, want %s", earlier, got, want)
		}
		if own := x.Doors(station, true, true); len(own) != 1 || own[0].To != station || own[0].Seconds != 0 {
			t.Errorf("a station without ways: %v", own)
		}
	}
}

// sectionOf writes an index, without what earlier ones lack.
func sectionOf(t *testing.T, x *Index, earlier bool) *region.Section {
	t.Helper()
	a := &region.Arrays{}
	for _, c := range columns(x) {
		if !earlier || c.name != "step_free" {
			c.put(a)
		}
	}
	s, err := region.ReadSection(SectionName, regiontest.Written(t, a.WriteFile))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
