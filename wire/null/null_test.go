package null

import (
	"encoding/json"
	"math"
	"testing"
	"time"
)

// TestNull writes answers with values and without.
func TestNull(t *testing.T) {
	berlin := time.FixedZone("", 3600)
	for _, c := range []struct {
		value any
		want  string
	}{
		{IfZero("x"), `"x"`},
		{IfZero(""), `null`},
		{IfZero(7), `7`},
		{IfZero(0), `null`},
		{IfNaN(0), `0`},
		{IfNaN(math.NaN()), `null`},
		{UTC(time.Date(2026, 5, 1, 12, 0, 0, 0, berlin)), `"2026-05-01T11:00:00Z"`},
		{UTC(time.Time{}), `null`},
		{UTC(time.Time{}.In(berlin)), `null`},
	} {
		text, err := json.Marshal(c.value)
		if err != nil || string(text) != c.want {
			t.Errorf("%s, %v, want %s", text, err, c.want)
		}
	}
}
