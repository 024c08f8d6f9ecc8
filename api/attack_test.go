package api_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
)

// proxied has the test's own address be a proxy, so that a test may come from
// many clients.
func proxied(o *api.Options) { o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} }

func from(client int) []string {
	return []string{"X-Forwarded-For", fmt.Sprintf("198.51.%d.%d", client/250, client%250+1)}
}

// clock is a time that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *clock) advance(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.now = c.now.Add(d) }

func TestIssuanceRefuses(t *testing.T) {
	g := apitest.Start(t, proxied)
	good := func(change apitest.Object) string {
		v := apitest.Object{"email": "ann@example.org", "accept_tos": true}
		for name, value := range change {
			v[name] = value
		}
		return apitest.Body(v)
	}
	for name, c := range map[string]struct {
		body string
		slug string
	}{
		"no address":             {good(apitest.Object{"email": ""}), "invalid-email"},
		"no e-mail member":       {`{"accept_tos":true}`, "invalid-email"},
		"no at":                  {good(apitest.Object{"email": "example.org"}), "invalid-email"},
		"two ats":                {good(apitest.Object{"email": "a@b@example.org"}), "invalid-email"},
		"header injection":       {good(apitest.Object{"email": "ann@example.org\r\nBcc: eve@example.net"}), "invalid-email"},
		"line feed":              {good(apitest.Object{"email": "ann\n@example.org"}), "invalid-email"},
		"NUL":                    {good(apitest.Object{"email": "ann\x00@example.org"}), "invalid-email"},
		"name and address":       {good(apitest.Object{"email": "Ann <ann@example.org>"}), "invalid-email"},
		"two addresses":          {good(apitest.Object{"email": "ann@example.org,eve@example.net"}), "invalid-email"},
		"address literal":        {good(apitest.Object{"email": "ann@[127.0.0.1]"}), "invalid-email"},
		"too long":               {good(apitest.Object{"email": strings.Repeat("a", 300) + "@example.org"}), "invalid-email"},
		"disposable":             {good(apitest.Object{"email": "ann@mailinator.com"}), "invalid-email"},
		"a number":               {good(apitest.Object{"email": 7}), "bad-request"},
		"terms refused":          {good(apitest.Object{"accept_tos": false}), "tos-not-accepted"},
		"terms not mentioned":    {`{"email":"ann@example.org"}`, "tos-not-accepted"},
		"terms as a word":        {good(apitest.Object{"accept_tos": "true"}), "bad-request"},
		"label too long":         {good(apitest.Object{"label": strings.Repeat("x", 121)}), "bad-request"},
		"label with a line feed": {good(apitest.Object{"label": "a\nb"}), "bad-request"},
		"unknown scope":          {good(apitest.Object{"scope": "admin"}), "bad-request"},
		"origins no list":        {good(apitest.Object{"allowed_origins": "https://example.com"}), "bad-request"},
		"origin with a path":     {good(apitest.Object{"allowed_origins": []string{"https://example.com/x"}}), "bad-request"},
		"origin with a user":     {good(apitest.Object{"allowed_origins": []string{"https://a@example.com"}}), "bad-request"},
		"wildcard of a suffix":   {good(apitest.Object{"allowed_origins": []string{"https://*.com"}}), "bad-request"},
		"wildcard in the middle": {good(apitest.Object{"allowed_origins": []string{"https://a.*.example.com"}}), "bad-request"},
		"null origin":            {good(apitest.Object{"allowed_origins": []string{"null"}}), "bad-request"},
		"21 origins":             {good(apitest.Object{"allowed_origins": origins(21)}), "bad-request"},
		"quota of one's own":     {good(apitest.Object{"monthly_quota": 1_000_000}), "bad-request"},
		"not JSON":               {`{"email":`, "bad-request"},
		"twice":                  {`{"email":"ann@example.org","email":"eve@example.net","accept_tos":true}`, "bad-request"},
		"a list":                 {`[]`, "bad-request"},
		"nothing":                {``, "bad-request"},
	} {
		t.Run(name, func(t *testing.T) {
			g.Send("POST", "/v1/keys", c.body, from(len(name))...).Problem(t, 400, c.slug)
		})
	}
	if len(g.Mails) > 0 {
		t.Errorf("%d mails were sent", len(g.Mails))
	}
	// Refused calls count against no limit.
	for range account.DefaultIssuancesPerDay {
		if r := g.Send("POST", "/v1/keys", good(nil), from(9)...); r.Status != 201 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
	}
	g.Send("POST", "/v1/keys", good(nil), from(9)...).Problem(t, 429, "issuance-velocity")
	for i := range 2 {
		if r := g.Send("POST", "/v1/keys", good(nil), from(100+i)...); r.Status != 201 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
	}
	g.Send("POST", "/v1/keys", good(nil), from(200)...).Problem(t, 409, "key-cap")
}

func origins(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("https://a%d.example.com", i)
	}
	return all
}

// TestIssuanceAtOnce has one client ask for many keys at once.
func TestIssuanceAtOnce(t *testing.T) {
	g := apitest.Start(t)
	var issued, refused atomic.Int64
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			switch r := g.Send("POST", "/v1/keys", apitest.Body(apitest.Object{"email": fmt.Sprintf("u%d@example.org", i), "accept_tos": true})); r.Status {
			case 201:
				issued.Add(1)
			case 429:
				refused.Add(1)
			default:
				t.Errorf("%d %s", r.Status, r.Body)
			}
		})
	}
	all.Wait()
	if issued.Load() != account.DefaultIssuancesPerDay || refused.Load() != 40-account.DefaultIssuancesPerDay {
		t.Errorf("%d issued, %d refused", issued.Load(), refused.Load())
	}
}

// TestTokens misuses the tokens of links, pointers and sessions.
func TestTokens(t *testing.T) {
	c := &clock{now: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)}
	g := apitest.Start(t, proxied, func(o *api.Options) { o.Now = c.Now })
	issue := func(email string, client int) (key, verify, claim string) {
		r := g.Send("POST", "/v1/keys", apitest.Body(apitest.Object{"email": email, "accept_tos": true}), from(client)...)
		_, claim, _ = strings.Cut(r.At(t, "claim_url").(string), "#")
		return r.At(t, "key").(string), g.Token(t, email, 0), claim
	}
	post := func(path, token string) apitest.Reply {
		return g.Send("POST", path, apitest.Body(apitest.Object{"token": token}))
	}
	works := func(key string) int { return g.Send("GET", "/v1/keys/self", "", apitest.Bearer(key)...).Status }

	key, verify, claim := issue("ann@example.org", 1)
	if r := g.Send("POST", "/v1/console/signin", apitest.Body(apitest.Object{"email": "ann@example.org"})); r.Status != 202 {
		t.Fatal(r.Status)
	}
	signin := g.Token(t, "ann@example.org", 1)
	for name, token := range map[string]string{
		"foreign": strings.Repeat("A", 43), "claim": claim, "sign-in": signin, "key": key, "short": "x", "quoted": `"' OR 1=1 --`, "long": strings.Repeat("x", 5000),
	} {
		for _, path := range []string{"/v1/keys/verify", "/v1/keys/verify/details", "/v1/keys/verify/deny"} {
			if r := post(path, token); r.Status != 404 {
				t.Errorf("%s takes a %s token: %d %s", path, name, r.Status, r.Body)
			}
		}
	}
	post("/v1/keys/verify", "").Problem(t, 400, "bad-request")
	for name, token := range map[string]string{"verify": verify, "claim": claim, "key": key} {
		if r := post("/v1/console/session", token); r.Status != 401 || r.At(t, "title") != "A valid token is needed" {
			t.Errorf("a session for a %s token: %d", name, r.Status)
		}
	}
	for name, token := range map[string]string{"verify": verify, "sign-in": signin, "dots": "%2e%2e"} {
		if r := g.Send("GET", "/v1/console/claims/"+token, ""); r.Status != 404 {
			t.Errorf("a pointer of a %s token: %d", name, r.Status)
		}
	}

	// Two confirmations at once agree; the link of a sign-in works once.
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if r := post("/v1/keys/verify", verify); r.Status != 200 {
				t.Errorf("verify: %d %s", r.Status, r.Body)
			}
		})
	}
	both.Wait()
	session := post("/v1/console/session", signin)
	post("/v1/console/session", signin).Problem(t, 401, "unauthorized")
	token := session.At(t, "session").(string)
	if works(token) != 401 {
		t.Error("a session works as a key")
	}
	for _, header := range [][]string{apitest.Bearer(key), nil, {"Authorization", "Basic x"}} {
		p := g.Send("GET", "/v1/console/self", "", header...).Problem(t, 401, "unauthorized")
		if p["title"] != "A session of the console is needed" || !strings.Contains(fmt.Sprint(p["detail"]), "session") {
			t.Errorf("without a session: %v", p)
		}
	}
	c.advance(account.SessionLife + time.Second)
	g.Send("GET", "/v1/console/self", "", apitest.Bearer(token)...).Problem(t, 401, "unauthorized")

	// The holder of the address has the last word.
	if works(key) != 200 {
		t.Error("a verified key does not work")
	}
	if r := post("/v1/keys/verify/deny", verify); r.Status != 200 || r.At(t, "state") != "denied" {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	p := g.Send("GET", "/v1/keys/self", "", apitest.Bearer(key)...).Problem(t, 401, "unauthorized")
	if !strings.Contains(p["detail"].(string), "revoked") {
		t.Errorf("%v", p)
	}
	post("/v1/keys/verify", verify).Problem(t, 403, "forbidden")

	late, link, _ := issue("bob@example.org", 2)
	g.Send("POST", "/v1/console/signin", apitest.Body(apitest.Object{"email": "bob@example.org"}))
	stale := g.Token(t, "bob@example.org", 1)
	c.advance(account.SignInLife + time.Second)
	post("/v1/console/session", stale).Problem(t, 401, "unauthorized")
	c.advance(account.ProvisionalLife)
	p = g.Send("GET", "/v1/keys/self", "", apitest.Bearer(late)...).Problem(t, 401, "unauthorized")
	if !strings.Contains(p["detail"].(string), "expired") {
		t.Errorf("%v", p)
	}
	post("/v1/keys/verify", link).Problem(t, 403, "forbidden")
}

// TestMisplacedKeys sends a good key in places where keys do not go, while the
// demo lane is open: none may be taken for a call without a key.
func TestMisplacedKeys(t *testing.T) {
	g := apitest.Start(t)
	k := g.Minted(t, account.Minting{})
	other := g.Minted(t, account.Minting{})
	route := `{"costing":"auto",` + apitest.Two + `}`
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte(k.Secret+":"))
	for name, c := range map[string]struct {
		path, body string
		header     []string
	}{
		"X-API-Key":        {header: []string{"X-API-Key", k.Secret}},
		"apikey":           {header: []string{"apikey", k.Secret}},
		"basic":            {header: []string{"Authorization", basic}},
		"bare":             {header: []string{"Authorization", k.Secret}},
		"Token":            {header: []string{"Authorization", "Token " + k.Secret}},
		"empty bearer":     {header: []string{"Authorization", "Bearer "}},
		"empty query":      {path: "/route?api_key="},
		"body":             {body: strings.Replace(route, "{", `{"api_key":"`+k.Secret+`",`, 1)},
		"form":             {body: "api_key=" + k.Secret},
		"two that differ":  {path: "/route?api_key=" + other.Secret, header: apitest.Bearer(k.Secret)},
		"two in the query": {path: "/route?api_key=" + other.Secret + "&api_key=" + k.Secret},
		"a letter wrong":   {header: apitest.Bearer(k.Secret[:10] + flip(k.Secret[10]) + k.Secret[11:])},
		"cut":              {header: apitest.Bearer(k.Secret[:len(k.Secret)-1])},
		"other case":       {header: apitest.Bearer(strings.ToUpper(k.Secret))},
		"injection":        {header: apitest.Bearer("wg_' OR '1'='1")},
	} {
		if c.path == "" {
			c.path = "/route"
		}
		if c.body == "" {
			c.body = route
		}
		r := g.Send("POST", c.path, c.body, c.header...)
		if r.Status != 401 {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
			continue
		}
		r.Problem(t, 401, "unauthorized")
		if strings.Contains(string(r.Body), k.Secret[3:]) || strings.Contains(string(r.Body), other.Secret[3:]) {
			t.Errorf("%s: shows the key: %s", name, r.Body)
		}
	}
	g.Send("GET", "/route/v1/car/9.5,47.1;9.6,47.2", "", "X-API-Key", k.Secret).Envelope(t, 401, "Unauthorized")
	// The same key twice is agreement, an escaped one is itself.
	for path, header := range map[string][]string{
		"/route?api_key=" + k.Secret:                                 apitest.Bearer(k.Secret),
		"/route?x=1;2&api_key=" + k.Secret:                           nil,
		"/route?api_key=" + strings.ReplaceAll(k.Secret, "_", "%5F"): nil,
	} {
		if r := g.Send("POST", path, route, header...); r.Status != 200 {
			t.Errorf("%s: %d %s", path, r.Status, r.Body)
		}
	}
	if r := g.Send("POST", "/route", route, "Authorization", "bearer  "+k.Secret); r.Status != 200 {
		t.Errorf("bearer in lower case: %d %s", r.Status, r.Body)
	}
	if calls, _ := g.Units(t, k.Key.ID); calls != 4 {
		t.Errorf("%d calls counted, want the 4 good ones", calls)
	}
}

func flip(c byte) string {
	if c == 'a' {
		return "b"
	}
	return "a"
}

// TestSecretsStayOut sends secrets everywhere and looks for them in the log,
// the metrics and the failures.
func TestSecretsStayOut(t *testing.T) {
	g := apitest.Start(t)
	key, _ := g.SignUp("ann@example.org")
	session := g.SignIn("ann@example.org", 1)
	r := g.Send("POST", "/v1/keys/claim", "", apitest.Bearer(key)...)
	_, claim, _ := strings.Cut(r.At(t, "claim_url").(string), "#")
	g.Send("GET", "/v1/keys/self?api_key="+key, "")
	g.Send("GET", "/nowhere/"+key, "")
	g.Send("GET", "/route/v1/car/"+key+";9.6,47.2", "")
	g.Send("GET", "/route/v1/car/9.5,47.1;9.6,47.2?api_key="+key+"&overview=wide", "")
	g.Send("POST", "/adr/check", `{"tunnel_category":"`+key+`"}`, apitest.Bearer(key)...)
	g.Send("GET", "/health", "", "X-Request-Id", key)
	g.Send("GET", "/v1/console/claims/"+claim, "")
	g.Send("DELETE", "/v1/console/claims/"+claim, "")
	g.Send("GET", "/v1/console/claims/"+claim+"/x", "")
	g.Send("POST", "/v1/console/claims/"+claim+"/signin", "")
	g.Send("GET", "/v1/console/self", "", apitest.Bearer(session)...)
	g.Send("GET", "/v1/keys/verify?token="+g.Token(t, "ann@example.org", 0), "")
	g.Send("GET", "/admin/identities/ann@example.org", "", apitest.Bearer(apitest.AdminToken)...)
	g.Send("GET", "/admin/overview", "", apitest.Bearer("wrong-"+apitest.AdminToken)...)
	seen := g.Log.String() + string(g.Send("GET", "/metrics", "").Body)
	for name, secret := range map[string]string{
		"key": key[3:], "session": session, "claim": claim, "link": g.Token(t, "ann@example.org", 0), "admin token": apitest.AdminToken, "address": "ann@example.org",
	} {
		if i := strings.Index(seen, secret); i >= 0 {
			t.Errorf("%s is shown: …%s…", name, seen[max(0, i-100):i])
		}
	}
}

func TestOrigins(t *testing.T) {
	g := apitest.Start(t)
	k := g.Minted(t, account.Minting{AllowedOrigins: []string{"https://*.example.com", "http://localhost:3000", "https://bücher.example"}})
	for _, c := range []struct {
		name, value string
		status      int
	}{
		{"Origin", "https://a.example.com", 200},
		{"Origin", "HTTPS://A.EXAMPLE.COM", 200},
		{"Origin", "https://a.example.com:443", 200},
		{"Origin", "http://localhost:3000", 200},
		{"Origin", "https://xn--bcher-kva.example", 200},
		{"Referer", "https://a.example.com/page?x=1#y", 200},
		{"Origin", "https://example.com", 403},
		{"Origin", "https://a.b.example.com", 403},
		{"Origin", "https://evil-example.com", 403},
		{"Origin", "https://a.example.com.evil.net", 403},
		{"Origin", "https://a.example.com:8443", 403},
		{"Origin", "http://a.example.com", 403},
		{"Origin", "https://a.example.com@evil.net", 403},
		{"Origin", "https://evil.net#.example.com", 403},
		{"Origin", `https://evil.net\.example.com`, 403},
		{"Origin", "null", 403},
		{"Origin", "", 403},
		{"Origin", "http://localhost", 403},
		{"Origin", "https://xn--bcher-kv.example", 403},
		{"Referer", "https://evil.net/https://a.example.com", 403},
		{"Referer", "about:blank", 403},
	} {
		r := g.Send("GET", "/coordinates/crs", "", append(apitest.Bearer(k.Secret), c.name, c.value)...)
		if r.Status != c.status {
			t.Errorf("%s %q: %d, want %d: %s", c.name, c.value, r.Status, c.status, r.Body)
		}
		if c.status == 403 {
			if _, ok := r.Problem(t, 403, "origin-not-allowed")["origin"]; !ok {
				t.Errorf("%q: no origin in %s", c.value, r.Body)
			}
		}
	}
	// A null origin with a good referrer is still a null origin.
	g.Send("GET", "/coordinates/crs", "", append(apitest.Bearer(k.Secret), "Origin", "null", "Referer", "https://a.example.com/")...).Problem(t, 403, "origin-not-allowed")
	g.Send("GET", "/route/v1/car/9.5,47.1;9.6,47.2", "", apitest.Bearer(k.Secret)...).Envelope(t, 403, "Forbidden")
	if calls, _ := g.Units(t, k.Key.ID); calls != 6 {
		t.Errorf("%d calls counted, want the 6 that were let in", calls)
	}
}

func TestCreditRefuses(t *testing.T) {
	g := apitest.Start(t)
	_, id := g.SignUp("ann@example.org")
	admin := g.Minted(t, account.Minting{})
	at := "/admin/keys/" + id + "/credit"
	for name, text := range map[string]string{
		"negative":            `{"pence":-1,"reason":"x"}`,
		"nothing":             `{"pence":0,"reason":"x"}`,
		"a fraction":          `{"pence":1.5,"reason":"x"}`,
		"a word":              `{"pence":"100","reason":"x"}`,
		"null":                `{"pence":null,"reason":"x"}`,
		"missing":             `{"reason":"x"}`,
		"wraps in millipence": `{"pence":18446744073709552,"reason":"x"}`,
		"most and one":        `{"pence":1000000001,"reason":"x"}`,
		"beyond int64":        `{"pence":9223372036854775808,"reason":"x"}`,
		"least int64":         `{"pence":-9223372036854775808,"reason":"x"}`,
		"huge":                `{"pence":1e300,"reason":"x"}`,
		"no reason":           `{"pence":1}`,
		"blank reason":        `{"pence":1,"reason":" \t"}`,
		"long reason":         `{"pence":1,"reason":"` + strings.Repeat("x", 201) + `"}`,
		"twice":               `{"pence":1,"pence":1000,"reason":"x"}`,
	} {
		r := g.Send("POST", at, text, apitest.Bearer(apitest.AdminToken)...)
		if r.Status != 400 {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
		whole := strings.Replace(text, "{", `{"email":"ann@example.org",`, 1)
		if r := g.Send("POST", "/admin/identities/credit", whole, apitest.Bearer(apitest.AdminToken)...); r.Status != 400 {
			t.Errorf("%s by address: %d %s", name, r.Status, r.Body)
		}
	}
	g.Send("POST", "/admin/keys/"+admin.Key.ID+"/credit", `{"pence":1,"reason":"x"}`, apitest.Bearer(apitest.AdminToken)...).Problem(t, 409, "no-identity-ledger")
	g.Send("POST", "/admin/keys/none/credit", `{"pence":1,"reason":"x"}`, apitest.Bearer(apitest.AdminToken)...).Problem(t, 404, "not-found")
	g.Send("POST", "/admin/identities/credit", `{"email":"eve@example.net","pence":1,"reason":"x"}`, apitest.Bearer(apitest.AdminToken)...).Problem(t, 404, "not-found")
	if r := g.Send("GET", "/admin/identities/ann@example.org", "", apitest.Bearer(apitest.AdminToken)...); r.At(t, "balance_pence") != 0.0 {
		t.Errorf("%s", r.Body)
	}
	// The most is taken, and the balance has an end.
	if r := g.Send("POST", at, `{"pence":1000000000,"reason":"most"}`, apitest.Bearer(apitest.AdminToken)...); r.Status != 200 || r.At(t, "balance_pence") != 1e9 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if _, err := g.DB.Exec(t.Context(), "UPDATE balances SET millipence = $1, credited = $1", ledger.MaxBalance-1); err != nil {
		t.Fatal(err)
	}
	g.Send("POST", at, `{"pence":1,"reason":"more"}`, apitest.Bearer(apitest.AdminToken)...).Problem(t, 400, "bad-request")
}

func TestAdminToken(t *testing.T) {
	c := &clock{now: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)}
	g := apitest.Start(t, proxied, func(o *api.Options) { o.Now = c.Now })
	ask := func(client int, token string) apitest.Reply {
		header := from(client)
		if token != "" {
			header = append(header, apitest.Bearer(token)...)
		}
		return g.Send("GET", "/admin/keys", "", header...)
	}
	for range 50 {
		ask(1, "").Problem(t, 401, "admin-unauthorized")
	}
	k := g.Minted(t, account.Minting{})
	ask(1, k.Secret).Problem(t, 401, "admin-unauthorized")
	g.Send("GET", "/admin/keys?api_key="+apitest.AdminToken, "").Problem(t, 401, "admin-unauthorized")
	g.Send("GET", "/admin/keys", "", "Authorization", "Basic "+apitest.AdminToken).Problem(t, 401, "admin-unauthorized")
	if r := ask(1, apitest.AdminToken); r.Status != 200 || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v", r.Status, r.Header)
	}
	limited := 0
	for i := range 30 {
		if r := ask(2, fmt.Sprintf("guess-%d", i)); r.Status == 429 {
			r.Problem(t, 429, "rate-limited")
			limited++
		}
	}
	if limited != 10 {
		t.Errorf("%d of 30 guesses were stopped, want those after the 20th", limited)
	}
	// An operator in the network of a guesser is not locked out.
	for range 30 {
		if r := ask(2, apitest.AdminToken); r.Status != 200 {
			t.Fatalf("the token after guesses: %d %s", r.Status, r.Body)
		}
	}
	ask(2, "guess").Problem(t, 429, "rate-limited")
	ask(3, "guess").Problem(t, 401, "admin-unauthorized")
	c.advance(time.Minute)
	ask(2, "guess").Problem(t, 401, "admin-unauthorized")

	shut := apitest.Start(t, func(o *api.Options) { o.AdminToken = "" })
	for _, token := range []string{"", "x", apitest.AdminToken} {
		p := shut.Send("GET", "/admin/keys", "", "Authorization", "Bearer "+token).Problem(t, 401, "admin-unauthorized")
		if !strings.Contains(p["detail"].(string), "SVC_ADMIN_TOKEN") {
			t.Errorf("%v", p)
		}
	}
}

// TestCrowd floods what strangers may ask.
func TestCrowd(t *testing.T) {
	g := apitest.Start(t, proxied)
	statuses := map[int]int{}
	for range 70 {
		r := g.Send("POST", "/v1/keys/verify/details", `{"token":"x"}`, from(1)...)
		statuses[r.Status]++
		if r.Status == 429 && r.Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
	}
	if statuses[404] < 60 || statuses[404] > 62 || statuses[429] < 8 {
		t.Errorf("%v, want 60 looked at and the rest limited", statuses)
	}
	g.Send("GET", "/v1/console/claims/x", "", from(1)...).Problem(t, 429, "rate-limited")
	g.Send("POST", "/v1/console/signin", `{"email":"ann@example.org"}`, from(1)...).Problem(t, 429, "rate-limited")
	if r := g.Send("POST", "/v1/keys/verify/details", `{"token":"x"}`, from(2)...); r.Status != 404 {
		t.Errorf("another client: %d", r.Status)
	}
	for _, path := range []string{"/health", "/v1/keys/verify", "/keys"} {
		if r := g.Send("GET", path, "", from(1)...); r.Status != http.StatusOK {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
}
