package county

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/waygate/waygate/clearance/build"
	"github.com/waygate/waygate/clearance/scan"
	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/cmd/waygate/version"
	"github.com/waygate/waygate/feature/coordinates"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/pointcloud"
	"github.com/waygate/waygate/pointcloud/copc"
	"github.com/waygate/waygate/pointcloud/epsg"
	"github.com/waygate/waygate/pointcloud/sidecar"
	"github.com/waygate/waygate/sample"
	"github.com/waygate/waygate/sample/land"
)

// The survey of the county is drawn: nobody drove along the road with a scanner. It is of a straight
// stretch of a lane that lorries take round the low bridge.
const (
	// SurveyName is the dataset's.
	SurveyName = "drawn-moor-lane"
	// surveyVersion changes when another survey is drawn.
	surveyVersion = "1"
	surveyLane    = "Moor Lane"
	surveyEPSG    = 32629
	surveyLength  = 26.0 // metres
	surveyAhead   = 5    // metres of the stretch at both ends that are not driven along
)

// surveyScene returns the lane with what is over it: a footbridge that a lorry of the usual height
// may not clear, and a wire.
func surveyScene() *scan.Scene {
	solid := func(s0, s1, t0, t1, from, to float64) scan.Object {
		return &scan.Block{S0: s0, S1: s1, T0: t0, T1: t1, Bottom: [3]float64{from}, Top: [3]float64{to}, What: scan.Solid, Pass: -1}
	}
	wire := scan.Prepared(&scan.Cable{A: scan.Vec{18, -9, 5.9}, B: scan.Vec{20, 9, 5.9}, Sag: 0.5, Diameter: 0.11, Beam: surveyScanner.Beam})
	return &scan.Scene{Length: surveyLength, Half: 3.5, Lanes: 2, Cross: -0.02, Kerb: 0.1, Objects: []scan.Object{
		solid(9, 12, -7, 7, 4.35, 4.6), solid(9, 12, -7, -6, -2, 4.4), solid(9, 12, 6, 7, -2, 4.4), wire,
	}}
}

var surveyScanner = scan.Scanner{
	Passes: 2, Planes: []float64{math.Pi / 4, -math.Pi / 4}, Line: 0.12, Angle: 0.012, Up: 2.2, Noise: 0.004, Shift: 0.003,
	LeastObject: 0.1, Beam: 0.006, Aside: 2.4,
}

// WriteSurvey writes a folder of hosted point clouds with the drawn survey, unless it is there.
func WriteSurvey(ctx context.Context, dir string, s *sample.Sample) error {
	from, to, ok := surveyed(s)
	if !ok {
		return errors.New("the sample county has no " + surveyLane)
	}
	folder := filepath.Join(dir, SurveyName)
	stamp := fmt.Sprintln(surveyVersion, from, to)
	if old, err := os.ReadFile(filepath.Join(folder, "drawn")); err == nil && string(old) == stamp {
		return nil
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, d := range []string{folder, filepath.Join(dir, "manifests")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	plane, err := coordinates.PlaneOf(surveyEPSG)
	if err != nil {
		return err
	}
	place, road, err := placed(plane, from, to)
	if err != nil {
		return err
	}
	side, err := writeCloud(ctx, folder, place)
	if err != nil {
		return err
	}
	if err := writeArtefact(ctx, folder, side, road); err != nil {
		return err
	}
	text, err := json.MarshalIndent(side, "", "  ")
	if err != nil {
		return err
	}
	if err := replace(filepath.Join(folder, "survey.json"), text); err != nil {
		return err
	}
	manifest, err := json.MarshalIndent(map[string]any{
		"files": map[string]int64{"survey.bin": side.File.Bytes, "survey.json": int64(len(text))}, "identity_id": nil, "key_ids": []string{}, "public": true,
		"clearance": map[string]any{"artefact": "roads", "sources": map[string]string{"survey.bin": side.File.SHA256}},
	}, "", "  ")
	if err != nil {
		return err
	}
	if err := replace(filepath.Join(dir, "manifests", SurveyName+".json"), manifest); err != nil {
		return err
	}
	return replace(filepath.Join(folder, "drawn"), []byte(stamp))
}

// replace writes a file that another server may be reading.
func replace(file string, text []byte) error {
	return files.Replace(file, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// surveyed returns the ends of the longest straight piece of the lane.
func surveyed(s *sample.Sample) (from, to geo.Point, ok bool) {
	at := map[int64]geo.Point{}
	for _, n := range s.Data.Nodes {
		at[n.ID] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
	}
	longest := surveyLength + 2*surveyAhead
	for _, w := range s.Data.Ways {
		if w.Tags.Get("name") != surveyLane {
			continue
		}
		for i := 1; i < len(w.Nodes); i++ {
			if a, b := at[w.Nodes[i-1]], at[w.Nodes[i]]; geo.Distance(a, b) > longest {
				from, to, ok, longest = a, b, true, geo.Distance(a, b)
			}
		}
	}
	return from, to, ok
}

// placed puts the scene into the middle of a piece of road on the land.
func placed(plane *coordinates.Plane, from, to geo.Point) (*scan.PlacedScene, build.Road, error) {
	x0, y0, err0 := plane.Project(from.Lat, from.Lon)
	x1, y1, err1 := plane.Project(to.Lat, to.Lon)
	if err := errors.Join(err0, err1); err != nil {
		return nil, build.Road{}, err
	}
	d := math.Hypot(x1-x0, y1-y0)
	part := (1 - surveyLength/d) / 2
	scene := surveyScene()
	begin, end := land.Height(geo.Between(from, to, part)), land.Height(geo.Between(from, to, 1-part))
	p := &scan.PlacedScene{Scene: scene, X: x0 + part*(x1-x0), Y: y0 + part*(y1-y0), Z: begin, Turn: math.Atan2(y1-y0, x1-x0)}
	scene.Grade = (end - begin) / surveyLength
	for _, o := range scene.Objects { // as the road rises
		switch o := o.(type) {
		case *scan.Block:
			rise := scene.Grade * (o.S0 + o.S1) / 2
			o.Bottom[0], o.Top[0] = o.Bottom[0]+rise, o.Top[0]+rise
		case *scan.Cable:
			o.A[2], o.B[2] = o.A[2]+scene.Grade*o.A[0], o.B[2]+scene.Grade*o.B[0]
		}
	}
	r := build.Road{Half: scene.Half, Lanes: scene.Lanes}
	r.AX, r.AY = p.World(0, 0)
	r.BX, r.BY = p.World(surveyLength, 0)
	return p, r, nil
}

// writeCloud scans the scene and writes the cloud. It describes the file.
func writeCloud(ctx context.Context, folder string, p *scan.PlacedScene) (*sidecar.Sidecar, error) {
	c := surveyScanner
	wkt, err := epsg.WKT(fmt.Sprintf("EPSG:%d+5701", surveyEPSG))
	if err != nil {
		return nil, err
	}
	points, err := scan.LAS(rand.New(rand.NewPCG(1, 1)), wkt, &c, p)
	if err != nil {
		return nil, err
	}
	cloud, err := pointcloud.Open(bytes.NewReader(points), int64(len(points)))
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "survey.bin")
	if err := files.ReplaceFile(path, func(f *os.File) error {
		_, err := copc.Write(ctx, f, cloud, copc.Options{Dir: folder, Software: "Waygate, drawn"})
		return err
	}); err != nil {
		return nil, err
	}
	return sidecar.Describe(ctx, path, "survey.bin", func(int64, int64) {})
}

// writeArtefact measures the cloud.
func writeArtefact(ctx context.Context, folder string, side *sidecar.Sidecar, road build.Road) error {
	in, err := os.Open(filepath.Join(folder, "survey.bin"))
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	cloud, err := pointcloud.Open(in, side.File.Bytes)
	if err != nil {
		return err
	}
	o := build.Defaults()
	o.LeastObject, o.Footprint, o.Registration = surveyScanner.LeastObject, surveyScanner.Beam, surveyScanner.Shift
	o.Dir, o.Tool = folder, "Waygate "+version.Number
	return files.ReplaceFile(filepath.Join(folder, "roads.clearance"), func(f *os.File) error {
		_, err := build.Build(ctx, f, &build.Input{
			Clouds: []*build.Cloud{{Name: side.File.Name, File: cloud, SHA256: side.File.SHA256, View: build.Below}},
			Roads:  func(*coordinates.Plane, build.Box) ([]build.Road, error) { return []build.Road{road}, nil },
		}, &o)
		return err
	})
}
