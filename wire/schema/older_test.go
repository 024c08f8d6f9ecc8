package schema_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/waygate/waygate/wire/schema"
)

// TestOlder checks what becomes of the words that OpenAPI 3.0 does not have, wherever in a
// document they stand, and that examples stay as they are.
func TestOlder(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":["string","null"]}`:                                                   `{"type":"string","nullable":true}`,
		`{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":9}`:                  `{"type":"number","minimum":0,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":true}`,
		`{"examples":[1,2]}`:                                                           `{"example":1}`,
		`{"contentEncoding":"base64"}`:                                                 `{"format":"byte"}`,
		`{"patternProperties":{"^x":{}},"additionalProperties":false}`:                 `{}`,
		`{"anyOf":[{"$ref":"#/a"},{"type":"null"}],"description":"b"}`:                 `{"$ref":"#/a"}`,
		`{"oneOf":[{"type":"boolean"},{"$ref":"#/a"},{"type":"null"}]}`:                `{"oneOf":[{"type":"boolean"},{"$ref":"#/a"}]}`,
		`{"$ref":"#/a","description":"b"}`:                                             `{"$ref":"#/a"}`,
		`{"items":{"type":["string","null"]},"additionalProperties":{"examples":[1]}}`: `{"items":{"type":"string","nullable":true},"additionalProperties":{"example":1}}`,
		`{"properties":{"a":{"examples":[1]}},"anyOf":[{"examples":[2]}]}`:             `{"properties":{"a":{"example":1}},"anyOf":[{"example":2}]}`,
	} {
		frame := func(schema, version string) string {
			return `{"openapi":"` + version + `","components":{"schemas":{"s":` + schema + `}},"paths":{"/a":{"get":{"parameters":[{"schema":` + schema + `,"example":{"schema":{"examples":[1]}}}]}}}}`
		}
		got, err := schema.Older([]byte(frame(text, "3.1.0")))
		var a, b any
		if err != nil || json.Unmarshal(got, &a) != nil || json.Unmarshal([]byte(frame(want, "3.0.3")), &b) != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%s becomes %s (%v), want %s", text, got, err, want)
		}
	}
	if _, err := schema.Older([]byte("{")); err == nil {
		t.Error("what is no JSON is written in older words")
	}
}
