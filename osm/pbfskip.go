package osm

// peekSize is how much of a block is unpacked to see whether to go on; many
// string tables end within it.
const peekSize = 2 << 10

// groupHead is the most bytes the start of a group takes: its field and its
// length, and the first field in it with its length.
const groupHead = 16

// groupTail is the most bytes that may follow the only group of a block: the
// two granularities, which some writers give though they have the usual
// values. An object with anything in it takes more.
const groupTail = 7

func (o *Options) skips() bool { return o.SkipNodes || o.SkipWays || o.SkipRelations }

// wantToSee returns how much of a data block must be unpacked to see the start
// of its first group.
func wantToSee(raw []byte) int {
	if end := tableEnd(raw); end > 0 {
		return end + groupHead
	}
	return 0
}

// tableEnd returns where the string table ends that a block starts with, 0 where
// it does not start with one.
func tableEnd(raw []byte) int {
	if len(raw) == 0 || raw[0] != 1<<3|wireBytes {
		return 0
	}
	size, i := uvarint(raw, 1)
	if i < 0 || size > maxBlob {
		return 0
	}
	return i + int(size)
}

// skipsBlock reports whether all of a data block of size bytes is skipped,
// judging by its first bytes: a string table and one group up to the end,
// whose first object is of a kind that is skipped (a group holds one kind
// only, says the format). What does not look like that is not skipped here.
func (o *Options) skipsBlock(raw []byte, size int) bool {
	end := tableEnd(raw)
	if end == 0 || len(raw) < end+groupHead || raw[end] != 2<<3|wireBytes {
		return false
	}
	length, i := uvarint(raw, end+1)
	if i < 0 || length > uint64(size-i) || uint64(size-i)-length > groupTail {
		return false
	}
	switch raw[i] {
	case 1<<3 | wireBytes, 2<<3 | wireBytes:
		return o.SkipNodes
	case 3<<3 | wireBytes:
		return o.SkipWays
	case 4<<3 | wireBytes:
		return o.SkipRelations
	}
	return false
}
