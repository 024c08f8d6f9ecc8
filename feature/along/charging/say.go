package charging

import (
	"fmt"
	"math"
	"strings"

	"github.com/waygate/waygate/feature/along"
)

// sentences are how languages tell of the best station: its name, its power, the
// way to it and the detour; how many points are free; and that there is none.
var sentences = along.Sentences{
	"en": {"best": "The most powerful charger is at %[1]s with %[2]s, in %[3]s, a detour of %[4]s.", "unknown": "A charger is at %[1]s, in %[3]s, a detour of %[4]s; its power is not known.", "free": " %[1]d of %[2]d points are free.", "none": "No suitable charger is known near the route."},
	"cy": {"best": "Mae'r gwefrydd mwyaf pwerus yn %[1]s gyda %[2]s, ymhen %[3]s, gyda dargyfeiriad o %[4]s.", "unknown": "Mae gwefrydd yn %[1]s, ymhen %[3]s, gyda dargyfeiriad o %[4]s; ni wyddys ei bŵer.", "free": " Mae %[1]d o %[2]d o bwyntiau ar gael.", "none": "Ni wyddys am wefrydd addas ger y llwybr."},
	"de": {"best": "Am stärksten lädt %[1]s mit %[2]s, in %[3]s, mit einem Umweg von %[4]s.", "unknown": "Eine Ladestation ist %[1]s, in %[3]s, mit einem Umweg von %[4]s; ihre Leistung ist nicht bekannt.", "free": " %[1]d von %[2]d Ladepunkten sind frei.", "none": "Nahe der Strecke ist keine passende Ladestation bekannt."},
	"fr": {"best": "La borne la plus puissante est %[1]s avec %[2]s, dans %[3]s, avec un détour de %[4]s.", "unknown": "Une borne se trouve à %[1]s, dans %[3]s, avec un détour de %[4]s ; sa puissance n'est pas connue.", "free": " %[1]d points sur %[2]d sont libres.", "none": "Aucune borne adaptée n'est connue près de l'itinéraire."},
	"es": {"best": "El cargador más potente está en %[1]s con %[2]s, dentro de %[3]s, con un desvío de %[4]s.", "unknown": "Hay un cargador en %[1]s, dentro de %[3]s, con un desvío de %[4]s; no se conoce su potencia.", "free": " %[1]d de %[2]d puntos están libres.", "none": "No se conoce ningún cargador adecuado cerca de la ruta."},
	"it": {"best": "La colonnina più potente è %[1]s con %[2]s, tra %[3]s, con una deviazione di %[4]s.", "unknown": "Una colonnina è a %[1]s, tra %[3]s, con una deviazione di %[4]s; la potenza non è nota.", "free": " %[1]d punti su %[2]d sono liberi.", "none": "Nessuna colonnina adatta è nota vicino al percorso."},
	"nl": {"best": "De krachtigste lader is bij %[1]s met %[2]s, over %[3]s, met een omweg van %[4]s.", "unknown": "Er is een lader bij %[1]s, over %[3]s, met een omweg van %[4]s; het vermogen is niet bekend.", "free": " %[1]d van %[2]d laadpunten zijn vrij.", "none": "Er is geen geschikte lader bekend bij de route."},
	"pl": {"best": "Najmocniejsza ładowarka to %[1]s, %[2]s, za %[3]s, objazd %[4]s.", "unknown": "Ładowarka: %[1]s, za %[3]s, objazd %[4]s; moc nie jest znana.", "free": " Wolne punkty: %[1]d z %[2]d.", "none": "W pobliżu trasy nie jest znana odpowiednia ładowarka."},
	"pt": {"best": "O carregador mais potente está em %[1]s com %[2]s, daqui a %[3]s, com um desvio de %[4]s.", "unknown": "Há um carregador em %[1]s, daqui a %[3]s, com um desvio de %[4]s; a potência não é conhecida.", "free": " %[1]d de %[2]d pontos estão livres.", "none": "Não se conhece nenhum carregador adequado perto do percurso."},
	"sv": {"best": "Kraftigast laddar %[1]s med %[2]s, om %[3]s, med en omväg på %[4]s.", "unknown": "En laddare finns vid %[1]s, om %[3]s, med en omväg på %[4]s; effekten är inte känd.", "free": " %[1]d av %[2]d laddpunkter är lediga.", "none": "Ingen lämplig laddare är känd nära rutten."},
}

// say tells of the first station.
func say(r *Request, a *Answer) string {
	form := sentences.In(r.Language)
	if len(a.Stations) == 0 {
		return form.Text["none"]
	}
	s := &a.Stations[0]
	name := s.Name
	if s.Operator != nil && !strings.Contains(strings.ToLower(name), strings.ToLower(*s.Operator)) {
		name = strings.TrimSpace(*s.Operator + " " + name)
	}
	if name == "" {
		name = s.ID
	}
	minutes := fmt.Sprintf("%.0f min", math.Ceil(s.Detour/60))
	sentence, kw := "unknown", ""
	if s.PowerKW != nil {
		sentence, kw = "best", form.Kilowatts(*s.PowerKW)
	}
	text := fmt.Sprintf(form.Text[sentence], name, kw, form.Kilometres(s.Arc), minutes)
	if v := s.State; v != nil && !v.Stale {
		text += fmt.Sprintf(form.Text["free"], v.Available, v.Available+v.Occupied+v.OutOfOrder+v.Unknown)
	}
	return text
}
