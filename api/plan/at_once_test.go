package plan_test

import (
	"sync"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/apitest"
)

// TestOptimiseAtOnce has four callers ask for the same plan: each gets what one gets
// alone.
func TestOptimiseAtOnce(t *testing.T) {
	g, town := apitest.Drawn(t)
	k := g.Minted(t, account.Minting{})
	body := many(town, 20, 3, "")
	alone := g.Send("POST", "/optimise", body, apitest.Bearer(k.Secret)...)
	if alone.Status != 200 {
		t.Fatalf("%d %s", alone.Status, alone.Body)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if r := g.Send("POST", "/optimise", body, apitest.Bearer(k.Secret)...); r.Status != 200 || string(r.Body) != string(alone.Body) {
				t.Errorf("%d %s, alone it is %s", r.Status, r.Body, alone.Body)
			}
		})
	}
	all.Wait()
}
