// Package glyph turns outline fonts into the glyph files of web maps: ranges
// of 256 characters, each drawn as a signed distance field, in the protobuf
// format that MapLibre reads. The built-in fonts are the Go fonts (Bigelow &
// Holmes, BSD licence), which cover Latin, Greek and Cyrillic; others are read from
// folders.
package glyph

import (
	"encoding/binary"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/sync/singleflight"
)

// The built-in fonts. A font stack may name several; a character comes from the first
// font that has it.
const (
	Regular = "Go Regular"
	Bold    = "Go Bold"
	Italic  = "Go Italic"
)

// RangeSize is the number of characters in a glyph file, LastRange the start of the
// last one: files end with the Basic Multilingual Plane.
const (
	RangeSize = 256
	LastRange = 65536 - RangeSize
)

// Fonts makes glyph files and caches them. It is safe for concurrent use.
type Fonts struct {
	faces     map[string]*face
	installed []string // names of faces beyond the built-in ones, in the order of the alphabet

	drawing singleflight.Group // so that a file is drawn once, whoever waits for it
	seats   chan struct{}      // of files that are drawn at once

	mu    sync.Mutex
	files map[string][]byte
	kept  int // bytes of files
}

// filesKept limits the bytes of files in memory: about 20 KB each for ranges with
// letters, ten times that for one of ideographs, a few bytes for empty ones.
const filesKept = 64 << 20

// New loads the built-in fonts, and those of folders (.ttf, .otf, .ttc and .otc, at any
// depth). An unreadable font, or one with the name of another, is an error.
func New(dirs ...string) (*Fonts, error) {
	f := &Fonts{faces: map[string]*face{}, files: map[string][]byte{}, seats: make(chan struct{}, runtime.GOMAXPROCS(0))}
	for name, data := range map[string][]byte{Regular: goregular.TTF, Bold: gobold.TTF, Italic: goitalic.TTF} {
		font, err := sfnt.Parse(data)
		if err != nil {
			return nil, fmt.Errorf("font %s: %w", name, err)
		}
		f.faces[name] = newFace(font)
		f.faces[name].builtin = true
	}
	for _, dir := range dirs {
		if err := f.install(dir); err != nil {
			return nil, err
		}
	}
	slices.Sort(f.installed)
	return f, nil
}

// Names lists the fonts in alphabetical order.
func (f *Fonts) Names() []string { return slices.Sorted(maps.Keys(f.faces)) }

// Families lists the families that have a regular font, in alphabetical order.
func (f *Fonts) Families() (families []string) {
	for _, name := range f.Names() {
		if family, ok := strings.CutSuffix(name, " Regular"); ok {
			families = append(families, family)
		}
	}
	return families
}

// Range returns the glyph file of a stack (font names separated by commas) for the
// characters from start on. Unknown fonts are skipped, and a character that none of the
// stack has comes from the installed fonts. It returns false if no font of the stack is
// known, or if no file starts at start (a multiple of 256 up to LastRange).
func (f *Fonts) Range(stack string, start int) ([]byte, bool) {
	if start < 0 || start > LastRange || start%RangeSize != 0 {
		return nil, false
	}
	var names []string
	for name := range strings.SplitSeq(stack, ",") {
		if name = strings.TrimSpace(name); f.faces[name] != nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, false
	}
	stack = strings.Join(names, ",")
	key := fmt.Sprintf("%s/%d", stack, start)
	f.mu.Lock()
	b, ok := f.files[key]
	f.mu.Unlock()
	if ok {
		return b, true
	}
	made, _, _ := f.drawing.Do(key, func() (any, error) {
		f.seats <- struct{}{}
		defer func() { <-f.seats }()
		return f.put(key, f.file(stack, f.after(names), start)), nil
	})
	b, ok = made.([]byte)
	return b, ok
}

// put caches a file; a full cache is emptied first.
func (f *Fonts) put(key string, b []byte) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kept+len(b) > filesKept {
		clear(f.files)
		f.kept = 0
	}
	f.files[key] = b
	f.kept += len(b)
	return b
}

// after returns the fonts in which characters are looked up: those of a stack, then the
// installed ones, first those that are as bold or slanted as the stack.
func (f *Fonts) after(names []string) []string {
	like := func(name string) bool {
		return strings.Contains(name, "Bold") == strings.Contains(names[0], "Bold") && strings.Contains(name, "Italic") == strings.Contains(names[0], "Italic")
	}
	for _, alike := range []bool{true, false} {
		for _, name := range f.installed {
			if like(name) == alike && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Covers reports whether a font has a letter in the range from start on.
func (f *Fonts) Covers(name string, start int) bool {
	face := f.faces[name]
	var buf sfnt.Buffer
	for c := start; face != nil && c < start+RangeSize; c++ {
		if index, err := face.font.GlyphIndex(&buf, rune(c)); err == nil && index != 0 {
			return true
		}
	}
	return false
}

// file encodes a range.
func (f *Fonts) file(stack string, names []string, start int) []byte {
	var b []byte
	var buf sfnt.Buffer
	b = appendBytes(b, 1, []byte(stack))
	b = appendBytes(b, 2, fmt.Appendf(nil, "%d-%d", start, start+RangeSize-1))
	for c := start; c < start+RangeSize; c++ {
		if g, ok := f.draw(names, rune(c), &buf); ok {
			b = appendBytes(b, 3, g.append(nil))
		}
	}
	return appendBytes(nil, 1, b)
}

// draw makes the glyph of a character from the first font that has it, or else a
// plainer one.
func (f *Fonts) draw(names []string, c rune, buf *sfnt.Buffer) (drawn, bool) {
	for _, name := range names {
		if g, ok := f.faces[name].draw(c, buf); ok {
			return g, true
		}
	}
	for _, name := range names {
		if g, ok := f.faces[name].glyph(c, f.faces[name].plainer(c, buf), buf); ok {
			return g, true
		}
	}
	return drawn{}, false
}

// drawn is a glyph as the file stores it: sizes in pixels without the buffer round the
// bitmap.
type drawn struct {
	id            rune
	bitmap        []byte // (width+2*buffer) * (height+2*buffer), empty for a space
	width, height int
	left, top     int // of the bitmap without its buffer; top from the line's origin
	advance       int
}

func (g drawn) append(b []byte) []byte {
	number := func(field int, v uint64) { b = binary.AppendUvarint(append(b, byte(field<<3)), v) }
	signed := func(field, v int) { number(field, uint64(v<<1^v>>63)) }
	number(1, uint64(g.id))
	if len(g.bitmap) > 0 {
		b = appendBytes(b, 2, g.bitmap)
	}
	number(3, uint64(g.width))
	number(4, uint64(g.height))
	signed(5, g.left)
	signed(6, g.top)
	number(7, uint64(g.advance))
	return b
}

func appendBytes(b []byte, field int, data []byte) []byte {
	b = binary.AppendUvarint(append(b, byte(field<<3|2)), uint64(len(data)))
	return append(b, data...)
}
