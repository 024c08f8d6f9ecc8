package copc

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"slices"

	"github.com/waygate/waygate/pointcloud"
	"github.com/waygate/waygate/pointcloud/las"
)

// extraBytes is the record of LASF_Spec that describes the extra bytes of points.
const extraBytes = 4

// together returns the header of the first of several files, with the format, the scales and
// the offsets that all their points fit into. It refuses files whose points cannot be in one.
func (w *writer) together(all []*las.Header) (*las.Header, error) {
	h := *all[0]
	if len(all) == 1 {
		return &h, nil
	}
	crs := h.ReadCRS()
	described := h.Find("LASF_Spec", extraBytes)
	timed := -1 // the first file whose points have times
	if las.TimeAt(h.Format) > 0 {
		timed = 0
	}
	for i, one := range all[1:] {
		n := i + 2
		switch own := one.ReadCRS(); {
		case w.o.WKT == "" && !sameSystem(crs.Horizontal, own.Horizontal):
			return nil, fmt.Errorf("file %d has the horizontal system %q EPSG:%d, file 1 has %q EPSG:%d; give the one of all", n, own.Horizontal.Name, own.Horizontal.EPSG, crs.Horizontal.Name, crs.Horizontal.EPSG)
		case w.o.WKT == "" && !sameSystem(crs.Vertical, own.Vertical):
			return nil, fmt.Errorf("file %d has the vertical system %q EPSG:%d, file 1 has %q EPSG:%d; give the one of all", n, own.Vertical.Name, own.Vertical.EPSG, crs.Vertical.Name, crs.Vertical.EPSG)
		case timed >= 0 && las.TimeAt(one.Format) > 0 && one.StandardTime() != h.StandardTime():
			return nil, fmt.Errorf("file %d and file %d have times of different kinds: seconds of a week and standard GPS time", n, timed+1)
		case one.Extra() != h.Extra() || !bytes.Equal(one.Find("LASF_Spec", extraBytes), described):
			return nil, fmt.Errorf("file %d has %d extra bytes a point and file 1 has %d, or they mean something else", n, one.Extra(), h.Extra())
		}
		if timed < 0 && las.TimeAt(one.Format) > 0 {
			timed = i + 1
			h.GlobalEncoding = h.GlobalEncoding&^1 | one.GlobalEncoding&1
		}
		extra := h.Extra()
		h.Format = widest(h.Format, one.Format)
		h.RecordSize = las.FormatSize(h.Format) + extra
		for axis := range 3 {
			h.Scale[axis] = min(math.Abs(h.Scale[axis]), math.Abs(one.Scale[axis]))
		}
	}
	return &h, fit(&h, all)
}

// sameSystem compares systems by code, or by name and unit where a file has no code.
func sameSystem(a, b las.System) bool {
	if a.EPSG != 0 && b.EPSG != 0 {
		return a.EPSG == b.EPSG
	}
	return a == b
}

// widest returns the format, of 6 to 8, that has what two formats have.
func widest(a, b int) int {
	a, b = las.ExtendedFormat(a), las.ExtendedFormat(b)
	return max(a, b) // each has all of those before it
}

// fit moves the offsets of a header, where that is needed, so that coordinates of all files
// fit into 32 bits.
func fit(h *las.Header, all []*las.Header) error {
	for axis := range 3 {
		low, high := math.Inf(1), math.Inf(-1)
		for _, one := range all {
			if one.Points > 0 {
				low, high = min(low, one.Min[axis]), max(high, one.Max[axis])
			}
		}
		fits := func(offset float64) bool {
			return (low-offset)/h.Scale[axis] > math.MinInt32 && (high-offset)/h.Scale[axis] < math.MaxInt32
		}
		if fits(h.Offset[axis]) {
			continue
		}
		// By whole steps, so that the coordinates of the first file are not moved.
		middle := low + (high-low)/2
		h.Offset[axis] += math.Round((middle-h.Offset[axis])/h.Scale[axis]) * h.Scale[axis]
		if !fits(h.Offset[axis]) {
			return fmt.Errorf("%s is from %v to %v, which is too much for steps of %v", pointcloud.Axes[axis], low, high, h.Scale[axis])
		}
	}
	return nil
}

// regrid returns what changes the coordinates of a record of a file to steps of the file that
// is written; nil where these are the same.
func (w *writer) regrid(from *las.Header) func(rec []byte) error {
	to := w.header
	if from.Scale == to.Scale && from.Offset == to.Offset {
		return nil
	}
	return func(rec []byte) error {
		off := false
		for axis := range 3 {
			exact := (from.Coordinate(rec, axis) - to.Offset[axis]) / to.Scale[axis]
			step := math.Round(exact)
			if !(step >= math.MinInt32 && step <= math.MaxInt32) {
				return fmt.Errorf("a point has the %s %v, outside the bounds of its header", pointcloud.Axes[axis], from.Coordinate(rec, axis))
			}
			// Offsets of millions of metres in float64 are off by a millionth of a step.
			off = off || math.Abs(exact-step) > 1e-4
			binary.LittleEndian.PutUint32(rec[4*axis:], uint32(int32(step)))
		}
		if off {
			w.moved++
		}
		return nil
	}
}

// count counts points that are the same as another one of a part of the cloud. All that are
// at a place are in the same part.
func (w *writer) count(records []byte) {
	if !w.several {
		return
	}
	size := w.header.RecordSize
	sums := make([]uint64, 0, len(records)/size)
	for rec := records; len(rec) > 0; rec = rec[size:] {
		sums = append(sums, maphash.Bytes(w.seed, rec[:size]))
	}
	slices.Sort(sums)
	for i := 1; i < len(sums); i++ {
		if sums[i] == sums[i-1] {
			w.repeated++
		}
	}
}
