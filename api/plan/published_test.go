package plan_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
)

// followed returns a body of POST /v1/plans for the day of a clock, with these stops of one
// vehicle.
func followed(now time.Time, stops ...string) string {
	list := make([]string, len(stops))
	for i, id := range stops {
		list[i] = fmt.Sprintf(`{"id":%q,"name":"N %s","lat":47.5,"lon":9.5,"arrival_s":%d,"begin_s":%d,"end_s":%d,"time_windows":[[28800,72000]]}`, id, id, 36000+i*1800, 36000+i*1800, 36600+i*1800)
	}
	return fmt.Sprintf(`{"name":"Monday","begins_at":%q,"rounds":[{"vehicle":"v1","costing":"bicycle","stops":[%s]}]}`, now.UTC().Truncate(24*time.Hour).Format(time.RFC3339), strings.Join(list, ","))
}

func TestPublishedPlans(t *testing.T) {
	now := time.Date(2026, 5, 4, 8, 0, 0, 0, time.UTC)
	g := apitest.Start(t, func(o *api.Options) { o.Now = func() time.Time { return now } })
	key := apitest.Bearer(g.Minted(t, account.Minting{MonthlyQuota: 1e6, RatePerMin: 1e6}).Secret)
	other := apitest.Bearer(g.Minted(t, account.Minting{MonthlyQuota: 1e6, RatePerMin: 1e6}).Secret)
	r := g.Send("POST", "/v1/plans", followed(now, "a", "b"), key...)
	if r.Status != 201 || r.Header.Get("X-Svc-Quota-Units") != "1" || r.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	id := "/v1/plans/" + r.At(t, "id").(string)
	tokens := map[string]string{}
	for _, l := range r.At(t, "links").([]any) {
		link := l.(apitest.Object)
		stop, _ := link["stop"].(string)
		tokens[stop] = link["token"].(string)
	}
	if len(tokens) != 3 {
		t.Fatalf("%v", tokens)
	}
	driver, arrival := apitest.Bearer(tokens[""]), apitest.Bearer(tokens["b"])

	d := g.Send("GET", "/v1/driver", "", driver...)
	if d.At(t, "vehicle") != "v1" || d.At(t, "costing") != "bicycle" || d.Header.Get("Cache-Control") != "no-store" || d.Header.Get("ETag") == "" {
		t.Errorf("%s %v", d.Body, d.Header)
	}
	if again := g.Send("GET", "/v1/driver", "", append(driver, "If-None-Match", d.Header.Get("ETag"))...); again.Status != 304 {
		t.Errorf("%d %s", again.Status, again.Body)
	}
	if a := g.Send("GET", "/v1/arrival", "", arrival...); strings.Count(string(a.Body), ":") > 30 || a.At(t, "state") != "open" || a.At(t, "eta") != "2026-05-04T10:30:00Z" || strings.Contains(string(a.Body), "N b") || apitest.Names(a.JSON(t)) != "eta state time_windows" {
		t.Errorf("%s", a.Body)
	}
	whole := g.Send("GET", id, "", key...)
	mark := `{"marks":[{"stop":"a","state":"done","at":"2026-05-04T07:55:00Z","note":"left it <b>here</b>"},{"stop":"x","state":"done","at":"2026-05-04T07:55:00Z"}]}`
	for range 2 { // it may be sent again
		if m := g.Send("POST", "/v1/driver/marks", mark, driver...); m.At(t, "done") != 1.0 || !strings.Contains(string(m.Body), `"ignored":["x"]`) {
			t.Errorf("%s", m.Body)
		}
	}
	seen := g.Send("GET", id, "", append(key, "If-None-Match", whole.Header.Get("ETag"))...)
	if stop := seen.At(t, "rounds").([]any)[0].(apitest.Object)["stops"].([]any)[0].(apitest.Object); seen.Status != 200 || stop["state"] != "done" || stop["report"] != "left it <b>here</b>" {
		t.Errorf("%s", seen.Body)
	}
	if strings.Contains(string(seen.Body), tokens[""]) || seen.JSON(t)["links"] != nil {
		t.Errorf("a token is in %s", seen.Body)
	}
	if a := g.Send("GET", "/v1/arrival", "", arrival...); a.At(t, "eta") != "2026-05-04T08:15:00Z" {
		t.Errorf("%s", a.Body)
	}

	// Nobody else: without a key, with another, with a link in place of a key or a key in place of one.
	for _, c := range [][2]string{{"GET", id}, {"PUT", id}, {"DELETE", id}, {"POST", id + "/links"}, {"DELETE", id + "/links/x"}} {
		body := map[string]string{"PUT": followed(now, "a"), "POST": `{"vehicle":"v1"}`}[c[0]]
		g.Send(c[0], c[1], body, other...).Problem(t, 404, "not-found")
		g.Send(c[0], c[1], body, driver...).Problem(t, 401, "unauthorized")
		g.Send(c[0], c[1], body).Problem(t, 401, "unauthorized")
	}
	g.Send("GET", "/v1/driver", "").Problem(t, 401, "unauthorized")
	closed := string(g.Send("GET", "/v1/driver", "", key...).Body)
	g.Send("POST", id+"/links", `{"vehicle":"v1","stop":"a"}`, key...).Problem(t, 400, "bad-request")
	if l := g.Send("POST", id+"/links", `{"vehicle":"v1"}`, key...); l.Status != 201 || l.At(t, "token") == tokens[""] {
		t.Errorf("%d %s", l.Status, l.Body)
	} else if l2 := g.Send("DELETE", id+"/links/"+l.At(t, "id").(string), "", key...); l2.At(t, "gone") != true {
		t.Errorf("%s", l2.Body)
	} else {
		// Unknown, replaced and revoked are one answer.
		for _, token := range []string{tokens[""], l.At(t, "token").(string), "nothing", strings.Repeat("A", 32)} {
			if r := g.Send("GET", "/v1/driver", "", apitest.Bearer(token)...); r.Status != 404 || string(r.Body) != closed {
				t.Errorf("%d %s, want %s", r.Status, r.Body, closed)
			}
		}
	}
	for _, token := range tokens {
		if strings.Contains(g.Log.String(), token) {
			t.Error("a token is in the log")
		}
	}
	for _, odd := range []string{"%00", "%FF"} {
		g.Send("GET", "/v1/plans/"+odd, "", key...).Problem(t, 404, "not-found")
	}
	if list := g.Send("GET", "/v1/plans", "", key...); len(list.At(t, "plans").([]any)) != 1 {
		t.Errorf("%s", list.Body)
	}
	if r := g.Send("DELETE", id, "", key...); r.At(t, "gone") != true {
		t.Errorf("%s", r.Body)
	}
	if r := g.Send("GET", "/v1/arrival", "", arrival...); r.Status != 404 || string(r.Body) != closed {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}

// TestPublishedPlansAreBounded sends what is too much or makes no sense.
func TestPublishedPlansAreBounded(t *testing.T) {
	now := time.Date(2026, 5, 4, 8, 0, 0, 0, time.UTC)
	g := apitest.Start(t, func(o *api.Options) { o.Now = func() time.Time { return now } })
	key := apitest.Bearer(g.Minted(t, account.Minting{MonthlyQuota: 1e6, RatePerMin: 1e6}).Secret)
	many := make([]string, 1001)
	for i := range many {
		many[i] = fmt.Sprintf(`{"vehicle":"v%d","stops":[{"id":"%d","lat":1,"lon":1,"arrival_s":1,"begin_s":1,"end_s":1}]}`, i%200, i)
	}
	good := followed(now, "a", "b")
	for says, body := range map[string]string{
		"rounds[0].stops[1].id":             strings.ReplaceAll(good, `"id":"b"`, `"id":"a"`),
		"is before begin_s":                 strings.Replace(good, `"end_s":36600`, `"end_s":35000`, 1),
		"is before arrival_s":               strings.Replace(good, `"begin_s":36000`, `"begin_s":35000`, 1),
		"60 days":                           strings.Replace(good, "2026-05-04", "2026-08-04", 1),
		"keep_days":                         strings.Replace(good, `"name":"Monday"`, `"name":"Monday","keep_days":31`, 1),
		"is not known":                      strings.Replace(good, `"name":"Monday"`, `"name":"Monday","email":"x"`, 1),
		"rounds[0].stops":                   followed(now),
		"name: must not have the character": strings.Replace(good, `"Monday"`, `"Mon\u0000day"`, 1),
		"vehicle: must not have":            strings.Replace(good, `"v1"`, `"v\u0000"`, 1),
		"stops[1].id: must not have":        strings.Replace(good, `"id":"b"`, `"id":"\u0000b"`, 1),
		"may have 200":                      `{"name":"x","begins_at":"2026-05-04T00:00:00Z","rounds":[` + strings.Join(many[:201], ",") + `]}`,
		"rounds[0].stops[0].name":           strings.Replace(good, "N a", strings.Repeat("a", 201), 1),
		"1001 stops in all, at most 1000":   `{"name":"x","begins_at":"2026-05-04T00:00:00Z","rounds":[` + halves(1001) + `]}`,
	} {
		if p := g.Send("POST", "/v1/plans", body, key...).Problem(t, 400, "bad-request"); !strings.Contains(fmt.Sprint(p), says) {
			t.Errorf("%s: %v", says, p)
		}
	}
	r := g.Send("POST", "/v1/plans", `{"name":"x","begins_at":"2026-05-04T00:00:00Z","rounds":[`+halves(1000)+`]}`, key...)
	if r.Status != 201 || len(r.At(t, "links").([]any)) != 1002 {
		t.Fatalf("%d %.300s", r.Status, r.Body)
	}
	driver := apitest.Bearer(r.At(t, "links").([]any)[0].(apitest.Object)["token"].(string))
	for says, body := range map[string]string{
		"note":        `{"marks":[{"stop":"0","state":"done","at":"2026-05-04T00:00:00Z","note":"` + strings.Repeat("a", 501) + `"}]}`,
		"state":       `{"marks":[{"stop":"0","state":"lost","at":"2026-05-04T00:00:00Z"}]}`,
		"marks":       `{"marks":[]}`,
		"marks[0].at": `{"marks":[{"stop":"0","state":"done","at":"today"}]}`,
	} {
		if p := g.Send("POST", "/v1/driver/marks", body, driver...).Problem(t, 400, "bad-request"); !strings.Contains(fmt.Sprint(p), says) {
			t.Errorf("%s: %v", says, p)
		}
	}
	if r := g.Send("POST", "/v1/plans", strings.Repeat(" ", 2<<20)+good, key...); r.Status != 413 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	// A network has its rate, whether or not its tokens open something.
	for i := range 700 {
		req := httptest.NewRequest(http.MethodGet, "/v1/driver", nil)
		req.Header.Set("Authorization", "Bearer nothing")
		w := httptest.NewRecorder()
		g.Edge.ServeHTTP(w, req)
		if w.Code == http.StatusTooManyRequests {
			if i < 500 {
				t.Errorf("limited after %d calls", i)
			}
			return
		}
	}
	t.Error("guesses are not limited")
}

// halves returns the stops of two vehicles.
func halves(n int) string {
	stops := make([]string, n)
	for i := range stops {
		stops[i] = fmt.Sprintf(`{"id":"%d","lat":1,"lon":1,"arrival_s":1,"begin_s":1,"end_s":1}`, i)
	}
	return `{"vehicle":"1","stops":[` + strings.Join(stops[:n/2], ",") + `]},{"vehicle":"2","stops":[` + strings.Join(stops[n/2:], ",") + `]}`
}

// TestDriversBehindOneAddress has the drivers of a depot call from one address more often than a
// network may try tokens: only tokens that opened nothing here lately are limited together, and
// above the rate a right one gets the answer of a wrong one.
func TestDriversBehindOneAddress(t *testing.T) {
	now := time.Date(2026, 5, 4, 8, 0, 0, 0, time.UTC)
	g := apitest.Start(t, func(o *api.Options) { o.Now = func() time.Time { return now } })
	minted := g.Minted(t, account.Minting{MonthlyQuota: 1e6, RatePerMin: 1e6})
	r := g.Send("POST", "/v1/plans", followed(now, "a", "b"), apitest.Bearer(minted.Secret)...)
	token := map[string]string{}
	for _, l := range r.At(t, "links").([]any) {
		stop, _ := l.(apitest.Object)["stop"].(string)
		token[stop] = l.(apitest.Object)["token"].(string)
	}
	call := func(path, token string) (int, string) {
		w, req := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil)
		req.Header.Set("Authorization", "Bearer "+token)
		g.Edge.ServeHTTP(w, req)
		return w.Code, w.Body.String()
	}
	driver := func(want int) {
		t.Helper()
		if status, body := call("/v1/driver", token[""]); status != want {
			t.Errorf("the driver's link gives %d %s", status, body)
		}
	}
	for range 20 { // of drivers and of customers
		driver(200)
		if status, body := call("/v1/arrival", token["b"]); status != 200 {
			t.Fatalf("%d %s", status, body)
		}
	}
	tried := 2 // the first calls of both
	for ; ; tried++ {
		if status, _ := call("/v1/driver", strings.Repeat("A", 32)); status == http.StatusTooManyRequests {
			break
		}
	}
	if tried != 600 {
		t.Errorf("%d tokens are tried before a network is limited", tried)
	}
	driver(200)
	_, wrong := call("/v1/arrival", strings.Repeat("B", 32))
	if status, right := call("/v1/arrival", token["a"]); status != http.StatusTooManyRequests || right != wrong {
		t.Errorf("the answers to a right and a wrong token differ: %d %s, %s", status, right, wrong)
	}
	for range 600 - 20 {
		driver(200)
	}
	driver(http.StatusTooManyRequests) // 600 calls of one link
	now = now.Add(time.Minute)
	driver(200)
	if status, body := call("/v1/arrival", token["a"]); status != 200 {
		t.Errorf("a minute later: %d %s", status, body)
	}

	// A link that opens nothing any more is a try again; that of a revoked key at once.
	if r := g.Send("DELETE", "/admin/keys/"+minted.Key.ID, "", apitest.Bearer(apitest.AdminToken)...); r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	driver(http.StatusNotFound)
	if status, _ := call("/v1/arrival", token["a"]); status != http.StatusNotFound {
		t.Errorf("the arrival of a revoked key: %d", status)
	}
}
