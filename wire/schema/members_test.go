package schema_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/waygate/waygate/wire/schema/schematest"
)

func TestMembers(t *testing.T) {
	type part struct {
		A int `json:"a"`
		B any `json:"b,omitempty"`
	}
	type answer struct {
		part
		Parts []part `json:"parts"`
		Other *part  `json:"other"`
	}
	var m schematest.Members
	for _, text := range []string{`{"a":1,"b":{"x":[1]},"parts":[{"a":1}]}`, `{"parts":{},"other":{"a":1,"c":2}}`} {
		if err := m.Add([]byte(text), reflect.TypeFor[answer]()); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		"map[string]interface {} is written where []schema_test.part is described",
		"schema_test.answer.a is written after all",
		"schema_test.part.b is described and not written",
		"schema_test.part.c is written and not described",
	}
	if got := m.Wrong("schema_test.answer.a"); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if err := m.Add([]byte("{"), reflect.TypeFor[answer]()); err == nil {
		t.Error("text that is not JSON is taken")
	}
}
