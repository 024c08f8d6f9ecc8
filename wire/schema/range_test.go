package schema_test

import (
	"context"
	"strings"
	"testing"

	"github.com/waygate/waygate/wire/schema"
)

// TestRangesInWords checks how each kind of range is refused.
func TestRangesInWords(t *testing.T) {
	for name, c := range map[string]struct {
		read func(body string) error
		want string
	}{
		"minimum": {reader[struct {
			N float64 `json:"n" minimum:"5"`
		}](), "at least 5"},
		"maximum": {reader[struct {
			N float64 `json:"n" maximum:"-5"`
		}](), "at most -5"},
		"above": {reader[struct {
			N float64 `json:"n" exclusiveMinimum:"5"`
		}](), "above 5"},
		"below": {reader[struct {
			N float64 `json:"n" exclusiveMaximum:"0"`
		}](), "below 0"},
	} {
		if err := c.read(`{"n":0}`); err == nil || !strings.Contains(err.Error(), "must be "+c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func reader[T any]() func(body string) error {
	return func(body string) error {
		var v T
		_, err := schema.Of[T]().Read(context.Background(), []byte(body), &v, schema.Options{})
		return err
	}
}
