package landmarks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/feature/landmarks"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/landmark"
)

var junction = geo.Point{Lon: -3, Lat: 51.5}

func speak(language string) landmarks.Phrase {
	if language == "tlh" {
		return nil
	}
	return func(instruction, place string, where landmarks.Placement) string {
		return fmt.Sprintf("%d %s: %s", where, place, instruction)
	}
}

// A driver comes from the south and turns right at the junction.
func annotate(places ...landmark.Place) (string, landmarks.Block) {
	s := &landmarks.Service{Index: landmark.Build(places), Speak: speak}
	texts, block := s.Annotate("en", []*landmarks.Turn{nil, {At: junction, Bearing: 0, Instruction: "Turn right."}})
	return strings.Join(texts, "|"), block
}

func place(name, category string, bearing, metres float64) landmark.Place {
	return landmark.Place{Name: name, Category: category, At: geo.Destination(junction, bearing, metres)}
}

func TestGates(t *testing.T) {
	branded := func(p landmark.Place, brand string) landmark.Place {
		p.Brand = brand
		return p
	}
	for _, c := range []struct {
		name   string
		places []landmark.Place
		want   string
	}{
		{"a pub", []landmark.Place{place("The Red Lion", "amenity=pub", 90, 12)}, "0 The Red Lion"},
		{"a station", []landmark.Place{place("Newport", "railway=station", 90, 30)}, "0 Newport"},
		{"a department store", []landmark.Place{place("Howells", "shop=department_store", 90, 30)}, "0 Howells"},
		{"ahead", []landmark.Place{place("St Mary", "amenity=place_of_worship", 10, 30)}, "1 St Mary"},
		{"behind", []landmark.Place{place("St Mary", "amenity=place_of_worship", 170, 30)}, "2 St Mary"},
		{"39 m away", []landmark.Place{place("The Red Lion", "amenity=pub", 90, 39.5)}, "0 The Red Lion"},
		{"41 m away", []landmark.Place{place("The Red Lion", "amenity=pub", 90, 40.5)}, ""},
		{"a café nobody knows", []landmark.Place{place("Rosie's", "amenity=cafe", 90, 5)}, ""},
		{"a café everybody knows", []landmark.Place{place("Costa", "amenity=cafe", 90, 5)}, "0 Costa"},
		{"by its brand", []landmark.Place{branded(place("High Street", "amenity=bank", 90, 5), "Barclays")}, "0 High Street"},
		{"by words, not letters", []landmark.Place{place("Costard's", "amenity=cafe", 90, 5)}, ""},
		{"part of a word", []landmark.Place{place("Bootsy", "amenity=pharmacy", 90, 5)}, ""},
		{"with an apostrophe", []landmark.Place{place("Sainsbury’s Local", "shop=convenience", 90, 5)}, "0 Sainsbury’s Local"},
		{"several words", []landmark.Place{place("The Pret a Manger", "amenity=cafe", 90, 5)}, "0 The Pret a Manger"},
		{"a kind that never anchors", []landmark.Place{place("Tesco", "shop=vacuum_cleaner", 90, 5)}, ""},
		{"the better known", []landmark.Place{place("School", "amenity=school", 90, 5), place("The Red Lion", "amenity=pub", 90, 8)}, "0 The Red Lion"},
		{"the nearer of two", []landmark.Place{place("Far", "amenity=pub", 90, 35), place("Near", "amenity=pub", 90, 8)}, "0 Near"},
	} {
		got, block := annotate(c.places...)
		want := "|"
		if c.want != "" {
			want = "|" + c.want + ": Turn right."
		}
		if got != want || (block.Annotated == 1) != (c.want != "") || block.Note != "" {
			t.Errorf("%s: %q %+v, want %q", c.name, got, block, want)
		}
	}
}

func TestNotes(t *testing.T) {
	pub := landmark.Build([]landmark.Place{place("The Red Lion", "amenity=pub", 90, 12)})
	many := make([]*landmarks.Turn, landmarks.Most+5)
	for i := range many {
		many[i] = &landmarks.Turn{At: junction, Bearing: -1, Instruction: "Turn."}
	}
	for _, c := range []struct {
		service   *landmarks.Service
		language  string
		annotated int
		note      string
	}{
		{nil, "en", 0, "no index"},
		{&landmarks.Service{Speak: speak}, "en", 0, "no index"},
		{&landmarks.Service{Index: pub, Speak: speak}, "tlh", 0, "tlh"},
		{&landmarks.Service{Index: pub, Speak: speak}, "en", landmarks.Most, fmt.Sprint(landmarks.Most)},
	} {
		texts, block := c.service.Annotate(c.language, many)
		said := 0
		for _, text := range texts {
			if text != "" {
				said++
			}
		}
		if block.Annotated != c.annotated || said != c.annotated || !strings.Contains(block.Note, c.note) {
			t.Errorf("%+v with %d texts, want %d and %q", block, said, c.annotated, c.note)
		}
	}
}
