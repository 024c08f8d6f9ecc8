package landmarks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/landmarks"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/index/landmark"
)

var junction = geo.Point{Lon: -3, Lat: 51.5}

// turns returns an answer in which a driver comes from the south and turns right at the
// junction as often as asked.
func turns(n int) *engine.RouteAnswer {
	l := engine.Leg{Line: []geo.Point{geo.Destination(junction, 180, 100), junction}, Manoeuvres: []guidance.Manoeuvre{{Type: guidance.Start}}}
	for range n {
		l.Manoeuvres = append(l.Manoeuvres, guidance.Manoeuvre{Type: guidance.Right, After: 90, BeginShape: 1, EndShape: 1})
	}
	return &engine.RouteAnswer{Routes: []engine.Route{{Legs: []engine.Leg{l}}}}
}

// named lists the landmarks of an answer's manoeuvres.
func named(a *engine.RouteAnswer) string {
	var list []string
	for _, m := range a.Routes[0].Legs[0].Manoeuvres {
		if m.Landmark == nil {
			list = append(list, "")
		} else {
			list = append(list, fmt.Sprintf("%d %s", m.Landmark.Where, m.Landmark.Name))
		}
	}
	return strings.Join(list, "|")
}

var instructed = &engine.Output{Format: engine.Native}

func annotate(places ...landmark.Place) (string, landmarks.Block) {
	a := turns(1)
	block := (&landmarks.Service{Index: landmark.Build(places)}).Annotate(instructed, a)
	return named(a), block
}

func landmarkAt(name, category string, bearing, metres float64) landmark.Place {
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
		{"a pub", []landmark.Place{landmarkAt("The Red Lion", "amenity=pub", 90, 12)}, "0 The Red Lion"},
		{"a station", []landmark.Place{landmarkAt("Newport", "railway=station", 90, 30)}, "0 Newport"},
		{"a department store", []landmark.Place{landmarkAt("Howells", "shop=department_store", 90, 30)}, "0 Howells"},
		{"ahead", []landmark.Place{landmarkAt("St Mary", "amenity=place_of_worship", 10, 30)}, "1 St Mary"},
		{"behind", []landmark.Place{landmarkAt("St Mary", "amenity=place_of_worship", 170, 30)}, "2 St Mary"},
		{"39 m away", []landmark.Place{landmarkAt("The Red Lion", "amenity=pub", 90, 39.5)}, "0 The Red Lion"},
		{"41 m away", []landmark.Place{landmarkAt("The Red Lion", "amenity=pub", 90, 40.5)}, ""},
		{"a café nobody knows", []landmark.Place{landmarkAt("Rosie's", "amenity=cafe", 90, 5)}, ""},
		{"a café everybody knows", []landmark.Place{landmarkAt("Costa", "amenity=cafe", 90, 5)}, "0 Costa"},
		{"by its brand", []landmark.Place{branded(landmarkAt("High Street", "amenity=bank", 90, 5), "Barclays")}, "0 High Street"},
		{"by words, not letters", []landmark.Place{landmarkAt("Costard's", "amenity=cafe", 90, 5)}, ""},
		{"part of a word", []landmark.Place{landmarkAt("Bootsy", "amenity=pharmacy", 90, 5)}, ""},
		{"with an apostrophe", []landmark.Place{landmarkAt("Sainsbury’s Local", "shop=convenience", 90, 5)}, "0 Sainsbury’s Local"},
		{"several words", []landmark.Place{landmarkAt("The Pret a Manger", "amenity=cafe", 90, 5)}, "0 The Pret a Manger"},
		{"a kind that never anchors", []landmark.Place{landmarkAt("Tesco", "shop=vacuum_cleaner", 90, 5)}, ""},
		{"the better known", []landmark.Place{landmarkAt("School", "amenity=school", 90, 5), landmarkAt("The Red Lion", "amenity=pub", 90, 8)}, "0 The Red Lion"},
		{"the nearer of two", []landmark.Place{landmarkAt("Far", "amenity=pub", 90, 35), landmarkAt("Near", "amenity=pub", 90, 8)}, "0 Near"},
	} {
		got, block := annotate(c.places...)
		want := "|" + c.want
		if got != want || (block.Annotated == 1) != (c.want != "") || block.Note != "" {
			t.Errorf("%s: %q %+v, want %q", c.name, got, block, want)
		}
	}
}

func TestNotes(t *testing.T) {
	pub := landmark.Build([]landmark.Place{landmarkAt("The Red Lion", "amenity=pub", 90, 12)})
	for _, c := range []struct {
		service   *landmarks.Service
		language  string
		annotated int
		note      string
	}{
		{nil, "", 0, "no index"},
		{&landmarks.Service{}, "", 0, "no index"},
		{&landmarks.Service{Index: pub}, "tlh", 0, "tlh"},
		{&landmarks.Service{Index: pub}, "de", landmarks.Most, fmt.Sprint(landmarks.Most)},
		{&landmarks.Service{Index: pub}, "", landmarks.Most, fmt.Sprint(landmarks.Most)},
	} {
		a := turns(landmarks.Most + 5)
		a.Language = c.language
		block := c.service.Annotate(instructed, a)
		if said := strings.Count(named(a), "Lion"); block.Annotated != c.annotated || said != c.annotated || !strings.Contains(block.Note, c.note) {
			t.Errorf("%+v with %d landmarks, want %d and %q", block, said, c.annotated, c.note)
		}
	}
}

// Only where the traveller decides on the way, and is advised so, a place is named.
func TestTurnsAreNamed(t *testing.T) {
	s := &landmarks.Service{Index: landmark.Build([]landmark.Place{landmarkAt("The Red Lion", "amenity=pub", 90, 12)})}
	bend := guidance.Manoeuvre{Type: guidance.Continue, After: 30, BeginShape: 1, EndShape: 1, ToStayOn: true}
	for _, c := range []struct {
		what  string
		o     engine.Output
		m     guidance.Manoeuvre
		words []string
		want  bool
	}{
		{what: "a fork", o: *instructed, m: guidance.Manoeuvre{Type: guidance.StayLeft, BeginShape: 1}, want: true},
		{what: "a roundabout", o: *instructed, m: guidance.Manoeuvre{Type: guidance.RoundaboutEnter, BeginShape: 1}},
		{what: "a turn round", o: *instructed, m: guidance.Manoeuvre{Type: guidance.UturnLeft, BeginShape: 1}},
		{what: "without instructions", o: engine.Output{Format: engine.Native, Directions: engine.Manoeuvres}, m: guidance.Manoeuvre{Type: guidance.Right, BeginShape: 1}},
		{what: "without a line", o: *instructed, m: guidance.Manoeuvre{Type: guidance.Right, BeginShape: 2}},
		{what: "a bend", o: *instructed, m: bend},
		{what: "a bend in OSRM's words", o: engine.Output{Format: engine.OSRM, Steps: true}, m: bend, want: true},
		{what: "an engine's own words", m: guidance.Manoeuvre{Type: guidance.Right, BeginShape: 1}, words: []string{"Go.", "Turn."}, want: true},
		{what: "an engine's silence", m: guidance.Manoeuvre{Type: guidance.Right, BeginShape: 1}, words: []string{"Go.", ""}},
	} {
		a := turns(1)
		l := &a.Routes[0].Legs[0]
		l.Manoeuvres[1], l.Instructions = c.m, c.words
		if block := s.Annotate(&c.o, a); (block.Annotated == 1) != c.want || (l.Manoeuvres[1].Landmark != nil) != c.want {
			t.Errorf("%s: %+v, want %v", c.what, block, c.want)
		}
	}
}

// TestScores checks that every kind of place that anchors has a share of 1 for its score,
// a household name more of it, and any other kind nothing.
func TestScores(t *testing.T) {
	for _, category := range []string{"amenity=fuel", "tourism=hotel", "tourism=museum", "historic=monument", "shop=bakery", "shop=clothes", "amenity=pharmacy"} {
		plain := landmarks.Score(&landmark.Place{Name: "Smith", Category: category})
		known := landmarks.Score(&landmark.Place{Name: "Tesco", Category: category})
		if plain <= 0 || plain >= known || known > 1 {
			t.Errorf("%s scores %g, and %g with a household name", category, plain, known)
		}
	}
	if got := landmarks.Score(&landmark.Place{Name: "Tesco", Category: "amenity=bench"}); got != 0 {
		t.Errorf("a bench scores %g", got)
	}
}
