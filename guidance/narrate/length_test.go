package narrate_test

import (
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/golden"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/guidance/narrate"
)

func british(list []guidance.Manoeuvre, miles bool) []narrate.Text {
	l, _ := narrate.Find("en-GB")
	return l.Leg(list, miles)
}

func TestSpokenLengths(t *testing.T) {
	for _, c := range []struct {
		metres                    float64
		metric, british, american string
	}{
		{3, "10 metres", "10 yards", "10 feet"},
		{44, "40 metres", "50 yards", "150 feet"},
		{95, "100 metres", "100 yards", "300 feet"},
		{120, "100 metres", "150 yards", "400 feet"},
		{310, "300 metres", "a quarter of a mile", "1000 feet"},
		{380, "400 metres", "a quarter of a mile", "a quarter mile"},
		{800, "800 metres", "half a mile", "half a mile"},
		{949, "900 metres", "half a mile", "half a mile"},
		{960, "1 kilometre", "half a mile", "half a mile"},
		{1200, "1 kilometre", "three quarters of a mile", "three quarters of a mile"},
		{1500, "1.5 kilometres", "1 mile", "1 mile"},
		{3239, "3 kilometres", "2 miles", "2 miles"},
		{9740, "9.5 kilometres", "6 miles", "6 miles"},
		{15600, "16 kilometres", "9.5 miles", "9.5 miles"},
		{99700, "100 kilometres", "62 miles", "62 miles"},
	} {
		list := []guidance.Manoeuvre{{Type: guidance.Start, Metres: c.metres, Seconds: 100}, {Type: guidance.Destination}}
		if got, want := british(list, false)[0].Post, "Continue for "+c.metric+"."; got != want {
			t.Errorf("%g m: %q, want %q", c.metres, got, want)
		}
		if got, want := british(list, true)[0].Post, "Continue for "+c.british+"."; got != want {
			t.Errorf("%g m: %q, want %q", c.metres, got, want)
		}
		if got := find(t, "en-US").Distance(c.metres, true); got != c.american {
			t.Errorf("%g m: %q, want %q", c.metres, got, c.american)
		}
	}
}

// Each language's lengths standing alone, after "for" and after "in".
func TestLengthsOfLanguages(t *testing.T) {
	const mile = 1609.344
	lengths := []struct {
		metres float64
		miles  bool
	}{
		{50, false},
		{300, false},
		{1000, false},
		{1500, false},
		{2000, false},
		{3000, false},
		{5000, false},
		{6000, false},
		{12000, false},
		{22000, false},
		{100, true},
		{mile / 4, true},
		{mile / 2, true},
		{mile * 3 / 4, true},
		{mile, true},
		{mile * 1.5, true},
		{mile * 2, true},
		{mile * 3, true},
		{mile * 5, true},
		{mile * 22, true},
	}
	var out strings.Builder
	for _, tag := range tags {
		l := find(t, tag)
		fmt.Fprintf(&out, "== %s\n", tag)
		for _, c := range lengths {
			list := []guidance.Manoeuvre{{Type: guidance.Start, Metres: c.metres, Seconds: 1000}, {Type: guidance.Destination}}
			fmt.Fprintf(&out, "%s | %s | %s\n", l.Distance(c.metres, c.miles), l.Leg(list, c.miles)[0].Post, l.Ahead(l.Leg(list, c.miles)[1].Alert, c.metres, c.miles))
		}
	}
	golden.Assert(t, out.String(), "lengths.golden")
}

// Between neighbouring lengths the words never go back, and no length is
// without words.
func TestLengthsAreMonotonous(t *testing.T) {
	for _, tag := range tags {
		l := find(t, tag)
		for _, miles := range []bool{false, true} {
			seen := map[string]bool{}
			last := ""
			for metres := 0.0; metres < 60000; metres += 1 + metres/500 {
				words := l.Distance(metres, miles)
				if words == last {
					continue
				}
				if seen[words] || words == "" || strings.HasSuffix(words, " ") {
					t.Fatalf("%s: %q comes again at %g m", tag, words, metres)
				}
				seen[words], last = true, words
			}
		}
	}
}
