package places

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
	"github.com/waygate/waygate/osm"
)

func TestTablesThatAreNone(t *testing.T) {
	for table, says := range map[string]string{
		"":                            "no row",
		"name,city\nx,y\n":            "names no columns of coordinates",
		"name,lat,lon\nx,north,1\n":   "no row",
		"name,lat,lon\nx,91,181\n":    "no row",
		"name,lat,lon\nx,NaN,1\n":     "no row",
		"\x1f\x8bnot packed at all\n": "gzip",
		strings.Repeat("lat,", 300):   "columns",
		"name,lat,lon\n" + strings.Repeat("x,,\n", 1100):        "is the header right",
		"name,lat,lon\n\"" + strings.Repeat("x,1,1\n", 300_000): "a line of more than 1048576 bytes",
		"name,lat,lon\n" + strings.Repeat("\n", 2<<20):          "a line of more than 1048576 bytes",
	} {
		err := readTable(t.Context(), strings.NewReader(table), &build.Builder{})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.20q: %v, want %q", table, err, says)
		}
	}
}

// FuzzTable reads tables of anything: an error, or an index that can be built.
func FuzzTable(f *testing.F) {
	for _, s := range []string{
		"name,lat,lon\nA,1,2\n", "\"AB101AA\",10,394251,806376,x\n", "osm_id;osm_type;lat;lon;name;highway\n1;way;1;1;A B;primary\n", "lat,lon,housenumber,street\n1,1,1-3;5,A\n", "\xff\xfe", "lat,lon,name\n\"1", "lat,lon,name:cy,name\n1,1,a,b\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, table []byte) {
		b := &build.Builder{}
		if err := readTable(t.Context(), bytes.NewReader(table), b); err != nil {
			return
		}
		if _, err := b.Build(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestTagsAreFoundAgain checks that the categories of every key are read back as its tag.
func TestTagsAreFoundAgain(t *testing.T) {
	var all []string
	for _, k := range keys {
		all = append(all, k.key)
	}
	if known := place.TagKeys(); !slices.Equal(all, known) {
		t.Fatalf("categories have the keys %v, and the index reads %v", all, known)
	}
	for _, k := range keys {
		value := "pub"
		if k.values != nil {
			value = k.values[0]
		}
		list, _ := categories(osm.Tags{{Key: "name", Value: "x"}, {Key: k.key, Value: value}, {Key: "cuisine", Value: "pizza"}, {Key: "building", Value: "retail"}}, false)
		sort := place.Sort{Kind: place.POI, Categories: list}
		if tags := sort.Tags(); len(tags) != 2 || tags[0] != (place.Tag{Key: k.key, Value: value}) || tags[1] != (place.Tag{Key: "building", Value: "yes"}) {
			t.Errorf("%s=%s: %v are %v", k.key, value, sort.Categories, tags)
		}
	}
	for _, tag := range []place.Tag{{Key: "aerialway", Value: "gondola"}, {Key: "waterway", Value: "river"}, {Key: "route", Value: "hiking"}} {
		list, _ := categories(osm.Tags{{Key: "name", Value: "x"}, {Key: tag.Key, Value: tag.Value}}, false)
		sort := place.Sort{Kind: place.POI, Categories: list}
		if tags := sort.Tags(); len(tags) != 1 || tags[0] != tag {
			t.Errorf("%v: %v are %v", tag, list, tags)
		}
	}
}
