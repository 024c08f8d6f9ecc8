package api

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
)

func TestLimiterKeepsTheRate(t *testing.T) {
	now := time.Unix(0, 0)
	l := newLimiter(60, 10, func() time.Time { return now })
	who := netip.MustParseAddr("192.0.2.1")
	passed := 0
	// Ten minutes of ten calls a second: a burst of a minute's worth, then
	// one a second.
	for range 6000 {
		if _, ok := l.allow(who); ok {
			passed++
		}
		now = now.Add(100 * time.Millisecond)
	}
	if passed < 655 || passed > 661 {
		t.Errorf("%d calls passed, want 60 and one a second for ten minutes", passed)
	}
	wait, ok := l.allow(who)
	if ok {
		wait, ok = l.allow(who)
	}
	if ok || wait <= 0 || wait > time.Second {
		t.Errorf("wait %v %v", wait, ok)
	}
}

func TestLimiterIsBounded(t *testing.T) {
	now := time.Unix(0, 0)
	l := newLimiter(1, 100, func() time.Time { return now })
	for i := range 100_000 {
		l.allow(netip.MustParseAddr(fmt.Sprintf("2001:db8::%x", i%65536)))
		now = now.Add(time.Microsecond)
		if len(l.arrival) > 100 {
			t.Fatalf("%d clients after %d calls", len(l.arrival), i)
		}
	}
}

func TestFitting(t *testing.T) {
	for _, c := range []struct {
		west, south, east, north, want float64
	}{
		{-180, -85, 180, 85, 1},
		{9, 47, 10, 48, 8.5},
		{9.5, 47.1, 9.5, 47.1, 15},
	} {
		b := geo.NoBounds().Extend(geo.Point{Lon: c.west, Lat: c.south}).Extend(geo.Point{Lon: c.east, Lat: c.north})
		if got := fitting(b); got != c.want {
			t.Errorf("%v: zoom %g, want %g", c, got, c.want)
		}
	}
}
