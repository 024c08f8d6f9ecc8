package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/waittest"
	"github.com/waygate/waygate/wire/schema/schematest"
)

// A file of testdata/answers holds questions and their answers:
//
//	=== title
//	POST /path
//	Header: value
//
//	body, sent as it stands
//
//	--- 200
//	Header: value
//
//	body
//
// To add a question write its first half and run the test with -update. JSON
// that is compact and ends with a newline, as the gateway writes it, is shown
// broken into lines; any other body is shown as it is.
const answersDir = "answers"

// accountsFile has a gateway of its own: its answers depend on what was asked
// before.
const accountsFile = "accounts"

// imagesFile has images, whose entity tags depend on how the website was built.
const imagesFile = "static-map"

// question is a request of a file, and what must be answered.
type question struct {
	title, text          string // as in the file, without the answer
	method, target, body string
	header               []string
	want                 string
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", answersDir, "*.txt"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files of answers (%v)", len(files), err)
	}
	env := []string{
		"SVC_REGION_DIR=" + countyDir(t), "SVC_BASE_URL=https://halvern.example", "SVC_ADMIN_TOKEN=" + adminToken,
		"SVC_VOICE_ENGINE=off", "SVC_ELEVATION_DIR=" + filepath.Join(filepath.Dir(countyPBF(t)), "heights"), "SVC_ELEVATION_DATASET=invented",
	}
	g := start(t, env, "serve")
	key, _ := mint(t, g, 1e9, 1e6)
	document := g.get(t, "/openapi.json", "Accept-Encoding: identity").ok(t)
	described, err := schematest.Read(document.body)
	assert.NilError(t, err)
	asked := make([][]question, len(files))
	t.Run("of", func(t *testing.T) {
		for i, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".txt")
			asked[i] = questions(t, file)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				if name == imagesFile {
					needsChromium(t)
				}
				s := &scribe{gateway: g, key: key, described: described}
				if name == accountsFile {
					s = &scribe{gateway: start(t, append(env, "SVC_UNIT_PRICE=7"), "serve"), secretive: true, described: described}
				}
				s.compare(t, file, asked[i])
			})
		}
	})
	t.Run("openapi", func(t *testing.T) {
		var text bytes.Buffer
		assert.NilError(t, json.Indent(&text, document.body, "", "  "))
		golden.Assert(t, text.String(), filepath.Join(answersDir, "openapi.json"))
	})
	t.Run("every endpoint is asked", func(t *testing.T) {
		everyEndpoint(t, document, slices.Concat(asked...))
	})
}

// TestAnswersOfValhalla asks a gateway before a real Valhalla. The answers
// say whether they are Valhalla's own to the same body, byte for byte.
func TestAnswersOfValhalla(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", answersDir, "valhalla", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no answers of Valhalla (%v)", err)
	}
	peer := enginetest.StartValhalla(t, countyPBF(t)).URL
	g := start(t, []string{"SVC_REGION_DIR=" + countyDir(t), "SVC_VALHALLA_URL=" + peer, "SVC_BASE_URL=https://halvern.example", "SVC_ADMIN_TOKEN=" + adminToken}, "serve")
	key, _ := mint(t, g, 1e9, 1e6)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			(&scribe{gateway: g, key: key, peer: peer}).compare(t, file, questions(t, file))
		})
	}
}

// everyEndpoint fails the test where the document has an endpoint, other than
// itself, that no question has.
func everyEndpoint(t *testing.T, document *answer, asked []question) {
	t.Helper()
	for _, e := range endpoints(t, document) {
		if e.path != "/openapi.json" && !slices.ContainsFunc(asked, e.takes) {
			t.Errorf("no question asks %s %s", e.method, e.path)
		}
	}
}

// endpoint is one of the document.
type endpoint struct {
	method, path string
	pattern      *regexp.Regexp
}

// takes reports whether a question is put to the endpoint.
func (e endpoint) takes(q question) bool {
	return q.method == e.method && e.pattern.MatchString(q.target)
}

// endpoints lists those of the document by path.
func endpoints(t testing.TB, document *answer) (all []endpoint) {
	t.Helper()
	var doc struct{ Paths map[string]map[string]any }
	document.into(t, &doc)
	holes := regexp.MustCompile(`\\\{\w+\\\}`)
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		pattern := regexp.MustCompile(`^` + holes.ReplaceAllString(regexp.QuoteMeta(path), `[^/]+`) + `(\?|$)`)
		for _, method := range slices.Sorted(maps.Keys(doc.Paths[path])) {
			all = append(all, endpoint{strings.ToUpper(method), path, pattern})
		}
	}
	return all
}

// questions reads a file.
func questions(t testing.TB, file string) (all []question) {
	t.Helper()
	text, err := os.ReadFile(file)
	assert.NilError(t, err)
	for part := range strings.SplitSeq("\n"+string(text), "\n=== ") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		asked, want, _ := strings.Cut(part, "\n--- ")
		q := question{text: strings.TrimSpace(asked), want: strings.TrimRight(want, "\n")}
		title, rest, _ := strings.Cut(q.text, "\n")
		head, body, _ := strings.Cut(rest, "\n\n")
		lines := strings.Split(head, "\n")
		q.title, q.header, q.body = title, lines[1:], body
		var ok bool
		if q.method, q.target, ok = strings.Cut(lines[0], " "); !ok {
			t.Fatalf("%s: %q has no request line", file, title)
		}
		all = append(all, q)
	}
	return all
}

// scribe calls a gateway and records its answers.
type scribe struct {
	gateway   *gateway
	key       string               // sent with questions that say nothing of authorization
	peer      string               // a Valhalla that is called too, by its address
	secretive bool                 // answers hold secrets, times and numbers of rows
	described *schematest.Document // what every answer is held against; nil where nothing is
	real      map[string]string    // what a mark stands for
	marks     map[string]string    // the other way round
	counts    map[string]int       // marks of each kind
}

// compare sends the questions of a file one after the other.
func (s *scribe) compare(t *testing.T, file string, all []question) {
	s.real, s.marks, s.counts = map[string]string{}, map[string]string{}, map[string]int{}
	var text strings.Builder
	for _, q := range all {
		got := s.ask(t, q)
		if !golden.FlagUpdate() {
			t.Run(q.title, func(t *testing.T) { assert.Equal(t, got, q.want) })
		}
		fmt.Fprintf(&text, "=== %s\n\n--- %s\n\n", q.text, got)
	}
	if golden.FlagUpdate() {
		assert.NilError(t, os.WriteFile(file, []byte(text.String()), 0o644))
	}
}

// ask returns the answer as the file has it.
func (s *scribe) ask(t testing.TB, q question) string {
	t.Helper()
	a := s.send(t, q)
	if s.described != nil {
		if err := s.described.Answer(q.method, s.unmask(q.target), a.status, a.header, a.body); err != nil {
			t.Errorf("%s is not answered as /openapi.json says: %v", q.title, err)
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%d\n", a.status)
	for _, name := range slices.Sorted(maps.Keys(a.header)) {
		for _, value := range a.header[name] {
			switch {
			case name == "Date", name == "X-Request-Id", name == "Content-Length", name == "Access-Control-Expose-Headers":
				continue
			case name == "Access-Control-Allow-Origin" && value == "*", name == "Vary" && value == "Accept-Encoding":
				continue // all have them
			case name == "Etag" && (strings.HasPrefix(value, "W/") || strings.Contains(q.target, "/static-map")): // of a body that is here, too, or depends on the build
				value = "<tag>"
			case name == "Retry-After":
				value = "<seconds>"
			}
			fmt.Fprintf(&text, "%s: %s\n", name, s.mask(value))
		}
	}
	if s.peer != "" && q.method == http.MethodPost && a.status == http.StatusOK {
		its, err := request(q.method, s.peer+q.target, q.body)
		assert.NilError(t, err)
		fmt.Fprintf(&text, "As Valhalla's own: %t\n", bytes.Equal(its.body, a.body))
	}
	if len(a.body) > 0 {
		fmt.Fprintf(&text, "\n%s", s.mask(shown(a)))
	}
	return strings.TrimRight(text.String(), "\n")
}

// send sends a question, and once more where a busy machine did not draw an image in time.
func (s *scribe) send(t testing.TB, q question) (a *answer) {
	t.Helper()
	waittest.Until(t, q.title+" is drawn in time", func() bool {
		a = s.gateway.send(t, q.method, s.unmask(q.target), s.unmask(q.body), append(s.authorized(q), "Accept-Encoding: identity")...)
		return a.status != http.StatusGatewayTimeout || strings.HasPrefix(q.want, "504") || !bytes.Contains(a.body, []byte("static-map-unavailable"))
	})
	return a
}

// authorized returns the headers to send.
func (s *scribe) authorized(q question) (header []string) {
	own := s.key == ""
	for _, h := range q.header {
		own = own || strings.HasPrefix(h, "Authorization: ")
		if h != "Authorization: none" {
			header = append(header, s.unmask(h))
		}
	}
	if !own {
		header = append(header, bearer(s.key))
	}
	return header
}

// shown returns a body as the file has it: of what is no text a hash, of pages
// nothing, because building the website names their parts anew.
func shown(a *answer) string {
	media, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	switch {
	case media == "text/html":
		return "<a page>"
	case media == "application/json", strings.HasSuffix(media, "+json"):
		var compact bytes.Buffer
		if json.Compact(&compact, a.body) != nil {
			break
		}
		text := compact.String()
		laid := lines(buildOf.ReplaceAll(compact.Bytes(), []byte(`${1}null`)), "")
		switch string(a.body) {
		case text + "\n":
			return laid
		case text:
			return laid + "\n\\ No newline at end"
		}
	case strings.HasPrefix(media, "text/"):
	case strings.HasPrefix(media, "image/"):
		return picture(a.body)
	default:
		return fmt.Sprintf("%d bytes, SHA-256 %x", len(a.body), sha256.Sum256(a.body))
	}
	return string(a.body)
}

// buildOf finds the revision of a build, whose length would decide where lines break.
var buildOf = regexp.MustCompile(`("(?:gateway_)?build": ?)"[^"]*"`)

// lines breaks compact JSON where a value has more than a line's width.
func lines(value []byte, indent string) string {
	if len(indent)+len(value) <= 160 || value[0] != '{' && value[0] != '[' {
		return string(value)
	}
	var text strings.Builder
	inner := indent + " "
	text.WriteByte(value[0])
	decoder := json.NewDecoder(bytes.NewReader(value))
	_, _ = decoder.Token() // the bracket; the value is JSON
	for first := true; decoder.More(); first = false {
		if !first {
			text.WriteByte(',')
		}
		text.WriteString("\n" + inner)
		var part json.RawMessage
		if value[0] == '{' {
			from := decoder.InputOffset()
			_, _ = decoder.Token()
			text.Write(bytes.TrimLeft(value[from:decoder.InputOffset()], ","))
			text.WriteString(": ")
		}
		_ = decoder.Decode(&part)
		text.WriteString(lines(part, inner))
	}
	text.WriteString("\n" + indent)
	text.WriteByte(value[len(value)-1])
	return text.String()
}

const months = `(?:January|February|March|April|May|June|July|August|September|October|November|December)`

// volatile has the values that differ each time, by the kind its marks name.
var volatile = []struct {
	kind      string
	secretive bool // only in answers about accounts
	pattern   *regexp.Regexp
}{
	{"swapped", false, regexp.MustCompile(`"graph_swapped": ?"([^"]+)"`)},
	{"build", false, regexp.MustCompile(`"(?:gateway_)?build": ?("[^"]+"|null)`)},
	{"checked", false, regexp.MustCompile(`"checked_at": ?"([^"]+)"`)},
	{"uploaded", false, regexp.MustCompile(`"updated_at": ?"([^"]+)"`)},
	{"key", false, regexp.MustCompile(`"answer_key": ?"([^"]+)"`)},
	{"cores", false, regexp.MustCompile(`"dear_calls": ?(\d+)`)},
	{"work", false, regexp.MustCompile(`"estimated_ms": ?([\d.]+)`)},
	{"age", false, regexp.MustCompile(`"age_s": ?([\d.]+)`)},
	{"crossing", false, regexp.MustCompile(`"(?:enters|leaves)_at": ?"([^"]+)"`)},
	// What keys used is written down every half second, before or after these answers.
	{"used", true, regexp.MustCompile(`"first_success_at": ?(null|"[^"]+")`)},
	{"used", true, regexp.MustCompile(`"top_endpoints": ?(\[[^\]]*\])`)},
	{"used", true, regexp.MustCompile(`"window_days": ?30,("standard": ?\d+,"premium": ?\d+,"total": ?\d+)`)},
	{"id", true, regexp.MustCompile(`\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b`)},
	{"id", true, regexp.MustCompile(`\b((?:plan|link)_[A-Z2-7]{26})\b`)},
	{"secret", true, regexp.MustCompile(`"token": ?"([\w-]{32})"`)},
	{"secret", true, regexp.MustCompile(`(whsec_[\w+/=]+|[\w-]{40,})`)},
	{"time", true, regexp.MustCompile(`(20\d\d-\d\d-\d\dT[\d:.]+Z)`)},
	{"month", true, regexp.MustCompile(`\b((?:\d+ )?` + months + `(?: \d{4})?)\b`)},
	{"date", true, regexp.MustCompile(`"(20\d\d-\d\d(?:-\d\d)?)"`)},
}

// mask puts marks for what differs each time. A mark in a later question
// stands for the same.
func (s *scribe) mask(text string) string {
	for _, v := range volatile {
		if v.secretive && !s.secretive {
			continue
		}
		text = v.pattern.ReplaceAllStringFunc(text, func(found string) string {
			value := v.pattern.FindStringSubmatch(found)[1]
			return strings.Replace(found, value, s.mark(v.kind, value), 1)
		})
	}
	return text
}

func (s *scribe) mark(kind, value string) string {
	if kind != "id" && kind != "secret" {
		return "<" + kind + ">"
	}
	if m, ok := s.marks[value]; ok {
		return m
	}
	s.counts[kind]++
	m := fmt.Sprintf("<%s %d>", kind, s.counts[kind])
	s.marks[value], s.real[m] = m, value
	return m
}

func (s *scribe) unmask(text string) string {
	for m, value := range s.real {
		text = strings.ReplaceAll(text, m, value)
	}
	return text
}
