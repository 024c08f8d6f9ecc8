package landmarks_test

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/importer/landmarks"
	"github.com/waygate/waygate/osm"
)

func tagsOf(text string) osm.Tags {
	var tags osm.Tags
	for pair := range strings.SplitSeq(text, ";") {
		k, v, _ := strings.Cut(pair, "=")
		tags = append(tags, osm.Tag{Key: k, Value: v})
	}
	return tags
}

func TestCategory(t *testing.T) {
	for tags, want := range map[string]string{
		"amenity=pub;name=The Red Lion":                      "amenity=pub",
		"amenity=fuel;brand=Shell":                           "amenity=fuel",
		"shop=bakery;name=Crumbs":                            "shop=bakery",
		"railway=station;name=Newport":                       "railway=station",
		"building=church;name=St Mary":                       "building=church",
		"building=yes;amenity=place_of_worship;name=St Mary": "amenity=place_of_worship",
		"amenity=pub":                                        "",
		"amenity=bench;name=In memory":                       "",
		"building=house;name=Dunroamin":                      "",
		"shop=vacant;name=Was something":                     "",
		"shop=no;name=None":                                  "",
		"disused:amenity=pub;name=The Bull":                  "",
		"disused:shop=yes;amenity=pub;name=The Bull":         "",
		"amenity=pub;name=The Bull;disused=yes":              "",
		"amenity=pub;name=The Bull;disused=no":               "amenity=pub",
		"amenity=pub;name=The Bull;abandoned=yes":            "",
		"amenity=pub;name=The Bull;abandoned:building=yes":   "",
		"amenity=pub;name=The Bull;opening_hours=closed":     "",
		"amenity=pub;name=The Bull;opening_hours=off":        "",
		"amenity=pub;name=The Bull;opening_hours=Mo-Su":      "amenity=pub",
		"amenity=pub;name=The Bull;demolished=2020":          "",
	} {
		if got := landmarks.Category(tagsOf(tags)); got != want {
			t.Errorf("%s: %q, want %q", tags, got, want)
		}
	}
}
