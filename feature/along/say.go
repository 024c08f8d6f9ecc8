package along

import (
	"fmt"
	"strings"

	"github.com/waygate/waygate/guidance/narrate"
)

// Sentences are the words of languages, by the first part of their tags and by
// name; each language that routes are told in has some.
type Sentences map[string]map[string]string

// Words are those of one language.
type Words struct {
	Text    map[string]string // by name
	decimal string
}

// In gives the words of the language that comes nearest to a BCP 47 tag, as
// routes are told.
func (s Sentences) In(tag string) Words {
	l, _ := narrate.Find(tag)
	base, _, _ := strings.Cut(l.Tag(), "-")
	if base == "en" || base == "cy" {
		return Words{s[base], "."}
	}
	return Words{s[base], ","}
}

// Kilometres words a length.
func (w Words) Kilometres(metres float64) string {
	if metres < 950 {
		return fmt.Sprintf("%d m", max(50, int(metres/50+0.5)*50)) // nothing is in 0 m
	}
	if metres < 9950 {
		return w.number(fmt.Sprintf("%.1f km", metres/1000))
	}
	return fmt.Sprintf("%.0f km", metres/1000)
}

// Price words an amount of hundredths of a currency.
func (w Words) Price(hundredths float64, currency string) string {
	switch currency {
	case "GBP":
		return w.number(fmt.Sprintf("%.1fp", hundredths))
	case "EUR":
		return w.number(fmt.Sprintf("%.3f €", hundredths/100))
	}
	return w.number(fmt.Sprintf("%.2f %s", hundredths/100, currency))
}

// Kilowatts words a power.
func (w Words) Kilowatts(kw float64) string { return fmt.Sprintf("%.0f kW", kw) }

func (w Words) number(s string) string { return strings.Replace(s, ".", w.decimal, 1) }
