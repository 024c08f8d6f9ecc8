package graph

import (
	"fmt"
	"math"
)

// TooLargeError is the error of a network that has more of something than the numbers in
// which a region counts it can distinguish.
type TooLargeError struct {
	What         string // in the plural: nodes, edges
	Count, Limit int
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the network has %d %s or more, and one region holds at most %d: import parts of it as several regions", e.Count, e.What, e.Limit)
}

// MostNumbers is how many things numbers of 32 bits can distinguish, besides None
// and one more that arrays of offsets need for their end.
const MostNumbers = math.MaxUint32 - 1

// mostLimits is how many records of limits 16 bits can distinguish, besides Turn.When's
// AtTimes.
const mostLimits = math.MaxUint16

// CheckLimit gives a TooLargeError where there is more of something than the limit.
func CheckLimit(what string, count, limit int) error {
	if count > limit {
		return &TooLargeError{what, count, limit}
	}
	return nil
}

// fits checks what was added to a builder against its limit.
func (b *Builder) fits() error {
	text := 0
	for _, t := range b.texts.texts {
		text += len(t)
	}
	if err := CheckLimit("records of limits", len(b.limitAll), mostLimits); err != nil {
		return err
	}
	return b.fit(
		amount{"nodes", len(b.nodes)},
		amount{"edges", 2 * len(b.segments)},
		amount{"points of lines", len(b.shapes)},
		amount{"bytes of node numbers", len(b.shapeNodes.Code)},
		amount{"bytes of names", text},
		amount{"attributes", len(b.sets.pairs)},
	)
}

// amount is how much there is of something.
type amount struct {
	what  string
	count int
}

func (b *Builder) fit(all ...amount) error {
	limit := MostNumbers
	if b.most > 0 {
		limit = b.most
	}
	for _, a := range all {
		if err := CheckLimit(a.what, a.count, limit); err != nil {
			return err
		}
	}
	return nil
}
