// Package json writes and edits JSON text: the one appender of all formats, and
// the walk over documents that are passed on as they came. Decoding into Go
// values is encoding/json's.
package json

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// Writer appends one JSON document, putting in the commas. It writes what
// encoding/json would without the escapes that only HTML needs, and without its
// reflection. The zero value is ready; give it a buffer with Grow where the
// size is known.
type Writer struct {
	b   []byte
	err error
}

// Grow makes room for n more bytes.
func (w *Writer) Grow(n int) {
	if cap(w.b)-len(w.b) < n {
		w.b = append(room(len(w.b)+n), w.b...)
	}
}

// Bytes returns the document and the first value that JSON has no form for.
func (w *Writer) Bytes() ([]byte, error) { return w.b, w.err }

// comma separates from a value before.
func (w *Writer) comma() {
	if n := len(w.b); n > 0 {
		switch w.b[n-1] {
		case '{', '[', ':':
		default:
			w.b = append(w.b, ',')
		}
	}
}

// Open begins an object '{' or an array '['; as the member of a name where one
// is given.
func (w *Writer) Open(bracket byte, name ...string) {
	w.named(name)
	w.b = append(w.b, bracket)
}

// Close ends an object '}' or an array ']'.
func (w *Writer) Close(bracket byte) { w.b = append(w.b, bracket) }

// Key begins a member. The name must need no escapes.
func (w *Writer) Key(name string) {
	w.comma()
	w.b = append(w.b, '"') // one after another: what is appended in place costs the collector nothing
	w.b = append(w.b, name...)
	w.b = append(w.b, '"', ':')
}

// Text writes what is always the same between values: brackets, names and the commas
// that belong there, all at once.
func (w *Writer) Text(s string) { w.b = append(w.b, s...) }

func (w *Writer) named(name []string) {
	if len(name) > 0 {
		w.Key(name[0])
		return
	}
	w.comma()
}

// Members, each with its name.

// String writes a string.
func (w *Writer) String(name, v string) {
	w.Key(name)
	w.quote(v)
}

// StringIf writes a string unless it is empty.
func (w *Writer) StringIf(name, v string) {
	if v != "" {
		w.String(name, v)
	}
}

// Int writes a whole number.
func (w *Writer) Int(name string, v int) {
	w.Key(name)
	w.b = appendInt(w.b, int64(v))
}

// IntIf writes a whole number unless it is 0.
func (w *Writer) IntIf(name string, v int) {
	if v != 0 {
		w.Int(name, v)
	}
}

// Number writes a number rounded to so many decimals, 0 to 6.
func (w *Writer) Number(name string, v float64, digits int) {
	w.Key(name)
	w.b = AppendNumber(w.b, v, digits)
}

// Bool writes true or false.
func (w *Writer) Bool(name string, v bool) {
	w.Key(name)
	w.b = strconv.AppendBool(w.b, v)
}

// BoolIf writes true, or nothing.
func (w *Writer) BoolIf(name string, v bool) {
	if v {
		w.Bool(name, v)
	}
}

// Null writes null.
func (w *Writer) Null(name string) {
	w.Key(name)
	w.b = append(w.b, "null"...)
}

// Any writes a value as encoding/json does, but for the escapes of HTML: for
// what is seldom.
func (w *Writer) Any(name string, v any) {
	w.Key(name)
	w.AnyElement(v)
}

// Raw writes what is JSON already.
func (w *Writer) Raw(name string, v []byte) {
	w.Key(name)
	w.b = append(w.b, v...)
}

// Elements of arrays.

// StringElement writes a string.
func (w *Writer) StringElement(v string) {
	w.comma()
	w.quote(v)
}

// IntElement writes a whole number.
func (w *Writer) IntElement(v int64) {
	w.comma()
	w.b = appendInt(w.b, v)
}

// NumberElement writes a number rounded to so many decimals, 0 to 6.
func (w *Writer) NumberElement(v float64, digits int) {
	w.comma()
	w.b = AppendNumber(w.b, v, digits)
}

// BoolElement writes true or false.
func (w *Writer) BoolElement(v bool) {
	w.comma()
	if v {
		w.b = append(w.b, "true"...)
		return
	}
	w.b = append(w.b, "false"...)
}

// NullElement writes null.
func (w *Writer) NullElement() {
	w.comma()
	w.b = append(w.b, "null"...)
}

// RawElement writes what is JSON already.
func (w *Writer) RawElement(v []byte) {
	w.comma()
	w.b = append(w.b, v...)
}

// AnyElement writes a value as encoding/json does, but for the escapes of HTML.
func (w *Writer) AnyElement(v any) {
	w.comma()
	text, err := Marshal(v)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.b = append(w.b, text...)
}

// Strings writes an array of strings.
func (w *Writer) Strings(name string, all []string) {
	w.Open('[', name)
	for _, s := range all {
		w.StringElement(s)
	}
	w.Close(']')
}

// Append hands the text so far to a function that adds what is JSON already, a
// whole value of a member or a part of a string.
func (w *Writer) Append(add func(dst []byte) []byte) { w.b = add(w.b) }

func (w *Writer) quote(s string) {
	w.b = append(w.b, '"')
	w.b = AppendEscaped(w.b, s)
	w.b = append(w.b, '"')
}

// AppendEscaped appends the inside of a JSON string. What is not UTF-8 becomes
// the replacement character.
func AppendEscaped(dst []byte, s string) []byte {
	done := 0
	for i := 0; i < len(s); {
		for i+8 <= len(s) && plainEight(s[i:i+8]) {
			i += 8
		}
		for i < len(s) && plain[s[i]] {
			i++
		}
		if i == len(s) {
			break
		}
		c := s[i]
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
			if (r != utf8.RuneError || size > 1) && r != '\u2028' && r != '\u2029' {
				i += size
				continue
			}
		}
		dst = appendEscape(append(dst, s[done:i]...), r)
		i += size
		done = i
	}
	return append(dst, s[done:]...)
}

// plain are the bytes that stand for themselves in a string.
var plain = func() (all [256]bool) {
	for c := byte(' '); c < utf8.RuneSelf; c++ {
		all[c] = c != '"' && c != '\\'
	}
	return all
}()

// plainEight reports whether all of eight bytes are plain. A byte is not where its highest bit
// is set, or becomes set by subtracting a space from it, or 1 from what it has other than a
// quotation mark or a backslash.
func plainEight(s string) bool {
	const ones = 0x0101010101010101
	x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	return (x|(x-ones*' ')|((x^ones*'"')-ones)|((x^ones*'\\')-ones))&(ones*0x80) == 0
}

// appendEscape appends a character that does not stand for itself.
func appendEscape(dst []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// Marshal is encoding/json's without the escapes that only HTML needs.
func Marshal(v any) ([]byte, error) {
	var b buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b[:len(b)-1], nil // less the line's end
}

type buffer []byte

func (b *buffer) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}
