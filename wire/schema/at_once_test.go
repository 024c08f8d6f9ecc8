package schema_test

import (
	"reflect"
	"sync"
	"testing"

	"github.com/waygate/waygate/wire/schema"
)

// TestReadAtOnce has four callers be the first to read two types that share a part and
// hold themselves: each reads what it reads alone.
func TestReadAtOnce(t *testing.T) {
	type part struct {
		Name  string `json:"name" maxLength:"5"`
		Count int    `json:"count,omitempty" minimum:"1" default:"3"`
	}
	type tree struct {
		Part  part    `json:"part"`
		Below []*tree `json:"below,omitempty"`
	}
	type list struct {
		Parts []part         `json:"parts"`
		Named map[string]int `json:"named,omitempty"`
		Tree  *tree          `json:"tree,omitempty"`
	}
	ask := func() (a tree, b list, refused string) {
		if _, err := schema.Of[tree]().Read(t.Context(), []byte(`{"part":{"name":"a"},"below":[{"part":{"name":"b","count":2}}]}`), &a, schema.Options{}); err != nil {
			t.Error(err)
		}
		if _, err := schema.Of[list]().Read(t.Context(), []byte(`{"parts":[{"name":"c"}],"named":{"x":1},"tree":{"part":{"name":"d"}}}`), &b, schema.Options{}); err != nil {
			t.Error(err)
		}
		var bad list
		if _, err := schema.Of[list]().Read(t.Context(), []byte(`{"parts":[{"name":"too long","count":0}]}`), &bad, schema.Options{}); err != nil {
			refused = err.Error()
		}
		return a, b, refused
	}
	var trees [4]tree
	var lists [4]list
	var refusals [4]string
	var all sync.WaitGroup
	for k := range trees {
		all.Go(func() { trees[k], lists[k], refusals[k] = ask() })
	}
	all.Wait()
	a, b, refused := ask()
	if a.Part.Count != 3 || len(a.Below) != 1 || b.Tree == nil || refused == "" {
		t.Fatalf("alone it is %+v, %+v, %q", a, b, refused)
	}
	for k := range trees {
		if !reflect.DeepEqual(trees[k], a) || !reflect.DeepEqual(lists[k], b) || refusals[k] != refused {
			t.Errorf("%+v, %+v, %q; alone it is %+v, %+v, %q", trees[k], lists[k], refusals[k], a, b, refused)
		}
	}
}
