package json_test

import (
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/json"
)

// TestLines checks how lines are written, and that what is written is read.
func TestLines(t *testing.T) {
	line := []geo.Point{{Lon: -3, Lat: 51.5}, {Lon: -3.123456, Lat: 51.25}}
	var lineString, polyline json.Writer
	lineString.LineString(line)
	const want = `{"type":"LineString","coordinates":[[-3,51.5],[-3.123456,51.25]]}`
	if got, err := lineString.Bytes(); err != nil || string(got) != want {
		t.Errorf("%s (%v), want %s", got, err, want)
	}
	polyline.Polyline(line, 6)
	encoded, err := polyline.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range [][]byte{[]byte(want), encoded} {
		if got, err := json.ReadLine(text, 6); err != nil || !slices.Equal(got, line) {
			t.Errorf("%s is read as %v (%v)", text, got, err)
		}
	}
	if got, err := json.ReadLine(nil, 6); err != nil || got != nil {
		t.Errorf("nothing is read as %v (%v)", got, err)
	}
	for _, text := range []string{`{"coordinates":1}`, `7`, `"_"`} {
		if got, err := json.ReadLine([]byte(text), 6); err == nil {
			t.Errorf("%s is read as %v", text, got)
		}
	}
}
