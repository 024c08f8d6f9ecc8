// Package schematest holds what a server says against its document in OpenAPI 3.1.
package schematest

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Document is a description that answers can be held against. It is safe for
// concurrent use.
type Document struct {
	root       map[string]any
	operations []operation
	mu         sync.Mutex
	compiler   *jsonschema.Compiler
	compiled   map[string]*jsonschema.Schema
}

// operation is one of a document.
type operation struct {
	method, path string
	pattern      *regexp.Regexp
	holes        int
}

var hole = regexp.MustCompile(`\\\{\w+\\\}`)

// Read reads a document. Members that it does not name are refused in every
// object, also where it says that there may be more.
func Read(text []byte) (*Document, error) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("the document: %w", err)
	}
	root, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("the document is no object")
	}
	closed(root)
	d := &Document{root: root, compiler: jsonschema.NewCompiler(), compiled: map[string]*jsonschema.Schema{}}
	d.compiler.AssertFormat()
	if err := d.compiler.AddResource("doc.json", value); err != nil {
		return nil, fmt.Errorf("the document: %w", err)
	}
	paths, _ := root["paths"].(map[string]any)
	for path, item := range paths {
		pattern, err := regexp.Compile("^" + hole.ReplaceAllString(regexp.QuoteMeta(path), `[^/]+`) + "$")
		if err != nil {
			return nil, err
		}
		for method := range item.(map[string]any) {
			d.operations = append(d.operations, operation{strings.ToUpper(method), path, pattern, strings.Count(path, "{")})
		}
	}
	slices.SortFunc(d.operations, func(a, b operation) int { return a.holes - b.holes })
	return d, nil
}

// closed lets no object have members that its schema does not name. A member
// may itself be called properties or example.
func closed(part any) {
	switch part := part.(type) {
	case map[string]any:
		properties, named := part["properties"].(map[string]any)
		if named && part["additionalProperties"] == nil {
			part["additionalProperties"] = false
		}
		for name, inner := range part {
			if name != "example" && !(named && name == "properties") {
				closed(inner)
			}
		}
		for _, member := range properties {
			closed(member)
		}
	case []any:
		for _, inner := range part {
			closed(inner)
		}
	}
}

// unsaid are headers that an answer may have without its operation saying so:
// those of HTTP itself, and those of every answer that concern browsers only.
var unsaid = []string{
	"Content-Type", "Content-Length", "Content-Encoding", "Content-Range", "Accept-Ranges", "Date", "Vary", "X-Content-Type-Options", "Access-Control-Allow-Origin",
	"Access-Control-Expose-Headers", "Content-Security-Policy", "Referrer-Policy",
}

// Answer compares an answer with the operation of a request: its status, which
// must be listed, its headers, its media type and its body. A path or method
// that the document does not have is right.
func (d *Document) Answer(method, target string, status int, header http.Header, body []byte) error {
	path, _, _ := strings.Cut(target, "?")
	i := slices.IndexFunc(d.operations, func(o operation) bool { return o.method == method && o.pattern.MatchString(path) })
	if i < 0 {
		return nil
	}
	o := d.operations[i]
	at := []string{"paths", o.path, strings.ToLower(o.method), "responses", strconv.Itoa(status)}
	response, at, ok := d.at(at)
	if !ok {
		return fmt.Errorf("%s %s: the status %d is not described", o.method, o.path, status)
	}
	headers, _ := response["headers"].(map[string]any)
	for name, values := range header {
		if slices.Contains(unsaid, name) {
			continue
		}
		i := slices.IndexFunc(slices.Collect(maps.Keys(headers)), func(said string) bool { return http.CanonicalHeaderKey(said) == name })
		if i < 0 {
			return fmt.Errorf("%s %s: %d has the header %s: %q, which is not described", o.method, o.path, status, name, values)
		}
	}
	content, _ := response["content"].(map[string]any)
	if len(body) == 0 || len(content) == 0 {
		if len(body) > 0 || len(content) > 0 {
			return fmt.Errorf("%s %s: %d has %d bytes and %d media types are described", o.method, o.path, status, len(body), len(content))
		}
		return nil
	}
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil || content[media] == nil {
		return errors.Join(fmt.Errorf("%s %s: %d is of type %q, which is not described", o.method, o.path, status, media), err)
	}
	if !strings.HasSuffix(media, "json") || status == http.StatusPartialContent { // a part of a document is none
		return nil
	}
	s, err := d.schema(append(at, "content", media, "schema"))
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err == nil {
		err = s.Validate(value)
	}
	if err != nil {
		return fmt.Errorf("%s %s: %d: %w", o.method, o.path, status, err)
	}
	return nil
}

// at finds an object by the names on the way to it, through references. It gives
// the names that lead there without any.
func (d *Document) at(path []string) (found map[string]any, where []string, ok bool) {
	var v any = d.root
	for i, name := range path {
		m, isMap := v.(map[string]any)
		if !isMap || m[name] == nil {
			return nil, nil, false
		}
		v = m[name]
		if m, isMap = v.(map[string]any); isMap {
			if ref, isRef := m["$ref"].(string); isRef {
				return d.at(append(strings.Split(strings.TrimPrefix(ref, "#/"), "/"), path[i+1:]...))
			}
		}
	}
	found, ok = v.(map[string]any)
	return found, path, ok
}

func (d *Document) schema(at []string) (*jsonschema.Schema, error) {
	pointer := "doc.json#"
	for _, name := range at {
		pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(name)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.compiled[pointer]; s != nil {
		return s, nil
	}
	s, err := d.compiler.Compile(pointer)
	d.compiled[pointer] = s
	return s, err
}

// Examples checks every example of a body or a parameter against its schema, and
// gives what is wrong with each.
func (d *Document) Examples() (wrong []error) {
	for _, o := range d.operations {
		at := []string{"paths", o.path, strings.ToLower(o.method)}
		if body, where, ok := d.at(append(slices.Clone(at), "requestBody", "content", "application/json")); ok {
			if example, ok := body["example"]; ok {
				s, err := d.schema(append(slices.Clone(where), "schema"))
				if err == nil {
					err = s.Validate(example)
				}
				if err != nil {
					wrong = append(wrong, fmt.Errorf("%s %s: the example: %w", o.method, o.path, err))
				}
			} else {
				wrong = append(wrong, fmt.Errorf("%s %s has a body without an example", o.method, o.path))
			}
		}
	}
	return wrong
}
