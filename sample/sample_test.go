package sample

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/golden"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
)

var drawn = sync.OnceValue(Generate)

// fingerprint hashes all that a reader of the data could see.
func fingerprint(d *osm.Data) string {
	h := sha256.New()
	var buf bytes.Buffer
	num := func(v int64) { buf.Write(binary.AppendVarint(nil, v)) }
	text := func(s string) { num(int64(len(s))); buf.WriteString(s) }
	put := func(id int64, tags osm.Tags) {
		num(id)
		num(int64(len(tags)))
		for _, t := range tags {
			text(t.Key)
			text(t.Value)
		}
	}
	num(d.Timestamp.Unix())
	for _, n := range d.Nodes {
		put(n.ID, n.Tags)
		num(int64(n.Lon))
		num(int64(n.Lat))
	}
	for _, w := range d.Ways {
		put(w.ID, w.Tags)
		for _, n := range w.Nodes {
			num(n)
		}
	}
	for _, r := range d.Relations {
		put(r.ID, r.Tags)
		for _, m := range r.Members {
			num(int64(m.Kind))
			num(m.Ref)
			text(m.Role)
		}
	}
	h.Write(buf.Bytes())
	return hex.EncodeToString(h.Sum(nil))
}

func TestCountyIsTheSameEachTime(t *testing.T) {
	got := fingerprint(drawn().Data)
	if !testing.Short() {
		if again := fingerprint(County()); again != got {
			t.Fatalf("two calls differ: %s and %s", got, again)
		}
	}
	golden.Assert(t, got+"\n", "county.sha256")
}

func TestObjectsAreSoundAndSorted(t *testing.T) {
	d := drawn().Data
	box := geo.Bounds{Min: geo.Point{Lon: -7.45, Lat: 49.2}, Max: geo.Point{Lon: -6.9, Lat: 49.5}}
	nodes := map[int64]bool{}
	last := int64(0)
	used := map[int64]bool{}
	for _, n := range d.Nodes {
		if n.ID <= last {
			t.Fatalf("node %d comes after node %d", n.ID, last)
		}
		last = n.ID
		nodes[n.ID] = true
		if p := (geo.Fixed{Lon: n.Lon, Lat: n.Lat}).Point(); !box.Contains(p) {
			t.Fatalf("node %d lies off the county at %v", n.ID, p)
		}
		used[n.ID] = len(n.Tags) > 0
		soundTags(t, "node", n.ID, n.Tags)
	}
	last = 0
	ways := map[int64]bool{}
	for _, w := range d.Ways {
		if w.ID <= last {
			t.Fatalf("way %d comes after way %d", w.ID, last)
		}
		last = w.ID
		ways[w.ID] = true
		if len(w.Nodes) < 2 {
			t.Errorf("way %d has %d nodes: %v", w.ID, len(w.Nodes), w.Tags)
		}
		for i, n := range w.Nodes {
			if !nodes[n] {
				t.Fatalf("way %d goes through node %d, which does not exist", w.ID, n)
			}
			if i > 0 && w.Nodes[i-1] == n {
				t.Errorf("way %d repeats node %d", w.ID, n)
			}
			used[n] = true
		}
		soundTags(t, "way", w.ID, w.Tags)
	}
	last = 0
	relations := map[int64]bool{}
	for _, r := range d.Relations {
		if r.ID <= last {
			t.Fatalf("relation %d comes after relation %d", r.ID, last)
		}
		last = r.ID
		relations[r.ID] = true
		if len(r.Members) == 0 {
			t.Errorf("relation %d has no members: %v", r.ID, r.Tags)
		}
		for _, m := range r.Members {
			there := map[osm.Kind]map[int64]bool{osm.KindNode: nodes, osm.KindWay: ways, osm.KindRelation: relations}[m.Kind]
			if !there[m.Ref] {
				t.Errorf("relation %d (%v) has member %v %d, which does not exist", r.ID, r.Tags, m.Kind, m.Ref)
			}
		}
		soundTags(t, "relation", r.ID, r.Tags)
	}
	for id, ok := range used {
		if !ok {
			t.Errorf("node %d has no tags and is in no way", id)
		}
	}
}

func soundTags(t *testing.T, kind string, id int64, tags osm.Tags) {
	t.Helper()
	seen := map[string]bool{}
	for _, x := range tags {
		if x.Key == "" || x.Value == "" || len(x.Value) > 255 || strings.TrimSpace(x.Value) != x.Value {
			t.Errorf("%s %d has tag %q=%q", kind, id, x.Key, x.Value)
		}
		if seen[x.Key] {
			t.Errorf("%s %d has key %q twice", kind, id, x.Key)
		}
		seen[x.Key] = true
	}
}
