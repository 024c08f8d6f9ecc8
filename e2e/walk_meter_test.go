package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"
)

// meter measures from outside what the process of a gateway uses.
type meter struct {
	t    testing.TB
	pid  int
	idle float64 // processor seconds that it takes in a second without calls
}

func newMeter(t testing.TB, g *gateway) *meter {
	t.Helper()
	m := &meter{t: t, pid: g.cmd.Process.Pid}
	m.rest(10 * time.Second)
	began, used := time.Now(), m.processor()
	time.Sleep(time.Second)
	m.idle = (m.processor() - used).Seconds() / time.Since(began).Seconds()
	return m
}

// processor returns the processor time that the process has had.
func (m *meter) processor() time.Duration { return processor(m.t, m.pid) }

// waited returns how long its threads have waited for a processor while others had it.
func (m *meter) waited() time.Duration {
	_, waited := processors(m.t, m.pid)
	return waited
}

var memoryLine = regexp.MustCompile(`(VmRSS|VmHWM):\s+(\d+) kB`)

// memory returns the resident memory in bytes, now and at its most since forget.
func (m *meter) memory() (now, most int64) {
	m.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.pid))
	if err != nil {
		m.t.Fatal(err)
	}
	for _, found := range memoryLine.FindAllSubmatch(status, -1) {
		kib, _ := strconv.ParseInt(string(found[2]), 10, 64)
		if string(found[1]) == "VmRSS" {
			now = kib << 10
		} else {
			most = kib << 10
		}
	}
	return now, most
}

// forget has the most memory begin anew.
func (m *meter) forget() {
	m.t.Helper()
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", m.pid), []byte("5"), 0o600); err != nil {
		m.t.Fatalf("the most memory cannot be begun anew: %v", err)
	}
}

// runnable reports whether a thread of the process runs or would like to: also where
// others have the processors.
func (m *meter) runnable() bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", m.pid))
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if err != nil {
			continue // it has ended
		}
		if _, state, ok := bytes.Cut(text, []byte(") ")); ok && state[0] == 'R' {
			return true
		}
	}
	return false
}

// rest waits until the process does nothing, and gives the processor time that it took
// until then, without what it takes anyway.
func (m *meter) rest(limit time.Duration) (used time.Duration, idle bool) {
	began, before := time.Now(), m.processor()
	quiet, last := 0, before
	for quiet < 8 && time.Since(began) < limit {
		time.Sleep(15 * time.Millisecond)
		now := m.processor()
		if quiet++; m.runnable() || now-last > 3*time.Millisecond {
			quiet = 0
		}
		last = now
	}
	used = last - before - time.Duration(m.idle*float64(time.Since(began)))
	return max(0, used), quiet >= 8
}
