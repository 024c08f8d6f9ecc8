// Package region keeps a built region on disk: a folder of sections under a manifest, opened
// by memory mapping and swapped while serving. It depends on files and checksums, not on
// roads.
//
// A region's folder has one sealed manifest, region.json, and the section
// files it names. A section's file name carries the start of its SHA-256, so a
// new build writes its files beside the old ones and becomes the region by one
// rename of the manifest.
package region

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/waygate/waygate/geo"
)

// FormatVersion is the layout of the manifest and of a region's folder. A
// reader refuses a newer one.
const FormatVersion = 1

// ManifestName is the file whose presence seals a region; PreviousName is the
// manifest of the region that was there before, whose sections are kept too.
const (
	ManifestName = "region.json"
	PreviousName = "region.previous.json"
)

// Source is one extract a region was built from.
type Source struct {
	Name      string     `json:"name"` // file name or URL, without credentials
	Size      int64      `json:"size"`
	SHA256    string     `json:"sha256"`
	Timestamp *time.Time `json:"timestamp"` // of the data, null where the file has none
}

// SectionInfo is the entry of one section in the manifest.
type SectionInfo struct {
	Name    string `json:"name"`
	File    string `json:"file"`
	Version int    `json:"version"` // of the section's own format
	Size    int64  `json:"size"`
	SHA256  string `json:"sha256"`
}

// ElevationFact is the fact that names where a region's heights are from; one
// without heights does not have it.
const ElevationFact = "elevation"

// CountryFact is the fact that names the country of what lies in none, such as an
// invented island: ISO 3166-1 alpha-2. A region that was imported without one does not
// have it.
const CountryFact = "country"

// Manifest describes a sealed region.
type Manifest struct {
	Format       int               `json:"format"`
	ID           string            `json:"id"`   // lower-case letters, digits, hyphens: the territory in tile URLs
	Name         string            `json:"name"` // for people
	Built        time.Time         `json:"built"`
	Builder      string            `json:"builder"` // gateway version that built it
	Bounds       geo.Bounds        `json:"bounds"`
	OSMTimestamp *time.Time        `json:"osm_timestamp"` // null where no source has one
	Attribution  []string          `json:"attribution"`
	Sources      []Source          `json:"sources"`
	Sections     []SectionInfo     `json:"sections"`
	Counts       map[string]int64  `json:"counts"` // nodes, edges, restrictions, what was dropped
	Facts        map[string]string `json:"facts"`  // small facts for later stages and answers
}

// Section finds a section's entry by name.
func (m *Manifest) Section(name string) (SectionInfo, bool) {
	for _, s := range m.Sections {
		if s.Name == name {
			return s, true
		}
	}
	return SectionInfo{}, false
}

// NewerFormatError is the error of a region that a newer gateway built.
type NewerFormatError struct {
	What        string // "region" or a section's name
	Got, Newest int
}

func (e *NewerFormatError) Error() string {
	return fmt.Sprintf("%s has format version %d and this build reads up to %d: upgrade waygate or import again", e.What, e.Got, e.Newest)
}

// ErrNotSealed is the error of a folder without a finished region.
var ErrNotSealed = errors.New("no sealed region here (region.json is missing): run waygate import, or let it finish")

// ReadManifest reads and checks the manifest of the region in dir.
func ReadManifest(dir string) (*Manifest, error) {
	m, err := readManifest(filepath.Join(dir, ManifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, ErrNotSealed)
	}
	return m, err
}

// MaxManifest is how many bytes a manifest may have; those of countries have some
// thousands.
const MaxManifest = 4 << 20

func readManifest(path string) (*Manifest, error) {
	dir := filepath.Dir(path)
	info, err := os.Stat(path)
	if err == nil && info.Size() > MaxManifest {
		err = fmt.Errorf("%s: manifest has %d bytes, the limit is %d", dir, info.Size(), MaxManifest)
	}
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%s: manifest is not readable: %w", dir, err)
	}
	if m.Format > FormatVersion {
		return nil, fmt.Errorf("%s: %w", dir, &NewerFormatError{"region", m.Format, FormatVersion})
	}
	if m.Format < 1 {
		return nil, fmt.Errorf("%s: manifest has no format version", dir)
	}
	seen := map[string]bool{}
	for _, s := range m.Sections {
		if seen[s.Name] {
			return nil, fmt.Errorf("%s: manifest names section %s twice", dir, s.Name)
		}
		seen[s.Name] = true
		if s.File != filepath.Base(s.File) || s.File == "" || s.File == "." || s.File == ".." {
			return nil, fmt.Errorf("%s: section %s names a file outside the region: %q", dir, s.Name, s.File)
		}
	}
	return m, nil
}

// Seal makes m the region of dir by one atomic rename. The files it names must be
// in place. The region that was there before is kept, for OpenPrevious; sections
// of neither are deleted.
func Seal(dir string, m *Manifest) error {
	m.Format = FormatVersion
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	old, err := keepPrevious(dir, m)
	if err != nil {
		return err
	}
	if err := replaceSynced(filepath.Join(dir, ManifestName), append(data, '\n')); err != nil {
		return err
	}
	return sweep(dir, m, old)
}

// keepPrevious writes the manifest down that m is to replace, and gives the one
// that is kept; an empty one where there is none. The one before stays where m has
// the same sections, and where the one to replace was turned down, or has not been
// in service so far while the one before was.
func keepPrevious(dir string, m *Manifest) (*Manifest, error) {
	verdicts, _ := ReadVerdicts(dir) // an import does not fail for them: there are none where they are not readable
	kept, none := ReadPrevious(dir)
	proven := none == nil && kept.Hash() == verdicts.Serving
	if old, err := ReadManifest(dir); err == nil && !slices.Equal(old.Sections, m.Sections) && verdicts.Of(old.Hash()) == nil && (!proven || old.Hash() == verdicts.Serving) {
		data, err := os.ReadFile(filepath.Join(dir, ManifestName))
		if err != nil {
			return nil, err
		}
		return old, replaceSynced(filepath.Join(dir, PreviousName), data)
	}
	if none != nil {
		return &Manifest{}, nil //nolint:nilerr // there is none to keep
	}
	return kept, nil
}

// replaceSynced is writeSynced for a file that one process writes at a time.
func replaceSynced(path string, data []byte) error { return writeSynced(path, path+".new", data) }

// writeSynced replaces path by data so that a crash leaves the old file or
// the new one. Who else may write it at once must write to another file than written first.
func writeSynced(path, written string, data []byte) error {
	f, err := os.Create(written)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = closeAfter(f, err); err == nil {
		err = os.Rename(written, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(written))
	}
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return closeAfter(d, d.Sync())
}

// sectionSuffix marks the files that a seal may sweep away.
const sectionSuffix = ".section"

func sweep(dir string, sealed ...*Manifest) error {
	files, err := filepath.Glob(filepath.Join(dir, "*"+sectionSuffix))
	if err != nil {
		return err
	}
	keep := map[string]bool{}
	for _, m := range sealed {
		for _, s := range m.Sections {
			keep[s.File] = true
		}
	}
	for _, f := range files {
		if !keep[filepath.Base(f)] {
			if err := os.Remove(f); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
