package osm

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// spaces45 are 45 million spaces, and rootTag is <osm version="0.6">, both
// packed with bzip2.
const (
	spaces45 = "QlpoOTFBWSZTWUYu4qMBWKsQIMAAEAAACCAAMMwFKaZSSFJsVJIUni7kinChIIxdxUY="
	rootTag  = "QlpoOTFBWSZTWYsSGO8AAAMZgFABQQcCI5kAIAAihptQyPIUwAE0jYDjkslYn5WlQu5IpwoSEWJDHeA="
)

// skipped scans a file and gives what was left out.
func skipped(t *testing.T, path string, opt Options) (list []Skip, d *Data) {
	t.Helper()
	d = &Data{}
	if _, err := Scan(t.Context(), path, opt, func(b *Block) error {
		list = append(list, b.Skipped...)
		d.add(b)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return list, d
}

// A node off the globe is left out and reported, and so is a tag longer than
// OpenStreetMap allows; what stands beside them is read.
func TestSkipped(t *testing.T) {
	long := strings.Repeat("x", maxText+1)
	dense := func(fields ...[]byte) []byte {
		var b []byte
		for i, f := range fields {
			b = appendList(b, []protowire.Number{1, 8, 9, 10}[i], f)
		}
		return block([]string{"", "highway", "stop", long}, 2, b, nil)
	}
	ids, good := packedSigned(1, 1, 1), packedSigned(1, 0, 0)
	plainNode := func(lat uint64) []byte {
		return block([]string{""}, 1, appendNumber(appendNumber(appendNumber(nil, 1, 4), 8, lat), 9, 2), nil)
	}
	for name, c := range map[string]struct {
		in    []byte
		skips []Skip
		nodes int
	}{
		"dense latitude":  {rawFile(plain, dense(ids, packedSigned(1, 900_000_001, -900_000_001), good)), []Skip{{KindNode, 2, OffGlobe}}, 2},
		"dense longitude": {rawFile(plain, dense(ids, good, packedSigned(1_800_000_001, -1_800_000_001, 0))), []Skip{{KindNode, 1, OffGlobe}}, 2},
		"overflow":        {rawFile(plain, dense(ids, packedSigned(math.MinInt64, math.MinInt64, 0), good)), []Skip{{KindNode, 1, OffGlobe}}, 2},
		"ids overflow":    {rawFile(plain, dense(packedSigned(math.MaxInt64, 1, -1), good, good)), nil, 3},
		"all of a block":  {rawFile(plain, plainNode(1<<40)), []Skip{{KindNode, 2, OffGlobe}}, 0},
		"long tag":        {rawFile(plain, dense(ids, good, good, []byte{1, 2, 0, 1, 3, 1, 2, 0, 0})), []Skip{{KindNode, 2, LongTag}}, 3},
		"XML": {[]byte("<osm version='0.6'><node id='1' lat='90.00000005' lon='2'/><node id='2' lat='1' lon='-1e3'/><node id='3' lat='1' lon='2'><tag k='a' v='" + long +
			"'/><tag k='b' v='c'/></node><node id='4' lat='1e30' lon='2' visible='false'/></osm>"), []Skip{{KindNode, 1, OffGlobe}, {KindNode, 2, OffGlobe}, {KindNode, 3, LongTag}}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			list, d := skipped(t, file(t, "x.pbf", c.in), Options{})
			if !slices.Equal(list, c.skips) || len(d.Nodes) != c.nodes {
				t.Errorf("skipped %v, want %v; %d nodes, want %d", list, c.skips, len(d.Nodes), c.nodes)
			}
			for _, n := range d.Nodes {
				for _, tag := range n.Tags {
					if len(tag.Value) > maxText {
						t.Errorf("node %d has a tag of %d bytes", n.ID, len(tag.Value))
					}
				}
			}
		})
	}
}

// allocated returns the bytes that are allocated while work runs.
func allocated(work func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// Blobs of a few kilobytes that unpack to megabytes of nothing take no more
// memory than they unpack to, and no more than so many of them are unpacked.
func TestBlobsOfNothing(t *testing.T) {
	const size = 8 << 20
	fill := func(element ...byte) []byte { return bytes.Repeat(element, size/len(element)) }
	inGroup := func(b []byte) []byte { return appendBytes(appendBytes(nil, 1, appendBytes(nil, 1, nil)), 2, b) }
	for name, c := range map[string]struct {
		block []byte
		most  int64 // bytes allocated for each byte of one block
		want  string
	}{
		"empty groups":  {fill(2<<3|2, 0), 4, ""},
		"empty strings": {appendBytes(appendBytes(nil, 1, fill(1<<3|2, 0)), 2, []byte{3<<3 | 2, 2, 1 << 3, 7}), 60, ""},
		"empty ways":    {inGroup(fill(3<<3|2, 0)), 60, "more than 1048576 objects"},
		"relations":     {inGroup(fill(4<<3|2, 0)), 60, "more than 1048576 objects"},
		"references":    {inGroup(appendBytes(nil, 3, appendBytes(nil, 8, fill(2)))), 20, ""},
		"many references": {
			inGroup(slices.Concat(appendBytes(nil, 3, appendBytes(nil, 8, fill(2))), appendBytes(nil, 3, appendBytes(nil, 8, fill(2))), appendBytes(nil, 3, appendBytes(nil, 8, fill(2))))),
			20, "take more than 128 MB",
		},
		"members": {inGroup(appendBytes(nil, 4, slices.Concat(appendBytes(nil, 8, fill(0)), appendBytes(nil, 9, fill(2)), appendBytes(nil, 10, fill(0))))), 20, "more than 2097152 relation members"},
		"tags":    {inGroup(appendBytes(nil, 3, slices.Concat(appendBytes(nil, 2, fill(0)), appendBytes(nil, 3, fill(0))))), 20, "way 0: more than 4194304 tags"},
		"objects and tags": {
			inGroup(slices.Concat(bytes.Repeat([]byte{3<<3 | 2, 0}, 900_000), appendBytes(nil, 3, slices.Concat(appendBytes(nil, 2, make([]byte, 4<<20)), appendBytes(nil, 3, make([]byte, 4<<20)))))),
			40, "take more than 128 MB",
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t, "x.pbf", append(rawFile(plain), frame(typeData, appendBytes(appendNumber(nil, 2, uint64(len(c.block))), 3, zlibBytes(t, c.block)))...))
			var err error
			took := allocated(func() { _, err = Scan(t.Context(), path, Options{Workers: 1}, func(*Block) error { return nil }) })
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if most := c.most * int64(len(c.block)); took > most {
				t.Errorf("%d bytes allocated for a block of %d, want at most %d", took, len(c.block), most)
			}
		})
	}
}

// Many blobs that each unpack to a thousand times their size are refused
// before they have been.
func TestBombs(t *testing.T) {
	nothing := bytes.Repeat([]byte{2<<3 | 2, 0}, 4<<20)
	blob := frame(typeData, appendBytes(appendNumber(nil, 2, uint64(len(nothing))), 3, zlibBytes(t, nothing)))
	var gz bytes.Buffer
	z := gzip.NewWriter(&gz)
	_, _ = fmt.Fprint(z, `<osm version="0.6">`)
	for range 100 {
		if _, err := z.Write(bytes.Repeat([]byte{' '}, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	text := func(s string) []byte {
		b, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for name, c := range map[string][]byte{
		"zlib":  append(rawFile(plain), bytes.Repeat(blob, 50)...),
		"gzip":  gz.Bytes(),
		"bzip2": slices.Concat(text(rootTag), text(spaces45), text(spaces45)),
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			took := allocated(func() { _, _, err = load(t, file(t, "bomb", c), Options{Workers: 1}) })
			if err == nil || !strings.Contains(err.Error(), "over 100 times as much: that is no OpenStreetMap data") {
				t.Errorf("error %v", err)
			}
			if took > 64<<20 {
				t.Errorf("%d bytes allocated", took)
			}
		})
	}
}

// XML has no blocks: what one object may have is limited.
func TestLargeXMLObjects(t *testing.T) {
	text := strings.Repeat("v", maxText)
	for name, c := range map[string]struct{ element, part, want string }{
		"references": {"way", "<nd ref='1'/>", "way 7 has more than 1048576 tags"},
		"members":    {"relation", "<member type='way' ref='1' role=''/>", "relation 7 has more than 1048576 tags"},
		"texts":      {"node", "<tag k='a' v='" + text + "'/>", "node 7 has more than 16 MB of tags"},
		"roles":      {"relation", "<member type='way' ref='1' role='" + strings.Repeat("r", 100_000) + "'/>", "relation 7 has more than 16 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			more := min(1<<20+1, (40<<20)/len(c.part))
			b := []byte("<osm version='0.6'><" + c.element + " id='7' lat='1' lon='2'>" + strings.Repeat(c.part, more) + "</" + c.element + "></osm>")
			_, _, err := load(t, file(t, "x.osm", b), Options{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// The memory of an extraordinary block is let go with it.
func TestRecycle(t *testing.T) {
	var s space
	s.refs.take(keepable)
	s.block.Ways = append(s.block.Ways, Way{})
	s.recycle()
	if s.bytes() != 0 || cap(s.block.Ways) != 0 {
		t.Errorf("%d bytes are kept", s.bytes())
	}
	s.refs.take(10)
	s.recycle()
	if len(s.refs.chunks) == 0 {
		t.Error("an ordinary block's memory is let go")
	}
}

// Every object has a kind that XML names.
func TestKinds(t *testing.T) {
	if got := slices.Sorted(maps.Values(kinds)); !slices.Equal(got, []Kind{KindNode, KindWay, KindRelation}) {
		t.Errorf("%v", got)
	}
}
