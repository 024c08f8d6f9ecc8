package bench

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
)

func TestRoundAtOnce(t *testing.T) {
	set, err := NewMaker(ladder(t, 100), costing.Auto, 3).Routes(t.Context(), 20)
	if err != nil {
		t.Fatal(err)
	}
	set[4].Costing = "truck" // which echo refuses
	var out bytes.Buffer
	r := Round{Name: "routes", Set: set, Clients: 8}
	if err := r.Ask(t.Context(), echo(t, 1), &out); err != nil || !strings.HasPrefix(out.String(), "20 routes, 8 at once, 1 refused: p50 ") {
		t.Errorf("%v: %s", err, &out)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := r.Ask(ended, echo(t, 1), &out); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
