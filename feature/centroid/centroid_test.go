package centroid

import (
	"context"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// says is an engine that always answers the same.
type says struct {
	engine.Unable
	body string
	warn []engine.Warning
}

func (s says) Centroid(context.Context, *engine.RouteRequest) (*engine.RouteAnswer, error) {
	return &engine.RouteAnswer{Body: []byte(s.body), Warnings: s.warn}, nil
}

func TestWarningsJoin(t *testing.T) {
	own := []engine.Warning{{Code: 906, Text: "by another rule"}}
	for _, c := range []struct {
		from  says
		notes []any
		want  string
	}{
		{says{body: `{"trip": {}}`}, nil, `{"trip": {}}`},
		{says{body: `{"trip":{}}`, warn: own}, nil, `{"trip":{},"warnings":[{"code":906,"text":"by another rule"}]}`},
		{says{body: `{"trip":{},"warnings":["a"]}`}, []any{"b"}, `{"trip":{},"warnings":["a","b"]}`},
		{says{body: `{"warnings":"a"}`}, []any{"b"}, `{"warnings":["a","b"]}`},
	} {
		got, err := Find(context.Background(), c.from, &engine.RouteRequest{}, c.notes)
		if err != nil || string(got) != c.want {
			t.Errorf("%s becomes %s (%v), want %s", c.from.body, got, err, c.want)
		}
	}
	for _, bad := range []string{`[]`, `null`, `{`} {
		if _, err := Find(context.Background(), says{body: bad, warn: own}, &engine.RouteRequest{}, nil); !fault.Is(err, fault.Upstream) {
			t.Errorf("%s is taken for an answer (%v)", bad, err)
		}
	}
}
