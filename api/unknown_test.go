package api_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/apitest"
)

// variable is a part of a path that stands for many.
var variable = regexp.MustCompile(`\{\w+\}`)

// TestChangesKnowAllTheyAreTold sends an unknown parameter to every endpoint of keys,
// accounts and operators, and a body to those that take none: each refuses it by name, and
// nothing is done.
func TestChangesKnowAllTheyAreTold(t *testing.T) {
	g := apitest.Start(t)
	key := g.Minted(t, account.Minting{})
	g.SignUp("ann@example.org")
	session := g.SignIn("ann@example.org", 1)
	asked := 0
	for path, item := range g.Document.Paths.Map() {
		var token string
		switch {
		case strings.HasPrefix(path, "/admin/"):
			token = apitest.AdminToken
		case strings.HasPrefix(path, "/v1/console/"):
			token = session
		case strings.HasPrefix(path, "/v1/keys"), strings.HasPrefix(path, "/v1/usage"), strings.HasPrefix(path, "/v1/limits"), path == "/map-issues", path == "/places":
			token = key.Secret
		default:
			continue
		}
		for method, operation := range item.Operations() {
			if method == "GET" && path == "/v1/keys/verify" {
				continue // a page
			}
			if method == "GET" && path == "/places" {
				continue // a question
			}
			asked++
			at := variable.ReplaceAllString(path, "x")
			p := g.Send(method, at+"?flavour=mint", "{}", apitest.Bearer(token)...).Problem(t, 400, "bad-request")
			if !strings.Contains(p["detail"].(string), "flavour: is not known here") && !strings.Contains(fmt.Sprint(p["errors"]), "flavour") {
				t.Errorf("%s %s: %v", method, path, p)
			}
			if method != "GET" && operation.RequestBody == nil {
				p := g.Send(method, at, `{"flavour":"mint"}`, apitest.Bearer(token)...).Problem(t, 400, "bad-request")
				if !strings.Contains(p["detail"].(string), "flavour: is not known here") {
					t.Errorf("%s %s with a body: %v", method, path, p)
				}
			}
		}
	}
	if asked < 30 {
		t.Errorf("%d endpoints were asked", asked)
	}
	if r := g.Send("GET", "/v1/console/self", "", apitest.Bearer(session)...); r.Status != 200 {
		t.Errorf("the session was ended: %d", r.Status)
	}
}

// TestQuestionsTakeWhatTheyDoNotKnow checks that no question is refused for a
// parameter that is not known, but observations, of which the contract wants that.
func TestQuestionsTakeWhatTheyDoNotKnow(t *testing.T) {
	g := apitest.Start(t)
	asked := 0
	for path, item := range g.Document.Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.Extensions["x-price-class"] == "free" || path == "/map-issues" || path == "/v1/route/observations" || path == "/styles" && method == "POST" || path == "/places" && method != "GET" || strings.HasPrefix(path, "/v1/plans") {
				continue
			}
			asked++
			if r := g.Send(method, variable.ReplaceAllString(path, "1")+"?flavour=mint", "{}"); r.Status == 400 && strings.Contains(string(r.Body), "flavour") {
				t.Errorf("%s %s: %d %s", method, path, r.Status, r.Body)
			}
		}
	}
	if asked < 30 {
		t.Errorf("%d endpoints were asked", asked)
	}
}

// Pages and pieces of maps have addresses that others add to.
func TestPagesTakeWhatOthersAdd(t *testing.T) {
	g := apitest.Start(t)
	for _, at := range []string{"/", "/health", "/v1/platform", "/openapi.json", "/llms.txt", "/terms", "/keys", "/v1/keys/verify"} {
		if r := g.Send("GET", at+"?utm_source=mail&utm_source=web", ""); r.Status != 200 {
			t.Errorf("%s: %d", at, r.Status)
		}
	}
}
