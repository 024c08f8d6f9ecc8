package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/index/landmark"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/region"
)

type verifyCommand struct {
	Dir string `arg:"" help:"The region's folder." type:"existingdir"`
}

// Run reads the whole region and says what it holds, or what is wrong.
func (c *verifyCommand) Run() error {
	if err := region.Verify(c.Dir); err != nil {
		return err
	}
	m, err := region.ReadManifest(c.Dir)
	if err != nil {
		return err
	}
	if err := invariants(c.Dir); err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	if err := printRegion(w, m); err != nil {
		return err
	}
	return w.Flush()
}

// invariants opens what serves from the region and has each structure check
// itself.
func invariants(dir string) (err error) {
	r, err := region.Open(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	kernel, err := embedded.New(r)
	if err != nil {
		return err
	}
	if err := kernel.Verify(); err != nil {
		return err
	}
	if _, err := landmark.Open(r); err != nil {
		return err
	}
	data, err := r.Bytes(tileset.SectionName, tileset.Version, tileset.Version)
	if err != nil || data == nil {
		return err
	}
	archive, err := tileset.FromBytes(tileset.SectionName, data)
	if err != nil {
		return err
	}
	return archive.Verify()
}

func printRegion(w *tabwriter.Writer, m *region.Manifest) error {
	lines := [][2]string{
		{"region", fmt.Sprintf("%s (%s)", m.ID, m.Name)},
		{"built", fmt.Sprintf("%s by %s", m.Built.Format("2006-01-02 15:04:05 MST"), m.Builder)},
		{"bounds", fmt.Sprintf("%s to %s", m.Bounds.Min, m.Bounds.Max)},
	}
	for _, s := range m.Sources {
		lines = append(lines, [2]string{"source", fmt.Sprintf("%s, %d bytes", s.Name, s.Size)})
	}
	for _, s := range m.Sections {
		lines = append(lines, [2]string{"section", fmt.Sprintf("%s, version %d, %d bytes", s.Name, s.Version, s.Size)})
	}
	for _, name := range slices.Sorted(maps.Keys(m.Counts)) {
		lines = append(lines, [2]string{name, fmt.Sprint(m.Counts[name])})
	}
	for _, name := range slices.Sorted(maps.Keys(m.Facts)) {
		lines = append(lines, [2]string{name, m.Facts[name]})
	}
	lines = append(lines, [2]string{"checksums", "every section matches"})
	for _, l := range lines {
		if _, err := fmt.Fprintf(w, "%s\t%s\n", l[0], l[1]); err != nil {
			return err
		}
	}
	return nil
}
