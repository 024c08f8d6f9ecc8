package engine

import (
	"errors"
	"testing"

	"github.com/waygate/waygate/fault"
)

func TestRefused(t *testing.T) {
	err := Refused(CodeNoRoute, "no way from %d to %d", 0, 1)
	if Code(err) != 442 || !fault.Is(err, fault.Upstream) || err.Fields["upstream_status"] != 400 {
		t.Errorf("%+v", err)
	}
	if Code(errors.New("another")) != 0 || Code(nil) != 0 {
		t.Error("an error without a code has one")
	}
}
