package geo

// Hilbert returns the place of a position along a Hilbert curve over the globe,
// 32 bits a side: near positions mostly have near numbers (Hamilton 2006,
// "Compact Hilbert indices").
func Hilbert(f Fixed) uint64 {
	const side = 1<<32 - 1
	x := uint32((uint64(int64(f.Lon)+1_800_000_000) * side) / 3_600_000_000)
	y := uint32((uint64(int64(f.Lat)+900_000_000) * side) / 1_800_000_000)
	return HilbertCell(x, y, 32)
}

// HilbertCell returns the place of cell x, y along the curve over a square of
// 1<<order cells a side; order is at most 32.
func HilbertCell(x, y uint32, order int) uint64 {
	var d uint64
	for s := uint32(1) << (order - 1); s > 0; s >>= 1 {
		var rx, ry uint32
		if x&s != 0 {
			rx = 1
		}
		if y&s != 0 {
			ry = 1
		}
		d += uint64(s) * uint64(s) * uint64((3*rx)^ry)
		if ry == 0 {
			if rx == 1 {
				x, y = s-1-x&(s-1), s-1-y&(s-1)
			}
			x, y = y, x
		}
	}
	return d
}
