package build

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/waygate/waygate/feature/coordinates"
	"github.com/waygate/waygate/pointcloud"
	"github.com/waygate/waygate/pointcloud/las"
)

// Views are from where a survey was made.
const (
	Below   = "below"
	Above   = "above"
	Unknown = "unknown"
)

// Cloud is a survey: an open point cloud with what its file does not say.
type Cloud struct {
	Name   string
	File   *pointcloud.File
	SHA256 string
	// EPSG, Vertical, From, To and View are from the command line; zero for what the file
	// says or shows.
	EPSG     int
	Vertical string
	From, To string
	View     string
	times    bool // the file's points have dates
}

// compound are codes of systems with heights that files give for the horizontal system.
var compound = map[int]struct {
	horizontal int
	vertical   string
}{
	7405: {27700, "EPSG:5701 (ODN height)"},
	7415: {28992, "EPSG:5709 (NAP height)"},
	5698: {2154, "EPSG:5720 (NGF-IGN69 height)"},
	5554: {25831, "EPSG:5783 (DHHN92 height)"},
	5555: {25832, "EPSG:5783 (DHHN92 height)"},
	5556: {25833, "EPSG:5783 (DHHN92 height)"},
}

// inFeet are codes of vertical systems in feet of some kind, which files give without a unit.
var inFeet = map[string]bool{
	"EPSG:5702": true, "EPSG:6130": true, "EPSG:6131": true, "EPSG:6132": true, "EPSG:6360": true, "EPSG:8050": true, "EPSG:8051": true, "EPSG:8228": true,
}

// findSystems finds the reference systems of a cloud, and refuses what cannot be measured.
func (c *Cloud) findSystems() (*coordinates.Plane, error) {
	crs := c.File.Header.ReadCRS()
	if crs.Horizontal.Degrees {
		return nil, errors.New("its coordinates are degrees: a survey needs a projected system in metres")
	}
	for _, s := range []struct {
		axis string
		las.System
	}{{"horizontal", crs.Horizontal}, {"vertical", crs.Vertical}} {
		if s.Unit != 0 && math.Abs(s.Unit-1) > 1e-9 {
			return nil, fmt.Errorf("its %s unit is %.9g m (%s); both units must be the metre: convert the file first", s.axis, s.Unit, unitName(s.Unit))
		}
	}
	for _, code := range []string{fmt.Sprintf("EPSG:%d", crs.Vertical.EPSG), strings.ToUpper(c.Vertical)} {
		if inFeet[strings.TrimSuffix(strings.Fields(code + " -")[0], ",")] {
			return nil, fmt.Errorf("the heights of %s are feet; they must be metres: convert the file first", code)
		}
	}
	epsg, vertical := crs.Horizontal.EPSG, ""
	if crs.Vertical.EPSG != 0 {
		vertical = fmt.Sprintf("EPSG:%d", crs.Vertical.EPSG)
		if crs.Vertical.Name != "" {
			vertical += " (" + crs.Vertical.Name + ")"
		}
	} else if crs.Vertical.Named() {
		vertical = crs.Vertical.Name
	}
	if both, ok := compound[epsg]; ok {
		epsg = both.horizontal
		if vertical == "" {
			vertical = both.vertical
		}
	}
	switch {
	case epsg == 0 && c.EPSG == 0:
		return nil, errors.New("its horizontal reference system has no EPSG code: give it with --crs")
	case epsg != 0 && c.EPSG != 0 && epsg != c.EPSG:
		return nil, fmt.Errorf("the file says that its reference system is EPSG:%d; --crs says EPSG:%d", epsg, c.EPSG)
	case epsg != 0:
		c.EPSG = epsg
	}
	if c.Vertical == "" {
		c.Vertical = vertical
	}
	if c.Vertical == "" {
		return nil, errors.New("its vertical datum is unknown: give it with --vertical, such as EPSG:5701")
	}
	plane, err := coordinates.PlaneOf(c.EPSG)
	if err != nil {
		return nil, err
	}
	h := c.File.Header
	for _, at := range [2][3]float64{h.Min, h.Max} {
		if _, _, err := plane.Unproject(at[0], at[1]); err != nil {
			return nil, fmt.Errorf("its bounds do not fit %s: %w", plane.Name(), err)
		}
	}
	if !(h.Max[2]-h.Min[2] < 20000 && math.Abs(h.Min[2]) < 20000) {
		return nil, fmt.Errorf("its heights are from %v to %v m, which no survey has", h.Min[2], h.Max[2])
	}
	return plane, c.settleDates()
}

func unitName(unit float64) string {
	switch {
	case math.Abs(unit-1200./3937) < 1e-9:
		return "the US survey foot"
	case math.Abs(unit-0.3048) < 1e-9:
		return "the foot"
	}
	return "not the metre"
}

// standardGPS is the bit of a header that says that times are of the GPS epoch.
const standardGPS = 1

var gpsEpoch = time.Date(1980, 1, 6, 0, 0, 0, 0, time.UTC).Add(1e9 * time.Second)

// settleDates finds whether the points have the days of the survey.
func (c *Cloud) settleDates() error {
	h := c.File.Header
	if c.From != "" {
		return nil
	}
	if h.GlobalEncoding&standardGPS != 0 && las.TimeAt(h.Format) > 0 {
		c.times = true
		return nil
	}
	return errors.New("its points do not have the days of the survey: give them with --dates, such as 2025-03-01/2025-03-04")
}

// settleDays takes the days of the first and the last time of the points, of which some may have
// none.
func (c *Cloud) settleDays(first, last float64, timeless int64) error {
	if !c.times {
		return nil
	}
	if timeless > 0 && last > 0 {
		return fmt.Errorf("%d of its points have no time: give its days with --dates, such as 2025-03-01/2025-03-04", timeless)
	}
	day := func(v float64) (time.Time, bool) {
		if !(math.Abs(v) < 4e9) {
			return time.Time{}, false
		}
		return gpsEpoch.Add(time.Duration(v * float64(time.Second))), true
	}
	from, ok1 := day(first)
	to, ok2 := day(last)
	if !ok1 || !ok2 || from.Year() < 1995 || first == 0 && last == 0 || to.After(time.Now().AddDate(0, 0, 1)) {
		return errors.New("the times of its points are not those of a survey: give its days with --dates, such as 2025-03-01/2025-03-04")
	}
	c.From, c.To = from.Format(time.DateOnly), to.Format(time.DateOnly)
	return nil
}

// views counts rays that several returns show the direction of.
type views struct {
	up, down   int
	last       [3]float64
	lastTime   float64
	lastReturn uint8
	lastSource uint16
}

// add takes a point in the order of the file.
func (v *views) add(p *las.Point, at [3]float64) {
	if p.Returns > 1 && p.Return == v.lastReturn+1 && p.Time == v.lastTime && p.SourceID == v.lastSource && p.Return > 1 {
		dz := at[2] - v.last[2]
		if d := math.Hypot(at[0]-v.last[0], at[1]-v.last[1]); math.Abs(dz) > 0.3*d && math.Abs(dz) > 0.3 {
			if dz > 0 {
				v.up++
			} else {
				v.down++
			}
		}
	}
	v.last, v.lastTime, v.lastReturn, v.lastSource = at, p.Time, p.Return, p.SourceID
}

// Rays that show from where a survey was made.
const (
	leastRays = 50
	upShare   = 10 // one in so many goes up in a survey from the road
)

// view says from where the survey was made. From the air, all rays go down.
func (v *views) view() string {
	switch n := v.up + v.down; {
	case n < leastRays:
		return Unknown
	case v.up*upShare >= n:
		return Below
	case v.up*leastRays <= n:
		return Above
	}
	return Unknown
}

// each passes the points of a cloud, some thousand at a time.
func (c *Cloud) each(ctx context.Context, pass func(p *las.Point, at [3]float64) error, progress func(n int64)) error {
	h := c.File.Header
	done := int64(0)
	return c.File.Read(ctx, func(records []byte) error {
		for rec := records; len(rec) > 0; rec = rec[h.RecordSize:] {
			p := las.Decode(rec, h.Format)
			at := [3]float64{float64(p.X)*h.Scale[0] + h.Offset[0], float64(p.Y)*h.Scale[1] + h.Offset[1], float64(p.Z)*h.Scale[2] + h.Offset[2]}
			if err := pass(&p, at); err != nil {
				return err
			}
			done++
		}
		progress(done)
		return nil
	})
}
