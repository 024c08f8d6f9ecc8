package height

import (
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"testing"
)

// TestColours checks that the colours of a picture are those that it was made of, however it
// keeps them and wherever it begins.
func TestColours(t *testing.T) {
	frame := image.Rect(0, 0, 5, 4)
	pictures := map[string]draw.Image{"NRGBA": image.NewNRGBA(frame), "RGBA": image.NewRGBA(frame), "NRGBA of 64 bits": image.NewNRGBA64(frame), "a palette": image.NewPaletted(frame, palette.WebSafe)}
	want := func(x, y int) color.NRGBA {
		return color.NRGBA{uint8(51 * x), uint8(51 * y), uint8(51 * ((x + y) % 6)), 255}
	}
	inside := image.Rect(1, 2, 4, 4)
	for name, p := range pictures {
		for x := range frame.Dx() {
			for y := range frame.Dy() {
				p.Set(x, y, want(x, y))
			}
		}
		at := colours(p.(interface {
			SubImage(image.Rectangle) image.Image
		}).SubImage(inside))
		for x := range inside.Dx() {
			for y := range inside.Dy() {
				r, g, b, a := at(x, y)
				if got := (color.NRGBA{r, g, b, a}); got != want(x+1, y+2) {
					t.Errorf("%s: %v at %d, %d, want %v", name, got, x, y, want(x+1, y+2))
				}
			}
		}
	}
}
