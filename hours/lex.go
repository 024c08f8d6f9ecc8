package hours

import (
	"fmt"
	"strings"
)

// remark begins the token of a text in quotes.
const remark = `"`

// lex cuts the text into numbers, words and signs.
func (p *parser) lex() error {
	text := strings.ToLower(strings.NewReplacer("–", "-", "—", "-", "‐", "-", "\u00a0", " ", "&", ",").Replace(p.text))
	for i, space := 0, true; i < len(text); {
		c := text[i]
		end := i + 1
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i, space = end, true
			continue
		case c == '"':
			close := strings.IndexByte(text[end:], '"')
			if close < 0 {
				return p.wrong("a remark does not end")
			}
			p.tokens, p.spaced = append(p.tokens, remark), append(p.spaced, true)
			i, space = end+close+1, true
			continue
		case isDigit(c):
			for end < len(text) && isDigit(text[end]) {
				end++
			}
		case isLetter(c):
			for end < len(text) && isLetter(text[end]) {
				end++
			}
		case !strings.ContainsRune("-:.,;/()+[]|", rune(c)):
			return fmt.Errorf("%q: %q has no meaning in a schedule", p.text, c)
		}
		word := text[i:end]
		if known, ok := words[word]; ok {
			word = known
		}
		if word != "" {
			p.tokens, p.spaced = append(p.tokens, word), append(p.spaced, space)
		}
		i, space = end, false
	}
	return nil
}

// words are those of other languages, and others that stand for signs.
var words = map[string]string{
	"mi": "we", "di": "tu", "do": "th", "so": "su", "lu": "mo", "ve": "fr", "dez": "dec", "okt": "oct", "mai": "may", "mrz": "mar",
	"to": "-", "through": "-", "till": "-", "bis": "-", "a": "-", "und": ",", "and": ",", "uhr": "", "from": "",
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' }
