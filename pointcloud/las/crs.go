package las

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// CRS is the coordinate reference system of a file, as far as the file names it.
type CRS struct {
	Horizontal System
	Vertical   System
	// WKT is the whole as well-known text; empty if the file has GeoTIFF keys only.
	WKT string
}

// System is one of the systems that a CRS is made of. Its zero value is one that the file
// does not name.
type System struct {
	Name string
	EPSG int     // 0 if the file has no code
	Unit float64 // of the axes in metres; 0 if unknown, or in degrees
	// Degrees is whether the axes are longitude and latitude.
	Degrees bool
}

// Named reports whether the file names the system.
func (s System) Named() bool { return s.EPSG != 0 || s.Name != "" }

// Records of the reference system.
const (
	projection  = "LASF_Projection"
	wktRecord   = 2112
	keysRecord  = 34735
	asciiRecord = 34737
)

// mostWKT bounds the text of a reference system.
const mostWKT = 1<<16 - 1

// ReadCRS returns the reference system of a file: from its well-known text, or else from
// its GeoTIFF keys. Some programs write the horizontal system as text and the vertical one as
// keys; then both are read. What the file does not name, or what cannot be read, stays unknown.
func (h *Header) ReadCRS() CRS {
	if data := h.Find(projection, wktRecord); len(data) > 0 {
		wkt := strings.TrimSpace(text(data))
		if n := parseWKT(wkt); n != nil {
			c := crsOf(n, wkt)
			if !c.Vertical.Named() {
				c.Vertical = h.readKeys().Vertical
			}
			return c
		}
	}
	return h.readKeys()
}

// isProjection reports whether a reference system is in a record.
func isProjection(r Record) bool {
	return r.UserID == projection && (r.ID == wktRecord || r.ID >= keysRecord && r.ID <= asciiRecord)
}

// SetWKT makes well-known text the reference system of a file to write.
func (h *Header) SetWKT(wkt string) error {
	if parseWKT(strings.TrimSpace(wkt)) == nil || len(wkt) >= mostWKT {
		return fmt.Errorf("reference system %q is not well-known text of at most %d bytes", wkt[:min(len(wkt), 60)], mostWKT-1)
	}
	h.Records = slices.DeleteFunc(slices.Clone(h.Records), isProjection)
	h.Records = append(h.Records, Record{UserID: projection, ID: wktRecord, Description: "WKT", Data: append([]byte(wkt), 0)})
	h.GlobalEncoding |= wktBit
	return nil
}

// Keys of GeoTIFF (OGC 19-008r4) that name systems and units.
const (
	keyModel          = 1024
	keyGeographic     = 2048
	keyGeographicName = 2049
	keyProjected      = 3072
	keyProjectedName  = 3073
	keyLinearUnit     = 3076
	keyVertical       = 4096
	keyVerticalName   = 4097
	keyVerticalUnit   = 4099
	userDefined       = 32767
	modelProjected    = 1
)

// units are the lengths of EPSG's units in metres.
var units = map[int]float64{9001: 1, 9002: 0.3048, 9003: 1200. / 3937, 9005: 0.3047972654, 9036: 1000}

func (h *Header) readKeys() (c CRS) {
	data := h.Find(projection, keysRecord)
	ascii := string(h.Find(projection, asciiRecord))
	if len(data) < 8 {
		return c
	}
	values, names := map[int]int{}, map[int]string{}
	for d := data[8:min(len(data), 8+8*int(le.Uint16(data[6:])))]; len(d) >= 8; d = d[8:] {
		key, at, n, v := int(le.Uint16(d)), le.Uint16(d[2:]), int(le.Uint16(d[4:])), int(le.Uint16(d[6:]))
		switch {
		case at == 0 && v != userDefined:
			values[key] = v
		case at == asciiRecord && v+n <= len(ascii):
			names[key] = strings.TrimRight(ascii[v:v+n], "|\x00 ")
		}
	}
	c.Horizontal = System{Name: names[keyProjectedName], EPSG: values[keyProjected], Unit: units[values[keyLinearUnit]]}
	if values[keyModel] != modelProjected && c.Horizontal.EPSG == 0 && values[keyGeographic] != 0 {
		c.Horizontal = System{Name: names[keyGeographicName], EPSG: values[keyGeographic], Degrees: true}
	}
	c.Vertical = System{Name: names[keyVerticalName], EPSG: values[keyVertical], Unit: units[values[keyVerticalUnit]]}
	return c
}

// node is a bracketed part of well-known text.
type node struct {
	keyword string
	values  []string // texts without their quotes, and numbers
	inner   []*node
}

// mostDepth bounds how deep brackets may be.
const mostDepth = 32

// parseWKT reads well-known text of either version; nil if it is none.
func parseWKT(s string) *node {
	n, rest := parseNode(s, 0)
	if n == nil || strings.TrimSpace(rest) != "" {
		return nil
	}
	return n
}

func parseNode(s string, depth int) (*node, string) {
	i := strings.IndexAny(s, "[(")
	if i <= 0 || depth > mostDepth {
		return nil, ""
	}
	n := &node{keyword: strings.ToUpper(strings.TrimSpace(s[:i]))}
	s = s[i+1:]
	for {
		s = strings.TrimLeft(s, " \t\r\n,")
		if s == "" {
			return nil, ""
		}
		if s[0] == ']' || s[0] == ')' {
			return n, s[1:]
		}
		if s[0] == '"' {
			var ok bool
			var v string
			if v, s, ok = quoted(s); !ok {
				return nil, ""
			}
			n.values = append(n.values, v)
			continue
		}
		end := strings.IndexAny(s, ",[](\")")
		if end < 0 {
			return nil, ""
		}
		if s[end] == '[' || s[end] == '(' {
			inner, rest := parseNode(s, depth+1)
			if inner == nil {
				return nil, ""
			}
			n.inner, s = append(n.inner, inner), rest
			continue
		}
		if end == 0 {
			return nil, ""
		}
		n.values = append(n.values, strings.TrimSpace(s[:end]))
		s = s[end:]
	}
}

// quoted reads a text in quotes, in which two quotes are one.
func quoted(s string) (v, rest string, ok bool) {
	var b strings.Builder
	for s = s[1:]; ; {
		i := strings.IndexByte(s, '"')
		if i < 0 {
			return "", "", false
		}
		b.WriteString(s[:i])
		s = s[i+1:]
		if !strings.HasPrefix(s, `"`) {
			return b.String(), s, true
		}
		b.WriteByte('"')
		s = s[1:]
	}
}

// crsOf takes apart a system that may be compound.
func crsOf(n *node, wkt string) CRS {
	c := CRS{WKT: wkt}
	switch n.keyword {
	case "COMPD_CS", "COMPOUNDCRS":
		for _, i := range n.inner {
			switch i.keyword {
			case "VERT_CS", "VERTCRS", "VERTICALCRS":
				c.Vertical = i.system()
			case "PROJCS", "PROJCRS", "PROJECTEDCRS", "GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS", "BOUNDCRS":
				c.Horizontal = i.system()
			}
		}
	case "VERT_CS", "VERTCRS", "VERTICALCRS":
		c.Vertical = n.system()
	default:
		c.Horizontal = n.system()
	}
	return c
}

// system reads the name, the code and the unit of a system.
func (n *node) system() System {
	var s System
	if len(n.values) > 0 {
		s.Name = n.values[0]
	}
	s.Degrees = strings.HasPrefix(n.keyword, "GEO")
	for _, i := range n.inner {
		switch i.keyword {
		case "AUTHORITY", "ID":
			if len(i.values) >= 2 && strings.EqualFold(i.values[0], "EPSG") {
				s.EPSG = int(parseNumber(i.values[1]))
			}
		case "UNIT", "LENGTHUNIT":
			if len(i.values) >= 2 && !s.Degrees {
				s.Unit = parseNumber(i.values[1])
			}
		case "AXIS":
			for _, j := range i.inner {
				if (j.keyword == "LENGTHUNIT" || j.keyword == "UNIT") && len(j.values) >= 2 && s.Unit == 0 && !s.Degrees {
					s.Unit = parseNumber(j.values[1])
				}
			}
		}
	}
	return s
}

// parseNumber reads a number; 0 if it is none or not of a size that a code or a unit has.
func parseNumber(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(math.Abs(v) < 1e9) {
		return 0
	}
	return v
}
