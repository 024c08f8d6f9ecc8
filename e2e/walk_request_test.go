package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// setting is one member of a request with its value, as a line of walk.txt has it:
// a number, true, a word of an enumeration, the items of a list or the bytes of a text
// and how they are made (20000 along), or none, which takes the member away.
type setting struct{ path, value string }

func (s setting) String() string { return s.path + "=" + s.value }

// count returns the number that a value begins with.
func (s setting) count() (n float64, fill string, ok bool) {
	queryInt, fill, _ := strings.Cut(s.value, " ")
	n, err := strconv.ParseFloat(queryInt, 64)
	return n, fill, err == nil
}

// variant is a request of the walk: the example of an endpoint with some members set.
type variant struct {
	of   *operation
	sets []setting
}

// String returns the line of walk.txt.
func (r variant) String() string {
	text := r.of.String() + ":"
	for i, s := range r.sets {
		if i > 0 {
			text += ","
		}
		text += " " + s.String()
	}
	return text
}

// with returns the request with more members, each in place of one that it has.
func (r variant) with(more ...setting) variant {
	sets := slices.Clone(r.sets)
	for _, m := range more {
		sets = append(slices.DeleteFunc(sets, func(s setting) bool { return s.path == m.path }), m)
	}
	return variant{r.of, sets}
}

// smaller returns the request with all that counts halved, and false where nothing does.
func (r variant) smaller(share float64) (variant, bool) {
	out, less := variant{r.of, slices.Clone(r.sets)}, false
	for i, s := range r.sets {
		n, fill, ok := s.count()
		if !ok || n <= 1 {
			continue
		}
		if n > 1e6 && fill == "" { // a number without a limit
			n /= 50
		}
		n = max(1, n*share)
		if n > 8 || fill != "" {
			n = float64(int64(n))
		}
		out.sets[i].value = strings.TrimSpace(strconv.FormatFloat(n, 'f', -1, 64) + " " + fill)
		less = less || out.sets[i].value != s.value
	}
	return out, less
}

// sending is a request as it is sent.
type sending struct{ method, target, body string }

// requestWriter has the values that requests are made of.
type requestWriter struct {
	d        *description
	spots    []spot
	examples map[string]string // targets of endpoints that are called by GET
}

// write makes the request of the members that are set.
func (w *requestWriter) write(r variant) (sending, error) {
	out := sending{method: r.of.method, target: r.of.path}
	if example, ok := w.examples[r.of.String()]; ok {
		out.target = w.moved(example)
	}
	_, example := r.of.body()
	body, _ := clone(example).(map[string]any)
	relocate(body, w.mover(placesOf(body, w.spots)[0]))
	m := &maker{d: w.d, parents: w.d.requestShape(r.of).parents, spots: w.spots, way: placesOf(body, w.spots)}
	for _, s := range r.sets {
		f, err := w.d.at(r.of, s.path)
		if err != nil && s.value != "none" {
			return out, err
		}
		m.ids, m.places = nil, 0
		gather(body, &m.ids)
		if s.path == lineBody {
			body = m.line(s)
			continue
		}
		if s.path[0] == '?' || s.path[0] == '{' {
			out.target = m.address(r.of, out.target, s, f)
			err = nil
		} else {
			err = m.set(body, "", strings.Split(s.path, "."), s, f)
		}
		if err != nil {
			return out, fmt.Errorf("%s: %w", r, err)
		}
	}
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return out, err
		}
		out.body = string(text)
	}
	return out, nil
}

func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if v == nil {
			return v
		}
		out := make(map[string]any, len(v))
		for k, one := range v {
			out[k] = clone(one)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = clone(one)
		}
		return out
	}
	return v
}

// gather lists the ids that a body gives to what it has.
func gather(v any, ids *[]string) {
	body, _ := v.(map[string]any)
	for _, name := range []string{"jobs", "shipments", "locations", "places"} { // what others refer to
		list, _ := body[name].([]any)
		for _, one := range list {
			o, _ := one.(map[string]any)
			if id, ok := o["id"].(string); ok {
				*ids = append(*ids, id)
			}
		}
	}
}

// placesOf lists the places of an example, in the order of its text.
func placesOf(body map[string]any, otherwise []spot) (all []spot) {
	text, _ := json.Marshal(body)
	for _, found := range regexp.MustCompile(`"lat":(-?[\d.]+),"lon":(-?[\d.]+)`).FindAllSubmatch(text, -1) {
		lat, _ := strconv.ParseFloat(string(found[1]), 64)
		lon, _ := strconv.ParseFloat(string(found[2]), 64)
		all = append(all, spot{lat, lon})
	}
	if len(all) == 0 {
		all = otherwise[:2]
	}
	if len(all) == 1 {
		all = append(all, otherwise[0])
	}
	return all
}

// mover takes the places of an example to the region that is served, where it is for
// another: all by as much as the first.
func (w *requestWriter) mover(first spot) func(spot) spot {
	here := w.spots[0]
	if distance(first, here) < 1 {
		return func(p spot) spot { return p }
	}
	return func(p spot) spot {
		return spot{round6(p.lat - first.lat + here.lat), round6(p.lon - first.lon + here.lon)}
	}
}

// relocate moves the places of a body.
func relocate(v any, move func(spot) spot) {
	switch v := v.(type) {
	case map[string]any:
		lat, ok := v["lat"].(float64)
		lon, also := v["lon"].(float64)
		if ok && also {
			p := move(spot{lat, lon})
			v["lat"], v["lon"] = p.lat, p.lon
		}
		for _, one := range v {
			relocate(one, move)
		}
	case []any:
		for _, one := range v {
			relocate(one, move)
		}
	}
}

// Places of the county in the address of a request.
var (
	lonLat   = regexp.MustCompile(`(-7\.\d+)(?:,|%2C)(49\.\d+)`)
	namedLat = regexp.MustCompile(`\blat=(49\.\d+)`)
	namedLon = regexp.MustCompile(`\blon=(-7\.\d+)`)
)

// moved returns an address with its places moved.
func (w *requestWriter) moved(target string) string {
	queryInt := func(text string) float64 { v, _ := strconv.ParseFloat(text, 64); return v }
	move := w.mover(spot{49.326622, -7.267471})
	target = lonLat.ReplaceAllStringFunc(target, func(text string) string {
		found := lonLat.FindStringSubmatch(text)
		return move(spot{queryInt(found[2]), queryInt(found[1])}).url()
	})
	target = namedLat.ReplaceAllStringFunc(target, func(text string) string {
		return fmt.Sprintf("lat=%.6f", move(spot{lat: queryInt(text[4:])}).lat)
	})
	return namedLon.ReplaceAllStringFunc(target, func(text string) string {
		return fmt.Sprintf("lon=%.6f", move(spot{lon: queryInt(text[4:])}).lon)
	})
}

// set puts a value at the end of a path, in every item of the lists on it. prefix is
// the path that leads to at.
func (m *maker) set(at map[string]any, prefix string, path []string, s setting, f *form) error {
	name := strings.TrimRight(path[0], "[]")
	here := strings.TrimPrefix(prefix+"."+path[0], ".")
	switch deep := strings.Count(path[0], "[]"); {
	case len(path) > 1 && deep > 0:
		list, _ := at[name].([]any)
		if len(list) == 0 {
			list = []any{m.container(here, name)}
			at[name] = list
		}
		for _, one := range list {
			if inner, ok := one.(map[string]any); ok {
				if err := m.set(inner, here, path[1:], s, f); err != nil {
					return err
				}
			}
		}
	case len(path) > 1:
		inner, ok := at[name].(map[string]any)
		if !ok {
			inner = m.container(here, name)
			at[name] = inner
		}
		return m.set(inner, here, path[1:], s, f)
	case deep > 0: // an item that is a list itself, such as a ring
		n, _, _ := s.count()
		var item any = m.list(f, name, int(n), nil)
		if inner := m.d.resolve(f.Items); isPair(m.d, inner) && m.d.resolve(inner.Items).Type == "number" {
			item = m.ring(int(n), 1)
		}
		for range deep {
			item = []any{item}
		}
		at[name] = item
	case s.value == "none":
		delete(at, name)
	default:
		v, err := m.parse(s, name, f, at[name])
		at[name] = v
		return err
	}
	return nil
}

// container makes the object that a path leads through.
func (m *maker) container(path, name string) map[string]any {
	if f := m.parents[path]; f != nil {
		return m.object(f)
	}
	return map[string]any{}
}

// line makes a body that is a line of so many positions.
func (m *maker) line(s setting) map[string]any {
	n, fill, _ := s.count()
	m.fill, m.count = fill, int(n)
	all := make([]any, 0, int(n))
	for range int(n) {
		p := m.nextPlace()
		all = append(all, []any{round6(p.lon), round6(p.lat)})
	}
	return map[string]any{"type": "LineString", "coordinates": all}
}

// parse makes the value that a setting has.
func (m *maker) parse(s setting, name string, f *form, like any) (any, error) {
	n, fill, queryInt := s.count()
	switch f.Type {
	case "array":
		if !queryInt {
			return nil, fmt.Errorf("%s is no number of items", s.value)
		}
		m.fill = fill
		return m.list(f, name, int(n), like), nil
	case "string":
		if !queryInt || len(f.Enum) > 0 {
			return s.value, nil
		}
		m.fill = fill
		return m.text(f, name, int(n), fill), nil
	case "integer":
		return int64(n), nil
	case "number":
		return n, nil
	case "boolean":
		return s.value == "true", nil
	}
	return nil, fmt.Errorf("%s is a %q", s.path, f.Type)
}

// address sets a parameter of the query or of the path.
func (m *maker) address(o *operation, target string, s setting, f *form) string {
	n, fill, queryInt := s.count()
	value := s.value
	if queryInt && f.Type == "string" && len(f.Enum) == 0 {
		m.fill, m.count = fill, int(n)
		if strings.Contains(f.Description, "lon,lat") || strings.Contains(f.Description, "x,y") {
			var all []string
			for range int(n) {
				all = append(all, m.nextPlace().url())
			}
			value = strings.Join(all, ";")
		} else {
			value = m.text(f, s.path[1:], int(n), fill)
		}
	}
	if s.path[0] == '?' {
		path, query, _ := strings.Cut(target, "?")
		parts := slices.DeleteFunc(strings.Split(query, "&"), func(part string) bool { return part == "" || strings.HasPrefix(part, s.path[1:]+"=") })
		if s.value != "none" {
			parts = append(parts, s.path[1:]+"="+url.QueryEscape(value))
		}
		return path + "?" + strings.Join(parts, "&")
	}
	path, query, _ := strings.Cut(target, "?")
	parts, pattern := strings.Split(path, "/"), strings.Split(o.path, "/")
	for i, part := range pattern {
		if part == s.path && i < len(parts) {
			parts[i] = value
		}
	}
	if path = strings.Join(parts, "/"); query != "" {
		path += "?" + query
	}
	return path
}

// readVariant reads a line of walk.txt.
func (d *description) readVariant(all []*operation, line string) (variant, error) {
	head, rest, _ := strings.Cut(line, ":")
	i := slices.IndexFunc(all, func(o *operation) bool { return o.String() == head })
	if i < 0 {
		return variant{}, fmt.Errorf("%q is none of the endpoints", head)
	}
	r := variant{of: all[i]}
	for part := range strings.SplitSeq(rest, ", ") {
		if path, value, ok := strings.Cut(strings.TrimSpace(part), "="); ok {
			r.sets = append(r.sets, setting{path, value})
		}
	}
	return r, nil
}

// shortened returns a body as a log has it.
func shortened(body []byte) string {
	body = bytes.TrimSpace(body)
	if len(body) > 300 {
		return string(body[:300]) + "…"
	}
	return string(body)
}
