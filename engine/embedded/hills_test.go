package embedded_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/waygate/waygate/bench"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/soaktest"
)

// hilly imports an extract with heights and opens it.
func hilly(t testing.TB, extract string, heights ...string) (*embedded.Engine, *graph.Graph) {
	t.Helper()
	r := regiontest.Open(t, importertest.Import(t, importer.Options{Sources: []string{extract}, NoMap: true, Heights: heights}))
	e, err := embedded.New(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Verify(); err != nil {
		t.Fatal(err)
	}
	g, err := graph.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	return e, g
}

// finer writes a tile with a point each arc second, the only one that Valhalla
// reads, into a folder laid out for it.
func finer(t testing.TB, file string, corner height.Corner) (folder string) {
	t.Helper()
	tile, err := height.Open(file, corner)
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	path := filepath.Join(folder, corner.String()[:3], corner.String()+".hgt")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, height.Draw(corner, height.ArcSecond, tile.Height), 0o644); err != nil {
		t.Fatal(err)
	}
	return folder
}

func hillSettings(t testing.TB, c costing.Costing, hills string) costing.Settings {
	t.Helper()
	raw := map[string]json.RawMessage{}
	if hills != "" {
		raw["use_hills"] = json.RawMessage(hills)
	}
	s, unknown, bad := costing.Parse(c, raw, "")
	if len(unknown)+len(bad) > 0 {
		t.Fatal(unknown, bad)
	}
	return s
}

// TestHillsAgreeWithValhalla asks both engines, built with the same heights,
// for routes through the mountains of Andorra.
func TestHillsAgreeWithValhalla(t *testing.T) {
	t.Parallel()
	extract := realdata.File(t, "osm/andorra-20211028.osm.pbf")
	folder := finer(t, realdata.File(t, "elevation/N42E001.hgt.zip"), height.Corner{Lat: 42, Lon: 1})
	peer := valhalla.New(enginetest.StartValhalla(t, extract, "VALHALLA_ELEVATION="+folder).URL, &http.Client{})
	e, g := hilly(t, extract, folder)
	t.Run("slopes", func(t *testing.T) { slopesAgree(t, e, peer, g) })
	for _, c := range soaktest.First(3, []struct {
		costing        costing.Costing
		kind           costing.Costing
		hills          string // use_hills, "" for the usual
		seed           uint64
		lengths, times float64
	}{
		{costing.Bicycle, costing.Bicycle, "", 4, 90, 95},
		{costing.Pedestrian, costing.Pedestrian, "", 4, 90, 95},
		// The extract has paths in France and in Spain, where scooters may use
		// them. Valhalla takes them for Andorran; none of these pairs lies there. On
		// dirt Valhalla has scooters at a tenth of their speed, we at 25 km/h or
		// less: pairs that begin at the same place agree or differ together.
		{costing.MotorScooter, costing.MotorScooter, "", 17, 90, 75},
		{costing.Bicycle, costing.Bicycle, "0", 4, 90, 95},
		{costing.Bicycle, costing.Bicycle, "1", 4, 90, 95},
		{costing.Pedestrian, costing.Pedestrian, "0", 4, 90, 95},
	}) {
		t.Run(c.costing.String()+" "+c.hills, func(t *testing.T) {
			settings := hillSettings(t, c.costing, c.hills)
			list, err := bench.NewMaker(g, c.kind, c.seed).Routes(t.Context(), 200)
			if err != nil {
				t.Fatal(err)
			}
			var all agreement
			for i, p := range list {
				r := pair{from: p.Points[0].Point(), to: p.Points[1].Point()}.request(t, c.costing)
				r.Options = settings
				all.ask(t, fmt.Sprintf("pair %d", i), e, peer, r)
			}
			all.want(t, c.lengths, c.times)
		})
	}
}

// located has what both engines answer about the slope of an edge.
type located []struct {
	Edges []struct {
		Info struct {
			Way  int64   `json:"way_id"`
			Mean float64 `json:"mean_elevation"`
		} `json:"edge_info"`
		Edge struct {
			Forward bool
			Geo     struct {
				Length float64
				Grade  float64 `json:"weighted_grade"`
				Up     float64 `json:"max_up_slope"`
				Down   float64 `json:"max_down_slope"`
			} `json:"geo_attributes"`
		}
	}
}

// slopesAgree compares the slopes of roads by the middle of each.
func slopesAgree(t *testing.T, ours, theirs engine.Engine, g *graph.Graph) {
	set, err := bench.NewMaker(g, costing.Auto, 9).Matrices(1, 300)
	if err != nil {
		t.Fatal(err)
	}
	compared, grades, ups, means := 0, 0, 0, 0
	for _, at := range set[0].Points {
		var found [2]located
		for i, e := range []engine.Engine{ours, theirs} {
			s, _, _ := costing.Parse(costing.Auto, nil, "")
			r := &engine.LocateRequest{Costing: costing.Auto, Options: s, Locations: []engine.Location{{Point: at.Point()}}, Verbose: true}
			a, err := e.Locate(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(placed(t, r, a), &found[i]); err != nil {
				t.Fatal(err)
			}
		}
		for _, a := range found[0][0].Edges {
			for _, b := range found[1][0].Edges {
				x, y := a.Edge.Geo, b.Edge.Geo
				if a.Info.Way != b.Info.Way || a.Edge.Forward != b.Edge.Forward || math.Abs(x.Length-y.Length) > 2 {
					continue
				}
				compared++
				if math.Abs(x.Grade-y.Grade) < 0.1 {
					grades++
				} else if testing.Verbose() {
					t.Logf("way %d at %v: ours %+v, theirs %+v", a.Info.Way, at, x, y)
				}
				if math.Abs(x.Up-y.Up) <= 1 && math.Abs(x.Down-y.Down) <= 1 || max(x.Up, -x.Down) > 16 {
					ups++ // beyond 16 per cent Valhalla keeps steps of four
				}
				if math.Abs(a.Info.Mean-b.Info.Mean) <= 3 {
					means++
				}
			}
		}
	}
	t.Logf("%d edges: %d weighted grades, %d steepest slopes, %d mean heights agree", compared, grades, ups, means)
	if compared < 200 || grades < compared*95/100 || ups < compared*95/100 || means < compared*95/100 {
		t.Errorf("of %d edges %d weighted grades, %d steepest slopes and %d mean heights agree, want 95 in 100 of at least 200", compared, grades, ups, means)
	}
}
