package meter

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"sync"
)

const (
	seenMax  = 1 << 20 // client networks that are remembered
	freshMax = 1 << 18 // of these, that are to be written
)

// activeUsers collects the client networks of each month of an identity, or of a
// provisional key. The memory only saves writes: the database stores each network once.
type activeUsers struct {
	mu      sync.Mutex
	months  map[identityMonth]*activeMonth
	total   int // seen
	fresh   int
	dropped int64 // not counted for lack of room
}

type identityMonth struct{ identity, month string }

type activeMonth struct {
	seen  map[netip.Addr]struct{}
	fresh []netip.Addr // of seen, not in a batch yet
}

// seen notes the client network of a successful call.
func (a *activeUsers) seen(identity, month string, client netip.Addr) {
	if !client.IsValid() {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	k := identityMonth{identity, month}
	m, ok := a.months[k]
	if !ok {
		m = &activeMonth{seen: map[netip.Addr]struct{}{}}
		a.months[k] = m
	}
	if _, ok := m.seen[client]; ok {
		return
	}
	if a.fresh >= freshMax {
		a.dropped++
		return
	}
	m.seen[client] = struct{}{}
	m.fresh = append(m.fresh, client)
	a.fresh++
	a.total++
}

// take returns the networks that are new since the last call, and clears the memory if
// it takes too much room.
func (a *activeUsers) take() (fresh map[identityMonth][]netip.Addr, dropped int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for k, m := range a.months {
		if len(m.fresh) > 0 {
			if fresh == nil {
				fresh = map[identityMonth][]netip.Addr{}
			}
			fresh[k], m.fresh = m.fresh, nil
		}
	}
	if a.total > seenMax {
		clear(a.months)
		a.total = 0
	}
	dropped, a.fresh, a.dropped = a.dropped, 0, 0
	return fresh, dropped
}

// pseudonym returns the form in which a client network is stored: a hash under the salt
// of its month, in hex.
func pseudonym(salt string, client netip.Addr) string {
	h := hmac.New(sha256.New, []byte(salt))
	b := client.As16()
	h.Write(b[:])
	return hex.EncodeToString(h.Sum(nil)[:16])
}
