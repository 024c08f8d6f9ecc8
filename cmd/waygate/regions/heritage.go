package regions

import (
	"fmt"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/importer"
)

// Heritage is waygate heritage.
type Heritage struct {
	Check   heritageCheck   `cmd:"" help:"Check files of heritage corridors that belong together, and list their errors."`
	Compile heritageCompile `cmd:"" help:"Check files of heritage corridors and write them into a built region, in place of those that it has."`
}

type heritageCheck struct {
	Files []string `arg:"" type:"path" help:"Files of heritage corridors (JSON)." placeholder:"FILE"`
}

// Run checks.
func (c *heritageCheck) Run() error {
	all, err := importer.ReadHeritage(c.Files)
	if err != nil {
		return err
	}
	entries := 0
	for i := range all {
		entries += len(all[i].Entries)
	}
	_, err = fmt.Printf("%s with %s, nothing wrong\n", fault.Counted(len(all), "corridor", "corridors"), fault.Counted(entries, "entry", "entries"))
	return err
}

type heritageCompile struct {
	Region string   `required:"" type:"existingdir" help:"Folder of the region." placeholder:"DIR"`
	Files  []string `arg:"" type:"path" help:"Files of heritage corridors (JSON)." placeholder:"FILE"`
}

// Run compiles.
func (c *heritageCompile) Run() error {
	m, err := importer.CompileHeritage(c.Region, c.Files)
	if err != nil {
		return err
	}
	_, err = fmt.Printf("%s with %s in %s; later imports into it keep them\n", fault.Counted(int(m.Counts["heritage_corridors"]), "corridor", "corridors"), fault.Counted(int(m.Counts["heritage_entries"]), "entry", "entries"), c.Region)
	return err
}
