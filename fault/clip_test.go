package fault_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/waygate/waygate/fault"
)

func TestInvalidBoundsWhatItShows(t *testing.T) {
	long := strings.Repeat("é", 5000)
	err := fault.Invalid(
		fault.Violation{Location: "a." + long, Value: long, Message: "is long"},
		fault.Violation{Location: "b", Value: strings.Split(long, ""), Message: "has many"},
		fault.Violation{Location: "c", Value: 7, Message: "is 7"})
	text, marshalled := json.Marshal(err)
	if marshalled != nil || len(text) > 1500 || !utf8.Valid(text) {
		t.Errorf("%d bytes, %v", len(text), marshalled)
	}
	if !fault.Is(err, fault.BadRequest) || !strings.Contains(err.Error(), "and 2 more") || len(err.Error()) > 400 {
		t.Errorf("%v", err)
	}
	if fault.Invalid() != nil {
		t.Error("nothing wrong is a failure")
	}
}

func TestClip(t *testing.T) {
	for in, want := range map[string]int{"": 0, "short": 5, strings.Repeat("x", 120): 120, strings.Repeat("x", 121): 123, strings.Repeat("€", 41): 123} {
		if got := fault.Clip(in); len(got) != want || !utf8.ValidString(got) {
			t.Errorf("%d bytes become %d: %q", len(in), len(got), got)
		}
	}
}
