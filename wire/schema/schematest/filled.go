package schematest

import (
	"reflect"
	"slices"
	"strconv"
)

// Filled returns a value of which every member has a value of its own, where its kind has
// that many: one element in each list, and 1 for words that are numbers. Members named Raw
// stay empty.
func Filled[T any]() *T {
	v, n := new(T), 0
	fill(reflect.ValueOf(v).Elem(), &n, nil)
	return v
}

// fill fills a value inside of others of some types. A pointer to one of these stays nil.
func fill(v reflect.Value, n *int, inside []reflect.Type) {
	*n++
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int8:
		v.SetInt(1)
	case reflect.Uint8:
		v.SetUint(1)
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(*n)) //nolint:gosec // a small count
	case reflect.Float64:
		v.SetFloat(float64(*n%40) + 0.25)
	case reflect.String:
		v.SetString("word " + strconv.Itoa(*n))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), n, inside)
	case reflect.Pointer:
		if slices.Contains(inside, v.Type().Elem()) {
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n, inside)
	case reflect.Struct:
		inside = append(inside, v.Type())
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Name != "Raw" {
				fill(v.Field(i), n, inside)
			}
		}
	}
}
