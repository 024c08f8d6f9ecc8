package spoken_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/voice/spoken"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ tag, text, want string }{
		{"en-GB", "Turn right onto the A4042.", "Turn right onto the A 40 42."},
		{"en-GB", "Take the A470, B4245 / M4 (A1(M)).", "Take the A 4 7 0, B 42 45, M 4, A 1 M."},
		{"en-GB", "A4005 and A500 and A4100", "A 4 0 0 5 and A 500 and A 4100"},
		{"en-GB", "St John St & Mill Rd.", "Saint John Street and Mill Road."},
		{"en-GB", "Turn left into High St.", "Turn left into High Street."},
		{"en-GB", "Turn left into St. Mary's Rd", "Turn left into Saint Mary's Road"},
		{"en-GB", "In 1.5 km, at 30 mph", "In 1 point 5 kilometres, at 30 miles an hour"},
		{"en-GB", "1,2 km", "1 point 2 kilometres"},
		{"en-GB", "1,250 m and 1 m", "1250 metres and 1 metre"},
		{"en-GB", "Take exit 24A.", "Take exit 24 A."},
		{"en-US", "I 95 at 1 km", "I 95 at 1 kilometer"},
		{"en-US", "US 101", "U S 1 0 1"},
		{"de", "1,2 km bis zur Hauptstr. 5", "1 Komma 2 Kilometer bis zur Hauptstraße 5"},
		{"de", "St. Gallen, 1.200 m, A8", "Sankt Gallen, 1200 Meter, A 8"},
		{"de", "Biegen Sie rechts auf die St 2054/Dr. Dietz Straße ab.", "Biegen Sie rechts auf die Staatsstraße 2054, Doktor Dietz Straße ab."},
		{"de", "St2244, ESt 5, St. 5", "Staatsstraße 2244, ESt 5, Sankt 5"},
		{"es", "Gire por la C-58, C. Mayor", "Gire por la C 58, Calle Mayor"},
		{"pt-PT", "pela R 1", "pela R 1"},
		{"en-US", "Turn right onto CT 145/Dr Martin Luther King Jr Blvd.", "Turn right onto C T 1 4 5, Doctor Martin Luther King Jr Boulevard."},
		{"en-US", "Turn right onto CR 100 212th Street.", "Turn right onto C R 100 212th Street."},
		{"en-GB", "Head north on St Cross Road.", "Head north on Saint Cross Road."},
		{"de", "Straße des 17. Juni", "Straße des 17. Juni"},
		{"fr", "1,2 km, Bd Voltaire, D1042", "1 virgule 2 kilomètre, Boulevard Voltaire, D 1042"},
		{"fr", "2,05 km vers St-Denis", "2 virgule 0 5 kilomètres vers Saint-Denis"},
		{"es", "C/ Mayor, Avda. Diagonal, 1,2 km, M-30", "Calle Mayor, Avenida Diagonal, 1 coma 2 kilómetros, M 30"},
		{"it", "V.le Roma, SS12, 1,2 km", "Viale Roma, S S 12, 1 virgola 2 chilometri"},
		{"pt-PT", "Av. da Liberdade, 1,2 km", "Avenida da Liberdade, 1 vírgula 2 quilómetros"},
		{"pt-BR", "R. Augusta, 1,2 km", "Rua Augusta, 1 vírgula 2 quilômetro"},
		{"nl", "Kerkstr. 3, 1,2 km", "Kerkstraat 3, 1 komma 2 kilometer"},
		{"pl", "ul. Długa, 1,2 km, 3 km, 5 km, 12 km, 22 km", "ulica Długa, 1 przecinek 2 kilometra, 3 kilometry, 5 kilometrów, 12 kilometrów, 22 kilometry"},
		{"sv", "S:t Eriksg. 1,2 km", "Sankt Eriksgatan 1 komma 2 kilometer"},
		{"cy", "1,2 km ar hyd yr A48", "1 pwynt 2 cilometr ar hyd yr A 48"},
		{"ja", "<b>右折</b>です", "b 右折, b です"},
		{"en-GB", `<speak><break time="10s"/>Hello</speak>`, "speak break time 10s, Hello, speak"},
		{"en-GB", "[[h@l'oU]] $(reboot) `id` | rm -rf; \x00\x1b[31q", "h l'oU, reboot, id rm -rf; 31q"},
		{"en-GB", "  \t\n ", ""},
		{"en-GB", "Portsmouth – Ryde", "Portsmouth, Ryde"},
	} {
		if got := spoken.Find(c.tag).Text(c.text); got != c.want {
			t.Errorf("%s: %q\n got %q\nwant %q", c.tag, c.text, got, c.want)
		}
	}
}

var (
	joined   = regexp.MustCompile(`\p{Lu}\d|\d\p{Lu}`)
	decimal  = regexp.MustCompile(`\d[.,]\d`)
	unwanted = regexp.MustCompile(`[^\pL\pM\pN .,;:!?'-]`)
)

// check compares what came of a text with what is promised of every text.
func check(t *testing.T, tag, text string) string {
	t.Helper()
	out := spoken.Find(tag).Text(text)
	if found := unwanted.FindString(out); found != "" {
		t.Errorf("%s: %q has %q", tag, out, found)
	}
	if len(out) > 32*len(text) {
		t.Errorf("%s: %d bytes become %d", tag, len(text), len(out))
	}
	return out
}

// phrases returns all texts that the tests of the narration have of a language, which have every
// manoeuvre and every choice that its words depend on.
func phrases(t *testing.T, tag string) (list []string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../guidance/narrate/testdata", tag+".golden"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "==") {
			continue
		}
		for _, label := range []string{"alert: ", "before: ", "short: ", "after: "} {
			line = strings.TrimPrefix(line, label)
		}
		list = append(list, line)
	}
	l, _ := narrate.Find(tag)
	for metres := 5.0; metres < 300_000; metres *= 1.07 {
		for _, miles := range []bool{false, true} {
			list = append(list, l.Distance(metres, miles), l.Ahead("…", metres, miles))
		}
	}
	return list
}

// Every phrase of every language is spoken with all its words, and no number that a speech
// engine could read in another way.
func TestPhrases(t *testing.T) {
	for _, tag := range narrate.Languages() {
		list := phrases(t, tag)
		if len(list) < 300 {
			t.Fatalf("%s has only %d phrases", tag, len(list))
		}
		for _, text := range list {
			out := check(t, tag, text)
			if again := spoken.Find(tag).Text(out); again != out {
				t.Errorf("%s: %q becomes %q the second time", tag, out, again)
			}
			if joined.MatchString(out) || decimal.MatchString(out) {
				t.Errorf("%s: %q becomes %q", tag, text, out)
			}
			if strings.ContainsAny(text, "0123456789") || strings.Contains(text, ".") && strings.Count(text, ".") > 1 {
				continue
			}
			letters := func(s string) string {
				return strings.Map(func(r rune) rune {
					if unicode.IsLetter(r) {
						return r
					}
					return -1
				}, s)
			}
			if letters(out) != letters(text) {
				t.Errorf("%s: %q becomes %q", tag, text, out)
			}
		}
	}
}

func FuzzText(f *testing.F) {
	for _, text := range []string{"A4042", "1,2 km", "St John St.", "[[x]]", "1.2.3,4", "C/ Mayor", "Kerkstr. 3", "0’1", "A1(M)B2", "ul. św. Jana", "S:t", "9\u00a0000,5\u202fkm"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, tag := range []string{"en-GB", "de", "pl", "sv", "es", "xx"} {
			check(t, tag, text)
		}
	})
}
