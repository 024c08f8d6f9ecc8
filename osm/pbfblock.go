package osm

import (
	"errors"
	"fmt"
	"slices"
)

// Limits on what one block may hold. Writers put 8,000 objects in a block; the
// limits are far above that and only keep a damaged or hostile block from
// taking all memory (packed numbers take as little as a byte each). maxDecoded
// is in bytes and holds for all that is made of a block together.
const (
	maxDecoded = 128 << 20
	maxObjects = 1 << 20
	maxTags    = 1 << 22
	maxRefs    = 1 << 24
	maxMembers = 1 << 21
	maxStrings = 1 << 22
)

// blockDecoder turns the contents of data blocks into objects.
type blockDecoder struct {
	opt Options

	*space           // where the objects of the block at hand go
	table   []byte   // the block's string table as it is stored
	strings []string // the table cut into strings, once some object needs it
	tooLong bool     // some string of it is longer than maxText
	grid    grid
}

// decode reads a whole block into s. The strings it makes share one
// allocation.
func (d *blockDecoder) decode(raw []byte, s *space) error {
	s.reset()
	d.space = s
	d.table, d.strings, d.tooLong = nil, d.strings[:0], false
	granularity, lat, lon := int64(100), int64(0), int64(0)
	m := message{b: raw}
	for m.next() {
		switch m.field {
		case 1:
			if d.table != nil {
				return errors.New("two string tables")
			}
			d.table = m.bytes()
		case 17:
			granularity = int64(int32(m.varint()))
		case 19:
			lat = int64(m.varint())
		case 20:
			lon = int64(m.varint())
		}
	}
	if m.err != nil {
		return m.err
	}
	var err error
	if d.grid, err = newGrid(granularity, lat, lon); err != nil {
		return err
	}
	// The groups in a second walk: what they need may stand behind them.
	m = message{b: raw}
	for m.next() {
		if m.field != 2 {
			continue
		}
		if group := m.bytes(); m.err == nil {
			if err := d.group(group); err != nil {
				return err
			}
		}
	}
	return m.err
}

// room checks that n more values of size bytes each may be taken for the block.
func (d *blockDecoder) room(n int, size uintptr) error {
	if d.space.bytes()+int64(n)*int64(size) > maxDecoded {
		return fmt.Errorf("its objects take more than %d MB of memory", maxDecoded>>20)
	}
	return nil
}

func (d *blockDecoder) group(b []byte) error {
	m := message{b: b}
	for m.next() {
		var read func([]byte) error
		switch m.field {
		case 1:
			if !d.opt.SkipNodes {
				read = d.node
			}
		case 2:
			if !d.opt.SkipNodes {
				read = d.dense
			}
		case 3:
			if !d.opt.SkipWays {
				read = d.way
			}
		case 4:
			if !d.opt.SkipRelations {
				read = d.relation
			}
		}
		if read == nil {
			continue
		}
		data := m.bytes()
		if m.err != nil {
			break
		}
		if len(d.strings) == 0 {
			if err := d.cutTable(); err != nil {
				return err
			}
		}
		if err := read(data); err != nil {
			return err
		}
		if d.block.count() > maxObjects {
			return fmt.Errorf("more than %d objects", maxObjects)
		}
		if err := d.room(0, 0); err != nil {
			return err
		}
	}
	return m.err
}

// cutTable makes the strings of the block: one copy of the stored table, and
// slices of it. Entry 0 is there even where the file has no table, so that a
// cut table is never empty.
func (d *blockDecoder) cutTable() error {
	text := string(d.table)
	m := message{b: d.table}
	for m.next() {
		if m.field == 1 {
			n := len(m.bytes())
			if len(d.strings) == maxStrings {
				return fmt.Errorf("string table: more than %d strings", maxStrings)
			}
			d.strings = append(d.strings, text[m.i-n:m.i])
			d.tooLong = d.tooLong || n > maxText
		}
	}
	if m.err != nil {
		return fmt.Errorf("string table: %w", m.err)
	}
	if len(d.strings) == 0 {
		d.strings = append(d.strings, "")
	}
	return nil
}

func (d *blockDecoder) noString(i uint64) error {
	return fmt.Errorf("string %d of a table of %d", i, len(d.strings))
}

// readTags returns the tags of one object from two lists of indices.
func (d *blockDecoder) readTags(kind Kind, id int64, keys, values []byte) (Tags, error) {
	n := countVarints(keys)
	if d.tags.lent+n > maxTags {
		return nil, fmt.Errorf("more than %d tags in the block", maxTags)
	}
	if err := d.room(n, sizeOfTag); err != nil {
		return nil, err
	}
	tags := Tags(d.tags.take(n))
	i, j := 0, 0
	for t := range tags {
		var k, v uint64
		k, i = uvarint(keys, i)
		v, j = uvarint(values, j)
		if k >= uint64(len(d.strings)) {
			return nil, d.noString(k)
		}
		if v >= uint64(len(d.strings)) {
			return nil, d.noString(v)
		}
		tags[t] = Tag{d.strings[k], d.strings[v]}
	}
	if i != len(keys) || j != len(values) {
		return nil, errors.New("its lists of keys and values do not match")
	}
	return d.shortTags(kind, id, tags), nil
}

// shortTags leaves out tags whose key or value is longer than maxText, and those
// beyond maxTagsOfObject.
func (d *blockDecoder) shortTags(kind Kind, id int64, tags Tags) Tags {
	if len(tags) > maxTagsOfObject {
		d.block.skip(kind, id, ManyTags)
		tags = tags[:maxTagsOfObject]
	}
	if !d.tooLong {
		return tags
	}
	return slices.DeleteFunc(tags, func(t Tag) bool {
		long := len(t.Key) > maxText || len(t.Value) > maxText
		if long {
			d.block.skip(kind, id, LongTag)
		}
		return long
	})
}

// decodeInfo reads what matters of an object's metadata: its version (0 where
// there is none) and whether it exists.
func decodeInfo(b []byte) (version int32, visible bool, err error) {
	visible = true
	m := message{b: b}
	for m.next() {
		switch m.field {
		case 1:
			version = max(0, int32(m.varint()))
		case 6:
			visible = m.varint() != 0
		}
	}
	return version, visible, m.err
}
