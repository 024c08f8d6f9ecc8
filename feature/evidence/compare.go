package evidence

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// mostDifferences is how many differences are listed.
const mostDifferences = 50

// Differences lists what differs between two answers, JSON objects, member by member, in
// order and worded for people. Members at the top that are left out are not compared.
func Differences(signed, again []byte, without ...string) ([]string, error) {
	var a, b map[string]any
	for _, x := range []struct {
		text []byte
		into *map[string]any
	}{{signed, &a}, {again, &b}} {
		d := json.NewDecoder(bytes.NewReader(x.text))
		d.UseNumber()
		if err := d.Decode(x.into); err != nil {
			return nil, err
		}
	}
	for _, name := range without {
		delete(a, name)
		delete(b, name)
	}
	var list []string
	differ("", a, b, &list)
	if len(list) > mostDifferences {
		list = append(list[:mostDifferences], "and more")
	}
	return list, nil
}

func differ(at string, a, b any, list *[]string) {
	if len(*list) > mostDifferences {
		return
	}
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok {
			break
		}
		names := maps.Clone(x)
		maps.Copy(names, y)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			where := name
			if at != "" {
				where = at + "." + name
			}
			_, left := x[name]
			_, right := y[name]
			switch {
			case !left:
				*list = append(*list, where+" was not there and is now")
			case !right:
				*list = append(*list, where+" was there and is not now")
			default:
				differ(where, x[name], y[name], list)
			}
		}
		return
	case []any:
		y, ok := b.([]any)
		if !ok {
			break
		}
		if len(x) != len(y) {
			*list = append(*list, fmt.Sprintf("%s had %d entries and has %d now", at, len(x), len(y)))
		}
		for i := range min(len(x), len(y)) {
			differ(at+"["+strconv.Itoa(i)+"]", x[i], y[i], list)
		}
		return
	}
	was, _ := json.Marshal(a) // it was decoded from JSON
	is, _ := json.Marshal(b)
	if !bytes.Equal(was, is) {
		*list = append(*list, fmt.Sprintf("%s was %s and is %s now", at, clip(was), clip(is)))
	}
}

// clip shortens a value that is shown.
func clip(text []byte) string {
	const most = 80
	if len(text) <= most {
		return string(text)
	}
	return string(bytes.ToValidUTF8(text[:most], nil)) + "…"
}
