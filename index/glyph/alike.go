package glyph

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/norm"
)

// alike maps characters that the built-in fonts lack to similar ones that they have.
// They have the hyphen-minus, but draw it as a minus, as long as a dash; their soft
// hyphen looks as a hyphen should.
var alike = map[rune]rune{
	'-': '\u00ad', '\u2010': '\u00ad', '\u2011': '\u00ad', // hyphens
	'\u2012': '\u2013', '\u2015': '\u2014', // dashes
	'\u2007': ' ', '\u2008': ' ', '\u2009': ' ', '\u200a': ' ', '\u202f': ' ', // spaces
	'\u02b9': '\'', '\u02bb': '\u2018', '\u02bc': '\u2019', '\u02be': '\u2019', '\u02bf': '\u2018', // as in Hawaiian and transliterated Arabic
	'\u2032': '\'', '\u2033': '"',
	'\u2027': '\u00b7', '\u22c5': '\u00b7', // middle dots
}

// middleDot is drawn lower than the built-in fonts have it: there it hangs from the top of the
// small letters.
const (
	middleDot = '\u00b7'
	lowered   = 4
)

// plain has letters that the built-in fonts lack and Unicode does not part into a letter and its
// marks, each before the plainer one that stands in for it: of Kazakh, Tatar, Tajik, Mongolian
// and their neighbours in Cyrillic, of Azerbaijani and languages of Africa in Latin.
//
//nolint:gochecknoglobals // a constant table
var plain = pairs("ҒГғгҔГҕгҖЖҗжҘЗҙзҚКқкҜКҝкҞКҟкҠКҡкҢНңнҤНҥнҦПҧпҨОҩоҪСҫсҬТҭтҮYүyҰYұyҲХҳхҴЦҵцҶЧҷчҸЧҹчҺHһhҼЕҽеҾЕҿеӀIӏlӃКӄкӅЛӆлӇНӈнӉНӊнӋЧӌчӍМӎмӔÆӕæӘЭәэӚЭӛэӠЗӡзӨΘөθӪΘӫθӶГӷгӺГӻгӼХӽхӾХӿхѲΘѳθѢЕѣеѴVѵv" +
	"ẞßƁBɓbƆOɔoƇCƈcƉĐɖdƊDɗdƎEǝeƏEəeƐEɛeƓGɠgƔGɣgƖIɩiƗIɨiƘKƙkƝNɲnƤPƥpƦRƬTƭtƮTʈtƱUʊuƲVʋvƳYƴyƵZƶzƷZʒzǤGǥgȤZȥzȺAȻCȼcȽLƚlɃBƀbɄUʉuɆEɇeɈJɉjɌRɍrɎYɏyǀ|ǁ|ǂ‡ǃ!")

// pairs reads a table of letters by turns with those that stand in for them.
func pairs(table string) map[rune]rune {
	letters := []rune(table)
	m := make(map[rune]rune, len(letters)/2)
	for i := 0; i+1 < len(letters); i += 2 {
		m[letters[i]] = letters[i+1]
	}
	return m
}

// index returns the glyph of a character; 0 if the font has none. The built-in fonts
// draw some characters as similar ones.
func (f *face) index(c rune, buf *sfnt.Buffer) sfnt.GlyphIndex {
	if other, ok := alike[c]; ok && f.builtin {
		c = other
	}
	i, err := f.font.GlyphIndex(buf, c)
	if err != nil {
		return 0
	}
	return i
}

// plainer returns a glyph for a letter that the font lacks: the letter with one of its marks or
// with none, or one that is like it; 0 if it has none of them. A name in plainer letters can
// still be read.
func (f *face) plainer(c rune, buf *sfnt.Buffer) sfnt.GlyphIndex {
	if other, ok := plain[c]; ok {
		return f.index(other, buf)
	}
	parts := []rune(norm.NFD.String(string(c)))
	if len(parts) < 2 {
		return 0
	}
	for _, mark := range slices.Backward(parts[1:]) {
		one, size := utf8.DecodeRuneInString(norm.NFC.String(string([]rune{parts[0], mark})))
		if size == 0 || one == parts[0] {
			continue // not a letter of its own
		}
		if i := f.index(one, buf); i != 0 {
			return i
		}
	}
	return f.index(parts[0], buf)
}
