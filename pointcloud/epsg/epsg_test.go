package epsg_test

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/pointcloud/epsg"
	"github.com/waygate/waygate/pointcloud/las"
)

func TestWKT(t *testing.T) {
	for codes, want := range map[string]las.CRS{
		"EPSG:27700":      {Horizontal: las.System{Name: "OSGB36 / British National Grid", EPSG: 27700, Unit: 1}},
		"epsg:27700+5701": {Horizontal: las.System{Name: "OSGB36 / British National Grid", EPSG: 27700, Unit: 1}, Vertical: las.System{Name: "ODN height", EPSG: 5701, Unit: 1}},
		"7405":            {Horizontal: las.System{Name: "OSGB36 / British National Grid", EPSG: 27700, Unit: 1}, Vertical: las.System{Name: "ODN height", EPSG: 5701, Unit: 1}},
		" 2263+6360 ":     {Horizontal: las.System{Name: "NAD83 / New York Long Island (ftUS)", EPSG: 2263, Unit: 0.304800609601219}, Vertical: las.System{Name: "NAVD88 height (ftUS)", EPSG: 6360, Unit: 0.304800609601219}},
		"EPSG:4326":       {Horizontal: las.System{Name: "WGS 84", EPSG: 4326, Degrees: true}},
	} {
		wkt, err := epsg.WKT(codes)
		assert.NilError(t, err)
		h := las.Header{}
		assert.NilError(t, h.SetWKT(wkt))
		want.WKT = wkt
		assert.DeepEqual(t, h.ReadCRS(), want)
	}
	for _, wrong := range []string{"", "EPSG:", "EPSG:0", "EPSG:999999", "EPSG:-1", "EPSG:27700+", "EPSG:27700+27700", "EPSG:5701+27700", "EPSG:7405+5701", "WGS84", "EPSG:4326\n"[:9] + "\x00"} {
		_, err := epsg.WKT(wrong)
		assert.Assert(t, err != nil && !strings.Contains(err.Error(), "\x00"), "%q: %v", wrong, err)
	}
}
