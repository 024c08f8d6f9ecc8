package importer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/waygate/waygate/importer/heights"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/graph"
)

// srtm is the default source of heights.
const srtm = "SRTM by NASA and USGS (public domain)"

// MissingFact is the fact of the manifest that lists the tiles with roads that were not
// given.
const MissingFact = "elevation_missing_tiles"

func (o *Options) terrainName() string {
	if o.Terrain != "" {
		return o.Terrain
	}
	return srtm
}

// attribution lists the attributions of the region's data.
func (b *build) attribution() []string {
	list := []string{"© OpenStreetMap contributors"}
	if b.heights != nil {
		list = append(list, "Heights: "+b.opt.terrainName())
	}
	return list
}

// terrain is the stage that measures the heights of roads.
type terrain struct{ b *build }

func (t *terrain) stage() stage {
	return stage{
		name: "heights", version: 1, needs: []string{"graph"}, settings: "from=" + t.b.opt.terrainName(), section: graph.GradesSection, format: graph.GradesVersion,
		reads: t.sumTiles, run: t.measure,
	}
}

// tiles returns the tiles that the region's roads lie on, present and missing ones,
// each sorted by name.
func (t *terrain) tiles(g *graph.Graph) (have, missing []height.Corner) {
	for _, c := range heights.Tiles(g) {
		if len(t.b.heights.Files(c)) == 0 {
			missing = append(missing, c)
		} else {
			have = append(have, c)
		}
	}
	byName := func(x, y height.Corner) int { return strings.Compare(x.String(), y.String()) }
	slices.SortFunc(have, byName)
	slices.SortFunc(missing, byName)
	return have, missing
}

// sumTiles hashes the tiles that the stage reads, and fails if none of the given ones
// is of any use.
func (t *terrain) sumTiles(ctx context.Context) (string, error) {
	h := sha256.New()
	err := t.b.withGraph(func(g *graph.Graph) error {
		have, missing := t.tiles(g)
		if len(have) == 0 {
			return fmt.Errorf("no tile in %s covers the region, whose roads lie on %s", strings.Join(t.b.opt.Heights, ", "), few(missing))
		}
		sums := map[string]string{} // a file may cover many squares
		for _, c := range have {
			for _, file := range t.b.heights.Files(c) {
				if sums[file] == "" {
					_, sum, err := region.Sum(ctx, file)
					if err != nil {
						return err
					}
					sums[file] = sum
				}
				fmt.Fprintln(h, c, sums[file])
			}
		}
		return nil
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// few names the first of many tiles.
func few(list []height.Corner) string {
	var names []string
	for _, c := range list[:min(len(list), 12)] {
		names = append(names, c.String())
	}
	s := strings.Join(names, ", ")
	if more := len(list) - len(names); more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}

// measure computes the slopes of the roads.
func (t *terrain) measure(ctx context.Context, path string, report func(done, size int64)) (found finding, err error) {
	err = t.b.withGraph(func(g *graph.Graph) error {
		have, missing := t.tiles(g)
		f, err := heights.Measure(ctx, g, t.b.heights, report)
		if err != nil {
			return err
		}
		found.Counts = map[string]int64{
			"elevation_tiles": int64(len(have)), "elevation_missing_tiles": int64(len(missing)),
			"elevation_segments": int64(f.Known), "elevation_unknown_segments": int64(f.Unknown),
		}
		found.Facts = map[string]string{region.ElevationFact: t.b.opt.terrainName()}
		if len(missing) > 0 {
			found.Facts[MissingFact] = few(missing)
		}
		return f.Grades.Write(path)
	})
	return found, err
}

// withSlopes calls use with the finished graph of an earlier stage, with its slopes
// if the region has heights.
func (b *build) withSlopes(use func(*graph.Graph) error) error {
	return b.withGraph(func(g *graph.Graph) error {
		out := b.done["heights"].Output
		if out == nil {
			return use(g)
		}
		return region.WithSection(b.dir, *out, func(s *region.Section) (err error) {
			if g.Grades, err = graph.ReadGrades(s, g); err != nil {
				return err
			}
			return use(g)
		})
	})
}
