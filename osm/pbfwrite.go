package osm

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/klauspost/compress/zlib"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/waygate/waygate/geo"
)

const (
	generator     = "waygate"
	objectsABlock = 8000
	// wantedBlob is the size up to which the format wants writers to keep the
	// contents of a block.
	wantedBlob = 16 << 20
)

// WritePBF writes data as .osm.pbf: nodes, ways, relations in this order and
// each sorted by id, dense nodes, zlib. Equal data gives equal bytes. Node
// positions must lie on the globe, member kinds must be known.
func WritePBF(w io.Writer, data *Data) error {
	p := pbfWriter{w: w}
	if err := p.blob(typeHeader, encodeHeader(data)); err != nil {
		return err
	}
	nodes := sorted(data.Nodes, func(n *Node) int64 { return n.ID })
	ways := sorted(data.Ways, func(w *Way) int64 { return w.ID })
	relations := sorted(data.Relations, func(r *Relation) int64 { return r.ID })
	if err := writeRuns(&p, nodes, encodeDense); err != nil {
		return err
	}
	if err := writeRuns(&p, ways, encodeWays); err != nil {
		return err
	}
	return writeRuns(&p, relations, encodeRelations)
}

// sorted gives pointers to the objects by id; equal ids keep their order.
func sorted[T any](objects []T, id func(*T) int64) []*T {
	list := make([]*T, len(objects))
	for i := range objects {
		list[i] = &objects[i]
	}
	slices.SortStableFunc(list, func(a, b *T) int { return cmp.Compare(id(a), id(b)) })
	return list
}

// writeRuns writes one kind of object in blocks, halving a run whose block
// would be too large.
func writeRuns[T any](p *pbfWriter, objects []*T, encode func([]*T) ([]byte, error)) error {
	for run := range slices.Chunk(objects, objectsABlock) {
		if err := writeRun(p, run, encode); err != nil {
			return err
		}
	}
	return nil
}

func writeRun[T any](p *pbfWriter, run []*T, encode func([]*T) ([]byte, error)) error {
	raw, err := encode(run)
	if err != nil {
		return err
	}
	if len(raw) > wantedBlob && len(run) > 1 {
		half := len(run) / 2
		if err := writeRun(p, run[:half], encode); err != nil {
			return err
		}
		return writeRun(p, run[half:], encode)
	}
	return p.blob(typeData, raw)
}

type pbfWriter struct {
	w    io.Writer
	zlib *zlib.Writer
	buf  bytes.Buffer
}

// blob writes one file block.
func (p *pbfWriter) blob(kind string, raw []byte) error {
	if len(raw) > maxBlob {
		return fmt.Errorf("a block of %d bytes, the limit is %d: an object is too large", len(raw), maxBlob)
	}
	p.buf.Reset()
	if p.zlib == nil {
		p.zlib = zlib.NewWriter(&p.buf)
	} else {
		p.zlib.Reset(&p.buf)
	}
	if _, err := p.zlib.Write(raw); err != nil {
		return err
	}
	if err := p.zlib.Close(); err != nil {
		return err
	}
	body := appendNumber(nil, 2, uint64(len(raw)))
	body = appendBytes(body, 3, p.buf.Bytes())
	head := appendBytes(nil, 1, []byte(kind))
	head = appendNumber(head, 3, uint64(len(body)))
	out := binary.BigEndian.AppendUint32(nil, uint32(len(head)))
	out = append(out, head...)
	out = append(out, body...)
	_, err := p.w.Write(out)
	return err
}

func appendNumber(b []byte, field protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
}

func appendSigned(b []byte, field protowire.Number, v int64) []byte {
	return appendNumber(b, field, protowire.EncodeZigZag(v))
}

func appendBytes(b []byte, field protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), v)
}

// appendList appends a packed list, or nothing for an empty one.
func appendList(b []byte, field protowire.Number, packed []byte) []byte {
	if len(packed) == 0 {
		return b
	}
	return appendBytes(b, field, packed)
}

func appendDelta(b []byte, v int64, last *int64) []byte {
	b = protowire.AppendVarint(b, protowire.EncodeZigZag(v-*last))
	*last = v
	return b
}

func encodeHeader(data *Data) []byte {
	var b []byte
	if box := data.bounds(); !box.Empty() {
		nano := func(deg float64) int64 { return int64(math.Round(deg * 1e9)) }
		var bb []byte
		bb = appendSigned(bb, 1, nano(box.Min.Lon))
		bb = appendSigned(bb, 2, nano(box.Max.Lon))
		bb = appendSigned(bb, 3, nano(box.Max.Lat))
		bb = appendSigned(bb, 4, nano(box.Min.Lat))
		b = appendBytes(b, 1, bb)
	}
	b = appendBytes(b, 4, []byte(featureSchema))
	b = appendBytes(b, 4, []byte(featureDense))
	b = appendBytes(b, 5, []byte(featureSorted))
	b = appendBytes(b, 16, []byte(generator))
	if !data.Timestamp.IsZero() {
		b = appendNumber(b, 32, uint64(data.Timestamp.Unix()))
	}
	return b
}

// bounds returns the declared area or the box of all nodes.
func (d *Data) bounds() geo.Bounds {
	if d.Bounds != (geo.Bounds{}) {
		return d.Bounds
	}
	var around geo.Extent
	for i := range d.Nodes {
		n := &d.Nodes[i]
		around.Add(geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point())
	}
	return around.Bounds()
}

// stringTable numbers the strings of a block. Entry 0 is the empty string,
// which the dense list of tags needs as its mark.
type stringTable struct {
	index map[string]uint64
	count []int
	list  []string
}

func (t *stringTable) add(s string) {
	if t.index == nil {
		t.index = map[string]uint64{}
	}
	i, ok := t.index[s]
	if !ok {
		i = uint64(len(t.list))
		t.index[s] = i
		t.list = append(t.list, s)
		t.count = append(t.count, 0)
	}
	t.count[i]++
}

func (t *stringTable) addTags(tags Tags) {
	for i := range tags {
		t.add(tags[i].Key)
		t.add(tags[i].Value)
	}
}

// seal numbers the strings, the frequent ones first so that their numbers are
// short, and gives the encoded table. Index 0 is kept for the delimiter, also
// where a tag holds an empty string.
func (t *stringTable) seal() []byte {
	order := slices.Clone(t.list)
	slices.SortFunc(order, func(a, b string) int {
		return cmp.Or(cmp.Compare(t.count[t.index[b]], t.count[t.index[a]]), cmp.Compare(a, b))
	})
	b := appendBytes(nil, 1, nil)
	for i, s := range order {
		b = appendBytes(b, 1, []byte(s))
		t.index[s] = uint64(i + 1)
	}
	return b
}

func encodeBlock(table, group []byte) []byte {
	b := appendBytes(nil, 1, table)
	return appendBytes(b, 2, group)
}
