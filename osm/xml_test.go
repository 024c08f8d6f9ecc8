package osm

import (
	"bytes"
	"context"
	"io"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"pgregory.net/rapid"
)

// WriteXML is osmtest's, which imports this package: only the tests outside it
// can hand it in.
var WriteXML func(w io.Writer, data *Data) error

func xmlBytes(tb testing.TB, d *Data) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := WriteXML(&b, d); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func TestXMLRoundTrip(t *testing.T) {
	d := town()
	path := file(t, "town.osm", xmlBytes(t, d))
	got, h, err := load(t, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, d) {
		t.Errorf("got  %+v\nwant %+v", got, d)
	}
	want := Header{Bounds: d.bounds(), Timestamp: d.Timestamp, Generator: "waygate"}
	if h != want {
		t.Errorf("header %+v, want %+v", h, want)
	}
	if alone, err := ReadHeader(context.Background(), path); err != nil || alone != want {
		t.Errorf("ReadHeader gives %+v, %v; want %+v", alone, err, want)
	}
}

func TestXMLRoundTripOfAnyData(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := drawData(r)
		got, _, err := load(t, file(t, "any.osm", xmlBytes(t, d)), Options{})
		if err != nil {
			r.Fatal(err)
		}
		if !reflect.DeepEqual(got, d) {
			r.Fatalf("got  %+v\nwant %+v", got, d)
		}
	})
}

func TestXMLOfOthers(t *testing.T) {
	base := time.Date(2022, 1, 2, 3, 4, 5, 0, time.UTC)
	node := Data{Nodes: []Node{{ID: 1, Lon: 20000000, Lat: 10000000}}}
	dated := node
	dated.Timestamp = base
	for name, c := range map[string]struct {
		in   string
		want Data
	}{
		"byte order mark":   {"\xef\xbb\xbf<?xml version='1.0'?>\n<osm version='0.6'><node id='1' lat='1' lon='2'/></osm>", node},
		"comments":          {"<!-- < > --><!DOCTYPE osm><osm><!-- <node id='2'/> --><node id='1' lat='1' lon='2'></node></osm><!-- -->\n", node},
		"Overpass":          {"<osm><note>by &amp; for</note><meta osm_base='2022-01-02T03:04:05Z'/><node id='1' lat='1.0' lon='2e0'/></osm>", dated},
		"planet":            {"<osm timestamp='2022-01-02T04:04:05+01:00'><node id='1' lat='+1.' lon='2.00000004999999'/></osm>", dated},
		"JOSM's deletions":  {"<osm><node id='1' lat='1' lon='2'/><way id='2' action='delete'><nd ref='1'/><tag k='a' v='b'/></way></osm>", node},
		"deleted, unplaced": {"<osm><node id='5' visible='false'><tag k='a' v='b'/></node><node id='1' lat='1' lon='2' visible='true'/></osm>", node},
		"unknown elements":  {"<osm><changeset><tag k='x'/><node/></changeset><node id='1' lat='1' lon='2'><center><tag/></center></node></osm>", node},
		"any order": {
			"<osm><way id='3'><tag k='a' v='1'/><nd ref='9'/><nd ref='8'/></way><node id='1' lat='1' lon='2'/><way id='2'/></osm>",
			Data{Nodes: node.Nodes, Ways: []Way{{ID: 3, Nodes: []int64{9, 8}, Tags: Tags{{"a", "1"}}}, {ID: 2}}},
		},
		"entities": {
			"<osm><way id='1'><tag k='&#x41;&#66;&apos;&quot;&lt;&gt;&amp;' v='a\tb\r\nc&#10;&#x1D11E;'/></way></osm>",
			Data{Ways: []Way{{ID: 1, Tags: Tags{{"AB'\"<>&", "a b c\n𝄞"}}}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, err := load(t, file(t, "x.osm", []byte(c.in)), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(*got, c.want) {
				t.Errorf("got  %+v\nwant %+v", *got, c.want)
			}
		})
	}
}

func TestXMLBounds(t *testing.T) {
	in := `<osm><bounds minlat="1" minlon="2" maxlat="3.5" maxlon="4"/><bounds minlat="0" minlon="3" maxlat="1" maxlon="5"/></osm>`
	h, err := ReadHeader(context.Background(), file(t, "x.osm", []byte(in)))
	want := geo.Bounds{Min: geo.Point{Lon: 2, Lat: 0}, Max: geo.Point{Lon: 5, Lat: 3.5}}
	if err != nil || h.Bounds != want {
		t.Errorf("bounds %v, %v; want %v", h.Bounds, err, want)
	}
}

func TestXMLRefused(t *testing.T) {
	for in, want := range map[string]string{
		"<html><body/></html>":                                         "line 1 (byte 6): <html>: it is XML but not OSM",
		"<osmChange version='0.6'/>":                                   "file of changes",
		"<osm><action type='create'/></osm>":                           "file of changes",
		"<osm version='0.5'/>":                                         `version "0.5"`,
		"<?xml version='1.0' encoding='latin1'?><osm/>":                `encoding is "latin1"`,
		"<!-- none -->":                                                "no <osm> element",
		"<osm>\n<node id='1' lat='1' lon='2'>\n":                       "line 3 (byte 36): the file is cut short inside <node>",
		"<osm>":                                                        "cut short inside <osm>",
		"<osm><node id='1":                                             "cut short inside a tag",
		"<osm><!-- ":                                                   "cut short inside a comment",
		"<osm></way></osm>":                                            "</way> where </osm> should be",
		"<osm/></osm>":                                                 "</osm> closes nothing",
		"<osm/><osm/>":                                                 "second root",
		"<osm/>x":                                                      `text behind the end of <osm>: "x"`,
		"<osm/>x<!---->":                                               "text behind the end",
		"<osm><node lat='1' lon='2'/></osm>":                           "it has no id",
		"<osm><node id='1' lat='1'/></osm>":                            "node 1 has no position",
		"<osm><node id='1' lat='NaN' lon='2'/></osm>":                  `lat="NaN"`,
		"<osm><node id='1' lat='1' lon=''/></osm>":                     `lon=""`,
		"<osm><node id='1x' lat='1' lon='2'/></osm>":                   `id="1x" is no whole number`,
		"<osm><way id='99999999999999999999'/></osm>":                  `id="99999999999999999999"`,
		"<osm><way id='1' version='99999999999'/></osm>":               `version="99999999999"`,
		"<osm><way id='1'><nd/></way></osm>":                           "a node reference of way 1 has no ref",
		"<osm><way id='1'><tag k='a'/></way></osm>":                    "a tag of way 1 lacks k or v",
		"<osm><way id='1'><tag k='a' v='&b;'/></way></osm>":            `unknown entity "&b;"`,
		"<osm><way id='1'><tag k='a' v='&#0;'/></way></osm>":           `unknown entity "&#0;"`,
		"<osm><way id='1'><tag k='a' v='&'/></way></osm>":              `"&" that begins no entity`,
		"<osm><way id='1'><tag k='a' v='\xff'/></way></osm>":           "no UTF-8",
		"<osm><way id='1'><tag k='a' v='\x01'/></way></osm>":           "control character U+0001",
		"<osm><way id='1'><tag k='a' v='<'/></way></osm>":              `"<" inside a tag`,
		"<osm><way id='1'\n><tag k=a v='b'/></way></osm>":              "line 2 (byte 34): <tag>: a malformed attribute",
		"<osm><way id='1'><tag k='a'v='b'/></way></osm>":               "a malformed attribute",
		"<osm><relation id='1'><member ref='1'/></relation></osm>":     "lacks type or ref",
		"<osm><relation id='1'><member type='tree'/></relation></osm>": `unknown type "tree"`,
		"<osm><remark> runtime error: out of memory </remark></osm>":   "incomplete, its server says: runtime error: out of memory",
		"<!DOCTYPE osm [<!ENTITY a 'b'>]><osm/>":                       "a document type with declarations",
		"<osm><></></osm>":                                             "without a valid name",
		"<osm>" + strings.Repeat("<a>", 99):                            "nested more than 64 deep",
		"<osm><a b='" + strings.Repeat("x", maxTag):                    "a tag has more than 1048576 bytes",
		"[]": `neither OSM PBF nor OSM XML nor OSM JSON (it starts with "[]")`,
		"":   "it is empty",
	} {
		_, _, err := load(t, file(t, "x.osm", []byte(in)), Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: error %v, want %q", in, err, want)
		}
	}
}

func TestDegrees(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		v := rapid.Int32Range(-maxLon, maxLon).Draw(r, "v")
		written := strconv.FormatFloat(float64(v)/1e7, 'f', -1, 64)
		if got, ok := parseDegrees([]byte(written), maxLon); !ok || got != v {
			r.Fatalf("%d is written %s and read %d, %v", v, written, got, ok)
		}
	})
}
