package osm

import (
	"bytes"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/waygate/waygate/realdata"
)

// zippedFile packs data blocks as a file has them, so that skipping applies.
func zippedFile(t *testing.T, blocks ...[]byte) string {
	t.Helper()
	var out bytes.Buffer
	p := pbfWriter{w: &out}
	if err := p.blob(typeHeader, plain); err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		if err := p.blob(typeData, b); err != nil {
			t.Fatal(err)
		}
	}
	return file(t, "x.pbf", out.Bytes())
}

// A block of several kinds must be read to its end, also where its first group
// is skipped.
func TestSkippedGroupBeforeAnother(t *testing.T) {
	dense := appendBytes(appendBytes(appendBytes(nil, 1, packedSigned(5)), 8, packedSigned(1)), 9, packedSigned(2))
	way := appendBytes(nil, 2, appendBytes(nil, 3, appendList(appendNumber(nil, 1, 8), 8, packedSigned(5))))
	granularities := appendNumber(appendNumber(nil, 17, 100), 18, 1000)
	mixed := block([]string{""}, 2, dense, way)
	path := zippedFile(t, mixed, block([]string{""}, 2, dense, granularities), append(mixed, granularities...))
	got, _, err := load(t, path, Options{SkipNodes: true})
	want := Way{ID: 8, Nodes: []int64{5}}
	if err != nil || len(got.Nodes) != 0 || !reflect.DeepEqual(got.Ways, []Way{want, want}) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// Skipping gives what reading everything and dropping it gives.
func TestSkipsOfRealExtracts(t *testing.T) {
	dir := realdata.File(t, "osm")
	for _, name := range []string{"london-westminster-20200720.osm.pbf", "delft-station.osm.pbf"} {
		path := filepath.Join(dir, name)
		all, _, err := load(t, path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			opt  Options
			want Data
		}{
			{Options{SkipNodes: true}, Data{Ways: all.Ways, Relations: all.Relations}},
			{Options{SkipWays: true, SkipRelations: true}, Data{Nodes: all.Nodes}},
			{Options{SkipNodes: true, SkipWays: true}, Data{Relations: all.Relations}},
		} {
			c.want.Timestamp = all.Timestamp
			got, _, err := load(t, path, c.opt)
			if err != nil || !reflect.DeepEqual(*got, c.want) {
				t.Errorf("%s, %+v: %d nodes, %d ways, %d relations, %v", name, c.opt, len(got.Nodes), len(got.Ways), len(got.Relations), err)
			}
		}
	}
}
