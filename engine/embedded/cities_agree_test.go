package embedded_test

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/bench"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
)

var cityPairs = flag.Int("cities.pairs", 0, "pairs of places for each city and costing that are asked of a real Valhalla; 0 leaves it out")

type city struct {
	name, code, country string
	box                 [4]float64
}

var cityRoutes = flag.Int("cities.routes", 0, "routes in each city and costing whose manoeuvres are compared with a real Valhalla's; 0 leaves it out")

// cities are boxes of the collected places: south, west, north, east. Each has the
// country that its border, which the extract lacks, is drawn with; Valhalla finds
// its rules by the English name, and drives on the left where there is no border.
var cities = []city{
	{"helsinki", "FI", "Finland", [4]float64{60.14, 24.88, 60.20, 25.0}},
	{"copenhagen", "DK", "Denmark", [4]float64{55.64, 12.50, 55.72, 12.62}},
	{"milan", "IT", "Italy", [4]float64{45.44, 9.14, 45.50, 9.24}},
	{"heidelberg", "DE", "Germany", [4]float64{49.38, 8.62, 49.44, 8.74}},
	{"saopaulo", "BR", "Brazil", [4]float64{-23.58, -46.70, -23.50, -46.60}},
	{"boston", "US", "United States", [4]float64{42.32, -71.12, 42.38, -71.03}},
	{"oslo", "NO", "Norway", [4]float64{59.89, 10.68, 59.96, 10.82}},
	{"portland", "US", "United States", [4]float64{45.48, -122.72, 45.56, -122.60}},
	{"porto", "PT", "Portugal", [4]float64{41.12, -8.68, 41.18, -8.56}},
}

// TestCitiesAgree measures how far we and a real Valhalla agree in dense cities. It only
// prints the figures, which docs/fidelity.md has, with intervals of 95 %.
func TestCitiesAgree(t *testing.T) {
	if *cityPairs == 0 {
		t.Skip("asks thousands of routes: -cities.pairs 200")
	}
	for _, c := range cities {
		t.Run(c.name, func(t *testing.T) {
			extract := c.extract(t)
			e := open(t, extract)
			peer := valhalla.New(enginetest.StartValhalla(t, extract).URL, &http.Client{})
			for _, k := range costing.All {
				list, err := bench.NewMaker(e.Graph(), k, 7).Routes(t.Context(), *cityPairs)
				if err != nil {
					t.Errorf("%s: %v", k, err)
					continue
				}
				var sum agreement
				for i, p := range list {
					r := pair{from: p.Points[0].Point(), to: p.Points[1].Point()}.request(t, k)
					if _, err := peer.Route(t.Context(), r); err != nil {
						continue // Valhalla leaves ways out that it has not all nodes of
					}
					sum.ask(t, fmt.Sprintf("%s, pair %d", k, i), e, peer, r)
				}
				t.Logf("%-13s %d pairs: lengths %s, times %s", k, sum.routes, interval(sum.lengths, sum.routes), interval(sum.times, sum.routes))
			}
		})
	}
}

// extract cuts the city out of the collected places and draws its border.
func (c *city) extract(t *testing.T) string {
	t.Helper()
	source := realdata.File(t, "osm/all-35-places.osm.pbf")
	return filepath.Join(realdata.Cached(t, "city-"+c.name, fmt.Sprint(*c, realdata.Sum(t, source)), func(dir string) error {
		d := cut(whole(t, source), c.box)
		enclose(d, osm.Tag{Key: "type", Value: "boundary"}, osm.Tag{Key: "boundary", Value: "administrative"}, osm.Tag{Key: "admin_level", Value: "2"},
			osm.Tag{Key: "name", Value: c.country}, osm.Tag{Key: "name:en", Value: c.country}, osm.Tag{Key: "ISO3166-1", Value: c.code})
		f, err := os.Create(filepath.Join(dir, c.name+".osm.pbf"))
		if err != nil {
			return err
		}
		return errors.Join(osm.WritePBF(f, d), f.Close())
	}), c.name+".osm.pbf")
}

// interval words a share with Wilson's interval of 95 %.
func interval(n, of int) string {
	const z = 1.96
	all := float64(max(1, of))
	p := float64(n) / all
	middle := (p + z*z/2/all) / (1 + z*z/all)
	half := z * math.Sqrt(p*(1-p)/all+z*z/4/all/all) / (1 + z*z/all)
	return fmt.Sprintf("%.1f (%.1f to %.1f)", 100*p, 100*(middle-half), 100*(middle+half))
}

// TestCityManoeuvresAgree is TestManoeuvresAgree in the cities: it only prints the figures.
func TestCityManoeuvresAgree(t *testing.T) {
	if *cityRoutes == 0 {
		t.Skip("asks thousands of routes: -cities.routes 100")
	}
	all := map[costing.Costing]*accord{}
	for n, c := range cities {
		t.Run(c.name, func(t *testing.T) {
			extract := c.extract(t)
			peer, e := valhalla.New(enginetest.StartValhalla(t, extract).URL, &http.Client{}), open(t, extract)
			for _, by := range []costing.Costing{costing.Auto, costing.Bicycle, costing.Pedestrian} {
				r := rand.New(rand.NewPCG(uint64(n), 99))
				one := &accord{causes: map[string]int{}}
				for one.routes < *cityRoutes && one.other < 5**cityRoutes {
					compareManoeuvres(t, one, e, peer, by, r, 4000)
				}
				t.Logf("%s, %s: %s", c.name, by, one)
				if all[by] == nil {
					all[by] = &accord{causes: map[string]int{}}
				}
				all[by].merge(one)
			}
		})
	}
	for by, one := range all {
		t.Logf("all, %s: %s; %s", by, interval(one.agree, one.all), one)
	}
}

// cut returns the ways that have a node in a box of south, west, north and east, whole,
// and the relations that have such a way. References to nodes that are not there
// are left out: Valhalla drops a way for one.
func cut(d *osm.Data, box [4]float64) *osm.Data {
	in, have, needed, kept := map[int64]bool{}, map[int64]bool{}, map[int64]bool{}, map[int64]bool{}
	for _, n := range d.Nodes {
		p := geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
		have[n.ID] = true
		in[n.ID] = p.Lat >= box[0] && p.Lat <= box[2] && p.Lon >= box[1] && p.Lon <= box[3]
	}
	part := &osm.Data{}
	for _, w := range d.Ways {
		if kept[w.ID] || w.Tags.Has("building") || !slices.ContainsFunc(w.Nodes, func(n int64) bool { return in[n] }) {
			continue
		}
		w.Nodes = slices.DeleteFunc(slices.Clone(w.Nodes), func(n int64) bool { return !have[n] })
		kept[w.ID] = true
		for _, n := range w.Nodes {
			needed[n] = true
		}
		part.Ways = append(part.Ways, w)
	}
	for _, n := range d.Nodes {
		if needed[n.ID] {
			needed[n.ID] = false // once
			part.Nodes = append(part.Nodes, n)
		}
	}
	for _, r := range d.Relations {
		if slices.ContainsFunc(r.Members, func(m osm.Member) bool { return m.Kind == osm.KindWay && kept[m.Ref] }) && !strings.HasPrefix(r.Tags.Get("boundary"), "admin") {
			part.Relations = append(part.Relations, r)
		}
	}
	slices.SortFunc(part.Nodes, func(a, b osm.Node) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(part.Ways, func(a, b osm.Way) int { return cmp.Compare(a.ID, b.ID) })
	return part
}
