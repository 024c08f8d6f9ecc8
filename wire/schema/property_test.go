package schema_test

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/waygate/waygate/wire/schema"
)

// ruled has members of each kind with rules that JSON Schema has too.
type ruled struct {
	Places []struct {
		Lat float64 `json:"lat" minimum:"-90" maximum:"90"`
		Lon float64 `json:"lon" exclusiveMinimum:"-180" exclusiveMaximum:"180"`
	} `json:"places" minItems:"1" maxItems:"3"`
	Mode   word               `json:"mode" enum:"car,foot"`
	Count  int                `json:"count,omitempty" minimum:"1" maximum:"9"`
	Level  *int               `json:"level" enum:"0,1,2" minimum:"0"`
	Share  *float64           `json:"share,omitempty" maximum:"1"`
	Name   string             `json:"name,omitempty" minLength:"2" maxLength:"5" pattern:"^[a-zé]*$"`
	Code   *string            `json:"code" nullable:"true"`
	Day    string             `json:"day,omitempty" format:"date"`
	At     time.Time          `json:"at,omitzero"`
	Kinds  []string           `json:"kinds" enum:"a,b"`
	Pair   [2]float64         `json:"pair,omitempty"`
	Small  uint8              `json:"small,omitempty" maximum:"255"`
	Flag   bool               `json:"flag,omitempty"`
	Limits map[string]float64 `json:"limits,omitempty"`
	Inner  struct {
		Deep string `json:"deep"`
	} `json:"inner,omitzero"`
}

// TestSchemaIsWhatIsEnforced checks that a document is taken where, and only
// where, the description says so. Documents are made from the description and
// then changed in places.
func TestSchemaIsWhatIsEnforced(t *testing.T) {
	d := schema.NewDocument(schema.Info{})
	root := d.Schema(reflect.TypeFor[ruled]())
	described := compiled(t, d, root.Ref)
	plan := schema.Of[ruled]()
	rapid.Check(t, func(t *rapid.T) {
		doc := drawn(t, d, root)
		for range rapid.IntRange(0, 2).Draw(t, "changes") {
			doc = changed(t, doc)
		}
		doc = withoutNull(d, root, doc)
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := doc.(map[string]any); !ok {
			return // refused in other words
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		says := described.Validate(value)
		_, does := plan.Read(context.Background(), text, new(ruled), schema.Options{Unknown: schema.Refuse})
		if (says == nil) != (does == nil) {
			t.Fatalf("%s\nthe description says %v\nthe reader says %v", text, says, does)
		}
	})
}

func compiled(t *testing.T, d *schema.Document, ref string) *jsonschema.Schema {
	text, err := json.Marshal(map[string]any{"components": d.Components})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("doc.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("doc.json" + ref)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// drawn makes a value that a schema describes.
func drawn(t *rapid.T, d *schema.Document, s *schema.Schema) any {
	s = d.Resolve(s)
	if s.Nullable && rapid.IntRange(0, 9).Draw(t, "null") == 0 {
		return nil
	}
	if len(s.Enum) > 0 {
		return rapid.SampledFrom(s.Enum).Draw(t, "enum")
	}
	switch s.Type {
	case schema.Boolean:
		return rapid.Bool().Draw(t, "bool")
	case schema.Integer:
		return rapid.IntRange(int(or(s.Minimum, -100)), int(or(s.Maximum, 100))).Draw(t, "int")
	case schema.Number:
		return rapid.Float64Range(or(s.Minimum, -99), or(s.Maximum, 99)).Draw(t, "number")
	case schema.String:
		return rapid.SampledFrom([]string{"abé", "2026-02-28", "2026-01-01T00:00:00Z"}).Draw(t, "text")
	case schema.Array:
		list := []any{}
		for range rapid.IntRange(orInt(s.MinItems, 0), orInt(s.MaxItems, 3)).Draw(t, "length") {
			list = append(list, drawn(t, d, s.Items))
		}
		return list
	}
	doc := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if slices.Contains(s.Required, name) || rapid.Bool().Draw(t, "has "+name) {
			doc[name] = drawn(t, d, s.Properties[name])
		}
	}
	if values, ok := s.AdditionalProperties.(*schema.Schema); ok {
		doc["any"] = drawn(t, d, values)
	}
	return doc
}

func or(v *float64, otherwise float64) float64 {
	if v == nil {
		return otherwise
	}
	return *v
}

func orInt(v *int, otherwise int) int {
	if v == nil {
		return otherwise
	}
	return *v
}

// strange are values that may be put in the place of others.
var strange = []any{
	nil, true, 0, 1, 9, 10, -1, 0.5, 90, 90.5, -180, 180, 255, 256, json.Number("5.0"), json.Number("1e2"), json.Number("25e-1"), "", "a", "car", "ééééé", "éééééé", "ABC", "2026-02-30", "2026-01-01",
	"2026-01-01T25:00:00Z",
	[]any{},
	[]any{"a"},
	[]any{1, 2},
	[]any{1, 2, 3},
	[]any{nil},
	map[string]any{},
	map[string]any{"deep": "x"},
	map[string]any{"lat": 1, "lon": 1},
}

// changed puts something strange in one place of a document, takes a member out,
// or puts one in.
func changed(t *rapid.T, v any) any {
	other := rapid.SampledFrom(strange).Draw(t, "strange")
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			return other
		}
		doc := maps.Clone(v)
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(v))).Draw(t, "name")
		switch rapid.IntRange(0, 5).Draw(t, "change") {
		case 0:
			delete(doc, name)
		case 1:
			doc["other"] = other
		default:
			doc[name] = changed(t, doc[name])
		}
		return doc
	case []any:
		if len(v) == 0 || rapid.IntRange(0, 3).Draw(t, "whole") == 0 {
			return append(slices.Clone(v), other)
		}
		list := slices.Clone(v)
		i := rapid.IntRange(0, len(v)-1).Draw(t, "entry")
		list[i] = changed(t, list[i])
		return list
	}
	return other
}

// withoutNull leaves out what is null and need not be there: the reader takes
// that for leaving it out, as the description says in words only.
func withoutNull(d *schema.Document, s *schema.Schema, v any) any {
	s = d.Resolve(s)
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			p := s.Properties[name]
			switch values, ok := s.AdditionalProperties.(*schema.Schema); {
			case inner == nil && !slices.Contains(s.Required, name) && (p != nil || ok):
				delete(v, name)
			case p != nil:
				v[name] = withoutNull(d, p, inner)
			case ok:
				v[name] = withoutNull(d, values, inner)
			}
		}
	case []any:
		for i := range v {
			if s.Items != nil {
				v[i] = withoutNull(d, s.Items, v[i])
			}
		}
	}
	return v
}
