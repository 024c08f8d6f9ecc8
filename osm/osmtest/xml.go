// Package osmtest writes OSM data in a form that only tests have a use for.
package osmtest

import (
	"encoding/xml"
	"io"
	"strconv"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
)

// WriteXML writes data as .osm (XML 0.6), one element a line, in the order the
// data has it. Characters that XML cannot carry become U+FFFD.
func WriteXML(w io.Writer, data *osm.Data) error {
	d := document{Version: "0.6", Generator: "waygate"}
	if !data.Timestamp.IsZero() {
		d.Timestamp = data.Timestamp.UTC().Format(time.RFC3339)
	}
	box := data.Bounds
	if box == (geo.Bounds{}) {
		var around geo.Extent
		for _, n := range data.Nodes {
			around.Add(geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point())
		}
		box = around.Bounds()
	}
	if !box.Empty() {
		low, high := box.Min.Fix(), box.Max.Fix()
		d.Bounds = &bounds{degrees(low.Lat), degrees(low.Lon), degrees(high.Lat), degrees(high.Lon)}
	}
	for _, n := range data.Nodes {
		d.Nodes = append(d.Nodes, node{about{n.ID, n.Version}, degrees(n.Lat), degrees(n.Lon), tags(n.Tags)})
	}
	for _, x := range data.Ways {
		way := way{about: about{x.ID, x.Version}, Tags: tags(x.Tags)}
		for _, id := range x.Nodes {
			way.Nodes = append(way.Nodes, ref{id})
		}
		d.Ways = append(d.Ways, way)
	}
	for _, r := range data.Relations {
		relation := relation{about: about{r.ID, r.Version}, Tags: tags(r.Tags)}
		for _, m := range r.Members {
			relation.Members = append(relation.Members, member{kinds[m.Kind], m.Ref, m.Role})
		}
		d.Relations = append(d.Relations, relation)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	if err := e.Encode(d); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

var kinds = [...]string{osm.KindNode: "node", osm.KindWay: "way", osm.KindRelation: "relation"}

type (
	document struct {
		XMLName   xml.Name   `xml:"osm"`
		Version   string     `xml:"version,attr"`
		Generator string     `xml:"generator,attr"`
		Timestamp string     `xml:"timestamp,attr,omitempty"`
		Bounds    *bounds    `xml:"bounds"`
		Nodes     []node     `xml:"node"`
		Ways      []way      `xml:"way"`
		Relations []relation `xml:"relation"`
	}
	bounds struct {
		MinLat string `xml:"minlat,attr"`
		MinLon string `xml:"minlon,attr"`
		MaxLat string `xml:"maxlat,attr"`
		MaxLon string `xml:"maxlon,attr"`
	}
	about struct {
		ID      int64 `xml:"id,attr"`
		Version int32 `xml:"version,attr,omitempty"`
	}
	node struct {
		about
		Lat  string `xml:"lat,attr"`
		Lon  string `xml:"lon,attr"`
		Tags []tag  `xml:"tag"`
	}
	way struct {
		about
		Nodes []ref `xml:"nd"`
		Tags  []tag `xml:"tag"`
	}
	relation struct {
		about
		Members []member `xml:"member"`
		Tags    []tag    `xml:"tag"`
	}
	ref struct {
		Ref int64 `xml:"ref,attr"`
	}
	member struct {
		Kind string `xml:"type,attr"`
		Ref  int64  `xml:"ref,attr"`
		Role string `xml:"role,attr"`
	}
	tag struct {
		Key   string `xml:"k,attr"`
		Value string `xml:"v,attr"`
	}
)

func tags(list osm.Tags) []tag {
	var out []tag
	for _, t := range list {
		out = append(out, tag(t))
	}
	return out
}

// degrees writes units of 1e-7 degrees as decimals.
func degrees(v int32) string { return strconv.FormatFloat(float64(v)/1e7, 'f', -1, 64) }
