package json

import (
	"reflect"
	"strconv"
	"sync"
)

// Shorten rounds the numbers of an answer where they stand, as the tags of its
// fields say: decimals:"1" keeps one decimal of a float64, or of what a *float64 points to,
// which must be the answer's own, also in maps of pointers. v is a pointer.
func Shorten(v any) {
	p := reflect.ValueOf(v)
	if p.Kind() == reflect.Pointer && !p.IsNil() && rounded(p.Type()) {
		shorten(p.Elem())
	}
}

// tagged remembers which types have such tags, at any depth.
var tagged sync.Map // reflect.Type → bool

func rounded(t reflect.Type) bool {
	if yes, ok := tagged.Load(t); ok {
		return yes.(bool)
	}
	yes := roundedWithin(t, map[reflect.Type]bool{})
	tagged.Store(t, yes)
	return yes
}

func roundedWithin(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return roundedWithin(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Tag.Get("decimals") != "" || roundedWithin(f.Type, seen) {
				return true
			}
		}
	}
	return false
}

func shorten(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			shorten(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		if !rounded(v.Type().Elem()) {
			return
		}
		for i := range v.Len() {
			shorten(v.Index(i))
		}
	case reflect.Map: // only what its values point to can be changed
		if !rounded(v.Type().Elem()) || v.Type().Elem().Kind() != reflect.Pointer {
			return
		}
		for _, key := range v.MapKeys() {
			shorten(v.MapIndex(key))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if digits, err := strconv.Atoi(f.Tag.Get("decimals")); err == nil {
				shortenTo(v.Field(i), digits)
			} else if rounded(f.Type) {
				shorten(v.Field(i))
			}
		}
	}
}

func shortenTo(v reflect.Value, digits int) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	v.SetFloat(Round(v.Float(), digits))
}
