package coordinates

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/waygate/waygate/fault"
)

// family is the kind of system that was declared, for the sanity check.
type family int

const (
	generic family = iota
	degreesFamily
	webMercatorFamily
	utmFamily
)

// declaration is a declared system, understood.
type declaration struct {
	code   int // EPSG
	family family
	zone   int  // of UTM, 1 to 60
	south  bool // of UTM
	europe bool // ETRS89: only Europe is likely
}

// declare reads an EPSG code as callers write it: "EPSG:4326", "4326", the
// URN and URI that GML and WFS use, or CRS84, which GeoJSON implies.
func declare(s string) (declaration, error) {
	code, ok := declaredCode(strings.ToUpper(strings.TrimSpace(s)))
	// The EPSG dataset numbers from 1024; six digits are the habit of vendors
	// such as 900913.
	if !ok || code < 1024 || code > 999999 {
		return declaration{}, fault.Invalid(fault.Violation{
			Location: "declared_crs", Value: clip(s),
			Message: fmt.Sprintf("%q is not an EPSG code (EPSG:1024 to EPSG:999999, with or without the prefix, or as an OGC URN)", clip(s)),
		})
	}
	d := declaration{code: code}
	switch {
	case code == 4326 || code == 4258 || code == 4269:
		d.family, d.europe = degreesFamily, code == 4258
	case code == 3857 || code == 900913 || code == 3785:
		d.family = webMercatorFamily
	case code >= 32601 && code <= 32660:
		d.family, d.zone = utmFamily, code-32600
	case code >= 32701 && code <= 32760:
		d.family, d.zone, d.south = utmFamily, code-32700, true
	case code >= 25828 && code <= 25838:
		d.family, d.zone, d.europe = utmFamily, code-25800, true
	}
	return d, nil
}

func declaredCode(s string) (int, bool) {
	switch s {
	case "CRS84", "OGC:CRS84", "URN:OGC:DEF:CRS:OGC:1.3:CRS84", "URN:OGC:DEF:CRS:OGC::CRS84",
		"HTTP://WWW.OPENGIS.NET/DEF/CRS/OGC/1.3/CRS84", "HTTPS://WWW.OPENGIS.NET/DEF/CRS/OGC/1.3/CRS84":
		return 4326, true
	}
	for _, prefix := range []string{"URN:OGC:DEF:CRS:EPSG:", "HTTP://WWW.OPENGIS.NET/DEF/CRS/EPSG/", "HTTPS://WWW.OPENGIS.NET/DEF/CRS/EPSG/"} {
		if rest, ok := strings.CutPrefix(s, prefix); ok { // version, separator, code
			i := strings.LastIndexAny(rest, ":/")
			if i < 0 || strings.Trim(rest[:i], "0123456789.") != "" {
				return 0, false
			}
			return axisNumber(rest[i+1:])
		}
	}
	return axisNumber(strings.TrimPrefix(s, "EPSG:"))
}

func axisNumber(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err == nil
}

// String returns the words for the declaration.
func (d declaration) String() string {
	switch d.family {
	case degreesFamily:
		return "geographic degrees (x = longitude, y = latitude)"
	case webMercatorFamily:
		return "Web Mercator in metres"
	case utmFamily:
		datum, letter := "WGS 84", "N"
		if d.europe {
			datum = "ETRS89"
		}
		if d.south {
			letter = "S"
		}
		return fmt.Sprintf("%s / UTM zone %d%s in metres", datum, d.zone, letter)
	}
	return "generic projected CRS in metres"
}
