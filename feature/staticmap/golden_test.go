package staticmap

import (
	"bytes"
	"flag"
	"image"
	_ "image/jpeg"
	"image/png"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/waygate/waygate/render"
	"github.com/waygate/waygate/waittest"
)

var update = flag.Bool("update-images", false, "write the images that are compared")

// drawing returns a service that draws with the page of the built website.
func drawing(t *testing.T) *Service {
	t.Helper()
	site := os.DirFS(filepath.Join("..", "..", "web", "dist"))
	path, err := render.Find("")
	if err == nil {
		_, err = os.Stat(filepath.Join("..", "..", "web", "dist", Page))
	}
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("static maps need Chromium and the built website: %v", err)
		}
		t.Skipf("static maps need Chromium (apt-get install chromium) and the built website (make web): %v", err)
	}
	pool := render.New(render.Options{Chromium: path, Site: site, Page: Page, Size: 1, Waiting: 8, Start: waittest.Patience, Hang: waittest.Patience, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(pool.Close)
	return &Service{Pool: pool, Public: make(chan struct{}, 1)}
}

// ground is a style that draws one island in a sea.
const ground = `{"version":8,"sources":{"island":{"type":"geojson","data":{"type":"Polygon","coordinates":[[[-3.2,51.4],[-2.8,51.4],[-2.7,51.7],[-3.1,51.8],[-3.2,51.4]]]}}},
"layers":[{"id":"sea","type":"background","paint":{"background-color":"#aacfe0"}},{"id":"island","type":"fill","source":"island","paint":{"fill-color":"#f0ede4"}}]}`

// Images are those of testdata, but for what differs from one machine to the
// next: the edges of lines and letters.
func TestImages(t *testing.T) {
	s := drawing(t)
	for _, c := range []struct{ name, query, body string }{
		{"markers", "markers=-3,51.5,A;-2.9,51.6,12,gold&size=320x200", ""},
		{"shapes", "size=320x200", `[{"type":"Feature","properties":{"stroke":"#c00","stroke-width":4,"fill":"gold","fill-opacity":0.5},"geometry":{"type":"Polygon","coordinates":[[[-3.1,51.5],[-2.9,51.7],[-2.9,51.5],[-3.1,51.7],[-3.1,51.5]]]}},{"type":"LineString","coordinates":[[-3.15,51.45],[-2.8,51.72]]},{"type":"Feature","properties":{"marker-color":"teal"},"geometry":{"type":"Point","coordinates":[-3.0,51.75]}}]`},
		{"turned", "center=-2.95,51.6&zoom=9&size=160x100@2x&bearing=30&pitch=60&markers=-2.95,51.6,B", ""},
		{"horizon", "center=-2.95,51.6&zoom=9&size=200x160&pitch=85", ""},
		{"narrow", "center=-2.95,51.6&zoom=8&size=137x60", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := s.Picture(mustRead(t, c.query, c.body), Map{Style: raw(ground), Attribution: "© OpenStreetMap contributors"})
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Draw(t.Context(), p, true)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", c.name+".png")
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if part := unlike(t, got, want); part > tolerance {
				t.Errorf("%.1f %% of the image differs from %s; -update-images renews it", 100*part, file)
			}
		})
	}
}

// raw is a style as the page gets it.
type raw string

// MarshalJSON returns the style itself.
func (r raw) MarshalJSON() ([]byte, error) { return []byte(r), nil }

// Of an image so large a part may differ, in a channel by more than so much.
const (
	tolerance = 0.02
	shade     = 48
)

// unlike returns the part of the pixels that differ.
func unlike(t *testing.T, got, want []byte) float64 {
	t.Helper()
	a, err := png.Decode(bytes.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	b, err := png.Decode(bytes.NewReader(want))
	if err != nil {
		t.Fatal(err)
	}
	if a.Bounds() != b.Bounds() {
		t.Fatalf("%v, want %v", a.Bounds(), b.Bounds())
	}
	off, size := 0, a.Bounds().Size()
	for y := range size.Y {
		for x := range size.X {
			r, g, bl, _ := a.At(x, y).RGBA()
			r2, g2, bl2, _ := b.At(x, y).RGBA()
			if far(r, r2) || far(g, g2) || far(bl, bl2) {
				off++
			}
		}
	}
	return float64(off) / float64(size.X*size.Y)
}

func far(a, b uint32) bool { return max(a, b)-min(a, b) > shade<<8 }

// Both other formats are written, and a caller without a key waits for none.
func TestFormats(t *testing.T) {
	s := drawing(t)
	for _, format := range []string{"jpeg", "webp"} {
		p, err := s.Picture(mustRead(t, "center=-3,51.6&zoom=8&size=160x100&quality=60&format="+format, ""), Map{Style: raw(ground)})
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Draw(t.Context(), p, false)
		if err != nil || p.Media != "image/"+format {
			t.Fatal(p.Media, err)
		}
		if _, kind, err := image.DecodeConfig(bytes.NewReader(got)); format == "jpeg" && (err != nil || kind != format) || format == "webp" && string(got[8:12]) != "WEBP" {
			t.Errorf("%s: %s, %v", format, kind, err)
		}
	}
}
