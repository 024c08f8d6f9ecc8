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

// Each walks a valid document once and calls visit with the place of every
// value that one of the paths leads to, after what stands inside it. A path is
// the names of members with dots between them, "*" being each element of a list:
// "routes.*.legs".
func Each(doc []byte, paths []string, visit func(Place)) {
	w := walk{doc: doc, visit: visit}
	open := make([]path, len(paths))
	for i, p := range paths {
		open[i] = path{i, strings.Split(p, ".")}
	}
	w.value(space(doc, 0), open)
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
}

// value passes over a value and gives its end. open has the paths that lead into
// it.
func (w *walk) value(i int, open []path) int {
	if len(open) == 0 || i >= len(w.doc) {
		return skip(w.doc, i)
	}
	switch w.doc[i] {
	case '{':
		return w.object(i, open)
	case '[':
		return w.list(i, open)
	}
	return skip(w.doc, i)
}

func (w *walk) object(i int, open []path) int {
	i = space(w.doc, i+1)
	for i < len(w.doc) && w.doc[i] == '"' {
		name := i
		i = skip(w.doc, i)
		begin := space(w.doc, space(w.doc, i)+1) // past the colon
		end := w.inside(Place{Name: name, Begin: begin}, w.doc[name+1:i-1], open)
		if i = space(w.doc, end); i < len(w.doc) && w.doc[i] == ',' {
			i = space(w.doc, i+1)
		}
	}
	return min(i+1, len(w.doc))
}

// element stands for the elements of a list in a path.
var element = []byte("*")

func (w *walk) list(i int, open []path) int {
	i = space(w.doc, i+1)
	for i < len(w.doc) && w.doc[i] != ']' {
		if i = space(w.doc, w.inside(Place{Name: i, Begin: i}, element, open)); i < len(w.doc) && w.doc[i] == ',' {
			i = space(w.doc, i+1)
		}
	}
	return min(i+1, len(w.doc))
}

// inside passes over a member or an element, gives its end and reports it where
// a path ends at it.
func (w *walk) inside(at Place, name []byte, open []path) int {
	var on []path
	for _, p := range open {
		if len(p.rest) > 0 && p.rest[0] == string(name) {
			on = append(on, path{p.index, p.rest[1:]})
		}
	}
	at.End = w.value(at.Begin, on)
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
