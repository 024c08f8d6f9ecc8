package adr_test

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/adr"
)

func TestCheckFollowsTheTable(t *testing.T) {
	// The categories closed to each code, in the stricter reading where the
	// code depends on carriage in tanks or on explosive mass.
	for code, closed := range map[string]string{
		"B": "BCDE", "B1000C": "BCDE", "B/D": "BCDE", "B/E": "BCDE",
		"C": "CDE", "C5000D": "CDE", "C/D": "CDE", "C/E": "CDE",
		"D": "DE", "D/E": "DE", "E": "E", "(—)": "", "": "BCDE",
		" b / d ": "BCDE", "(-)": "",
	} {
		for _, category := range strings.Split("ABCDE", "") {
			var given *string
			if code != "" {
				given = &code
			}
			a, err := adr.Check(given, true, category)
			if err != nil {
				t.Fatalf("%q %s: %v", code, category, err)
			}
			want := "allowed"
			if strings.Contains(closed, category) {
				want = "blocked"
			}
			if a.Decision.Status != want || (a.Decision.Reason != "") != (want == "blocked") || a.TunnelCategory != category || a.Basis != "ADR 8.6.4" {
				t.Errorf("%q in %s: %+v, want %s", code, category, a, want)
			}
			if said := strings.Contains(a.Decision.Reason, "assumed"); want == "blocked" && said != (given == nil) {
				t.Errorf("%q in %s: the reason says that the code was assumed: %v", code, category, said)
			}
			if want == "blocked" && !strings.Contains(a.Decision.Reason, "8.6.4") {
				t.Errorf("%q in %s: the reason cites nothing: %s", code, category, a.Decision.Reason)
			}
		}
	}
}

func TestCheckRefuses(t *testing.T) {
	bad := "F"
	for _, c := range []struct {
		code     *string
		category string
	}{{nil, ""}, {nil, "F"}, {nil, "a"}, {nil, "AB"}, {&bad, "B"}} {
		if _, err := adr.Check(c.code, false, c.category); !fault.Is(err, fault.BadRequest) {
			t.Errorf("%v %q: %v", c.code, c.category, err)
		}
	}
}

func TestCheckSaysWhatItDoesNotCover(t *testing.T) {
	tanks := "C/D"
	if a, err := adr.Check(&tanks, true, "D"); err != nil || len(a.Caveats) != 1 {
		t.Errorf("%+v %v", a, err)
	}
	if a, err := adr.Check(nil, true, "E"); err != nil || len(a.Caveats) != 1 || *a.TunnelCode != "B" {
		t.Errorf("%+v %v", a, err)
	}
	if a, err := adr.Check(nil, false, "E"); err != nil || len(a.Caveats) != 0 || a.TunnelCode != nil || a.Decision.Status != "allowed" {
		t.Errorf("%+v %v", a, err)
	}
}
