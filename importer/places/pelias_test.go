package places_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// peliasTest is one of Pelias' acceptance tests, with the parts of it that are used here.
type peliasTest struct {
	Endpoint string
	In       struct{ Text string }
	Expected struct {
		Properties []struct{ Name, Housenumber, Street, Locality, Borough, Postalcode, Region, Layer string }
	}
}

// numbered is a name of Pelias' that is an address.
var numbered = regexp.MustCompile(`^(\d+[a-zA-Z]?) (.+)$`)

// TestPelias sends the questions of Pelias' acceptance tests that expect an address, a street
// or a place with a name; WAYGATE_PELIAS_TESTS names the folder of their files. Those of
// autocomplete are sent as suggestions.
func TestPelias(t *testing.T) {
	folder := os.Getenv("WAYGATE_PELIAS_TESTS")
	if folder == "" {
		t.Skip("WAYGATE_PELIAS_TESTS names no folder of test cases of pelias/acceptance-tests")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	lists := map[string][]expected{}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var f struct {
			Endpoint string
			Tests    []json.RawMessage
		}
		if err := json.Unmarshal(data, &f); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, raw := range f.Tests {
			var c peliasTest
			if json.Unmarshal(raw, &c) != nil {
				continue // expects what is no list of properties
			}
			endpoint := f.Endpoint
			if c.Endpoint != "" {
				endpoint = c.Endpoint
			}
			if len(c.Expected.Properties) == 0 || c.In.Text == "" || endpoint != "search" && endpoint != "autocomplete" {
				continue
			}
			p := c.Expected.Properties[0]
			one := expected{query: c.In.Text, house: p.Housenumber, street: p.Street, city: p.Locality, postcode: p.Postalcode, suburb: p.Borough, state: p.Region, typing: endpoint == "autocomplete"}
			switch m := numbered.FindStringSubmatch(p.Name); {
			case one.street != "":
			case m != nil && p.Layer != "venue" && p.Layer != "street":
				one.house, one.street = m[1], m[2]
			case p.Layer == "street":
				one.street = p.Name
			case p.Layer == "" || p.Layer == "venue":
				if one.name = p.Name; p.Layer == "" && p.Locality == "" {
					continue // which may be a country or a region
				}
			}
			if one.name+one.street != "" && !strings.EqualFold(one.name, one.city) {
				name := filepath.Base(path)
				lists[name] = append(lists[name], one)
			}
		}
	}
	askLists(t, lists)
}
