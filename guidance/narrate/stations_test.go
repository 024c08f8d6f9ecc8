package narrate

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFactsAreWorded fails where a language lacks a sentence about stations or about what
// lies along the way, or a sentence has not the slots that it needs and no others.
func TestFactsAreWorded(t *testing.T) {
	slot := regexp.MustCompile(`\{(\w*)\}`)
	for _, l := range languages().list {
		for _, v := range []reflect.Value{reflect.ValueOf(l.stations()), reflect.ValueOf(l.sights()), reflect.ValueOf(sceneryOf(l))} {
			for i := range v.NumField() {
				field, sentence := v.Type().Field(i), v.Field(i).String()
				want := strings.Fields(field.Tag.Get("slots"))
				var got []string
				for _, m := range slot.FindAllStringSubmatch(sentence, -1) {
					got = append(got, m[1])
				}
				slices.Sort(want)
				slices.Sort(got)
				part := slices.Equal(want, []string{"length"}) // of a sentence
				if strings.HasSuffix(sentence, ".") == part || !slices.Equal(got, want) {
					t.Errorf("%s: %s is %q, want a sentence with the slots %v", l.Tag(), field.Name, sentence, want)
				}
			}
		}
	}
}

func TestSightSentences(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{find("en-GB").StaysOnRoad("A48", 8046, true), "The route stays on the A48 for 5 miles."},
		{find("en-US").StaysOnRoad("I 95", 8046, true), "The route stays on I 95 for 5 miles."},
		{find("de-DE").StaysOnRoad("B 27", 5600, false), "Die Strecke bleibt 5,5 Kilometer auf der B 27."},
		{find("pl-PL").StaysOnRoad("A4", 5000, false), "Trasa prowadzi drogą A4 przez 5 kilometrów."},
		{find("en-GB").RoadClimb(212, 1234, false), "The road climbs 210 metres and tops out at 1230 metres."},
		{find("en-GB").RoadClimb(122, 305, true), "The road climbs 400 feet and tops out at 1000 feet."},
		{find("de-DE").CrossesWater(River, "Rhein"), "Die Strecke quert einen Fluss: Rhein."},
		{find("cy").AlongWater(Canal, "{name}"), "Mae'r llwybr yn dilyn camlas: {name}."},
		{find("fr").PastSettlement("Vaduz"), "L'itinéraire passe près d'une localité : Vaduz."},
		{find("sv").ThroughLandscape("Abisko"), "Rutten går genom ett område: Abisko."},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestScenicSentences(t *testing.T) {
	sights := []Scenery{{Sea, 8200}, {Woodland, 640}}
	for _, c := range []struct{ got, want string }{
		{ScenicRoute(find("en-GB"), 12.4, sights, false), "The scenic route takes 12 min longer: 8 kilometres near the sea, 600 metres by woodland."},
		{ScenicRoute(find("en-US"), 0.4, sights[:1], true), "The scenic route takes no longer: 5 miles near the sea."},
		{ScenicRoute(find("de-DE"), -3, sights, false), "Die landschaftlich schöne Strecke dauert nicht länger: 8 Kilometer nahe am Meer, 600 Meter am Wald."},
		{NoScenicRoute(find("pl-PL"), 29.9), "Nie znaleziono trasy bardziej widokowej, dłuższej najwyżej o 29 min."},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestStationSentences(t *testing.T) {
	s := &Station{Name: "Esso {price}", Metres: 4321, Detour: 61}
	for _, c := range []struct{ tag, got, want string }{
		{"en-GB", find("en-GB").CheapestFuel("E10", s, 139.94, "GBP"), "The cheapest E10 is at Esso {price} for 139.9p a litre, in 4.3 km, a detour of 2 min."},
		{"de-DE", find("de-DE").CheapestFuel("E10", s, 179.9, "EUR"), "Am günstigsten ist E10 bei Esso {price} für 1,799 € je Liter, in 4,3 km, mit einem Umweg von 2 min."},
		{"pt-BR", find("pt-BR").CheapestFuel("E10", s, 179.9, "CHF"), "O E10 mais barato está em Esso {price} a 1,80 CHF por litro, daqui a 4,3 km, com um desvio de 2 min."},
		{"fr-FR", find("fr-FR").NoFuel("LPG"), "Aucune station affichant un prix pour LPG n'est connue près de l'itinéraire."},
		{"en-US", find("en-US").StrongestCharger(&Station{Name: "A", Metres: 3, Detour: 0}, 149.6), "The most powerful charger is at A with 150 kW, in 50 m, a detour of 0 min."},
		{"sv-SE", find("sv-SE").StrongestCharger(&Station{Name: "A", Metres: 949, Detour: 60}, 0), "En laddare finns vid A, om 950 m, med en omväg på 1 min; effekten är inte känd."},
		{"pl-PL", find("pl-PL").FreePoints(1, 4), " Wolne punkty: 1 z 4."},
		{"cy", find("cy").NoCharger(), "Ni wyddys am wefrydd addas ger y llwybr."},
		{"en-GB", find("en-GB").distance(9949), "9.9 km"},
		{"it-IT", find("it-IT").distance(9950), "10 km"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.tag, c.got, c.want)
		}
	}
}

func find(tag string) *Language {
	l, _ := Find(tag)
	return l
}
