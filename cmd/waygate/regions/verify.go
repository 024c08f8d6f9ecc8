package regions

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/world"
)

// Verify is waygate verify.
type Verify struct {
	Dir    string `arg:"" help:"The region's folder." type:"existingdir"`
	Accept bool   `help:"Let servers use the region although it was refused because its answers differ from those of the region before (SVC_REGION_CANARY)."`
}

// Run reads the whole region and prints its contents, or returns what is wrong.
func (c *Verify) Run(ctx context.Context) error {
	m, err := world.Verify(ctx, c.Dir)
	if err != nil {
		return err
	}
	if c.Accept {
		if err := region.Accept(c.Dir); err != nil {
			return err
		}
	}
	verdicts, err := region.ReadVerdicts(c.Dir)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	if err := printRegion(w, m); err != nil {
		return err
	}
	if r := verdicts.Of(m.Hash()); r != nil {
		if _, err := fmt.Fprintf(w, "turned down\ton %s, as it %s; --accept has it served\n", r.At.Format("2006-01-02 15:04:05 MST"), r.Reason); err != nil {
			return err
		}
	}
	return w.Flush()
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
