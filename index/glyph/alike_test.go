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
	for _, letter := range "x漢" {
		if got := f.plainer(letter, buf); got != 0 {
			t.Errorf("%c without marks becomes glyph %d", letter, got)
		}
	}
}
