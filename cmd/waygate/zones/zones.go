// Package zones has the commands that check, compile and convert files of clean-air zones.
package zones

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/feature/zones"
	importing "github.com/waygate/waygate/importer/zones"
	"github.com/waygate/waygate/index/zone"
)

// Command is waygate zones.
type Command struct {
	Check       check       `cmd:"" help:"Check files of zones, and list their errors."`
	Compile     compile     `cmd:"" help:"Combine files of zones and their boundaries into one checked file for SVC_ZONES."`
	Datex       datex       `cmd:"" help:"Make a file of zones from a DATEX II 3 table of controlled zones, as published by NDW in the Netherlands."`
	Umweltzonen umweltzonen `cmd:"" help:"Make a file of zones from the Umweltzone project's collection of German low-emission zones."`
}

type umweltzonen struct {
	Out    string `required:"" type:"path" help:"File to write." placeholder:"FILE"`
	Folder string `arg:"" type:"existingdir" help:"Folder with zones_de.json and the boundary files." placeholder:"DIR"`
}

// Run converts. It leaves out and reports zones that the check refuses.
func (c *umweltzonen) Run() error {
	all, err := importing.Umweltzonen(os.DirFS(c.Folder))
	if err != nil {
		return err
	}
	return writeGood(c.Out, all)
}

type datex struct {
	Out     string `required:"" type:"path" help:"File to write." placeholder:"FILE"`
	Licence string `required:"" help:"Licence of the table, which the table does not contain: CC0-1.0 for NDW's." placeholder:"NAME"`
	File    string `arg:"" type:"existingfile" help:"DATEX II table to convert (XML, or gzip of it)." placeholder:"FILE"`
}

// Run converts. It leaves out and reports zones that rules cannot express, and those
// that the check refuses.
func (c *datex) Run() error {
	f, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	var in io.Reader = bufio.NewReader(f)
	if strings.HasSuffix(c.File, ".gz") {
		if in, err = gzip.NewReader(in); err != nil {
			return fmt.Errorf("%s: %w", c.File, err)
		}
	}
	table, err := importing.ReadControlledZones(in, c.Licence)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	for _, why := range table.LeftOut {
		if _, err := fmt.Println("left out:", why); err != nil {
			return err
		}
	}
	return writeGood(c.Out, table.Zones)
}

// writeGood writes the zones that pass the check, and reports the others.
func writeGood(path string, all []zone.Zone) error {
	var good []zone.Zone
	for i := range all {
		problems, _ := zones.Check(all[i : i+1])
		if len(problems) == 0 {
			good = append(good, all[i])
		}
		for _, p := range problems {
			if _, err := fmt.Println("left out:", p); err != nil {
				return err
			}
		}
	}
	if err := Write(path, good); err != nil {
		return err
	}
	if old := zones.Summary(good, time.Now()); old != "" {
		if _, err := fmt.Println(old); err != nil {
			return err
		}
	}
	_, err := fmt.Printf("%d zones in %s\n", len(good), path)
	return err
}

type check struct {
	Files []string `arg:"" type:"path" help:"Files of zones (JSON)." placeholder:"FILE"`
}

// Run checks.
func (c *check) Run() error {
	all, err := Read(os.Stdout, c.Files...)
	if err == nil {
		_, err = fmt.Printf("%d zones, nothing wrong\n", len(all))
	}
	return err
}

type compile struct {
	Out   string   `required:"" type:"path" help:"File to write." placeholder:"FILE"`
	Files []string `arg:"" type:"path" help:"Files of zones (JSON)." placeholder:"FILE"`
}

// Run compiles.
func (c *compile) Run() error {
	all, err := Read(os.Stdout, c.Files...)
	if err != nil {
		return err
	}
	if err := Write(c.Out, all); err != nil {
		return err
	}
	_, err = fmt.Printf("%d zones in %s\n", len(all), c.Out)
	return err
}

// Write writes a file of zones.
func Write(path string, all []zone.Zone) error {
	return files.Replace(path, func(w io.Writer) error {
		return json.NewEncoder(w).Encode(zone.Dataset{Format: zone.Format, Version: zone.Version, Zones: all})
	})
}

// Read reads files of zones with their boundaries, and fails if anything is wrong
// with them. It reports which parts of boundaries were left out.
func Read(report io.Writer, paths ...string) (all []zone.Zone, err error) {
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		d, err := zone.Read(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for i := range d.Zones {
			if err := readBoundary(filepath.Dir(path), &d.Zones[i]); err != nil {
				return nil, fmt.Errorf("%s: zone %s: boundary: %w", path, d.Zones[i].ID, err)
			}
		}
		all = append(all, d.Zones...)
	}
	problems, let := zones.Check(all)
	if old := zones.Summary(all, time.Now()); old != "" {
		_, _ = fmt.Fprintln(report, old)
	}
	if let != (zones.Mended{}) {
		_, _ = fmt.Fprintf(report, "%d rings of boundaries have no area and are left out; in %d places one crosses itself for some metres\n", let.Slivers, let.Loops)
	}
	var wrong []error
	for _, p := range problems {
		wrong = append(wrong, errors.New(p.String()))
	}
	return all, errors.Join(wrong...)
}

// readBoundary reads the boundary that a zone names, from beside its file.
func readBoundary(dir string, z *zone.Zone) error {
	name := z.Boundary.File
	switch {
	case name == "":
		return nil
	case z.Boundary.Geometry != nil:
		return errors.New("has both geometry and a file")
	case !filepath.IsAbs(name):
		name = filepath.Join(dir, name)
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if info.Size() > zone.MostBytes {
		return fmt.Errorf("%s is longer than %d bytes", name, zone.MostBytes)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	z.Boundary.Geometry, err = zone.ReadGeoJSON(data)
	z.Boundary.File = ""
	return err
}

// Placed reads the files that SVC_ZONES names, ready to be served. It logs outdated
// zones.
func Placed(log *slog.Logger, paths []string) ([]zone.Placed, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	all, err := Read(io.Discard, paths...)
	if err != nil {
		return nil, fmt.Errorf("SVC_ZONES: %w", err)
	}
	if old := zones.Summary(all, time.Now()); old != "" {
		log.Warn("SVC_ZONES has old zones", "zones", old)
	}
	return zone.Place(all, false), nil
}
