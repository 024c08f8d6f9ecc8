package tileset

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/paulmach/orb/encoding/mvt"

	"github.com/waygate/waygate/realdata"
)

func TestFirenze(t *testing.T) {
	r, err := Open(realdata.File(t, "tiles/firenze-protomaps-vector.pmtiles"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	h := r.Header()
	if h.MinZoom != 0 || h.MaxZoom != 14 || h.TileType != TypeMVT || h.TileCompression != CompressionGzip || !h.Clustered {
		t.Errorf("header %+v", h)
	}
	if err := r.Verify(); err != nil {
		t.Error(err)
	}
	// The cathedral, 11.2558 east 43.7731 north.
	packed, ok, err := r.Tile(14, 8704, 5971)
	if err != nil || !ok {
		t.Fatalf("the tile of the cathedral: %v, %v", ok, err)
	}
	gz, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(gz)
	if err != nil {
		t.Fatal(err)
	}
	layers, err := mvt.Unmarshal(raw)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, l := range layers {
		counts[l.Name] = len(l.Features)
	}
	if counts["roads"] == 0 || counts["buildings"] == 0 {
		t.Errorf("layers %v: no roads or buildings in the middle of Florence", counts)
	}
	if _, ok, err := r.Tile(14, 100, 100); ok || err != nil {
		t.Errorf("a tile in the Pacific: %v, %v", ok, err)
	}
}

func TestVersionOneIsRefused(t *testing.T) {
	path := realdata.File(t, "tiles/taipei-pmtiles-v1-legacy.pmtiles")
	_, err := Open(path)
	if err == nil || !strings.Contains(err.Error(), "version 1") || !strings.Contains(err.Error(), path) {
		t.Errorf("%v; want the version and the file", err)
	}
}
