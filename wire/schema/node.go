package schema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"
)

// kind is how values of a type are read.
type kind uint8

const (
	opaque   kind = iota // cannot be read; leaves the description
	boolean              // bool
	integer              // int and the like
	natural              // uint and the like
	float                // float32, float64
	text                 // string
	timeKind             // time.Time
	textual              // encoding.TextUnmarshaler
	octets               // []byte, as base64: described only
	list                 // slice or array
	mapping              // map by strings
	object               // struct
	pointer              // to another
	raw                  // json.RawMessage
	anything             // interface
	itself               // Decoder
)

// node is the plan of a type: what reader and description have in common.
type node struct {
	kind   kind
	typ    reflect.Type
	elem   *node
	words  []string // that a text may be; nil is any
	fields []field
	index  map[string]int // into fields, by name
	parts  []part         // embedded structs that check themselves
	rest   []int          // path of the field that keeps the rest; nil is none
	unread reflect.Type   // of what cannot be read; nil where all can
	preset bool           // some member below has a default
	checks bool
	hints  bool
	orNull bool // null is a value of the type too, as nullable:"true" on a field _ says
}

// part is an embedded struct that checks itself.
type part struct {
	path     []int
	from, to int // its fields among those of the whole
}

// field is a member of a struct.
type field struct {
	name     string
	hint     string // a name for its type, where that has none
	path     []int
	node     *node
	rules    rules
	required bool
	later    bool // required by who uses the value, not by the reader
	effect   string
}

// maxFields bounds the members of a struct.
const maxFields = 128

var (
	decoderType   = reflect.TypeFor[Decoder]()
	checkerType   = reflect.TypeFor[Checker]()
	hinterType    = reflect.TypeFor[Hinter]()
	wordedType    = reflect.TypeFor[Worded]()
	warningsType  = reflect.TypeFor[Warnings]()
	sentType      = reflect.TypeFor[RawBody]()
	describerType = reflect.TypeFor[Describer]()
	textualType   = reflect.TypeFor[encoding.TextUnmarshaler]()
	timeType      = reflect.TypeFor[time.Time]()
	rawType       = reflect.TypeFor[json.RawMessage]()
	restType      = reflect.TypeFor[UnknownMembers]()
)

// planned remembers the plans of types, which never change.
var planned sync.Map // reflect.Type → *node

func planOf(t reflect.Type) *node {
	if n, ok := planned.Load(t); ok {
		return n.(*node)
	}
	p := planner{}
	n := p.node(t)
	for _, made := range p {
		made.preset, made.unread = made.presets(map[*node]bool{}), made.blind(map[*node]bool{})
	}
	for t, made := range p {
		planned.Store(t, made)
	}
	return n
}

// planner plans a type and all that it is made of.
type planner map[reflect.Type]*node

func (p planner) node(t reflect.Type) *node {
	if n, ok := planned.Load(t); ok {
		return n.(*node)
	}
	if n := p[t]; n != nil {
		return n // a type that holds itself
	}
	n := &node{typ: t}
	p[t] = n
	at := reflect.PointerTo(t)
	n.checks, n.hints = at.Implements(checkerType), at.Implements(hinterType)
	n.kind = kindOf(t)
	if at.Implements(wordedType) && n.kind != pointer {
		n.words = reflect.New(t).Interface().(Worded).Words()
	}
	ownOnly(t)
	switch n.kind {
	case pointer, list, mapping:
		n.elem = p.node(t.Elem())
		n.checks, n.hints = n.checks && n.kind != pointer, n.hints && n.kind != pointer
	case object:
		p.object(n)
	}
	return n
}

// ownOnly panics for a struct that would read or describe itself as one that it
// embeds does, without the rest of its members.
func ownOnly(t reflect.Type) {
	if t.Kind() != reflect.Struct {
		return
	}
	for f := range fieldsOf(t) {
		if at := reflect.PointerTo(f.Type); f.Anonymous && (at.Implements(decoderType) || at.Implements(describerType)) {
			panic(fmt.Sprintf("schema: %s embeds %s, which reads or describes itself", t, f.Type))
		}
	}
}

func kindOf(t reflect.Type) kind {
	at := reflect.PointerTo(t)
	switch {
	case t.Kind() == reflect.Pointer:
		return pointer
	case at.Implements(decoderType):
		return itself
	case t == timeType:
		return timeKind
	case t == rawType:
		return raw
	case at.Implements(textualType):
		return textual
	}
	switch t.Kind() {
	case reflect.Bool:
		return boolean
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return integer
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return natural
	case reflect.Float32, reflect.Float64:
		return float
	case reflect.String:
		return text
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return octets
		}
		return list
	case reflect.Map:
		if t.Key().Kind() == reflect.String {
			return mapping
		}
	case reflect.Struct:
		return object
	case reflect.Interface:
		return anything
	}
	return opaque
}

// object plans the members of a struct. Those of embedded structs come after its
// own, which hide them.
func (p planner) object(n *node) {
	n.index = map[string]int{}
	taken := map[string]bool{}
	p.members(n, n.typ, nil, taken)
	if len(n.fields) > maxFields {
		panic(fmt.Sprintf("schema: %s has %d members and may have %d", n.typ, len(n.fields), maxFields))
	}
	if len(n.parts) > 1 && !n.checks {
		panic(fmt.Sprintf("schema: %s embeds several that check: it must say with a Check of its own what is checked", n.typ))
	}
}

func (p planner) members(n *node, t reflect.Type, path []int, taken map[string]bool) {
	var embedded []reflect.StructField
	for f := range fieldsOf(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			embedded = append(embedded, f)
			continue
		}
		at := append(append([]int{}, path...), f.Index...)
		if f.Name == "_" {
			n.orNull = tags{n.typ, f}.flag("nullable", false)
		}
		if f.Type == restType {
			n.rest = at
			continue
		}
		if name == "" {
			name = f.Name
		}
		if !f.IsExported() || name == "-" || taken[f.Name] {
			continue
		}
		taken[f.Name] = true
		p.member(n, f, name, options, at)
	}
	for _, f := range embedded {
		at, from := append(append([]int{}, path...), f.Index...), len(n.fields)
		p.members(n, f.Type, at, taken)
		if path == nil && reflect.PointerTo(f.Type).Implements(checkerType) {
			if !f.IsExported() {
				panic(fmt.Sprintf("schema: %s embeds %s, which checks and cannot be asked: its name must be exported", n.typ, f.Type))
			}
			n.parts = append(n.parts, part{at, from, len(n.fields)})
		}
	}
}

func (p planner) member(n *node, f reflect.StructField, name, options string, at []int) {
	m := field{
		name: name, hint: n.typ.Name() + f.Name + "Struct", path: at, node: p.node(f.Type), effect: f.Tag.Get("effect"),
		required: !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero"),
	}
	if v, ok := f.Tag.Lookup("required"); ok {
		m.required, m.later = v == "true", v == "later"
	}
	m.rules = rulesOf(n.typ, f, m.node, strings.Contains(options, "omitempty"))
	if m.effect != "" && (m.node.kind != itself || f.Type.Kind() != reflect.Slice) {
		panic(fmt.Sprintf("schema: %s.%s has an effect and is no Raw", n.typ, f.Name))
	}
	if _, repeated := n.index[name]; repeated {
		panic(fmt.Sprintf("schema: %s has %s twice", n.typ, name))
	}
	n.index[name] = len(n.fields)
	n.fields = append(n.fields, m)
}

func fieldsOf(t reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}

// presets reports whether a member at or below a struct has a default.
func (n *node) presets(seen map[*node]bool) bool {
	if n.kind != object || seen[n] {
		return false
	}
	seen[n] = true
	for i := range n.fields {
		f := &n.fields[i]
		if f.rules.preset.IsValid() || f.node.presets(seen) {
			return true
		}
	}
	return false
}

// blind returns the first type at or below one that cannot be read; nil is none.
func (n *node) blind(seen map[*node]bool) reflect.Type {
	if seen[n] {
		return nil
	}
	seen[n] = true
	switch n.kind {
	case opaque, octets:
		return n.typ
	case pointer, list, mapping:
		return n.elem.blind(seen)
	case object:
		for _, f := range n.fields {
			if t := f.node.blind(seen); t != nil {
				return t
			}
		}
	}
	return nil
}

// readable returns the plan of a type whose values are read. It panics for one that
// cannot be, which is a defect.
func readable(t reflect.Type) *node {
	n := planOf(t)
	if n.unread != nil {
		panic(fmt.Sprintf("schema: values of %s cannot be read", n.unread))
	}
	return n
}
