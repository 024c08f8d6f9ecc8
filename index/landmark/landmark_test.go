package landmark_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/landmark"
	"github.com/waygate/waygate/region"
)

// read writes an index to a section and reads it back.
func read(t *testing.T, x *landmark.Index) *landmark.Index {
	t.Helper()
	path := filepath.Join(t.TempDir(), "section")
	if err := x.Write(path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := region.ReadSection(landmark.SectionName, data)
	if err != nil {
		t.Fatal(err)
	}
	back, err := landmark.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// Near finds what looking at every place finds.
func TestNearAgainstLookingAtAll(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 40 {
		middle := geo.Point{Lon: r.Float64()*340 - 170, Lat: r.Float64()*160 - 80}
		spot := func() geo.Point { return geo.Destination(middle, r.Float64()*360, r.Float64()*1500) }
		var all []landmark.Place
		for i := range r.IntN(400) {
			all = append(all, landmark.Place{At: spot().Fix().Point(), Name: fmt.Sprint("Place ", i), Brand: fmt.Sprint(i % 7), Category: "amenity=pub"})
		}
		x := read(t, landmark.Build(all))
		if x.Len() != len(all) {
			t.Fatalf("%d of %d places", x.Len(), len(all))
		}
		for range 50 {
			p, metres := spot(), r.Float64()*400
			var want, got []string
			for _, q := range all {
				if geo.Distance(p, q.At) <= metres {
					want = append(want, fmt.Sprint(q))
				}
			}
			x.Near(p, metres, func(q landmark.Place, away float64) {
				got = append(got, fmt.Sprint(q))
				if away != geo.Distance(p, q.At) {
					t.Errorf("%v is %g m away, not %g", q, geo.Distance(p, q.At), away)
				}
			})
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("round %d, within %g m of %v: %v, want %v", round, metres, p, got, want)
			}
		}
	}
}

func TestTextsAreCutNotLost(t *testing.T) {
	x := read(t, landmark.Build([]landmark.Place{{Name: strings.Repeat("a", 300)}}))
	x.Near(geo.Point{}, 1, func(p landmark.Place, _ float64) {
		if len(p.Name) != 255 || p.Brand != "" {
			t.Errorf("a name of %d bytes, brand %q", len(p.Name), p.Brand)
		}
	})
}

// A damaged section is refused, not read beyond its end.
func TestDamage(t *testing.T) {
	for name, put := range map[string]func(*region.Arrays){
		"names for no place": func(a *region.Arrays) { region.Put(a, "name", []uint32{0}) },
		"a row too far":      func(a *region.Arrays) { region.Put(a, "row", []uint32{9}) },
		"no rows":            func(a *region.Arrays) { region.Put(a, "row", []uint32{}) },
	} {
		a := &region.Arrays{}
		put(a)
		region.Put(a, "at", []geo.Fixed{})
		region.Put(a, "south", []int32{})
		region.Put(a, "text", []byte{})
		for _, other := range []string{"row", "name", "brand", "category"} {
			region.Put(a, other, []uint32{})
		}
		path := filepath.Join(t.TempDir(), "section")
		if err := a.WriteFile(path); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := region.ReadSection(landmark.SectionName, data)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := landmark.Read(s); err == nil {
			t.Errorf("%s: read as if it were sound", name)
		}
	}
}
