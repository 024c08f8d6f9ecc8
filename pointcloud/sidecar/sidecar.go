// Package sidecar describes hosted point clouds. A sidecar is the file <cloud>.json beside
// the COPC file <cloud>.bin.
package sidecar

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"time"

	"github.com/waygate/waygate/pointcloud"
	"github.com/waygate/waygate/pointcloud/copc"
	"github.com/waygate/waygate/pointcloud/las"
)

// Format is the format of the file <cloud>.bin.
const Format = "copc-1.0"

// mostBytes bounds a sidecar that is read.
const mostBytes = 1 << 20

// Sidecar describes a cloud. Coordinates, scales and sizes are in units of its reference
// system.
type Sidecar struct {
	Format      string     `json:"format"`
	File        Digest     `json:"file"`
	Sources     []Digest   `json:"sources"` // the files that it was made of
	Points      int64      `json:"points"`
	PointFormat int        `json:"point_format"`
	PointBytes  int        `json:"point_bytes"`
	Scale       [3]float64 `json:"scale"`
	Offset      [3]float64 `json:"offset"`
	Bounds      Bounds     `json:"bounds"`
	// WGS84 is about where the cloud is: west, south, east and north in degrees, the west
	// above the east across the antimeridian; null if its system is not known well enough.
	WGS84   *[4]float64      `json:"bounds_wgs84"`
	CRS     CRS              `json:"crs"`
	Returns []int64          `json:"returns"` // by number of return, from 1
	Classes map[string]int64 `json:"classes"` // points by classification
	// SurveyDates is the first and the last day of the points' times, as from/to, if these
	// are of standard GPS time; null otherwise. GPS time is up to 20 seconds from UTC.
	SurveyDates *string `json:"survey_dates"`
	Created     *string `json:"created"` // the day on which the header says that the file was made
	GPSTime     *Times  `json:"gps_time"`
	COPC        COPC    `json:"copc"`
	// Repeated is how many points are the same as another one in every field, in clouds that
	// were made of several files; null otherwise.
	Repeated *int64 `json:"repeated_points"`
	// LeftOut are parts of the sources for which COPC has no place.
	LeftOut []string `json:"left_out"`
}

// Digest names a file with its contents.
type Digest struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Bounds are of all points.
type Bounds struct {
	Min [3]float64 `json:"min"`
	Max [3]float64 `json:"max"`
}

// CRS is the coordinate reference system; its parts are null where the file names none.
type CRS struct {
	Horizontal *System `json:"horizontal"`
	Vertical   *System `json:"vertical"`
	WKT        *string `json:"wkt"`
}

// System is a part of a reference system.
type System struct {
	Name string `json:"name"`
	EPSG *int   `json:"epsg"`
	// UnitMetres is the unit of the axes in metres; null if they are in degrees or it is unknown.
	UnitMetres *float64 `json:"unit_m"`
}

// Times are the least and the greatest time of points, as the file has them.
type Times struct {
	Min float64 `json:"min"`
	Max float64 `json:"max"`
}

// COPC says where the parts of the file are, which an application reads first.
type COPC struct {
	Nodes           int        `json:"nodes"`
	Levels          int32      `json:"levels"`
	Center          [3]float64 `json:"center"`
	HalfSize        float64    `json:"halfsize"`
	Spacing         float64    `json:"spacing"`
	HeaderBytes     int64      `json:"header_bytes"` // up to the first point
	HierarchyOffset int64      `json:"hierarchy_offset"`
	HierarchyBytes  int64      `json:"hierarchy_bytes"` // of the first page
}

// Describe reads and checks a whole COPC file and describes it. progress is called with
// the points checked so far.
func Describe(ctx context.Context, path, name string, progress func(done, total int64)) (*Sidecar, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	digest, err := Sum(ctx, f, name)
	if err != nil {
		return nil, err
	}
	c, err := copc.Open(f, digest.Bytes)
	if err != nil {
		return nil, err
	}
	nodes, err := c.Nodes(ctx)
	if err != nil {
		return nil, err
	}
	sum, err := c.Verify(ctx, func(done int64) { progress(done, c.Header.Points) })
	if err != nil {
		return nil, err
	}
	s := describe(c, sum)
	s.File = digest
	s.COPC.Nodes = len(nodes)
	for _, n := range nodes {
		s.COPC.Levels = max(s.COPC.Levels, n.Key.Level+1)
	}
	return s, nil
}

// describe fills in what the header and the points have.
func describe(c *copc.File, sum *pointcloud.Summary) *Sidecar {
	h := c.Header
	s := &Sidecar{
		Format: Format, Points: h.Points, PointFormat: h.Format, PointBytes: h.RecordSize, Scale: h.Scale, Offset: h.Offset,
		CRS: crsOf(h.ReadCRS()), Returns: sum.Returns[:], Classes: map[string]int64{}, LeftOut: []string{}, Sources: []Digest{},
		COPC: COPC{
			Center: c.Info.Center, HalfSize: c.Info.HalfSize, Spacing: c.Info.Spacing,
			HeaderBytes: h.PointsStart, HierarchyOffset: c.Info.RootOffset, HierarchyBytes: c.Info.RootSize,
		},
	}
	s.Bounds.Min, s.Bounds.Max = sum.Bounds()
	for class, n := range sum.Classes {
		if n > 0 {
			s.Classes[strconv.Itoa(class)] = n
		}
	}
	if day, ok := h.Created(); ok {
		text := day.Format(time.DateOnly)
		s.Created = &text
	}
	if first, last := sum.TimeMin, sum.TimeMax; first <= last && (first != 0 || last != 0) && !math.IsInf(first, 0) && !math.IsInf(last, 0) {
		s.GPSTime = &Times{first, last}
		if h.StandardTime() {
			s.SurveyDates = days(first, last)
		}
	}
	return s
}

// gpsEpoch is the beginning of GPS time, and standardShift what standard GPS time in files
// is less than that, in seconds.
var gpsEpoch = time.Date(1980, 1, 6, 0, 0, 0, 0, time.UTC)

const standardShift = 1e9

// days returns the days of two times; nil if they are not between 1980 and 2100.
func days(first, last float64) *string {
	const century = 120 * 365.25 * 86400
	if first+standardShift < 0 || last+standardShift > century {
		return nil
	}
	day := func(t float64) string {
		return gpsEpoch.Add(time.Duration(t+standardShift) * time.Second).Format(time.DateOnly)
	}
	text := day(first) + "/" + day(last)
	return &text
}

func crsOf(c las.CRS) CRS {
	var out CRS
	if c.WKT != "" {
		out.WKT = &c.WKT
	}
	system := func(s las.System) *System {
		if !s.Named() {
			return nil
		}
		made := &System{Name: s.Name}
		if s.EPSG != 0 {
			made.EPSG = &s.EPSG
		}
		if s.Unit != 0 {
			made.UnitMetres = &s.Unit
		}
		return made
	}
	out.Horizontal, out.Vertical = system(c.Horizontal), system(c.Vertical)
	return out
}

// Sum returns the checksum of a file that is open.
func Sum(ctx context.Context, f *os.File, name string) (Digest, error) {
	hash := sha256.New()
	block := make([]byte, 1<<20)
	d := Digest{Name: name}
	for {
		if err := ctx.Err(); err != nil {
			return d, err
		}
		n, err := f.ReadAt(block, d.Bytes)
		hash.Write(block[:n])
		d.Bytes += int64(n)
		if err == io.EOF {
			d.SHA256 = hex.EncodeToString(hash.Sum(nil))
			return d, nil
		}
		if err != nil {
			return d, err
		}
	}
}

// Read reads a sidecar.
func Read(r io.Reader) (*Sidecar, error) {
	data, err := io.ReadAll(io.LimitReader(r, mostBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > mostBytes {
		return nil, fmt.Errorf("sidecar is longer than %d bytes", mostBytes)
	}
	s := &Sidecar{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("sidecar: %w", err)
	}
	if s.Format != Format {
		return nil, fmt.Errorf("format of the sidecar is %.40q; %q is supported", s.Format, Format)
	}
	return s, nil
}

// Compare reports where a sidecar claims something else than another, which Describe made
// of the file: length, checksum and points.
func (s *Sidecar) Compare(made *Sidecar) error {
	switch {
	case s.File.Bytes != made.File.Bytes:
		return fmt.Errorf("file has %d bytes; its sidecar claims %d", made.File.Bytes, s.File.Bytes)
	case s.File.SHA256 != made.File.SHA256:
		return fmt.Errorf("file has the checksum %s; its sidecar claims %.64s", made.File.SHA256, s.File.SHA256)
	case s.Points != made.Points:
		return fmt.Errorf("file has %d points; its sidecar claims %d", made.Points, s.Points)
	}
	return nil
}
