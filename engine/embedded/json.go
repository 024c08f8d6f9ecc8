package embedded

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// text is JSON in the making, written as encoding/json does without the escapes
// that only HTML needs, and without its reflection: a route is written in the
// time that takes to walk its values.
type text struct {
	b   []byte
	err error // the first value that JSON has no form for
}

// raw appends what is JSON already.
func (t *text) raw(s string) { t.b = append(t.b, s...) }

func (t *text) int(v int) { t.b = strconv.AppendInt(t.b, int64(v), 10) }

func (t *text) bool(v bool) { t.b = strconv.AppendBool(t.b, v) }

// number appends a number in its shortest form that reads back the same.
func (t *text) number(v float64) {
	if abs := math.Abs(v); abs >= 1e-6 && abs < 1e21 || v == 0 {
		t.b = strconv.AppendFloat(t.b, v, 'f', -1, 64)
		return
	}
	t.any(v) // with an exponent, or not at all
}

// any appends what is seldom.
func (t *text) any(v any) {
	b, err := encode(v)
	if err != nil && t.err == nil {
		t.err = err
	}
	t.b = append(t.b, b...)
}

func (t *text) string(s string) {
	t.b = append(t.b, '"')
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
			if (r != utf8.RuneError || size > 1) && r != '\u2028' && r != '\u2029' {
				i += size
				continue
			}
		}
		t.b = append(t.b, s[done:i]...)
		t.escape(r)
		i += size
		done = i
	}
	t.b = append(append(t.b, s[done:]...), '"')
}

// escape appends a character that does not stand for itself.
func (t *text) escape(r rune) {
	switch r {
	case '"', '\\':
		t.b = append(t.b, '\\', byte(r))
	case '\b':
		t.raw(`\b`)
	case '\f':
		t.raw(`\f`)
	case '\n':
		t.raw(`\n`)
	case '\r':
		t.raw(`\r`)
	case '\t':
		t.raw(`\t`)
	default:
		const hex = "0123456789abcdef"
		t.b = append(t.b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
	}
}

// The members of an object, with the comma before them. What is left out when
// empty has a form of its own.

func (t *text) stringUnlessEmpty(member, s string) {
	if s != "" {
		t.raw(member)
		t.string(s)
	}
}

func (t *text) intUnlessZero(member string, v int) {
	if v != 0 {
		t.raw(member)
		t.int(v)
	}
}

func (t *text) ifTrue(member string, v bool) {
	if v {
		t.raw(member)
		t.raw("true")
	}
}

// list appends the elements of an array, which is null where there is none.
func list[T any](t *text, all []T, one func(*T)) {
	if all == nil {
		t.raw("null")
		return
	}
	t.raw("[")
	for i := range all {
		if i > 0 {
			t.raw(",")
		}
		one(&all[i])
	}
	t.raw("]")
}

func (t *text) strings(all []string) { list(t, all, func(s *string) { t.string(*s) }) }
