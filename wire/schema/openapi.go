package schema

import "reflect"

// Document is a description of an API in OpenAPI 3.1. It marshals as JSON.
type Document struct {
	OpenAPI    string                           `json:"openapi"`
	Info       Info                             `json:"info"`
	Servers    []Server                         `json:"servers,omitempty"`
	Paths      map[string]map[string]*Operation `json:"paths"` // by path and method in lower case
	Components Components                       `json:"components"`

	// Name names a component, unless it is nil: by default the type's own name,
	// or the hint where it has none.
	Name func(t reflect.Type, hint string) string `json:"-"`
}

// Info says what is described.
type Info struct {
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	Version     string `json:"version"`
}

// Server is where the API is.
type Server struct {
	URL string `json:"url"`
}

// Components are what operations refer to.
type Components struct {
	Schemas         map[string]*Schema         `json:"schemas,omitempty"`
	SecuritySchemes map[string]*SecurityScheme `json:"securitySchemes,omitempty"`
}

// SecurityScheme is a way in.
type SecurityScheme struct {
	Type        string `json:"type"`
	Description string `json:"description,omitempty"`
	Name        string `json:"name,omitempty"`
	In          string `json:"in,omitempty"`
	Scheme      string `json:"scheme,omitempty"`
}

// Operation is one method of one path. Extensions are members of it whose names
// begin with x-.
type Operation struct {
	Tags        []string              `json:"tags,omitempty"`
	Summary     string                `json:"summary,omitempty"`
	Description string                `json:"description,omitempty"`
	OperationID string                `json:"operationId,omitempty"`
	Parameters  []*Parameter          `json:"parameters,omitempty"`
	RequestBody *RequestBody          `json:"requestBody,omitempty"`
	Responses   map[string]*Response  `json:"responses,omitempty"`
	Deprecated  bool                  `json:"deprecated,omitempty"`
	Security    []map[string][]string `json:"security,omitempty"`
	Extensions  map[string]any        `json:"-"`
}

// Parameter is one of the path, the query or the headers.
type Parameter struct {
	Name        string  `json:"name"`
	In          string  `json:"in"`
	Description string  `json:"description,omitempty"`
	Required    bool    `json:"required,omitempty"`
	Schema      *Schema `json:"schema,omitempty"`
	Explode     *bool   `json:"explode,omitempty"`
	Example     any     `json:"example,omitempty"`
}

// RequestBody is what is sent.
type RequestBody struct {
	Description string                `json:"description,omitempty"`
	Content     map[string]*MediaType `json:"content"`
	Required    bool                  `json:"required,omitempty"`
}

// Response is what comes back with a status.
type Response struct {
	Description string                `json:"description"`
	Headers     map[string]*Parameter `json:"headers,omitempty"` // without Name and In
	Content     map[string]*MediaType `json:"content,omitempty"`
}

// MediaType is a body of one type.
type MediaType struct {
	Schema  *Schema `json:"schema,omitempty"`
	Example any     `json:"example,omitempty"`
}

// Types of a schema.
const (
	Boolean = "boolean"
	Integer = "integer"
	Number  = "number"
	String  = "string"
	Array   = "array"
	Object  = "object"
)

// Schema describes a value, as JSON Schema does.
type Schema struct {
	Type                 string
	Nullable             bool
	Title                string
	Description          string
	Ref                  string
	Format               string
	Default              any
	Examples             []any
	Items                *Schema
	AdditionalProperties any // a bool or a *Schema
	Properties           map[string]*Schema
	Enum                 []any
	Minimum              *float64
	ExclusiveMinimum     *float64
	Maximum              *float64
	ExclusiveMaximum     *float64
	MinLength            *int
	MaxLength            *int
	Pattern              string
	MinItems             *int
	MaxItems             *int
	Required             []string
	OneOf                []*Schema
	AnyOf                []*Schema
	Extensions           map[string]any // members whose names begin with x-
}

// NewDocument begins a document.
func NewDocument(info Info) *Document { panic("not yet") }

// Schema describes a type; a struct that has a name becomes a component that is
// referred to.
func (d *Document) Schema(t reflect.Type) *Schema { panic("not yet") }

// Resolve gives the schema that a reference stands for, or the schema itself.
func (d *Document) Resolve(s *Schema) *Schema { panic("not yet") }

// Open lets every object under s have members beyond those listed, as answers of
// engines and questions do. It returns s.
func (d *Document) Open(s *Schema) *Schema { panic("not yet") }

// Add adds an operation, with the method as in "POST".
func (d *Document) Add(method, path string, op *Operation) { panic("not yet") }

// JSON is a response of media type application/json.
func JSON(description string, s *Schema) *Response { panic("not yet") }
