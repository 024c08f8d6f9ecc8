package osm

import (
	"bytes"
	"reflect"
	"slices"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

var printable = []*unicode.RangeTable{unicode.L, unicode.N, unicode.P, unicode.S, unicode.Zs}

func TestPBFRoundTrip(t *testing.T) {
	d := town()
	got, h, err := load(t, file(t, "town.osm.pbf", pbfBytes(t, d)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, d) {
		t.Errorf("got  %+v\nwant %+v", got, d)
	}
	if want := (Header{Bounds: d.bounds(), Timestamp: d.Timestamp, Generator: "waygate", Sorted: true}); h != want {
		t.Errorf("header %+v, want %+v", h, want)
	}
}

func TestPBFRoundTripOfAnyData(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := drawData(r)
		b := pbfBytes(t, d)
		got, _, err := load(t, file(t, "any.pbf", b), Options{Workers: 1})
		if err != nil {
			r.Fatal(err)
		}
		if !reflect.DeepEqual(got, d) {
			r.Fatalf("got  %+v\nwant %+v", got, d)
		}
		mixed := &Data{Timestamp: d.Timestamp, Nodes: slices.Clone(d.Nodes), Ways: slices.Clone(d.Ways), Relations: d.Relations}
		slices.Reverse(mixed.Nodes)
		slices.Reverse(mixed.Ways)
		if !bytes.Equal(pbfBytes(t, mixed), b) {
			r.Fatal("the order of the data changes the file")
		}
	})
}
