package find_test

import (
	"fmt"
	"testing"

	"github.com/waygate/waygate/index/place"
)

func TestTags(t *testing.T) {
	for _, c := range []struct {
		sort place.Sort
		want string
	}{
		{place.Sort{Kind: place.POI, Categories: []string{"pub", "amenity"}}, "[{amenity pub}]"},
		{place.Sort{Kind: place.POI, Categories: []string{"restaurant", "amenity", "hotel", "tourism", "pizza", "building"}}, "[{amenity restaurant} {tourism hotel} {building yes}]"},
		{place.Sort{Kind: place.POI, Categories: []string{"pub", "restaurant", "amenity"}}, "[{amenity pub} {amenity restaurant}]"},
		{place.Sort{Kind: place.POI, Categories: []string{"restaurant", "amenity", "regional", "italian"}}, "[{amenity restaurant}]"},
		{place.Sort{Kind: place.POI, Categories: []string{"shop", "office"}}, "[{shop yes} {office yes}]"},
		{place.Sort{Kind: place.POI, Categories: []string{"craft", "shop"}}, "[{shop craft}]"},
		{place.Sort{Kind: place.POI, Categories: []string{"building", "historic"}}, "[{historic building}]"},
		{place.Sort{Kind: place.POI, Categories: []string{"building"}}, "[{building yes}]"},
		{place.Sort{Kind: place.POI, Categories: []string{"place"}}, "[{place yes}]"},
		{place.Sort{Kind: place.POI}, "[{place yes}]"},
		{place.Sort{Kind: place.Street, Class: "residential"}, "[{highway residential}]"},
		{place.Sort{Kind: place.Street}, "[{highway road}]"},
		{place.Sort{Kind: place.Area, Class: "administrative6", Categories: []string{"administrative", "boundary"}}, "[{boundary administrative}]"},
		{place.Sort{Kind: place.Area, Class: "county", Categories: []string{"administrative", "boundary"}}, "[{place county}]"},
		{place.Sort{Kind: place.Locality, Class: "town", Categories: []string{"town", "place"}}, "[{place town}]"},
		{place.Sort{Kind: place.Locality}, "[{place locality}]"},
		{place.Sort{Kind: place.Address}, "[{place house}]"},
		{place.Sort{Kind: place.Postcode}, "[{place postcode}]"},
		{place.Sort{Kind: place.Crossing}, "[{junction yes}]"},
	} {
		if got := fmt.Sprint(c.sort.Tags()); got != c.want {
			t.Errorf("%+v: %s, want %s", c.sort, got, c.want)
		}
	}
}
