package api_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/apitest"
)

// words sorts the names of a contract's resource.
func words(s string) string {
	all := strings.Fields(s)
	slices.Sort(all)
	return strings.Join(all, " ")
}

// The contract's resources by the names of their members.
const (
	keyRecord = "id name created_at expires_at first_success_at monthly_quota rate_per_min revoked_at state allowed_origins scope"
	keySelf   = "key_id state monthly_quota used_this_month remaining credits_pence credits_millipence expires_at first_success_at identity_keys " +
		"download_allowance_mib download_used_mib mau_this_month mau_included mau_overdrawn allowed_origins scope"
	consoleKey   = "key_id label state created_at expires_at revoked_at used_this_month"
	consoleSelf  = "email created_at balance_pence balance_millipence monthly_quota used_this_month keys history plan plans checkout"
	ledgerEntry  = "at kind millipence balance_after_millipence reason source"
	verification = "label masked_email requested_at user_agent source expires_at state"
	summary      = "id email created_at balance_pence download_mib first_success_at keys last_active mau_overdrawn mau_this_month month_used monthly_quota"
	detail       = "identity balance_pence credited_total_pence keys history mau_this_month mau_included mau_overdrawn month_used monthly_quota " +
		"download_allowance_mib plan stripe_customer_id"
	credit   = "identity_id balance_pence duplicate"
	mapIssue = "id key_id created_at lat lon category note contact"
	retro    = "id key_id created_at what_built problems gotchas wins docs_gaps agent_name sdk_version"
)

// shape is a call and what its answer has.
type shape struct {
	call    string
	body    any
	token   string
	status  int
	members string
	within  []string // path to the object that is meant, [0] for the first of a list
}

func has(g *apitest.Gateway, c shape) apitest.Reply {
	g.T.Helper()
	method, path, _ := strings.Cut(c.call, " ")
	text := ""
	if c.body != nil {
		text = apitest.Body(c.body)
	}
	var header []string
	if c.token != "" {
		header = apitest.Bearer(c.token)
	}
	r := g.Send(method, path, text, header...)
	if r.Status != c.status {
		g.T.Fatalf("%s: status %d, want %d: %s", c.call, r.Status, c.status, r.Body)
	}
	if c.members == "" {
		return r
	}
	if r.Header.Get("Cache-Control") != "no-store" {
		g.T.Errorf("%s: Cache-Control %q", c.call, r.Header.Get("Cache-Control"))
	}
	if got := r.Members(g.T, c.within...); got != words(c.members) {
		g.T.Errorf("%s has\n %s\nwant\n %s", c.call, got, words(c.members))
	}
	return r
}

// TestShapes goes through the life of an account and holds every answer
// against the contract's members.
func TestShapes(t *testing.T) {
	g := apitest.Start(t)
	const who = "ann@example.org"
	issued := has(g, shape{call: "POST /v1/keys", status: 201, body: apitest.Object{
		"email": who, "accept_tos": true, "label": "my app", "allowed_origins": []string{"HTTPS://App.Example.com:443", "https://app.example.com"}, "source": "docs",
	}, members: "key key_id state expires_at monthly_quota rate_per_min label allowed_origins scope claim_url claim_expires_in_h display_to_user"})
	key, id := issued.At(t, "key").(string), issued.At(t, "key_id").(string)
	for name, want := range map[string]any{"state": "provisional", "monthly_quota": 1000.0, "rate_per_min": 60.0, "label": "my app", "scope": "full", "claim_expires_in_h": 72.0} {
		if issued.At(t, name) != want {
			t.Errorf("%s is %v, want %v", name, issued.At(t, name), want)
		}
	}
	if o := issued.At(t, "allowed_origins").([]any); len(o) != 1 || o[0] != "https://app.example.com" {
		t.Errorf("allowed_origins %v", o)
	}
	if left := time.Until(when(t, issued.At(t, "expires_at"))); left < 71*time.Hour || left > 72*time.Hour {
		t.Errorf("expires in %v", left)
	}
	claim, _ := strings.CutPrefix(issued.At(t, "claim_url").(string), apitest.Website+"/console/claim#")

	// Before the key is confirmed its provisional quota counts; afterwards that of the identity.
	applies := func(want string) {
		t.Helper()
		r := g.Send("POST", "/admin/identities/"+who+"/quota", `{"monthly_quota":50000,"reason":"as ever"}`, apitest.Bearer(apitest.AdminToken)...)
		if r.Status != 200 || r.At(t, "applies") != want {
			t.Errorf("%d %s, want %s", r.Status, r.Body, want)
		}
	}
	applies("once_confirmed")
	defer applies("now")

	link := g.Token(t, who, 0)
	for _, c := range []shape{
		{call: "POST /v1/keys/verify/details", body: apitest.Object{"token": link}, status: 200, members: verification},
		{call: "POST /v1/keys/verify", body: apitest.Object{"token": link}, status: 200, members: verification},
		{call: "GET /v1/console/claims/" + claim, status: 200, members: "masked_email"},
		{call: "POST /v1/console/claims/" + claim + "/signin", status: 202, members: "status"},
		{call: "POST /v1/console/signin", body: apitest.Object{"email": who}, status: 202, members: "status"},
		{call: "POST /v1/console/signin", body: apitest.Object{"email": "nobody@example.org"}, status: 202, members: "status"},
	} {
		has(g, c)
	}
	bound := func(method, path string, text string) apitest.Reply {
		return g.Send(method, path, text, append(apitest.Bearer(key), "Origin", "https://app.example.com")...)
	}
	if r := bound("POST", "/route", `{"costing":"truck",`+apitest.Two+`}`); r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "20" {
		t.Fatalf("%d %v %s", r.Status, r.Header, r.Body)
	}
	if r := bound("GET", "/v1/keys/self", ""); r.Members(t) != words(keySelf) || r.At(t, "used_this_month") != 20.0 || r.At(t, "remaining") != 49_980.0 {
		t.Errorf("%s", r.Body)
	}
	if _, units := g.Units(t, id); units != 20 {
		t.Errorf("%d units", units)
	}
	use := bound("GET", "/v1/usage", "")
	if use.Members(t) != words("from to days totals") || use.Members(t, "totals") != words("calls units") {
		t.Errorf("%s", use.Body)
	}
	day := use.At(t, "days").([]any)[0].(apitest.Object)
	if first := day["endpoints"].([]any)[0].(apitest.Object); day["total_units"] != 20.0 || first["endpoint"] != "POST /route" || first["class"] != "premium" || first["calls"] != 1.0 || first["units"] != 20.0 {
		t.Errorf("%s", use.Body)
	}
	if r := bound("POST", "/v1/keys/claim", ""); r.Status != 200 || r.Members(t) != words("claim_url expires_in_h display_to_user") || r.At(t, "expires_in_h") != 72.0 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	for _, text := range []string{"", `{}`, `{"url":"https://hooks.example.com/x"}`} {
		if r := bound("POST", "/v1/keys/self/webhook-secret", text); r.Status != 200 || r.Members(t) != "secret" || !strings.HasPrefix(r.At(t, "secret").(string), "whsec_") {
			t.Errorf("%q: %d %s", text, r.Status, r.Body)
		}
	}
	if r := bound("POST", "/map-issues", `{"lat":47.1,"lon":9.5,"category":"road-missing"}`); r.Status != 201 || r.Members(t) != "id" {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if r := bound("POST", "/v1/feedback", `{"what_built":"a map","problems":[{"area":"docs","description":"few"}],"mood":"good"}`); r.Status != 202 || r.Members(t) != words("id status") || r.At(t, "status") != "received" {
		t.Errorf("%d %s", r.Status, r.Body)
	}

	if _, units := g.Units(t, id); units != 21 {
		t.Errorf("%d units", units)
	}
	operates(g, who, id)

	session := has(g, shape{call: "POST /v1/console/session", body: apitest.Object{"token": g.Token(t, who, 2)}, status: 201, members: "session expires_at"}).At(t, "session").(string)
	self := has(g, shape{call: "GET /v1/console/self", token: session, status: 200, members: consoleSelf})
	if self.At(t, "balance_pence") != 150.0 || self.At(t, "balance_millipence") != 150_000.0 || self.At(t, "email") != who || self.At(t, "plan") != account.FreePlan {
		t.Errorf("%s", self.Body)
	}
	first(g, self, "keys", consoleKey)
	first(g, self, "history", ledgerEntry)
	has(g, shape{call: "GET /v1/console/usage", token: session, status: 200, members: "from to days totals"})
	has(g, shape{call: "DELETE /v1/console/session", token: session, status: 204})
	has(g, shape{call: "GET /v1/console/self", token: session, status: 401})
}

// operates goes through what an operator does about an identity and its key.
func operates(g *apitest.Gateway, who, id string) {
	t := g.T
	t.Helper()
	has(g, shape{
		call: "POST /admin/keys", token: apitest.AdminToken, status: 201, body: apitest.Object{"name": "ops", "monthly_quota": 10, "rate_per_min": 5},
		members: "id name key created_at monthly_quota rate_per_min allowed_origins scope",
	})
	list := has(g, shape{call: "GET /admin/keys?limit=1", token: apitest.AdminToken, status: 200, members: "total limit offset keys"})
	if list.At(t, "total") != 2.0 || list.At(t, "limit") != 1.0 {
		t.Errorf("%s", list.Body)
	}
	first(g, list, "keys", keyRecord)
	has(g, shape{call: "GET /admin/keys/" + id + "/usage", token: apitest.AdminToken, status: 200, members: "from to days totals"})
	at := "/admin/identities/" + who
	for _, c := range []shape{
		{call: "POST /admin/keys/" + id + "/credit", body: apitest.Object{"pence": 100, "reason": "first"}, members: credit},
		{call: "POST /admin/identities/credit", body: apitest.Object{"email": strings.ToUpper(who), "pence": 50, "reason": "second"}, members: credit},
		{call: "POST " + at + "/quota", body: apitest.Object{"monthly_quota": 60000, "reason": "asked"}, members: "email monthly_quota applies duplicate"},
		{call: "POST " + at + "/download-allowance", body: apitest.Object{"download_allowance_mib": 1, "reason": "asked"}, members: "email download_allowance_mib duplicate"},
		{call: "POST " + at + "/mau-included", body: apitest.Object{"mau_included": 0, "reason": "asked"}, members: "email mau_included duplicate"},
	} {
		c.token, c.status = apitest.AdminToken, 200
		if r := has(g, c); r.At(t, "duplicate") != false {
			t.Errorf("%s: %s", c.call, r.Body)
		}
		if r := has(g, c); r.At(t, "duplicate") != true {
			t.Errorf("%s again: %s", c.call, r.Body)
		}
	}
	identities := has(g, shape{call: "GET /admin/identities?order=month_used&q=ann", token: apitest.AdminToken, status: 200, members: "total limit offset identities"})
	first(g, identities, "identities", summary)
	one := has(g, shape{call: "GET " + at, token: apitest.AdminToken, status: 200, members: detail})
	if one.Members(t, "identity") != words("id email created_at tos_accepted_at") || one.At(t, "stripe_customer_id") != nil || one.At(t, "monthly_quota") != 60000.0 ||
		one.At(t, "balance_pence") != 150.0 || one.At(t, "credited_total_pence") != 150.0 || one.At(t, "month_used") != 21.0 {
		t.Errorf("%s", one.Body)
	}
	first(g, one, "keys", keyRecord)
	first(g, one, "history", ledgerEntry)
	has(g, shape{call: "GET " + at + "/quota-outreach", token: apitest.AdminToken, status: 200, members: "payload email_subject email_body email_html operator_message"})
	has(g, shape{call: "GET /admin/pointclouds", token: apitest.AdminToken, status: 200, members: "datasets fees truncated"})
	has(g, shape{call: "GET /admin/clearance", token: apitest.AdminToken, status: 200, members: "enabled artefacts"})
	first(g, has(g, shape{call: "GET /admin/mcp-map-issues", token: apitest.AdminToken, status: 200, members: "total limit offset issues"}), "issues", mapIssue)
	first(g, has(g, shape{call: "GET /admin/retros", token: apitest.AdminToken, status: 200, members: "total limit offset retros"}), "retros", retro)
	has(g, shape{call: "GET /admin/overview", token: apitest.AdminToken, status: 200, members: "generated_at abuse activation credit downloads identities plans top_endpoints"})
	has(g, shape{
		call: "GET /admin/commercial", token: apitest.AdminToken, status: 200,
		members: "generated_at revenue funnel usage_mix retention_proxy demo_lane prepaid",
	})
}

// first compares the first object of a list with its members.
func first(g *apitest.Gateway, r apitest.Reply, list, members string) {
	g.T.Helper()
	all, ok := r.At(g.T, list).([]any)
	if !ok || len(all) == 0 {
		g.T.Errorf("%s is empty: %s", list, r.Body)
		return
	}
	if got := apitest.Names(all[0].(apitest.Object)); got != words(members) {
		g.T.Errorf("%s[0] has\n %s\nwant\n %s", list, got, words(members))
	}
}

func when(t *testing.T, v any) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, v.(string))
	if err != nil {
		t.Fatal(err)
	}
	return at
}
