package scheduled

import (
	"testing"
	"time"
)

func TestTurn(t *testing.T) {
	var x turn
	began := epoch.Add(time.Hour)
	for _, c := range []struct {
		at   time.Duration
		over bool
	}{{0, true}, {turnFor - 1, false}, {turnFor, true}, {turnFor + 1, false}, {3 * turnFor, true}} {
		if got := x.over(began.Add(c.at)); got != c.over {
			t.Errorf("after %v it is time for others: %v", c.at, got)
		}
	}
}
