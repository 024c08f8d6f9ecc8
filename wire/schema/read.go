package schema

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Reading: each method takes a value of the text and reports false where the
// text is not JSON or reading must end. What is only wrong is refused, and
// reading goes on.

// none are the rules of a value that no tag speaks of.
var none rules

// value reads what comes next.
func (c *reader) value(n *node, r *rules, v reflect.Value) bool {
	before := c.refused
	ok := c.bare(n, r, v)
	if !ok || !n.checks && !n.hints {
		return ok
	}
	switch {
	case c.refused == before && n.checks:
		v.Addr().Interface().(Checker).Check(c.Context)
	case c.refused > before && n.hints && before < len(c.bad):
		c.hint(v.Addr().Interface().(Hinter), before)
	}
	return true
}

// hint returns a struct's explanation of a refused member.
func (c *reader) hint(h Hinter, before int) {
	path := c.Path()
	for i := before; i < len(c.bad); i++ {
		member := strings.TrimPrefix(strings.TrimPrefix(c.bad[i].Location, path), ".")
		if hint := h.Hint(c.Context, member); hint != "" {
			c.bad[i].Message += "; " + hint
			return
		}
	}
}

// bare reads a value without what its type has to say.
func (c *reader) bare(n *node, r *rules, v reflect.Value) bool {
	switch n.kind {
	case pointer:
		if c.peek() == 'n' {
			return c.cursor.word("null")
		}
		v.Set(reflect.New(n.elem.typ))
		return c.value(n.elem, r, v.Elem())
	case boolean:
		return c.boolean(n, r, v)
	case integer, natural, float:
		return c.readNumber(n, r, v)
	case text, timeKind, textual:
		return c.text(n, r, v)
	case list:
		return c.list(n, r, v)
	case mapping:
		return c.mapping(n, r, v)
	case object:
		return c.object(n, r, v)
	}
	part, ok := c.part()
	if !ok {
		return false
	}
	switch n.kind {
	case raw:
		v.SetBytes(part)
	case itself:
		v.Addr().Interface().(Decoder).DecodeJSON(c.Context, part)
	default:
		_ = json.Unmarshal(part, v.Addr().Interface()) // an interface takes anything
	}
	return true
}

func (c *reader) peek() byte { return c.cursor.peek() }

// part takes any value and gives its text.
func (c *reader) part() (json.RawMessage, bool) {
	c.cursor.space()
	from := c.cursor.at
	if !c.skip() {
		return nil, false
	}
	return json.RawMessage(c.cursor.text[from:c.cursor.at:c.cursor.at]), true
}

// other takes a value that is of another type than is wanted, and refuses it.
func (c *reader) other(n *node, r *rules) bool {
	part, ok := c.part()
	if ok {
		c.Refuse("", part, "must be %s", r.wanted(n))
	}
	return ok
}

func (c *reader) boolean(n *node, r *rules, v reflect.Value) bool {
	switch c.peek() {
	case 't':
		v.SetBool(true)
		return c.cursor.word("true")
	case 'f':
		v.SetBool(false)
		return c.cursor.word("false")
	}
	return c.other(n, r)
}

func (c *reader) readNumber(n *node, r *rules, v reflect.Value) bool {
	if b := c.peek(); b != '-' && (b < '0' || b > '9') {
		return c.other(n, r)
	}
	num, ok := c.cursor.numeral()
	if !ok {
		return false
	}
	in := r.inRange(num.value)
	switch n.kind {
	case float:
		if v.OverflowFloat(num.value) {
			in = false
		}
		v.SetFloat(num.value)
	default:
		whole, fits := num.integer()
		switch {
		case !fits:
			c.Refuse("", json.RawMessage(num.text), "is %s and must be %s", worded(num), r.wanted(n))
			return true
		case n.kind == integer && !v.OverflowInt(whole):
			v.SetInt(whole)
		case n.kind == natural && whole >= 0 && !v.OverflowUint(uint64(whole)):
			v.SetUint(uint64(whole))
		default:
			in = false
		}
	}
	switch {
	case len(r.figures) > 0:
		if !contains(r.figures, num.value) {
			c.Refuse("", json.RawMessage(num.text), "must be %s", r.wanted(n))
		}
	case !in && r.between() != "":
		c.Refuse("", json.RawMessage(num.text), "is %s and must be %s", worded(num), r.between())
	case !in:
		c.Refuse("", json.RawMessage(num.text), "is beyond all bounds")
	}
	return true
}

// worded returns a number as it was sent, cut where it is long.
func worded(n numeral) string {
	const longest = 24
	if len(n.text) > longest {
		return string(n.text[:longest]) + "…"
	}
	return string(n.text)
}

func contains[T comparable](all []T, v T) bool {
	for _, other := range all {
		if other == v {
			return true
		}
	}
	return false
}

func (c *reader) text(n *node, r *rules, v reflect.Value) bool {
	if c.peek() != '"' {
		return c.other(n, r)
	}
	inside, plain, ok := c.cursor.quoted()
	if !ok {
		return false
	}
	if plain && n.kind == text {
		// Few words are wanted over and over; they need not be made anew.
		for _, word := range r.words {
			if string(inside) == word {
				v.SetString(word)
				return true
			}
		}
	}
	c.texted(n, r, v, unescaped(inside, plain))
	return true
}

// texted takes a text, which may come from elsewhere than JSON.
func (c *reader) texted(n *node, r *rules, v reflect.Value, s string) {
	if r.trim {
		s = strings.TrimSpace(s)
	}
	switch length := utf8.RuneCountInString; {
	case len(r.words) > 0 && !contains(r.words, s):
		c.Refuse("", s, "must be %s", r.wanted(n))
	case r.minLength != nil && length(s) < *r.minLength:
		if s == "" {
			c.Refuse("", nil, "is empty")
		} else {
			c.Refuse("", s, "has %d of at least %d characters", length(s), *r.minLength)
		}
	case r.maxLength != nil && length(s) > *r.maxLength:
		c.Refuse("", s, "has %d characters and may have %d", length(s), *r.maxLength)
	case r.pattern != nil && !r.pattern.MatchString(s), !r.formatted(s):
		c.Refuse("", s, "must be %s", r.wanted(n))
	case n.kind == timeKind:
		t, err := time.Parse(time.RFC3339, s)
		if err != nil {
			c.Refuse("", s, "must be %s", formats["date-time"])
			return
		}
		v.Set(reflect.ValueOf(t))
	case n.kind == textual:
		if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(s)); err != nil {
			c.Refuse("", s, "%v", err)
		}
	default:
		v.SetString(s)
	}
}

func (c *reader) list(n *node, r *rules, v reflect.Value) bool {
	if c.peek() != '[' {
		return c.other(n, r)
	}
	if !c.deeper() {
		return false
	}
	c.depth++
	c.cursor.at++
	entries := r.entries
	if entries == nil {
		entries = &none
	}
	most := c.most(n, r)
	count := 0
	for more := c.peek() != ']'; more; count++ {
		if !c.heed(count) || !c.listEntry(n, entries, v, count, most) {
			return false
		}
		if more = c.cursor.take(','); !more && c.peek() != ']' {
			return false
		}
	}
	c.cursor.at++
	c.depth--
	if count == 0 && n.typ.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(n.typ, 0, 0))
	}
	c.counted(n, r, count)
	return true
}

// most returns how many entries of a list are kept; below 0 is all.
func (c *reader) most(n *node, r *rules) int {
	switch {
	case n.typ.Kind() == reflect.Array:
		return n.typ.Len()
	case r.maxItems != nil:
		return *r.maxItems
	}
	return -1
}

// listEntry reads one entry of a list, or passes over it where the list has all
// that it may have.
func (c *reader) listEntry(n *node, r *rules, v reflect.Value, i, most int) bool {
	if i == most || most >= 0 && i > most {
		return c.skip()
	}
	if n.typ.Kind() == reflect.Slice {
		if i == v.Cap() {
			v.Grow(max(4, i))
		}
		v.SetLen(i + 1)
	}
	c.entry(i)
	ok := c.value(n.elem, r, v.Index(i))
	c.leave()
	return ok
}

// counted refuses a list of too few or too many.
func (c *reader) counted(n *node, r *rules, count int) {
	least, most := 0, -1
	if n.typ.Kind() == reflect.Array {
		least, most = n.typ.Len(), n.typ.Len()
	}
	if r.minItems != nil {
		least = *r.minItems
	}
	if r.maxItems != nil {
		most = *r.maxItems
	}
	of := r.of
	if of == "" {
		of = "entries"
	}
	switch {
	case count < least && least == 1:
		c.Refuse("", nil, "is empty: at least one is needed")
	case count < least:
		c.Refuse("", nil, "has %d of at least %s %s", count, small(least), of)
	case most >= 0 && count > most:
		c.Refuse("", nil, "has %d %s and may have %d", count, of, most)
	}
}

// small words a small number.
func small(n int) string {
	switch n {
	case 1:
		return "one"
	case 2:
		return "two"
	}
	return strconv.Itoa(n)
}

func (c *reader) mapping(n *node, r *rules, v reflect.Value) bool {
	if c.peek() != '{' {
		return c.other(n, r)
	}
	v.Set(reflect.MakeMap(n.typ))
	return c.members(func(name []byte) bool {
		if c.peek() == 'n' && n.elem.kind != raw && n.elem.kind != anything {
			return c.cursor.word("null")
		}
		key := reflect.New(n.typ.Key()).Elem()
		key.SetString(string(name))
		value := reflect.New(n.elem.typ).Elem()
		c.enterRaw(name)
		ok := c.value(n.elem, &none, value)
		c.leave()
		v.SetMapIndex(key, value)
		return ok
	})
}

// members takes an object, of which no member may stand twice.
func (c *reader) members(each func(name []byte) bool) bool {
	if !c.deeper() {
		return false
	}
	c.depth++
	c.cursor.at++
	var seen names
	i := 0
	for more := c.peek() != '}'; more; {
		name, ok := c.cursor.name()
		if !ok {
			return false
		}
		if seen.add(name) {
			return c.doubled(name)
		}
		if seen.count() > MaxMembers {
			return c.tooWide()
		}
		if !c.heed(i) || !each(name) {
			return false
		}
		i++
		if more = c.cursor.take(','); !more && c.peek() != '}' {
			return false
		}
	}
	c.cursor.at++
	c.depth--
	return true
}

// skip takes any value. In it too no member may stand twice.
func (c *reader) skip() bool {
	switch b := c.peek(); b {
	case '{':
		return c.members(func(name []byte) bool {
			c.enterRaw(name)
			ok := c.skip()
			c.leave()
			return ok
		})
	case '[':
		return c.skipList()
	case '"':
		_, _, ok := c.cursor.quoted()
		return ok
	case 't':
		return c.cursor.word("true")
	case 'f':
		return c.cursor.word("false")
	case 'n':
		return c.cursor.word("null")
	default:
		_, ok := c.cursor.scanNumber()
		return ok
	}
}

func (c *reader) skipList() bool {
	if !c.deeper() {
		return false
	}
	c.depth++
	c.cursor.at++
	i := 0
	for more := c.peek() != ']'; more; i++ {
		if !c.heed(i) {
			return false
		}
		c.entry(i)
		ok := c.skip()
		c.leave()
		if !ok {
			return false
		}
		if more = c.cursor.take(','); !more && c.peek() != ']' {
			return false
		}
	}
	c.cursor.at++
	c.depth--
	return true
}
