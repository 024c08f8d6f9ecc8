package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
)

// The metrics are for this machine and the operator. A request that a proxy on
// this machine passed on is not from this machine.
func TestMetricsAreNotPublic(t *testing.T) {
	g := apitest.Start(t)
	if r := g.Send("GET", "/metrics", ""); r.Status != 200 {
		t.Errorf("from this machine: %d", r.Status)
	}
	for _, header := range []string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Forwarded", "Via"} {
		if r := g.Send("GET", "/metrics", "", header, "1.2.3.4"); strings.Contains(string(r.Body), "waygate_") {
			t.Errorf("through a proxy with %s: %d", header, r.Status)
		} else {
			r.Problem(t, 401, "admin-unauthorized")
		}
	}
	if r := g.Send("GET", "/metrics", "", append([]string{"X-Forwarded-For", "1.2.3.4"}, apitest.Bearer(apitest.AdminToken)...)...); r.Status != 200 {
		t.Errorf("for the operator: %d", r.Status)
	}
	apart := apitest.Start(t, func(o *api.Options) { o.MetricsApart = true })
	apart.Send("GET", "/metrics", "").Problem(t, 404, "not-found")
}

// No answer, whatever its status, may be taken for a page by a browser that
// guesses.
func TestNosniffEverywhere(t *testing.T) {
	g := apitest.Start(t)
	for _, at := range []string{"/", "/health", "/metrics", "/openapi.json", "/llms.txt", "/nowhere", "/route", "/keys", "/assets/x", "/admin/keys", "/v1/keys/self", "/route/v1/car/x", "/tiles/x/1/1/1.mvt"} {
		for _, method := range []string{"GET", "POST", "OPTIONS", "BREW"} {
			if r := g.Send(method, at, ""); r.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s %s: %d without nosniff", method, at, r.Status)
			}
		}
	}
}

// A key in the query is one by the name that its parameter has once it is read,
// wherever keys are looked for.
func TestEscapedKey(t *testing.T) {
	g := apitest.Start(t)
	k := g.Minted(t, account.Minting{})
	for _, name := range []string{"api_key", "api%5Fkey", "api%5fkey", "%61pi_key", "%61%70%69%5f%6b%65%79"} {
		if r := g.Send("GET", "/v1/keys/self?"+name+"="+k.Secret, ""); r.Status != http.StatusOK {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
		g.Send("GET", "/v1/keys/self?"+name+"=wg_wrong", "").Problem(t, 401, "unauthorized")
		g.Send("GET", "/v1/keys/self?"+name+"="+k.Secret+"&api_key=wg_other", "").Problem(t, 401, "unauthorized")
		// Not in a form, and not in a body.
		g.Send("POST", "/route", name+"="+k.Secret).Problem(t, 401, "unauthorized")
	}
	for _, member := range []string{"api_key", `api\u005fkey`, `\u0061pi_key`} {
		g.Send("POST", "/route", `{"locations":[],"`+member+`":"`+k.Secret+`"}`).Problem(t, 401, "unauthorized")
	}
	if log := g.Log.String(); strings.Contains(log, k.Secret) {
		t.Error("the log has the key")
	}
}

// A key that was requested with another person's address shows nothing of theirs
// until they confirm it, and adds nothing to what they see.
func TestProvisionalKeyShowsItsOwn(t *testing.T) {
	g := apitest.Start(t)
	owner, _ := g.SignUp("ann@example.org")
	body := `{"locations":[{"lat":47.1,"lon":9.1},{"lat":47.2,"lon":9.2}],"costing":"auto"}`
	for range 3 {
		if r := g.Send("POST", "/route", body, apitest.Bearer(owner)...); r.Status != 200 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
	}
	if r := g.Send("POST", "/admin/identities/credit", `{"email":"ann@example.org","pence":500,"reason":"x"}`, apitest.Bearer(apitest.AdminToken)...); r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	for _, statement := range []string{
		"UPDATE identities SET download_allowance_mib = 77, mau_included = 78",
		"INSERT INTO active_users (identity_id, month, client) SELECT id, strftime('%Y-%m', 'now'), 'x' FROM identities",
		"INSERT INTO downloads (identity_id, month, bytes) SELECT id, strftime('%Y-%m', 'now'), 5000000 FROM identities",
	} {
		if _, err := g.DB.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	fresh := g.Send("POST", "/v1/keys", `{"email":"ann@example.org","accept_tos":true}`).At(t, "key").(string)
	r := g.Send("GET", "/v1/keys/self", "", apitest.Bearer(fresh)...)
	for member, want := range map[string]any{
		"state": "provisional", "identity_keys": 1.0, "credits_millipence": 0.0, "credits_pence": 0.0, "download_allowance_mib": float64(account.DownloadMiB),
		"download_used_mib": 0.0, "mau_this_month": 0.0, "mau_included": float64(account.IncludedMAU), "mau_overdrawn": false, "used_this_month": 0.0,
	} {
		if got := r.At(t, member); got != want {
			t.Errorf("%s is %v, want %v", member, got, want)
		}
	}
}
