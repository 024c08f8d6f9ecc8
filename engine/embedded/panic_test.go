package embedded_test

import (
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/waittest"
)

// TestPanicsInTheBackground has what is worked out for frequent options panic:
// requests are answered without, somebody hears of it once, and the memory for it
// is given back.
func TestPanicsInTheBackground(t *testing.T) {
	town := towntest.Draw(t, "a---b\n|   |\nc---d", towntest.Ways{{"ab", "primary"}, {"ac", "primary"}, {"cd", "primary"}, {"bd", "primary"}})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	heard := make(chan *parallel.Panic, 10)
	e.SetAlarm(func(p *parallel.Panic) { heard <- p })
	r := engine.RouteRequest{
		Costing: costing.Auto, Options: chosen(t, costing.Auto, `"top_speed": 90`),
		Locations: []engine.Location{{Point: town.Point("a")}, {Point: town.Point("d")}},
	}
	want := costOf(t, e, r)
	e.Break()
	for range 20 {
		if got := costOf(t, e, r); got != want {
			t.Errorf("it costs %g, want %g", got, want)
		}
	}
	select {
	case err := <-heard:
		if err == nil {
			t.Error("a panic is heard of without its error")
		}
	case <-time.After(waittest.Patience):
		t.Fatal("nobody hears of it")
	}
	if bytes, own := settled(t, e); bytes != 0 || own != 0 || e.Memory() != 0 {
		t.Errorf("%d bytes for %d metrics are kept, %d counted", bytes, own, e.Memory())
	}
	for range 20 {
		costOf(t, e, r)
	}
	if len(heard) > 0 {
		t.Error("what has panicked is tried again")
	}
	// A panic of the work that a request waits for is that request's panic.
	defer func() {
		if _, ok := recover().(*parallel.Panic); !ok {
			t.Error("it is not handed to the request")
		}
		if e.Memory() != 0 {
			t.Errorf("%d bytes are kept", e.Memory())
		}
	}()
	_, _, err = e.Once(t.Context())
	t.Errorf("it is answered: %v", err)
}
