package locate

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// says is an engine that always answers the same.
type says struct {
	engine.Unable
	body string
}

func (s says) Locate(context.Context, *engine.LocateRequest) (*engine.LocateAnswer, error) {
	return &engine.LocateAnswer{Body: []byte(s.body)}, nil
}

func TestNotesJoinTheFirstElement(t *testing.T) {
	for _, c := range []struct {
		answer, want string
		places       int
	}{
		{`[{"edges":null}, {"edges":[]}]`, `[{"edges":null,"warnings":["one",2]},{"edges":[]}]`, 2},
		{`[ { } ]`, `[{ "warnings":["one",2]}]`, 1},
		{`[{"a":{"b":[1 , 2]} }]`, `[{"a":{"b":[1 , 2]},"warnings":["one",2]}]`, 1},
	} {
		r := &engine.LocateRequest{Locations: make([]engine.Location, c.places)}
		plain, err := Locate(context.Background(), says{body: c.answer}, r, nil)
		if err != nil || string(plain) != c.answer {
			t.Errorf("without notes %s becomes %s (%v)", c.answer, plain, err)
		}
		got, err := Locate(context.Background(), says{body: c.answer}, r, []any{"one", 2})
		var a, b any
		if err != nil || json.Unmarshal(got, &a) != nil || json.Unmarshal([]byte(c.want), &b) != nil {
			t.Fatalf("%s becomes %s (%v)", c.answer, got, err)
		}
		x, _ := json.Marshal(a)
		if y, _ := json.Marshal(b); string(x) != string(y) {
			t.Errorf("%s becomes %s, want %s", c.answer, got, c.want)
		}
	}
	for _, bad := range []string{`[]`, `[1]`, `{}`} {
		if _, err := Locate(context.Background(), says{body: bad}, &engine.LocateRequest{Locations: make([]engine.Location, 1)}, []any{1}); !fault.Is(err, fault.Upstream) {
			t.Errorf("%s is taken for an answer (%v)", bad, err)
		}
	}
}

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
