package osm

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

func zlibBytes(t *testing.T, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPBFRefused(t *testing.T) {
	words := []string{"", "a"}
	head := rawFile(plain)
	data := func(block []byte) []byte { return rawFile(plain, block) }
	way := appendNumber(nil, 1, 7)
	dense := func(fields ...[]byte) []byte {
		var b []byte
		for i, f := range fields {
			b = appendList(b, []protowire.Number{1, 8, 9, 10}[i], f)
		}
		return data(block(words, 2, b, nil))
	}
	one := packedSigned(1)
	packed := zlibBytes(t, []byte("some contents that pack"))
	zipped := func(size uint64, z []byte) []byte {
		return append(head[:len(head):len(head)], frame(typeData, appendBytes(appendNumber(nil, 2, size), 3, z))...)
	}
	bad := bytes.Clone(packed)
	bad[len(bad)-1]++ // of the checksum
	blobOf := func(size uint64) []byte {
		h := appendNumber(appendBytes(nil, 1, []byte(typeData)), 3, size)
		return append(append(head[:len(head):len(head)], binary.BigEndian.AppendUint32(nil, uint32(len(h)))...), h...)
	}
	for name, c := range map[string]struct {
		in   []byte
		want string
	}{
		"history":             {rawFile(features(featureSchema, featureHistory)), "file block at byte 0: it is a history file"},
		"unknown feature":     {rawFile(features(featureSchema, "Teleport")), `requires the feature "Teleport"`},
		"no schema":           {rawFile(nil), "does not name the feature OsmSchema-V0.6"},
		"no header":           {frame(typeData, nil), `the first block is of type "OSMData"`},
		"two headers":         {append(head[:len(head):len(head)], head...), "file block at byte 47: a second header"},
		"huge header":         {append(head[:len(head):len(head)], 0, 1, 0, 1), "65537 bytes, the limit is 65536"},
		"negative header":     {append(head[:len(head):len(head)], 0xff, 0xff, 0xff, 0xff), "4294967295 bytes, the limit is 65536"},
		"huge blob":           {blobOf(maxBlob + 1), "33554433 bytes, the limit is 33554432"},
		"negative blob":       {blobOf(1<<64 - 1), "its contents have -1 bytes"},
		"blob past the end":   {blobOf(maxBlob), "file block at byte 47: the file is cut short: this block ends at byte 33554497, the file at"},
		"lz4":                 {append(head[:len(head):len(head)], frame(typeData, appendBytes(appendNumber(nil, 2, 1), 6, one))...), "packed with lz4, which is not supported"},
		"empty blob":          {append(head[:len(head):len(head)], frame(typeData, nil)...), "no contents"},
		"zlib without size":   {append(head[:len(head):len(head)], frame(typeData, appendBytes(nil, 3, packed))...), "have -1 bytes"},
		"zlib bomb":           {zipped(maxBlob, packed), "bytes of zlib cannot hold the stated 33554432"},
		"zlib too short":      {zipped(24, packed), "cut short inside the zlib data"},
		"zlib too long":       {zipped(22, packed), "more than the stated 22 bytes"},
		"zlib checksum":       {zipped(23, bad), "bad zlib data: zlib: invalid checksum"},
		"no zlib":             {zipped(23, []byte("nonsense")), "bad zlib data: zlib: invalid header"},
		"bad varint":          {data([]byte{0x80, 0x80}), "no valid protobuf field at byte 0"},
		"field past the end":  {data([]byte{2<<3 | 2, 9, 0}), "field 2 at byte 0 runs past the end"},
		"group wire type":     {data([]byte{2<<3 | 3}), "unknown wire type 3"},
		"wrong wire type":     {data([]byte{2 << 3, 9}), "field 2 has wire type 0, not 2"},
		"granularity 0":       {data(appendNumber(nil, 17, 0)), "granularity is 0"},
		"granularity below 0": {data(appendNumber(nil, 17, 1<<64-100)), "granularity is -100"},
		"offset":              {data(appendNumber(nil, 19, 1<<62)), "offsets 4611686018427387904, 0 are outside"},
		"string index":        {data(block(words, 3, appendBytes(appendBytes(way, 2, []byte{1}), 3, []byte{2}), nil)), "way 7: string 2 of a table of 2"},
		"keys without values": {data(block(words, 3, appendBytes(way, 2, []byte{1}), nil)), "way 7: its lists of keys and values"},
		"values without keys": {data(block(words, 3, appendBytes(way, 3, []byte{1}), nil)), "way 7: its lists of keys and values"},
		"cut reference":       {data(block(words, 3, appendBytes(way, 8, []byte{1, 0x80}), nil)), "way 7: a node reference is cut short"},
		"list in parts":       {data(block(words, 3, appendBytes(appendBytes(way, 8, one), 8, one), nil)), "list in several parts"},
		"unpacked list":       {data(block(words, 3, appendNumber(way, 8, 1), nil)), "field 8 has wire type 0, not 2"},
		"member kind":         {data(block(words, 4, appendBytes(appendBytes(appendBytes(way, 8, []byte{0}), 9, one), 10, []byte{3}), nil)), "relation 7: a member of the unknown kind 3"},
		"member role":         {data(block(words, 4, appendBytes(appendBytes(appendBytes(way, 8, []byte{5}), 9, one), 10, []byte{1}), nil)), "relation 7: string 5"},
		"member lists":        {data(block(words, 4, appendBytes(appendBytes(way, 8, []byte{0}), 9, one), nil)), "relation 7: its lists of roles"},
		"dense counts":        {dense(one, one), "1 ids, 1 latitudes and 0 longitudes"},
		"dense tags short":    {dense(one, one, one, []byte{1}), "node 1: its list of tags is cut short"},
		"dense tags long":     {dense(one, one, one, []byte{0, 0}), "list of tags has more than the nodes"},
		"dense tags few":      {dense(packedSigned(1, 1), packedSigned(0, 0), packedSigned(0, 0), []byte{0}), "list of tags ends before node 2"},
		"dense tag index":     {dense(one, one, one, []byte{1, 2, 0}), "node 1: string 2"},
		"dense long number":   {dense(bytes.Repeat([]byte{0xff}, 11), one, one), "0 ids, 1 latitudes"},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t, "x.pbf", c.in)
			_, _, err := load(t, path, Options{})
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), path+": ") {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// packings of one town, by the name of the file.
func packings(t *testing.T) map[string][]byte {
	t.Helper()
	d := town()
	x := xmlBytes(t, d)
	return map[string][]byte{
		"town.osm.pbf": pbfBytes(t, d), "town.osm": x, "town.osm.gz": gzipBytes(t, x), "town.osm.bz2": townBzip2(t),
	}
}

// Wherever a file is cut, the scan must say so, save where what is left is
// whole: a PBF cut between blocks, XML cut behind its end.
func TestTruncation(t *testing.T) {
	for name, whole := range packings(t) {
		t.Run(name, func(t *testing.T) {
			ends := map[int]bool{}
			if strings.HasSuffix(name, ".pbf") {
				f := frames{r: bytes.NewReader(whole), size: -1}
				for {
					if _, _, err := f.next(nil); err != nil {
						break
					}
					ends[int(f.offset)] = true
				}
			} else if name == "town.osm" {
				ends[len(whole)-1] = true // only the last line end is lost
			}
			step := 1
			if len(whole) > 400 {
				step = 5
			}
			for n := 0; n < len(whole); n += step {
				_, _, err := load(t, file(t, name, whole[:n]), Options{Workers: 1})
				if (err == nil) != ends[n] {
					t.Errorf("cut at byte %d of %d: error %v", n, len(whole), err)
				}
			}
		})
	}
}

func TestBitFlips(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, whole := range packings(t) {
		t.Run(name, func(t *testing.T) {
			failed := 0
			for range 100 {
				b := bytes.Clone(whole)
				for range 1 + random.IntN(3) {
					b[random.IntN(len(b))] ^= 1 << random.IntN(8)
				}
				if _, _, err := load(t, file(t, name, b), Options{Workers: 1}); err != nil {
					failed++
				}
			}
			if failed == 0 {
				t.Error("no damage was noticed")
			}
		})
	}
}

// Damage that a checksum would notice must not get past the decoder either.
func TestBitFlipsOfUnpackedBlocks(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	d := town()
	var blocks [][]byte
	for _, encode := range []func() ([]byte, error){
		func() ([]byte, error) { return encodeDense(sorted(d.Nodes, func(n *Node) int64 { return n.ID })) },
		func() ([]byte, error) { return encodeWays(sorted(d.Ways, func(w *Way) int64 { return w.ID })) },
		func() ([]byte, error) {
			return encodeRelations(sorted(d.Relations, func(r *Relation) int64 { return r.ID }))
		},
	} {
		b, err := encode()
		if err != nil {
			t.Fatal(err)
		}
		blocks = append(blocks, b)
	}
	failed := 0
	for range 5000 {
		b := bytes.Clone(blocks[random.IntN(len(blocks))])
		for range 1 + random.IntN(4) {
			b[random.IntN(len(b))] ^= 1 << random.IntN(8)
		}
		var s space
		if err := new(blockDecoder).decode(b, &s); err != nil {
			failed++
		}
	}
	if failed == 0 {
		t.Error("no damage was noticed")
	}
}
