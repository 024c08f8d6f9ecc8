package glyph

import (
	"testing"

	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// TestPlainer has letters with marks drawn as those of the font that are nearest to them: with
// the last mark that it has, without any, or not at all.
func TestPlainer(t *testing.T) {
	font, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	f, buf := newFace(font), &sfnt.Buffer{}
	for letter, plain := range map[rune]rune{'ấ': 'á', 'ẩ': 'â', 'ẹ': 'e', 'ợ': 'o'} {
		got, want := f.plainer(letter, buf), f.index(plain, buf)
		if f.index(letter, buf) != 0 || want == 0 {
			t.Fatalf("the font has %c, or lacks %c", letter, plain)
		}
		if got != want {
			t.Errorf("%c is drawn as glyph %d, %c is %d", letter, got, plain, want)
		}
	}
	for _, name := range []string{"Қазақстан", "Өскемен", "Ұлытау", "Gəncə", "Əhmədli", "Ҳисор", "STRAẞE", "Ɛwɔ", "Һөсәйен", "ǃXóõ"} {
		for _, letter := range name {
			if f.index(letter, buf) == 0 && f.plainer(letter, buf) == 0 {
				t.Errorf("%s loses its %c", name, letter)
			}
		}
	}
	fonts := newFonts(t)
	for letter, like := range plain {
		if start := int(letter) / RangeSize * RangeSize; !fonts.Covers(Regular, start) {
			t.Errorf("for %c, a browser that draws the letters from %d itself gets a file of them", letter, start)
		}
		if f.index(like, buf) == 0 {
			t.Errorf("%c stands in for %c, and the font lacks it", like, letter)
		}
	}
	for _, letter := range "x漢" {
		if got := f.plainer(letter, buf); got != 0 {
			t.Errorf("%c without marks becomes glyph %d", letter, got)
		}
	}
}
