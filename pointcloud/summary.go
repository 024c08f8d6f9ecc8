package pointcloud

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/waygate/waygate/pointcloud/las"
)

var le = binary.LittleEndian

// Axes are the names of the coordinates.
var Axes = [3]string{"x", "y", "z"}

// Summary has the figures of a header about all points, and more, counted from points.
type Summary struct {
	Points   int64
	Returns  [15]int64  // by number of return, from 1
	Classes  [256]int64 // by classification
	Min, Max [3]int32   // multiples of the scale
	// TimeMin and TimeMax are those of the points; infinite where none has a time.
	TimeMin, TimeMax float64

	h        *las.Header
	timeAt   int // in a record, 0 if it has none
	returnOf byte
	classAt  int
	classOf  byte
}

// NewSummary returns an empty summary of points with records as a header says.
func NewSummary(h *las.Header) *Summary {
	s := &Summary{h: h, timeAt: las.TimeAt(h.Format), TimeMin: math.Inf(1), TimeMax: math.Inf(-1)}
	s.returnOf, s.classAt, s.classOf = 7, 15, 31
	if h.Format >= 6 {
		s.returnOf, s.classAt, s.classOf = 15, 16, 255
	}
	for i := range 3 {
		s.Min[i], s.Max[i] = math.MaxInt32, math.MinInt32
	}
	return s
}

// Add counts a record.
func (s *Summary) Add(rec []byte) {
	s.Points++
	if r := rec[14] & s.returnOf; r > 0 {
		s.Returns[r-1]++
	}
	s.Classes[rec[s.classAt]&s.classOf]++
	for i := range 3 {
		v := int32(le.Uint32(rec[4*i:]))
		s.Min[i], s.Max[i] = min(s.Min[i], v), max(s.Max[i], v)
	}
	if s.timeAt > 0 {
		if t := math.Float64frombits(le.Uint64(rec[s.timeAt:])); t == t {
			s.TimeMin, s.TimeMax = min(s.TimeMin, t), max(s.TimeMax, t)
		}
	}
}

// Bounds returns the least and greatest coordinates; zeros if there are no points.
func (s *Summary) Bounds() (low, high [3]float64) {
	if s.Points == 0 {
		return low, high
	}
	for i := range 3 {
		a := float64(s.Min[i])*s.h.Scale[i] + s.h.Offset[i]
		b := float64(s.Max[i])*s.h.Scale[i] + s.h.Offset[i]
		low[i], high[i] = min(a, b), max(a, b)
	}
	return low, high
}

// Compare reports where a header claims something else. Files whose points all have the
// return number 0 exist; their headers count none.
func (s *Summary) Compare(h *las.Header) error {
	if s.Points != h.Points {
		return fmt.Errorf("there are %d points; the header claims %d", s.Points, h.Points)
	}
	if s.Points == 0 {
		return nil
	}
	low, high := s.Bounds()
	for i := range 3 {
		slack := math.Abs(h.Scale[i])
		if !(low[i] >= h.Min[i]-slack && high[i] <= h.Max[i]+slack) {
			return fmt.Errorf("points have %s from %v to %v; the header claims %v to %v", Axes[i], low[i], high[i], h.Min[i], h.Max[i])
		}
	}
	counted := 15
	if h.Minor < 4 {
		counted = 5
	}
	for i, n := range s.Returns[:counted] {
		if n != h.Returns[i] {
			return fmt.Errorf("points have %d returns with number %d; the header claims %d", n, i+1, h.Returns[i])
		}
	}
	return nil
}

// Summarise reads all points and counts them. progress is called with the points read so
// far.
func (f *File) Summarise(ctx context.Context, progress func(done int64)) (*Summary, error) {
	s := NewSummary(f.Header)
	err := f.Read(ctx, func(b []byte) error {
		for ; len(b) > 0; b = b[f.Header.RecordSize:] {
			s.Add(b)
		}
		progress(s.Points)
		return nil
	})
	return s, err
}
