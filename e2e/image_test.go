package e2e

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"os/exec"
	"testing"

	_ "golang.org/x/image/webp"
)

// needsChromium skips a test where no Chromium is installed; on CI it fails.
func needsChromium(t *testing.T) {
	t.Helper()
	_, err := exec.LookPath("chromium")
	switch {
	case err == nil:
	case os.Getenv("CI") == "true":
		t.Fatalf("static maps need Chromium (apt-get install chromium): %v", err)
	default:
		t.Skipf("static maps need Chromium (apt-get install chromium): %v", err)
	}
}

// blank is the most colours that an image without a map on it may have, its notice
// included.
const blank = 150

// picture returns an image as a file of answers has it: its pixels differ a little from
// one machine to the next.
func picture(body []byte) string {
	m, format, err := image.Decode(bytes.NewReader(body))
	if err != nil {
		return err.Error()
	}
	colours, b := map[color.Color]bool{}, m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			colours[m.At(x, y)] = true
		}
	}
	return fmt.Sprintf("<%s of %d x %d, a map: %t>", format, b.Dx(), b.Dy(), len(colours) > blank)
}
