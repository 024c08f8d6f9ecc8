package route_test

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/feature/evidence"
)

func TestSignedRoutes(t *testing.T) {
	signer, err := evidence.NewSigner("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "1", nil)
	if err != nil {
		t.Fatal(err)
	}
	g, town := apitest.Drawn(t, func(o *api.Options) { o.Signer = signer })
	if key := g.Send("GET", "/v1/platform", "").At(t, "answer_key"); key != signer.Public() {
		t.Errorf("the platform has the key %v", key)
	}
	for _, more := range []string{"", `,"format":"osrm"`, `,"receipt":true`} {
		plain := `{"locations":[` + apitest.At(town.Point("a")) + `,` + apitest.At(town.Point("c")) + `],"costing":"auto"` + more
		body := plain + `,"sign":true}`
		r := g.Send("POST", "/route", body)
		answer, s, err := evidence.Verify(r.Body)
		if err != nil || s.Request != body || s.Key != signer.Public() || s.Engine != "embedded" || s.Region == "" {
			t.Errorf("%s: %v of %+v", r.Body, err, s)
		}
		if other := g.Send("POST", "/route", plain+"}"); !strings.Contains(more, "receipt") && string(answer) != strings.TrimSpace(string(other.Body)) {
			t.Errorf("signed %s\nunsigned %s", answer, other.Body)
		}
	}
	none, town := apitest.Drawn(t)
	none.Send("POST", "/route", `{"locations":[`+apitest.At(town.Point("a"))+`,`+apitest.At(town.Point("c"))+`],"sign":true}`).Problem(t, 501, "sign-not-enabled")
}
