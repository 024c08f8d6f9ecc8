package edge

import (
	"cmp"
	"encoding/json"
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
	Headers              map[string]string   // of an answer, with the description of each
	Answers              []Answer            // other than a typed one
	Fails                []int               // statuses of failures beyond those that follow from the row
	Example              string              // of a body, in JSON
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

func newDocument(o *Options) *schema.Document {
	doc := schema.NewDocument(schema.Info{
		Title:   "Geospatial Routing Gateway",
		Version: o.Version,
		License: &schema.License{Name: "Apache-2.0", URL: "https://www.apache.org/licenses/LICENSE-2.0"},
		Contact: &schema.Contact{Name: "the operator of this deployment", URL: o.WebsiteURL},
		Description: "Coordinates are lon,lat in paths and queries; bodies name lat and lon. Distances are metres and durations " +
			"seconds unless a field says otherwise. A member that may be left out may also be null, which means the same. Failures are application/problem+json: match on type. " +
			"Pages of every origin may call every endpoint. A path with doubled slashes or dots, such as //route, is answered with 307 and the Location without them; one with a slash at its end is a 404, but for those in the forms of Photon and Nominatim. GET /openapi.json?version=3.0 is this document in the words of OpenAPI 3.0.",
	})
	doc.Name = componentName
	doc.Tags = tags
	maps.Copy(doc.Components.SecuritySchemes, map[string]*schema.SecurityScheme{
		"bearer":          {Type: "http", Scheme: "bearer", Description: "an API key as a bearer token"},
		"api_key":         {Type: "apiKey", In: "query", Name: "api_key", Description: "an API key in the query"},
		"payment":         {Type: "apiKey", In: "header", Name: "X-PAYMENT", Description: "an x402 payment for this one call, where the deployment takes them; the 402 says what is accepted"},
		"link":            {Type: "http", Scheme: "bearer", Description: "the token of a link of a published plan, from POST /v1/plans"},
		"console_session": {Type: "http", Scheme: "bearer", Description: "a session of the console as a bearer token, from POST /v1/console/session"},
		"admin":           {Type: "http", Scheme: "bearer", Description: "the operator's token (SVC_ADMIN_TOKEN) as a bearer token"},
	})
	doc.Servers = []schema.Server{{URL: cmp.Or(o.BaseURL, "/"), Description: "this deployment"}}
	return doc
}

// selfNamed are the features whose types have names that stand for themselves in the document:
// clients are generated with them.
var selfNamed = []string{"optimise", "work"}

// componentName names a struct in the document. Rooms have structs of the same
// name: those of others than the families of endpoints, our own form of the wire
// and selfNamed begin with their package's.
func componentName(t reflect.Type, name string) string {
	room := path.Base(t.PkgPath())
	api, wire := path.Dir(reflect.TypeFor[Edge]().PkgPath()), path.Dir(reflect.TypeFor[schema.Document]().PkgPath())
	native := path.Join(wire, "native")
	ours := t.PkgPath() == native || path.Dir(t.PkgPath()) == native || t.PkgPath() == path.Join(wire, "valhalla")
	if t.PkgPath() == "" || path.Dir(t.PkgPath()) == api || ours || strings.EqualFold(room, name) || slices.Contains(selfNamed, room) {
		return name
	}
	if room == "osrm" {
		return "OSRM" + name
	}
	return strings.ToUpper(room[:1]) + room[1:] + name
}

// operation describes a row in the document.
func operation(o *Options, doc *schema.Document, r Row) *schema.Operation {
	op := &schema.Operation{
		OperationID: r.operationID(), Summary: r.Doc.Summary, Description: r.Doc.Description, Tags: r.Doc.Tags, Parameters: r.Doc.Params,
		Security: r.security(), Responses: map[string]*schema.Response{},
		Extensions: map[string]any{"x-price-class": string(r.Class), "x-maps-scope": r.Maps},
	}
	if r.Signed != 0 {
		op.Extensions["x-signed-addresses"] = true
	}
	if r.Host == Website && o.WebsiteURL != o.BaseURL {
		op.Servers = []schema.Server{{URL: o.WebsiteURL}}
	}
	if r.Needs.Call != "" {
		op.Extensions["x-absent"] = string(engine.NotEnabled(r.Needs.Name).Slug)
	}
	if r.Doc.Body != nil {
		op.RequestBody = &schema.RequestBody{Required: true, Content: map[string]*schema.MediaType{"application/json": {Schema: doc.Open(doc.Sent(doc.Schema(r.Doc.Body)))}}}
	}
	if r.describe != nil {
		r.describe(doc, op)
	}
	if op.RequestBody != nil && r.Doc.Example != "" {
		op.RequestBody.Content["application/json"].Example = json.RawMessage(r.Doc.Example)
	}
	if r.out != nil {
		r.answer(doc, op, Answer{Type: r.out})
	}
	for _, a := range r.Doc.Answers {
		r.answer(doc, op, a)
	}
	if r.estimates() {
		op.Parameters = append(slices.Clone(op.Parameters), &schema.Parameter{Name: estimateParameter, In: "query", Description: estimateHelp, Schema: &schema.Schema{Type: schema.String, Enum: []any{"0", "1"}}})
		estimate := reflect.TypeFor[Estimate]()
		switch _, warns := r.Doc.Headers[WarningsHeader]; {
		case r.Cache != "" || r.uncacheable():
			estimate = reflect.TypeFor[UnkeptEstimate]()
		case warns:
			estimate = reflect.TypeFor[WarnedEstimate]()
		case r.Doc.Headers != nil:
			estimate = reflect.TypeFor[HeadedEstimate]()
		}
		r.answer(doc, op, Answer{Status: http.StatusOK, Media: EstimateMedia, Type: estimate})
	}
	r.describeTag(doc, op)
	r.failures(doc, op)
	if op.Security == nil {
		op.Security = []map[string][]string{} // open to all, and not only forgotten
	}
	return op
}

// answer adds an answer to an operation.
func (r Row) answer(doc *schema.Document, op *schema.Operation, a Answer) {
	status := cmp.Or(a.Status, r.status())
	response := op.Responses[strconv.Itoa(status)]
	if response == nil {
		response = &schema.Response{Description: cmp.Or(a.Description, http.StatusText(status)), Headers: r.headers(doc, status)}
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
	case had.Schema.OneOf != nil:
		had.Schema.OneOf = append(had.Schema.OneOf, s)
	default:
		had.Schema = &schema.Schema{OneOf: []*schema.Schema{had.Schema, s}}
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

// security lists the ways into an endpoint; an empty one is no credential.
func (r Row) security() []map[string][]string {
	switch {
	case r.Keyless && r.Auth == Keyed:
		return []map[string][]string{{"bearer": {}}, {"api_key": {}}, {}}
	case r.paysWithCall(): // the empty one is the demo lane, where it is open
		return []map[string][]string{{"bearer": {}}, {"api_key": {}}, {"payment": {}}, {}}
	case r.Auth == Keyed, r.Auth == Verified:
		return []map[string][]string{{"bearer": {}}, {"api_key": {}}}
	case r.Auth == SignedIn:
		return []map[string][]string{{"console_session": {}}}
	case r.Auth == Linked:
		return []map[string][]string{{"link": {}}}
	case r.Auth == Operators:
		return []map[string][]string{{"admin": {}}}
	}
	return nil
}

func (r Row) operationID() string {
	words := strings.FieldsFunc(r.Path, func(c rune) bool { return strings.ContainsRune("/{}._$", c) })
	if len(words) == 0 {
		words = []string{"root"}
	}
	return strings.ToLower(r.Method) + "-" + strings.Join(words, "-")
}
