package glyph

import (
	"testing"

	"golang.org/x/image/font/sfnt"
)

// What a font lacks it does not draw: a range has glyphs of just those characters that one of
// the fonts has, or has in a plainer form, and none is the box that fonts have in place of others.
func TestLackingCharactersAreNotDrawn(t *testing.T) {
	f := newFonts(t)
	var buf sfnt.Buffer
	for _, start := range []int{0, 256, 512, 768, 0x2000, 0x2500, 0x4e00, 0xe000} {
		file, ok := f.Range(Regular, start)
		if !ok {
			t.Fatalf("no range from %d", start)
		}
		_, _, glyphs := read(t, file)
		has := false
		for c := rune(start); c < rune(start+RangeSize); c++ {
			own, err := f.faces[Regular].font.GlyphIndex(&buf, c)
			if err != nil {
				t.Fatal(err)
			}
			has = has || own != 0
			_, drawn := glyphs[c]
			if own != 0 && !drawn {
				t.Errorf("%U is lacking, and the font has it", c)
			}
			if drawn && own == 0 && alike[c] == 0 && f.faces[Regular].plainer(c, &buf) == 0 {
				t.Errorf("%U is drawn, and the font lacks it", c)
			}
		}
		if f.Covers(Regular, start) != has {
			t.Errorf("the font covers the range from %d: %v", start, !has)
		}
	}
	if f.Covers("No Such Font", 0) {
		t.Error("a font that is not there covers Latin")
	}
	// The glyph of number 0 is never one of a character, and that of number 1 may be.
	if _, ok := f.faces[Regular].glyph('x', 0, &buf); ok {
		t.Error("the box is drawn as a letter")
	}
	for _, name := range f.Names() {
		if _, ok := f.faces[name].glyph('x', sfnt.GlyphIndex(f.faces[name].font.NumGlyphs()), &buf); ok {
			t.Errorf("%s draws a glyph after its last", name)
		}
	}
	if g, ok := f.faces[Regular].glyph('x', 1, &buf); !ok || g.id != 'x' {
		t.Error("the first glyph is not drawn")
	}
}
