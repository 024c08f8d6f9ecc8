package replay

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/api/route"
	"github.com/waygate/waygate/feature/evidence"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/world"
)

func TestReplay(t *testing.T) {
	town := towntest.Draw(t, `
		a--b-----c--d
		   |     |
		   e-----f`, towntest.Ways{{"ab", "primary"}, {"bc", "primary tunnel=yes hazmat:adr_tunnel_cat=C"}, {"cd", "primary"}, {"befc", "residential"}})
	dir := importertest.Region(t, town.PBF(t))
	here, release, err := world.OpenFolder(dir, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	point := func(p string) string {
		return `{"lat":` + formatFloat(town.Point(p).Lat) + `,"lon":` + formatFloat(town.Point(p).Lon) + `}`
	}
	body := `{"locations":[` + point("a") + `,` + point("d") + `],"costing":"truck","adr":{"dimensions":{"height_m":3,"width_m":2,"length_m":8,"gross_weight_t":12},"hazmat":true,"tunnel_code":"C"},"sign":true}`
	answer, err := route.Replay(t.Context(), here, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	signer, err := evidence.NewSigner("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "1", nil)
	if err != nil {
		t.Fatal(err)
	}
	about := evidence.Signed{Call: "POST /route", Request: body, Region: here.Hash(), Engine: "embedded", Version: "1"}
	release()
	for name, c := range map[string]struct {
		answer, region, key string
		says                string
		err                 error
	}{
		"the same":         {string(answer), dir, signer.Public(), "the answer is the same", nil},
		"the signature":    {string(answer), "", "", "The signature fits", nil},
		"another length":   {strings.Replace(string(answer), `"has_ferry":false`, `"has_ferry":true`, 1), dir, "", "has_ferry was true and is false now", errDiffers},
		"another key":      {string(answer), dir, "AAAA", "", errOtherKey},
		"another region":   {string(answer), dir, "", "", errOtherRegion},
		"not even a route": {`{"a":1}`, dir, "", "trip was not there and is now", errDiffers},
	} {
		t.Run(name, func(t *testing.T) {
			of := about
			if c.err == errOtherRegion {
				of.Region = "sha256:0"
			}
			document, err := signer.Sign([]byte(c.answer), of)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "answer.json")
			if err := os.WriteFile(file, document, 0o600); err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			if err := (&Command{Region: c.region, Key: c.key, File: file}).run(t.Context(), &out); !errors.Is(err, c.err) || !strings.Contains(out.String(), c.says) {
				t.Errorf("%v\n%s", err, out.String())
			}
		})
	}
}

func formatFloat(v float64) string { return strconv.FormatFloat(v, 'f', 6, 64) }
