package schema

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Context is the state of reading one request: where it is, and what is wrong.
// Types that read or check themselves call Path, Refuse and Warn.
type Context struct {
	Bounds geo.Bounds // of the region; empty where unknown

	ctx      context.Context
	unknown  Unknown
	depth    int
	path     []step
	warnings []engine.Warning
	bad      []fault.Violation
	refused  int   // violations so far, those too that are not kept
	quiet    int   // MostViolations where only it matters whether anything is refused
	stop     error // ends reading
}

// step is one of a path: a member, by its name or by the text of that, or an
// entry of a list where index is not below 0.
type step struct {
	name  string
	text  []byte
	index int
}

func (c *Context) enter(name string)    { c.path = append(c.path, step{name: name, index: -1}) }
func (c *Context) enterRaw(name []byte) { c.path = append(c.path, step{text: name, index: -1}) }
func (c *Context) entry(i int)          { c.path = append(c.path, step{index: i}) }
func (c *Context) leave()               { c.path = c.path[:len(c.path)-1] }
func (c *reader) deeper() (ok bool)     { return c.depth < MaxDepth || c.tooDeep() }

// reader reads the text of one request, or of a part of it, into values.
type reader struct {
	*Context
	cursor cursor
}

// Path returns where the value that is being read stands: locations[1].lat.
func (c *Context) Path() string {
	path := ""
	for _, s := range c.path {
		if s.index >= 0 {
			path += "[" + strconv.Itoa(s.index) + "]"
			continue
		}
		path = joined(path, s.name+string(s.text))
	}
	return path
}

func joined(path, at string) string {
	if path == "" || at == "" || at[0] == '[' {
		return path + at
	}
	return path + "." + at
}

// Refuse notes what is wrong with the value that is being read, or with a part
// of it where at is not empty: "lat", "[3].lon". value is shown, unless it is
// nil; a json.RawMessage as what it stands for.
func (c *Context) Refuse(at string, value any, format string, args ...any) {
	if c.refused++; c.refused > MostViolations {
		return
	}
	if raw, ok := value.(json.RawMessage); ok {
		value = shown(raw)
	}
	where := joined(c.Path(), at)
	if where == "" {
		where = "body"
	}
	c.bad = append(c.bad, fault.Violation{Location: where, Value: value, Message: fmt.Sprintf(format, args...)})
}

// longestRaw bounds in bytes what is decoded only to be shown.
const longestRaw = 2000

// shown makes a value fit to be shown in a refusal.
func shown(raw []byte) any {
	var v any
	switch {
	case len(raw) == 0:
		return nil
	case len(raw) > longestRaw:
		return string(raw[:longestRaw])
	case json.Unmarshal(raw, &v) != nil:
		return string(raw) // a number beyond all numbers
	}
	if _, ok := v.(float64); ok {
		return json.Number(raw) // as it was sent, whatever it was rounded to
	}
	return v
}

// Warn adds a warning; strings among args are cut where they are long.
func (c *Context) Warn(code int, format string, args ...any) {
	c.warnings = AppendWarning(c.warnings, code, format, args...)
}

// WarnOf adds a warning that a member of the request had no effect.
func (c *Context) WarnOf(of string, code int, format string, args ...any) {
	c.warnings = AppendWarningOf(c.warnings, of, code, format, args...)
}

// AppendWarningOf adds as AppendWarning does a warning that members of the request, separated by commas, had no
// effect.
func AppendWarningOf(list []engine.Warning, of string, code int, format string, args ...any) []engine.Warning {
	longer := AppendWarning(list, code, format, args...)
	if n := len(longer); n > len(list) && n <= MostWarnings {
		longer[n-1].Of = fault.Clip(of)
	}
	return longer
}

// AppendWarning adds a warning to a list of them, unless that is full.
func AppendWarning(list []engine.Warning, code int, format string, args ...any) []engine.Warning {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = fault.Clip(s)
		}
	}
	switch n := len(list); {
	case n < MostWarnings:
		return append(list, engine.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
	case n == MostWarnings:
		return append(list, engine.Warning{Code: code, Text: "more had no effect; the list ends here"})
	}
	return list
}

// doubled ends reading at a member that stands twice in its object.
func (c *reader) doubled(name []byte) bool {
	c.stop = fault.Invalid(fault.Violation{Location: joined(c.Path(), string(name)), Message: "stands twice in its object"})
	return false
}

// tooWide ends reading at an object of too many members.
func (c *reader) tooWide() bool {
	c.stop = fault.Invalid(fault.Violation{Location: cmp.Or(c.Path(), "body"), Message: fmt.Sprintf("has more than the %d members that are read of an object", MaxMembers)})
	return false
}

func (c *reader) tooDeep() bool {
	c.stop = fault.Invalid(fault.Violation{Location: c.Path(), Message: fmt.Sprintf("lies deeper than the %d levels that are read", MaxDepth)})
	return false
}

// heedEvery is after how many entries or members the caller is looked for.
const heedEvery = 1024

// heed reports whether to go on reading at the i-th entry or member: not where the request
// has ended, or where as much is refused as one refusal may list.
func (c *Context) heed(i int) bool {
	switch {
	case c.stop != nil:
	case c.refused > MostViolations-c.quiet:
		c.stop = fault.Invalid(c.bad...)
	case i%heedEvery == heedEvery-1:
		c.stop = c.ctx.Err()
	}
	return c.stop == nil
}

// err is why a text cannot be taken; nil where it can. ok is what reading it
// said.
func (c *reader) err(ok bool) error {
	switch {
	case c.stop != nil:
		return c.stop
	case !ok:
		return malformed(c.cursor.text, c.cursor.at)
	}
	return fault.Invalid(c.bad...)
}

// sound refuses a body that is no text at all.
func sound(body []byte) error {
	if len(bytes.TrimSpace(body)) == 0 {
		return fault.New(fault.BadRequest, "the body is empty; a JSON object is needed")
	}
	if !utf8.Valid(body) {
		at := damaged(body)
		line, column := position(body, at)
		return fault.New(fault.BadRequest, "the body is not UTF-8: line %d, column %d: byte %#x", line, column, body[at]).
			With("line", line).With("column", column)
	}
	return nil
}

// malformed reports where a body ceases to be JSON: at is what nothing fits.
func malformed(body []byte, at int) error {
	line, column := position(body, at)
	found := "the body ends here"
	if at < len(body) {
		r, _ := utf8.DecodeRune(body[at:])
		found = fmt.Sprintf("%q does not belong here", r)
	}
	return fault.New(fault.BadRequest, "the body is not JSON: line %d, column %d: %s", line, column, found).
		With("line", line).With("column", column)
}

// damaged returns where text that is not UTF-8 ceases to be.
func damaged(text []byte) int {
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return at
}

// position turns the offset of a byte into its line and column, both from 1.
func position(body []byte, at int) (line, column int) {
	before := body[:max(0, min(at, len(body)))]
	return bytes.Count(before, []byte{'\n'}) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}
