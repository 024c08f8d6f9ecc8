package edge

import (
	"cmp"
	"encoding/json"
	"net/http"
	"path"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waygate/waygate/fault"
)

// Doc describes an endpoint beyond what its row and its types say.
type Doc struct {
	Summary, Description string
	Tags                 []string
	Params               []*Param     // of a request that no type describes
	Body                 reflect.Type // likewise; members beyond those listed may be there
	Answers              []Answer     // other than a typed one
}

// Parts of a description.
type (
	Param  = huma.Param
	Schema = huma.Schema
)

// Answer describes what a status comes with. Several of one status and media
// type are alternatives.
type Answer struct {
	Status      int    // 0 is 200
	Description string // "" is OK
	Media       string // "" is application/json
	Type        reflect.Type
	Schema      *Schema // in place of a type; with neither there is no body
	Open        bool    // objects may have members beyond those listed
}

// Binary is the schema of bytes.
func Binary() *Schema { return &Schema{Type: huma.TypeString, Format: "binary"} }

// Text is the schema of a text.
func Text() *Schema { return &Schema{Type: huma.TypeString} }

// Whole is the schema of a whole number.
func Whole() *Schema { return &Schema{Type: huma.TypeInteger} }

// Number is the schema of a number.
func Number() *Schema { return &Schema{Type: huma.TypeNumber} }

// Truth is the schema of true and false.
func Truth() *Schema { return &Schema{Type: huma.TypeBoolean} }

// Object is the schema of an object that is described elsewhere.
func Object() *Schema { return &Schema{Type: huma.TypeObject} }

// Choice is the schema of one of some words.
func Choice(words ...string) *Schema {
	s := Text()
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	return s
}

// Query describes a parameter of the query that may be left out.
func Query(name, doc string, s *Schema) *Param {
	return &Param{Name: name, In: "query", Description: doc, Schema: s}
}

// Path describes a variable of the path.
func Path(name, doc string, s *Schema) *Param {
	return &Param{Name: name, In: "path", Required: true, Description: doc, Schema: s}
}

func (e *Edge) newBinding() *binding {
	b := &binding{maxBody: e.options.MaxBody}
	config := huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title:   "Geospatial Routing Gateway",
				Version: e.options.Version,
				Description: "Coordinates are lon,lat in paths and queries; bodies name lat and lon. Distances are metres and durations " +
					"seconds unless a field says otherwise. Failures are application/problem+json: match on type.",
			},
			Components: &huma.Components{
				Schemas: huma.NewMapRegistry("#/components/schemas/", schemaName),
				SecuritySchemes: map[string]*huma.SecurityScheme{
					"bearer":  {Type: "http", Scheme: "bearer", Description: "an API key as a bearer token"},
					"api_key": {Type: "apiKey", In: "query", Name: "api_key", Description: "an API key in the query"},
					"payment": {Type: "apiKey", In: "header", Name: "X-PAYMENT", Description: "an x402 payment for this one call, where the deployment takes them; the 402 says what is accepted"},
					"session": {Type: "http", Scheme: "bearer", Description: "a session of the console as a bearer token, from POST /v1/console/session"},
					"admin":   {Type: "http", Scheme: "bearer", Description: "the operator's token (SVC_ADMIN_TOKEN) as a bearer token"},
				},
			},
		},
		Formats: map[string]huma.Format{
			"application/json": huma.DefaultJSONFormat, "json": huma.DefaultJSONFormat,
			// What curl -d calls a body where it is not told otherwise.
			"application/x-www-form-urlencoded": huma.DefaultJSONFormat,
		},
		DefaultFormat: "application/json",
		Transformers:  []huma.Transformer{asOurs},
	}
	if e.options.BaseURL != "" {
		config.Servers = []*huma.Server{{URL: e.options.BaseURL}}
	}
	b.huma = huma.NewAPI(config, b)
	return b
}

// schemaName names a type in the document. Rooms have types of the same name:
// those of others than the families of endpoints begin with their package's.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	room := path.Base(t.PkgPath())
	api := path.Dir(reflect.TypeFor[Edge]().PkgPath())
	if t.PkgPath() == "" || t.PkgPath() == api || strings.HasPrefix(t.PkgPath(), api+"/") || strings.EqualFold(room, name) {
		return name
	}
	return strings.ToUpper(room[:1]) + room[1:] + name
}

// schema describes a type; open lets its objects have members beyond those
// listed.
func (b *binding) schema(t reflect.Type, open bool) *Schema {
	s := b.huma.OpenAPI().Components.Schemas.Schema(t, true, t.Name())
	if open {
		b.open(s, map[string]bool{})
	}
	return s
}

func (b *binding) open(s *Schema, seen map[string]bool) {
	if s == nil || s.Ref != "" && seen[s.Ref] {
		return
	}
	if s.Ref != "" {
		seen[s.Ref] = true
		b.open(b.huma.OpenAPI().Components.Schemas.SchemaFromRef(s.Ref), seen)
		return
	}
	if s.Type == huma.TypeObject && s.AdditionalProperties == false {
		s.AdditionalProperties = true
	}
	for _, p := range s.Properties {
		b.open(p, seen)
	}
	b.open(s.Items, seen)
}

// describe puts the operation of a row that Huma does not know in the document.
func (r Row) describe(b *binding) { b.huma.OpenAPI().AddOperation(r.operation(b)) }

// operation is what the document says of a row.
func (r Row) operation(b *binding) *huma.Operation {
	op := &huma.Operation{
		Method: r.Method, Path: string(r.Host) + r.Path, OperationID: r.operationID(), Summary: r.Doc.Summary, Description: r.Doc.Description, Tags: r.Doc.Tags,
		Parameters: r.Doc.Params, Security: r.security(), Responses: map[string]*huma.Response{},
	}
	if r.Doc.Body != nil {
		s := b.schema(r.Doc.Body, false)
		if s.Ref != "" {
			b.huma.OpenAPI().Components.Schemas.SchemaFromRef(s.Ref).AdditionalProperties = true
		}
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {Schema: s}}}
	}
	for _, a := range r.Doc.Answers {
		r.answer(b, op, a)
	}
	b.failures(r, op)
	op.Extensions = map[string]any{"x-price-class": string(r.Class), "x-maps-scope": r.Maps}
	if r.Needs.Call != "" {
		op.Extensions["x-absent"] = string(fault.NotEnabled)
	}
	return op
}

func (r Row) answer(b *binding, op *huma.Operation, a Answer) {
	status := strconv.Itoa(cmp.Or(a.Status, http.StatusOK))
	response := op.Responses[status]
	if response == nil {
		response = &huma.Response{Description: cmp.Or(a.Description, "OK")}
		op.Responses[status] = response
	}
	s := a.Schema
	if a.Type != nil {
		s = b.schema(a.Type, a.Open)
	}
	if s == nil {
		return
	}
	if response.Content == nil {
		response.Content = map[string]*huma.MediaType{}
	}
	media := cmp.Or(a.Media, "application/json")
	had := response.Content[media]
	switch {
	case had == nil:
		response.Content[media] = &huma.MediaType{Schema: s}
	case had.Schema.AnyOf != nil:
		had.Schema.AnyOf = append(had.Schema.AnyOf, s)
	default:
		had.Schema = &Schema{AnyOf: []*Schema{had.Schema, s}}
	}
}

// failures describes what a row fails with.
func (b *binding) failures(r Row, op *huma.Operation) {
	if r.Failure != nil {
		op.Responses["default"] = &huma.Response{
			Description: "a failure", Content: map[string]*huma.MediaType{"application/json": {Schema: b.schema(r.Failure.Body, false)}},
		}
	} else {
		s := b.schema(reflect.TypeFor[Problem](), false)
		b.huma.OpenAPI().Components.Schemas.SchemaFromRef(s.Ref).AdditionalProperties = true
		op.Responses["default"] = &huma.Response{
			Description: "a problem; further members depend on its type", Content: map[string]*huma.MediaType{ProblemMedia: {Schema: s}},
		}
	}
	if r.Metered() {
		op.Responses["402"] = &huma.Response{
			Description: "the quota and the credit are used up, or the payment was not taken",
			Content:     map[string]*huma.MediaType{"application/json": {Schema: b.schema(reflect.TypeFor[PaymentRequired](), false)}},
		}
	}
}

// security lists the ways into an endpoint; an empty one is no credential.
func (r Row) security() []map[string][]string {
	switch {
	case r.Metered(): // the empty one is the demo lane, where it is open
		return []map[string][]string{{"bearer": {}}, {"api_key": {}}, {"payment": {}}, {}}
	case r.Auth == Keyed:
		return []map[string][]string{{"bearer": {}}, {"api_key": {}}}
	case r.Auth == SignedIn:
		return []map[string][]string{{"session": {}}}
	case r.Auth == Operators:
		return []map[string][]string{{"admin": {}}}
	}
	return nil
}

func (r Row) operationID() string {
	words := strings.FieldsFunc(r.Path, func(c rune) bool { return strings.ContainsRune("/{}._$", c) })
	return strings.ToLower(r.Method) + "-" + strings.Join(words, "-")
}

func (b *binding) document() ([]byte, error) { return json.Marshal(b.huma.OpenAPI()) }
