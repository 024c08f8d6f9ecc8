package world

import (
	"errors"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region"
)

// box returns a region with nothing but a place.
func box(id string, west, south, east, north float64) *Region {
	return &Region{ID: id, Name: id, Bounds: geo.Bounds{Min: geo.Point{Lon: west, Lat: south}, Max: geo.Point{Lon: east, Lat: north}}, Engine: engine.Unimplemented{}}
}

func at(lat, lon float64) geo.Point { return geo.Point{Lon: lon, Lat: lat} }

// TestAt places requests among a country, a town within it, and an island far
// away.
func TestAt(t *testing.T) {
	w, err := New(nil, box("country", 5, 45, 15, 55), box("town", 10, 50, 10.1, 50.1), box("island", -4, 60, -3, 61))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		points []geo.Point
		want   string // a region
		code   int    // where there is none
		index  int
		says   []string
	}{
		{name: "in the country", points: []geo.Point{at(46, 6)}, want: "country"},
		{name: "in the town, which lies in the country", points: []geo.Point{at(50.05, 10.05), at(50.01, 10.01)}, want: "town"},
		{name: "out of the town", points: []geo.Point{at(50.05, 10.05), at(46, 6)}, want: "country"},
		{name: "on the island", points: []geo.Point{at(60.5, -3.5)}, want: "island"},
		{name: "on its shore", points: []geo.Point{at(60.5, -3.5), at(60.999, -2.98)}, want: "island"},
		{name: "out at sea", points: []geo.Point{at(60.5, -3.5), at(60.5, -2.9)}, code: engine.CodeNoSegment, index: 1, says: []string{"location 1 (lat 60.5, lon -2.9)", "none of the regions", "country (", "town (lat 50 to 50.1, lon 10 to 10.1)", "island ("}},
		{name: "swapped", points: []geo.Point{at(-3.5, 60.5)}, code: engine.CodeNoSegment, says: []string{"are lat and lon swapped? lat 60.5, lon -3.5 lies in island"}},
		{name: "across", points: []geo.Point{at(46, 6), at(47, 6), at(60.5, -3.5)}, code: engine.CodeNoRoute, index: 2, says: []string{"location 0 lies in country and location 2 (lat 60.5, lon -3.5)", "served are country ("}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := w.At(c.points...)
			if c.want != "" {
				if err != nil || r.ID != c.want {
					t.Fatalf("%v, %v; want %s", r, err, c.want)
				}
				return
			}
			var e *fault.Error
			if !errors.As(err, &e) || e.Slug != fault.BadRequest || engine.Code(err) != c.code || e.Fields["location_index"] != c.index {
				t.Fatalf("%v, %+v", r, err)
			}
			if list, ok := e.Fields["regions"].([]served); !ok || len(list) != 3 || list[1] != (served{"town", "town", [4]float64{10, 50, 10.1, 50.1}}) {
				t.Errorf("the regions are %v", e.Fields["regions"])
			}
			for _, says := range c.says {
				if !strings.Contains(e.Detail, says) {
					t.Errorf("%q does not say %q", e.Detail, says)
				}
			}
		})
	}
}

// TestOneRegionAnswersEverything checks that with one region no request is refused for its
// place: its engine does that better.
func TestOneRegionAnswersEverything(t *testing.T) {
	w, err := New(nil, box("town", 10, 50, 10.1, 50.1))
	if err != nil {
		t.Fatal(err)
	}
	if r, err := w.At(at(-80, 170)); err != nil || r.ID != "town" {
		t.Errorf("%v, %v", r, err)
	}
	if b := w.Bounds(); b != w.Regions()[0].Bounds {
		t.Errorf("bounds %v", b)
	}
}

func TestIDsDiffer(t *testing.T) {
	if _, err := New(nil, box("town", 1, 1, 2, 2), box("town", 3, 3, 4, 4)); err == nil || !strings.Contains(err.Error(), "the id town") {
		t.Errorf("%v", err)
	}
}

// TestBeyond checks that a remote engine answers for places outside the regions
// too, and may cover more than they do.
func TestBeyond(t *testing.T) {
	near, far := box("town", 10, 50, 10.1, 50.1), box("island", -4, 60, -3, 61)
	near.files, far.files = &region.Region{}, &region.Region{}
	w, err := New(nil, near, far)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		p    geo.Point
		want string
	}{{at(50.05, 10.05), "town"}, {at(0, 0), ""}} {
		if r, err := w.At(c.p); err != nil || r.ID != c.want || r.Engine == nil || r.ID == "" && r.Landmarks == nil {
			t.Errorf("%v: %+v, %v", c.p, r, err)
		}
	}
}
