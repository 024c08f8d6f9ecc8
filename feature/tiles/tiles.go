// Package tiles answers for maps: vector tiles, the TileJSON that describes
// them, a style to draw them with and the glyphs of its labels.
package tiles

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/globe"
	"github.com/waygate/waygate/index/glyph"
	"github.com/waygate/waygate/index/tileset"
)

// Territory is a map that is served and what its region says of it.
type Territory struct {
	ID          string // as in the URL: lower-case letters, digits, hyphens
	Name        string
	Tiles       Archive
	Bounds      geo.Bounds // of the roads, if known; the archive's are added
	Attribution string     // HTML; empty: the archive's own
	Updated     time.Time  // of the extract; zero where it is not known
	Version     string     // of the tiles; changes with them; "" where they may change
}

// Maps serves territories. It is immutable and may be used by many goroutines;
// a new region is served by new Maps.
type Maps struct {
	territories map[string]Territory
	fonts       *glyph.Fonts
	globe       Territory // the world, which lies under all of them
}

// GlobeID is the territory of the map of the world, unless a region of that name
// is served.
const GlobeID = "world"

// New makes the maps of territories; an id that occurs twice is refused.
func New(fonts *glyph.Fonts, territories ...Territory) (*Maps, error) {
	world, err := globe.Open()
	if err != nil {
		return nil, err
	}
	m := &Maps{territories: map[string]Territory{}, fonts: fonts, globe: Territory{
		ID: GlobeID, Name: "World", Tiles: Fixed{world},
	}}
	for _, t := range territories {
		if t.ID == "" || t.Tiles == nil {
			return nil, fmt.Errorf("territory %q has no id or no tiles", t.ID)
		}
		if _, ok := m.territories[t.ID]; ok {
			return nil, fmt.Errorf("territory %q occurs twice", t.ID)
		}
		m.territories[t.ID] = t
	}
	return m, nil
}

// IDs lists the territories, without the world, in the order of the alphabet.
func (m *Maps) IDs() []string {
	var ids []string
	for id := range m.territories {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Version of a territory's tiles, which changes with them; "" of one that is not
// served.
func (m *Maps) Version(id string) string {
	t := m.territories[id]
	if h, ok := t.Tiles.(*Hosted); ok {
		_, tag := h.peek()
		return tag
	}
	return t.Version
}

// Hosted reports whether a territory's map is an archive beside those of regions.
func (m *Maps) Hosted(id string) bool {
	_, ok := m.territories[id].Tiles.(*Hosted)
	return ok
}

// Holding returns the hosted map that shows a place, else the first one; "" where
// there is none.
func (m *Maps) Holding(p geo.Point) (id string) {
	for _, name := range m.IDs() {
		h, ok := m.territories[name].Tiles.(*Hosted)
		if !ok {
			continue
		}
		if reader, _ := h.peek(); reader != nil && reader.Header().Bounds.Contains(p) {
			return name
		}
		id = cmp.Or(id, name)
	}
	return id
}

// open is a territory with its archive as it is at present.
type open struct {
	Territory
	archive *tileset.Reader
}

func (m *Maps) territory(ctx context.Context, id string) (open, error) {
	t, ok := m.territories[id]
	if !ok && id == GlobeID {
		t, ok = m.globe, true
	}
	if !ok {
		return open{}, fault.New(fault.NotFound, "territory %q is not served here; served are: %s", fault.Clip(id), strings.Join(m.IDs(), ", "))
	}
	archive, err := t.Tiles.Now(ctx)
	if err != nil {
		return open{}, unserved(err, id)
	}
	// Roads may lead beyond the ground of the map, and that beyond the roads.
	if ground := archive.Header().Bounds; t.Bounds == (geo.Bounds{}) {
		t.Bounds = ground
	} else {
		t.Bounds = t.Bounds.Union(ground)
	}
	t.Attribution = cmp.Or(t.Attribution, archive.Metadata().Attribution)
	if t.Updated.IsZero() {
		t.Updated = archive.Metadata().Updated
	}
	t.Name = cmp.Or(t.Name, archive.Metadata().Name, t.ID)
	return open{t, archive}, nil
}

// Tile is a vector tile on its way out.
type Tile struct {
	Data []byte // empty where the map has nothing there: answer 204
	Gzip bool   // Data is packed with gzip
	ETag string // strong, with its quotes
}

// Unpacked returns the tile as it is drawn. One that cannot be unpacked within
// tileset.TileLimit is damaged, or made to exhaust whoever unpacks it: the failure is
// Upstream.
func (t *Tile) Unpacked() ([]byte, error) {
	if !t.Gzip {
		return t.Data, nil
	}
	data, err := tileset.Unpacked(t.Data)
	if err != nil {
		return nil, fault.Wrap(err, fault.Upstream, "the tile cannot be unpacked, or has more than %d bytes", tileset.TileLimit)
	}
	return data, nil
}

// ContentType is the media type of vector tiles.
const ContentType = "application/vnd.mapbox-vector-tile"

// Tile gives tile z/x/y of a territory. Unknown territories are NotFound;
// zooms, columns and rows that cannot be are BadRequest and name the limit.
func (m *Maps) Tile(ctx context.Context, id string, z, x, y int) (Tile, error) {
	t, err := m.territory(ctx, id)
	if err != nil {
		return Tile{}, err
	}
	h := t.archive.Header()
	if z < int(h.MinZoom) || z > int(h.MaxZoom) {
		return Tile{}, fault.Invalid(fault.Violation{
			Location: "path.z", Value: z,
			Message: fmt.Sprintf("zoom %d is outside %d to %d of territory %q", z, h.MinZoom, h.MaxZoom, id),
		})
	}
	limit := 1<<z - 1
	var wrong []fault.Violation
	for _, c := range []struct {
		name, what string
		value      int
	}{{"x", "column", x}, {"y", "row", y}} {
		if c.value < 0 || c.value > limit {
			wrong = append(wrong, fault.Violation{
				Location: "path." + c.name, Value: c.value,
				Message: fmt.Sprintf("%s %d is outside 0 to %d of zoom %d", c.what, c.value, limit, z),
			})
		}
	}
	if err := fault.Invalid(wrong...); err != nil {
		return Tile{}, err
	}
	data, ok, err := t.archive.TileIn(ctx, z, x, y)
	if h, is := t.Tiles.(*Hosted); is && err != nil {
		if !errors.Is(err, blob.ErrChanged) {
			return Tile{}, unserved(err, id)
		}
		h.changed()
		if t, err = m.territory(ctx, id); err != nil {
			return Tile{}, err
		}
		if data, ok, err = t.archive.TileIn(ctx, z, x, y); err != nil {
			return Tile{}, unserved(err, id)
		}
	}
	if err != nil {
		return Tile{}, fault.Wrap(err, fault.Internal, "tile %d/%d/%d of territory %q cannot be read", z, x, y, id)
	}
	if !ok {
		return Tile{ETag: `"empty"`}, nil
	}
	return Tile{Data: data, Gzip: h.TileCompression == tileset.CompressionGzip, ETag: tag(data)}, nil
}

func tag(data []byte) string {
	sum := sha256.Sum256(data)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// GlyphType is the media type of glyph files.
const GlyphType = "application/x-protobuf"

// Families lists the families of fonts that labels may be written in.
func (m *Maps) Families() []string { return m.fonts.Families() }

// Glyphs returns the glyph file of a font stack ("Go Regular,Go Bold") and a
// range ("0-255", with or without .pbf). Stacks without any known font and
// ranges that are no file are NotFound.
func (m *Maps) Glyphs(stack, span string) ([]byte, error) {
	var first, last int
	name := strings.TrimSuffix(span, ".pbf")
	if n, err := fmt.Sscanf(name, "%d-%d", &first, &last); n != 2 || err != nil || name != fmt.Sprintf("%d-%d", first, last) ||
		last != first+glyph.RangeSize-1 || first < 0 || first > glyph.LastRange || first%glyph.RangeSize != 0 {
		return nil, fault.New(fault.NotFound, "glyph range %q is no file: ranges run from a multiple of %d to %d more, up to %d", span, glyph.RangeSize, glyph.RangeSize-1, glyph.LastRange+glyph.RangeSize-1)
	}
	data, ok := m.fonts.Range(stack, first)
	if !ok {
		return nil, fault.New(fault.NotFound, "font stack %q is not served here; served are: %s", stack, strings.Join(m.fonts.Names(), ", "))
	}
	return data, nil
}
