package conditional

import (
	"sync"
	"testing"
)

// TestZonesAtOnce has four callers be the first to ask for the time zone of each country:
// all get the one that the table names.
func TestZonesAtOnce(t *testing.T) {
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for code, name := range zones {
				if zone, ok := Zone(uint16(code[0])<<8 | uint16(code[1])); !ok || zone.String() != name {
					t.Errorf("%s: %v, want %s", code, zone, name)
				}
			}
		})
	}
	all.Wait()
}
