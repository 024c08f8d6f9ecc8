package fault

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestError(t *testing.T) {
	cause := errors.New("disk on fire")
	err := fmt.Errorf("while reading: %w", Wrap(cause, Internal, "tile %d cannot be read", 7).With("tile", 7))
	if !Is(err, Internal) || Is(err, NotFound) || !errors.Is(err, cause) {
		t.Errorf("the kind or the cause is lost: %v", err)
	}
	var e *Error
	if !errors.As(err, &e) || e.Detail != "tile 7 cannot be read" || e.Fields["tile"] != 7 {
		t.Errorf("%+v", e)
	}
	if strings.Contains(e.Detail, "fire") || !strings.Contains(err.Error(), "fire") {
		t.Error("the cause belongs in the log and nowhere else")
	}
}

func TestInvalid(t *testing.T) {
	if Invalid() != nil {
		t.Error("nothing wrong is an error")
	}
	err := Invalid(Violation{"locations[1].lat", 91, "must be between -90 and 90"}, Violation{"costing", "x", "must be one of …"})
	var e *Error
	if !errors.As(err, &e) || e.Slug != BadRequest || !strings.Contains(e.Detail, "locations[1].lat: must be between -90 and 90") || !strings.Contains(e.Detail, "1 more") {
		t.Errorf("%v", err)
	}
	if list, ok := e.Fields["errors"].([]Violation); !ok || len(list) != 2 {
		t.Errorf("%+v", e.Fields)
	}
}
