package laz

import "math/bits"

// wholeBits is how many of the bits of a correction have a model; the rest of a larger
// one is coded as it is.
const wholeBits = 8

// integer codes numbers as corrections of their predictions: first in which power of
// two the correction lies, by a context of the caller's, and then which one it is.
type integer struct {
	width   int // of the numbers in bits: 8, 16 or 32
	k       uint32
	class   []model // by context
	correct []model // by k, from 1
	zero    bitModel
}

func newInteger(width, contexts int) integer {
	i := integer{width: width, class: make([]model, contexts), correct: make([]model, width)}
	for j := range i.class {
		i.class[j].symbols = uint32(width) + 1
	}
	for j := range i.correct {
		i.correct[j].symbols = 1 << min(j+1, wholeBits)
	}
	i.zero.reset()
	return i
}

func (i *integer) reset() {
	i.k = 0
	unready(i.class)
	unready(i.correct)
	i.zero.reset()
}

// unready makes models start anew when they are next used.
func unready(models []model) {
	for i := range models {
		models[i].ready = false
	}
}

// code codes a number.
func (i *integer) code(c *coder, predicted, actual int32, context int) int32 {
	var correction int32
	if c.encoding {
		correction = actual - predicted
		if i.width < 32 {
			correction = correction << (32 - i.width) >> (32 - i.width)
		}
		i.put(c, correction, &i.class[context])
		return actual
	}
	actual = predicted + i.get(c, &i.class[context])
	if i.width < 32 {
		actual &= 1<<i.width - 1
	}
	return actual
}

func (i *integer) put(c *coder, v int32, class *model) {
	// k is the least for which v lies between -(2^k - 1) and 2^k.
	size := uint32(-v)
	if v > 0 {
		size = uint32(v - 1)
	}
	i.k = uint32(bits.Len32(size))
	c.symbol(class, i.k)
	switch {
	case i.k == 0:
		c.bit(&i.zero, uint32(v))
		return
	case i.k == 32:
		return
	case v < 0:
		v += 1<<i.k - 1
	default:
		v--
	}
	if i.k <= wholeBits {
		c.symbol(&i.correct[i.k-1], uint32(v))
		return
	}
	low := int(i.k) - wholeBits
	c.symbol(&i.correct[i.k-1], uint32(v)>>low)
	c.bits(low, uint32(v)&(1<<low-1))
}

func (i *integer) get(c *coder, class *model) int32 {
	i.k = c.symbol(class, 0)
	if i.k == 0 {
		return int32(c.bit(&i.zero, 0))
	}
	if i.k == 32 {
		return -1 << 31
	}
	v := c.symbol(&i.correct[i.k-1], 0)
	if i.k > wholeBits {
		low := int(i.k) - wholeBits
		v = v<<low | c.bits(low, 0)
	}
	if v >= 1<<(i.k-1) {
		return int32(v + 1)
	}
	return int32(v) - (1<<i.k - 1)
}

// median is the median of the last differences, kept by replacing the largest and the
// smallest of five in turn.
type median struct {
	of   [5]int32
	high bool // the next one replaces the largest
}

func (m *median) get() int32 { return m.of[2] }

func (m *median) add(v int32) {
	a := &m.of
	if m.high {
		switch {
		case v < a[0]:
			a[0], a[1], a[2], a[3], a[4] = v, a[0], a[1], a[2], a[3]
		case v < a[1]:
			a[1], a[2], a[3], a[4] = v, a[1], a[2], a[3]
		case v < a[2]:
			a[2], a[3], a[4] = v, a[2], a[3]
		case v < a[3]:
			a[3], a[4] = v, a[3]
			m.high = false
		default:
			a[4] = v
			m.high = false
		}
		return
	}
	switch {
	case v > a[4]:
		a[0], a[1], a[2], a[3], a[4] = a[1], a[2], a[3], a[4], v
	case v > a[3]:
		a[0], a[1], a[2], a[3] = a[1], a[2], a[3], v
	case v > a[2]:
		a[0], a[1], a[2] = a[1], a[2], v
	case v > a[1]:
		a[0], a[1] = a[1], v
		m.high = true
	default:
		a[0] = v
		m.high = true
	}
}

func resetMedians(m []median) {
	for i := range m {
		m[i] = median{high: true}
	}
}
