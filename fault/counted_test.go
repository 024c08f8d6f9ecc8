package fault_test

import (
	"testing"

	"github.com/waygate/waygate/fault"
)

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{0: "0 entries", 1: "1 entry", 2: "2 entries", 11: "11 entries"} {
		if got := fault.Counted(n, "entry", "entries"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
