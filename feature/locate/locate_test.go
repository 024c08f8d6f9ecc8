package locate

import (
	"encoding/json"
	"testing"

	"github.com/waygate/waygate/fault"
)

func TestVerbose(t *testing.T) {
	for raw, want := range map[string]bool{"": false, "null": false, "true": true, "false": false} {
		if got, err := Verbose(json.RawMessage(raw)); err != nil || got != want {
			t.Errorf("%q is read as %v (%v)", raw, got, err)
		}
	}
	for _, raw := range []string{`"true"`, `1`, `[]`} {
		if _, err := Verbose(json.RawMessage(raw)); !fault.Is(err, fault.BadRequest) {
			t.Errorf("%s is taken for a switch (%v)", raw, err)
		}
	}
}
