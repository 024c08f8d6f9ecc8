package directions

import (
	"testing"

	"github.com/waygate/waygate/costing"
)

func TestPlaces(t *testing.T) {
	p, err := remote.Places([]byte(`{"locations":[{"lat":1,"lon":2}],"costing":"truck","costing_options":{"truck":{"height":4,"wings":2}},"verbose":true,"units":"miles","colour":"red","linear_references":false}`),
		Quest{Least: 1, Most: 3, Own: []string{"verbose"}})
	if err != nil {
		t.Fatal(err)
	}
	if p.Route.Costing != costing.Truck || p.Route.Options.Of(p.Route.Costing).Height != 4 || string(p.Own["verbose"]) != "true" {
		t.Errorf("read as %+v", p)
	}
	if len(p.Route.Extra) != 2 || string(p.Route.Extra["units"]) != `"miles"` || string(p.Route.Extra["colour"]) != `"red"` {
		t.Errorf("a remote engine gets %s", p.Route.Extra)
	}
	if len(p.Warnings) != 2 { // wings and colour
		t.Errorf("the caller is warned of %+v", p.Warnings)
	}
}

func FuzzPlaces(f *testing.F) {
	for _, body := range []string{
		`{"locations":[{"lat":1,"lon":2}]}`, `{"locations":[{"lat":1,"lon":2,"radius":5},{"lat":1e9,"lon":2}],"costing":"bus"}`,
		`{"locations":null}`, `{"locations":[[1,2]],"costing_options":{"auto":[]}}`, `[]`, `{"locations":[{"lat":"1"}],"adr":{}}`, "\xff", `{"a":1,"a":2}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, s := range []*Service{embedded, remote} {
			p, err := s.Places(body, Quest{Least: 1, Most: 3, Own: []string{"verbose"}, Narrated: true})
			if err != nil {
				continue
			}
			if n := len(p.Route.Locations); n < 1 || n > 3 || !p.Route.Costing.Known() {
				t.Errorf("accepted %d locations for %q", n, p.Route.Costing)
			}
			for _, l := range p.Route.Locations {
				if !l.Point.Valid() {
					t.Errorf("accepted the position %v", l.Point)
				}
			}
		}
	})
}
