package schema_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/wire/schema"
)

// everything has a member of each kind, and none with rules or a way of its own:
// encoding/json must read the same.
type everything struct {
	Flag    bool                       `json:"flag,omitempty"`
	Whole   int                        `json:"whole,omitempty"`
	Small   int8                       `json:"small,omitempty"`
	Natural uint16                     `json:"natural,omitempty"`
	Number  float64                    `json:"number,omitempty"`
	Single  float32                    `json:"single,omitempty"`
	Text    string                     `json:"text,omitempty"`
	At      time.Time                  `json:"at,omitzero"`
	Pointer *float64                   `json:"pointer,omitempty"`
	List    []*everything              `json:"list,omitempty"`
	Pair    [2]int                     `json:"pair,omitempty"`
	Map     map[string]map[string]bool `json:"map,omitempty"`
	Raw     json.RawMessage            `json:"raw,omitempty"`
	Any     any                        `json:"any,omitempty"`
	position
}

// FuzzRead checks that a text that is taken is read as encoding/json reads it, and that any
// other is refused as the caller's fault.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		`{"lat":1,"lon":2}`, `{"lat":-0.0,"lon":1e2,"flag":true,"whole":-7,"small":5.0,"natural":65535,"number":123456789.123456789,"single":1.5}`,
		`{"text":"\u00e9\ud800x\n\/","at":"2026-01-01T00:00:00Z","pointer":null,"list":[{"lat":1,"lon":2},null],"pair":[1,2],"map":{"a":{"b":true},"c":{}},"raw":[1,{}],"any":{"x":[null]}}`,
		`{"lat":1,"lon":2,"unknown":[{"a":1,"a":2}]}`, `{"lat":00}`, `[`, "{\"lat\":\xff}", `{"number":0.1e-400,"lat":1e-999,"lon":12345678901234567890}`,
	} {
		f.Add([]byte(text))
	}
	plan := schema.Of[everything]()
	f.Fuzz(func(t *testing.T, body []byte) {
		var got, want everything
		warnings, err := plan.Read(context.Background(), body, &got, schema.Options{})
		if err != nil {
			if !fault.Is(err, fault.BadRequest) {
				t.Fatalf("%v", err)
			}
			if _, err := json.Marshal(err); err != nil {
				t.Fatalf("the refusal has no form: %v", err)
			}
			return
		}
		if len(warnings) > 0 { // encoding/json finds members whatever their case
			return
		}
		err = json.Unmarshal(body, &want)
		if typed := (*json.UnmarshalTypeError)(nil); errors.As(err, &typed) && strings.HasPrefix(typed.Value, "number") {
			return // 5.0 is a whole number here and none there
		}
		if err != nil {
			t.Fatalf("taken, and %v", err)
		}
		tidy(t, &want)
		tidy(t, &got)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\n got %+v\nwant %+v", body, got, want)
		}
	})
}

// tidy takes out what is null, which is left out here, and the space in raw
// members.
func tidy(t *testing.T, e *everything) {
	for name, inner := range e.Map {
		if inner == nil {
			delete(e.Map, name)
		}
	}
	if e.Raw = compact(t, e.Raw); string(e.Raw) == "null" {
		e.Raw = nil
	}
	for _, inner := range e.List {
		if inner != nil {
			tidy(t, inner)
		}
	}
}

func compact(t *testing.T, raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return nil
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
