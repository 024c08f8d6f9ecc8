package osm

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"testing"
	"unicode"

	"github.com/klauspost/compress/zstd"
	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"
)

var printable = []*unicode.RangeTable{unicode.L, unicode.N, unicode.P, unicode.S, unicode.Zs}

func TestPBFRoundTrip(t *testing.T) {
	d := town()
	got, h, err := load(t, file(t, "town.osm.pbf", pbfBytes(t, d)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, d) {
		t.Errorf("got  %+v\nwant %+v", got, d)
	}
	if want := (Header{Bounds: d.bounds(), Timestamp: d.Timestamp, Generator: "waygate", Sorted: true}); h != want {
		t.Errorf("header %+v, want %+v", h, want)
	}
}

func TestPBFRoundTripOfAnyData(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := drawData(r)
		b := pbfBytes(t, d)
		got, _, err := load(t, file(t, "any.pbf", b), Options{Workers: 1})
		if err != nil {
			r.Fatal(err)
		}
		if !reflect.DeepEqual(got, d) {
			r.Fatalf("got  %+v\nwant %+v", got, d)
		}
		mixed := &Data{Timestamp: d.Timestamp, Nodes: slices.Clone(d.Nodes), Ways: slices.Clone(d.Ways), Relations: d.Relations}
		slices.Reverse(mixed.Nodes)
		slices.Reverse(mixed.Ways)
		if !bytes.Equal(pbfBytes(t, mixed), b) {
			r.Fatal("the order of the data changes the file")
		}
	})
}

// rawFile makes a PBF of a header and data blocks as given, unpacked.
func rawFile(header []byte, blocks ...[]byte) []byte {
	out := frame(typeHeader, appendBytes(nil, 1, header))
	for _, b := range blocks {
		out = append(out, frame(typeData, appendBytes(nil, 1, b))...)
	}
	return out
}

func frame(kind string, blob []byte) []byte {
	head := appendNumber(appendBytes(nil, 1, []byte(kind)), 3, uint64(len(blob)))
	out := binary.BigEndian.AppendUint32(nil, uint32(len(head)))
	return append(append(out, head...), blob...)
}

func features(names ...string) []byte {
	var b []byte
	for _, n := range names {
		b = appendBytes(b, 4, []byte(n))
	}
	return b
}

// block makes a data block of strings and one field of a group, with what may
// follow.
func block(strings []string, field protowire.Number, object, rest []byte) []byte {
	var table []byte
	for _, s := range strings {
		table = appendBytes(table, 1, []byte(s))
	}
	return append(encodeBlock(table, appendBytes(nil, field, object)), rest...)
}

func packedSigned(v ...int64) []byte {
	var b []byte
	for _, v := range v {
		b = protowire.AppendVarint(b, protowire.EncodeZigZag(v))
	}
	return b
}

var plain = features(featureSchema, featureDense)

func TestPBFOfOthers(t *testing.T) {
	info := appendNumber(appendNumber(nil, 1, 4), 6, 1)
	deleted := appendNumber(nil, 6, 0)
	node := appendSigned(appendSigned(appendSigned(nil, 1, -9), 8, 250), 9, -150)
	node = appendBytes(appendBytes(node, 2, []byte{1, 2}), 3, []byte{2, 1})
	scale := appendNumber(appendNumber(appendNumber(nil, 17, 1000), 19, 1_000_000_000), 20, 2_000_000_000)
	odd := appendNumber(appendNumber(appendNumber(nil, 17, 33), 19, 7), 20, uint64(0xffffffffffffffff-6))
	dense := appendBytes(appendBytes(appendBytes(nil, 1, packedSigned(5, 1, 1)), 8, packedSigned(1, 1, 1)), 9, packedSigned(2, 2, 2))
	dense = appendBytes(dense, 10, []byte{1, 2, 0, 1, 1, 2, 2, 0, 0})
	dense = appendBytes(dense, 5, appendBytes(appendBytes(nil, 1, []byte{7, 8, 9}), 6, []byte{1, 0, 1}))
	words := []string{"", "a", "b"}
	for name, c := range map[string]struct {
		block []byte
		want  Data
	}{
		"plain node": {
			block(words, 1, appendBytes(node, 4, info), nil),
			Data{Nodes: []Node{{ID: -9, Lat: 250, Lon: -150, Version: 4, Tags: Tags{{"a", "b"}, {"b", "a"}}}}},
		},
		"granularity and offsets": {
			block(words, 1, node, scale),
			Data{Nodes: []Node{{ID: -9, Lat: 10002500, Lon: 19998500, Tags: Tags{{"a", "b"}, {"b", "a"}}}}},
		},
		"granularity below our own": {block(words, 1, node, odd), // 250*33+7 = 8257 and -150*33-7 = -4957
			Data{Nodes: []Node{{ID: -9, Lat: 83, Lon: -50, Tags: Tags{{"a", "b"}, {"b", "a"}}}}}},
		"deleted":  {block(words, 1, appendBytes(node, 4, deleted), nil), Data{}},
		"no table": {appendBytes(nil, 2, appendBytes(nil, 3, appendNumber(nil, 1, 3))), Data{Ways: []Way{{ID: 3}}}},
		"dense, one deleted": {block(words, 2, dense, nil), Data{Nodes: []Node{
			{ID: 5, Lat: 1, Lon: 2, Version: 7, Tags: Tags{{"a", "b"}}}, {ID: 7, Lat: 3, Lon: 6, Version: 9},
		}}},
		"unknown field and kind of file block": {append(block(words, 5, nil, appendBytes(nil, 99, []byte("x"))), appendNumber(nil, 98, 1)...), Data{}},
	} {
		t.Run(name, func(t *testing.T) {
			in := append(rawFile(plain, c.block), frame("Unheard", []byte("of"))...)
			got, _, err := load(t, file(t, "x.pbf", in), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(*got, c.want) {
				t.Errorf("got  %+v\nwant %+v", *got, c.want)
			}
		})
	}
}

func TestPBFPackings(t *testing.T) {
	raw := block([]string{""}, 3, appendNumber(nil, 1, 3), nil)
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	in := append(rawFile(plain), frame(typeData, appendBytes(appendNumber(nil, 2, uint64(len(raw))), 7, z.EncodeAll(raw, nil)))...)
	got, _, err := load(t, file(t, "x.pbf", in), Options{})
	if err != nil || len(got.Ways) != 1 {
		t.Errorf("zstd: %+v, %v", got, err)
	}
	if got, _, err := load(t, file(t, "x.pbf.gz", gzipBytes(t, pbfBytes(t, town()))), Options{}); err != nil || !reflect.DeepEqual(got, town()) {
		t.Errorf("PBF in gzip: %+v, %v", got, err)
	}
}

func TestPBFSkips(t *testing.T) {
	path := file(t, "town.pbf", pbfBytes(t, town()))
	for i := range 8 {
		opt := Options{SkipNodes: i&1 != 0, SkipWays: i&2 != 0, SkipRelations: i&4 != 0}
		want := town()
		if opt.SkipNodes {
			want.Nodes = nil
		}
		if opt.SkipWays {
			want.Ways = nil
		}
		if opt.SkipRelations {
			want.Relations = nil
		}
		for _, path := range []string{path, file(t, "town.osm", xmlBytes(t, town()))} {
			got, _, err := load(t, path, opt)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %+v: got %+v, %v", path, opt, got, err)
			}
		}
	}
}
