package importer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/waygate/waygate/engine/embedded/kernel"
	"github.com/waygate/waygate/importer/stopwalks"
	timetables "github.com/waygate/waygate/importer/timetable"
	"github.com/waygate/waygate/index/stopwalk"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/region"
)

// TimetableFaults is the fact of a region that lists what was wrong with its timetables, a
// kind of fault a line.
const TimetableFaults = "timetable_faults"

// onDemandFact names the lines of the trips that the count of this name is of.
const onDemandFact = "timetable_trips_on_demand"

// transitStage makes the timetable of GTFS feeds. Where they are all that has changed since
// an import, it is the one stage that runs.
func (b *build) transitStage() stage {
	return stage{
		name: "timetable", version: 3, section: timetable.SectionName, format: timetable.Version,
		reads: func(ctx context.Context) (all string, err error) {
			for _, path := range slices.Concat(b.timetables, b.stopRegisters) {
				sum, err := sumTree(ctx, path)
				if err != nil {
					return "", err
				}
				all += sum + "\n"
			}
			return all, nil
		},
		run: func(ctx context.Context, path string, report func(done, size int64)) (finding, error) {
			r, err := timetables.Build(ctx, timetables.Options{Feeds: b.timetables, Stops: b.stopRegisters, Out: path, Progress: report})
			if err != nil {
				return finding{}, err
			}
			facts := map[string]string{"timetable_first_day": r.Facts["first_day"], "timetable_last_day": r.Facts["last_day"]}
			if lines := r.Facts["on_demand"]; lines != "" {
				facts[onDemandFact] = lines
			}
			if len(r.Faults) > 0 {
				facts[TimetableFaults] = strings.Join(r.Faults[:min(len(r.Faults), 20)], "\n")
			}
			return finding{Counts: r.Counts, Facts: facts}, nil
		},
	}
}

// walksStage makes the walks between the stops of the timetable. A timetable with the same
// stops leaves it as it is.
func (b *build) walksStage() stage {
	return stage{
		name: "stopwalks", version: 2, needs: []string{"graph", "snap", "islands", "hierarchy", "metrics", "bounds", "heights", "junctions"},
		section: stopwalk.SectionName, format: stopwalk.Version,
		reads: func(context.Context) (key string, err error) {
			err = b.withTimetable(func(x *timetable.Index) error {
				key = stopwalks.Key(x)
				return nil
			})
			return key, err
		},
		run: func(ctx context.Context, path string, report func(done, size int64)) (found finding, err error) {
			err = b.withTimetable(func(x *timetable.Index) (err error) {
				walks, err := b.walk(ctx, stopwalks.Options{Timetable: x, Out: path, Progress: report})
				found.Counts = map[string]int64{"timetable_walks": int64(walks)}
				return err
			})
			return found, err
		},
	}
}

// walk works out the walks between stops on the finished road network.
func (b *build) walk(ctx context.Context, o stopwalks.Options) (walks int, err error) {
	var roads []region.SectionInfo
	for _, r := range b.done {
		if r.Output != nil && slices.Contains(kernel.Sections(), r.Output.Name) {
			roads = append(roads, *r.Output)
		}
	}
	o.Region, err = region.OpenUnsealed(b.dir, roads...)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, o.Region.Close()) }()
	o.Bounds, err = readBounds(b.done["graph"].Finding.Facts["bounds"])
	if err != nil {
		return 0, err
	}
	return stopwalks.Build(ctx, o)
}

// withTimetable calls use with the finished timetable.
func (b *build) withTimetable(use func(*timetable.Index) error) error {
	return region.WithSection(b.dir, *b.done["timetable"].Output, func(s *region.Section) error {
		x, err := timetable.Read(s)
		if err != nil {
			return err
		}
		return use(x)
	})
}

// openTimetables downloads what is remote of timetables.
func (b *build) openTimetables(ctx context.Context) error {
	for _, list := range []struct {
		from []string
		to   *[]string
	}{{b.opt.Timetables, &b.timetables}, {b.opt.StopRegisters, &b.stopRegisters}} {
		for _, source := range list.from {
			path, err := b.fetch(ctx, source)
			if err != nil {
				return err
			}
			*list.to = append(*list.to, path)
		}
	}
	return nil
}

// sumTree identifies the contents of a file, or of the files of a folder.
func sumTree(ctx context.Context, path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	files := []string{path}
	if info.IsDir() {
		if files, err = filepath.Glob(filepath.Join(path, "*.txt")); err != nil {
			return "", err
		}
	}
	all := ""
	for _, file := range files {
		_, sum, err := region.Sum(ctx, file)
		if err != nil {
			return "", err
		}
		all += fmt.Sprintln(filepath.Base(file), sum)
	}
	return all, nil
}
