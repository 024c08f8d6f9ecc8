// Package glyph turns outline fonts into the glyph files of web maps: ranges
// of 256 characters, each drawn as a signed distance field, in the protobuf
// format that MapLibre reads. The fonts are the Go fonts (Bigelow & Holmes,
// BSD licence), which cover Latin, Greek and Cyrillic.
package glyph

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/goregular"
)

// The fonts that are there. A font stack may name several; a character comes
// from the first font that has it.
const (
	Regular = "Go Regular"
	Bold    = "Go Bold"
	Italic  = "Go Italic"
)

// RangeSize is how many characters a glyph file holds, LastRange where the
// last one starts: files end with the Basic Multilingual Plane.
const (
	RangeSize = 256
	LastRange = 65536 - RangeSize
)

// Fonts makes glyph files and keeps those it made. It may be used by many
// goroutines.
type Fonts struct {
	faces map[string]*face
	mu    sync.Mutex
	files map[string][]byte
}

// filesKept bounds the files in memory: about 20 KB each for ranges with
// letters, a few bytes for empty ones.
const filesKept = 1024

// New loads the fonts.
func New() (*Fonts, error) {
	f := &Fonts{faces: map[string]*face{}, files: map[string][]byte{}}
	for name, data := range map[string][]byte{Regular: goregular.TTF, Bold: gobold.TTF, Italic: goitalic.TTF} {
		face, err := parseFace(data)
		if err != nil {
			return nil, fmt.Errorf("font %s: %w", name, err)
		}
		f.faces[name] = face
	}
	return f, nil
}

// Names lists the fonts in the order of the alphabet.
func (f *Fonts) Names() []string {
	var names []string
	for n := range f.faces {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Range gives the glyph file of a stack, font names separated by commas, for
// the characters from start on. Fonts that are not there are passed over;
// false means that none of the stack is there, or that no file starts at start
// (a multiple of 256 up to LastRange).
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
	defer f.mu.Unlock()
	if b, ok := f.files[key]; ok {
		return b, true
	}
	b := f.file(stack, names, start)
	if len(f.files) >= filesKept {
		clear(f.files)
	}
	f.files[key] = b
	return b, true
}

// file encodes a range.
func (f *Fonts) file(stack string, names []string, start int) []byte {
	var b []byte
	b = appendBytes(b, 1, []byte(stack))
	b = appendBytes(b, 2, fmt.Appendf(nil, "%d-%d", start, start+RangeSize-1))
	for c := start; c < start+RangeSize; c++ {
		for _, name := range names {
			if g, ok := f.faces[name].draw(rune(c)); ok {
				b = appendBytes(b, 3, g.append(nil))
				break
			}
		}
	}
	return appendBytes(nil, 1, b)
}

// drawn is a glyph as the file carries it: sizes in pixels without the buffer
// round the bitmap.
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
