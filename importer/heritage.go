package importer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/heritage"
	"github.com/waygate/waygate/region"
)

// heritageStage makes the section of heritage corridors: of the files that were given, else of
// the corridors that the folder's region has, which its operator may have compiled into it
// since the import. Where they are all that has changed, it is the one stage that runs.
func (b *build) heritageStage() stage {
	return stage{
		name: "heritage", version: 1, needs: []string{"graph"}, section: heritage.SectionName, format: heritage.SectionVersion,
		reads: func(ctx context.Context) (string, error) {
			if b.corridors != nil {
				return "kept " + b.corridors.SHA256, nil
			}
			return sums(ctx, b.opt.Heritage)
		},
		run: func(_ context.Context, path string, _ func(done, size int64)) (finding, error) {
			bounds, err := readBounds(b.done["graph"].Finding.Facts["bounds"])
			if err != nil {
				return finding{}, err
			}
			if b.corridors == nil {
				counts, err := writeHeritage(path, bounds, b.opt.Heritage)
				return finding{Counts: counts}, err
			}
			var found finding
			err = region.WithSection(b.dir, *b.corridors, func(s *region.Section) error {
				x, err := heritage.ReadSection(s)
				if err != nil {
					return err
				}
				found.Counts, err = writeCorridors(path, bounds, x.Corpora())
				return err
			})
			if err != nil {
				return finding{}, fmt.Errorf("the corridors that the region has: %w; give others with --heritage, or none with --no-heritage", err)
			}
			return found, nil
		},
	}
}

// findCorridors finds the corridors of the folder's region, which stay where no others are given.
func (b *build) findCorridors() {
	if len(b.opt.Heritage) > 0 || b.opt.NoHeritage {
		return
	}
	m, err := region.ReadManifest(b.dir)
	if err != nil {
		return // the folder has no region, or one that this import replaces
	}
	if s, ok := m.Section(heritage.SectionName); ok {
		b.corridors = &s
	}
}

// CompileHeritage replaces the heritage corridors of the sealed region in dir by those of
// some files, and returns its new manifest. A server of the region takes it into service.
func CompileHeritage(dir string, files []string) (m *region.Manifest, err error) {
	if m, err = region.ReadManifest(dir); err != nil {
		return nil, err
	}
	work := filepath.Join(dir, workFolder)
	if err := os.MkdirAll(work, 0o755); err != nil {
		return nil, err
	}
	unlock, err := lock(work)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if m, err = region.ReadManifest(dir); err != nil { // an import may have replaced it before the lock
		return nil, err
	}
	path := filepath.Join(work, "heritage.new")
	counts, err := writeHeritage(path, m.Bounds, files)
	if err != nil {
		return nil, errors.Join(err, removeIfThere(path))
	}
	section, err := region.Adopt(dir, path, heritage.SectionName, heritage.SectionVersion)
	if err != nil {
		return nil, err
	}
	m.Sections = append(slices.DeleteFunc(m.Sections, func(s region.SectionInfo) bool { return s.Name == section.Name }), section)
	if m.Counts == nil {
		m.Counts = map[string]int64{}
	}
	maps.Copy(m.Counts, counts)
	return m, region.Seal(dir, m)
}

// ReadHeritage reads and checks files of heritage corridors that belong together. The error
// lists all that is wrong.
func ReadHeritage(files []string) (all []heritage.Corpus, err error) {
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		c, err := heritage.Read(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, *c)
	}
	var wrong []error
	for _, p := range heritage.Check(all) {
		wrong = append(wrong, errors.New(p.String()))
	}
	return all, errors.Join(wrong...)
}

// writeHeritage writes the section of files whose entries lie within a region.
func writeHeritage(path string, bounds geo.Bounds, files []string) (counts map[string]int64, err error) {
	all, err := ReadHeritage(files)
	if err != nil {
		return nil, err
	}
	return writeCorridors(path, bounds, all)
}

func writeCorridors(path string, bounds geo.Bounds, all []heritage.Corpus) (counts map[string]int64, err error) {
	counts = map[string]int64{"heritage_corridors": int64(len(all))}
	for i := range all {
		for j := range all[i].Entries {
			e := &all[i].Entries[j]
			if !bounds.Intersects(geo.Around(e.At(), heritage.MostOffset)) {
				return nil, fmt.Errorf("corridor %s: entry %s: lat %g, lon %g lies outside of the roads of the region (%s to %s)", all[i].Corridor.ID, e.ID, e.Lat, e.Lon, bounds.Min, bounds.Max)
			}
		}
		counts["heritage_entries"] += int64(len(all[i].Entries))
	}
	return counts, heritage.Write(path, all)
}
