package find_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

// TestBadInput asks what nobody means as a question: it finds nothing or places of the index, and
// is no failure.
func TestBadInput(t *testing.T) {
	x, _ := county(t, geo.Point{Lon: -3, Lat: 51.58})
	var numbers strings.Builder
	for i := range 1000 {
		fmt.Fprint(&numbers, i, " ")
	}
	nothing := []string{
		"", " ", "&", "/", "@", ",", "&&&", "Flat", "unit", "!?.,;:-_()[]{}", "\u200f\u200e\u202e\u2066", "\x00\x01\x1b[31m", "\t\n\r", "🙂🚒🏴󠁧󠁢󠁷󠁬󠁳󠁿", "\xff\xfe\xfd", strings.Repeat("&", 2000), strings.Repeat("🙂", 500), strings.Repeat("\u0301", 900), "9C3RXX++", "+", "℡",
	}
	anything := []string{numbers.String(), strings.Repeat("1 ", 1000), strings.Repeat("12/", 600), "High Street & ", "& High Street", "Flat 3", "\u202eteertS hgiH\u202c", "https://maps.example.org/?ll=-2.99,51.58", strings.Repeat("High Street ", 160)}
	for _, letter := range "aéßαжאعकกကაአあ漢한ሀԱ𐐀" {
		for _, n := range []int{1, 2, 3, 48, 49, 255, 512, 2000} {
			anything = append(anything, strings.Repeat(string(letter), n), strings.TrimSpace(strings.Repeat(string(letter)+" ", n/2+1)))
		}
	}
	for i, q := range append(nothing, anything...) {
		for _, typing := range []bool{false, true} {
			hits, err := x.Search(t.Context(), &place.Query{Text: q, Limit: 5, Typing: typing})
			if err != nil || len(hits) > 5 || i < len(nothing) && !typing && len(hits) > 0 {
				t.Errorf("%.40q, typing %v, finds %d places, %v", q, typing, len(hits), err)
			}
			for _, h := range hits {
				if _, ok := x.Find(h.ID, ""); !ok {
					t.Errorf("%.40q finds %s, which is not there", q, h.ID)
				}
			}
		}
	}
}
