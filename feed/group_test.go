package feed

import (
	"net/http"
	"testing"
)

func TestGroup(t *testing.T) {
	sum := func(all []*Snapshot[[]int]) int {
		n := 0
		for _, s := range all {
			for _, v := range s.Value {
				n += v
			}
		}
		return n
	}
	b := polled(t, "", says(`[1]`))
	g := NewGroup(reading(), sum)
	if _, ok := g.View(); ok || (*Group[int, int])(nil).Feeds() != nil {
		t.Error("a group without feeds has a view")
	}
	for _, id := range []string{"one", "two"} {
		if _, err := g.Add(Options{}, Source{ID: id, Kind: "number", URL: b.server.URL + "/" + id}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := g.Add(Options{}, Source{ID: "No", Kind: "number", URL: "x"}); err == nil {
		t.Error("an id with a capital is taken")
	}
	b.answer = func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(map[string]string{"/one": "[1,2]", "/two": "[40]"}[r.URL.Path]))
	}
	for i, want := range []int{3, 43} {
		if err := g.Feeds()[i].Poll(t.Context()); err != nil {
			t.Fatal(err)
		}
		if v, ok := g.View(); !ok || v != want {
			t.Errorf("after feed %d the view is %d", i, v)
		}
	}
}
