package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/waygate/waygate/bench"
	"github.com/waygate/waygate/region"
)

type benchCountry struct {
	Extract string  `arg:"" help:"OpenStreetMap extract of one place to copy." type:"existingfile"`
	Edges   float64 `default:"25e6" help:"Approximate number of directed edges of the country; Great Britain has 25e6."`
	Out     string  `required:"" help:"Folder for the extracts (extracts) and the region (region)." type:"path" placeholder:"DIR"`
	Make    bool    `help:"Only make the extracts."`
	N       int     `short:"n" default:"2000" help:"Routes to request from a server of the region; 0 starts no server."`
}

// Run makes the country, imports it, and reports what that took and how it is served.
func (c *benchCountry) Run(ctx context.Context) error {
	if c.Edges < 1 || c.Edges > 400e6 {
		return errors.New("--edges must be at least 1 and at most 400e6")
	}
	from := filepath.Join(c.Out, "extracts")
	if err := os.MkdirAll(from, 0o755); err != nil {
		return err
	}
	country, err := bench.NewCountry(ctx, c.Extract)
	if err != nil {
		return err
	}
	n := country.Copies(int(c.Edges))
	files, err := country.Write(ctx, n, from)
	if err != nil {
		return err
	}
	fmt.Printf("%d copies of %s in %s\n", n, filepath.Base(c.Extract), from)
	if c.Make {
		return nil
	}
	if c.N < 0 || c.N == 1 {
		return errors.New("--n must be 0 or at least 2")
	}
	if err := c.measure(ctx, files); err != nil || c.N == 0 {
		return err
	}
	return c.serve(ctx, filepath.Join(c.Out, "region"))
}

// measure imports the country in a process of its own, whose memory and processor
// time are the import's alone.
func (c *benchCountry) measure(ctx context.Context, files []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	out := filepath.Join(c.Out, "region")
	importing := exec.CommandContext(ctx, self, append([]string{"import", "--no-map", "--id", "country", "--out", out}, files...)...) //nolint:gosec // this program
	importing.Stderr = os.Stderr
	began := time.Now()
	if err := importing.Run(); err != nil {
		return fmt.Errorf("waygate import: %w", err)
	}
	took := time.Since(began)
	r, err := region.Open(out)
	if err != nil {
		return err
	}
	edges := float64(r.Manifest.Counts["edges"])
	if err := r.Close(); err != nil {
		return err
	}
	size, err := folderSize(out)
	if err != nil {
		return err
	}
	state := importing.ProcessState
	processor := state.UserTime() + state.SystemTime()
	fmt.Printf("%.0f directed edges\nimport: %s of processor, %s on the clock\n", edges, processor.Round(time.Second), took.Round(time.Second))
	if most := mostMemory(state); most > 0 {
		fmt.Printf("memory at most, mapped files included: %d MB, %.0f bytes an edge\n", most>>20, float64(most)/edges)
	}
	fmt.Printf("region without the map: %d MB, %.0f bytes an edge\n", size>>20, float64(size)/edges)
	return nil
}

// folderSize returns the bytes of a folder's files.
func folderSize(dir string) (sum int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	return sum, err
}
