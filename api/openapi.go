package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waygate/waygate/guidance/narrate"
)

func (a *API) newBinding() *binding {
	b := &binding{maxBody: a.options.MaxBody}
	config := huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title:   "Geospatial Routing Gateway",
				Version: a.options.Version,
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
	if a.options.BaseURL != "" {
		config.Servers = []*huma.Server{{URL: a.options.BaseURL}}
	}
	b.huma = huma.NewAPI(config, b)
	return b
}

// schemaName names a type in the document. Rooms have types of the same name:
// those of others than this one begin with their package's.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	room := path.Base(t.PkgPath())
	if t.PkgPath() == "" || t.PkgPath() == reflect.TypeFor[API]().PkgPath() || strings.EqualFold(room, name) {
		return name
	}
	return strings.ToUpper(room[:1]) + room[1:] + name
}

// describe completes an operation's description from its row.
func describe(b *binding, r row, op *huma.Operation) {
	op.Method, op.Path = r.method, r.path
	if op.OperationID == "" {
		op.OperationID = operationID(r)
	}
	op.Security = security(r)
	if op.Responses == nil {
		op.Responses = map[string]*huma.Response{}
	}
	if op.Responses["default"] == nil {
		op.Responses["default"] = &huma.Response{
			Description: "a problem; further members depend on its type",
			Content:     map[string]*huma.MediaType{problemMedia: {Schema: openObject(schema[Problem](b), b)}},
		}
	}
	if r.metered() && op.Responses["402"] == nil {
		op.Responses["402"] = &huma.Response{
			Description: "the quota and the credit are used up, or the payment was not taken",
			Content:     map[string]*huma.MediaType{"application/json": {Schema: schema[PaymentRequired](b)}},
		}
	}
	op.Extensions = map[string]any{"x-price-class": string(r.class), "x-maps-scope": r.maps}
	if r.absent != "" {
		op.Extensions["x-absent"] = string(r.absent)
	}
}

// security lists the ways into an endpoint; an empty one is no credential.
func security(r row) []map[string][]string {
	switch {
	case r.metered(): // the empty one is the demo lane, where it is open
		return []map[string][]string{{"bearer": {}}, {"api_key": {}}, {"payment": {}}, {}}
	case r.auth == keyed:
		return []map[string][]string{{"bearer": {}}, {"api_key": {}}}
	case r.auth == signedIn:
		return []map[string][]string{{"session": {}}}
	case r.auth == operators:
		return []map[string][]string{{"admin": {}}}
	}
	return nil
}

// openObject lets a described object have members beyond those listed, as
// problems and engine answers do.
func openObject(s *huma.Schema, b *binding) *huma.Schema {
	target := s
	if s.Ref != "" {
		target = b.huma.OpenAPI().Components.Schemas.SchemaFromRef(s.Ref)
	}
	target.AdditionalProperties = true
	return s
}

func operationID(r row) string {
	words := strings.FieldsFunc(r.path, func(c rune) bool { return strings.ContainsRune("/{}._$", c) })
	return strings.ToLower(r.method) + "-" + strings.Join(append(words, "")[:max(len(words), 1)], "-")
}

func (a *API) serveOpenAPI(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "public, max-age=300")
	_, err := w.Write(a.openapi)
	return err
}

// mount puts every row on the mux and writes the OpenAPI document.
func (a *API) mount() error {
	b := a.newBinding()
	a.rows = a.routes(b)
	endings := map[string]*endings{}
	for _, r := range a.rows {
		h := r.serve(b, r)
		h = a.labelled(r, a.bounded(a.inWorld(a.guarded(r, h))))
		pattern, name, suffix := r.pattern()
		if suffix == "" {
			a.mux.Handle(pattern, h)
			continue
		}
		if endings[pattern] == nil {
			endings[pattern] = newEndings(name)
			a.mux.Handle(pattern, endings[pattern])
		}
		endings[pattern].handlers[suffix] = h
	}
	document, err := json.Marshal(b.huma.OpenAPI())
	a.openapi = bytes.ReplaceAll(document, []byte(languagesHere), []byte(languages()))
	return err
}

// languagesHere stands in descriptions for the languages that the embedded
// engine narrates in, which tags of structs cannot know.
const languagesHere = "{languages}"

// languages lists them.
func languages() string {
	usual, _ := narrate.Find("")
	list := slices.Clone(narrate.Languages())
	for i, tag := range list {
		if tag == usual.Tag() {
			list[i] += " (the default)"
		}
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

// endings sends a request on by the suffix of its last segment.
type endings struct {
	name     string
	handlers map[string]http.Handler
}

func newEndings(name string) *endings { return &endings{name, map[string]http.Handler{}} }

// ServeHTTP takes the suffix off and hands on.
func (e *endings) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	segment := r.PathValue(e.name)
	for suffix, h := range e.handlers {
		if bare, ok := strings.CutSuffix(segment, suffix); ok {
			r.SetPathValue(e.name, bare)
			h.ServeHTTP(w, r)
			return
		}
	}
	refuse(w, r, nowhere(r), envelopeFor(r))
}
