package network

// nodeNumber is the number of a node of travelled ways, in the order in which the files
// name them.
type nodeNumber uint32

// idIndex numbers OSM ids from 0 in the order they are added. It is a hash
// table with open addressing: a Go map of millions of ids takes three times
// the memory and the time.
type idIndex[N ~uint32] struct {
	slots []uint32 // number plus 1, 0 is free
	ids   []int64
}

func hashID(id int64) uint64 {
	x := uint64(id) * 0x9E3779B97F4A7C15
	return x ^ x>>29
}

// add returns the number of id, numbering it if it is new.
func (x *idIndex[N]) add(id int64) (n N, isNew bool) {
	if len(x.ids)*4 >= len(x.slots)*3 {
		x.grow()
	}
	mask := uint64(len(x.slots) - 1)
	for i := hashID(id) & mask; ; i = (i + 1) & mask {
		switch s := x.slots[i]; {
		case s == 0:
			x.ids = append(x.ids, id)
			x.slots[i] = uint32(len(x.ids))
			return N(len(x.ids) - 1), true
		case x.ids[s-1] == id:
			return N(s - 1), false
		}
	}
}

// find returns the number of id, or ok false.
func (x *idIndex[N]) find(id int64) (n N, ok bool) {
	if len(x.slots) == 0 {
		return 0, false
	}
	mask := uint64(len(x.slots) - 1)
	for i := hashID(id) & mask; ; i = (i + 1) & mask {
		s := x.slots[i]
		if s == 0 {
			return 0, false
		}
		if x.ids[s-1] == id {
			return N(s - 1), true
		}
	}
}

func (x *idIndex[N]) grow() {
	size := max(1024, 2*len(x.slots))
	x.slots = make([]uint32, size)
	mask := uint64(size - 1)
	for n, id := range x.ids {
		i := hashID(id) & mask
		for x.slots[i] != 0 {
			i = (i + 1) & mask
		}
		x.slots[i] = uint32(n + 1)
	}
}
