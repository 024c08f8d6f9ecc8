package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const prefix = "#/components/schemas/"

// Schema describes a type; a struct becomes a component that is referred to.
func (d *Document) Schema(t reflect.Type) *Schema { return d.of(planOf(t), t.Name()) }

// of describes the values of a plan. The hint names a struct without a name.
func (d *Document) of(n *node, hint string) *Schema {
	if n.kind == pointer {
		return d.of(n.elem, hint)
	}
	if describer, ok := reflect.New(n.typ).Interface().(Describer); ok {
		return describer.Describe(d)
	}
	switch n.kind {
	case boolean:
		return &Schema{Type: Boolean}
	case integer, natural:
		return &Schema{Type: Integer, Format: bits(n.typ, "int32", "int64")}
	case float:
		return &Schema{Type: Number, Format: bits(n.typ, "float", "double")}
	case text, textual:
		return &Schema{Type: String}
	case timeKind:
		return &Schema{Type: String, Format: "date-time"}
	case octets:
		return &Schema{Type: String, ContentEncoding: "base64"}
	case list:
		s := &Schema{Type: Array, Items: d.of(n.elem, n.typ.Name()+"Item")}
		s.Items.Nullable = scalarPointer(n.elem)
		if n.typ.Kind() == reflect.Array {
			size := n.typ.Len()
			s.MinItems, s.MaxItems = &size, &size
		}
		return s
	case mapping:
		values := d.of(n.elem, n.typ.Name()+"Value")
		values.Nullable = values.Nullable || nullable(n.elem, n.elem) || scalarPointer(n.elem)
		return &Schema{Type: Object, AdditionalProperties: values}
	case object:
		return d.component(n, hint)
	}
	return &Schema{}
}

func scalarPointer(n *node) bool {
	return n.kind == pointer && nullable(n, n.elem)
}

// bits chooses a format by the size of a number.
func bits(t reflect.Type, small, large string) string {
	if t.Bits() > 32 {
		return large
	}
	return small
}

// component describes a struct once and refers to it.
func (d *Document) component(n *node, hint string) *Schema {
	if d.named[n.typ] == "" {
		name := d.name(n.typ, hint)
		d.named[n.typ] = name
		s := &Schema{Type: Object, Nullable: n.orNull, AdditionalProperties: false, Properties: map[string]*Schema{}}
		d.Components.Schemas[name] = s // before its members, which may refer to it
		for i := range n.fields {
			f := &n.fields[i]
			if f.node.kind == opaque {
				continue
			}
			member := d.field(f)
			if v := member.Default; v != nil {
				member.Default = nil
				member.SetAssumed(v)
			}
			if n.mistaken(f.name) {
				s.named(f.name, member)
				continue
			}
			s.Properties[f.name] = member
			if f.required || f.later {
				s.Required = append(s.Required, f.name)
			}
		}
	}
	return &Schema{Ref: prefix + d.named[n.typ]}
}

// mistaken reports whether generated code would make the name of another member
// of a name that is none in most languages: of fill-opacity that of fillOpacity.
func (n *node) mistaken(name string) bool {
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(s))
	}
	return strings.Contains(name, "-") && slices.ContainsFunc(n.fields, func(f field) bool { return f.name != name && plain(f.name) == plain(name) })
}

// named describes a member by a pattern that only its name matches, of which no
// generator makes a field.
func (s *Schema) named(name string, member *Schema) {
	if s.PatternProperties == nil {
		s.PatternProperties = map[string]*Schema{}
	}
	s.PatternProperties["^"+regexp.QuoteMeta(name)+"$"] = member
}

// SetAssumed sets what counts where a member of a request is left out. The keyword
// default would have generators take the member for one that is always there
// (openapi-typescript does), so it stands in words and as x-default.
func (s *Schema) SetAssumed(v any) {
	if s.Extensions == nil {
		s.Extensions = map[string]any{}
	}
	s.Extensions["x-default"] = v
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("schema: the default %v: %v", v, err))
	}
	if s.Description != "" {
		s.Description += "; "
	}
	s.Description += "by default " + strings.Trim(string(text), `"`)
}

// Component describes something under a name of its own, once, and refers to it.
func (d *Document) Component(name string, s *Schema) *Schema {
	if d.Components.Schemas[name] == nil {
		d.Components.Schemas[name] = s
	}
	return &Schema{Ref: prefix + name}
}

// name finds a name for a struct that no other has.
func (d *Document) name(t reflect.Type, hint string) string {
	name := componentName(t, hint)
	if d.Name != nil {
		name = d.Name(t, name)
	}
	if d.Components.Schemas[name] == nil {
		return name
	}
	if t.Name() != "" {
		panic(fmt.Sprintf("schema: %s would be another %s", t, name))
	}
	for i := 1; ; i++ {
		if other := fmt.Sprint(name, i); d.Components.Schemas[other] == nil {
			return other
		}
	}
}

// componentName returns a type's name without packages and brackets.
func componentName(t reflect.Type, hint string) string {
	name := t.Name()
	if name == "" {
		name = hint
	}
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return strings.ContainsRune("[]*,", r) }) {
		part = part[strings.LastIndexByte(part, '.')+1:]
		first, size := utf8.DecodeRuneInString(part)
		b.WriteRune(unicode.ToUpper(first))
		b.WriteString(part[size:])
	}
	return b.String()
}

// field describes a member: its type, and what its tags ask.
func (d *Document) field(f *field) *Schema {
	s := d.of(f.node, f.hint)
	r := &f.rules
	if r.doc != "" {
		s.Description = r.doc
	}
	if s.Ref == "" {
		s.Nullable = r.nullable
	}
	s.Default = r.standard
	if r.example != nil {
		s.Examples = []any{r.example}
	}
	s.MinItems, s.MaxItems = first(r.minItems, s.MinItems), first(r.maxItems, s.MaxItems)
	value := s
	switch {
	case r.entries != nil && s.Items == nil: // a list that describes itself as something else
		return s
	case r.entries != nil:
		value, r = s.Items, r.entries
	case s.Type == Array && s.Items != nil: // of a type that reads itself
		value = s.Items
	}
	r.describe(value)
	return s
}

// describe adds the rules for a single value.
func (r *rules) describe(s *Schema) {
	if r.format != "" {
		s.Format = r.format
	}
	for _, w := range r.words {
		s.Enum = append(s.Enum, w)
	}
	for _, v := range r.figures {
		s.Enum = append(s.Enum, v)
	}
	s.Minimum, s.Maximum = first(r.minimum, s.Minimum), first(r.maximum, s.Maximum)
	s.ExclusiveMinimum, s.ExclusiveMaximum = first(r.above, s.ExclusiveMinimum), first(r.below, s.ExclusiveMaximum)
	s.MinLength, s.MaxLength = first(r.minLength, s.MinLength), first(r.maxLength, s.MaxLength)
	if r.pattern != nil {
		s.Pattern = r.pattern.String()
	}
}

func first[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}

// Resolve returns the schema that a reference stands for, or the schema itself.
func (d *Document) Resolve(s *Schema) *Schema {
	for s != nil && s.Ref != "" {
		s = d.Components.Schemas[strings.TrimPrefix(s.Ref, prefix)]
	}
	return s
}

// Open lets every object under s have members beyond those listed, as answers of
// engines and questions do. It returns s.
func (d *Document) Open(s *Schema) *Schema {
	d.walk(s, map[*Schema]bool{}, func(s *Schema) {
		if s.AdditionalProperties == false {
			// Saying nothing allows them. Saying so would have generated code keep
			// them in a map, which hides the types of those that are listed.
			s.AdditionalProperties = nil
		}
	})
	return s
}

// Sent describes s as the body of a request: every member that may be left out may be null as
// well, which means the same. It returns s.
func (d *Document) Sent(s *Schema) *Schema {
	d.walk(s, map[*Schema]bool{}, func(s *Schema) {
		for _, members := range []map[string]*Schema{s.Properties, s.PatternProperties} {
			for name, p := range members {
				if !slices.Contains(s.Required, name) {
					members[name] = d.orNull(p)
				}
			}
		}
	})
	return s
}

// walk calls change for every schema under s, and then for s; each once, what a reference
// stands for in place of the reference.
func (d *Document) walk(s *Schema, seen map[*Schema]bool, change func(*Schema)) {
	if s = d.Resolve(s); s == nil || seen[s] {
		return
	}
	seen[s] = true
	if values, ok := s.AdditionalProperties.(*Schema); ok {
		d.walk(values, seen, change)
	}
	for _, members := range []map[string]*Schema{s.Properties, s.PatternProperties} {
		for _, p := range members {
			d.walk(p, seen, change)
		}
	}
	d.walk(s.Items, seen, change)
	for _, other := range slices.Concat(s.OneOf, s.AnyOf) {
		d.walk(other, seen, change)
	}
	change(s)
}

// orNull describes the values of a schema, and null.
func (d *Document) orNull(s *Schema) *Schema {
	with := *s
	switch null := &(Schema{Type: Null}); {
	case s.Type != "":
		with.Nullable = true
	case s.Ref != "":
		if d.Resolve(s).Nullable {
			return s
		}
		with.Ref, with.AnyOf = "", []*Schema{{Ref: s.Ref}, null}
	case s.OneOf != nil && !slices.ContainsFunc(s.OneOf, (*Schema).null):
		with.OneOf = append(slices.Clone(s.OneOf), null)
	case s.AnyOf != nil && !slices.ContainsFunc(s.AnyOf, (*Schema).null):
		with.AnyOf = append(slices.Clone(s.AnyOf), null)
	}
	return &with
}

// null reports whether a schema takes null.
func (s *Schema) null() bool { return s.Nullable || s.Type == Null }
