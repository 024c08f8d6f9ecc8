package version

import (
	"runtime"
	"strings"
	"testing"
)

func TestFull(t *testing.T) {
	for _, part := range []string{Number, Revision(), runtime.Version(), runtime.GOARCH} {
		if part == "" || !strings.Contains(Full(), part) {
			t.Errorf("%q does not have %q", Full(), part)
		}
	}
}
