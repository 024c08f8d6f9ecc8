package nominatim

import (
	"bytes"
	"encoding/xml"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/geo"
)

// document is XML that is being written.
type document struct{ bytes.Buffer }

// attribute is one of an element.
type attribute struct{ name, value string }

// open begins an element; closed ends it at once.
func (d *document) open(name string, closed bool, attributes ...attribute) {
	d.WriteString("<" + name)
	for _, a := range attributes {
		d.WriteString(" " + a.name + `="`)
		d.text(a.value)
		d.WriteByte('"')
	}
	if closed {
		d.WriteByte('/')
	}
	d.WriteByte('>')
}

func (d *document) close(name string) { d.WriteString("</" + name + ">") }

// text writes a text, in which characters that XML cannot have become U+FFFD.
func (d *document) text(s string) { _ = xml.EscapeText(&d.Buffer, []byte(s)) }

func (d *document) element(name, text string) {
	d.open(name, false)
	d.text(text)
	d.close(name)
}

// roots are the elements of answers.
var roots = map[string]string{"search": "searchresults", "reverse": "reversegeocode", "lookup": "lookupresults"}

func (a *Answer) writeXML() []byte {
	d := &document{}
	d.WriteString(xml.Header)
	root := roots[a.Kind]
	head := []attribute{{"timestamp", a.Now.UTC().Format(time.RFC1123Z)}, {"attribution", a.licence()}, {"querystring", a.Query}}
	if a.Kind == "search" {
		for i := range a.Places {
			a.Excluded = append(a.Excluded, a.Places[i].reference())
		}
		head = append(head, attribute{"exclude_place_ids", strings.Join(a.Excluded, ",")})
	}
	d.open(root, false, head...)
	if a.Kind == "reverse" && len(a.Places) == 0 {
		d.element("error", NotFound)
	}
	for i := range a.Places {
		d.writePlace(a, &a.Places[i])
	}
	d.close(root)
	return d.Bytes()
}

// writePlace writes a place: in an answer of reverse its parts stand beside it, else in it.
func (d *document) writePlace(a *Answer, p *Place) {
	t := p.shared()
	list := []attribute{{"place_id", strconv.FormatInt(p.placeID(), 10)}}
	if kind, id := p.osm(); id != 0 {
		list = append(list, attribute{"osm_type", kind}, attribute{"osm_id", strconv.FormatInt(id, 10)})
	}
	if t.name != "" {
		list = append(list, attribute{"ref", t.name})
	}
	list = append(list, attribute{"lat", degrees(p.At.Lat)}, attribute{"lon", degrees(p.At.Lon)}, attribute{"boundingbox", boxText(p.bounds())},
		attribute{"place_rank", strconv.Itoa(t.rank.search)}, attribute{"address_rank", strconv.Itoa(t.rank.address)})
	name, parts := "place", ""
	if a.Kind == "reverse" {
		name, parts = "result", "addressparts"
		d.open(name, false, list...)
		d.text(t.display)
		d.close(name)
	} else {
		d.open(name, false, append(list, attribute{"display_name", t.display}, attribute{"class", t.tag.Key}, attribute{"type", t.tag.Value}, attribute{"importance", strconv.FormatFloat(importance(p), 'f', -1, 64)})...)
	}
	if a.Output.Address {
		if parts != "" {
			d.open(parts, false)
		}
		for _, part := range t.address {
			d.element(part.Label, part.Text)
		}
		if parts != "" {
			d.close(parts)
		}
	}
	if a.Output.ExtraTags {
		d.pairs("extratags", "tag", "key", "value", p.extra())
	}
	if a.Output.NameDetails {
		d.pairs("namedetails", "name", "desc", "", p.named())
	}
	if a.Kind != "reverse" {
		d.close(name)
	}
}

// pairs writes an element of pairs: the value is an attribute, or the text where that has no name.
func (d *document) pairs(name, each, key, value string, all map[string]string) {
	d.open(name, false)
	for _, k := range slices.Sorted(maps.Keys(all)) {
		if value != "" {
			d.open(each, true, attribute{key, k}, attribute{value, all[k]})
			continue
		}
		d.open(each, false, attribute{key, k})
		d.text(all[k])
		d.close(each)
	}
	d.close(name)
}

func boxText(b geo.Bounds) string {
	return strings.Join([]string{degrees(b.Min.Lat), degrees(b.Max.Lat), degrees(b.Min.Lon), degrees(b.Max.Lon)}, ",")
}
