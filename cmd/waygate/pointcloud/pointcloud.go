// Package pointcloud is the subcommand about point clouds.
package pointcloud

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/cmd/waygate/progress"
	"github.com/waygate/waygate/feature/coordinates"
	"github.com/waygate/waygate/pointcloud"
	"github.com/waygate/waygate/pointcloud/copc"
	"github.com/waygate/waygate/pointcloud/epsg"
	"github.com/waygate/waygate/pointcloud/las"
	"github.com/waygate/waygate/pointcloud/sidecar"
)

// Command is the command line.
type Command struct {
	Info   Info   `cmd:"" help:"Print what the header of a point cloud says."`
	Verify Verify `cmd:"" help:"Read whole point clouds, and check them against their headers and sidecars."`
	Add    Add    `cmd:"" help:"Make a Cloud Optimized Point Cloud and its sidecar from LAS, LAZ or COPC files, for the folder of a hosted dataset."`
}

// Info prints a header.
type Info struct {
	File string `arg:"" type:"existingfile" help:"LAS, LAZ or COPC file." placeholder:"FILE"`
}

// Run prints it.
func (c *Info) Run() error {
	f, cloud, err := files.Open(c.File, pointcloud.Open)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	return describe(os.Stdout, f, cloud)
}

// describe prints what a header says, a line for each fact.
func describe(w io.Writer, r io.ReaderAt, cloud *pointcloud.File) error {
	h := cloud.Header
	kind := "LAS"
	if h.Compressed {
		kind = "LAZ"
	}
	tree, err := copc.Of(cloud, r)
	if err == nil {
		kind = "COPC"
	} else if !errors.Is(err, copc.ErrNot) {
		return err
	}
	var b strings.Builder
	line := func(name, format string, values ...any) {
		fmt.Fprintf(&b, "%-18s "+format+"\n", append([]any{name}, values...)...)
	}
	line("file", "%s, version %d.%d, %d bytes", kind, h.Major, h.Minor, cloud.Size())
	line("points", "%d of format %d, %d bytes each (%d extra)", h.Points, h.Format, h.RecordSize, h.Extra())
	for i, n := range h.Returns {
		if n > 0 {
			line(fmt.Sprintf("return %d", i+1), "%d", n)
		}
	}
	for i, axis := range pointcloud.Axes {
		line(axis, "%.12g to %.12g in steps of %.12g", h.Min[i], h.Max[i], h.Scale[i])
	}
	crs := h.ReadCRS()
	line("horizontal system", "%s", system(crs.Horizontal))
	line("vertical system", "%s", system(crs.Vertical))
	if day, ok := h.Created(); ok {
		line("made on", "%s", day.Format(time.DateOnly))
	}
	line("made by", "%q with %q", h.System, h.Software)
	if h.Compressed {
		line("chunks", "%d", len(cloud.Chunks()))
	}
	if tree != nil {
		line("octree", "root with an edge of %.12g, points %.12g apart", 2*tree.Info.HalfSize, tree.Info.Spacing)
	}
	for _, r := range h.Records {
		line("record", "%s %d, %d bytes", r.UserID, r.ID, len(r.Data))
	}
	for _, e := range h.Extended {
		line("extended record", "%s %d, %d bytes", e.UserID, e.ID, e.Size)
	}
	_, err = io.WriteString(w, b.String())
	return err
}

func system(s las.System) string {
	if !s.Named() {
		return "unknown"
	}
	text := fmt.Sprintf("%q", s.Name)
	if s.EPSG != 0 {
		text += fmt.Sprintf(" EPSG:%d", s.EPSG)
	}
	if s.Unit != 0 {
		text += fmt.Sprintf(", unit %v m", s.Unit)
	}
	return text
}

// Verify checks files.
type Verify struct {
	Files []string `arg:"" type:"path" help:"LAS, LAZ or COPC files; a sidecar beside one (.json in place of .bin) is checked too." placeholder:"FILE"`
}

// Run checks all, and fails if one is damaged.
func (c *Verify) Run(ctx context.Context) error {
	var wrong []error
	for _, path := range c.Files {
		points, err := verify(ctx, path, os.Stderr)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", path, err))
			continue
		}
		if _, err := fmt.Printf("%s: %d points, nothing wrong\n", path, points); err != nil {
			return err
		}
	}
	return errors.Join(wrong...)
}

// verify reads a whole file and checks it.
func verify(ctx context.Context, path string, out *os.File) (points int64, err error) {
	f, cloud, err := files.Open(path, pointcloud.Open)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	show, done := progress.Bar(out)
	defer done()
	_, err = copc.Of(cloud, f)
	switch {
	case errors.Is(err, copc.ErrNot):
		sum, err := cloud.Summarise(ctx, func(n int64) { show("checking", n, cloud.Header.Points) })
		if err != nil {
			return 0, err
		}
		return sum.Points, sum.Compare(cloud.Header)
	case err != nil:
		return 0, err
	}
	made, err := sidecar.Describe(ctx, path, filepath.Base(path), func(n, all int64) { show("checking", n, all) })
	if err != nil {
		return 0, err
	}
	return made.Points, compare(path, made)
}

// compare compares a file with its sidecar, if there is one.
func compare(path string, made *sidecar.Sidecar) error {
	base, ok := strings.CutSuffix(path, binary)
	if !ok {
		return nil
	}
	f, err := os.Open(base + description)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	claimed, err := sidecar.Read(f)
	if err != nil {
		return err
	}
	return claimed.Compare(made)
}

// Suffixes of the files of a hosted cloud.
const (
	binary      = ".bin"
	description = ".json"
)

// Add makes a hosted cloud.
type Add struct {
	Folder string   `required:"" type:"path" help:"Folder of the dataset, into which NAME.bin (COPC) and NAME.json (its sidecar) are written; it is made where it is missing." placeholder:"DIR"`
	Name   string   `help:"Name of the cloud: lowercase letters, digits and hyphens; by default the file's, of one." placeholder:"NAME"`
	WKT    string   `name:"wkt" type:"existingfile" xor:"system" help:"File with the coordinate reference system as well-known text, also of heights, in place of what the source says." placeholder:"FILE"`
	CRS    string   `name:"crs" xor:"system" help:"Coordinate reference system by EPSG codes, as in EPSG:27700+5701; the second is of heights." placeholder:"EPSG:CODE[+CODE]"`
	Force  bool     `help:"Replace a cloud of that name."`
	Files  []string `arg:"" type:"existingfile" help:"LAS, LAZ or COPC files. Several, such as the tiles of a survey, become one cloud. A single COPC file is copied as it is unless --wkt or --crs is given." placeholder:"FILE"`
}

var (
	cloudName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,98}[a-z0-9])?$`)
	notOfName = regexp.MustCompile(`[^a-z0-9]+`)
)

// mostWKT is the longest file of a reference system.
const mostWKT = 1 << 16

// Run makes it.
func (c *Add) Run(ctx context.Context) error {
	name := c.Name
	if name == "" && len(c.Files) > 1 {
		return fmt.Errorf("--name is needed for a cloud of %d files", len(c.Files))
	}
	if name == "" {
		name = strings.ToLower(filepath.Base(c.Files[0]))
		for _, suffix := range []string{".las", ".laz", binary, ".copc"} {
			name = strings.TrimSuffix(name, suffix)
		}
		name = strings.Trim(notOfName.ReplaceAllString(name, "-"), "-")
	}
	if !cloudName.MatchString(name) {
		return fmt.Errorf("--name %.120q must be 1 to 100 lowercase letters, digits and hyphens, with no hyphen at an end", name)
	}
	wkt, err := c.system()
	if err != nil {
		return err
	}
	target := filepath.Join(c.Folder, name)
	if !c.Force {
		for _, suffix := range []string{binary, description} {
			if _, err := os.Lstat(target + suffix); !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%s%s is there already: give another --name, or --force to replace it", target, suffix)
			}
		}
	}
	made, err := c.make(ctx, target, wkt)
	if err != nil {
		return err
	}
	side, err := os.Stat(target + description)
	if err != nil {
		return err
	}
	if err := report(os.Stdout, target, made); err != nil {
		return err
	}
	_, err = fmt.Printf("files of the manifest: %q: %d, %q: %d\n", name+binary, made.File.Bytes, name+description, side.Size())
	return err
}

// system returns the reference system that is given as well-known text; "" is none.
func (c *Add) system() (string, error) {
	if c.CRS != "" {
		wkt, err := epsg.WKT(c.CRS)
		if err != nil {
			return "", fmt.Errorf("--crs: %w", err)
		}
		return wkt, nil
	}
	if c.WKT == "" {
		return "", nil
	}
	wkt, err := os.ReadFile(c.WKT)
	return strings.TrimSpace(string(wkt[:min(len(wkt), mostWKT)])), err
}

// sources are open files.
type sources struct {
	files  []*os.File
	clouds []*pointcloud.File
	sums   []sidecar.Digest
}

func (s *sources) close() {
	for _, f := range s.files {
		_ = f.Close()
	}
}

// open opens all files, and sums them up. None may be there twice.
func (c *Add) open(ctx context.Context) (*sources, error) {
	s := &sources{}
	same := map[string]string{}
	for _, path := range c.Files {
		f, cloud, err := files.Open(path, pointcloud.Open)
		if err != nil {
			s.close()
			return nil, err
		}
		s.files, s.clouds = append(s.files, f), append(s.clouds, cloud)
		sum, err := sidecar.Sum(ctx, f, filepath.Base(path))
		if err == nil && same[sum.SHA256] != "" {
			err = fmt.Errorf("it is the same file as %s", same[sum.SHA256])
		}
		if err != nil {
			s.close()
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		same[sum.SHA256] = path
		s.sums = append(s.sums, sum)
	}
	return s, nil
}

// make writes both files beside their places and then moves them there.
func (c *Add) make(ctx context.Context, target, wkt string) (made *sidecar.Sidecar, err error) {
	from, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	defer from.close()
	if err := os.MkdirAll(c.Folder, 0o755); err != nil {
		return nil, fmt.Errorf("--folder: %w", err)
	}
	dir, err := os.MkdirTemp(c.Folder, ".pointcloud-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	show, done := progress.Bar(os.Stderr)
	defer done()
	bin := filepath.Join(dir, "cloud")
	written, err := c.write(ctx, bin, from, copc.Options{Dir: dir, Software: "Waygate", Progress: show, WKT: wkt})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(c.Files, ", "), err)
	}
	made, err = sidecar.Describe(ctx, bin, filepath.Base(target)+binary, func(n, all int64) { show("checking", n, all) })
	if err != nil {
		return nil, err
	}
	made.Sources, made.LeftOut, made.WGS84 = from.sums, append(made.LeftOut, written.LeftOut...), degrees(made)
	if len(c.Files) > 1 {
		made.Repeated = &written.Repeated
	}
	text, err := json.MarshalIndent(made, "", "  ")
	if err != nil {
		return nil, err
	}
	side := filepath.Join(dir, "sidecar")
	if err := os.WriteFile(side, append(text, '\n'), 0o644); err != nil {
		return nil, err
	}
	return made, errors.Join(os.Rename(bin, target+binary), os.Rename(side, target+description))
}

// write writes the COPC file.
func (c *Add) write(ctx context.Context, path string, from *sources, o copc.Options) (*copc.Written, error) {
	out, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	written := &copc.Written{}
	if _, not := copc.Of(from.clouds[0], from.files[0]); not == nil && o.WKT == "" && len(from.files) == 1 {
		_, err = io.Copy(out, io.NewSectionReader(from.files[0], 0, from.clouds[0].Size()))
	} else {
		written, err = copc.Merge(ctx, out, from.clouds, o)
	}
	return written, errors.Join(err, out.Close())
}

// degrees returns where a cloud is by the systems that this project can transform: west, south,
// east and north. It looks at places along the border of its bounds.
func degrees(s *sidecar.Sidecar) *[4]float64 {
	if s.CRS.Horizontal == nil || s.CRS.Horizontal.EPSG == nil {
		return nil
	}
	const along = 12 // on each side
	var border []coordinates.XY
	low, high := s.Bounds.Min, s.Bounds.Max
	for i := range along {
		t := float64(i) / along
		x, y := (high[0]-low[0])*t, (high[1]-low[1])*t
		border = append(border, coordinates.XY{X: low[0] + x, Y: low[1]}, coordinates.XY{X: high[0], Y: low[1] + y}, coordinates.XY{X: high[0] - x, Y: high[1]}, coordinates.XY{X: low[0], Y: high[1] - y})
	}
	found, err := coordinates.Transform(strconv.Itoa(*s.CRS.Horizontal.EPSG), "4326", border)
	if err != nil {
		return nil
	}
	first := found.Coordinates[0]
	box := [4]float64{first.X, first.Y, first.X, first.Y}
	for _, p := range found.Coordinates {
		lon := first.X + math.Remainder(p.X-first.X, 360)
		box = [4]float64{min(box[0], lon), min(box[1], p.Y), max(box[2], lon), max(box[3], p.Y)}
	}
	for i := range box {
		if i%2 == 0 && math.Abs(box[i]) > 180 {
			box[i] = math.Remainder(box[i], 360)
		}
		box[i] = math.Round(box[i]*1e7) / 1e7
	}
	return &box
}

// report prints what was made, and what it lacks.
func report(w io.Writer, target string, s *sidecar.Sidecar) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s: %d points in %d nodes, %d bytes\n", target, binary, s.Points, s.COPC.Nodes, s.File.Bytes)
	if s.Repeated != nil {
		fmt.Fprintf(&b, "made of %d files; %d points are the same as another one\n", len(s.Sources), *s.Repeated)
	}
	for _, what := range s.LeftOut {
		fmt.Fprintf(&b, "left out: %s\n", what)
	}
	if s.CRS.Horizontal == nil {
		b.WriteString("the horizontal reference system is unknown: give it with --crs or --wkt\n")
	}
	if s.CRS.Horizontal != nil && s.CRS.WKT == nil {
		b.WriteString("the reference system is in GeoTIFF keys, which other programs ignore in COPC files: give it with --crs or --wkt\n")
	}
	if s.CRS.Vertical == nil {
		b.WriteString("the vertical reference system is unknown: give it with --crs or --wkt, or no clearance can be worked out\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
