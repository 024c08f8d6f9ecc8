package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Input reads what a handler is given. It is safe for concurrent use.
type Input[In any] struct {
	unknown    Unknown
	known      []string // of the query, read elsewhere
	several    []string // of the query, which may be given several times
	parameters []parameter
	body       *member // nil where there is none
	warnings   []int   // path of the field of them; nil where there is none
	sent       []int   // path of the field of the body as it came; nil where there is none
	optional   bool    // the body may be left out
}

// parameter is a field that is read from the path, the query or the headers.
type parameter struct {
	in, name string
	path     []int
	node     *node
	rules    rules
	required bool
	later    bool // see field
}

// member is the field named Body.
type member struct {
	path []int
	node *node
	hint string // a name for its type
}

// InputOf returns the reader of a handler's input, a struct with fields tagged
// path, query or header, and perhaps one named Body. unknown is what becomes of
// members of the body and of parameters of the query that are none of these; known
// are parameters that are read elsewhere. It panics for a type that cannot
// be described, which is a defect.
func InputOf[In any](unknown Unknown, known ...string) *Input[In] {
	t := reflect.TypeFor[In]()
	p := &Input[In]{unknown: unknown, known: known}
	p.plan(t, t, nil)
	return p
}

func (p *Input[In]) plan(root, t reflect.Type, path []int) {
	for f := range fieldsOf(t) {
		at := append(append([]int{}, path...), f.Index...)
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			p.plan(root, f.Type, at)
		case f.Type == warningsType:
			p.warnings = at
		case f.Type == sentType:
			p.sent = at
		case f.Name == "Body":
			n := readable(f.Type)
			p.body, p.optional = &member{at, n, root.Name() + f.Name}, n.kind == pointer
		default:
			p.parameter(t, f, at)
		}
	}
}

func (p *Input[In]) parameter(t reflect.Type, f reflect.StructField, at []int) {
	for _, in := range []string{"path", "query", "header"} {
		name := f.Tag.Get(in)
		if name == "" {
			continue
		}
		n := planOf(f.Type)
		base := n
		if n.kind == pointer {
			base = n.elem
		}
		switch base.kind {
		case boolean, integer, natural, float, text, timeKind, textual:
		case list:
			if in == "query" && n == base && f.Tag.Get("maxItems") != "" && (n.elem.kind == text || n.elem.kind == textual) {
				p.several = append(p.several, name)
				break
			}
			fallthrough
		default:
			panic(fmt.Sprintf("schema: %s.%s cannot be read from a %s", t, f.Name, in))
		}
		p.parameters = append(p.parameters, parameter{
			in: in, name: name, path: at, node: n, rules: rulesOf(t, f, n, true), required: in == "path" || f.Tag.Get("required") == "true", later: f.Tag.Get("required") == "later",
		})
	}
}

// AddQueryParameter adds a parameter of the query that is read elsewhere.
func (p *Input[In]) AddQueryParameter(name string) { p.known = append(p.known, name) }

// HasBody reports whether a body is read, and whether it may be left out.
func (p *Input[In]) HasBody() (has, optional bool) { return p.body != nil, p.optional }

// Read reads a request. Its body, already read, is the second argument; values
// of the path are those of r.PathValue. A parameter without a value is none. One
// that is given twice is refused, unless what is not known is dropped: then the
// first counts. Errors are those of Plan.Read.
func (p *Input[In]) Read(r *http.Request, body []byte, into *In, bounds geo.Bounds) ([]engine.Warning, error) {
	v := reflect.ValueOf(into).Elem()
	warnings, err := p.readParameters(r, v)
	if err == nil && p.body != nil && (!p.optional || strings.TrimSpace(string(body)) != "") {
		var more []engine.Warning
		more, err = p.readBody(r, body, v, bounds)
		warnings = append(warnings, more...)
	}
	if err != nil {
		return nil, err
	}
	if p.warnings != nil {
		v.FieldByIndex(p.warnings).Set(reflect.ValueOf(Warnings(warnings)))
	}
	if p.sent != nil {
		v.FieldByIndex(p.sent).Set(reflect.ValueOf(RawBody(body)))
	}
	return warnings, nil
}

func (p *Input[In]) readBody(r *http.Request, body []byte, v reflect.Value, bounds geo.Bounds) ([]engine.Warning, error) {
	n, target := p.body.node, v.FieldByIndex(p.body.path)
	if n.kind == pointer {
		target.Set(reflect.New(n.elem.typ))
		n, target = n.elem, target.Elem()
	}
	return read(r.Context(), body, n, target, Options{p.unknown, bounds})
}

func (p *Input[In]) readParameters(r *http.Request, v reflect.Value) ([]engine.Warning, error) {
	if len(p.parameters) == 0 && r.URL.RawQuery == "" {
		return nil, nil
	}
	c := &parameterReader{reader{Context: &Context{ctx: r.Context(), unknown: p.unknown}}}
	query := c.query(r.URL.RawQuery, p.several)
	for i := range p.parameters {
		q := &p.parameters[i]
		value, at := "", q.name
		if q.node.kind == list {
			c.enter(at)
			c.texts(q, query[q.name], v.FieldByIndex(q.path))
			c.leave()
			query.Del(q.name)
			continue
		}
		switch q.in {
		case "path":
			value, at = storable(r.PathValue(q.name)), "path."+q.name
		case "header":
			value = r.Header.Get(q.name)
		default:
			value = query.Get(q.name)
			query.Del(q.name)
		}
		c.enter(at)
		c.parameter(q, value, v.FieldByIndex(q.path))
		c.leave()
	}
	for _, name := range p.known {
		query.Del(name)
	}
	c.strange(query)
	return c.warnings, fault.Invalid(c.bad...)
}

// parameterReader reads the parameters of one request.
type parameterReader struct{ reader }

// texts reads the values of a parameter that may be given several times. Empty ones are none.
func (c *parameterReader) texts(q *parameter, values []string, v reflect.Value) {
	values = slices.DeleteFunc(values, func(s string) bool { return s == "" })
	if most := *q.rules.maxItems; len(values) > most {
		c.Refuse("", nil, "stands %d times in the query and may stand %d times", len(values), most)
		return
	}
	v.Set(reflect.MakeSlice(q.node.typ, len(values), len(values)))
	for i, value := range values {
		c.texted(q.node.elem, q.rules.entries, v.Index(i), value)
	}
}

// query reads a query. A semicolon is part of a value, as in lists of
// coordinates. Those of several are parameters that may be given several times.
func (c *parameterReader) query(raw string, several []string) url.Values {
	values, err := url.ParseQuery(strings.ReplaceAll(raw, ";", "%3B"))
	if c.unknown == Drop {
		return values
	}
	if err != nil {
		c.Refuse("query", nil, "is malformed: %v", err)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if len(values[name]) > 1 && !slices.Contains(several, name) {
			c.Refuse(name, nil, "stands %d times in the query", len(values[name]))
		}
	}
	return values
}

// strange deals with what is left of a query: parameters that are not known.
func (c *parameterReader) strange(query url.Values) {
	for _, name := range slices.Sorted(maps.Keys(query)) {
		switch c.unknown {
		case Refuse:
			c.Refuse(name, nil, "is not known here")
		case Warn:
			c.WarnOf(name, UnknownMember, "%s is not known here and had no effect", name)
		}
	}
}

// parameter reads the value of a parameter; "" is none.
func (c *parameterReader) parameter(q *parameter, value string, v reflect.Value) {
	switch {
	case value != "":
	case q.required:
		c.Refuse("", nil, "%s", q.rules.missing(q.node))
		return
	default:
		if q.rules.preset.IsValid() {
			v.Set(q.rules.preset)
		}
		return
	}
	n := q.node
	if n.kind == pointer {
		v.Set(reflect.New(n.elem.typ))
		n, v = n.elem, v.Elem()
	}
	before := c.refused
	switch n.kind {
	case boolean:
		b, err := strconv.ParseBool(value)
		if err != nil {
			c.Refuse("", value, "must be true or false")
		}
		v.SetBool(b)
	case integer, natural, float:
		c.cursor = cursor{text: []byte(value)}
		if !json.Valid(c.cursor.text) || !c.readNumber(n, &q.rules, v) {
			c.Refuse("", value, "must be %s", q.rules.wanted(n))
		}
	default:
		c.texted(n, &q.rules, v, value)
	}
	if n.checks && c.refused == before {
		v.Addr().Interface().(Checker).Check(c.Context)
	}
}

// Describe adds the parameters and the body to an operation, except those that
// it has already.
func (p *Input[In]) Describe(doc *Document, op *Operation) {
	for i := range p.parameters {
		q := &p.parameters[i]
		if described(op.Parameters, q) {
			continue
		}
		s := doc.field(&field{node: q.node, rules: q.rules})
		s.Nullable = false
		described := &Parameter{Name: q.name, In: q.in, Description: s.Description, Required: q.required || q.later, Schema: s}
		if q.in == "query" {
			explode := q.node.kind == list // which is given by as many parameters; that of a textual type is one value
			described.Explode = &explode
		}
		op.Parameters = append(op.Parameters, described)
	}
	if p.body == nil || op.RequestBody != nil {
		return
	}
	s := doc.Sent(doc.of(p.body.node, p.body.hint))
	if p.unknown != Refuse {
		doc.Open(s)
	}
	op.RequestBody = &RequestBody{Required: !p.optional, Content: map[string]*MediaType{"application/json": {Schema: s}}}
}

func described(all []*Parameter, q *parameter) bool {
	for _, other := range all {
		if other.Name == q.name && other.In == q.in {
			return true
		}
	}
	return false
}

// storable replaces what a database does not take, bytes that are no UTF-8 and the character
// U+0000: nothing has such a name, and it is not found.
func storable(name string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(name, "\uFFFD"), "\x00", "\uFFFD")
}
