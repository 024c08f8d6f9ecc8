package native_test

import (
	"bytes"
	stdjson "encoding/json"
	"reflect"
	"strconv"
	"testing"

	"gotest.tools/v3/golden"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/native"
)

// filled gives a value of which every member has a value of its own, where its kind has
// that many: one element in each list, and 1 for words that are numbers.
func filled[T any]() *T {
	v, n := new(T), 0
	fill(reflect.ValueOf(v).Elem(), &n)
	return v
}

func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int8:
		v.SetInt(1)
	case reflect.Uint8:
		v.SetUint(1)
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(*n)) //nolint:gosec // a small count
	case reflect.Float64:
		v.SetFloat(float64(*n%40) + 0.25)
	case reflect.String:
		v.SetString("word " + strconv.Itoa(*n))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), n)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Name != "Raw" {
				fill(v.Field(i), n)
			}
		}
	}
}

// TestWholeAnswers holds the text of answers in which all is known, and of some in which
// nothing is.
func TestWholeAnswers(t *testing.T) {
	attributes := filled[engine.AttributesAnswer]()
	attributes.Edges[0].Source, attributes.Edges[0].Target = 0.25, 0.75
	bare := &engine.AttributesAnswer{Edges: []engine.AttributeEdge{{Last: true, Target: 1, Edge: engine.Edge{Admin: -1}}}, Points: make([]engine.AttributePoint, 1)}
	trace := func(miles bool, filter engine.AttributeFilter) *engine.MatchRequest {
		options, _, _ := costing.Parse(costing.Auto, nil, "")
		return &engine.MatchRequest{Costing: costing.Auto, Options: options, Output: engine.Output{Miles: miles}, Filter: filter}
	}
	places := &engine.LocateAnswer{Places: []engine.Located{*filled[engine.Located](), {}}}
	few := &engine.LocateAnswer{Places: []engine.Located{{Edges: []engine.LocatedEdge{{Way: 7, Side: "left", Along: 0.5}}, Nodes: make([]engine.LocatedNode, 1)}, {}}}
	locate := &engine.LocateRequest{Locations: make([]engine.Location, 2), Verbose: true}
	var out bytes.Buffer
	for _, c := range []struct {
		what  string
		write func() ([]byte, error)
	}{
		{"attributes", func() ([]byte, error) {
			return native.WriteAttributes(trace(false, engine.AttributeFilter{}), attributes)
		}},
		{"attributes in miles", func() ([]byte, error) {
			return native.WriteAttributes(trace(true, engine.AttributeFilter{}), attributes)
		}},
		{"some attributes", func() ([]byte, error) {
			return native.WriteAttributes(trace(false, engine.AttributeFilter{Include: true, Names: []string{"edge.length", "edge.sign.exit_toward", "matched.type"}}), attributes)
		}},
		{"attributes of which nothing is known", func() ([]byte, error) { return native.WriteAttributes(trace(false, engine.AttributeFilter{}), bare) }},
		{"places", func() ([]byte, error) { return native.WriteLocate(locate, places, nil) }},
		{"places in few words", func() ([]byte, error) {
			return native.WriteLocate(&engine.LocateRequest{Locations: locate.Locations}, few, nil)
		}},
	} {
		text, err := c.write()
		if err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		out.WriteString("== " + c.what + "\n")
		if err := stdjson.Indent(&out, text, "", " "); err != nil {
			t.Errorf("%s is not JSON: %v\n%s", c.what, err, text)
		}
		out.WriteString("\n")
	}
	golden.Assert(t, out.String(), "answers.golden")
}
