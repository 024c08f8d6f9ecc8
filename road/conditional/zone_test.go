package conditional

import (
	"testing"
	"time"
)

func TestZones(t *testing.T) {
	for code := range zones {
		if _, ok := Zone(uint16(code[0])<<8 | uint16(code[1])); !ok {
			t.Errorf("%s: there is no zone %s", code, zones[code])
		}
	}
	for _, code := range []uint16{0, 'U'<<8 | 'S', 'Z'<<8 | 'Z'} {
		if z, ok := Zone(code); ok {
			t.Errorf("%x is in %s", code, z)
		}
	}
	z, _ := Zone('L'<<8 | 'I')
	if got := time.Date(2026, 7, 1, 10, 0, 0, 0, time.UTC).In(z).Hour(); got != 12 {
		t.Errorf("at 10 UTC in summer it is %d in Liechtenstein", got)
	}
}
