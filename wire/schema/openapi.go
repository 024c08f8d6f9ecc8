package schema

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Document is a description of an API in OpenAPI 3.1. It marshals as JSON, with
// the members of each object in alphabetical order.
type Document struct {
	Components Components                       `json:"components"`
	Info       Info                             `json:"info"`
	OpenAPI    string                           `json:"openapi"`
	Paths      map[string]map[string]*Operation `json:"paths"` // by path and method in lower case
	Servers    []Server                         `json:"servers,omitempty"`
	Tags       []Tag                            `json:"tags,omitempty"` // those that operations have, in the order of pages

	// Name names the component of a struct, if it is not nil. name is the
	// struct's own, or made of where it stands.
	Name func(t reflect.Type, name string) string `json:"-"`

	named map[reflect.Type]string // component of each struct
}

// NewDocument begins a document.
func NewDocument(info Info) *Document {
	return &Document{
		OpenAPI: "3.1.0", Info: info, Paths: map[string]map[string]*Operation{},
		Components: Components{Headers: map[string]*Parameter{}, Responses: map[string]*Response{}, Schemas: map[string]*Schema{}, SecuritySchemes: map[string]*SecurityScheme{}},
		named:      map[reflect.Type]string{},
	}
}

// Add adds an operation, with the method as in "POST".
func (d *Document) Add(method, path string, op *Operation) {
	if d.Paths[path] == nil {
		d.Paths[path] = map[string]*Operation{}
	}
	d.Paths[path][strings.ToLower(method)] = op
}

// Info describes the API.
type Info struct {
	Contact     *Contact `json:"contact,omitempty"`
	Description string   `json:"description,omitempty"`
	License     *License `json:"license,omitempty"`
	Title       string   `json:"title"`
	Version     string   `json:"version"`
}

// Contact is whom to ask.
type Contact struct {
	Name string `json:"name"`
	URL  string `json:"url,omitempty"`
}

// License is under which terms the description may be used.
type License struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// Tag is a group of operations.
type Tag struct {
	Description string `json:"description"`
	Name        string `json:"name"`
}

// Server is where the API is.
type Server struct {
	Description string `json:"description,omitempty"`
	URL         string `json:"url"`
}

// Components are the named parts that operations refer to.
type Components struct {
	Headers         map[string]*Parameter      `json:"headers,omitempty"` // without In and Name
	Responses       map[string]*Response       `json:"responses,omitempty"`
	Schemas         map[string]*Schema         `json:"schemas,omitempty"`
	SecuritySchemes map[string]*SecurityScheme `json:"securitySchemes,omitempty"`
}

// SecurityScheme is a way in.
type SecurityScheme struct {
	Description string `json:"description,omitempty"`
	In          string `json:"in,omitempty"`
	Name        string `json:"name,omitempty"`
	Scheme      string `json:"scheme,omitempty"`
	Type        string `json:"type"`
}

// Operation is one method of one path.
type Operation struct {
	Deprecated  bool                  `json:"deprecated,omitempty"`
	Description string                `json:"description,omitempty"`
	OperationID string                `json:"operationId,omitempty"`
	Parameters  []*Parameter          `json:"parameters,omitempty"`
	RequestBody *RequestBody          `json:"requestBody,omitempty"`
	Responses   map[string]*Response  `json:"responses,omitempty"`
	Security    []map[string][]string `json:"security,omitzero"`
	Servers     []Server              `json:"servers,omitempty"` // in place of the document's
	Summary     string                `json:"summary,omitempty"`
	Tags        []string              `json:"tags,omitempty"`

	Extensions map[string]any `json:"-"` // members of its own, whose names begin with x-
}

// MarshalJSON puts the extensions beside the other members.
func (o *Operation) MarshalJSON() ([]byte, error) {
	type plain Operation
	return extended((*plain)(o), o.Extensions)
}

// extended marshals a struct with members that it does not have.
func extended(v any, more map[string]any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil || len(more) == 0 {
		return text, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	for name := range maps.Keys(more) {
		if all[name], err = json.Marshal(more[name]); err != nil {
			return nil, err
		}
	}
	return json.Marshal(all)
}

// Parameter is one of the path, the query or the headers.
type Parameter struct {
	Ref         string  `json:"$ref,omitempty"`
	Description string  `json:"description,omitempty"`
	Example     any     `json:"example,omitempty"`
	Explode     *bool   `json:"explode,omitempty"`
	In          string  `json:"in,omitempty"`
	Name        string  `json:"name,omitempty"`
	Required    bool    `json:"required,omitempty"`
	Schema      *Schema `json:"schema,omitempty"`
}

// RequestBody describes the body of a request.
type RequestBody struct {
	Content     map[string]*MediaType `json:"content"`
	Description string                `json:"description,omitempty"`
	Required    bool                  `json:"required,omitempty"`
}

// Response describes the answer with one status.
type Response struct {
	Ref         string                `json:"$ref,omitempty"`
	Content     map[string]*MediaType `json:"content,omitempty"`
	Description string                `json:"description,omitempty"`
	Headers     map[string]*Parameter `json:"headers,omitempty"` // without In and Name
}

// MediaType is a body of one type.
type MediaType struct {
	Example any     `json:"example,omitempty"`
	Schema  *Schema `json:"schema,omitempty"`
}

// JSON returns a response of media type application/json.
func JSON(description string, s *Schema) *Response {
	return &Response{Description: description, Content: map[string]*MediaType{"application/json": {Schema: s}}}
}

// Types of a schema.
const (
	Boolean = "boolean"
	Integer = "integer"
	Number  = "number"
	String  = "string"
	Array   = "array"
	Object  = "object"
	Null    = "null"
)

// Schema describes a value, as JSON Schema does.
type Schema struct {
	Ref                  string             `json:"$ref,omitempty"`
	AdditionalProperties any                `json:"additionalProperties,omitempty"` // a bool or a *Schema
	AnyOf                []*Schema          `json:"anyOf,omitempty"`
	ContentEncoding      string             `json:"contentEncoding,omitempty"`
	Default              any                `json:"default,omitempty"`
	Description          string             `json:"description,omitempty"`
	Enum                 []any              `json:"enum,omitempty"`
	Examples             []any              `json:"examples,omitempty"`
	ExclusiveMaximum     *float64           `json:"exclusiveMaximum,omitempty"`
	ExclusiveMinimum     *float64           `json:"exclusiveMinimum,omitempty"`
	Format               string             `json:"format,omitempty"`
	Items                *Schema            `json:"items,omitempty"`
	MaxItems             *int               `json:"maxItems,omitempty"`
	MaxLength            *int               `json:"maxLength,omitempty"`
	Maximum              *float64           `json:"maximum,omitempty"`
	MinItems             *int               `json:"minItems,omitempty"`
	MinLength            *int               `json:"minLength,omitempty"`
	Minimum              *float64           `json:"minimum,omitempty"`
	Nullable             bool               `json:"-"` // null is a type too
	OneOf                []*Schema          `json:"oneOf,omitempty"`
	Pattern              string             `json:"pattern,omitempty"`
	PatternProperties    map[string]*Schema `json:"patternProperties,omitempty"` // members by a pattern of their names
	Properties           map[string]*Schema `json:"properties,omitempty"`
	Required             []string           `json:"required,omitempty"`
	Type                 string             `json:"-"`

	Extensions map[string]any `json:"-"` // members of its own, whose names begin with x-
}

// MarshalJSON writes the type, with null beside it where the value may be null,
// and the extensions.
func (s *Schema) MarshalJSON() ([]byte, error) {
	type plain Schema
	more := map[string]any{}
	maps.Copy(more, s.Extensions)
	switch {
	case s.Type == "":
	case s.Nullable:
		more["type"] = []string{s.Type, "null"}
		if len(s.Enum) > 0 {
			more["enum"] = append(slices.Clone(s.Enum), nil)
		}
	default:
		more["type"] = s.Type
	}
	return extended((*plain)(s), more)
}
