package glyph

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// collection puts fonts into one file, as .ttc has them.
func collection(fonts ...[]byte) []byte {
	be := binary.BigEndian
	out := append([]byte("ttcf"), 0, 1, 0, 0)
	out = be.AppendUint32(out, uint32(len(fonts)))
	at := len(out) + 4*len(fonts)
	var bodies []byte
	for _, f := range fonts {
		base := at + len(bodies)
		out = be.AppendUint32(out, uint32(base))
		f = slices.Clone(f)
		for i := range int(be.Uint16(f[4:])) {
			offset := f[12+16*i+8:]
			be.PutUint32(offset, be.Uint32(offset)+uint32(base))
		}
		bodies = append(bodies, f...)
	}
	return append(out, bodies...)
}

func write(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestInstalledFonts(t *testing.T) {
	dir := write(t, map[string][]byte{"deep/both.TTC": collection(gomono.TTF, gomonobold.TTF), "README.md": []byte("no font")})
	f, err := New(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(f.Names(), ", "); got != "Go Bold, Go Italic, Go Mono Bold, Go Mono Regular, Go Regular" {
		t.Fatalf("%s", got)
	}
	file, ok := f.Range("Go Mono Bold, Go Regular,Nowhere", 0)
	if !ok {
		t.Fatal("an installed font is not there")
	}
	name, _, glyphs := read(t, file)
	if name != "Go Mono Bold,Go Regular" || glyphs['i'].advance != glyphs['W'].advance {
		t.Errorf("%s: i is %d wide, W %d", name, glyphs['i'].advance, glyphs['W'].advance)
	}
	// Box drawing is in the monospaced fonts alone: every stack has it from there.
	const box = 0x2500
	alone, _ := f.Range(Bold, box)
	_, _, glyphs = read(t, alone)
	if len(glyphs) < 50 {
		t.Errorf("%d letters come from installed fonts", len(glyphs))
	}
	if got := f.after([]string{Bold}); !slices.Equal(got, []string{Bold, "Go Mono Bold", "Go Mono Regular"}) {
		t.Errorf("characters are looked for in %v", got)
	}
}

func TestFontsThatAreRefused(t *testing.T) {
	for what, files := range map[string]map[string][]byte{
		"no font":       {"a.ttf": []byte("this is no font")},
		"nothing":       {"a.otf": nil},
		"cut short":     {"a.ttf": gomono.TTF[:5000]},
		"a second name": {"a.ttf": goregular.TTF},
		"half a family": {"a.ttc": collection(gomono.TTF, gomonobold.TTF[:400])},
	} {
		if _, err := New(write(t, files)); err == nil || !strings.Contains(err.Error(), "a.") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := New(filepath.Join(t.TempDir(), "absent")); err == nil {
		t.Error("a folder that is not there is taken")
	}
}

// FuzzFont draws letters of fonts that may be made to hurt.
func FuzzFont(f *testing.F) {
	f.Add(gomono.TTF)
	f.Add(collection(gomono.TTF))
	f.Add(goregular.TTF[:8000])
	f.Fuzz(func(t *testing.T, data []byte) {
		fonts, err := parse(data)
		if err != nil {
			return
		}
		var buf sfnt.Buffer
		for _, font := range fonts[:min(2, len(fonts))] {
			_, _ = nameOf(font)
			face := newFace(font)
			for _, c := range "Aé漢\x00\U0001F600" {
				g, ok := face.draw(c, &buf)
				if w, h := g.width+2*buffer, g.height+2*buffer; ok && len(g.bitmap) > 0 && (len(g.bitmap) != w*h || w > maxSide+10 || h > maxSide+10) {
					t.Fatalf("%c is %d by %d with %d bytes", c, g.width, g.height, len(g.bitmap))
				}
			}
		}
	})
}
