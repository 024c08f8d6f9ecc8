package api_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/road/search/searchtest"
	"github.com/waygate/waygate/soaktest"
)

// garbage has values that no parameter, header or path should hold.
var garbage = []string{
	"", " ", "x", "-1", "1e999", "NaN", "0x10", "99999999999999999999", "1.5", "true", "null", "{}", "[]", `"`, "'", "\x00", "\xff\xfe", "\ufeff1", "é", "%", "%zz", "a;b",
	"2026-13-45", "2026-01-01T25:00:00Z", "../../etc/passwd", "wg_", strings.Repeat("9", 400), strings.Repeat("x", 5000), "<script>", "\r\nX: y", "_p~iF~ps|U",
}

// garbageBodies are small bodies that are nothing, with what may stand in their
// header.
func garbageBodies() map[string][]byte {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write([]byte(`{"locations":[]}`))
	_ = z.Close()
	all := map[string][]byte{
		"empty": nil, "space": []byte(" \n"), "BOM": []byte("\ufeff{}"), "NUL": []byte("\x00"), "NUL in text": []byte("{\"a\":\"\x00\"}"), "gzip": zipped.Bytes(),
		"latin1": []byte("{\"a\":\"\xe9\"}"), "utf16": []byte("{\x00}\x00"), "form": []byte("a=1&b=2"), "xml": []byte("<a/>"), "cut": []byte(`{"a":`), "twice": []byte(`{}{}`),
		"surrogate": []byte(`{"a":"\ud800"}`), "escape": []byte(`{"a":"\x"}`), "single": []byte(`{'a':1}`), "comment": []byte(`{/*x*/}`), "number": []byte("1.e5"), "infinity": []byte(`{"a":Infinity}`),
		"list": []byte("[]"), "null": []byte("null"), "text": []byte(`"x"`), "object": []byte("{}"),
	}
	return all
}

// garbageValues stand in place of members.
var garbageValues = []string{
	`null`, `true`, `"x"`, `""`, `-1`, `1.5`, `5.0`, `5e0`, `1e999`, `99999999999999999999`, `[]`, `{}`, `[null]`, `[[]]`, `[{}]`, `["x"]`, `[1]`, `{"a":1}`, `"\ud800"`, `"\u0000"`,
	`"2026-13-45T99:99"`, `"` + strings.Repeat("y", 3000) + `"`,
}

// wordsOf returns a word of Go's that an answer has; "" where there is none.
func wordsOf(w *httptest.ResponseRecorder) string {
	if w.Code < 400 {
		return ""
	}
	answer := w.Body.String()
	for _, word := range goWords {
		if strings.Contains(answer, word) {
			return word
		}
	}
	return ""
}

// TestGarbage sends nonsense to every row: as its body, in place of each member, parameter
// and part of the path, in its headers. No answer is a failure of the server, none is in the
// words of Go's libraries, none repeats much of the nonsense.
func TestGarbage(t *testing.T) {
	searchtest.Sequential(t)
	d := newDoor(t)
	n, refused, statuses := 0, 0, map[int]int{}
	ask := func(row *edge.Row, path, body string, header ...string) {
		n++
		r := &http.Request{Method: row.Method, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Host: "api.example.com", RemoteAddr: fmt.Sprintf("10.%d.%d.%d:1", n>>16&255, n>>8&255, n&255)}
		u, err := url.ParseRequestURI(path)
		if err != nil {
			return // net/http refuses it before us
		}
		r.URL, r.RequestURI = u, path
		r.Body, r.ContentLength = http.NoBody, 0
		if body != "" {
			r = r.WithContext(t.Context())
			r.Body, r.ContentLength = httptest.NewRequest("POST", "/", strings.NewReader(body)).Body, int64(len(body))
		}
		r.Header.Set("Content-Type", "application/json")
		if auth := d.header[row.Auth]; auth != "" {
			r.Header.Set("Authorization", auth)
		}
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		d.edge.ServeHTTP(w, r.WithContext(t.Context()))
		if statuses[w.Code]++; w.Code == http.StatusBadRequest {
			refused++
		}
		asked := fmt.Sprintf("%s %.200q with %.200q %.200q", row.Method, path, body, header)
		if w.Code >= 500 && w.Code != 501 && w.Code != 503 {
			t.Errorf("%s: %d %.300s", asked, w.Code, w.Body)
		}
		if word := wordsOf(w); word != "" {
			t.Errorf("%s: %q in %.400s", asked, word, w.Body)
		}
		if w.Code >= 400 && w.Body.Len() > 8<<10 {
			t.Errorf("%s: a refusal of %d bytes", asked, w.Body.Len())
		}
		if w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: without nosniff", asked)
		}
	}
	rows := d.edge.Rows()
	for i := range rows {
		row := &rows[i]
		if row.Method == http.MethodDelete && (row.Auth == edge.SignedIn) {
			continue // it would end the session that the other rows are called in
		}
		path := d.path(row)
		for k, g := range garbage {
			d.pathsWith(row, url.PathEscape(g), func(path string) { ask(row, path, "") })
			ask(row, path+"?"+g, "")
			for _, name := range d.queries(row) {
				ask(row, path+"?"+name+"="+url.QueryEscape(g), "")
				if raw := strings.ReplaceAll(g, " ", "+"); raw != url.QueryEscape(g) {
					ask(row, path+"?"+name+"="+raw, "")
				}
			}
			for j, name := range []string{"If-None-Match", "If-Modified-Since", "Range", "Accept", "Accept-Encoding", "Accept-Language", "Origin", "Referer", "X-Forwarded-For", "X-Request-Id", "X-Payment", "Stripe-Signature", "Content-Type", "Content-Encoding", "Expect", "Cookie", "User-Agent"} {
				// The code that reads a header is most often the same for all rows: each text
				// in each header goes to a quarter of them, and to all in make soak.
				if (i+j+k)%4 == 0 || soaktest.Whole() {
					ask(row, path, "{}", name, g)
				}
			}
		}
		if row.Method == http.MethodGet {
			ask(row, path, "{}")
			continue
		}
		for _, body := range garbageBodies() {
			for _, media := range []string{"application/json", "text/plain; charset=latin1", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json; charset=utf-16", ""} {
				ask(row, path, string(body), "Content-Type", media)
			}
			ask(row, path, string(body), "Content-Encoding", "gzip")
		}
		for _, name := range d.members(row) {
			for _, v := range garbageValues {
				ask(row, path, fmt.Sprintf(`{%q:%s}`, name, v))
			}
		}
	}
	t.Logf("%d requests: %v", n, statuses)
	if refused < n/4 {
		t.Errorf("%d of %d requests were refused for what they hold", refused, n)
	}
}

// pathsWith gives the addresses of a row with a text in one place of its path.
func (d *door) pathsWith(row *edge.Row, text string, ask func(path string)) {
	for rest := row.Path; ; {
		_, after, found := strings.Cut(rest, "{")
		if !found {
			return
		}
		name, tail, _ := strings.Cut(after, "}")
		if text != "" {
			one := *row
			one.Path = strings.Replace(row.Path, "{"+name+"}", text, 1)
			ask(d.path(&one))
		}
		rest = tail
	}
}

// queries returns the parameters of a row's query that the document names.
func (d *door) queries(row *edge.Row) (names []string) {
	item := d.Document.Paths.Find(row.Path)
	if item == nil || item.GetOperation(row.Method) == nil {
		return nil
	}
	for _, p := range item.GetOperation(row.Method).Parameters {
		if p.Value.In == "query" {
			names = append(names, p.Value.Name)
		}
	}
	return names
}
