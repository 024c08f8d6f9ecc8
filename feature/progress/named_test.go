package progress

import (
	"errors"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// TestNamed names the member of a refused location, and leaves an error as it is whose
// location is none of the members or is not known.
func TestNamed(t *testing.T) {
	refused := func(at any) error {
		return fault.New(fault.Upstream, "no road").With("error_code", engine.CodeNoSegment).With("location_index", at)
	}
	if engine.Code(refused(0)) != engine.CodeNoSegment {
		t.Fatal("the error is no engine's")
	}
	for at, want := range map[any]string{0: "position", 1: "shape", 2: "", 3: "", -1: "", "1": "", nil: ""} {
		err := named(refused(at), "position", "shape")
		var refusal *fault.Error
		if !errors.As(err, &refusal) {
			t.Fatal(err)
		}
		got, _ := refusal.Fields["field"].(string)
		if got != want || (refusal.Detail != "no road") != (want != "") {
			t.Errorf("location_index %v: field %q, %q; want %q", at, got, refusal.Detail, want)
		}
	}
	plain := errors.New("no engine's")
	if err := named(plain, "position"); err != plain {
		t.Errorf("another error becomes %v", err)
	}
}
