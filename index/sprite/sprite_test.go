package sprite_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/waygate/waygate/index/sprite"
)

// Every icon lies in its picture, at both ratios the same icons, none of them empty.
func TestIconsLieInTheirPictures(t *testing.T) {
	names := map[string]int{}
	for ratio, at := range map[int]string{1: "", 2: "@2x"} {
		raw, ok := sprite.File("sprite" + at + ".json")
		drawn, ok2 := sprite.File("sprite" + at + ".png")
		if !ok || !ok2 {
			t.Fatal("no files")
		}
		var icons map[string]struct {
			X, Y, Width, Height, PixelRatio int
			SDF                             bool
		}
		if err := json.Unmarshal(raw, &icons); err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(drawn))
		if err != nil {
			t.Fatal(err)
		}
		if len(icons) < 100 {
			t.Errorf("only %d icons", len(icons))
		}
		for name, i := range icons {
			names[name]++
			if name == "hatch" { // a pattern, side by side without a margin
				if i.SDF || i.Width != 16*ratio || i.Height != i.Width || !seamless(picture, image.Rect(i.X, i.Y, i.X+i.Width, i.Y+i.Height)) {
					t.Errorf("hatch: %+v has seams", i)
				}
				continue
			}
			if i.PixelRatio != ratio || !i.SDF || i.Width != 21*ratio || i.X+i.Width > picture.Bounds().Dx() || i.Y+i.Height > picture.Bounds().Dy() {
				t.Errorf("%s: %+v in %v", name, i, picture.Bounds())
			}
			inside := 0
			for y := i.Y; y < i.Y+i.Height; y++ {
				for x := i.X; x < i.X+i.Width; x++ {
					if _, _, _, a := picture.At(x, y).RGBA(); a>>8 >= 192 {
						inside++
					}
				}
			}
			if inside < 8*ratio*ratio {
				t.Errorf("%s has %d pixels", name, inside)
			}
		}
	}
	for name, times := range names {
		if times != 2 {
			t.Errorf("%s is there %d times", name, times)
		}
	}
	for _, name := range []string{"dot", "arrow", "shield", "pub", "station", "supermarket", "bus_stop", "castle", "peak"} {
		if names[name] == 0 {
			t.Errorf("no icon for %s", name)
		}
	}
}

func TestNoOtherFiles(t *testing.T) {
	for _, name := range []string{"", "sprite", "sprite@3x.png", "../sprite.png", "sprite.go", "sprite.png/", strings.Repeat("x", 1000)} {
		if _, ok := sprite.File(name); ok {
			t.Errorf("%q is a file", name)
		}
	}
}

// seamless reports whether the stripes of a pattern go on from one side to the other, and leave
// most of it clear.
func seamless(picture image.Image, r image.Rectangle) bool {
	alpha := func(x, y int) uint32 {
		_, _, _, a := picture.At(r.Min.X+x%r.Dx(), r.Min.Y+y%r.Dy()).RGBA()
		return a
	}
	drawn := 0
	for y := range r.Dy() {
		for x := range r.Dx() {
			if alpha(x, y) != alpha(x+1, y+r.Dy()-1) { // along the stripe
				return false
			}
			if alpha(x, y) > 0 {
				drawn++
			}
		}
	}
	return drawn > 0 && drawn < r.Dx()*r.Dy()/3
}
