package places_test

import (
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/places"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/soaktest"
)

// crossingsOf reads where two streets of different names meet in an extract, by their names.
func crossingsOf(t *testing.T, path string) map[[2]string][]geo.Point {
	t.Helper()
	at := map[int64]geo.Point{}
	streets := map[int64][]string{} // by node
	if _, err := osm.Scan(t.Context(), path, osm.Options{SkipRelations: true}, func(b *osm.Block) error {
		for i := range b.Nodes {
			at[b.Nodes[i].ID] = geo.Fixed{Lon: b.Nodes[i].Lon, Lat: b.Nodes[i].Lat}.Point()
		}
		for i := range b.Ways {
			w := &b.Ways[i]
			name := w.Tags.Get("name")
			if name == "" || !w.Tags.Has("highway") {
				continue
			}
			name = string([]byte(name)) // the block's memory is used again
			for _, n := range w.Nodes {
				if !slices.Contains(streets[n], name) {
					streets[n] = append(streets[n], name)
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	all := map[[2]string][]geo.Point{}
	for n, names := range streets {
		slices.Sort(names)
		for i, a := range names {
			for _, b := range names[i+1:] {
				all[[2]string{a, b}] = append(all[[2]string{a, b}], at[n])
			}
		}
	}
	return all
}

// TestRealCrossings asks for crossings of real streets: the first hit is one of the places
// where two streets of these names meet.
func TestRealCrossings(t *testing.T) {
	for _, extract := range []string{"osm/newport-wales-20230613.osm.pbf", "osm/andorra-20211028.osm.pbf", "osm/dreieich-20221016.osm.gz", "osm/malta-20180827.osm.pbf"} {
		t.Run(filepath.Base(extract), func(t *testing.T) {
			file := realdata.File(t, extract)
			x := ofReal(t, places.Options{Sources: []string{file}})
			all := crossingsOf(t, file)
			pairs := slices.SortedFunc(maps.Keys(all), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
			r := rand.New(rand.NewPCG(5, 8))
			r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
			n := soaktest.Cases(60, 150)
			good := 0
			for _, pair := range pairs[:min(n, len(pairs))] {
				text := pair[0] + []string{" & ", " / ", " and "}[r.IntN(3)] + pair[1]
				hits, err := x.Search(t.Context(), &place.Query{Text: text, Limit: 1})
				if err != nil {
					t.Fatal(err)
				}
				near := len(hits) > 0 && slices.ContainsFunc(all[pair], func(p geo.Point) bool { return geo.Distance(hits[0].At, p) <= 50 })
				if near {
					good++
				} else if testing.Verbose() && len(hits) > 0 {
					t.Logf("%q finds %s %q", text, hits[0].Kind, hits[0].Name)
				}
			}
			atLeast(t, "crossings", float64(good)/float64(min(n, len(pairs))), 0.95)
		})
	}
}
