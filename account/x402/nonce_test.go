package x402

import (
	"fmt"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
)

func TestNoncesAreBounded(t *testing.T) {
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	n := nonces{held: map[string]hold{}, capacity: 100}
	payment := func(i int) *Payment { return &Payment{key: fmt.Sprint(i)} }
	take := func(i int, settle bool) error {
		now = now.Add(10 * time.Millisecond)
		return n.take(payment(i), now, settle)
	}
	for i := range 100 {
		if err := take(i, i < 50); err != nil {
			t.Fatal(err)
		}
	}
	// Settled ones make room, those under way do not.
	for i := range 50 {
		if err := take(1000+i, false); err != nil {
			t.Fatal(err)
		}
	}
	now = now.Add(2 * time.Second)
	for i := range 1000 {
		if err := take(2000+i, false); !fault.Is(err, fault.UpstreamUnavailable) {
			t.Fatalf("%d: %v with %d under way", i, err, len(n.held))
		}
	}
	if err := take(99, false); err == nil {
		t.Error("a nonce under way is forgotten")
	}
	now = now.Add(underWay)
	if err := take(3000, false); err != nil || len(n.held) != 1 {
		t.Errorf("%v, %d held", err, len(n.held))
	}
}
