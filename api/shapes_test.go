package api_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
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

func (g *gateway) has(c shape) reply {
	g.t.Helper()
	method, path, _ := strings.Cut(c.call, " ")
	text := ""
	if c.body != nil {
		text = body(c.body)
	}
	var header []string
	if c.token != "" {
		header = bearer(c.token)
	}
	r := g.send(method, path, text, header...)
	if r.status != c.status {
		g.t.Fatalf("%s: status %d, want %d: %s", c.call, r.status, c.status, r.body)
	}
	if c.members == "" {
		return r
	}
	if r.header.Get("Cache-Control") != "no-store" {
		g.t.Errorf("%s: Cache-Control %q", c.call, r.header.Get("Cache-Control"))
	}
	if got := r.members(g.t, c.within...); got != words(c.members) {
		g.t.Errorf("%s has\n %s\nwant\n %s", c.call, got, words(c.members))
	}
	return r
}

// TestShapes goes through the life of an account and holds every answer
// against the contract's members.
func TestShapes(t *testing.T) {
	g := start(t)
	const who = "ann@example.org"
	issued := g.has(shape{call: "POST /v1/keys", status: 201, body: object{
		"email": who, "accept_tos": true, "label": "my app", "allowed_origins": []string{"HTTPS://App.Example.com:443", "https://app.example.com"}, "source": "docs",
	}, members: "key key_id state expires_at monthly_quota rate_per_min label allowed_origins scope claim_url claim_expires_in_h display_to_user"})
	key, id := issued.at(t, "key").(string), issued.at(t, "key_id").(string)
	for name, want := range map[string]any{"state": "provisional", "monthly_quota": 1000.0, "rate_per_min": 60.0, "label": "my app", "scope": "full", "claim_expires_in_h": 72.0} {
		if issued.at(t, name) != want {
			t.Errorf("%s is %v, want %v", name, issued.at(t, name), want)
		}
	}
	if o := issued.at(t, "allowed_origins").([]any); len(o) != 1 || o[0] != "https://app.example.com" {
		t.Errorf("allowed_origins %v", o)
	}
	if left := time.Until(when(t, issued.at(t, "expires_at"))); left < 71*time.Hour || left > 72*time.Hour {
		t.Errorf("expires in %v", left)
	}
	claim, _ := strings.CutPrefix(issued.at(t, "claim_url").(string), website+"/console/claim#")

	link := g.token(t, who, 0)
	for _, c := range []shape{
		{call: "POST /v1/keys/verify/details", body: object{"token": link}, status: 200, members: verification},
		{call: "POST /v1/keys/verify", body: object{"token": link}, status: 200, members: verification},
		{call: "GET /v1/console/claims/" + claim, status: 200, members: "masked_email"},
		{call: "POST /v1/console/claims/" + claim + "/signin", status: 202, members: "status"},
		{call: "POST /v1/console/signin", body: object{"email": who}, status: 202, members: "status"},
		{call: "POST /v1/console/signin", body: object{"email": "nobody@example.org"}, status: 202, members: "status"},
	} {
		g.has(c)
	}
	bound := func(method, path string, text string) reply {
		return g.send(method, path, text, append(bearer(key), "Origin", "https://app.example.com")...)
	}
	if r := bound("POST", "/route", `{"costing":"truck",`+two+`}`); r.status != 200 || r.header.Get("X-Svc-Quota-Units") != "20" {
		t.Fatalf("%d %v %s", r.status, r.header, r.body)
	}
	if r := bound("GET", "/v1/keys/self", ""); r.members(t) != words(keySelf) || r.at(t, "used_this_month") != 20.0 || r.at(t, "remaining") != 49_980.0 {
		t.Errorf("%s", r.body)
	}
	if _, units := g.units(t, id); units != 20 {
		t.Errorf("%d units", units)
	}
	use := bound("GET", "/v1/usage", "")
	if use.members(t) != words("from to days totals") || use.members(t, "totals") != words("calls units") {
		t.Errorf("%s", use.body)
	}
	day := use.at(t, "days").([]any)[0].(object)
	if first := day["endpoints"].([]any)[0].(object); day["total_units"] != 20.0 || first["endpoint"] != "POST /route" || first["class"] != "premium" || first["calls"] != 1.0 || first["units"] != 20.0 {
		t.Errorf("%s", use.body)
	}
	if r := bound("POST", "/v1/keys/claim", ""); r.status != 200 || r.members(t) != words("claim_url expires_in_h display_to_user") || r.at(t, "expires_in_h") != 72.0 {
		t.Errorf("%d %s", r.status, r.body)
	}
	for _, text := range []string{"", `{}`, `{"url":"https://hooks.example.com/x"}`} {
		if r := bound("POST", "/v1/keys/self/webhook-secret", text); r.status != 200 || r.members(t) != "secret" || !strings.HasPrefix(r.at(t, "secret").(string), "whsec_") {
			t.Errorf("%q: %d %s", text, r.status, r.body)
		}
	}
	if r := bound("POST", "/map-issues", `{"lat":47.1,"lon":9.5,"category":"road-missing"}`); r.status != 201 || r.members(t) != "id" {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := bound("POST", "/v1/feedback", `{"what_built":"a map","problems":[{"area":"docs","description":"few"}],"mood":"good"}`); r.status != 202 || r.members(t) != words("id status") || r.at(t, "status") != "received" {
		t.Errorf("%d %s", r.status, r.body)
	}

	if _, units := g.units(t, id); units != 21 {
		t.Errorf("%d units", units)
	}
	g.operates(who, id)

	session := g.has(shape{call: "POST /v1/console/session", body: object{"token": g.token(t, who, 2)}, status: 201, members: "session expires_at"}).at(t, "session").(string)
	self := g.has(shape{call: "GET /v1/console/self", token: session, status: 200, members: consoleSelf})
	if self.at(t, "balance_pence") != 150.0 || self.at(t, "balance_millipence") != 150_000.0 || self.at(t, "email") != who || self.at(t, "plan") != account.FreePlan {
		t.Errorf("%s", self.body)
	}
	g.first(self, "keys", consoleKey)
	g.first(self, "history", ledgerEntry)
	g.has(shape{call: "GET /v1/console/usage", token: session, status: 200, members: "from to days totals"})
	g.has(shape{call: "DELETE /v1/console/session", token: session, status: 204})
	g.has(shape{call: "GET /v1/console/self", token: session, status: 401})
}

// operates goes through what an operator does about an identity and its key.
func (g *gateway) operates(who, id string) {
	t := g.t
	t.Helper()
	g.has(shape{
		call: "POST /admin/keys", token: adminToken, status: 201, body: object{"name": "ops", "monthly_quota": 10, "rate_per_min": 5},
		members: "id name key created_at monthly_quota rate_per_min allowed_origins scope",
	})
	list := g.has(shape{call: "GET /admin/keys?limit=1", token: adminToken, status: 200, members: "total limit offset keys"})
	if list.at(t, "total") != 2.0 || list.at(t, "limit") != 1.0 {
		t.Errorf("%s", list.body)
	}
	g.first(list, "keys", keyRecord)
	g.has(shape{call: "GET /admin/keys/" + id + "/usage", token: adminToken, status: 200, members: "from to days totals"})
	at := "/admin/identities/" + who
	for _, c := range []shape{
		{call: "POST /admin/keys/" + id + "/credit", body: object{"pence": 100, "reason": "first"}, members: credit},
		{call: "POST /admin/identities/credit", body: object{"email": strings.ToUpper(who), "pence": 50, "reason": "second"}, members: credit},
		{call: "POST " + at + "/quota", body: object{"monthly_quota": 60000, "reason": "asked"}, members: "email monthly_quota duplicate"},
		{call: "POST " + at + "/download-allowance", body: object{"download_allowance_mib": 1, "reason": "asked"}, members: "email download_allowance_mib duplicate"},
		{call: "POST " + at + "/mau-included", body: object{"mau_included": 0, "reason": "asked"}, members: "email mau_included duplicate"},
	} {
		c.token, c.status = adminToken, 200
		if r := g.has(c); r.at(t, "duplicate") != false {
			t.Errorf("%s: %s", c.call, r.body)
		}
		if r := g.has(c); r.at(t, "duplicate") != true {
			t.Errorf("%s again: %s", c.call, r.body)
		}
	}
	identities := g.has(shape{call: "GET /admin/identities?order=month_used&q=ann", token: adminToken, status: 200, members: "total limit offset identities"})
	g.first(identities, "identities", summary)
	one := g.has(shape{call: "GET " + at, token: adminToken, status: 200, members: detail})
	if one.members(t, "identity") != words("id email created_at tos_accepted_at") || one.at(t, "stripe_customer_id") != nil || one.at(t, "monthly_quota") != 60000.0 ||
		one.at(t, "balance_pence") != 150.0 || one.at(t, "credited_total_pence") != 150.0 || one.at(t, "month_used") != 21.0 {
		t.Errorf("%s", one.body)
	}
	g.first(one, "keys", keyRecord)
	g.first(one, "history", ledgerEntry)
	g.has(shape{call: "GET " + at + "/quota-outreach", token: adminToken, status: 200, members: "payload email_subject email_body email_html operator_message"})
	g.has(shape{call: "GET /admin/pointclouds", token: adminToken, status: 200, members: "datasets fees"})
	g.has(shape{call: "GET /admin/clearance", token: adminToken, status: 200, members: "enabled artefacts"})
	g.first(g.has(shape{call: "GET /admin/mcp-map-issues", token: adminToken, status: 200, members: "total limit offset issues"}), "issues", mapIssue)
	g.first(g.has(shape{call: "GET /admin/retros", token: adminToken, status: 200, members: "total limit offset retros"}), "retros", retro)
	g.has(shape{call: "GET /admin/overview", token: adminToken, status: 200, members: "generated_at abuse activation credit downloads identities plans top_endpoints"})
	g.has(shape{
		call: "GET /admin/commercial", token: adminToken, status: 200,
		members: "generated_at revenue funnel usage_mix retention_proxy demo_lane prepaid",
	})
}

// first holds the first object of a list against its members.
func (g *gateway) first(r reply, list, members string) {
	g.t.Helper()
	all, ok := r.at(g.t, list).([]any)
	if !ok || len(all) == 0 {
		g.t.Errorf("%s is empty: %s", list, r.body)
		return
	}
	if got := names(all[0].(object)); got != words(members) {
		g.t.Errorf("%s[0] has\n %s\nwant\n %s", list, got, words(members))
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
