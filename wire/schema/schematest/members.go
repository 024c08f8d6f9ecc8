package schematest

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Members compares answers that were written by hand with the types that describe them.
type Members struct {
	written map[reflect.Type]map[string]bool // names by the type that describes them
	wrong   map[string]bool
}

// Add takes an answer in JSON that values of a type describe.
func (m *Members) Add(answer []byte, t reflect.Type) error {
	var v any
	if err := json.Unmarshal(answer, &v); err != nil {
		return err
	}
	if m.written == nil {
		m.written, m.wrong = map[reflect.Type]map[string]bool{}, map[string]bool{}
	}
	m.add(v, t)
	return nil
}

func (m *Members) add(v any, t reflect.Type) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch v := v.(type) {
	case []any:
		if t.Kind() != reflect.Slice && t.Kind() != reflect.Array {
			m.differs(v, t)
			return
		}
		for _, e := range v {
			m.add(e, t.Elem())
		}
	case map[string]any:
		switch t.Kind() {
		case reflect.Interface, reflect.Map:
		case reflect.Struct:
			m.object(v, t)
		default:
			m.differs(v, t)
		}
	}
}

func (m *Members) differs(v any, t reflect.Type) {
	if t.Kind() != reflect.Interface {
		m.wrong[fmt.Sprintf("%T is written where %s is described", v, t)] = true
	}
}

func (m *Members) object(v map[string]any, t reflect.Type) {
	described := membersOf(t)
	if m.written[t] == nil {
		m.written[t] = map[string]bool{}
	}
	for name, member := range v {
		of, ok := described[name]
		if !ok {
			m.wrong[fmt.Sprintf("%s.%s is written and not described", t, name)] = true
			continue
		}
		m.written[t][name] = true
		m.add(member, of)
	}
}

// Wrong lists what was written and is not described, and what is described and was never
// written but for the members named in elsewhere, as "valhalla.TraceEdge.sign".
func (m *Members) Wrong(elsewhere ...string) []string {
	for t, written := range m.written {
		for name := range membersOf(t) {
			at := t.String() + "." + name
			switch other := slices.Contains(elsewhere, at); {
			case !written[name] && !other:
				m.wrong[at+" is described and not written"] = true
			case written[name] && other:
				m.wrong[at+" is written after all"] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(m.wrong))
}

// membersOf returns the types of a struct's members by their names.
func membersOf(t reflect.Type) map[string]reflect.Type {
	all := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			all[name] = f.Type
		}
	}
	return all
}
