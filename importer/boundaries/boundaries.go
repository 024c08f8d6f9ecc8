// Package boundaries is the import stage that collects administrative areas: relations
// of every admin_level, and closed ways that are areas on their own.
//
// An area needs its whole border. Loose ends up to a stated distance apart are joined,
// because a border with a missing node is still a border; rings that stay open are left
// out, and so is an area without any ring, for instance in an extract that cuts a
// country. Both are counted. Countries that are left out, or are not mapped, are
// replaced by outlines of a data package, marked as coarse.
package boundaries

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/country"
	"github.com/waygate/waygate/importer/multipolygon"
	"github.com/waygate/waygate/index/boundary"
	"github.com/waygate/waygate/osm"
)

// Options of the stage.
type Options struct {
	Sources  []string // local extracts, may overlap
	Out      string   // the section file
	Progress func(done, size int64)
}

const (
	// highestLevel is the level of the smallest areas that are mapped.
	highestLevel = 12
	// partLevel is the level of the parts of countries that the data package has.
	partLevel    = 4
	countryLevel = 2
)

// Counts that the stage gives to the manifest.
const (
	countAreas  = "boundaries"
	countOpen   = "boundaries_open"     // areas left out for want of a whole ring
	countPartly = "boundaries_partly"   // areas that lack some of their rings
	countJoined = "boundaries_joined"   // gaps that were closed
	countCoarse = "boundaries_coarse"   // outlines of the data package
	countNoName = "boundaries_nameless" // areas left out for want of a name
)

// Build runs the stage and returns counts for the manifest.
func Build(ctx context.Context, opt Options) (map[string]int64, error) {
	e, err := load(ctx, &opt)
	if err != nil {
		return nil, err
	}
	b := builder{extract: e, counts: map[string]int64{}, codes: map[string]bool{}}
	for _, name := range []string{countAreas, countOpen, countPartly, countJoined, countCoarse, countNoName} {
		b.counts[name] = 0
	}
	for i := range e.areas {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := b.area(ctx, &e.areas[i]); err != nil {
			return nil, err
		}
	}
	if err := b.coarse(); err != nil {
		return nil, err
	}
	return b.counts, boundary.Build(b.list).Write(opt.Out)
}

type builder struct {
	*extract
	list   []boundary.Outlined
	codes  map[string]bool // ISO codes of the areas that are mapped whole
	counts map[string]int64
}

// area builds one area.
func (b *builder) area(ctx context.Context, a *area) error {
	if a.Name == "" {
		b.counts[countNoName]++
		return nil
	}
	members, missing := b.members(a)
	polygons, broken, joined := multipolygon.AssembleClosing(ctx, members, b.position, 360)
	if len(polygons) == 0 {
		b.counts[countOpen]++
		return nil
	}
	b.counts[countJoined] += int64(joined)
	b.counts[countAreas]++
	if broken > 0 || missing > 0 {
		b.counts[countPartly]++
	} else if a.ISO != "" {
		b.codes[a.ISO] = true
	}
	out := boundary.Outlined{Area: a.Area}
	c, err := country.Of(a.ISO)
	if err != nil {
		return err
	}
	if c != nil && out.Drives == boundary.Unknown {
		out.Drives = side(c)
	}
	for _, polygon := range polygons {
		rings := make([][]geo.Fixed, len(polygon))
		for i, ring := range polygon {
			for _, p := range ring {
				rings[i] = append(rings[i], geo.Point{Lon: math.Remainder(p[0], 360), Lat: p[1]}.Fix())
			}
		}
		out.Polygons = append(out.Polygons, rings)
	}
	b.list = append(b.list, out)
	return nil
}

func side(c *country.Country) boundary.Side {
	if c.Left {
		return boundary.Left
	}
	return boundary.Right
}

// members returns the ways of an area, and how many of them the extract lacks.
func (b *builder) members(a *area) (members []multipolygon.Member, missing int) {
	members = make([]multipolygon.Member, 0, len(a.ways))
	for _, m := range a.ways {
		nodes, ok := b.lines[m.id]
		if !ok {
			missing++
		}
		members = append(members, multipolygon.Member{Nodes: nodes, Inner: m.inner})
	}
	return members, missing
}

func (b *builder) position(node int64) (orb.Point, bool) {
	i, ok := slices.BinarySearch(b.ids, node)
	if !ok || !b.known[i] {
		return orb.Point{}, false
	}
	p := b.at[i].Point()
	return orb.Point{p.Lon, p.Lat}, true
}

// coarse adds the data package's outlines of countries that are not mapped whole.
func (b *builder) coarse() error {
	if b.box.Empty() {
		return nil
	}
	outlines, err := country.Outlines(b.box)
	if err != nil {
		return err
	}
	for _, o := range outlines {
		a := boundary.Area{Level: countryLevel, ISO: o.Code, Name: o.Name, Drives: side(&o.Country), Coarse: true}
		if o.Part != "" {
			a.Level, a.ISO = partLevel, o.Part
		}
		if !b.codes[a.ISO] {
			b.counts[countCoarse]++
			b.list = append(b.list, boundary.Outlined{Area: a, Polygons: o.Polygons})
		}
	}
	return nil
}

// administrative reads the tags of an area; not ok where it is none.
func administrative(tags osm.Tags) (a boundary.Area, ok bool) {
	if tags.Get("boundary") != "administrative" {
		return a, false
	}
	level, err := strconv.Atoi(tags.Get("admin_level"))
	if err != nil || level < 1 || level > highestLevel {
		return a, false
	}
	a.Level = level
	// A border between two countries is tagged like one, without a code.
	for _, key := range []string{"ISO3166-1:alpha2", "ISO3166-1", "ISO3166-2"} {
		if code := tags.Get(key); a.ISO == "" && isISO(code) {
			a.ISO = strings.Clone(code)
		}
	}
	a.Name = strings.Clone(cmp.Or(tags.Get("name"), tags.Get("int_name"), tags.Get("name:en")))
	switch tags.Get("driving_side") {
	case "left":
		a.Drives = boundary.Left
	case "right":
		a.Drives = boundary.Right
	}
	for _, t := range tags {
		if lang, is := strings.CutPrefix(t.Key, "name:"); is && isLanguage(lang) && t.Value != "" && t.Value != a.Name {
			a.Names = append(a.Names, boundary.Name{Lang: strings.Clone(lang), Text: strings.Clone(t.Value)})
		}
	}
	return a, true
}

// isISO reports whether a text has the form of a code of a country or of a part
// of one: GB, GB-WLS.
func isISO(code string) bool {
	country, part, parted := strings.Cut(code, "-")
	if len(country) != len("GB") || parted && (part == "" || len(part) > len("WLS")) {
		return false
	}
	return !strings.ContainsFunc(country, func(r rune) bool { return r < 'A' || r > 'Z' }) &&
		!strings.ContainsFunc(part, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') })
}

// isLanguage reports whether a text may be a language as BCP 47 writes it:
// letters, digits and hyphens, beginning with two or three small letters.
func isLanguage(lang string) bool {
	first, _, _ := strings.Cut(lang, "-")
	if len(first) < 2 || len(first) > 3 || len(lang) > 20 {
		return false
	}
	return !strings.ContainsFunc(first, func(r rune) bool { return r < 'a' || r > 'z' }) &&
		!strings.ContainsFunc(lang, func(r rune) bool {
			return r != '-' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
		})
}
