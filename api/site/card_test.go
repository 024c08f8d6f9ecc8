package site

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// pageOf returns the page of an address with a query.
func pageOf(images bool, query string) (string, previewCard) {
	o := root{baseURL: "https://api.example", websiteURL: "https://example.com", images: images}
	card := o.card(query)
	return string(withCard([]byte("<html><head><title>x</title></head><body></body></html>"), card)), card
}

func TestCard(t *testing.T) {
	for name, c := range map[string]struct{ query, title, image string }{
		"nothing is shared": {"", "Waygate map explorer", ""},
		"two points": {
			"p=-7.2,49.3%3B-7.1,49.4&names=Quay%3BCastle%20%26%20Keep", "Quay to Castle & Keep",
			"markers=-7.2,49.3,A;-7.1,49.4,B size=1200x630",
		},
		"points with bare semicolons and empty rows": {"p=-7.2,49.3;;-7.1,49.4", "A route on Waygate", "markers=-7.2,49.3,A;-7.1,49.4,B size=1200x630"},
		"a route with its line":                      {"p=1,2;3,4&line=_p~iF~ps%7CU_ulL", "A route on Waygate", "markers=1,2,A;3,4,B precision=5 route=_p~iF~ps|U_ulL size=1200x630"},
		"one place":                                  {"here=1.23456789,2&called=Market", "Market", "center=1.234568,2 markers=1.234568,2,A size=1200x630 zoom=14"},
		"a line that is none":                        {"p=1,2;3,4&line=%3Cscript%3E", "A route on Waygate", "markers=1,2,A;3,4,B size=1200x630"},
		"points that are none":                       {"p=NaN,1;200,1;1,91;x;1", "Waygate map explorer", ""},
		"a broken query":                             {"p=1,2;3,4&%zz", "Waygate map explorer", ""},
		"a query that is too long":                   {"p=1,2;3,4&names=" + strings.Repeat("x", maxSharedQuery), "Waygate map explorer", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, card := pageOf(true, c.query)
			if card.Title != c.title {
				t.Errorf("title %q, want %q", card.Title, c.title)
			}
			address, err := url.Parse(card.Image)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, key := range []string{"center", "markers", "precision", "route", "size", "zoom"} {
				if address.Query().Has(key) {
					got = append(got, key+"="+address.Query().Get(key))
				}
			}
			if text := strings.Join(got, " "); text != c.image {
				t.Errorf("image %q, want %q", text, c.image)
			}
			if c.image != "" && !strings.HasPrefix(card.Image, "https://example.com/api/static-map?") {
				t.Errorf("image at %s", card.Image)
			}
		})
	}
}

func TestCardIsPartOfThePage(t *testing.T) {
	page, _ := pageOf(true, `p=1,2;3,4&names=%22%3E%3Cscript%3Ealert(1)%3C/script%3E;B`)
	if strings.Contains(page, "<script>") || strings.Count(page, "<meta ") < 5 || !strings.Contains(page, "</head><body>") {
		t.Errorf("the page is %s", page)
	}
	if page, _ := pageOf(false, "p=1,2;3,4"); strings.Contains(page, "og:image") {
		t.Errorf("a server that draws no images offers one: %s", page)
	}
}

func TestSharedAddressesAreThePage(t *testing.T) {
	for _, c := range []struct {
		address, accept string
		page            bool
	}{
		{"/", "text/html,*/*;q=0.8", true},
		{"/", "*/*", false},
		{"/", "", false},
		{"/?format=x", "*/*", false},
		{"/?p=1,2%3B3,4", "*/*", true},
		{"/?here=1,2", "", true},
		{"/?p=1,2%3B3,4", "application/json", false},
		{"/?p=1,2%3B3,4", "image/*", true},
	} {
		r := httptest.NewRequest(http.MethodGet, c.address, nil)
		r.Header.Set("Accept", c.accept)
		if wantsPage(r) != c.page {
			t.Errorf("%s for %q is the page: %v", c.address, c.accept, !c.page)
		}
	}
}

func FuzzCard(f *testing.F) {
	f.Add("p=-7.2,49.3%3B-7.1,49.4&names=Quay%3BCastle&line=_p~iF~ps%7CU")
	f.Add("here=1,2&called=%22%3E")
	f.Fuzz(func(t *testing.T, query string) {
		page, card := pageOf(true, query)
		if strings.Count(page, "<") != strings.Count(page, ">") || strings.Contains(page, "<script") {
			t.Errorf("the page is %s", page)
		}
		if _, err := url.Parse(card.Image); err != nil || len(card.Image) > 4*maxSharedQuery {
			t.Errorf("the image is at %q: %v", card.Image, err)
		}
	})
}
