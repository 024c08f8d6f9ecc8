// Package null turns values that an answer may lack into pointers, which JSON writes as
// null where they are nil.
package null

import (
	"math"
	"time"
)

// IfZero returns nil for the zero value of a type, such as an empty text.
func IfZero[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// IfNaN returns nil for NaN, by which sources of measurements mean that they have none.
func IfNaN(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// UTC returns a time in UTC, and nil for the zero time.
func UTC(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
