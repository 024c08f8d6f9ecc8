package osm

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// The same answers of Overpass in XML and in JSON.
var withGeometry = map[string][2]string{
	"a way with its geometry": {
		`<osm version="0.6" generator="Overpass API 0.7.62"><meta osm_base="2024-02-03T04:05:06Z"/>
		<way id="7" version="3"><bounds minlat="50" minlon="7" maxlat="51" maxlon="8"/><nd ref="1" lat="50.0000001" lon="7.1"/><nd ref="2" lat="50.2" lon="7.2"/><tag k="highway" v="residential"/></way></osm>`,
		`{"version":0.6,"generator":"Overpass API 0.7.62","osm3s":{"timestamp_osm_base":"2024-02-03T04:05:06Z","copyright":"x"},"elements":[
		{"type":"way","id":7,"version":3,"bounds":{"minlat":50,"minlon":7,"maxlat":51,"maxlon":8},"nodes":[1,2],"geometry":[{"lat":50.0000001,"lon":7.1},{"lat":50.2,"lon":7.2}],"tags":{"highway":"residential"}}]}`,
	},
	"cut off by a box": {
		`<osm version="0.6" generator="Overpass API"><way id="7"><nd ref="1"/><nd ref="2" lat="50.2" lon="7.2"/><nd ref="3" lat="50.3" lon="7.3"/><tag k="highway" v="path"/></way></osm>`,
		`{"generator":"Overpass API","elements":[{"type":"way","id":7,"nodes":[1,2,3],"geometry":[null,{"lat":50.2,"lon":7.2},{"lat":50.3,"lon":7.3}],"tags":{"highway":"path"}}]}`,
	},
	"a relation with its members' geometry": {
		`<osm version="0.6" generator="Overpass API"><relation id="9"><bounds minlat="0" minlon="0" maxlat="2" maxlon="2"/>
		<member type="way" ref="11" role="outer"><nd lat="0" lon="0"/><nd lat="0" lon="2"/><nd lat="2" lon="2"/></member>
		<member type="way" ref="12" role="outer"><nd lat="2" lon="2"/><nd lat="0" lon="0"/></member>
		<member type="way" ref="13" role="inner"><nd/><nd lat="1" lon="1"/><nd/><nd/><nd lat="1" lon="1.5"/></member>
		<member type="node" ref="14" role="label" lat="1" lon="1"/><member type="relation" ref="15" role=""/>
		<tag k="natural" v="water"/><tag k="type" v="multipolygon"/></relation></osm>`,
		`{"elements":[{"type":"relation","id":9,"bounds":{"minlat":0,"minlon":0,"maxlat":2,"maxlon":2},"members":[
		{"type":"way","ref":11,"role":"outer","geometry":[{"lat":0,"lon":0},{"lat":0,"lon":2},{"lat":2,"lon":2}]},
		{"type":"way","ref":12,"role":"outer","geometry":[{"lat":2,"lon":2},{"lat":0,"lon":0}]},
		{"type":"way","ref":13,"role":"inner","geometry":[null,{"lat":1,"lon":1},null,null,{"lat":1,"lon":1.5}]},
		{"type":"node","ref":14,"role":"label","lat":1,"lon":1},{"type":"relation","ref":15,"role":""}],
		"tags":{"type":"multipolygon","natural":"water"}}],"generator":"Overpass API"}`,
	},
	"nodes, as elsewhere": {
		`<osm version="0.6" generator="CGImap"><node id="1" version="2" lat="-16.8" lon="179.9999999"><tag k="a" v="b"/></node><node id="2" visible="false"/><way id="3"><nd ref="1"/></way></osm>`,
		`{"version":"0.6","generator":"CGImap","elements":[{"type":"node","id":1,"version":2,"lat":-16.8,"lon":179.9999999,"tags":{"a":"b"},"user":"x"},{"type":"node","id":2,"visible":false},{"type":"way","id":3,"nodes":[1]},{"type":"count","id":0}]}`,
	},
}

func TestGeometryInPlaceOfNodes(t *testing.T) {
	for name, c := range withGeometry {
		var read [2]*Data
		for i, text := range c {
			path := file(t, "answer", []byte(text))
			d, h, err := load(t, path, Options{})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			read[i] = d
			if name == "a way with its geometry" && (h.Timestamp.Year() != 2024 || !strings.HasPrefix(h.Generator, "Overpass")) {
				t.Errorf("header %+v", h)
			}
			for _, skip := range []Options{{SkipNodes: true}, {SkipWays: true}, {SkipRelations: true}, {SkipNodes: true, SkipWays: true}, {SkipWays: true, SkipRelations: true}} {
				part, _, err := load(t, path, skip)
				if err != nil {
					t.Fatal(err)
				}
				if len(part.Nodes) != len(d.Nodes)*b2i(!skip.SkipNodes) || len(part.Ways) != len(d.Ways)*b2i(!skip.SkipWays) || len(part.Relations) != len(d.Relations)*b2i(!skip.SkipRelations) {
					t.Errorf("%s, %+v: %d nodes, %d ways, %d relations", name, skip, len(part.Nodes), len(part.Ways), len(part.Relations))
				}
			}
		}
		sameData(t, name, read[0], read[1])
		if name != "a relation with its members' geometry" {
			continue
		}
		d := read[0]
		if len(d.Ways) != 3 || d.Ways[0].Nodes[2] != d.Ways[1].Nodes[0] || d.Ways[0].Nodes[0] != d.Ways[1].Nodes[1] {
			t.Errorf("members do not meet: %+v", d.Ways)
		}
		at := map[int64]Node{}
		for _, n := range d.Nodes {
			at[n.ID] = n
		}
		if n := at[d.Ways[0].Nodes[1]]; n.Lon != 2e7 || n.Lat != 0 || at[14].Lon != 1e7 {
			t.Errorf("positions %+v", at)
		}
		if n := d.Ways[2].Nodes; len(n) != 3 || n[1] != missingNode || at[n[1]].ID != 0 {
			t.Errorf("a member that is cut off has the nodes %v", n)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func sameData(t *testing.T, name string, a, b *Data) {
	t.Helper()
	var x, y bytes.Buffer
	if err := WriteXML(&x, a); err != nil {
		t.Fatal(err)
	}
	if err := WriteXML(&y, b); err != nil {
		t.Fatal(err)
	}
	cut := func(b []byte) string { _, rest, _ := strings.Cut(string(b), "<node"); return rest }
	if cut(x.Bytes()) != cut(y.Bytes()) {
		t.Errorf("%s: XML\n%s\nJSON\n%s", name, x.Bytes(), y.Bytes())
	}
}

// A part that an answer has left out is named, with how to ask for it.
func TestAnswersWithoutPositions(t *testing.T) {
	for text, says := range map[string]string{
		`<osm version="0.6" generator="Overpass API"><way id="5"><center lat="1" lon="2"/><tag k="highway" v="path"/></way></osm>`:                                   "way 5 has a centre but no nodes",
		`{"generator":"Overpass API","elements":[{"type":"way","id":5,"center":{"lat":1,"lon":2},"tags":{"highway":"path"}}]}`:                                       "way 5 has a centre but no nodes",
		`<osm version="0.6" generator="Overpass API"><way id="5"><tag k="highway" v="path"/></way></osm>`:                                                            "way 5 has no nodes",
		`{"generator":"Overpass API","elements":[{"type":"way","id":5,"tags":{"highway":"path"}}]}`:                                                                  "way 5 has no nodes",
		`<osm version="0.6" generator="Overpass API"><node id="1" lat="1" lon="2"/><node id="2" lat="1" lon="3"/><way id="5"><nd ref="1"/><nd ref="2"/></way></osm>`: "no object has a tag",
		`{"generator":"Overpass API","elements":[{"type":"node","id":1,"lat":1,"lon":2},{"type":"way","id":5,"nodes":[1]}]}`:                                         "no object has a tag",
		`<osm version="0.6" generator="Overpass API"><way id="5"><nd ref="1"/><nd ref="2"/><tag k="highway" v="path"/></way></osm>`:                                  "ways have no positions",
		`{"elements":[{"type":"way","id":5,"nodes":[1,2],"tags":{"highway":"path"}}],"generator":"Overpass API"}`:                                                    "ways have no positions",
		`{"elements":[{"type":"node","id":5}]}`:                     "no position",
		`{"elements":[],"remark":"runtime error: Query timed out"}`: "incomplete",
		`{"elements":[{"type":"node","id":5,"lat":1,"lon":2}`:       "cut short",
		`{"elements":{}}`:               "no list",
		`{"elements":[],"elements":[]}`: "twice",
		`{"elements":[{"type":"way","id":5,"nodes":[1,2],"geometry":[{"lat":1,"lon":1}]}]}`:                                      "2 nodes and a geometry of 1",
		`{"elements":[{"type":"node","id":1.5,"lat":1,"lon":1}]}`:                                                                "no whole number",
		`{"elements":[{"type":"relation","id":1,"members":[{"type":"x","ref":1}]}]}`:                                             "lacks type or ref",
		`{"elements":[{"type":"way","id":1,"nodes":[1],"geometry":[{"lat":"x","lon":1}]}]}`:                                      "",
		`<osm version="0.6"><way id="5"><nd lat="1"/></way></osm>`:                                                               "has no ref",
		`<osm version="0.6"><relation id="5"><member type="way" ref="1" role=""><nd lat="x" lon="1"/></member></relation></osm>`: "no number of degrees",
	} {
		for _, opt := range []Options{{}, {SkipRelations: true}} {
			_, err := Scan(context.Background(), file(t, "answer", []byte(text)), opt, func(*Block) error { return nil })
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s\n%v, want %q", text, err, says)
			}
		}
	}
}

// FuzzJSON wants JSON to be refused or to be read; what is read is written as XML and read again.
func FuzzJSON(f *testing.F) {
	for _, c := range withGeometry {
		f.Add([]byte(c[1]))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxFuzz {
			t.Skip()
		}
		j := newJSONReader(bytes.NewReader(b), Options{})
		d := &Data{}
		var s space
		for more := true; more; {
			var err error
			if more, err = j.next(&s, xmlBlock); err != nil {
				return
			}
			d.add(&s.block)
		}
		for i := range d.Ways {
			d.Ways[i].Version = max(0, d.Ways[i].Version)
		}
		var out bytes.Buffer
		if err := WriteXML(&out, d); err != nil {
			return // such as control characters
		}
		if again, err := readXML(out.Bytes()); err != nil || len(again.Nodes) != len(d.Nodes) || len(again.Ways) != len(d.Ways) {
			t.Fatalf("what is written cannot be read: %v\n%s", err, out.Bytes())
		}
	})
}
