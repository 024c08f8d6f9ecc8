package verify

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestExtract(t *testing.T) {
	for text, want := range map[string]string{
		"We had lunch at the Red Lion in Newport and then saw Tredegar House.": "Red Lion/Newport|Tredegar House",
		"Tredegar House, Newport":                                          "Tredegar House/Newport",
		"09:00 - Tredegar House\n10:30 Cardiff Castle":                     "Tredegar House|Cardiff Castle",
		"1. Tredegar\n2) Caerleon":                                         "Tredegar|Caerleon",
		"Day 1: Chepstow Castle\nDay 2: Tintern Abbey":                     "Chepstow Castle|Tintern Abbey",
		"They ate at \"Chez Jean et Marie\" near Chartres":                 "Chez Jean et Marie/Chartres",
		"“The Ship Inn” was closed.":                                       "The Ship Inn",
		"On Monday we drove to the Museum of the Moving Image. It rained.": "Museum of the Moving Image",
		"St. Woolos Cathedral and King's Head":                             "St. Woolos Cathedral|King's Head",
		"We saw Big Pit. Lovely!":                                          "Big Pit",
		"nothing here is a name":                                           "",
		"Lovely weather.":                                                  "",
		"":                                                                 "",
		"Visit Caerphilly Castle, then Big Pit":                            "Caerphilly Castle|Big Pit",
		"see the castle in Cardiff":                                        "Cardiff",
		"Hotel Müller in Zürich":                                           "Hotel Müller/Zürich",
		"\"unclosed Name of the Pub":                                       "Name of the Pub",
		"Café de Flore, Paris and Les Deux Magots, Paris":                  "Café de Flore/Paris|Les Deux Magots/Paris",
		"We went to the Fox and Hounds, then the Coach and Horses in Usk":  "Fox and Hounds|Coach and Horses/Usk",
		"09:30 Museum of Tin and Tide":                                     "Museum of Tin and Tide",
		"14:30–15:30 Museum of London":                                     "Museum of London",
		"I met Ann at the Tesco in Spytty.":                                "Ann|Tesco/Spytty",
	} {
		claims, more := Extract(text)
		var got []string
		for _, c := range claims {
			s := c.Name
			if c.Locality != "" {
				s += "/" + c.Locality
			}
			got = append(got, s)
		}
		if strings.Join(got, "|") != want || more {
			t.Errorf("%q: %s, want %s", text, strings.Join(got, "|"), want)
		}
	}
	var many strings.Builder
	for i := range 30 {
		many.WriteString("- Place " + string(rune('A'+i%26)) + strings.Repeat("x", i) + "\n")
	}
	if claims, more := Extract(many.String()); len(claims) != MostClaims || !more {
		t.Errorf("%d claims, more %v", len(claims), more)
	}
}

func FuzzExtract(f *testing.F) {
	f.Add("09:00 – “The Red Lion” in Newport, St. Woolos & Co")
	f.Fuzz(func(t *testing.T, text string) {
		claims, _ := Extract(text)
		if len(claims) > MostClaims {
			t.Errorf("%d claims", len(claims))
		}
		for _, c := range claims {
			if n := utf8.RuneCountInString(c.Name); n < 2 || n > mostLetter {
				t.Errorf("%q", c.Name)
			}
		}
	})
}
