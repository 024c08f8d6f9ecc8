package geo

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPolyline(t *testing.T) {
	for _, c := range []struct {
		what   string
		line   []Point
		digits int
		want   string
	}{
		{"nothing", nil, 5, ""},
		{"the example of the format's documentation", []Point{{-120.2, 38.5}, {-120.95, 40.7}, {-126.453, 43.252}}, 5, "_p~iF~ps|U_ulLnnqC_mqNvxq`@"},
		{"the same with six digits", []Point{{-120.2, 38.5}, {-120.95, 40.7}, {-126.453, 43.252}}, 6, "_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI"},
		{"zero", []Point{{0, 0}}, 5, "??"},
		{"the least steps", []Point{{0.00001, -0.00001}}, 5, "@A"},
	} {
		if got := EncodePolyline(c.line, c.digits); got != c.want {
			t.Errorf("%s: got %q, want %q", c.what, got, c.want)
		}
		got, err := DecodePolyline(c.want, c.digits)
		if err != nil || !slices.EqualFunc(got, c.line, func(a, b Point) bool { return near(a.Lon, b.Lon, 1e-9) && near(a.Lat, b.Lat, 1e-9) }) {
			t.Errorf("%s: decoded %v (%v), want %v", c.what, got, err, c.line)
		}
	}
}

func TestPolylineRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.SampledFrom([]int{5, 6}).Draw(t, "digits")
		line := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Point {
			return Point{rapid.Float64Range(-180, 180).Draw(t, "lon"), rapid.Float64Range(-90, 90).Draw(t, "lat")}
		}), 0, 30).Draw(t, "line")
		s := EncodePolyline(line, digits)
		got, err := DecodePolyline(s, digits)
		if err != nil || len(got) != len(line) {
			t.Fatalf("%d points came back as %d: %v", len(line), len(got), err)
		}
		for i := range line {
			// Rounding is of the place, not of the step: errors do not add up.
			if half := 0.5000001 / math.Pow10(digits); !near(got[i].Lon, line[i].Lon, half) || !near(got[i].Lat, line[i].Lat, half) {
				t.Fatalf("point %d was %v and is %v", i, line[i], got[i])
			}
		}
		if again := EncodePolyline(got, digits); again != s {
			t.Fatalf("encoded again: %q, was %q", again, s)
		}
	})
}

// A quoted line has its backslashes doubled, in however many parts it is drawn.
func TestQuotedPolyline(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const digits = 5
		line := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Point {
			return Point{rapid.Float64Range(-0.001, 0.001).Draw(t, "lon"), rapid.Float64Range(-0.001, 0.001).Draw(t, "lat")}
		}), 0, 30).Draw(t, "line")
		line = slices.Insert(line, 0, Point{Lat: -0.00015}) // fifteen less is a backslash
		want := strings.ReplaceAll(EncodePolyline(line, digits), `\`, `\\`)
		if want[:2] != `\\` {
			t.Fatalf("%q begins with no backslash", want)
		}
		cut := rapid.IntRange(0, len(line)).Draw(t, "cut")
		writer := NewQuotedPolyline(digits)
		parts := writer.Append(writer.Append(nil, line[:cut]), line[cut:])
		if whole := string(AppendQuotedPolyline(nil, line, digits)); whole != want || string(parts) != want {
			t.Fatalf("%q, in parts %q, want %q", whole, parts, want)
		}
	})
}

func TestPolylineRefused(t *testing.T) {
	for _, c := range []struct{ s, want string }{
		{"_p~iF", "ends inside a number, at byte 5"},
		{"_p~iF~ps|", "ends inside a number"},
		{"_p~iF ps|U", `byte 5 is ' '`},
		{"_p~iF\x7fps|U", "outside the alphabet"},
		{"_p~iFé", "outside the alphabet"},
		{strings.Repeat("_", 12) + "?", "too long"},
		{"_izlhA~rlgdF", "off the globe"}, // six digits read as five
	} {
		if line, err := DecodePolyline(c.s, 5); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, %v, want an error with %q", c.s, line, err, c.want)
		}
	}
}

func TestAppendPolylineTakesNoMemory(t *testing.T) {
	line := []Point{{-120.2, 38.5}, {-120.95, 40.7}, {-126.453, 43.252}}
	buffer := make([]byte, 0, 256)
	if n := testing.AllocsPerRun(100, func() { buffer = AppendPolyline(buffer[:0], line, 6) }); n != 0 {
		t.Errorf("%v allocations into a buffer that is large enough", n)
	}
	if got := string(AppendPolyline([]byte("x"), line[:1], 5)); got != "x_p~iF~ps|U" {
		t.Errorf("appended: %q", got)
	}
}

func FuzzDecodePolyline(f *testing.F) {
	for _, s := range []string{"", "??", "_p~iF~ps|U_ulLnnqC_mqNvxq`@", "_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI", "~~~~~~~~~~", "_"} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, s string, six bool) {
		digits := 5
		if six {
			digits = 6
		}
		line, err := DecodePolyline(s, digits)
		if err != nil {
			if line != nil {
				t.Fatalf("%d points besides the error %v", len(line), err)
			}
			return
		}
		for i, p := range line {
			if !p.Valid() {
				t.Fatalf("point %d is %v", i, p)
			}
		}
		// A line that is accepted can be written again, perhaps shorter, and reads the same.
		again := EncodePolyline(line, digits)
		if len(again) > len(s) {
			t.Fatalf("%q came back longer: %q", s, again)
		}
		if back, err := DecodePolyline(again, digits); err != nil || !slices.Equal(back, line) {
			t.Fatalf("%q, written again as %q, reads %v (%v), not %v", s, again, back, err, line)
		}
	})
}
