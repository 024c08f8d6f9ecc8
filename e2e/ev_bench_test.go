package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/towntest"
)

// BenchmarkElectric asks the gateway for journeys of 300 km with 500 stations to
// choose from, from end to end of a real state and a copy of it to its north that
// roads join. cpu-ms/op is the processor time of the server for the whole call.
func BenchmarkElectric(b *testing.B) {
	data, from, to := stacked(b)
	dir := b.TempDir()
	extract, region := filepath.Join(dir, "states.osm.pbf"), filepath.Join(dir, "region")
	if err := towntest.WriteFile(extract, data); err != nil {
		b.Fatal(err)
	}
	if code, said := command(b, nil, "import", "--no-map", "--out", region, extract); code != 0 {
		b.Fatal(said)
	}
	// Connectors anywhere on the roads: the gateway takes 500 along the way.
	r := rand.New(rand.NewPCG(1, 2))
	type connector struct {
		Standard string  `json:"standard"`
		Power    float64 `json:"power_kw"`
	}
	type station struct {
		ID         string      `json:"id"`
		Lat        float64     `json:"lat"`
		Lon        float64     `json:"lon"`
		Connectors []connector `json:"connectors"`
	}
	var stations []station
	for i := range 4000 {
		w := &data.Ways[r.IntN(len(data.Ways))]
		if !w.Tags.Has("highway") {
			continue
		}
		at := &data.Nodes[index(data, w.Nodes[0])]
		p := geo.Fixed{Lon: at.Lon, Lat: at.Lat}.Point()
		stations = append(stations, station{fmt.Sprint(i), p.Lat, p.Lon, []connector{{"ccs2", []float64{22, 50, 150, 300}[r.IntN(4)]}}})
	}
	text, err := json.Marshal(stations)
	if err != nil {
		b.Fatal(err)
	}
	feed := filepath.Join(dir, "stations.json")
	if err := os.WriteFile(feed, text, 0o600); err != nil {
		b.Fatal(err)
	}
	g := start(b, []string{"SVC_REGION_DIR=" + region, "SVC_CHARGING_DIR=" + feed, "SVC_ADMIN_TOKEN=" + adminToken}, "serve")
	key, _ := mint(b, g, 1e12, 1e6)
	for _, car := range []struct {
		name         string
		battery      float64
		charge, stop int
	}{{"24 kWh", 24, 80, 10}, {"60 kWh", 60, 80, 10}, {"90 kWh", 90, 90, 10}} {
		b.Run(car.name, func(b *testing.B) {
			body := fields{
				"locations": []fields{{"lat": from.Lat, "lon": from.Lon}, {"lat": to.Lat, "lon": to.Lon}}, "vehicle": fields{"battery_kwh": car.battery, "consumption_kwh_per_100km": 17, "max_dc_kw": 1.8 * car.battery},
				"departure_soc_pct": car.charge, "min_stop_soc_pct": car.stop,
			}
			type plan struct {
				Feasible bool
				Summary  struct {
					Distance float64 `json:"distance_m"`
					Stops    int
				}
				Search struct{ Stations, Candidates, Compared, Rounds int }
			}
			var a plan
			for range 3 {
				a = reply[plan](b, g, 200, "POST", "/v1/ev/plan", key, body)
			}
			before := processor(b, g.cmd.Process.Pid)
			for b.Loop() {
				a = reply[plan](b, g, 200, "POST", "/v1/ev/plan", key, body)
			}
			b.ReportMetric(float64((processor(b, g.cmd.Process.Pid)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
			b.Logf("feasible %v, %.0f km, %d stops, %+v", a.Feasible, a.Summary.Distance/1000, a.Summary.Stops, a.Search)
		})
	}
}

// index returns where a data set has a node.
func index(d *osm.Data, id int64) int {
	i, _ := slices.BinarySearchFunc(d.Nodes, id, func(n osm.Node, id int64) int { return int(n.ID - id) })
	return i
}

// stacked returns a state with a copy to its north, joined by a few main roads, and its
// ends.
func stacked(b *testing.B) (data *osm.Data, from, to geo.Point) {
	b.Helper()
	data = &osm.Data{}
	_, err := osm.Scan(b.Context(), realdata.Delaware(b), osm.Options{}, func(block *osm.Block) error {
		for _, n := range block.Nodes {
			data.Nodes = append(data.Nodes, osm.Node{ID: n.ID, Lon: n.Lon, Lat: n.Lat, Tags: slices.Clone(n.Tags)})
		}
		for _, w := range block.Ways {
			if w.Tags.Has("highway") {
				data.Ways = append(data.Ways, osm.Way{ID: w.ID, Nodes: slices.Clone(w.Nodes), Tags: slices.Clone(w.Tags)})
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	slices.SortFunc(data.Nodes, func(x, y osm.Node) int { return int(x.ID - y.ID) })
	// The ends of main roads, by latitude.
	var ends []osm.Node
	for i := range data.Ways {
		switch data.Ways[i].Tags.Get("highway") {
		case "motorway", "trunk", "primary":
			ends = append(ends, data.Nodes[index(data, data.Ways[i].Nodes[0])])
		}
	}
	slices.SortFunc(ends, func(x, y osm.Node) int { return int(x.Lat - y.Lat) })
	const joins, way = 12, 1 << 40
	south, north := ends[0].Lat, ends[len(ends)-1].Lat
	last := data.Nodes[len(data.Nodes)-1].ID
	nodes, ways := len(data.Nodes), len(data.Ways)
	for _, n := range data.Nodes[:nodes] {
		n.ID, n.Lat = n.ID+last, n.Lat+north-south
		data.Nodes = append(data.Nodes, n)
	}
	for _, w := range data.Ways[:ways] {
		w.ID += way
		w.Nodes = slices.Clone(w.Nodes)
		for i := range w.Nodes {
			w.Nodes[i] += last
		}
		data.Ways = append(data.Ways, w)
	}
	for i := range joins {
		data.Ways = append(data.Ways, osm.Way{ID: 2*way + int64(i), Nodes: []int64{ends[len(ends)-1-i*5].ID, ends[i*5].ID + last}, Tags: osm.Tags{{Key: "highway", Value: "primary"}}})
	}
	begin, end := ends[0], ends[len(ends)-1]
	end.Lat += north - south
	return data, geo.Fixed{Lon: begin.Lon, Lat: begin.Lat}.Point(), geo.Fixed{Lon: end.Lon, Lat: end.Lat}.Point()
}
