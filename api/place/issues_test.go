package place_test

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/apitest"
)

// A note and a contact have their limits, in bytes, without the white space around them.
func TestMapIssueTexts(t *testing.T) {
	g := apitest.Start(t)
	k := g.Minted(t, account.Minting{})
	for _, c := range []struct {
		note, contact string
		status        int
	}{
		{"  \\n" + strings.Repeat("x", 1000) + "\\t ", " " + strings.Repeat("y", 200) + "  ", 201},
		{strings.Repeat("x", 1001), "", 400},
		{strings.Repeat("é", 501), "", 400},
		{"", strings.Repeat("y", 201), 400},
	} {
		body := `{"lat":47,"lon":9,"category":"other","note":"` + c.note + `","contact":"` + c.contact + `"}`
		if r := g.Send("POST", "/map-issues", body, apitest.Bearer(k.Secret)...); r.Status != c.status {
			t.Errorf("%.20q and %.20q: %d %s", c.note, c.contact, r.Status, r.Body)
		}
	}
}
