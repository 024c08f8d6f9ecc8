package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/geo"
)

// bodyLimit is the size that a body may have by default (SVC_MAX_BODY).
const bodyLimit = 1 << 20

// maker makes values of members. Places and ids differ from one to the next by a fixed
// sequence, so that a request is the same each time.
type maker struct {
	d       *description
	parents map[string]*form // objects that members lie in, by their path
	spots   []spot           // places on roads that reach one another
	ids     []string         // those that the request has so far
	way     []spot           // from the first place of the example to its last
	fill    string           // how places lie
	places  int              // made so far
	count   int              // items of the list that is being made
	number  int              // of ids
}

// The ways in which the places of a list lie.
const (
	spread     = "spread" // over the region
	alongLine  = "along"  // on the line between the places of the example, some metres off
	inOnePlace = "same"   // all where the first of the example is
)

// nextPlace returns the next one.
func (m *maker) nextPlace() spot {
	n := m.places
	m.places++
	round := float64(n / len(m.spots))
	off := func(k int) float64 { return (math.Mod(round*float64(k)*0.618, 1) - 0.5) * min(0.006, round*0.001) }
	switch m.fill {
	case inOnePlace:
		return m.way[0]
	case alongLine:
		from, to := m.way[0], m.way[len(m.way)-1]
		share := float64(n) / float64(max(1, m.count-1))
		share -= math.Floor(share)
		return spot{from.lat + share*(to.lat-from.lat) + float64(n%5-2)*2e-5, from.lon + share*(to.lon-from.lon) + float64(n%3-1)*3e-5}
	}
	p := m.spots[n*29%len(m.spots)]
	return spot{p.lat + off(7), p.lon + off(11)}
}

// list makes one of n items: copies of what the request has, or new ones.
func (m *maker) list(s *form, name string, n int, like any) []any {
	inner := m.d.resolve(s.Items)
	have, _ := like.([]any)
	outer := m.count
	m.count = n
	all := make([]any, 0, n)
	for i := range n {
		var one any
		if len(have) > 0 {
			one = m.vary(have[i%len(have)], name, i >= len(have))
		} else {
			one = m.value(inner, name)
		}
		all = append(all, one)
	}
	m.count = outer
	return all
}

// vary copies an item with another place, and with an id of its own where it is no
// longer one of the example.
func (m *maker) vary(item any, name string, renamed bool) any {
	switch v := item.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, one := range v {
			out[k] = m.vary(one, k, renamed)
		}
		if _, ok := v["lat"]; ok {
			if p := m.nextPlace(); renamed || m.fill != "" {
				out["lat"], out["lon"] = round6(p.lat), round6(p.lon)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = m.vary(one, name, renamed)
		}
		return out
	case string:
		if renamed && name == "id" {
			m.number++
			return fmt.Sprintf("%s-%d", v, m.number)
		}
		if renamed && refers.MatchString(name) && len(m.ids) > 0 {
			return m.known()
		}
	}
	return item
}

// refers is the name of a list of ids that are given elsewhere.
var refers = regexp.MustCompile(`_ids$|^(together|apart|steps)$`)

// known returns the next of the ids that the request has.
func (m *maker) known() string {
	m.number++
	return m.ids[m.number%len(m.ids)]
}

func round6(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// value makes one by its schema.
func (m *maker) value(s *form, name string) any {
	s = m.d.resolve(s)
	if len(s.Enum) > 0 {
		m.number++
		if name == "type" && len(s.Enum) > 1 {
			return s.Enum[1] // of a step: a job
		}
		return s.Enum[m.number%len(s.Enum)]
	}
	switch s.Type {
	case "object":
		return m.object(s)
	case "array":
		if isPair(m.d, s) && m.d.resolve(s.Items).Type == "integer" {
			m.number++
			return []any{m.number * 3600, m.number*3600 + 1800}
		}
		if isPair(m.d, s) {
			p := m.nextPlace()
			return []any{round6(p.lon), round6(p.lat)}
		}
		if inner := m.d.resolve(s.Items); inner.Type == "array" && isPair(m.d, inner) && inner.Items.Type == "number" {
			return m.ring(max(3, s.MinItems), m.count)
		}
		return m.list(s, name, max(1, s.MinItems), nil)
	case "integer", "number":
		m.number++
		low, high := 0.0, math.MaxFloat64
		if s.Minimum != nil {
			low = *s.Minimum
		}
		if s.Maximum != nil {
			high = *s.Maximum
		}
		return min(low+2+float64(m.number%7), high)
	case "boolean":
		return true
	case "string":
		return m.text(s, name, 0, "")
	}
	return nil
}

// object has what its schema requires, or else its first members.
func (m *maker) object(s *form) map[string]any {
	out := map[string]any{}
	for _, name := range s.Required {
		out[name] = m.value(s.Properties[name], name)
	}
	if _, ok := s.Properties["lat"]; ok {
		p := m.nextPlace()
		out["lat"], out["lon"] = round6(p.lat), round6(p.lon)
	}
	if id := s.Properties["id"]; id != nil {
		m.number++
		out["id"] = fmt.Sprintf("w%d", m.number)
		if typed := s.Properties["type"]; typed != nil && len(m.ids) > 0 { // a step
			out["id"] = m.known()
		}
	}
	return out
}

// ring returns a polygon of n corners, one of several that together are not too long.
func (m *maker) ring(n, several int) []any {
	p := m.nextPlace()
	radius := min(400, 9000/float64(max(1, several))/2/math.Pi) / 111_000
	out := make([]any, 0, n)
	for i := range n {
		a := 2 * math.Pi * float64(i) / float64(n)
		out = append(out, []any{math.Round((p.lon+radius*math.Cos(a)/math.Cos(p.lat*math.Pi/180))*1e8) / 1e8, math.Round((p.lat+radius*math.Sin(a))*1e8) / 1e8})
	}
	return out
}

// words are of the county's names, so that a search for them finds some.
var words = strings.Fields("Quay Street Bridge Road Church Lane Station High Mill Harbour North Farm School Castle Park")

// text makes one of n bytes at the most; 0 makes a short one.
func (m *maker) text(s *form, name string, n int, fill string) string {
	m.number++
	short := fmt.Sprintf("%s %d", words[m.number%len(words)], m.number)
	switch {
	case name == "tunnel_code":
		return "C/D"
	case name == "begins_at": // of a plan, which may not be far off
		return time.Now().UTC().Format(time.RFC3339)
	case s.Format == "date-time":
		return "2099-06-01T09:00:00Z"
	case s.Pattern != "":
		return "ffffff"
	case strings.Contains(name, "url"):
		return "https://hooks.example.org/waygate"
	case strings.Contains(s.Description, "polyline") && n > 0:
		var line []geo.Point
		m.count = n / 12
		for range n / 12 {
			p := m.nextPlace()
			line = append(line, geo.Point{Lat: p.lat, Lon: p.lon})
		}
		text := geo.EncodePolyline(line, 6)
		for len(text) > n {
			line = line[:len(line)-max(1, len(line)/20)]
			text = geo.EncodePolyline(line, 6)
		}
		return text
	case refers.MatchString(name) && len(m.ids) > 0:
		return m.known()
	case n == 0 && s.MaxLength != nil && *s.MaxLength < len(short):
		return short[:*s.MaxLength]
	case n == 0:
		return short
	}
	var text strings.Builder
	for i := 0; text.Len() < n; i++ {
		if fill == "letters" {
			text.WriteString(string(rune('a'+i*7%26)) + " ")
		} else {
			text.WriteString(words[i*7%len(words)] + " ")
		}
	}
	return strings.TrimSpace(text.String()[:n])
}

// fitting returns how many items a list has room for in a body.
func (m *maker) fitting(s *form, name string, like any) int {
	text, _ := json.Marshal(m.list(s, name, 64, like))
	return max(1, (bodyLimit-4096)/(len(text)/64+1))
}

// range of a text parameter, as its description has it: (2 to 1000).
var ranged = regexp.MustCompile(`\(?(\d+) to ([\d,]+)\)`)

// most returns how many a text parameter holds, 0 where it does not say.
func most(s *form) int {
	found := ranged.FindStringSubmatch(s.Description)
	if found == nil {
		return 0
	}
	n, _ := strconv.Atoi(strings.ReplaceAll(found[2], ",", ""))
	return n
}
