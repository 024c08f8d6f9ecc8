package vrp

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/fleet/search"
	"github.com/waygate/waygate/realdata"
)

const small = `
R9
VEHICLE
NUMBER     CAPACITY
  3         20

CUSTOMER
CUST NO.  XCOORD.   YCOORD.    DEMAND   READY TIME  DUE DATE   SERVICE   TIME

    0      0         0          0          0       100         0
    1      3         4          5          10       20         2
    2      6         8          5          0       30          2
`

func TestReadsSolomon(t *testing.T) {
	p, err := windows(small, 10)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Vehicles) != 3 || p.Vehicles[0].Capacity[0] != 20 || len(p.Jobs) != 2 || p.Jobs[0].Windows[0].Start != 100 || p.Matrices[0].Seconds[2] != 100 {
		t.Errorf("%+v", p)
	}
	plan, err := search.Solve(t.Context(), p, search.Options{Iterations: 100})
	if err != nil {
		t.Fatal(err)
	}
	if g := (&Instance{BestKnown: 16}).Gap(plan, 10); math.Abs(g-25) > 1e-9 {
		t.Errorf("gap %g", g)
	}
}

func TestRefusesOtherForms(t *testing.T) {
	for _, text := range []string{"", "a b c", "1 2\n3", strings.Repeat("1 ", 9)} {
		if _, err := cvrp(text); err == nil {
			t.Errorf("cvrp read %q", text)
		}
		if _, err := windows(text, 1); err == nil {
			t.Errorf("windows read %q", text)
		}
		if _, err := pairs(text, 1); err == nil {
			t.Errorf("pairs read %q", text)
		}
	}
}

// TestReadsTheSets reads every problem of the sets, and solves one of each a little.
func TestReadsTheSets(t *testing.T) {
	data := filepath.Dir(realdata.File(t, "vrp/REFERENCES.csv"))
	for set, want := range map[string]int{"X": 97, "X_to_330": 51, "X_above_330": 50, "solomon": 56, "homberger_200": 60, "li_lim_100": 56, "li_lim_200": 60} {
		all, err := Instances(data, set)
		if err != nil {
			t.Fatal(err)
		}
		if len(all) < want-4 || len(all) > want {
			t.Errorf("%s has %d problems", set, len(all))
		}
		for i := range all {
			p, scale, err := all[i].Load()
			if err != nil {
				t.Fatalf("%s: %v", all[i].Name, err)
			}
			if err := p.Check(); err != nil {
				t.Errorf("%s: %v", all[i].Name, err)
			}
			if i > 0 {
				continue
			}
			plan, err := search.Solve(t.Context(), p, search.Options{Seed: 1, Iterations: 3000})
			if err != nil {
				t.Fatalf("%s: %v", all[i].Name, err)
			}
			// No plan is better than the best known by more than rounding.
			if g := all[i].Gap(plan, scale); len(plan.Unassigned) == 0 && (g < -0.02 || g > 15) {
				t.Errorf("%s: gap %.2f %%", all[i].Name, g)
			}
		}
	}
}

// TestInstancesAreThere checks that a set that is unknown, or whose files are not there,
// is an error.
func TestInstancesAreThere(t *testing.T) {
	data := t.TempDir()
	if err := os.WriteFile(filepath.Join(data, "REFERENCES.csv"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, set := range []string{"X", "unknown"} {
		if list, err := Instances(data, set); err == nil {
			t.Errorf("the set %s without files has %v", set, list)
		}
	}
}
