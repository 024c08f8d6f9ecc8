package edge

import (
	"cmp"
	"maps"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/schema"
)

// Doc describes an endpoint beyond what its row and its types say.
type Doc struct {
	Summary, Description string
	Tags                 []string
	Params               []*schema.Parameter // of a request that no type describes
	Body                 reflect.Type        // likewise
	Headers              map[string]string   // of an answer: what each tells
	Answers              []Answer            // other than a typed one
}

// Answer describes what a status comes with. Several of one status and media
// type are alternatives.
type Answer struct {
	Status      int          // 0 is that of the row
	Description string       // "" is the status in words
	Media       string       // "" is that of the row
	Type        reflect.Type // nil is an object that is described elsewhere, or no JSON
	Open        bool         // objects may have members beyond those listed
}

func (e *Edge) newDocument() *schema.Document {
	doc := schema.NewDocument(schema.Info{
		Title:   "Geospatial Routing Gateway",
		Version: e.options.Version,
		Description: "Coordinates are lon,lat in paths and queries; bodies name lat and lon. Distances are metres and durations " +
			"seconds unless a field says otherwise. A member that may be left out may also be null, which means the same. Failures are application/problem+json: match on type. Every answer has the header X-Request-Id, which is the caller's where that is short and plain.",
	})
	doc.Name = componentName
	maps.Copy(doc.Components.SecuritySchemes, map[string]*schema.SecurityScheme{
		"bearer":  {Type: "http", Scheme: "bearer", Description: "an API key as a bearer token"},
		"api_key": {Type: "apiKey", In: "query", Name: "api_key", Description: "an API key in the query"},
		"payment": {Type: "apiKey", In: "header", Name: "X-PAYMENT", Description: "an x402 payment for this one call, where the deployment takes them; the 402 says what is accepted"},
		"session": {Type: "http", Scheme: "bearer", Description: "a session of the console as a bearer token, from POST /v1/console/session"},
		"admin":   {Type: "http", Scheme: "bearer", Description: "the operator's token (SVC_ADMIN_TOKEN) as a bearer token"},
	})
	if e.options.BaseURL != "" {
		doc.Servers = []schema.Server{{URL: e.options.BaseURL}}
	}
	return doc
}

// componentName names a struct in the document. Rooms have structs of the same
// name: those of others than the families of endpoints and the formats of the
// wire begin with their package's.
func componentName(t reflect.Type, name string) string {
	room := path.Base(t.PkgPath())
	api, wire := path.Dir(reflect.TypeFor[Edge]().PkgPath()), path.Dir(reflect.TypeFor[schema.Document]().PkgPath())
	if above := path.Dir(t.PkgPath()); t.PkgPath() == "" || above == api || above == wire || strings.EqualFold(room, name) {
		return name
	}
	return strings.ToUpper(room[:1]) + room[1:] + name
}

// operation is what the document says of a row.
func (e *Edge) operation(doc *schema.Document, r Row) *schema.Operation {
	op := &schema.Operation{
		OperationID: r.operationID(), Summary: r.Doc.Summary, Description: r.Doc.Description, Tags: r.Doc.Tags, Parameters: r.Doc.Params,
		Security: r.security(), Responses: map[string]*schema.Response{},
		Extensions: map[string]any{"x-price-class": string(r.Class), "x-maps-scope": r.Maps},
	}
	if r.Host == Website && e.options.WebsiteURL != e.options.BaseURL {
		op.Servers = []schema.Server{{URL: e.options.WebsiteURL}}
	}
	if r.Needs.Call != "" {
		op.Extensions["x-absent"] = string(engine.NotEnabled(r.Needs.Name).Slug)
	}
	if r.Doc.Body != nil {
		op.RequestBody = &schema.RequestBody{Required: true, Content: map[string]*schema.MediaType{"application/json": {Schema: doc.Open(doc.Schema(r.Doc.Body))}}}
	}
	if r.describe != nil {
		r.describe(doc, op)
	}
	if r.out != nil {
		r.answer(doc, op, Answer{Type: r.out})
	}
	for _, a := range r.Doc.Answers {
		r.answer(doc, op, a)
	}
	if r.estimates() {
		op.Parameters = append(slices.Clone(op.Parameters), &schema.Parameter{Name: estimateParameter, In: "query", Description: estimateHelp, Schema: &schema.Schema{Type: schema.String, Enum: []any{"0", "1"}}})
		r.answer(doc, op, Answer{Status: http.StatusOK, Media: EstimateMedia, Type: reflect.TypeFor[Estimate]()})
	}
	r.failures(doc, op)
	return op
}

// answer adds an answer to an operation.
func (r Row) answer(doc *schema.Document, op *schema.Operation, a Answer) {
	status := cmp.Or(a.Status, r.status())
	response := op.Responses[strconv.Itoa(status)]
	if response == nil {
		response = &schema.Response{Description: cmp.Or(a.Description, http.StatusText(status)), Headers: r.headers(status)}
		op.Responses[strconv.Itoa(status)] = response
	}
	if status == http.StatusNoContent || status == http.StatusNotModified {
		return
	}
	if response.Content == nil {
		response.Content = map[string]*schema.MediaType{}
	}
	media := cmp.Or(a.Media, r.Media, "application/json")
	s := bodyOf(doc, media, a)
	switch had := response.Content[media]; {
	case had == nil:
		response.Content[media] = &schema.MediaType{Schema: s}
	case had.Schema.AnyOf != nil:
		had.Schema.AnyOf = append(had.Schema.AnyOf, s)
	default:
		had.Schema = &schema.Schema{AnyOf: []*schema.Schema{had.Schema, s}}
	}
}

// bodyOf describes the body of an answer.
func bodyOf(doc *schema.Document, media string, a Answer) *schema.Schema {
	switch {
	case a.Type != nil && a.Open:
		return doc.Open(doc.Schema(a.Type))
	case a.Type != nil:
		return doc.Schema(a.Type)
	case strings.HasSuffix(media, "json"):
		return &schema.Schema{Type: schema.Object}
	case strings.HasPrefix(media, "text/"):
		return &schema.Schema{Type: schema.String}
	}
	return &schema.Schema{Type: schema.String, Format: "binary"}
}

// headers describes those of an answer of a status below 400.
func (r Row) headers(status int) map[string]*schema.Parameter {
	if status >= http.StatusBadRequest {
		return nil
	}
	all := map[string]string{}
	maps.Copy(all, r.Doc.Headers)
	if r.Cache != "" || r.private() {
		all["Cache-Control"] = cmp.Or(r.Cache, NoStore)
	}
	if r.Metered() {
		all[quotaHeader] = "units that the call was charged"
		all[paymentResponse] = "of a call that paid for itself: what became of the payment, as x402 has it"
	}
	if len(all) == 0 {
		return nil
	}
	return described(all)
}

func described(all map[string]string) map[string]*schema.Parameter {
	out := map[string]*schema.Parameter{}
	for name, doc := range all {
		out[name] = &schema.Parameter{Description: doc, Schema: &schema.Schema{Type: schema.String}}
	}
	return out
}

// failures describes what a row fails with.
func (r Row) failures(doc *schema.Document, op *schema.Operation) {
	failure := schema.JSON("a failure", nil)
	if r.Failure != nil {
		failure.Content["application/json"].Schema = doc.Schema(r.Failure.Body)
	} else {
		failure = &schema.Response{
			Description: "a problem; further members depend on its type",
			Content:     map[string]*schema.MediaType{ProblemMedia: {Schema: doc.Open(doc.Schema(reflect.TypeFor[Problem]()))}},
		}
	}
	headers := map[string]string{"Retry-After": "seconds after which to try again, of a 429 or 503 that knows"}
	if r.Auth != Public {
		headers["WWW-Authenticate"] = "of a 401"
	}
	failure.Headers = described(headers)
	op.Responses["default"] = failure
	if r.Metered() {
		op.Responses["402"] = schema.JSON("the quota and the credit are used up, or the payment was not taken", doc.Schema(reflect.TypeFor[PaymentRequired]()))
	}
}

// security lists the ways into an endpoint; an empty one is no credential.
func (r Row) security() []map[string][]string {
	switch {
	case r.Keyless:
		return []map[string][]string{{"bearer": {}}, {"api_key": {}}, {}}
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
