package json_test

import (
	"reflect"
	"testing"

	"github.com/waygate/waygate/wire/json"
)

type Part struct {
	Metres float64 `decimals:"1"`
	Exact  float64
}

type whole struct {
	Part
	Share float64 `decimals:"4"`
	Parts []Part
	Next  *whole
	Names []string
}

func TestShorten(t *testing.T) {
	w := whole{Part{1.26, 1.26}, 0.123456, []Part{{-0.04, 2}, {99.96, 3}}, &whole{Share: 1.00004}, []string{"x"}}
	json.Shorten(&w)
	want := whole{Part{1.3, 1.26}, 0.1235, []Part{{0, 2}, {100, 3}}, &whole{Share: 1}, []string{"x"}}
	if !reflect.DeepEqual(w.Part, want.Part) || w.Share != want.Share || w.Parts[0].Metres != 0 || w.Parts[1] != want.Parts[1] || w.Next.Share != 1 {
		t.Errorf("%+v, want %+v", w, want)
	}
	text := "unchanged"
	json.Shorten(&text)
	json.Shorten(nil)
	json.Shorten(w)
}

func TestShortenMaps(t *testing.T) {
	m := struct{ Parts map[string]*Part }{map[string]*Part{"a": {1.26, 1.26}, "none": nil}}
	json.Shorten(&m)
	if *m.Parts["a"] != (Part{1.3, 1.26}) || m.Parts["none"] != nil {
		t.Errorf("%+v", *m.Parts["a"])
	}
}
