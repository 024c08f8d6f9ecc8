package charging

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/lenient"
	"github.com/waygate/waygate/geo"
)

// Records of DATEX II differ by publisher in where things stand and how members
// are called (egiElectricChargingPoint, aegiElectricChargingPoint), in XML and
// JSON alike. They are read as trees of maps, lists, strings and numbers, one
// site at a time, and looked at by the ends of names.

// child returns the member of a map whose name ends in one of these, in any case;
// nil where there is none.
func child(n any, ends ...string) any {
	m, _ := n.(map[string]any)
	for _, end := range ends {
		if v, ok := m[end]; ok {
			return v
		}
	}
	found, best := any(nil), ""
	for name, v := range m {
		for _, end := range ends {
			// The shortest of several, so that the answer does not hang on chance.
			if len(name) >= len(end) && strings.EqualFold(name[len(name)-len(end):], end) && (found == nil || len(name) < len(best) || len(name) == len(best) && name < best) {
				found, best = v, name
			}
		}
	}
	return found
}

// each returns the entries of a list, or the one thing that stands in its place.
func each(n any) []any {
	switch v := n.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{n}
}

// text returns the words of a node: {"value": "x"}, {"values": [{"value": "x"}]},
// or as they are.
func text(n any) string {
	switch v := n.(type) {
	case string:
		return strings.TrimSpace(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		if len(v) > 0 {
			return text(v[0])
		}
	case map[string]any:
		for _, name := range []string{"value", "values", "text", content} {
			if t := text(v[name]); t != "" {
				return t
			}
		}
	}
	return ""
}

// numeric returns the number of a node; 0 where it is none.
func numeric(n any) float64 { return lenient.ParseNumber(text(n)).Value }

// deep looks for a member by the end of its name in all that is below.
func deep(n any, end string) any {
	switch v := n.(type) {
	case map[string]any:
		if found := child(v, end); found != nil {
			return found
		}
		for _, name := range sortedKeys(v) {
			if found := deep(v[name], end); found != nil {
				return found
			}
		}
	case []any:
		for _, one := range v {
			if found := deep(one, end); found != nil {
				return found
			}
		}
	}
	return nil
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// placeOf looks for coordinates in all that is below.
func placeOf(n any) (geo.Point, bool) {
	switch v := n.(type) {
	case map[string]any:
		lat, lon := child(v, "latitude"), child(v, "longitude")
		if lat != nil && lon != nil {
			return geo.Point{Lon: numeric(lon), Lat: numeric(lat)}, true
		}
		for _, name := range sortedKeys(v) {
			if p, ok := placeOf(v[name]); ok {
				return p, true
			}
		}
	case []any:
		for _, one := range v {
			if p, ok := placeOf(one); ok {
				return p, true
			}
		}
	}
	return geo.Point{}, false
}

// content is the name of what an element of XML holds beside its attributes.
const content = "#"

// Bounds of a tree.
const (
	maxDepth = 64 // of XML
	maxNodes = 200_000
)

var errLarge = fmt.Errorf("a record is more than %d elements deep, or has more than %d", maxDepth, maxNodes)

// element reads an element as a tree: attributes and elements are members, what
// is there twice is a list.
func element(d *feed.XMLReader, start xml.StartElement, depth int, nodes *int) (any, error) {
	if *nodes++; depth > maxDepth || *nodes > maxNodes {
		return nil, errLarge
	}
	m := map[string]any{}
	for _, a := range start.Attr {
		m[a.Name.Local] = a.Value
	}
	var words strings.Builder
	for {
		t, err := d.Within()
		if errors.Is(err, io.EOF) {
			return nil, io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			v, err := element(d, t, depth+1, nodes)
			if err != nil {
				return nil, err
			}
			switch before := m[t.Name.Local].(type) {
			case nil:
				m[t.Name.Local] = v
			case []any:
				m[t.Name.Local] = append(before, v)
			default:
				m[t.Name.Local] = []any{before, v}
			}
		case xml.CharData:
			words.Write(t)
		case xml.EndElement:
			said := strings.TrimSpace(words.String())
			if len(m) == 0 {
				return said, nil
			}
			if said != "" {
				m[content] = said
			}
			return m, nil
		}
	}
}
