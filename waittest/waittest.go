// Package waittest has what tests share that wait for another goroutine or process.
package waittest

import (
	"testing"
	"time"
)

// Patience is how long a test waits for what must come about: so long that a machine on which
// other programs compete for the processors makes it slow and not red.
const Patience = 5 * time.Minute

// Until waits until ok, and fails the test with what was waited for where it does not come
// about within Patience.
func Until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(Patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %s: %s", Patience, what)
		}
	}
}
