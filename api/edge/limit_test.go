package edge

import (
	"crypto/sha256"
	"net/netip"
	"testing"
	"time"
)

// TestLinksOfOneNetwork has somebody with a key, who has as many links as there are stops, call with
// all of them: the network is limited, and no other.
func TestLinksOfOneNetwork(t *testing.T) {
	now := time.Now()
	l := newLinks(func() time.Time { return now })
	here, elsewhere := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("198.51.100.1")
	known := func(n int) [sha256.Size]byte {
		hash := sha256.Sum256([]byte{byte(n)})
		l.found(hash, true)
		return hash
	}
	taken := 0
	for n := range 20 {
		for range linkedPerMinute {
			if l.allow(t.Context(), known(n), here) == nil {
				taken++
			}
		}
	}
	if taken != linksPerMinute {
		t.Errorf("%d calls are taken from one network, want %d", taken, linksPerMinute)
	}
	if err := l.allow(t.Context(), known(20), elsewhere); err != nil {
		t.Error(err)
	}
	now = now.Add(time.Minute)
	if err := l.allow(t.Context(), known(0), here); err != nil {
		t.Errorf("a minute later: %v", err)
	}
}
