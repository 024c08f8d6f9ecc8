package places_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/multipolygon"
	"github.com/waygate/waygate/importer/places"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
)

// building is the outline of a building that has an address.
type building struct {
	truth
	ring []orb.Point
}

// buildingsOf reads the buildings of an extract that have an address.
func buildingsOf(t *testing.T, path string) (list []building) {
	t.Helper()
	at := map[int64]orb.Point{}
	if _, err := osm.Scan(t.Context(), path, osm.Options{SkipRelations: true}, func(b *osm.Block) error {
		for i := range b.Nodes {
			p := geo.Fixed{Lon: b.Nodes[i].Lon, Lat: b.Nodes[i].Lat}.Point()
			at[b.Nodes[i].ID] = orb.Point{p.Lon, p.Lat}
		}
		for i := range b.Ways {
			w := &b.Ways[i]
			one := building{truth: truth{house: w.Tags.Get("addr:housenumber"), street: w.Tags.Get("addr:street")}}
			if one.house == "" || one.street == "" || strings.ContainsAny(one.house, ";,") || !w.Tags.Has("building") || w.Nodes[0] != w.Nodes[len(w.Nodes)-1] {
				continue
			}
			one.house, one.street = strings.Clone(one.house), strings.Clone(one.street)
			for _, n := range w.Nodes {
				if p, ok := at[n]; ok {
					one.ring = append(one.ring, p)
				}
			}
			if len(one.ring) == len(w.Nodes) {
				list = append(list, one)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestReverseInsideABuilding asks what is at places in buildings, anywhere in them: the building.
func TestReverseInsideABuilding(t *testing.T) {
	for _, extract := range []string{"osm/liechtenstein-20221215.osm.pbf", "osm/newport-wales-20230613.osm.pbf", "osm/dreieich-20221016.osm.gz", "osm/london-westminster-20200720.osm.pbf", "osm/dusseldorf-universitaetstunnel-20210812.osm.pbf"} {
		t.Run(filepath.Base(extract), func(t *testing.T) {
			file := realdata.File(t, extract)
			x := ofReal(t, places.Options{Sources: []string{file}})
			list := buildingsOf(t, file)
			r := rand.New(rand.NewPCG(11, 12))
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			for _, kinds := range []place.Kinds{0, place.Of(place.Address)} {
				good, all := 0, 0
				for _, b := range list[:min(600, len(list))] {
					bound := orb.Ring(b.ring).Bound()
					p := orb.Point{bound.Min[0] + r.Float64()*(bound.Max[0]-bound.Min[0]), bound.Min[1] + r.Float64()*(bound.Max[1]-bound.Min[1])}
					if !multipolygon.InRing(b.ring, p) {
						continue
					}
					all++
					near, err := x.Reverse(t.Context(), geo.Point{Lon: p[0], Lat: p[1]}, kinds, 3, 250, "")
					if err != nil {
						t.Fatal(err)
					}
					// Other places in the building may come first.
					for _, n := range near {
						if n.Kind == place.Address {
							if n.House == b.house && plain(n.Street) == plain(b.street) {
								good++
							} else if testing.Verbose() && all-good < 12 {
								t.Logf("%s %s: %s %s at %.1f m, %.2f: %v", b.house, b.street, n.House, n.Street, n.Metres, n.Order, p)
								for _, o := range near {
									t.Logf("      %s %.1f %.2f, middle at %.1f m", o.Name, o.Metres, o.Order, geo.Distance(o.At, geo.Point{Lon: p[0], Lat: p[1]}))
								}
							}
							break
						}
					}
				}
				atLeast(t, "the building is the first address", float64(good)/float64(all), 0.95)
			}
		})
	}
}
