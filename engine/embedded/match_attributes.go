package embedded

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/match"
)

// attributes writes Valhalla's answer to trace_attributes. What OSM does not
// say is left out.
type attributes struct {
	*matching
	jsonWriter
	wants     func(name string) bool
	points    []geo.Point // of all matches, one after another
	bases     []int       // index in edges of each match's first step
	elapsed   float64
	cost      float64
	countries []uint16               // met, in order
	names     map[graph.Set][]string // by set of names
}

func (m *matching) writeAttributes() ([]byte, error) {
	a := &attributes{matching: m, wants: wanted(m), names: map[graph.Set][]string{}}
	lines := make([]guide.Line, len(m.result.Matches))
	base, score := 0, 0.0
	for i := range m.result.Matches {
		found := &m.result.Matches[i]
		lines[i] = guide.Shape(m.e.g, found.Path)
		a.points = append(a.points, lines[i].Points...)
		a.bases = append(a.bases, base)
		base += len(found.Path)
		score += found.Score
	}
	a.b = make([]byte, 0, 1<<12+160*len(m.r.Trace)+800*base) // about what it takes
	a.open('{')
	a.key("units")
	a.text(map[bool]string{false: "kilometers", true: "miles"}[m.r.Miles])
	if m.r.ID != "" {
		a.key("id")
		a.text(m.r.ID)
	}
	if a.wants("shape") && m.r.ShapeFormat != "no_shape" {
		shape, err := encode(nativeShape(m.r, a.points))
		if err != nil {
			return nil, err
		}
		a.key("shape")
		a.b = append(a.b, shape...)
	}
	if a.wants("confidence_score") {
		a.key("confidence_score")
		a.number(1, 1) // that of the best way found, against which others would be rated
	}
	if a.wants("raw_score") {
		a.key("raw_score")
		a.number(score, 3)
	}
	a.key("edges")
	a.open('[')
	at := 0
	for i := range lines {
		for k := range m.result.Matches[i].Path {
			a.edge(i, k, &lines[i], at)
		}
		at += len(lines[i].Points)
	}
	a.close(']')
	a.admins()
	a.matched()
	a.key("alternate_paths")
	a.open('[')
	a.close(']')
	a.close('}')
	return a.b, nil
}

// wanted applies the request's filter.
func wanted(m *matching) func(string) bool {
	f := &m.r.Filter
	if len(f.Names) == 0 {
		return func(string) bool { return true }
	}
	named := map[string]bool{}
	for _, n := range f.Names {
		named[n] = true
	}
	return func(name string) bool { return named[name] == f.Include }
}

func (a *attributes) admins() {
	if len(a.countries) == 0 || !a.wants("admin.country_code") {
		return
	}
	a.key("admins")
	a.open('[')
	for _, c := range a.countries {
		a.open('{')
		a.key("country_code")
		a.text(string([]byte{byte(c >> 8), byte(c)}))
		a.close('}')
	}
	a.close(']')
}

// admin gives the index of an edge's country in admins; ok is false where the
// country is not known.
func (a *attributes) admin(s graph.Segment) (index int, ok bool) {
	c := a.e.g.Country[s]
	if c == 0 {
		return 0, false
	}
	if i := slices.Index(a.countries, c); i >= 0 {
		return i, true
	}
	a.countries = append(a.countries, c)
	return len(a.countries) - 1, true
}

func (a *attributes) matched() {
	if !slices.ContainsFunc([]string{"matched.point", "matched.type", "matched.edge_index", "matched.distance_along_edge", "matched.distance_from_trace_point"}, a.wants) {
		return
	}
	a.key("matched_points")
	a.open('[')
	for i := range a.result.Places {
		p := &a.result.Places[i]
		a.open('{')
		if a.wants("matched.point") {
			at := p.At
			if p.Kind == match.Unmatched {
				at = a.r.Trace[i].Point
			}
			a.key("lon")
			a.number(at.Lon, 6)
			a.key("lat")
			a.number(at.Lat, 6)
		}
		if a.wants("matched.type") {
			a.key("type")
			a.text([...]string{"unmatched", "interpolated", "matched"}[p.Kind])
		}
		if p.Kind != match.Unmatched {
			a.place(i, p)
		}
		a.close('}')
	}
	a.close(']')
}

func (a *attributes) place(i int, p *match.Place) {
	if a.wants("matched.edge_index") {
		a.key("edge_index")
		a.whole(a.bases[p.Match] + p.Step)
	}
	if a.wants("matched.distance_along_edge") {
		a.key("distance_along_edge")
		a.number(p.Along, 6)
	}
	if a.wants("matched.distance_from_trace_point") {
		a.key("distance_from_trace_point")
		a.number(p.Metres, 3)
	}
	found := &a.result.Matches[p.Match]
	if i == found.Last && p.Match+1 < len(a.result.Matches) && a.wants("matched.begin_route_discontinuity") {
		a.flag("begin_route_discontinuity", true)
	}
	if i == found.First && p.Match > 0 && a.wants("matched.end_route_discontinuity") {
		a.flag("end_route_discontinuity", true)
	}
}

// jsonWriter writes JSON piece by piece, with the commas.
type jsonWriter struct{ b []byte }

func (w *jsonWriter) comma() {
	if n := len(w.b); n > 0 && w.b[n-1] != '{' && w.b[n-1] != '[' && w.b[n-1] != ':' {
		w.b = append(w.b, ',')
	}
}

func (w *jsonWriter) open(bracket byte) {
	w.comma()
	w.b = append(w.b, bracket)
}

func (w *jsonWriter) close(bracket byte) { w.b = append(w.b, bracket) }

// key writes a member's name, which must need no escapes.
func (w *jsonWriter) key(name string) {
	w.comma()
	w.b = append(append(append(w.b, '"'), name...), '"', ':')
}

func (w *jsonWriter) text(s string) {
	w.comma()
	plain := true
	for i := range len(s) {
		plain = plain && s[i] >= ' ' && s[i] <= '~' && s[i] != '"' && s[i] != '\\'
	}
	if plain {
		w.b = append(append(append(w.b, '"'), s...), '"')
		return
	}
	quoted, err := json.Marshal(s)
	if err != nil {
		quoted = []byte(`""`) // a string always marshals
	}
	w.b = append(w.b, quoted...)
}

func (w *jsonWriter) number(v float64, digits int) {
	w.comma()
	if math.IsNaN(v) || math.IsInf(v, 0) {
		v = 0
	}
	if most := float64(1 << 53); math.Abs(v)*tens[digits] < most {
		w.b = appendDecimal(w.b, int64(math.Round(v*tens[digits])), digits, 0)
		return
	}
	w.b = strconv.AppendFloat(w.b, round(v, digits), 'f', -1, 64)
}

func (w *jsonWriter) whole(v int) { w.number(float64(v), 0) }

func (w *jsonWriter) flag(name string, v bool) {
	w.key(name)
	if v {
		w.b = append(w.b, "true"...)
	} else {
		w.b = append(w.b, "false"...)
	}
}

// texts writes a list of strings.
func (w *jsonWriter) texts(name string, all []string) {
	w.key(name)
	w.open('[')
	for _, s := range all {
		w.text(s)
	}
	w.close(']')
}

// namesOf gives the names and then the numbers of an edge's road.
func (a *attributes) namesOf(e graph.Edge) []string {
	g := a.e.g
	set := g.Name[g.Segment(e)]
	names, known := a.names[set]
	if set == 0 || known {
		return names
	}
	name := ""
	if language := primaryLanguage(a.r.Language); language != "" {
		name = g.Attribute(set, "name:"+language)
	}
	if name == "" {
		name = g.Attribute(set, "name")
	}
	names = append(values(name), values(g.Attribute(set, "ref"))...)
	a.names[set] = names
	return names
}

// values splits an OSM value that lists several.
func values(s string) []string {
	var out []string
	for v := range strings.SplitSeq(s, ";") {
		if v = strings.TrimSpace(v); v != "" {
			out = append(out, v)
		}
	}
	return out
}
