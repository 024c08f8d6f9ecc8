package json

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Block is a member that the gateway adds to the top of an answer.
type Block struct {
	Name  string
	Value any
	Join  bool // joins a list of the same name that is already there
	First bool // stands before what that list has
}

// Blocks writes members as they are spliced into documents that came from
// elsewhere: with the escapes of HTML.
func (w *Writer) Blocks(list []Block) {
	for _, b := range list {
		w.Safe(b.Name, b.Value)
	}
}

// Safe writes a value as encoding/json does, with the escapes of HTML.
func (w *Writer) Safe(name string, v any) {
	text, err := json.Marshal(v)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.Raw(name, text)
}

// Edit is text that takes the place of a part of a document.
type Edit struct {
	From, To int
	Text     []byte
}

// Splice makes edits that do not overlap, whatever their order.
func Splice(doc []byte, edits []Edit) []byte {
	if len(edits) == 0 {
		return doc
	}
	size := len(doc)
	for i := range edits {
		size += len(edits[i].Text)
	}
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.From - b.From })
	out := make([]byte, 0, size)
	from := 0
	for _, e := range edits {
		out = append(append(out, doc[from:e.From]...), e.Text...)
		from = e.To
	}
	return append(out, doc[from:]...)
}

// Added returns the edit that puts a member at the end of the object at a place of
// a document. The member is its name, a colon and a value, as Member makes it.
func Added(doc []byte, object Place, member []byte) Edit {
	at := object.End - 1
	if space(doc, object.Begin+1) < at {
		member = append([]byte{','}, member...)
	}
	return Edit{at, at, member}
}

// Amend returns the edits that add a member of a name to the objects that paths
// lead to, in the order of the paths and then of the document: to each its value,
// where that is not the zero value.
func Amend[T comparable](doc []byte, paths []string, name string, values []T) ([]Edit, error) {
	if values == nil {
		return nil, nil
	}
	var none T
	var objects []Place
	Each(doc, paths, func(p Place) { objects = append(objects, p) })
	slices.SortStableFunc(objects, func(a, b Place) int { return a.Path - b.Path })
	var edits []Edit
	for i, value := range values {
		if value == none || i >= len(objects) {
			continue
		}
		member, err := Member(name, value)
		if err != nil {
			return nil, err
		}
		edits = append(edits, Added(doc, objects[i], member))
	}
	return edits, nil
}

// Member returns the text of a member.
func Member(name string, v any) ([]byte, error) {
	var w Writer
	w.Safe(name, v)
	return w.Bytes()
}

// Blend adds blocks to the top of a valid document, which must be an object, and
// makes edits besides. A block takes the place of a member of its name.
func Blend(doc []byte, blocks []Block, edits []Edit) ([]byte, error) {
	if len(blocks) == 0 {
		return Splice(doc, edits), nil
	}
	names := make([]string, len(blocks))
	for i := range blocks {
		names[i] = blocks[i].Name
	}
	found := make([]*Place, len(blocks))
	Each(doc, names, func(p Place) { found[p.Path] = &p })
	whole := Place{Begin: space(doc, 0), End: len(bytes.TrimRight(doc, " \n\r\t"))}
	var added []byte
	for i, b := range blocks {
		member, err := Member(b.Name, b.Value)
		if err != nil {
			return nil, err
		}
		p := found[i]
		if p == nil {
			if added != nil {
				added = append(added, ',')
			}
			added = append(added, member...)
			continue
		}
		value := member[bytes.IndexByte(member, ':')+1:]
		if b.Join && doc[p.Begin] == '[' {
			there := doc[p.Begin:p.End]
			if b.First {
				there, value = value, there
			}
			value = joined(there, value)
		}
		edits = append(edits, Edit{p.Begin, p.End, value})
	}
	if added != nil {
		edits = append(edits, Added(doc, whole, added))
	}
	return Splice(doc, edits), nil
}

// joined makes one list of two.
func joined(a, b []byte) []byte {
	a, b = bytes.TrimSpace(a[1:len(a)-1]), bytes.TrimSpace(b[1:len(b)-1])
	out := append([]byte{'['}, a...)
	if len(a) > 0 && len(b) > 0 {
		out = append(out, ',')
	}
	return append(append(out, b...), ']')
}

// Without takes a member off the top of a valid document.
func Without(doc []byte, name string) []byte {
	var edits []Edit
	Each(doc, []string{name}, func(p Place) {
		e := Edit{From: p.Name, To: space(doc, p.End)}
		if e.To < len(doc) && doc[e.To] == ',' {
			e.To = space(doc, e.To+1)
		} else if comma := bytes.LastIndexByte(doc[:p.Name], ','); comma >= 0 && len(bytes.TrimSpace(doc[comma+1:p.Name])) == 0 {
			e.From = comma
		}
		edits = append(edits, e)
	})
	return Splice(doc, edits)
}
