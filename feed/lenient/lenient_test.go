package lenient

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
)

func TestNumbers(t *testing.T) {
	for text, want := range map[string]Number{
		`12`: {12, true}, `-0.5`: {-0.5, true}, `"7.4"`: {7.4, true}, `" '0126.7000 "`: {126.7, true}, `0`: {0, true},
		`null`: {}, `false`: {}, `""`: {}, `"NaN"`: {}, `"Inf"`: {}, `"1e999"`: {}, `{"a":1}`: {}, `[1]`: {}, `"1,5"`: {},
	} {
		n := Number{99, true}
		if err := json.Unmarshal([]byte(text), &n); err != nil || n != want {
			t.Errorf("%s is %+v (%v), want %+v", text, n, err, want)
		}
	}
	for text, want := range map[string]Number{"1,5": {1.5, true}, "1.5": {1.5, true}, "'1,5": {1.5, true}, "1,234.5": {}, "1,2,3": {}, "": {}} {
		if n := ParseDecimal(text); n != want {
			t.Errorf("%q is %+v, want %+v", text, n, want)
		}
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]Word{`" a b "`: "a b", `12.50`: "12.50", `true`: "true", `null`: "", `{"a":1}`: "", `["a"]`: ""} {
		w := Word("before")
		if err := json.Unmarshal([]byte(text), &w); err != nil || w != want {
			t.Errorf("%s is %q (%v), want %q", text, w, err, want)
		}
	}
	var w Word
	if err := w.UnmarshalJSON([]byte(`"` + strings.Repeat("x", feed.MaxText) + `"`)); err != nil {
		t.Error(err)
	}
	if err := w.UnmarshalJSON([]byte(`"` + strings.Repeat("x", feed.MaxText+1) + `"`)); err == nil {
		t.Error("a longer text is read")
	}
}

func TestTimes(t *testing.T) {
	const local = "2006-01-02 15:04"
	berlin := time.FixedZone("", 3600)
	for _, c := range []struct {
		got  time.Time
		want string
	}{
		{Time("2026-05-01T12:00:00Z"), "2026-05-01T12:00:00Z"},
		{Time("2026-05-01T12:00:00.5+02:00"), "2026-05-01T12:00:00+02:00"}, // the offset stays
		{Time("2026-05-01 12:00"), "0001-01-01T00:00:00Z"},
		{Time("2026-05-01 12:00", local), "2026-05-01T12:00:00Z"},
		{TimeIn(berlin, "2026-05-01 12:00", time.DateOnly, local), "2026-05-01T12:00:00+01:00"},
		{TimeIn(berlin, "2026-05-01T12:00:00Z", local), "2026-05-01T12:00:00Z"},
		{Time("", local), "0001-01-01T00:00:00Z"},
	} {
		if text := c.got.Format(time.RFC3339); text != c.want {
			t.Errorf("%s, want %s", text, c.want)
		}
	}
}

func TestPlaces(t *testing.T) {
	if p, ok := Point("51.5", "-3"); !ok || p != (geo.Point{Lon: -3, Lat: 51.5}) {
		t.Errorf("%v, %v", p, ok)
	}
	for _, c := range [][2]string{{"", "1"}, {"1", ""}, {"x", "1"}, {"NaN", "1"}} {
		if p, ok := Point(c[0], c[1]); ok {
			t.Errorf("%v are %v", c, p)
		}
	}
	for text, want := range map[string]float64{"0": 0, "360": 360, "12.5": 12.5, "-0.1": -1, "360.1": -1, "north": -1, "": -1} {
		if degrees, ok := Bearing(text); ok != (want >= 0) || ok && degrees != want {
			t.Errorf("%q is %g, %v", text, degrees, ok)
		}
	}
	if degrees, ok := Heading("NorthWestBound"); !ok || degrees != 315 {
		t.Errorf("%g, %v", degrees, ok)
	}
	if _, ok := Heading("clockwise"); ok {
		t.Error("clockwise is a heading")
	}
}

// FuzzJSON reads any text: a number that is known is finite, and a word is within its bound.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`1`, `"1"`, `null`, `"1e400"`, `{`, `" x "`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var n Number
		if err := n.UnmarshalJSON([]byte(text)); err != nil || math.IsNaN(n.Value) || math.IsInf(n.Value, 0) || !n.Known && n.Value != 0 {
			t.Errorf("%q is %+v, %v", text, n, err)
		}
		var w Word
		if err := w.UnmarshalJSON([]byte(text)); err == nil && len(w) > feed.MaxText {
			t.Errorf("a word of %d bytes", len(w))
		}
		if p, ok := Point(text, "1"); ok && p.Lon != 1 {
			t.Errorf("%q is %v", text, p)
		}
	})
}
