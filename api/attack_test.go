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

func (c *clock) pass(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.now = c.now.Add(d) }

func TestIssuanceRefuses(t *testing.T) {
	g := start(t, proxied)
	good := func(change object) string {
		v := object{"email": "ann@example.org", "accept_tos": true}
		for name, value := range change {
			v[name] = value
		}
		return body(v)
	}
	for name, c := range map[string]struct {
		body string
		slug string
	}{
		"no address":             {good(object{"email": ""}), "invalid-email"},
		"no e-mail member":       {`{"accept_tos":true}`, "invalid-email"},
		"no at":                  {good(object{"email": "example.org"}), "invalid-email"},
		"two ats":                {good(object{"email": "a@b@example.org"}), "invalid-email"},
		"header injection":       {good(object{"email": "ann@example.org\r\nBcc: eve@example.net"}), "invalid-email"},
		"line feed":              {good(object{"email": "ann\n@example.org"}), "invalid-email"},
		"NUL":                    {good(object{"email": "ann\x00@example.org"}), "invalid-email"},
		"name and address":       {good(object{"email": "Ann <ann@example.org>"}), "invalid-email"},
		"two addresses":          {good(object{"email": "ann@example.org,eve@example.net"}), "invalid-email"},
		"address literal":        {good(object{"email": "ann@[127.0.0.1]"}), "invalid-email"},
		"too long":               {good(object{"email": strings.Repeat("a", 300) + "@example.org"}), "invalid-email"},
		"disposable":             {good(object{"email": "ann@mailinator.com"}), "invalid-email"},
		"a number":               {good(object{"email": 7}), "bad-request"},
		"terms refused":          {good(object{"accept_tos": false}), "tos-not-accepted"},
		"terms not mentioned":    {`{"email":"ann@example.org"}`, "tos-not-accepted"},
		"terms as a word":        {good(object{"accept_tos": "true"}), "bad-request"},
		"label too long":         {good(object{"label": strings.Repeat("x", 121)}), "bad-request"},
		"label with a line feed": {good(object{"label": "a\nb"}), "bad-request"},
		"unknown scope":          {good(object{"scope": "admin"}), "bad-request"},
		"origins no list":        {good(object{"allowed_origins": "https://example.com"}), "bad-request"},
		"origin with a path":     {good(object{"allowed_origins": []string{"https://example.com/x"}}), "bad-request"},
		"origin with a user":     {good(object{"allowed_origins": []string{"https://a@example.com"}}), "bad-request"},
		"wildcard of a suffix":   {good(object{"allowed_origins": []string{"https://*.com"}}), "bad-request"},
		"wildcard in the middle": {good(object{"allowed_origins": []string{"https://a.*.example.com"}}), "bad-request"},
		"null origin":            {good(object{"allowed_origins": []string{"null"}}), "bad-request"},
		"21 origins":             {good(object{"allowed_origins": origins(21)}), "bad-request"},
		"quota of one's own":     {good(object{"monthly_quota": 1_000_000}), "bad-request"},
		"not JSON":               {`{"email":`, "bad-request"},
		"twice":                  {`{"email":"ann@example.org","email":"eve@example.net","accept_tos":true}`, "bad-request"},
		"a list":                 {`[]`, "bad-request"},
		"nothing":                {``, "bad-request"},
	} {
		t.Run(name, func(t *testing.T) {
			g.send("POST", "/v1/keys", c.body, from(len(name))...).problem(t, 400, c.slug)
		})
	}
	if len(g.mails) > 0 {
		t.Errorf("%d mails were sent", len(g.mails))
	}
	// What is refused counts against no limit.
	for range account.IssuancesPerDay {
		if r := g.send("POST", "/v1/keys", good(nil), from(9)...); r.status != 201 {
			t.Fatalf("%d %s", r.status, r.body)
		}
	}
	g.send("POST", "/v1/keys", good(nil), from(9)...).problem(t, 429, "issuance-velocity")
	for i := range 2 {
		if r := g.send("POST", "/v1/keys", good(nil), from(100+i)...); r.status != 201 {
			t.Fatalf("%d %s", r.status, r.body)
		}
	}
	g.send("POST", "/v1/keys", good(nil), from(200)...).problem(t, 409, "key-cap")
}

func origins(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("https://a%d.example.com", i)
	}
	return all
}

// TestConcurrentIssuance has one client ask for many keys at once.
func TestConcurrentIssuance(t *testing.T) {
	g := start(t)
	var issued, refused atomic.Int64
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			switch r := g.send("POST", "/v1/keys", body(object{"email": fmt.Sprintf("u%d@example.org", i), "accept_tos": true})); r.status {
			case 201:
				issued.Add(1)
			case 429:
				refused.Add(1)
			default:
				t.Errorf("%d %s", r.status, r.body)
			}
		})
	}
	all.Wait()
	if issued.Load() != account.IssuancesPerDay || refused.Load() != 40-account.IssuancesPerDay {
		t.Errorf("%d issued, %d refused", issued.Load(), refused.Load())
	}
}

// TestTokens misuses the tokens of links, pointers and sessions.
func TestTokens(t *testing.T) {
	c := &clock{now: time.Now()}
	g := start(t, proxied, func(o *api.Options) { o.Now = c.Now })
	issue := func(email string, client int) (key, verify, claim string) {
		r := g.send("POST", "/v1/keys", body(object{"email": email, "accept_tos": true}), from(client)...)
		_, claim, _ = strings.Cut(r.at(t, "claim_url").(string), "#")
		return r.at(t, "key").(string), g.token(t, email, 0), claim
	}
	post := func(path, token string) reply { return g.send("POST", path, body(object{"token": token})) }
	works := func(key string) int { return g.send("GET", "/v1/keys/self", "", bearer(key)...).status }

	key, verify, claim := issue("ann@example.org", 1)
	if r := g.send("POST", "/v1/console/signin", body(object{"email": "ann@example.org"})); r.status != 202 {
		t.Fatal(r.status)
	}
	signin := g.token(t, "ann@example.org", 1)
	for name, token := range map[string]string{
		"foreign": strings.Repeat("A", 43), "claim": claim, "sign-in": signin, "key": key, "short": "x", "quoted": `"' OR 1=1 --`, "long": strings.Repeat("x", 5000),
	} {
		for _, path := range []string{"/v1/keys/verify", "/v1/keys/verify/details", "/v1/keys/verify/deny"} {
			if r := post(path, token); r.status != 404 {
				t.Errorf("%s takes a %s token: %d %s", path, name, r.status, r.body)
			}
		}
	}
	post("/v1/keys/verify", "").problem(t, 400, "bad-request")
	for name, token := range map[string]string{"verify": verify, "claim": claim, "key": key} {
		if r := post("/v1/console/session", token); r.status != 401 {
			t.Errorf("a session for a %s token: %d", name, r.status)
		}
	}
	for name, token := range map[string]string{"verify": verify, "sign-in": signin, "dots": "%2e%2e"} {
		if r := g.send("GET", "/v1/console/claims/"+token, ""); r.status != 404 {
			t.Errorf("a pointer of a %s token: %d", name, r.status)
		}
	}

	// Two confirmations at once agree; the link of a sign-in works once.
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if r := post("/v1/keys/verify", verify); r.status != 200 {
				t.Errorf("verify: %d %s", r.status, r.body)
			}
		})
	}
	both.Wait()
	session := post("/v1/console/session", signin)
	post("/v1/console/session", signin).problem(t, 401, "unauthorized")
	token := session.at(t, "session").(string)
	if works(token) != 401 {
		t.Error("a session works as a key")
	}
	g.send("GET", "/v1/console/self", "", bearer(key)...).problem(t, 401, "unauthorized")
	c.pass(account.SessionLife + time.Second)
	g.send("GET", "/v1/console/self", "", bearer(token)...).problem(t, 401, "unauthorized")

	// The holder of the address has the last word.
	if works(key) != 200 {
		t.Error("a verified key does not work")
	}
	if r := post("/v1/keys/verify/deny", verify); r.status != 200 || r.at(t, "state") != "denied" {
		t.Errorf("%d %s", r.status, r.body)
	}
	p := g.send("GET", "/v1/keys/self", "", bearer(key)...).problem(t, 401, "unauthorized")
	if !strings.Contains(p["detail"].(string), "revoked") {
		t.Errorf("%v", p)
	}
	post("/v1/keys/verify", verify).problem(t, 403, "forbidden")

	late, link, _ := issue("bob@example.org", 2)
	g.send("POST", "/v1/console/signin", body(object{"email": "bob@example.org"}))
	stale := g.token(t, "bob@example.org", 1)
	c.pass(account.SignInLife + time.Second)
	post("/v1/console/session", stale).problem(t, 401, "unauthorized")
	c.pass(account.ProvisionalLife)
	p = g.send("GET", "/v1/keys/self", "", bearer(late)...).problem(t, 401, "unauthorized")
	if !strings.Contains(p["detail"].(string), "expired") {
		t.Errorf("%v", p)
	}
	post("/v1/keys/verify", link).problem(t, 403, "forbidden")
}

// TestMisplacedKeys sends a good key in places where keys do not go, while the
// demo lane is open: none may pass as a stranger.
func TestMisplacedKeys(t *testing.T) {
	g := start(t)
	k := g.minted(t, account.Minting{})
	other := g.minted(t, account.Minting{})
	route := `{"costing":"auto",` + two + `}`
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
		"two that differ":  {path: "/route?api_key=" + other.Secret, header: bearer(k.Secret)},
		"two in the query": {path: "/route?api_key=" + other.Secret + "&api_key=" + k.Secret},
		"a letter wrong":   {header: bearer(k.Secret[:10] + flip(k.Secret[10]) + k.Secret[11:])},
		"cut":              {header: bearer(k.Secret[:len(k.Secret)-1])},
		"other case":       {header: bearer(strings.ToUpper(k.Secret))},
		"injection":        {header: bearer("wg_' OR '1'='1")},
	} {
		if c.path == "" {
			c.path = "/route"
		}
		if c.body == "" {
			c.body = route
		}
		r := g.send("POST", c.path, c.body, c.header...)
		if r.status != 401 {
			t.Errorf("%s: %d %s", name, r.status, r.body)
			continue
		}
		r.problem(t, 401, "unauthorized")
		if strings.Contains(string(r.body), k.Secret[3:]) || strings.Contains(string(r.body), other.Secret[3:]) {
			t.Errorf("%s: shows the key: %s", name, r.body)
		}
	}
	g.send("GET", "/route/v1/car/9.5,47.1;9.6,47.2", "", "X-API-Key", k.Secret).envelope(t, 401, "Unauthorized")
	// The same key twice is agreement, an escaped one is itself.
	for path, header := range map[string][]string{
		"/route?api_key=" + k.Secret:                                 bearer(k.Secret),
		"/route?x=1;2&api_key=" + k.Secret:                           nil,
		"/route?api_key=" + strings.ReplaceAll(k.Secret, "_", "%5F"): nil,
	} {
		if r := g.send("POST", path, route, header...); r.status != 200 {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
	if r := g.send("POST", "/route", route, "Authorization", "bearer  "+k.Secret); r.status != 200 {
		t.Errorf("bearer in lower case: %d %s", r.status, r.body)
	}
	if calls, _ := g.units(t, k.Key.ID); calls != 4 {
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
	g := start(t)
	key, _ := g.signUp("ann@example.org")
	session := g.signIn("ann@example.org", 1)
	r := g.send("POST", "/v1/keys/claim", "", bearer(key)...)
	_, claim, _ := strings.Cut(r.at(t, "claim_url").(string), "#")
	g.send("GET", "/v1/keys/self?api_key="+key, "")
	g.send("GET", "/nowhere/"+key, "")
	g.send("GET", "/route/v1/car/"+key+";9.6,47.2", "")
	g.send("GET", "/route/v1/car/9.5,47.1;9.6,47.2?api_key="+key+"&overview=wide", "")
	g.send("POST", "/adr/check", `{"tunnel_category":"`+key+`"}`, bearer(key)...)
	g.send("GET", "/health", "", "X-Request-Id", key)
	g.send("GET", "/v1/console/claims/"+claim, "")
	g.send("DELETE", "/v1/console/claims/"+claim, "")
	g.send("GET", "/v1/console/claims/"+claim+"/x", "")
	g.send("POST", "/v1/console/claims/"+claim+"/signin", "")
	g.send("GET", "/v1/console/self", "", bearer(session)...)
	g.send("GET", "/v1/keys/verify?token="+g.token(t, "ann@example.org", 0), "")
	g.send("GET", "/admin/identities/ann@example.org", "", bearer(adminToken)...)
	g.send("GET", "/admin/overview", "", bearer("wrong-"+adminToken)...)
	seen := g.log.String() + string(g.send("GET", "/metrics", "").body)
	for name, secret := range map[string]string{
		"key": key[3:], "session": session, "claim": claim, "link": g.token(t, "ann@example.org", 0), "admin token": adminToken, "address": "ann@example.org",
	} {
		if i := strings.Index(seen, secret); i >= 0 {
			t.Errorf("%s is shown: …%s…", name, seen[max(0, i-100):i])
		}
	}
}

func TestOrigins(t *testing.T) {
	g := start(t)
	k := g.minted(t, account.Minting{AllowedOrigins: []string{"https://*.example.com", "http://localhost:3000", "https://bücher.example"}})
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
		r := g.send("GET", "/coordinates/crs", "", append(bearer(k.Secret), c.name, c.value)...)
		if r.status != c.status {
			t.Errorf("%s %q: %d, want %d: %s", c.name, c.value, r.status, c.status, r.body)
		}
		if c.status == 403 {
			if _, ok := r.problem(t, 403, "origin-not-allowed")["origin"]; !ok {
				t.Errorf("%q: no origin in %s", c.value, r.body)
			}
		}
	}
	// A null origin with a good referrer is still a null origin.
	g.send("GET", "/coordinates/crs", "", append(bearer(k.Secret), "Origin", "null", "Referer", "https://a.example.com/")...).problem(t, 403, "origin-not-allowed")
	g.send("GET", "/route/v1/car/9.5,47.1;9.6,47.2", "", bearer(k.Secret)...).envelope(t, 403, "Forbidden")
	if calls, _ := g.units(t, k.Key.ID); calls != 6 {
		t.Errorf("%d calls counted, want the 6 that were let in", calls)
	}
}

func TestCreditRefuses(t *testing.T) {
	g := start(t)
	_, id := g.signUp("ann@example.org")
	admin := g.minted(t, account.Minting{})
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
		r := g.send("POST", at, text, bearer(adminToken)...)
		if r.status != 400 {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
		whole := strings.Replace(text, "{", `{"email":"ann@example.org",`, 1)
		if r := g.send("POST", "/admin/identities/credit", whole, bearer(adminToken)...); r.status != 400 {
			t.Errorf("%s by address: %d %s", name, r.status, r.body)
		}
	}
	g.send("POST", "/admin/keys/"+admin.Key.ID+"/credit", `{"pence":1,"reason":"x"}`, bearer(adminToken)...).problem(t, 409, "no-identity-ledger")
	g.send("POST", "/admin/keys/none/credit", `{"pence":1,"reason":"x"}`, bearer(adminToken)...).problem(t, 404, "not-found")
	g.send("POST", "/admin/identities/credit", `{"email":"eve@example.net","pence":1,"reason":"x"}`, bearer(adminToken)...).problem(t, 404, "not-found")
	if r := g.send("GET", "/admin/identities/ann@example.org", "", bearer(adminToken)...); r.at(t, "balance_pence") != 0.0 {
		t.Errorf("%s", r.body)
	}
	// The most is taken, and the balance has an end.
	if r := g.send("POST", at, `{"pence":1000000000,"reason":"most"}`, bearer(adminToken)...); r.status != 200 || r.at(t, "balance_pence") != 1e9 {
		t.Errorf("%d %s", r.status, r.body)
	}
	if _, err := g.db.Exec(t.Context(), "UPDATE balances SET millipence = $1, credited = $1", ledger.MaxBalance-1); err != nil {
		t.Fatal(err)
	}
	g.send("POST", at, `{"pence":1,"reason":"more"}`, bearer(adminToken)...).problem(t, 400, "bad-request")
}

func TestAdminToken(t *testing.T) {
	c := &clock{now: time.Now()}
	g := start(t, proxied, func(o *api.Options) { o.Now = c.Now })
	ask := func(client int, token string) reply {
		header := from(client)
		if token != "" {
			header = append(header, bearer(token)...)
		}
		return g.send("GET", "/admin/keys", "", header...)
	}
	for range 50 {
		ask(1, "").problem(t, 401, "admin-unauthorized")
	}
	k := g.minted(t, account.Minting{})
	ask(1, k.Secret).problem(t, 401, "admin-unauthorized")
	g.send("GET", "/admin/keys?api_key="+adminToken, "").problem(t, 401, "admin-unauthorized")
	g.send("GET", "/admin/keys", "", "Authorization", "Basic "+adminToken).problem(t, 401, "admin-unauthorized")
	if r := ask(1, adminToken); r.status != 200 || r.header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v", r.status, r.header)
	}
	limited := 0
	for i := range 30 {
		if r := ask(2, fmt.Sprintf("guess-%d", i)); r.status == 429 {
			r.problem(t, 429, "rate-limited")
			limited++
		}
	}
	if limited != 10 {
		t.Errorf("%d of 30 guesses were stopped, want those after the 20th", limited)
	}
	ask(2, adminToken).problem(t, 429, "rate-limited") // the good one as well, or the answer would tell
	if r := ask(3, adminToken); r.status != 200 {
		t.Errorf("another client: %d", r.status)
	}
	c.pass(time.Minute)
	if r := ask(2, adminToken); r.status != 200 {
		t.Errorf("after a minute: %d %s", r.status, r.body)
	}

	shut := start(t, func(o *api.Options) { o.AdminToken = "" })
	for _, token := range []string{"", "x", adminToken} {
		p := shut.send("GET", "/admin/keys", "", "Authorization", "Bearer "+token).problem(t, 401, "admin-unauthorized")
		if !strings.Contains(p["detail"].(string), "SVC_ADMIN_TOKEN") {
			t.Errorf("%v", p)
		}
	}
}

// TestCrowd floods what strangers may ask.
func TestCrowd(t *testing.T) {
	g := start(t, proxied)
	statuses := map[int]int{}
	for range 70 {
		r := g.send("POST", "/v1/keys/verify/details", `{"token":"x"}`, from(1)...)
		statuses[r.status]++
		if r.status == 429 && r.header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
	}
	if statuses[404] < 60 || statuses[404] > 62 || statuses[429] < 8 {
		t.Errorf("%v, want 60 looked at and the rest limited", statuses)
	}
	g.send("GET", "/v1/console/claims/x", "", from(1)...).problem(t, 429, "rate-limited")
	g.send("POST", "/v1/console/signin", `{"email":"ann@example.org"}`, from(1)...).problem(t, 429, "rate-limited")
	if r := g.send("POST", "/v1/keys/verify/details", `{"token":"x"}`, from(2)...); r.status != 404 {
		t.Errorf("another client: %d", r.status)
	}
	for _, path := range []string{"/health", "/v1/keys/verify", "/keys"} {
		if r := g.send("GET", path, "", from(1)...); r.status != http.StatusOK {
			t.Errorf("%s: %d", path, r.status)
		}
	}
}
