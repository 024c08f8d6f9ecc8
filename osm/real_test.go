package osm

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/waygate/waygate/realdata"
)

// Counts as osmium-tool gives them.
var counted = []struct {
	file                   string
	nodes, ways, relations int
}{
	{"all-35-places.osm.pbf", 4054162, 626483, 14132},
	{"andorra-20211028.osm.pbf", 256677, 13133, 289},
	{"delft-station.osm.pbf", 1073, 226, 0},
	{"dusseldorf-universitaetstunnel-20210812.osm.pbf", 27061, 3586, 187},
	{"dreieich-20221016.osm.gz", 24828, 4627, 62},
	{"liechtenstein-20130803.osm.bz2", 65733, 7121, 113},
	{"osm-testdata-multipolygon_testcases.osm", 6477, 93, 32},
	{"liechtenstein-20221215.osm.pbf", 308720, 32731, 891},
	{"london-westminster-20200720.osm.pbf", 43652, 8329, 562},
	{"malta-20180827.osm.pbf", 333684, 56021, 950},
	{"newport-wales-20230613.osm.pbf", 256508, 51231, 286},
	{"rutland-england-20180226.osm.pbf", 113647, 10476, 234},
	{"rutland-england-20220720.osm.pbf", 170885, 16730, 287},
}

func TestCountsOfRealExtracts(t *testing.T) {
	dir := realdata.File(t, "osm")
	for _, want := range counted {
		t.Run(want.file, func(t *testing.T) {
			if testing.Short() && want.nodes > 30_000 {
				t.Skip("a large extract, under the race detector")
			}
			nodes, ways, relations := 0, 0, 0
			_, err := Scan(context.Background(), filepath.Join(dir, want.file), Options{}, func(b *Block) error {
				nodes, ways, relations = nodes+len(b.Nodes), ways+len(b.Ways), relations+len(b.Relations)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if nodes != want.nodes || ways != want.ways || relations != want.relations {
				t.Errorf("%d nodes, %d ways, %d relations; want %d, %d, %d", nodes, ways, relations, want.nodes, want.ways, want.relations)
			}
		})
	}
}
