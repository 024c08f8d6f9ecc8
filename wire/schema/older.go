package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Older writes a document of OpenAPI 3.1 in the words of 3.0.3, for programs that
// have no other. What 3.0 has no words for is left out: members by a pattern of
// their names, and what stands beside a reference, such as null.
func Older(document []byte) ([]byte, error) {
	var doc map[string]any
	if err := json.Unmarshal(document, &doc); err != nil {
		return nil, fmt.Errorf("schema: the document of OpenAPI 3.1: %w", err)
	}
	doc["openapi"] = "3.0.3"
	older(doc)
	return json.Marshal(doc)
}

// older looks for schemas in a part of a document.
func older(part any) {
	switch part := part.(type) {
	case map[string]any:
		for name, inner := range part {
			switch {
			case name == "schema":
				olderSchema(inner)
			case name == "schemas":
				olderSchemas(inner)
			case name != "example" && !strings.HasPrefix(name, "x-"):
				older(inner)
			}
		}
	case []any:
		for _, inner := range part {
			older(inner)
		}
	}
}

// olderSchemas rewrites the schemas that a map or a list holds.
func olderSchemas(all any) {
	switch all := all.(type) {
	case map[string]any:
		for _, s := range all {
			olderSchema(s)
		}
	case []any:
		for _, s := range all {
			olderSchema(s)
		}
	}
}

// olderSchema rewrites one schema; a bool in the place of one stays.
func olderSchema(v any) {
	s, ok := v.(map[string]any)
	if !ok {
		return
	}
	for _, several := range []string{"anyOf", "oneOf"} {
		all, ok := s[several].([]any)
		if !ok {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(all), func(one any) bool { m, ok := one.(map[string]any); return ok && m["type"] == "null" })
		if s[several] = rest; len(rest) == 1 && len(all) > 1 {
			delete(s, several)
			maps.Copy(s, rest[0].(map[string]any))
		}
	}
	if ref, ok := s["$ref"]; ok {
		clear(s)
		s["$ref"] = ref
		return
	}
	if types, ok := s["type"].([]any); ok {
		s["type"], s["nullable"] = types[0], true // the other is null
	}
	for exclusive, bound := range map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"} {
		if limit, ok := s[exclusive]; ok {
			s[bound], s[exclusive] = limit, true
		}
	}
	if all, ok := s["examples"].([]any); ok {
		delete(s, "examples")
		s["example"] = all[0]
	}
	if s["contentEncoding"] == "base64" {
		delete(s, "contentEncoding")
		s["format"] = "byte"
	}
	if _, ok := s["patternProperties"]; ok {
		delete(s, "patternProperties")
		delete(s, "additionalProperties")
	}
	olderSchema(s["items"])
	olderSchema(s["additionalProperties"])
	for _, several := range []string{"properties", "anyOf", "oneOf"} {
		olderSchemas(s[several])
	}
}
