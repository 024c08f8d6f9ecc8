package glyph

import (
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Glyphs are drawn 24 pixels high. A pixel is 255*(1 - cutoff - d/radius) for the
// distance d to the outline in pixels, negative inside: 192 on it. Map renderers depend
// on these numbers.
const (
	size   = 24
	buffer = 3
	radius = 8.0
	cutoff = 0.25
	// baseline is how far below a line's origin renderers expect the baseline: half of
	// the capitals' height then lies above the line's middle.
	baseline = 26
)

// Limits of one letter, so that a malicious font costs no more than a real one: parts
// of its outline, and pixels on a side.
const (
	maxEdges = 20_000
	maxSide  = 8 * size
)

// face is a font with its scale. It is immutable.
type face struct {
	font    *sfnt.Font
	ppem    fixed.Int26_6
	scale   float64 // pixels per 1/64 of a font unit
	builtin bool    // one of the Go fonts
}

func newFace(f *sfnt.Font) *face {
	units := max(1, int(f.UnitsPerEm()))
	return &face{font: f, ppem: fixed.I(units), scale: float64(size) / float64(units) / 64}
}

type point struct{ x, y float64 }

// draw makes the glyph of a character; false if the font has none that can be drawn.
func (f *face) draw(c rune, buf *sfnt.Buffer) (drawn, bool) {
	return f.glyph(c, f.index(c, buf), buf)
}

// glyph makes a glyph of the font for a character; 0 is none.
func (f *face) glyph(c rune, index sfnt.GlyphIndex, buf *sfnt.Buffer) (drawn, bool) {
	if index == 0 {
		return drawn{}, false
	}
	advance, err := f.font.GlyphAdvance(buf, index, f.ppem, font.HintingNone)
	if err != nil {
		return drawn{}, false
	}
	segments, err := f.font.LoadGlyph(buf, index, f.ppem, nil)
	if err != nil {
		return drawn{}, false
	}
	g := drawn{id: c, advance: int(math.Round(float64(advance) * f.scale)), top: -baseline}
	if len(segments)*steps > maxEdges {
		return drawn{}, false
	}
	outline := flatten(segments, f.scale)
	if g.advance < 0 || g.advance > maxSide {
		return drawn{}, false
	}
	if len(outline) == 0 {
		return g, true
	}
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, e := range outline {
		x0, x1 = min(x0, e.a.x), max(x1, e.a.x)
		y0, y1 = min(y0, e.a.y), max(y1, e.a.y)
	}
	if x1-x0 > maxSide || y1-y0 > maxSide || max(-x0, -y0, x1, y1) > 2*maxSide {
		return drawn{}, false
	}
	g.left, g.width = int(math.Floor(x0)), int(math.Ceil(x1)-math.Floor(x0))
	g.height = int(math.Ceil(y1) - math.Floor(y0))
	g.top = -int(math.Floor(y0)) - baseline
	if f.builtin && (c == middleDot || alike[c] == middleDot) {
		g.top -= lowered
	}
	w, h := g.width+2*buffer, g.height+2*buffer
	g.bitmap = make([]byte, w*h)
	for row := range h {
		for col := range w {
			p := point{math.Floor(x0) + float64(col-buffer) + 0.5, math.Floor(y0) + float64(row-buffer) + 0.5}
			g.bitmap[row*w+col] = shade(distance(outline, p))
		}
	}
	return g, true
}

func shade(d float64) byte {
	return byte(math.Round(math.Max(0, math.Min(255, 255*(1-cutoff-d/radius)))))
}

// edge is a straight part of an outline.
type edge struct{ a, b point }

// steps is how many straight parts a curve is split into: at 24 pixels none is off by
// more than a hundredth of a pixel.
const steps = 8

// flatten returns an outline in pixels, y growing downwards, the baseline at 0.
func flatten(segments sfnt.Segments, scale float64) []edge {
	var edges []edge
	var start, at point
	to := func(p point) {
		if p != at {
			edges = append(edges, edge{at, p})
		}
		at = p
	}
	for _, s := range segments {
		var p [3]point
		for i, a := range s.Args {
			p[i] = point{float64(a.X) * scale, float64(a.Y) * scale}
		}
		from := at
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			to(start)
			start, at = p[0], p[0]
		case sfnt.SegmentOpLineTo:
			to(p[0])
		case sfnt.SegmentOpQuadTo:
			for i := 1; i <= steps; i++ {
				t := float64(i) / steps
				u := 1 - t
				to(point{u*u*from.x + 2*u*t*p[0].x + t*t*p[1].x, u*u*from.y + 2*u*t*p[0].y + t*t*p[1].y})
			}
		case sfnt.SegmentOpCubeTo:
			for i := 1; i <= steps; i++ {
				t := float64(i) / steps
				u := 1 - t
				to(point{
					u*u*u*from.x + 3*u*u*t*p[0].x + 3*u*t*t*p[1].x + t*t*t*p[2].x,
					u*u*u*from.y + 3*u*u*t*p[0].y + 3*u*t*t*p[1].y + t*t*t*p[2].y,
				})
			}
		}
	}
	to(start)
	return edges
}

// distance returns how far p lies from an outline, negative inside (where the outline
// winds round it).
func distance(outline []edge, p point) float64 {
	best, winding := math.Inf(1), 0
	for _, e := range outline {
		dx, dy := e.b.x-e.a.x, e.b.y-e.a.y
		px, py := p.x-e.a.x, p.y-e.a.y
		t := max(0, min(1, (px*dx+py*dy)/(dx*dx+dy*dy)))
		rx, ry := px-t*dx, py-t*dy
		best = min(best, rx*rx+ry*ry)
		if (e.a.y > p.y) != (e.b.y > p.y) && px < dx*py/dy {
			if dy > 0 {
				winding++
			} else {
				winding--
			}
		}
	}
	if winding != 0 {
		return -math.Sqrt(best)
	}
	return math.Sqrt(best)
}
