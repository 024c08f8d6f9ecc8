package narrate_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/guidance"
)

// slips are errors of style in a language, wherever they stand.
// They hold for names as the language's own country has them.
var slips = map[string][]string{
	"en-GB": {
		`\b(on|onto|into) [ABM]\d`, `\bthe (US|I) `, `\bonto the (Street|Lane|Road)`, `\b(the the|onto onto|on onto)\b`,
		`\b(meters?|kilometers?|toward|northeast|southwest)\b`,
	},
	"en-US": {`\bthe [ABIMU][S\d -]`, `\b(metres?|kilometres?|yards?|towards|slip road|north-|south-)`},
	"de": {
		`\b(sie|ihr|ihre)\b`, // the address of the reader has a capital
		`\b(zu der|zu dem|in dem|an dem|bei dem|auf auf)\b`,
		`\bdie \S*(weg|platz|ring|damm|ufer)\b`, `\bdas \S*(straße|weg|platz)\b`, `\b(den|dem) \S*straße\b`, `\bder \S*(weg|platz)\b`,
		// After what leads to it, the verb comes at once.
		`\b(Dann|Metern?|Yards|Kilometern?|Meilen?|Viertelmeile|Dreiviertelmeile|Am Ende der Straße) (Sie|Ihr|dann|rechts|links|nach|auf)\b`,
		`\b[Ii]n \d\S* (Meter|Kilometer)\b`, `\bab auf\b`, `\bein (auf|Richtung)\b`,
	},
	"fr": {
		`\b(la|le|de|que) ([aeiuéèêàAEIOUÉÈ]|o[^n])`, `(^|\s)(de|à) (le|les)\s`, `'[ bcdfgjklmnpqrstvwxzBCDFGJKLMNPQRSTVWXZ]`,
		`\bsur la (Rue|Ruelle|Grande Rue)\b[^.]*\bdans\b`, `\bdans (le Boulevard|l'Avenue|la Route|la Place)\b`, `\b(tourne|prends|continue)\b`,
		`\b1,5 \S+s\b`,
	},
	"es": {`\b(a|de) el\b`, `\b(la|el) (la|el)\b`, `\bla (Paseo|Camino|Callejón)`, `\bel (Calle|Avenida|Gran) `, `\b([Gg]ira|[Tt]oma|[Ss]igue|[Cc]ontinúa|tu)\b`, `\buno? (metros|milla)\b`},
	"it": {
		`\b(a|di|da|in|su) (il|lo|la|i|gli|le)\b`, `\b(a|di|da|in|su) l'`, `\b(la|alla|dalla|nella|sulla) [aeiouAE]`, `'[ bcdfgjklmnpqrstvwxz]`,
		`\b(Svolti|Prenda|Prosegua|Suo|Sua)\b`, `\bin (Strada|Autostrada)\b`,
	},
	"pt-PT": {`\b(em|de|por) (o|a|os|as)\b`, `\b(a|para) (a a|o o)\b`, `(^|\s)(você|rotatória|quilômetro)`, `\b(na|pela|para a) (Largo|IC|IP)`, `\b(no|pelo|para o) (Rua|Avenida)`},
	"pt-BR": {`\b(em|de|por) (o|a|os|as)\b`, `\b(rotunda|quilómetro|passadeira|chamar-se)\b`, `\b(na|pela|para a) Largo`, `\b1,5 \S+s\b`},
	"nl":    {`\bde \S*(plein|pad)\b`, `\bhet \S*(straat|kade|weg)\b`, `\b(op op|naar naar|je|jouw|jij)\b`, `\blinks af\b|\brechts af\b`},
	"pl":    {`(^|\s)(na na|w w|do do)\s`, `::`, `\b(proszę|Pan|Pani)\b`, `\bdrog[aęąi]:? \d`, `\b1 `},
	"sv":    {`\b(på på|in in|till till|mot mot)\b`, `\b(på|in) \d`, `\bNi\b`, `\d engelsk mil\b`, `,\s\S+ (är|ligger)\b`},
	"cy": {
		`\by [aeiouwyhAEM]`, `\byr [bcdfgjklmnprstBCDGPTV]`, `(^|\s)(i|â|a) yr?\s`, `\byr? (ail|wythfed) \S+fed`, `\by (trydedd|pedwaredd|pumed|degfed|cylchfan|croesfan)\b`,
		`\b2 (cilometr|milltir)\b`, `\b[36] cilometr\b`, `\bam tri\b`,
	},
}

// slipped has texts with the errors that each editor must find.
var slipped = map[string][]string{
	"en-GB": {"Turn right onto A48.", "Turn left into M4.", "Merge onto the US 1.", "In 100 meters, turn left."},
	"en-US": {"Merge onto the I 95.", "Take the slip road on the right.", "Head north-east."},
	"de": {
		"Dann haben sie Ihr Ziel erreicht.", "Biegen Sie rechts auf die Kirchweg ab.", "Fahren Sie auf dem Hauptstraße weiter.", "Biegen Sie rechts ab auf die A 8.",
		"Fädeln Sie sich ein auf die A 8.", "In 400 Meter biegen Sie rechts ab.", "Dann Sie erreichen Ihr Ziel.", "Dann rechts abbiegen.",
	},
	"fr": {
		"Tournez à droite sur la Avenue Foch.", "Tournez à droite sur l'Rue de Rivoli.", "Prenez la sortie à le rond-point.", "Tournez à droite dans la Place Bellecour.",
		"Puis tourne à droite.", "Dans 1,5 kilomètres, tournez à droite.", "Continuez sur la autoroute.",
	},
	"es":    {"Incorpórese a el Paseo del Prado.", "Gire por la Paseo del Prado.", "Gire por el Calle Mayor.", "Luego gira a la derecha."},
	"it":    {"Svolta a destra in la Via Roma.", "Prendi la ottava uscita.", "Prosegui sulla A1.", "Prendi l'seconda uscita.", "Svolta in Strada del Sole."},
	"pt-PT": {"Entre em a A1.", "Siga por o Largo do Carmo.", "Entre na IC19.", "Depois você chegará.", "Na rotatória, tome a saída."},
	"pt-BR": {"Vire à direita em a Rua Augusta.", "Na rotunda, pegue a saída.", "Em 1,5 quilômetros, vire à direita."},
	"nl":    {"Sla rechtsaf naar de Museumplein.", "Ga verder op het Hoofdstraat.", "U bereikt zo je bestemming."},
	"pl":    {"Skręć w prawo na na drogę A4.", "Jedź dalej drogą 7.", "Za 1 kilometr skręć w prawo."},
	"sv":    {"Fortsätt på 40.", "Sväng höger in in på Storgatan.", "Om 2 engelsk mil, sväng höger.", "Sedan, snart är du framme."},
	"cy":    {"Ewch ar hyd y A48.", "Ewch ar hyd yr B4245.", "Trowch i yr A48.", "Cymerwch y ail allanfa.", "Cymerwch y trydedd allanfa.", "Ewch ymlaen am 2 milltir."},
}

func editor(t *testing.T, tag string) []*regexp.Regexp {
	t.Helper()
	var all []*regexp.Regexp
	for _, s := range slips[tag] {
		all = append(all, regexp.MustCompile(s))
	}
	if len(all) == 0 {
		t.Fatalf("%s has no editor", tag)
	}
	return all
}

func TestEditorsFindSlips(t *testing.T) {
	for _, tag := range tags {
		all := editor(t, tag)
		for _, s := range slipped[tag] {
			if !slices.ContainsFunc(all, func(r *regexp.Regexp) bool { return r.MatchString(s) }) {
				t.Errorf("%s: nothing is found in %q", tag, s)
			}
		}
		if len(slipped[tag]) == 0 {
			t.Errorf("%s is not tried", tag)
		}
	}
}

// Of texts made of all kinds of manoeuvres with names as they are in the
// language's country, at all lengths, none has a slip of its language.
func TestEditorsFindNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 8))
	rounds := 60
	if testing.Short() {
		rounds = 15
	}
	for _, tag := range tags {
		all := editor(t, tag)
		l := find(t, tag)
		found, known := 0, map[string]bool{}
		read := func(s string) {
			if known[s] {
				return
			}
			known[s] = true
			said(t, tag, s, s != "")
			for _, r := range all {
				if at := r.FindStringIndex(s); at != nil && found < 10 {
					found++
					t.Errorf("%s: %q in %q", tag, s[at[0]:at[1]], s)
				}
			}
		}
		for range rounds {
			list := invented(random)
			for i := range list {
				m := &list[i]
				home := func() []guidance.Name {
					var out []guidance.Name
					for range random.IntN(3) {
						out = append(out, local[tag][random.IntN(len(local[tag]))])
					}
					return out
				}
				m.Names, m.BeginNames, m.ToStayOn = home(), nil, m.ToStayOn && len(m.Names) > 0
				m.Sign.Number, m.Sign.Name = m.Sign.Number[:0], nil
				m.Sign.Branch, m.Sign.Toward = nil, m.Sign.Toward[:0]
				for _, n := range home() {
					m.Sign.Branch = append(m.Sign.Branch, n.Text)
				}
			}
			miles := random.IntN(2) == 0
			for _, x := range l.Leg(list, miles) {
				for _, s := range []string{x.Instruction, x.Alert, x.Pre, x.Succinct, x.Post, l.Ahead(x.Alert, random.ExpFloat64()*4000, miles)} {
					read(s)
				}
			}
		}
		for _, place := range landmarks[tag] {
			for _, where := range []guidance.Placement{guidance.Beside, guidance.Before, guidance.After} {
				read(l.Past(l.Leg(between(far(guidance.Manoeuvre{Type: guidance.Right})), false)[1].Instruction, place, where))
			}
		}
		for metres := 5.0; metres < 1e5; metres *= 1.03 {
			for _, miles := range []bool{false, true} {
				read(l.Ahead(l.Leg(between(), false)[1].Alert, metres, miles))
			}
		}
	}
}

// The exits of a roundabout all have words of their own.
func TestExitsDiffer(t *testing.T) {
	for _, tag := range tags {
		seen := map[string]int{}
		for n := 1; n < 40; n++ {
			list := between(guidance.Manoeuvre{Type: guidance.RoundaboutEnter, Exits: n, Metres: 200, Seconds: 30})
			words := find(t, tag).Leg(list, false)[1].Instruction
			if seen[words] != 0 {
				t.Errorf("%s: exits %d and %d are both %q", tag, seen[words], n, words)
			}
			seen[words] = n
		}
	}
}

// Polish counts kilometres by a rule of its own.
func TestPolishNumerals(t *testing.T) {
	l := find(t, "pl")
	for km := 1; km < 1300; km++ {
		want := fmt.Sprintf("%d kilometrów", km)
		switch tens := km / 10 % 10; km % 10 {
		case 2, 3, 4:
			if tens != 1 {
				want = fmt.Sprintf("%d kilometry", km)
			}
		}
		if km == 1 {
			want = "jeden kilometr"
		}
		if got := l.Distance(float64(km)*1000, false); got != want {
			t.Errorf("%d km: %q, want %q", km, got, want)
		}
		if km < 10 {
			if got, want := l.Distance(float64(km)*1000+500, false), fmt.Sprintf("%d,5 kilometra", km); got != want && km < 9 {
				t.Errorf("%d.5 km: %q, want %q", km, got, want)
			}
		}
	}
}

// A street's name stands in every text as the map has it: no language bends it,
// makes its letters small or leaves it out.
func TestNamesStayWhole(t *testing.T) {
	for _, tag := range tags {
		l := find(t, tag)
		for _, n := range slices.Concat(local[tag], street("Main Street/US 1", "Rue A & B <1>", "St. John's Rd.", "(Umgehung)", "élan Way", "O'Neill")) {
			for _, kind := range append([]guidance.Type{guidance.Becomes, guidance.Continue, guidance.Merge, guidance.StayLeft, guidance.RoundaboutExit, guidance.FerryExit}, turns...) {
				for _, stays := range []bool{false, true} {
					list := between(far(guidance.Manoeuvre{Type: kind, Names: []guidance.Name{n}, ToStayOn: stays, EndOfRoad: true}))
					x := l.Leg(list, false)[1]
					for _, s := range []string{x.Instruction, x.Pre, l.Ahead(x.Alert, 1000, false)} {
						if s != "" && strings.Count(s, n.Text) != 1 {
							t.Errorf("%s: %q in %q", tag, n.Text, s)
						}
					}
				}
			}
		}
	}
}
