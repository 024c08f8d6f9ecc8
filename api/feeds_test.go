package api_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/feed"
)

// Everybody sees the state of feeds, and operators alone their failures.
func TestFeeds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "numbers.csv")
	if err := os.WriteFile(path, []byte("n,x\n1,\n-1,\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := feed.New(feed.Options{}, feed.Source{ID: "numbers", Kind: "number", URL: path, Name: "Numbers", Licence: "CC0-1.0"}, feed.Kind[int]{
		Read: func(_ context.Context, in *feed.Input, _ int) (n, records int, err error) {
			err = feed.EachRow(in, func(r feed.Row) error {
				if r.Get("n") == "-1" {
					in.Report.Reject("below zero", "line %d", r.Line)
				} else {
					n++
				}
				return nil
			})
			return n, n, err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var set feed.Set
	set.Add(f)
	g := apitest.Start(t, func(o *api.Options) { o.Feeds = &set })
	admin := apitest.Bearer(apitest.AdminToken)
	first := func(r apitest.Reply) map[string]any { return r.At(t, "feeds").([]any)[0].(map[string]any) }
	if one := first(g.Send("GET", "/health", "")); one["id"] != "numbers" || one["state"] != "waiting" || one["age_s"] != nil {
		t.Errorf("%v", one)
	}
	if err := f.Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := g.Send("GET", "/health", "")
	if one := first(r); r.At(t, "status") != "ok" || one["state"] != "ok" || one["age_s"] == nil {
		t.Errorf("%s", r.Body)
	}
	if one := first(g.Send("GET", "/admin/feeds", "", admin...)); one["records"] != 1.0 || one["rejected"] != 1.0 || one["source"] != "numbers.csv" || one["licence"] != "CC0-1.0" || one["rejects"].([]any)[0].(map[string]any)["example"] != "line 3" {
		t.Errorf("%v", one)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := f.Poll(t.Context()); !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	r = g.Send("GET", "/health", "")
	if one := first(r); r.At(t, "status") != "ok" || one["state"] != "failing" || strings.Contains(string(r.Body), "no such file") {
		t.Errorf("%s", r.Body)
	}
	if one := first(g.Send("GET", "/admin/feeds", "", admin...)); one["failures"] != 1.0 || one["error"] == "" {
		t.Errorf("%v", one)
	}
	g.Send("GET", "/admin/feeds", "").Problem(t, 401, "admin-unauthorized")
	metrics := string(g.Send("GET", "/metrics", "", admin...).Body)
	for _, want := range []string{`waygate_feed_state{feed="numbers",kind="number",state="failing"} 1`, `waygate_feed_records{feed="numbers",kind="number"} 1`, `waygate_feed_rejected{feed="numbers",kind="number",reason="below zero"} 1`, `waygate_feed_failures{feed="numbers",kind="number"} 1`} {
		if !strings.Contains(metrics, want) {
			t.Errorf("no %s", want)
		}
	}
}
