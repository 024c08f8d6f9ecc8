package directions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/waygate/waygate/fault"
)

// Object reads body as one JSON object. It refuses what is not JSON, naming
// the place, anything after the object, and a member that stands twice in any
// object, for which of the two counts is anybody's guess.
func Object(body []byte) (map[string]json.RawMessage, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, fault.New(fault.BadRequest, "the body is empty; a JSON object is needed")
	}
	if !utf8.Valid(body) {
		line, column := position(body, int64(damaged(body)+1))
		return nil, fault.New(fault.BadRequest, "the body is not UTF-8: line %d, column %d: byte %#x", line, column, body[damaged(body)]).
			With("line", line).With("column", column)
	}
	var doc map[string]json.RawMessage
	err := json.Unmarshal(body, &doc)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		line, column := position(body, syntax.Offset)
		return nil, fault.New(fault.BadRequest, "the body is not JSON: line %d, column %d: %s", line, column, syntax).
			With("line", line).With("column", column)
	case err != nil || doc == nil:
		return nil, fault.New(fault.BadRequest, "the body must be a JSON object, such as {\"locations\": [...], \"costing\": \"auto\"}")
	}
	if at := duplicate(body, ""); at != "" {
		return nil, fault.Invalid(fault.Violation{Location: at, Message: "stands twice in its object"})
	}
	return doc, nil
}

// damaged gives where text that is not UTF-8 ceases to be.
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

// position turns the offset after the offending byte into a line and column,
// both from 1.
func position(body []byte, offset int64) (line, column int) {
	before := body[:max(0, min(int(offset)-1, len(body)))]
	return bytes.Count(before, []byte{'\n'}) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}

// duplicate gives the path of a member that stands twice in one object of a
// valid document, or "".
func duplicate(doc []byte, at string) string {
	doc = bytes.TrimSpace(doc)
	switch doc[0] {
	case '{':
		seen := map[string]bool{}
		for m := range members(doc) {
			path := strings.TrimPrefix(at+"."+m.name, ".")
			if seen[m.name] {
				return path
			}
			seen[m.name] = true
			if found := duplicate(m.value(doc), path); found != "" {
				return found
			}
		}
	case '[':
		n := 0
		for begin, end := range elements(doc) {
			if found := duplicate(doc[begin:end], fmt.Sprintf("%s[%d]", at, n)); found != "" {
				return found
			}
			n++
		}
	}
	return ""
}

// member is one member of an object: its name, and where in the document its
// name begins and its value lies.
type member struct {
	name              string
	begin, start, end int
}

func (m member) value(doc []byte) []byte { return doc[m.start:m.end] }

// members walks the members of doc, which must be a valid JSON object.
func members(doc []byte) iter.Seq[member] {
	return func(yield func(member) bool) {
		i := space(doc, bytes.IndexByte(doc, '{')+1)
		for i < len(doc) && doc[i] != '}' {
			m := member{begin: i}
			end := skip(doc, i)
			m.name = unquote(doc[i:end])
			m.start = space(doc, space(doc, end)+1) // past the colon
			m.end = skip(doc, m.start)
			if !yield(m) {
				return
			}
			i = space(doc, m.end)
			if i < len(doc) && doc[i] == ',' {
				i = space(doc, i+1)
			}
		}
	}
}

// elements walks where the elements of doc lie, which must be a valid JSON
// array.
func elements(doc []byte) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		i := space(doc, bytes.IndexByte(doc, '[')+1)
		for i < len(doc) && doc[i] != ']' {
			end := skip(doc, i)
			if !yield(i, end) {
				return
			}
			i = space(doc, end)
			if i < len(doc) && doc[i] == ',' {
				i = space(doc, i+1)
			}
		}
	}
}

func unquote(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return string(quoted)
	}
	return s
}

func space(doc []byte, i int) int {
	for i < len(doc) && (doc[i] == ' ' || doc[i] == '\n' || doc[i] == '\r' || doc[i] == '\t') {
		i++
	}
	return i
}

// skip gives the end of the value that begins at i of a valid document.
func skip(doc []byte, i int) int {
	depth := 0
	for i < len(doc) {
		switch doc[i] {
		case '"':
			for i++; i < len(doc) && doc[i] != '"'; i++ {
				if doc[i] == '\\' {
					i++
				}
			}
			i = min(i+1, len(doc))
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\n', '\r', '\t':
			i++
			continue
		default:
			for i < len(doc) && !bytes.ContainsRune([]byte(",:]} \n\r\t"), rune(doc[i])) {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
	return i
}
