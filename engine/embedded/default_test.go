package embedded

import (
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/road/profile"
)

// A request without options finds the metrics that regions hold.
func TestDefaultOptions(t *testing.T) {
	for costing, kind := range kinds {
		s, _, bad := engine.ParseSettings(costing, nil, "")
		if len(bad) > 0 {
			t.Fatal(bad)
		}
		if got, want := optionsOf(costing, &s), profile.Default(kind); got != want {
			t.Errorf("%s:\n%+v\n%+v", costing, got, want)
		}
		if kind.String() != string(costing) {
			t.Errorf("%s is called %s", costing, kind)
		}
	}
}
