package glyph

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/image/font/sfnt"

	"gotest.tools/v3/golden"
)

// fields reads the fields of a protobuf message.
func fields(t testing.TB, b []byte, take func(field int, number uint64, data []byte)) {
	t.Helper()
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 {
			t.Fatal("broken tag")
		}
		b = b[n:]
		v, n := binary.Uvarint(b)
		if n <= 0 {
			t.Fatal("broken number")
		}
		b = b[n:]
		if tag&7 == 2 {
			take(int(tag>>3), 0, b[:v])
			b = b[v:]
		} else {
			take(int(tag>>3), v, nil)
		}
	}
}

// read decodes a glyph file by the format's description alone.
func read(t testing.TB, file []byte) (name, span string, glyphs map[rune]drawn) {
	t.Helper()
	glyphs = map[rune]drawn{}
	signed := func(v uint64) int { return int(v>>1) ^ -int(v&1) }
	fields(t, file, func(field int, _ uint64, stack []byte) {
		if field != 1 {
			t.Fatalf("field %d of the file", field)
		}
		fields(t, stack, func(field int, _ uint64, data []byte) {
			switch field {
			case 1:
				name = string(data)
			case 2:
				span = string(data)
			case 3:
				var g drawn
				fields(t, data, func(field int, v uint64, bitmap []byte) {
					switch field {
					case 1:
						g.id = rune(v)
					case 2:
						g.bitmap = bitmap
					case 3:
						g.width = int(v)
					case 4:
						g.height = int(v)
					case 5:
						g.left = signed(v)
					case 6:
						g.top = signed(v)
					case 7:
						g.advance = int(v)
					}
				})
				glyphs[g.id] = g
			}
		})
	})
	return name, span, glyphs
}

func newFonts(t testing.TB) *Fonts {
	t.Helper()
	f, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestMetricsAndShapes(t *testing.T) {
	f := newFonts(t)
	file, ok := f.Range(Regular, 0)
	if !ok {
		t.Fatal("no Latin")
	}
	name, span, glyphs := read(t, file)
	if name != Regular || span != "0-255" {
		t.Errorf("stack %q, range %q", name, span)
	}
	var b strings.Builder
	for _, c := range " AHgi.Éß" {
		g, ok := glyphs[c]
		if !ok {
			t.Errorf("no glyph of %q", c)
			continue
		}
		fmt.Fprintf(&b, "%q %dx%d left %d top %d advance %d\n", c, g.width, g.height, g.left, g.top, g.advance)
		if len(g.bitmap) > 0 && len(g.bitmap) != (g.width+2*buffer)*(g.height+2*buffer) {
			t.Errorf("%q: %d bytes for %dx%d", c, len(g.bitmap), g.width, g.height)
		}
		for row := 0; len(g.bitmap) > 0 && row < g.height+2*buffer; row++ {
			for col := range g.width + 2*buffer {
				b.WriteByte(" .:+#@"[g.bitmap[row*(g.width+2*buffer)+col]/43])
			}
			b.WriteByte('\n')
		}
	}
	golden.Assert(t, b.String(), "glyphs.txt")
}

// The field is 192 on the outline, more inside, less outside, and falls by 32
// a pixel; a square shows it without curves in the way.
func TestFieldIsADistance(t *testing.T) {
	corners := []point{{10, 10}, {20, 10}, {20, 20}, {10, 20}}
	var outline []edge
	for i, c := range corners {
		outline = append(outline, edge{c, corners[(i+1)%4]})
	}
	for _, c := range []struct {
		p    point
		want float64
	}{
		{point{15, 15}, -5}, {point{11, 15}, -1}, {point{9, 15}, 1}, {point{15, 24}, 4}, {point{23, 24}, 5}, {point{10.5, 19}, -0.5},
	} {
		if d := distance(outline, c.p); d < c.want-1e-9 || d > c.want+1e-9 {
			t.Errorf("distance at %v is %v, want %v", c.p, d, c.want)
		}
	}
	for d, want := range map[float64]byte{0: 191, -1: 223, 1: 159, 6: 0, 99: 0, -2: 255, -9: 255} {
		if got := shade(d); got != want {
			t.Errorf("shade(%v) = %d, want %d", d, got, want)
		}
	}
}

func TestStacks(t *testing.T) {
	f := newFonts(t)
	regular, _ := f.Range(Regular, 0)
	both, ok := f.Range("Noto Sans Regular, "+Regular+","+Regular, 0)
	if !ok || string(both) != string(regular) {
		t.Error("an unknown font in front changes the glyphs")
	}
	bold, _ := f.Range(Bold+","+Regular, 0)
	if name, _, glyphs := read(t, bold); name != Bold+","+Regular || len(glyphs) < 180 {
		t.Errorf("%q with %d glyphs", name, len(glyphs))
	}
	for _, c := range []struct {
		stack string
		start int
	}{{"Noto Sans Regular", 0}, {"", 0}, {Regular, 1}, {Regular, -256}, {Regular, 65536}} {
		if _, ok := f.Range(c.stack, c.start); ok {
			t.Errorf("%q from %d was served", c.stack, c.start)
		}
	}
	if file, ok := f.Range(Regular, 0x4e00); !ok || len(file) > 60 {
		t.Errorf("a range of Chinese, which the fonts lack, has %d bytes, %v", len(file), ok)
	}
	if _, ok := f.Range(Regular, LastRange); !ok {
		t.Error("the last range is not served")
	}
	cyrillic, _ := f.Range(Regular, 1024)
	if _, _, glyphs := read(t, cyrillic); glyphs['Ж'].width == 0 {
		t.Error("no Cyrillic")
	}
}

// A hyphen is shorter than a dash, which is shorter than a long one, in every built-in font.
func TestHyphensAreNoDashes(t *testing.T) {
	f := newFonts(t)
	for _, name := range []string{Regular, Bold, Italic} {
		latin, _ := f.Range(name, 0)
		_, _, letters := read(t, latin)
		marks, _ := f.Range(name, 8192)
		_, _, punctuation := read(t, marks)
		hyphen, en, em := letters['-'], punctuation['\u2013'], punctuation['\u2014']
		if hyphen.width == 0 || hyphen.width*5 > en.width*4 || en.width >= em.width || hyphen.advance*10 > letters['n'].advance*7 {
			t.Errorf("%s: a hyphen is %d wide of %d, a dash %d, a long one %d, n %d", name, hyphen.width, hyphen.advance, en.width, em.width, letters['n'].advance)
		}
		for _, c := range "\u2010\u2011" {
			if g := punctuation[c]; g.width != hyphen.width || g.advance != hyphen.advance {
				t.Errorf("%s: %U is %d wide", name, c, g.width)
			}
		}
		if g := punctuation['\u202f']; g.advance == 0 || len(g.bitmap) > 0 {
			t.Errorf("%s: a narrow space is %+v", name, g)
		}
	}
}

// A middle dot is at the middle of the small letters, not at their top.
func TestMiddleDotsAreInTheMiddle(t *testing.T) {
	f := newFonts(t)
	for _, name := range []string{Regular, Bold, Italic} {
		var buf sfnt.Buffer
		x, _ := f.faces[name].draw('x', &buf)
		for _, c := range "·‧" {
			dot, ok := f.faces[name].draw(c, &buf)
			middle := func(g drawn) int { return 2*g.top - g.height }
			if d := middle(dot) - middle(x); !ok || d < -4 || d > 4 {
				t.Errorf("%s: %c is %d half pixels from the middle of x", name, c, d)
			}
		}
	}
}

// Letters with marks that the fonts lack are drawn with those they have: names of Vietnam,
// transliterated Arabic and Hawaiian have no holes.
func TestLettersHaveNoHoles(t *testing.T) {
	f := newFonts(t)
	for text, plain := range map[string]string{"ậ": "â", "ề": "ê", "ợ": "o", "ḥ": "h", "ẓ": "z", "ǧ": "ğ", "Ṣ": "S", "ʻ": "‘", "ἀ": "α", "ῶ": "ω"} {
		c, other := []rune(text)[0], []rune(plain)[0]
		file, _ := f.Range(Regular, int(c)/RangeSize*RangeSize)
		_, _, glyphs := read(t, file)
		file, _ = f.Range(Regular, int(other)/RangeSize*RangeSize)
		_, _, others := read(t, file)
		if g, o := glyphs[c], others[other]; g.width == 0 || g.width != o.width && text != "ǧ" || g.advance != o.advance && text != "ǧ" {
			t.Errorf("%s is %d wide, %s %d", text, g.width, plain, o.width)
		}
	}
}
