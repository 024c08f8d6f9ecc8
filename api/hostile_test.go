package api_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/road/search/searchtest"
)

// hostileValues are JSON values of about a megabyte that are dear to read
// carelessly. What is not JSON is among them.
func hostileValues(size int) map[string]string {
	fill := func(head, one, tail string) string {
		return head + strings.Repeat(one, max(0, size-len(head)-len(tail))/len(one)) + tail
	}
	numbered := func(form string) string {
		var b strings.Builder
		for i := 0; b.Len() < size-64; i++ {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, form, i)
		}
		return b.String()
	}
	half := size / 2
	return map[string]string{
		"brackets":            strings.Repeat("[", size),
		"braces":              strings.Repeat(`{"a":`, size/5),
		"closed brackets":     strings.Repeat("[", half) + strings.Repeat("]", half),
		"lists at the limit":  fill("[", strings.Repeat("[", 58)+"1"+strings.Repeat("]", 58)+",", "1]"),
		"commas":              "[" + strings.Repeat(",", size),
		"numbers":             fill("[", "1,", "1]"),
		"fractions":           fill("[", "0.12345678901234567,", "1]"),
		"digits":              strings.Repeat("7", size),
		"decimals":            "0." + strings.Repeat("7", size),
		"exponents":           fill("[", "1e999999,-1e-99999,", "1]"),
		"exponent":            "1e" + strings.Repeat("9", size),
		"nulls":               fill("[", "null,", "null]"),
		"objects":             fill("[", "{},", "{}]"),
		"places":              fill("[", `{"lat":1,"lon":1},`, `{"lat":1,"lon":1}]`),
		"wrong places":        fill("[", `{"lat":"x","lon":[]},`, `{}]`),
		"pairs":               fill("[", "[1.5,2.5],", "[1,2]]"),
		"rings":               fill("[[", "[1.5,2.5],", "[1,2]]]"),
		"many rings":          fill("[", "[[1,2],[1,3],[2,3],[1,2]],", "[]]"),
		"texts":               fill("[", `"a",`, `"a"]`),
		"text":                fill(`"`, "a", `"`),
		"escapes":             fill(`"`, `\u0041`, `"`),
		"lone surrogates":     fill(`"`, `\ud800`, `"`),
		"backslashes":         fill(`"`, `\\`, `"`),
		"umlauts":             fill(`"`, "ü", `"`),
		"polyline":            fill(`"`, "_p~iF~ps|U_ulLnnqC", `"`),
		"polyline of nothing": fill(`"`, "?", `"`),
		"polyline unended":    fill(`"`, "_", `"`),
		"open text":           `"` + strings.Repeat("a", size),
		"spaces":              fill("", " \n\t", "1"),
		"members":             "{" + numbered(`"m%d":1`) + "}",
		"same member":         fill("{", `"a":1,`, `"a":1}`),
		"same member escaped": fill("{", `"\u0061":1,`, `"a":1}`),
		"long names":          fill(`{"`, "n", `":1}`),
		"nested members":      `{"a":{` + numbered(`"m%d":{}`) + "}}",
		"features":            fill(`{"type":"FeatureCollection","features":[`, `{"type":"Feature","geometry":null},`, `{}]}`),
		"linestring":          fill(`{"type":"LineString","coordinates":[`, `[1,2],`, `[1,2]]}`),
		"polygons":            fill(`{"type":"MultiPolygon","coordinates":[`, `[[[1,2],[1,3],[2,3],[1,2]]],`, `[]]}`),
	}
}

// hostile is the request that is sent to a row: a value as the body, or in place of one
// member of it.
type hostile struct {
	row          *edge.Row
	what, member string
}

func (h *hostile) String() string {
	if h.member != "" {
		return h.row.Label() + ", " + h.what + " as " + h.member
	}
	return h.row.Label() + ", " + h.what
}

func (h *hostile) body(values map[string]string) string {
	if h.member != "" {
		return `{"` + h.member + `":` + values[h.what] + "}"
	}
	return values[h.what]
}

// door is a gateway, and how its rows are reached.
type door struct {
	*apitest.Gateway
	edge   *edge.Edge
	header map[edge.Auth]string // Authorization
}

func newDoor(t *testing.T) *door {
	g, _ := apitest.Drawn(t)
	d := &door{Gateway: g, edge: g.Config.Handler.(*edge.Edge)}
	k := g.Minted(t, account.Minting{MonthlyQuota: 1_000_000_000_000})
	g.SignUp("ann@example.org")
	d.header = map[edge.Auth]string{
		edge.Keyed: "Bearer " + k.Secret, edge.Operators: "Bearer " + apitest.AdminToken, edge.Scrapers: "Bearer " + apitest.AdminToken,
		edge.SignedIn: "Bearer " + g.SignIn("ann@example.org", 1),
	}
	return d
}

// values fill in a path.
var values = strings.NewReplacer("{email}", "ann@example.org", "{profile}", "car", "{coordinates}", "9.1,47.1;9.2,47.2", "{z}", "1", "{x}", "1", "{y}", "1", "{territory}", "county")

// path returns an address of a row.
func (d *door) path(row *edge.Row) string {
	at := values.Replace(row.Path)
	for strings.Contains(at, "{") {
		head, rest, _ := strings.Cut(at, "{")
		_, tail, _ := strings.Cut(rest, "}")
		at = head + "x" + tail
	}
	return at
}

// ask sends a body to a row and gives the answer and the bytes that were allocated for it.
func (d *door) ask(row *edge.Row, body string, n int) (*httptest.ResponseRecorder, uint64) {
	r := httptest.NewRequest(row.Method, d.path(row), strings.NewReader(body))
	r.RemoteAddr = fmt.Sprintf("10.%d.%d.%d:1", n>>16&255, n>>8&255, n&255) // public rows have a rate for each network
	r.Header.Set("Content-Type", "application/json")
	if auth := d.header[row.Auth]; auth != "" {
		r.Header.Set("Authorization", auth)
	}
	w := httptest.NewRecorder()
	before := allocated()
	d.edge.ServeHTTP(w, r)
	return w, allocated() - before
}

// allocated returns how many bytes this process has allocated since it began.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// bodied returns the rows that take a body.
func (d *door) bodied() (rows []*edge.Row) {
	all := d.edge.Rows()
	for i := range all {
		if row := &all[i]; row.Method == http.MethodPost || row.Method == http.MethodPut || row.Method == http.MethodPatch {
			rows = append(rows, row)
		}
	}
	return rows
}

// members returns those of a row's body that the document names.
func (d *door) members(row *edge.Row) (names []string) {
	item := d.Document.Paths.Find(row.Path)
	if item == nil || item.GetOperation(row.Method) == nil || item.GetOperation(row.Method).RequestBody == nil {
		return nil
	}
	media := item.GetOperation(row.Method).RequestBody.Value.Content.Get("application/json")
	if media == nil || media.Schema == nil {
		return nil
	}
	for name := range media.Schema.Value.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// cases are bodies for every row that takes one: each value as the body, and in
// place of each member.
func (d *door) cases(values map[string]string) (all []hostile) {
	names := slices.Sorted(maps.Keys(values))
	for _, row := range d.bodied() {
		for _, member := range append([]string{""}, d.members(row)...) {
			for _, what := range names {
				all = append(all, hostile{row, what, member})
			}
		}
	}
	return all
}

// goWords are words of the libraries of Go that no caller should read.
var goWords = []string{
	"invalid character", "unexpected EOF", "unexpected end of JSON", "cannot unmarshal", "http: ", "strconv.", " json: ", "\"json: ", "invalid syntax", "value out of range",
	"runtime error", "goroutine ", "net/http", "parsing \"", "parse \"", "context deadline", "context canceled", "illegal base64", "multipart:", "mime:", "sql: ", "EOF",
}

// mostHostile is how many bytes may be allocated for a hostile body of a megabyte, on average
// over all. One alone may have twenty times as many.
const mostHostile = 5 << 20

// Bodies of a megabyte that mean harm are refused for little work, in our own
// words, without being repeated.
func TestHostileBodies(t *testing.T) {
	searchtest.Sequential(t)
	d := newDoor(t)
	values := hostileValues(1<<20 - 64)
	cases := d.cases(values)
	every := 53 // WAYGATE_HOSTILE=1 has every one of them
	if n, err := strconv.Atoi(os.Getenv("WAYGATE_HOSTILE")); err == nil && n > 0 {
		every = n
	}
	type cost struct {
		hostile
		took uint64
	}
	var costs []cost
	var sum uint64
	n := 0
	for i := 0; i < len(cases); i += every {
		c := cases[i]
		n++
		w, took := d.ask(c.row, c.body(values), n)
		costs = append(costs, cost{c, took})
		sum += took
		answer := w.Body.String()
		if w.Code >= 500 && w.Code != 501 && w.Code != 503 || w.Code < 400 && w.Code != 200 && w.Code != 201 && w.Code != 202 && w.Code != 204 {
			t.Errorf("%s: %d %.300s", &c, w.Code, answer)
		}
		if w.Code >= 400 && len(answer) > 8<<10 {
			t.Errorf("%s: a refusal of %d bytes: %.200s", &c, len(answer), answer)
		}
		for _, word := range goWords {
			if w.Code >= 400 && strings.Contains(answer, word) {
				t.Errorf("%s: %q in %.300s", &c, word, answer)
			}
		}
	}
	slices.SortFunc(costs, func(a, b cost) int { return cmp.Compare(b.took, a.took) })
	for _, c := range costs[:min(25, len(costs))] {
		t.Logf("%8d KB %s", c.took>>10, &c.hostile)
	}
	mean := sum / uint64(n)
	if t.Logf("%d of %d bodies, %d KB each on average", n, len(cases), mean>>10); mean > mostHostile {
		t.Errorf("%d bytes are allocated for a hostile body", mean)
	}
	if worst := costs[0]; worst.took > 20*mostHostile {
		t.Errorf("%d bytes are allocated for %s", worst.took, &worst.hostile)
	}
}
