package osm

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/gzip"
	other "github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"
	"github.com/paulmach/osm/osmxml"

	"github.com/waygate/waygate/realdata"
)

// oracle turns what another reader of OSM files scans into our objects.
func oracle(t *testing.T, s other.Scanner) *Data {
	t.Helper()
	d := &Data{}
	tags := func(from other.Tags) Tags {
		var tags Tags
		for _, tag := range from {
			tags = append(tags, Tag{tag.Key, tag.Value})
		}
		return tags
	}
	for s.Scan() {
		switch o := s.Object().(type) {
		case *other.Node:
			d.Nodes = append(d.Nodes, Node{
				ID: int64(o.ID), Version: int32(o.Version), Tags: tags(o.Tags),
				Lon: int32(math.Round(o.Lon * 1e7)), Lat: int32(math.Round(o.Lat * 1e7)),
			})
		case *other.Way:
			w := Way{ID: int64(o.ID), Version: int32(o.Version), Tags: tags(o.Tags)}
			for _, n := range o.Nodes {
				w.Nodes = append(w.Nodes, int64(n.ID))
			}
			d.Ways = append(d.Ways, w)
		case *other.Relation:
			r := Relation{ID: int64(o.ID), Version: int32(o.Version), Tags: tags(o.Tags)}
			for _, m := range o.Members {
				kind := map[other.Type]Kind{other.TypeNode: KindNode, other.TypeWay: KindWay, other.TypeRelation: KindRelation}[m.Type]
				r.Members = append(r.Members, Member{kind, m.Ref, m.Role})
			}
			d.Relations = append(d.Relations, r)
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return d
}

func compare(t *testing.T, got, want *Data) {
	t.Helper()
	if len(want.Nodes) == 0 {
		t.Fatal("the oracle has read nothing")
	}
	compareKind(t, got.Nodes, want.Nodes, func(a, b Node) bool {
		return a.ID == b.ID && a.Lon == b.Lon && a.Lat == b.Lat && a.Version == b.Version && slices.Equal(a.Tags, b.Tags)
	})
	compareKind(t, got.Ways, want.Ways, func(a, b Way) bool {
		return a.ID == b.ID && a.Version == b.Version && slices.Equal(a.Nodes, b.Nodes) && slices.Equal(a.Tags, b.Tags)
	})
	compareKind(t, got.Relations, want.Relations, func(a, b Relation) bool {
		return a.ID == b.ID && a.Version == b.Version && slices.Equal(a.Members, b.Members) && slices.Equal(a.Tags, b.Tags)
	})
}

func compareKind[T any](t *testing.T, got, want []T, equal func(a, b T) bool) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d of kind %T, want %d", len(got), *new(T), len(want))
		return
	}
	for i := range got {
		if !equal(got[i], want[i]) {
			t.Fatalf("number %d: got %+v, want %+v", i, got[i], want[i])
		}
	}
}

func comparePBF(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	want := oracle(t, osmpbf.New(context.Background(), f, 2))
	got, _, err := load(t, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, got, want)
}

func TestDelawareAgainstAnotherReader(t *testing.T) {
	if testing.Short() {
		t.Skip("800,000 objects one by one")
	}
	comparePBF(t, realdata.Delaware(t))
}

func TestLiechtensteinAgainstAnotherReader(t *testing.T) {
	comparePBF(t, filepath.Join(realdata.File(t, "osm"), "liechtenstein-bench.osm.pbf"))
}

func TestDreieichAgainstAnotherReader(t *testing.T) {
	path := filepath.Join(realdata.File(t, "osm"), "dreieich-20221016.osm.gz")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	want := oracle(t, osmxml.New(context.Background(), z))
	got, _, err := load(t, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, got, want)
}

// The other reader must read our files alike.
func TestWrittenFilesAgainstAnotherReader(t *testing.T) {
	d := town()
	path := file(t, "town.osm.pbf", pbfBytes(t, d))
	comparePBF(t, path)
	f, err := os.Open(file(t, "town.osm", xmlBytes(t, d)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	got := oracle(t, osmxml.New(context.Background(), f))
	got.Timestamp = d.Timestamp
	compare(t, got, d)
}
