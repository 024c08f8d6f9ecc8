package route_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/waygate/waygate/api/apitest"
)

// values are one of each type of JSON, none of which a member takes that is not
// of its type.
var values = map[string]any{"string": "zz9", "number": 5.5, "boolean": true, "array": []any{[]any{[]any{7}}}, "object": apitest.Object{"zz": 1}}

// takes reports whether a schema has values of a type.
func takes(s *openapi3.Schema, kind string) bool {
	if s.Type != nil && (s.Type.Includes(kind) || kind == "number" && s.Type.Includes("integer")) {
		return true
	}
	for _, one := range append(s.OneOf, s.AnyOf...) {
		if takes(one.Value, kind) {
			return true
		}
	}
	return s.Type == nil && len(s.OneOf)+len(s.AnyOf) == 0 && s.Enum == nil
}

// membersOf returns the members of an object, also of one that may be null.
func membersOf(s *openapi3.Schema) openapi3.Schemas {
	for _, one := range s.AnyOf {
		if len(one.Value.Properties) > 0 {
			return one.Value.Properties
		}
	}
	return s.Properties
}

// TestTypesAreHeld sends every member of every question, and every member of
// those that are objects, with values of all other types, in every format: each
// is refused by name.
func TestTypesAreHeld(t *testing.T) {
	g, town := apitest.Drawn(t)
	asked := everyBody(town)
	for path, text := range asked {
		var body apitest.Object
		if err := json.Unmarshal([]byte(`{`+text+`}`), &body); err != nil {
			t.Fatal(err)
		}
		tried := 0
		for name, of := range g.Document.Paths.Value(path).Post.RequestBody.Value.Content["application/json"].Schema.Value.Properties {
			for _, format := range []string{"", "json", "osrm"} {
				if format != "" && (name == "format" || path != "/route" && path != "/trace_route") {
					continue
				}
				with := func(value any) string {
					sent := maps.Clone(body)
					if format != "" {
						sent["format"] = format
					}
					sent[name] = value
					return apitest.Body(sent)
				}
				refuses := func(body, location string) {
					t.Helper()
					tried++
					r := g.Send("POST", path, body)
					if text := string(r.Body); r.Status != 400 || !strings.Contains(text, location) {
						t.Errorf("%s %s: %d %.300s", path, body, r.Status, text)
					}
				}
				for kind, value := range values {
					if !takes(of.Value, kind) {
						refuses(with(value), name)
					}
				}
				for inner, member := range membersOf(of.Value) {
					for kind, value := range values {
						if name != "costing_options" && !takes(member.Value, kind) {
							refuses(with(apitest.Object{inner: value}), name+"."+inner)
						}
					}
				}
			}
		}
		if tried < 50 {
			t.Errorf("%s: %d values were tried", path, tried)
		}
	}
}
