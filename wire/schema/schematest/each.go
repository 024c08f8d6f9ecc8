package schematest

// EachValue calls yield with every value of a JSON document, as decoded into an
// any: its path, in which "[]" is any element of a list, and its JSON type. What
// a value holds comes before it.
func EachValue(path string, v any, yield func(path, kind string)) {
	kind := "null"
	switch v := v.(type) {
	case map[string]any:
		kind = "object"
		for k, x := range v {
			EachValue(path+"."+k, x, yield)
		}
	case []any:
		kind = "array"
		for _, x := range v {
			EachValue(path+"[]", x, yield)
		}
	case string:
		kind = "string"
	case float64:
		kind = "number"
	case bool:
		kind = "boolean"
	}
	yield(path, kind)
}
