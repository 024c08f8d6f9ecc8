package schema_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/wire/schema"
)

// TestWhereABodyIsDamaged puts a byte that is no text, or a sign that is no JSON, anywhere into a
// body, or cuts it off, and counts the lines and columns of that place one by one.
func TestWhereABodyIsDamaged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space := func() string { return rapid.SampledFrom([]string{"", " ", "\n", "\t\n ", "\r\n"}).Draw(t, "space") }
		whole := space() + "{" + space() + `"mode"` + space() + ":" + space() + `"` + rapid.SampledFrom([]string{"car", "é", "地図", "\U0001f697"}).Draw(t, "value") + `"` + space()
		bad := rapid.SampledFrom([]string{"\xff", "\xc3", "\xe5\x9c", "\x80", "#", ""}).Draw(t, "bad")
		body := whole + bad
		at := len(whole)
		if bad != "" && bad != "#" && rapid.Bool().Draw(t, "goes on") {
			body += "}"
		}
		if bad == "" { // it ends too early
			at = len(body)
		}
		line, column := 1, 1
		for i := range at {
			if column++; body[i] == '\n' {
				line, column = line+1, 1
			}
		}
		_, _, err := read(body, schema.Options{})
		var problem *fault.Error
		if !errors.As(err, &problem) || !fault.Is(err, fault.BadRequest) {
			t.Fatalf("%q: %v", body, err)
		}
		if problem.Fields["line"] != line || problem.Fields["column"] != column {
			t.Fatalf("%q: line %v, column %v, want %d and %d (%v)", body, problem.Fields["line"], problem.Fields["column"], line, column, err)
		}
	})
	for _, body := range []string{"", " ", "\n\t"} {
		if _, _, err := read(body, schema.Options{}); !fault.Is(err, fault.BadRequest) || strings.Contains(err.Error(), "line") {
			t.Errorf("%q: %v", body, err)
		}
	}
}
