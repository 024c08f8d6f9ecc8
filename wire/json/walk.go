package json

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Place is where a value stands in a document.
type Place struct {
	Path       int // of those asked for
	Name       int // where the member's name begins; Begin for an element of a list
	Begin, End int
}

// Each walks a document once and calls visit with the place of every
// value that one of the paths leads to, after what stands inside it. A path is
// the names of members with dots between them, "*" being each element of a list:
// "routes.*.legs". It reports whether the document is valid, and ends where it is not.
func Each(doc []byte, paths []string, visit func(Place)) (valid bool) {
	w := walk{doc: doc, visit: visit}
	open := make([]path, len(paths))
	for i, p := range paths {
		open[i] = path{i, strings.Split(p, ".")}
	}
	end := w.value(space(doc, 0), open)
	return end >= 0 && space(doc, end) == len(doc)
}

// path is the rest of a path that a walk is on.
type path struct {
	index int
	rest  []string
}

// Has reports whether a document is an object with a member of a name, however
// that is escaped. A document that is not valid is looked through as far as it
// can be read.
func Has(doc []byte, name string) bool {
	i := space(doc, 0)
	if i == len(doc) || doc[i] != '{' {
		return false
	}
	for i = space(doc, i+1); i < len(doc) && doc[i] == '"'; {
		end := skip(doc, i)
		if named(doc[i:end], name) {
			return true
		}
		i = space(doc, skip(doc, space(doc, space(doc, end)+1))) // past the colon and the value
		if i < len(doc) && doc[i] == ',' {
			i = space(doc, i+1)
		}
	}
	return false
}

// named reports whether a quoted text stands for a name.
func named(quoted []byte, name string) bool {
	if !bytes.ContainsRune(quoted, '\\') {
		return len(quoted) == len(name)+2 && string(quoted[1:len(quoted)-1]) == name
	}
	var s string
	return len(quoted) <= 6*len(name)+2 && json.Unmarshal(quoted, &s) == nil && s == name
}

type walk struct {
	doc   []byte
	visit func(Place)
	depth int // of the values that the walk is within
}

// value passes over a value and returns its end, -1 where it is not valid. open has the
// paths that lead into it.
func (w *walk) value(i int, open []path) int {
	if len(open) == 0 || i < 0 || i >= len(w.doc) || w.doc[i] != '{' && w.doc[i] != '[' {
		return scan(w.doc, i, w.depth)
	}
	w.depth++
	defer func() { w.depth-- }()
	return w.nested(i, open)
}

// element stands for the elements of a list in a path.
var element = []byte("*")

// nested is value of an object or a list.
func (w *walk) nested(i int, open []path) int {
	if w.depth > mostDepth {
		return -1
	}
	object := w.doc[i] == '{'
	end := w.doc[i] + 2
	i = space(w.doc, i+1)
	if i < len(w.doc) && w.doc[i] == end {
		return i + 1
	}
	for {
		at, name := Place{Name: i, Begin: i}, element
		if object {
			if at.Begin = scanName(w.doc, i); at.Begin < 0 {
				return -1
			}
			name = w.doc[i+1 : scanString(w.doc, i)-1]
		}
		if i = w.inside(at, name, open); i < 0 {
			return -1
		}
		if i = space(w.doc, i); i >= len(w.doc) {
			return -1
		}
		switch w.doc[i] {
		case end:
			return i + 1
		case ',':
			i = space(w.doc, i+1)
		default:
			return -1
		}
	}
}

// inside passes over a member or an element, returns its end and reports it where
// a path ends at it.
func (w *walk) inside(at Place, name []byte, open []path) int {
	var on []path
	for _, p := range open {
		if len(p.rest) > 0 && p.rest[0] == string(name) {
			on = append(on, path{p.index, p.rest[1:]})
		}
	}
	if at.End = w.value(at.Begin, on); at.End < 0 {
		return -1
	}
	for _, p := range on {
		if len(p.rest) == 0 {
			at.Path = p.index
			w.visit(at)
		}
	}
	return at.End
}

func space(doc []byte, i int) int {
	for i < len(doc) && (doc[i] == ' ' || doc[i] == '\n' || doc[i] == '\r' || doc[i] == '\t') {
		i++
	}
	return i
}

// skip returns the end of the value that begins at i of a valid document.
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
			i = scalar(doc, i)
		}
		if depth <= 0 {
			return i
		}
	}
	return i
}

// scalar returns the end of a number, true, false or null.
func scalar(doc []byte, i int) int {
	for i < len(doc) {
		switch doc[i] {
		case ',', ':', ']', '}', ' ', '\n', '\r', '\t':
			return i
		}
		i++
	}
	return i
}
