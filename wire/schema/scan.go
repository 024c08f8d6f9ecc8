package schema

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"math"
	"strconv"
)

// cursor walks JSON text. Its methods report false where the text is not JSON
// and stand before what nothing fits.
type cursor struct {
	text []byte
	at   int
}

func (c *cursor) space() {
	for c.at < len(c.text) {
		switch c.text[c.at] {
		case ' ', '\n', '\r', '\t':
			c.at++
		default:
			return
		}
	}
}

// peek skips space and gives the character that comes next; 0 at the end.
func (c *cursor) peek() byte {
	c.space()
	if c.at < len(c.text) {
		return c.text[c.at]
	}
	return 0
}

// take takes a character if it comes next.
func (c *cursor) take(b byte) bool {
	if c.peek() != b {
		return false
	}
	c.at++
	return true
}

// word takes a literal: null, true or false.
func (c *cursor) word(w string) bool {
	for i := range len(w) {
		if c.at == len(c.text) || c.text[c.at] != w[i] {
			return false
		}
		c.at++
	}
	return true
}

// quoted takes a string and gives what stands between its quotes. plain is false
// where that has escapes.
func (c *cursor) quoted() (inside []byte, plain, ok bool) {
	if !c.take('"') {
		return nil, false, false
	}
	from := c.at
	plain = true
	for c.at < len(c.text) {
		switch b := c.text[c.at]; {
		case b == '"':
			c.at++
			return c.text[from : c.at-1], plain, true
		case b == '\\':
			plain = false
			if !c.escape() {
				return nil, false, false
			}
		case b < ' ':
			return nil, false, false
		default:
			c.at++
		}
	}
	return nil, false, false
}

func (c *cursor) escape() bool {
	c.at++
	if c.at == len(c.text) {
		return false
	}
	switch c.text[c.at] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		c.at++
		return true
	case 'u':
		c.at++
		for range 4 {
			if c.at == len(c.text) || !hexadecimal(c.text[c.at]) {
				return false
			}
			c.at++
		}
		return true
	}
	return false
}

func hexadecimal(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F'
}

// unescaped returns the inside of a string as it is meant.
func unescaped(inside []byte, plain bool) string {
	if plain {
		return string(inside)
	}
	var s string
	quoted := append(append(append(make([]byte, 0, len(inside)+2), '"'), inside...), '"')
	_ = json.Unmarshal(quoted, &s) // it has been looked through
	return s
}

// name takes the name of a member and the colon behind it.
func (c *cursor) name() ([]byte, bool) {
	inside, plain, ok := c.quoted()
	if !ok || !c.take(':') {
		return nil, false
	}
	if !plain {
		inside = []byte(unescaped(inside, false))
	}
	return inside, true
}

// numeral is a number as it was written.
type numeral struct {
	text  []byte
	value float64 // infinite beyond all numbers
	whole bool    // has digits only
}

// pow10 are the powers of ten that a float64 holds exactly.
var pow10 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// shape is how a number is written.
type shape struct {
	digits, decimals int
	exponent         bool
}

// scanNumber takes a number.
func (c *cursor) scanNumber() (n shape, ok bool) {
	if c.at < len(c.text) && c.text[c.at] == '-' {
		c.at++
	}
	begin := c.at
	n.digits = c.digits()
	if n.digits > 1 && c.text[begin] == '0' {
		c.at = begin + 1
		return n, false
	}
	if n.digits == 0 {
		return n, false
	}
	if c.at < len(c.text) && c.text[c.at] == '.' {
		c.at++
		if n.decimals = c.digits(); n.decimals == 0 {
			return n, false
		}
	}
	if c.at < len(c.text) && c.text[c.at]|0x20 == 'e' {
		n.exponent = true
		c.at++
		if c.at < len(c.text) && (c.text[c.at] == '+' || c.text[c.at] == '-') {
			c.at++
		}
		if c.digits() == 0 {
			return n, false
		}
	}
	return n, true
}

// numeral takes a number and works it out. One of few digits is worked out
// exactly here, for a trace has thousands of them.
func (c *cursor) numeral() (n numeral, ok bool) {
	from := c.at
	s, ok := c.scanNumber()
	if !ok {
		return n, false
	}
	n.text = c.text[from:c.at]
	n.whole = s.decimals == 0 && !s.exponent
	if s.exponent || s.digits+s.decimals > 15 || s.decimals >= len(pow10) {
		n.value = parsed(n.text)
		return n, true
	}
	var m int64
	for _, b := range n.text {
		if b != '.' && b != '-' {
			m = m*10 + int64(b-'0')
		}
	}
	n.value = float64(m) / pow10[s.decimals]
	if n.text[0] == '-' {
		n.value = -n.value
	}
	return n, true
}

// digits takes digits and counts them.
func (c *cursor) digits() int {
	from := c.at
	for c.at < len(c.text) && c.text[c.at] >= '0' && c.text[c.at] <= '9' {
		c.at++
	}
	return c.at - from
}

// parsed returns the value of a number that is well-formed.
func parsed(text []byte) float64 {
	v, _ := strconv.ParseFloat(string(text), 64) // the error is of the range, and v infinite
	return v
}

// Entries returns the entries of a list of JSON that is well-formed, as what a Decoder was
// given is, one after the other; none of anything else. They alias the list.
func Entries(list json.RawMessage) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		c := reader{&Context{ctx: context.Background()}, cursor{text: list}}
		if !c.cursor.take('[') || c.peek() == ']' {
			return
		}
		for more := true; more; more = c.cursor.take(',') {
			part, ok := c.part()
			if !ok || !yield(part) {
				return
			}
		}
	}
}

// integer returns the value of a number that has no fraction, however written.
func (n numeral) integer() (int64, bool) {
	if n.whole {
		v, err := strconv.ParseInt(string(n.text), 10, 64)
		return v, err == nil
	}
	const most = 1 << 53 // up to here every whole number has a float64 of its own
	if n.value != math.Trunc(n.value) || math.Abs(n.value) > most {
		return 0, false
	}
	return int64(n.value), true
}

// Whole reads a whole number as a query has it, and as JSON may write it: 5,
// 5.0 or 5e0.
func Whole(text string) (int, bool) {
	if v, err := strconv.Atoi(text); err == nil {
		return v, true
	}
	c := cursor{text: []byte(text)}
	n, ok := c.numeral()
	if !ok || c.at < len(text) {
		return 0, false
	}
	v, ok := n.integer()
	return int(v), ok
}

// names are those of one object's members, to find one that stands twice.
type names struct {
	few  [8][]byte
	n    int
	many map[string]struct{}
}

// count returns how many different names there are.
func (s *names) count() int { return max(s.n, len(s.many)) }

// add reports whether a name is there already. It keeps the name.
func (s *names) add(name []byte) (repeated bool) {
	if s.many != nil {
		_, repeated = s.many[string(name)]
		s.many[string(name)] = struct{}{}
		return repeated
	}
	for _, other := range s.few[:s.n] {
		if bytes.Equal(other, name) {
			return true
		}
	}
	if s.n < len(s.few) {
		s.few[s.n] = name
		s.n++
		return false
	}
	s.many = map[string]struct{}{string(name): {}}
	for _, other := range s.few {
		s.many[string(other)] = struct{}{}
	}
	return false
}
