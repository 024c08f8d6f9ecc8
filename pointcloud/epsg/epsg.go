// Package epsg has coordinate reference systems of the EPSG dataset as well-known text.
package epsg

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// systems is made by refresh.sh from version 10.076 of the EPSG dataset
// (https://epsg.org), as PROJ 9.1.1 has it: lines of a code, a tab and well-known text of
// version 1 as GDAL writes it, in ascending order of code.
//
//go:embed systems.txt.gz
var systems []byte

// WKT returns a system as well-known text by its codes: EPSG:27700, or EPSG:27700+5701 for one
// whose heights have a system of their own. EPSG: may be left out. Errors name the code.
func WKT(codes string) (string, error) {
	text := strings.TrimSpace(codes)
	if len(text) > len("EPSG:") && strings.EqualFold(text[:len("EPSG:")], "EPSG:") {
		text = text[len("EPSG:"):]
	}
	first, second, two := strings.Cut(text, "+")
	horizontal, err := find(first)
	if err != nil || !two {
		return horizontal, err
	}
	vertical, err := find(second)
	if err != nil {
		return "", err
	}
	if !strings.HasPrefix(vertical, "VERT_CS[") || !strings.HasPrefix(horizontal, "PROJCS[") && !strings.HasPrefix(horizontal, "GEOGCS[") {
		return "", fmt.Errorf("%.40q must be a system of places and one of heights, in this order: %s and %s are not", codes, name(horizontal), name(vertical))
	}
	return fmt.Sprintf(`COMPD_CS["%s + %s",%s,%s]`, name(horizontal), name(vertical), horizontal, vertical), nil
}

// name returns the name of a system.
func name(wkt string) string {
	_, after, _ := strings.Cut(wkt, `"`)
	before, _, _ := strings.Cut(after, `"`)
	return before
}

// find returns the system of a code.
func find(code string) (string, error) {
	number, err := strconv.ParseUint(code, 10, 32)
	if err != nil {
		return "", fmt.Errorf("%.40q is not the code of a system; codes are numbers, as in EPSG:27700 or EPSG:27700+5701", code)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(systems))
	if err != nil {
		return "", err
	}
	lines := bufio.NewScanner(unpacked)
	for lines.Scan() {
		own, wkt, _ := strings.Cut(lines.Text(), "\t")
		if own == strconv.FormatUint(number, 10) {
			return wkt, nil
		}
	}
	if err := lines.Err(); err != nil {
		return "", err
	}
	return "", fmt.Errorf("EPSG:%d is not a system of places or heights that is known here; give its well-known text with --wkt", number)
}
