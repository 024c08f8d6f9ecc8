package places_test

import "testing"

// TestSpacesInHouseNumbers asks for numbers that the map, or the question, writes with a space before
// or after their letter.
func TestSpacesInHouseNumbers(t *testing.T) {
	asked(t, "GB", []node{
		{"place=town;name=Erts;population=2000", nil},
		{"addr:housenumber=12;addr:street=Mill Lane;addr:city=Erts", []string{"12 Mill Lane, Erts"}},
		{"addr:housenumber=12 A;addr:street=Mill Lane;addr:city=Erts", []string{"12A Mill Lane", "12 A Mill Lane", "Mill Lane 12a, Erts", "Mill Lane 12 a, Erts", "12 a, Mill Lane, Erts"}},
		{"addr:housenumber=14B;addr:street=Mill Lane;addr:city=Erts", []string{"14B Mill Lane", "14 B Mill Lane", "Mill Lane 14 b, Erts", "14 b Mill Lane Erts"}},
		{"addr:housenumber=16 1/2;addr:street=Mill Lane;addr:city=Erts", []string{"16 1/2 Mill Lane", "16½ Mill Lane", "Mill Lane 16½"}},
		{"addr:housenumber=18 - 20;addr:street=Mill Lane;addr:city=Erts", []string{"18-20 Mill Lane", "18 - 20 Mill Lane", "20 Mill Lane"}},
	})
}
