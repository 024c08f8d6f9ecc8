package osrm

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/guide/sketch"
)

func TestSimplify(t *testing.T) {
	var line []geo.Point
	bounds := geo.NoBounds()
	for i := range 2000 {
		p := geo.Destination(sketch.Origin, 90+20*math.Sin(float64(i)/150), float64(i)*20)
		line = append(line, p)
		bounds = bounds.Extend(p)
	}
	short := simplify(line, bounds)
	if len(short) < 5 || len(short) > 300 || short[0] != line[0] || short[len(short)-1] != line[len(line)-1] {
		t.Fatalf("%d points of %d", len(short), len(line))
	}
	for _, p := range line {
		least := math.Inf(1)
		for i := 1; i < len(short); i++ {
			_, _, square := geo.Nearest(p, short[i-1], short[i])
			least = math.Min(least, square)
		}
		// 40 km in 1,024 pixels show at zoom 11 at the latest.
		if math.Sqrt(least) > 200 {
			t.Fatalf("%v is %g m off", p, math.Sqrt(least))
		}
	}
}

func TestRoundaboutDegrees(t *testing.T) {
	for _, c := range []struct {
		before, after int
		left          bool
		want          int
	}{
		{0, 0, false, 180},
		{0, 90, false, 90},
		{0, 270, false, 270},
		{90, 180, true, 270},
		{90, 0, true, 90},
		{350, 10, true, 200},
		{0, 180, false, 360},
	} {
		list := []guidance.Manoeuvre{
			{Type: guidance.Start},
			{Type: guidance.RoundaboutEnter, Before: c.before, DriveOnLeft: c.left},
			{Type: guidance.RoundaboutExit, After: c.after, DriveOnLeft: c.left},
		}
		for i := 1; i <= 2; i++ {
			if got := roundaboutDegrees(list, i); got != c.want {
				t.Errorf("%+v: %d degrees at %d", c, got, i)
			}
		}
	}
}

// Text within XML keeps no character that XML has for itself.
func TestAppendMarkup(t *testing.T) {
	for _, s := range []string{"", "Mill Lane", `a"b\c`, "tab\tand\nline\x00", "Höhenweg 山", "<a> & b", "broken \xff end"} {
		var marked string
		if err := json.Unmarshal(append(appendMarkup([]byte{'"'}, s), '"'), &marked); err != nil || strings.ContainsAny(marked, "<>") {
			t.Errorf("%q became %q: %v", s, marked, err)
		}
	}
}
