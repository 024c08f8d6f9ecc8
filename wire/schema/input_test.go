package schema_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

type page struct {
	Limit  int `query:"limit" minimum:"1" maximum:"500" default:"50" doc:"how many"`
	Offset int `query:"offset" minimum:"0" default:"0"`
}

type handled struct {
	page
	ID    string   `path:"id" minLength:"2"`
	Order string   `query:"order" enum:"name,age" default:"name"`
	Share *float64 `query:"share" maximum:"1"`
	From  string   `query:"from" required:"true" format:"date"`
	Match string   `header:"If-None-Match"`
	All   bool     `query:"all"`
	Body  *struct {
		Name string `json:"name" minLength:"1"`
	}
}

func ask(target, body string) (in handled, err error) {
	r := httptest.NewRequest(http.MethodPost, target, nil)
	r.SetPathValue("id", "x1")
	r.Header.Set("If-None-Match", `"tag"`)
	_, err = schema.InputOf[handled](schema.Refuse).Read(r, []byte(body), &in, geo.Bounds{})
	return in, err
}

func TestInput(t *testing.T) {
	in, err := ask("/?from=2026-01-02", " ")
	if err != nil || in.Limit != 50 || in.Offset != 0 || in.ID != "x1" || in.Order != "name" || in.Share != nil || in.Match != `"tag"` || in.All || in.Body != nil {
		t.Errorf("%+v %v", in, err)
	}
	in, err = ask("/?from=2026-01-02&limit=500&offset=7&order=age&share=0.5&all=true", `{"name":"n"}`)
	if err != nil || in.Limit != 500 || in.Offset != 7 || in.Order != "age" || *in.Share != 0.5 || !in.All || in.Body.Name != "n" {
		t.Errorf("%+v %v", in, err)
	}
	// Lists of coordinates have semicolons.
	if in, err = ask("/?limit=7;8&from=2026-01-02&order=a;b", ""); err == nil || !strings.Contains(err.Error(), "limit: must be a whole number") || !strings.Contains(err.Error(), "order: is a;b") && !strings.Contains(err.Error(), "1 more") {
		t.Errorf("%+v %v", in, err)
	}
	for query, want := range map[string]string{
		"":                            "from: is missing",
		"from=x":                      "from: must be a date as YYYY-MM-DD",
		"from=2026-01-02&limit=501":   "limit: is 501 and must be between 1 and 500",
		"from=2026-01-02&limit=many":  "limit: must be a whole number between 1 and 500",
		"from=2026-01-02&limit=1%202": "limit: must be a whole number",
		"from=2026-01-02&limit=[1]":   "limit: must be a whole number",
		"from=2026-01-02&order=size":  "order: must be one of name, age",
		"from=2026-01-02&share=2":     "share: is 2 and must be at most 1",
		"from=2026-01-02&all=maybe":   "all: must be true or false",
		"limit=0&offset=-1":           "(and 2 more, see errors)",
		"from=2026-01-02&limt=5":      "limt: is not known here",
		"from=2026-01-02&from=2026":   "from: stands 2 times in the query",
		"from=2026-01-02&all=%zz":     "query: is malformed",
	} {
		if _, err := ask("/?"+query, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", query, err, want)
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/?from=2026-01-02", nil)
	r.SetPathValue("id", "x")
	if _, err := schema.InputOf[handled](schema.Refuse).Read(r, nil, new(handled), geo.Bounds{}); err == nil || !strings.Contains(err.Error(), "path.id: has 1 of at least 2 characters") {
		t.Errorf("a short id: %v", err)
	}
	for odd, want := range map[string]string{"a\x00b": "a\uFFFDb", "a\xff": "a\uFFFD"} {
		r.SetPathValue("id", odd)
		var got handled
		if _, err := schema.InputOf[handled](schema.Refuse).Read(r, nil, &got, geo.Bounds{}); err != nil || got.ID != want {
			t.Errorf("the id %q: %q %v", odd, got.ID, err)
		}
	}
	for body, want := range map[string]string{`{"name":""}`: "name: is empty", `{"name":"n","more":"secret"}`: "more: is not known here", `{`: "not JSON", `null`: "must be a JSON object"} {
		if _, err := ask("/?from=2026-01-02", body); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
}

func TestInputDescribed(t *testing.T) {
	d := schema.NewDocument(schema.Info{Title: "t", Version: "1"})
	op := &schema.Operation{Summary: "s", Extensions: map[string]any{"x-price-class": "free"}, Responses: map[string]*schema.Response{"200": schema.JSON("fine", d.Schema(reflect.TypeFor[question]()))}}
	input := schema.InputOf[handled](schema.Refuse)
	input.Describe(d, op)
	d.Add("POST", "/things/{id}", op)
	text, err := json.Marshal(op)
	want := `{"parameters":[` +
		`{"description":"how many","explode":false,"in":"query","name":"limit","schema":{"default":50,"description":"how many","format":"int64","maximum":500,"minimum":1,"type":"integer"}},` +
		`{"explode":false,"in":"query","name":"offset","schema":{"default":0,"format":"int64","minimum":0,"type":"integer"}},` +
		`{"in":"path","name":"id","required":true,"schema":{"minLength":2,"type":"string"}},` +
		`{"explode":false,"in":"query","name":"order","schema":{"default":"name","enum":["name","age"],"type":"string"}},` +
		`{"explode":false,"in":"query","name":"share","schema":{"format":"double","maximum":1,"type":"number"}},` +
		`{"explode":false,"in":"query","name":"from","required":true,"schema":{"format":"date","type":"string"}},` +
		`{"in":"header","name":"If-None-Match","schema":{"type":"string"}},` +
		`{"explode":false,"in":"query","name":"all","schema":{"type":"boolean"}}],` +
		`"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/HandledBody"}}}},` +
		`"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Question"}}},"description":"fine"}},"summary":"s","x-price-class":"free"}`
	if err != nil || string(text) != want {
		t.Errorf("%v\n got %s\nwant %s", err, text, want)
	}
	body, err := json.Marshal(d.Components.Schemas["HandledBody"])
	if err != nil || string(body) != `{"additionalProperties":false,"properties":{"name":{"minLength":1,"type":"string"}},"required":["name"],"type":"object"}` {
		t.Errorf("%s %v", body, err)
	}
	if has, optional := input.HasBody(); !has || !optional {
		t.Error("the body is not optional")
	}
}

// TestSentMembersMayBeNull checks that a document describes what the reader takes: null for a
// member that may be left out, in a part as at the top, and not for another; and that a
// member whose absence is refused elsewhere is described as required.
func TestSentMembersMayBeNull(t *testing.T) {
	type part struct {
		Must string `json:"must"`
		May  int    `json:"may,omitempty"`
	}
	type body struct {
		Later string          `json:"later" required:"later"`
		Word  string          `json:"word,omitempty" enum:"a,b"`
		Part  part            `json:"part,omitzero"`
		Parts []part          `json:"parts,omitempty"`
		By    map[string]part `json:"by,omitempty"`
	}
	type in struct{ Body body }
	d, op := schema.NewDocument(schema.Info{Title: "t", Version: "1"}), &schema.Operation{}
	input := schema.InputOf[in](schema.Refuse)
	input.Describe(d, op)
	input.Describe(d, &schema.Operation{}) // a second endpoint of the same body
	text, err := json.Marshal(d.Components.Schemas)
	want := `{"Body":{"additionalProperties":false,"properties":{"by":{"additionalProperties":{"$ref":"#/components/schemas/Part"},"type":["object","null"]},"later":{"type":"string"},` +
		`"part":{"anyOf":[{"$ref":"#/components/schemas/Part"},{"type":"null"}]},"parts":{"items":{"$ref":"#/components/schemas/Part"},"type":["array","null"]},"word":{"enum":["a","b",null],"type":["string","null"]}},"required":["later"],"type":"object"},` +
		`"Part":{"additionalProperties":false,"properties":{"may":{"format":"int64","type":["integer","null"]},"must":{"type":"string"}},"required":["must"],"type":"object"}}`
	if err != nil || string(text) != want {
		t.Errorf("%v\n got %s\nwant %s", err, text, want)
	}
	for text, taken := range map[string]bool{
		`{"later":"x","word":null,"part":null,"parts":null,"by":null}`: true, `{"part":{"must":"x","may":null}}`: true, `{"parts":[{"must":null}]}`: false,
	} {
		var v in
		if _, err := input.Read(httptest.NewRequest(http.MethodPost, "/", nil), []byte(text), &v, geo.Bounds{}); (err == nil) != taken {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestParameterThatStandsSeveralTimes reads a list of texts, one parameter for each.
func TestParameterThatStandsSeveralTimes(t *testing.T) {
	type in struct {
		Layers []string `query:"layer" maxItems:"3" enum:"house,street" doc:"which kinds"`
	}
	input := schema.InputOf[in](schema.Warn)
	for query, want := range map[string]string{
		"":                         "[] ",
		"layer=":                   "[] ",
		"layer=house":              "[house] ",
		"layer=house&layer=street": "[house street] ",
		"layer=house&layer=pub":    "[] bad-request: layer: must be one of house, street",
		"layer=house&layer=house&layer=house&layer=house": "[] bad-request: layer: stands 4 times in the query and may stand 3 times",
	} {
		var v in
		_, err := input.Read(httptest.NewRequest(http.MethodGet, "/?"+query, nil), nil, &v, geo.Bounds{})
		got := fmt.Sprint(v.Layers, " ")
		if err != nil {
			got = "[] " + err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
	op := &schema.Operation{}
	input.Describe(schema.NewDocument(schema.Info{}), op)
	if p := op.Parameters[0]; !*p.Explode || p.Schema.Type != schema.Array || len(p.Schema.Items.Enum) != 2 {
		t.Errorf("%+v", p)
	}
}
