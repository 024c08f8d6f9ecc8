package osm

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/waygate/waygate/geo"
)

// WriteXML writes data as .osm (XML 0.6): nodes, ways, relations in this
// order and each sorted by id. Strings must be UTF-8 of the characters XML can
// carry, member kinds must be known, nodes must lie on the globe.
func WriteXML(w io.Writer, data *Data) error {
	x := xmlWriter{w: bufio.NewWriter(w)}
	x.put(`<?xml version="1.0" encoding="UTF-8"?>`, "\n", `<osm version="0.6" generator="`, generator, `"`)
	if !data.Timestamp.IsZero() {
		x.put(` timestamp="`, data.Timestamp.UTC().Format(time.RFC3339), `"`)
	}
	x.put(">\n")
	if box := data.bounds(); !box.Empty() {
		low, high := box.Min.Fix(), box.Max.Fix()
		x.put(` <bounds minlat="`, degrees(low.Lat), `" minlon="`, degrees(low.Lon),
			`" maxlat="`, degrees(high.Lat), `" maxlon="`, degrees(high.Lon), "\"/>\n")
	}
	for _, n := range sorted(data.Nodes, func(n *Node) int64 { return n.ID }) {
		x.node(n)
	}
	for _, w := range sorted(data.Ways, func(w *Way) int64 { return w.ID }) {
		x.way(w)
	}
	for _, r := range sorted(data.Relations, func(r *Relation) int64 { return r.ID }) {
		x.relation(r)
	}
	x.put("</osm>\n")
	if x.err != nil {
		return x.err
	}
	return x.w.Flush()
}

// xmlWriter keeps the first error; what is written after it is lost with the
// file.
type xmlWriter struct {
	w   *bufio.Writer
	err error
}

func (x *xmlWriter) put(parts ...string) {
	for _, s := range parts {
		if x.err == nil {
			_, x.err = x.w.WriteString(s)
		}
	}
}

func (x *xmlWriter) fail(format string, args ...any) {
	if x.err == nil {
		x.err = fmt.Errorf(format, args...)
	}
}

func (x *xmlWriter) node(n *Node) {
	if n.Lon < -maxLon || n.Lon > maxLon || n.Lat < -maxLat || n.Lat > maxLat {
		x.fail("node %d lies off the globe (lon %d, lat %d in units of 1e-7 degrees)", n.ID, n.Lon, n.Lat)
	}
	x.begin("node", n.ID, n.Version)
	x.put(` lat="`, degrees(n.Lat), `" lon="`, degrees(n.Lon), `"`)
	if len(n.Tags) == 0 {
		x.put("/>\n")
		return
	}
	x.put(">\n")
	x.tags("node", n.ID, n.Tags)
	x.put(" </node>\n")
}

func (x *xmlWriter) way(w *Way) {
	x.begin("way", w.ID, w.Version)
	x.put(">\n")
	for _, ref := range w.Nodes {
		x.put(`  <nd ref="`, strconv.FormatInt(ref, 10), "\"/>\n")
	}
	x.tags("way", w.ID, w.Tags)
	x.put(" </way>\n")
}

func (x *xmlWriter) relation(r *Relation) {
	x.begin("relation", r.ID, r.Version)
	x.put(">\n")
	for i, m := range r.Members {
		if m.Kind > KindRelation {
			x.fail("relation %d: member %d is of the unknown kind %d", r.ID, i, m.Kind)
			return
		}
		kind := [...]string{KindNode: "node", KindWay: "way", KindRelation: "relation"}[m.Kind]
		x.put(`  <member type="`, kind, `" ref="`, strconv.FormatInt(m.Ref, 10), `" role="`)
		x.text("relation", r.ID, m.Role)
		x.put("\"/>\n")
	}
	x.tags("relation", r.ID, r.Tags)
	x.put(" </relation>\n")
}

func (x *xmlWriter) begin(element string, id int64, version int32) {
	if version < 0 {
		x.fail("%s %d has the negative version %d", element, id, version)
	}
	x.put(" <", element, ` id="`, strconv.FormatInt(id, 10), `"`)
	if version > 0 {
		x.put(` version="`, strconv.Itoa(int(version)), `"`)
	}
}

func (x *xmlWriter) tags(element string, id int64, tags Tags) {
	for i := range tags {
		x.put(`  <tag k="`)
		x.text(element, id, tags[i].Key)
		x.put(`" v="`)
		x.text(element, id, tags[i].Value)
		x.put("\"/>\n")
	}
}

// text writes the inside of an attribute's value. White space other than the
// space is written by number, or a reader would make spaces of it.
func (x *xmlWriter) text(element string, id int64, s string) {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				x.fail("%s %d: %q is no UTF-8", element, id, s)
				return
			}
		}
		if !isXMLRune(r) {
			x.fail("%s %d: %q holds %U, which XML cannot carry", element, id, s, r)
			return
		}
		switch r {
		case '&':
			x.put("&amp;")
		case '<':
			x.put("&lt;")
		case '>':
			x.put("&gt;")
		case '"':
			x.put("&quot;")
		case '\t', '\n', '\r':
			x.put("&#", strconv.Itoa(int(r)), ";")
		default:
			if x.err == nil {
				_, x.err = x.w.WriteRune(r)
			}
		}
	}
}

// degrees writes units of 1e-7 degrees as decimals.
func degrees(v int32) string {
	return strconv.FormatFloat(geo.Fixed{Lon: v}.Point().Lon, 'f', -1, 64)
}
