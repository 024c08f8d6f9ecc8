package osm

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// load scans a whole file into memory, copying what a block only lends.
func load(tb testing.TB, path string, opt Options) (*Data, Header, error) {
	tb.Helper()
	var d Data
	h, err := Scan(context.Background(), path, opt, func(b *Block) error {
		d.add(b)
		return nil
	})
	d.Timestamp = h.Timestamp
	return &d, h, err
}

func (d *Data) add(b *Block) {
	for _, n := range b.Nodes {
		n.Tags = slices.Clone(n.Tags)
		d.Nodes = append(d.Nodes, n)
	}
	for _, w := range b.Ways {
		w.Tags, w.Nodes = slices.Clone(w.Tags), slices.Clone(w.Nodes)
		d.Ways = append(d.Ways, w)
	}
	for _, r := range b.Relations {
		r.Tags, r.Members = slices.Clone(r.Tags), slices.Clone(r.Members)
		d.Relations = append(d.Relations, r)
	}
}

// file writes bytes to a file of the test.
func file(tb testing.TB, name string, b []byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

func pbfBytes(tb testing.TB, d *Data) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := WritePBF(&b, d); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// town returns a small data set with a bit of everything.
func town() *Data {
	return &Data{
		Timestamp: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC),
		Nodes: []Node{
			{ID: -5, Lon: -maxLon, Lat: -maxLat},
			{ID: 1, Lon: 94000000, Lat: 471000000, Version: 3, Tags: Tags{{"highway", "crossing"}, {"name", "Café <&> \"q\" 'x'\n\ttab"}}},
			{ID: 2, Lon: 94000001, Lat: 471000001},
			{ID: 9_000_000_000_000, Lon: maxLon, Lat: maxLat, Version: 1, Tags: Tags{{"k", ""}, {"", "v"}}},
		},
		Ways: []Way{
			{ID: 7, Version: 2, Nodes: []int64{1, 2, 9_000_000_000_000, 1}, Tags: Tags{{"highway", "residential"}, {"name", "Via 𝄞"}}},
			{ID: 8},
		},
		Relations: []Relation{
			{ID: 3, Version: 1, Tags: Tags{{"type", "restriction"}}, Members: []Member{
				{KindWay, 7, "from"}, {KindNode, 1, "via"}, {KindRelation, -4, ""},
			}},
			{ID: 4},
		},
	}
}

// drawData draws sorted data within the formats' limits. runes are those that
// both formats carry.
func drawData(t *rapid.T) *Data {
	str := rapid.OneOf(
		rapid.SampledFrom([]string{"", "highway", "name", "yes", "a\tb\nc\rd", "<&>\"'", " x ", "&amp;", "]]>"}),
		rapid.StringOfN(rapid.RuneFrom(nil, printable...), 0, 12, -1),
	)
	tags := func(t *rapid.T) Tags {
		keys := rapid.SliceOfNDistinct(str, 0, 4, rapid.ID[string]).Draw(t, "keys")
		var tags Tags
		for _, k := range keys {
			tags = append(tags, Tag{k, str.Draw(t, "value")})
		}
		return tags
	}
	id := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-20, 20))
	version := rapid.OneOf(rapid.Just(int32(0)), rapid.Int32Min(0))
	ids := rapid.SliceOfNDistinct(id, 0, 12, rapid.ID[int64])
	d := &Data{}
	if rapid.Bool().Draw(t, "dated") {
		d.Timestamp = time.Unix(rapid.Int64Range(1, 1<<33).Draw(t, "timestamp"), 0).UTC()
	}
	for _, id := range sort(ids.Draw(t, "nodes")) {
		d.Nodes = append(d.Nodes, Node{
			ID: id, Version: version.Draw(t, "version"), Tags: tags(t),
			Lon: rapid.Int32Range(-maxLon, maxLon).Draw(t, "lon"), Lat: rapid.Int32Range(-maxLat, maxLat).Draw(t, "lat"),
		})
	}
	for _, id := range sort(ids.Draw(t, "ways")) {
		w := Way{ID: id, Version: version.Draw(t, "version"), Tags: tags(t)}
		if refs := rapid.SliceOfN(rapid.Int64(), 0, 8).Draw(t, "refs"); len(refs) > 0 {
			w.Nodes = refs
		}
		d.Ways = append(d.Ways, w)
	}
	for _, id := range sort(ids.Draw(t, "relations")) {
		r := Relation{ID: id, Version: version.Draw(t, "version"), Tags: tags(t)}
		for range rapid.IntRange(0, 5).Draw(t, "members") {
			r.Members = append(r.Members, Member{
				Kind: Kind(rapid.IntRange(0, 2).Draw(t, "kind")), Ref: rapid.Int64().Draw(t, "ref"), Role: str.Draw(t, "role"),
			})
		}
		d.Relations = append(d.Relations, r)
	}
	return d
}

func sort(ids []int64) []int64 {
	slices.Sort(ids)
	return ids
}
