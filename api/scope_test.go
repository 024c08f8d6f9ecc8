package api_test

import (
	"encoding/csv"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/realdata"
)

// parameter is a part of a path that a call has to fill in.
var parameter = regexp.MustCompile(`\{[^}]*\}`)

// TestScopes calls every endpoint of the contract that is built with a key of
// scope maps: it is let in exactly where the contract says so.
func TestScopes(t *testing.T) {
	f, err := os.Open(realdata.Beside(t, "contract/endpoints.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, -1
	all, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	g := apitest.Start(t)
	maps := g.Minted(t, account.Minting{Scope: account.Maps})
	full := g.Minted(t, account.Minting{})
	open, shut := 0, 0
	var answered int64 // units of calls that were answered
	for _, row := range all[1:] {
		method, path, auth, scope := row[0], row[1], row[2], row[3]
		item := g.Document.Paths.Value(path)
		if auth != "key" || item == nil || item.GetOperation(method) == nil {
			continue
		}
		target := parameter.ReplaceAllString(path, "1")
		got := g.Send(method, target, "", apitest.Bearer(maps.Secret)...)
		if row := got.Header.Get("X-Svc-Quota-Units"); got.Status == 200 && row != "" {
			n, err := strconv.ParseInt(row, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			answered += n
		}
		if refused := got.Status == 403; refused != (scope == "no") {
			t.Errorf("%s %s: %d with a maps key, the contract says %s: %s", method, path, got.Status, scope, got.Body)
			continue
		}
		if got.Status != 403 {
			open++
		} else if shut++; path != "/route/v1/{profile}/{coordinates}" {
			p := got.Problem(t, 403, "scope-insufficient")
			if p["scope"] != "maps" || p["required_scope"] != "full" || p["endpoint"] != method+" "+path {
				t.Errorf("%v", p)
			}
		}
		if r := g.Send(method, target, "", apitest.Bearer(full.Secret)...); r.Status == 403 && path != "/v1/keys/claim" {
			t.Errorf("%s %s: a full key gets %s", method, path, r.Body)
		}
	}
	if open < 6 || shut < 9 {
		t.Errorf("%d endpoints were open and %d shut", open, shut)
	}
	if _, units := g.Units(t, maps.Key.ID); units != answered {
		t.Errorf("%d units were charged, %d told", units, answered)
	}
}
