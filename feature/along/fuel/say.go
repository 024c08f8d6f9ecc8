package fuel

import (
	"fmt"
	"math"
	"strings"

	"github.com/waygate/waygate/feature/along"
)

// sentences are how languages tell of the best station: with its name, the fuel,
// the price, the way to it and the detour; and that there is none.
var sentences = along.Sentences{
	"en": {"best": "The cheapest %[2]s is at %[1]s for %[3]s a litre, in %[4]s, a detour of %[5]s.", "none": "No station with a price for %[2]s is known near the route."},
	"cy": {"best": "Mae'r %[2]s rhataf yn %[1]s am %[3]s y litr, ymhen %[4]s, gyda dargyfeiriad o %[5]s.", "none": "Ni wyddys am orsaf gyda phris %[2]s ger y llwybr."},
	"de": {"best": "Am günstigsten ist %[2]s bei %[1]s für %[3]s je Liter, in %[4]s, mit einem Umweg von %[5]s.", "none": "Nahe der Strecke ist keine Tankstelle mit einem Preis für %[2]s bekannt."},
	"fr": {"best": "Le %[2]s le moins cher est chez %[1]s à %[3]s le litre, dans %[4]s, avec un détour de %[5]s.", "none": "Aucune station affichant un prix pour %[2]s n'est connue près de l'itinéraire."},
	"es": {"best": "El %[2]s más barato está en %[1]s a %[3]s el litro, dentro de %[4]s, con un desvío de %[5]s.", "none": "No se conoce ninguna gasolinera con precio de %[2]s cerca de la ruta."},
	"it": {"best": "Il %[2]s più economico è da %[1]s a %[3]s al litro, tra %[4]s, con una deviazione di %[5]s.", "none": "Nessun distributore con un prezzo per %[2]s è noto vicino al percorso."},
	"nl": {"best": "De goedkoopste %[2]s is bij %[1]s voor %[3]s per liter, over %[4]s, met een omweg van %[5]s.", "none": "Er is geen tankstation met een prijs voor %[2]s bekend bij de route."},
	"pl": {"best": "Najtańsze %[2]s jest na stacji %[1]s za %[3]s za litr, za %[4]s, objazd %[5]s.", "none": "W pobliżu trasy nie jest znana stacja z ceną %[2]s."},
	"pt": {"best": "O %[2]s mais barato está em %[1]s a %[3]s por litro, daqui a %[4]s, com um desvio de %[5]s.", "none": "Não se conhece nenhum posto com preço de %[2]s perto do percurso."},
	"sv": {"best": "Billigast %[2]s finns hos %[1]s för %[3]s per liter, om %[4]s, med en omväg på %[5]s.", "none": "Ingen station med pris för %[2]s är känd nära rutten."},
}

// say tells of the first station within range that is not stale, else of the
// first.
func say(r *Request, a *Answer) string {
	form := sentences.In(r.Language)
	fuel := strings.ToUpper(strings.ReplaceAll(string(a.Fuel), "_", " "))
	best := -1
	for i := range a.Stations {
		s := &a.Stations[i]
		if s.InRange != nil && !*s.InRange {
			continue
		}
		if best < 0 || s.Stale == nil || !*s.Stale {
			best = i
		}
		if s.Stale == nil || !*s.Stale {
			break
		}
	}
	if best < 0 {
		return fmt.Sprintf(form.Text["none"], "", fuel)
	}
	s := &a.Stations[best]
	name := s.Name
	if s.Brand != nil && !strings.Contains(strings.ToLower(name), strings.ToLower(*s.Brand)) {
		name = strings.TrimSpace(*s.Brand + " " + name)
	}
	if name == "" {
		name = s.ID
	}
	return fmt.Sprintf(form.Text["best"], name, fuel, form.Price(s.Price, s.Currency), form.Kilometres(s.Arc), fmt.Sprintf("%.0f min", math.Ceil(s.Detour/60)))
}
