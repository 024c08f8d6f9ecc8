package sample_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/sample"
)

// What the county tells follows from the time, and moves with it.
func TestLive(t *testing.T) {
	l := sample.Generate().Live()
	noon := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	for name, write := range map[string]func(io.Writer, time.Time) error{"prices": l.Prices, "chargers": l.Chargers, "weather": l.Weather} {
		text := func(at time.Time) string {
			var b bytes.Buffer
			if err := write(&b, at); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		if first := text(noon); first != text(noon) {
			t.Errorf("%s differ from themselves", name)
		}
		if text(noon) == text(noon.Add(7*time.Hour)) {
			t.Errorf("%s stand still", name)
		}
		if n := strings.Count(text(noon), "\n") + strings.Count(text(noon), `"id"`); n < 4 {
			t.Errorf("%s: %d lines", name, n)
		}
	}
}
