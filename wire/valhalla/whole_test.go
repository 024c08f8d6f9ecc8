package valhalla_test

import (
	"bytes"
	stdjson "encoding/json"
	"testing"

	"gotest.tools/v3/golden"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/schema/schematest"
	"github.com/waygate/waygate/wire/valhalla"
)

// TestWholeAnswers checks the text of answers in which all is known, and of some in which
// nothing is.
func TestWholeAnswers(t *testing.T) {
	attributes := schematest.Filled[engine.AttributesAnswer]()
	attributes.Edges[0].Source, attributes.Edges[0].Target = 0.25, 0.75
	bare := &engine.AttributesAnswer{Edges: []engine.AttributeEdge{{Last: true, Target: 1, Edge: engine.Edge{Admin: -1}}}, Points: make([]engine.AttributePoint, 1)}
	trace := func(miles bool, filter engine.AttributeFilter) *engine.MatchRequest {
		options, _, _ := costing.Parse(costing.Auto, nil, "")
		return &engine.MatchRequest{Costing: costing.Auto, Options: options, Output: engine.Output{Miles: miles}, Filter: filter}
	}
	places := &engine.LocateAnswer{Places: []engine.Located{*schematest.Filled[engine.Located](), {}}}
	few := &engine.LocateAnswer{Places: []engine.Located{{Edges: []engine.LocatedEdge{{Way: 7, Side: "left", Along: 0.5}}, Nodes: make([]engine.LocatedNode, 1)}, {}}}
	locate := &engine.LocateRequest{Locations: make([]engine.Location, 2), Verbose: true}
	var out bytes.Buffer
	for _, c := range []struct {
		what  string
		write func() ([]byte, error)
	}{
		{"attributes", func() ([]byte, error) {
			return valhalla.WriteAttributes(trace(false, engine.AttributeFilter{}), attributes)
		}},
		{"attributes in miles", func() ([]byte, error) {
			return valhalla.WriteAttributes(trace(true, engine.AttributeFilter{}), attributes)
		}},
		{"some attributes", func() ([]byte, error) {
			return valhalla.WriteAttributes(trace(false, engine.AttributeFilter{Include: true, Names: []string{"edge.length", "edge.sign.exit_toward", "matched.type"}}), attributes)
		}},
		{"attributes of which nothing is known", func() ([]byte, error) { return valhalla.WriteAttributes(trace(false, engine.AttributeFilter{}), bare) }},
		{"places", func() ([]byte, error) { return valhalla.WriteLocate(locate, places, nil) }},
		{"places in few words", func() ([]byte, error) {
			return valhalla.WriteLocate(&engine.LocateRequest{Locations: locate.Locations}, few, nil)
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
