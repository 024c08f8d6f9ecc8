package schema

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// rules are the limits that the tags of a field set for its value.
type rules struct {
	doc      string
	unit     string // with a space before it
	of       string // what the entries of a list are
	format   string
	nullable bool
	preset   reflect.Value // the default
	example  any
	standard any // the default, as it is described

	words   []string  // of enum, of a text
	figures []float64 // of enum, of a number

	minimum, maximum, above, below *float64
	minItems, maxItems             *int
	minLength, maxLength           *int
	trim                           bool
	pattern                        *regexp.Regexp
	shape                          string // the pattern in words

	entries *rules // of a list
}

// formats of texts that are checked, and the words of a refusal of each.
var formats = map[string]string{
	"date-time": "a date and time as in RFC 3339, such as 2026-09-01T08:00:00Z",
	"date":      "a date as YYYY-MM-DD",
	"uuid":      "a UUID",
}

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// rulesOf reads the tags of a field.
func rulesOf(in reflect.Type, f reflect.StructField, n *node, omitempty bool) rules {
	t := tags{in, f}
	r := rules{doc: f.Tag.Get("doc"), of: f.Tag.Get("of"), minItems: t.whole("minItems"), maxItems: t.whole("maxItems")}
	base := n
	if n.kind == pointer {
		base = n.elem
	}
	value := &r
	if base.kind == list {
		value = &rules{}
		r.entries = value
		t.value(value, base.elem)
	} else {
		t.value(value, base)
	}
	r.nullable = t.flag("nullable", nullable(n, base) && (n.kind != pointer || !omitempty))
	if text := f.Tag.Get("default"); text != "" {
		r.standard = t.json("default", text, base)
		if n.kind != pointer {
			r.preset = t.preset(r.standard)
		}
	}
	if text, ok := f.Tag.Lookup("example"); ok {
		r.example = t.json("example", text, base)
	}
	return r
}

// nullable reports whether a value may be null where no tag says so: scalars
// behind a pointer are.
func nullable(n, base *node) bool {
	switch base.kind {
	case boolean, integer, natural, float, text, timeKind, textual:
		return n.kind == pointer
	}
	return false
}

// tags reads the tags of one field and panics for those that make no sense,
// which is a defect.
type tags struct {
	in    reflect.Type
	field reflect.StructField
}

func (t tags) wrong(tag string) {
	panic(fmt.Sprintf("schema: %s.%s: the tag %s:%q makes no sense", t.in, t.field.Name, tag, t.field.Tag.Get(tag)))
}

func (t tags) word(tag, otherwise string) string {
	if v, ok := t.field.Tag.Lookup(tag); ok {
		return v
	}
	return otherwise
}

func (t tags) flag(tag string, otherwise bool) bool {
	v, ok := t.field.Tag.Lookup(tag)
	if !ok {
		return otherwise
	}
	b, err := strconv.ParseBool(v)
	if err != nil {
		t.wrong(tag)
	}
	return b
}

func (t tags) numberOf(tag string) *float64 {
	text, ok := t.field.Tag.Lookup(tag)
	if !ok {
		return nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.wrong(tag)
	}
	return &v
}

func (t tags) whole(tag string) *int {
	text, ok := t.field.Tag.Lookup(tag)
	if !ok {
		return nil
	}
	v, err := strconv.Atoi(text)
	if err != nil {
		t.wrong(tag)
	}
	return &v
}

// value reads what the tags ask of a single value.
func (t tags) value(r *rules, n *node) {
	if n.kind == pointer {
		n = n.elem
	}
	r.words = n.words
	if unit := t.field.Tag.Get("unit"); unit != "" {
		r.unit = " " + unit
	}
	r.minimum, r.maximum, r.above, r.below = t.numberOf("minimum"), t.numberOf("maximum"), t.numberOf("exclusiveMinimum"), t.numberOf("exclusiveMaximum")
	if n.kind == natural && r.minimum == nil {
		r.minimum = new(float64)
	}
	r.minLength, r.maxLength, r.trim = t.whole("minLength"), t.whole("maxLength"), t.field.Tag.Get("trim") == "true"
	if text := t.field.Tag.Get("pattern"); text != "" {
		r.pattern, r.shape = regexp.MustCompile(text), t.word("patternDescription", "a text that matches "+text)
	}
	if r.format = t.field.Tag.Get("format"); r.format != "" && formats[r.format] == "" {
		t.wrong("format")
	}
	if enum := t.field.Tag.Get("enum"); enum != "" {
		r.words = nil
		for word := range strings.SplitSeq(enum, ",") {
			switch v := t.json("enum", word, n).(type) {
			case string:
				r.words = append(r.words, v)
			case float64:
				r.figures = append(r.figures, v)
			default:
				t.wrong("enum")
			}
		}
	}
}

// json reads the value of a tag, which needs no quotes where it is a text.
func (t tags) json(tag, value string, n *node) any {
	switch n.kind {
	case text, timeKind, textual, itself:
		return value
	case list:
		if n.elem.kind == text && !strings.HasPrefix(value, "[") {
			return strings.Split(value, ",")
		}
	}
	var v any
	if json.Unmarshal([]byte(value), &v) != nil {
		t.wrong(tag)
	}
	return v
}

// preset makes a value of the field's type of a default.
func (t tags) preset(standard any) reflect.Value {
	v := reflect.New(t.field.Type)
	encoded, err := json.Marshal(standard)
	if err == nil {
		err = json.Unmarshal(encoded, v.Interface())
	}
	if err != nil {
		t.wrong("default")
	}
	return v.Elem()
}

// The words of a refusal for what a value must be.

func figure(v float64) string {
	if math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// between words the range of a number; "" where there is none.
func (r *rules) between() string {
	switch {
	case r.minimum != nil && r.maximum != nil:
		return "between " + figure(*r.minimum) + " and " + figure(*r.maximum) + r.unit
	case r.minimum == nil && r.maximum == nil && r.above == nil && r.below == nil:
		return ""
	}
	var parts []string
	for _, limit := range []struct {
		at   *float64
		word string
	}{{r.minimum, "at least "}, {r.above, "above "}, {r.maximum, "at most "}, {r.below, "below "}} {
		if limit.at != nil {
			parts = append(parts, limit.word+figure(*limit.at))
		}
	}
	return strings.Join(parts, " and ") + r.unit
}

// inRange reports whether a number is in the range.
func (r *rules) inRange(v float64) bool {
	return !(math.IsInf(v, 0) || r.minimum != nil && v < *r.minimum || r.maximum != nil && v > *r.maximum || r.above != nil && v <= *r.above || r.below != nil && v >= *r.below)
}

// choices words an enumeration; "" where there is none.
func (r *rules) choices() string {
	words := slices.Clone(r.words)
	for _, v := range r.figures {
		words = append(words, figure(v))
	}
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return "one of " + strings.Join(words, ", ")
}

// wanted words what a value must be.
func (r *rules) wanted(n *node) string {
	if c := r.choices(); c != "" {
		return c
	}
	switch n.kind {
	case boolean:
		return "true or false"
	case integer, natural:
		return strings.TrimSpace("a whole number " + r.between())
	case float:
		if b := r.between(); b != "" {
			return "a number " + b
		}
		return "a number" + strings.Replace(r.unit, " ", " of ", 1)
	case timeKind:
		return formats["date-time"]
	case text, textual:
		switch {
		case r.format != "":
			return formats[r.format]
		case r.pattern != nil:
			return r.shape
		}
		return "a string"
	case list:
		return r.listed()
	case pointer:
		return r.wanted(n.elem)
	}
	return "an object"
}

// listed words what a list must be.
func (r *rules) listed() string {
	of := r.of
	if of == "" && r.entries != nil {
		of = strings.TrimPrefix(r.entries.choices(), "one of ")
	}
	count := ""
	switch {
	case r.minItems != nil && r.maxItems != nil && *r.minItems == *r.maxItems:
		count = small(*r.minItems) + " "
	case r.minItems != nil && r.maxItems != nil:
		count = fmt.Sprintf("%d to %d ", *r.minItems, *r.maxItems)
	case r.minItems != nil && *r.minItems == 1:
		count = "one or more "
	case r.minItems != nil:
		count = "at least " + small(*r.minItems) + " "
	case r.maxItems != nil:
		count = "at most " + small(*r.maxItems) + " "
	}
	switch {
	case of == "" && count == "":
		return "a list"
	case of == "":
		of = "entries"
	}
	return "a list of " + count + of
}

// missing words that a member is not there, and what it must be where that says
// more than its type.
func (r *rules) missing(n *node) string {
	if r.choices() != "" || r.between() != "" || r.format != "" || r.pattern != nil || r.minItems != nil || r.maxItems != nil {
		return "is missing: it must be " + r.wanted(n)
	}
	return "is missing"
}

// formatted reports whether a text has the format.
func (r *rules) formatted(s string) bool {
	switch r.format {
	case "date-time":
		_, err := time.Parse(time.RFC3339, s)
		return err == nil
	case "date":
		_, err := time.Parse(time.DateOnly, s)
		return err == nil
	case "uuid":
		return uuid.MatchString(s)
	}
	return true
}
