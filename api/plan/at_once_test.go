package plan_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/apitest"
)

// TestMatrixJobsAtOnce has four callers hand in jobs while others are worked on: the
// result of each is that of the same job alone.
func TestMatrixJobsAtOnce(t *testing.T) {
	g, town := apitest.Drawn(t)
	k := g.Minted(t, account.Minting{})
	var places []string
	for _, p := range "abcdefg" {
		places = append(places, apitest.At(town.Point(string(p))))
	}
	result := func(id string) string {
		r := ended(t, g, k, id)
		if r.At(t, "state") != "succeeded" {
			t.Fatalf("%s", r.Body)
		}
		return apitest.Body(r.At(t, "result"))
	}
	g.Work(t)
	const callers, each = 4, 3
	var bodies, alone [callers]string
	for n := range callers {
		bodies[n] = `{"locations":[` + strings.Join(slices.Concat(places[n:], places[:n]), ",") + `]}`
		alone[n] = result(submitted(t, g, k, "/v1/jobs/matrix", bodies[n]))
	}
	if alone[0] == alone[1] {
		t.Fatal("two jobs have one result, which tells neither from the other")
	}
	var replies [callers][each]apitest.Reply
	var all sync.WaitGroup
	for n := range callers {
		all.Go(func() {
			for i := range each {
				replies[n][i] = g.Send("POST", "/v1/jobs/matrix", bodies[n], apitest.Bearer(k.Secret)...)
			}
		})
	}
	all.Wait()
	for n := range callers {
		for _, r := range replies[n] {
			if r.Status != 202 {
				t.Fatalf("%d %s", r.Status, r.Body)
			}
			if got := result(r.At(t, "id").(string)); got != alone[n] {
				t.Errorf("the result is %s, alone it is %s", got, alone[n])
			}
		}
	}
}
