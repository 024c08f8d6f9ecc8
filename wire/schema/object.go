package schema

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
)

// object reads the members of a struct.
func (c *reader) object(n *node, r *rules, v reflect.Value) bool {
	switch b := c.peek(); {
	case b == 'n' && n.orNull:
		return c.cursor.word("null")
	case b != '{':
		return c.other(n, r)
	}
	if !c.deeper() {
		return false
	}
	c.depth++
	c.cursor.at++
	s := structure{c: c, n: n, v: v}
	before := c.refused
	i := 0
	for more := c.peek() != '}'; more; i++ {
		if !c.heed(i) {
			return false
		}
		name, ok := c.cursor.name()
		if !ok || !s.member(name) {
			return false
		}
		if more = c.cursor.take(','); !more && c.peek() != '}' {
			return false
		}
	}
	c.cursor.at++
	c.depth--
	s.rest()
	if c.refused > before {
		s.parts()
	}
	return true
}

// structure is one object while it is read.
type structure struct {
	c      *reader
	n      *node
	v      reflect.Value
	next   int // the field after the one read last, for most come in order
	seen   [maxFields / 64]uint64
	given  [maxFields / 64]uint64 // with a value, not null
	bad    [maxFields / 64]uint64 // refused
	odd    [][]byte               // members that are not known and are warned of
	others *names                 // that are not known
}

func (s *structure) member(name []byte) bool {
	i := s.find(name)
	if i < 0 {
		return s.unknown(name)
	}
	s.next = i + 1
	c, f := s.c, &s.n.fields[i]
	word, bit := i/64, uint64(1)<<(i%64)
	if s.seen[word]&bit != 0 {
		return c.doubled(name)
	}
	s.seen[word] |= bit
	if null := f.node.kind != raw && f.node.kind != anything || !f.required; null && c.peek() == 'n' {
		if f.required && f.rules.nullable {
			s.given[word] |= bit
		}
		return c.cursor.word("null")
	}
	s.given[word] |= bit
	target := s.v
	for _, at := range f.path {
		target = target.Field(at)
	}
	before := c.refused
	c.enter(f.name)
	ok := c.value(f.node, &f.rules, target)
	c.leave()
	if c.refused > before {
		s.bad[word] |= bit
	}
	if ok && f.effect != "" {
		s.addRest(f.name, f.effect, target.Bytes())
	}
	return ok
}

// find returns the index of the field of a name; below 0 where there is none.
func (s *structure) find(name []byte) int {
	if s.next < len(s.n.fields) && s.n.fields[s.next].name == string(name) {
		return s.next
	}
	if i, ok := s.n.index[string(name)]; ok {
		return i
	}
	return -1
}

// unknown takes a member that is not known.
func (s *structure) unknown(name []byte) bool {
	c := s.c
	if s.others == nil {
		s.others = &names{}
	}
	if s.others.add(name) {
		return c.doubled(name)
	}
	if s.others.count() > MaxMembers {
		return c.tooWide()
	}
	c.enterRaw(name)
	defer c.leave()
	part, ok := c.part()
	switch {
	case !ok:
		return false
	case s.n.rest != nil:
		s.addRest(string(name), "", part)
	case c.unknown == Refuse:
		c.Refuse("", nil, "is not known here") // the value may be a secret that stands in the wrong place
	case c.unknown == Warn && string(part) != "null":
		s.odd = append(s.odd, name)
	}
	return true
}

// addRest adds to the rest of a struct, if it keeps one.
func (s *structure) addRest(name, effect string, part []byte) {
	if s.n.rest == nil {
		return
	}
	rest := s.v.FieldByIndex(s.n.rest).Addr().Interface().(*UnknownMembers)
	*rest = append(*rest, Member{name, effect, json.RawMessage(part)})
}

// rest warns of what is not known, fills in defaults and refuses an object that
// lacks what is required.
func (s *structure) rest() {
	slices.SortFunc(s.odd, bytes.Compare)
	for _, name := range s.odd {
		at := joined(s.c.Path(), string(name))
		s.c.WarnOf(at, UnknownMember, "%s is not known here and had no effect", at)
	}
	for i := range s.n.fields {
		if s.given[i/64]&(1<<(i%64)) != 0 {
			continue
		}
		f := &s.n.fields[i]
		if f.required {
			s.c.Refuse(f.name, nil, "%s", f.rules.missing(f.node))
			s.bad[i/64] |= 1 << (i % 64)
			continue
		}
		f.fill(s.v)
	}
}

// parts checks those embedded structs of a refused struct in which nothing was refused, so
// that one refusal lists all that is wrong.
func (s *structure) parts() {
next:
	for _, p := range s.n.parts {
		for i := p.from; i < p.to; i++ {
			if s.bad[i/64]&(1<<(i%64)) != 0 {
				continue next
			}
		}
		s.v.FieldByIndex(p.path).Addr().Interface().(Checker).Check(s.c.Context)
	}
}

// fill gives a member that was left out its default, and those below it theirs.
func (f *field) fill(v reflect.Value) {
	if !f.rules.preset.IsValid() && !f.node.preset {
		return
	}
	for _, at := range f.path {
		v = v.Field(at)
	}
	if f.rules.preset.IsValid() {
		v.Set(f.rules.preset)
		return
	}
	for i := range f.node.fields {
		f.node.fields[i].fill(v)
	}
}
