package coordinates

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// cs2cs runs PROJ's program of that name on all points at once. Where it is
// not installed the test is skipped, except in CI.
func cs2cs(t *testing.T, from, to string, points []XY) []XY {
	t.Helper()
	path, err := exec.LookPath("cs2cs")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("cs2cs is not installed (Debian package proj-bin)")
		}
		t.Skip("cs2cs is not installed (Debian package proj-bin)")
	}
	var in, out, problems bytes.Buffer
	for _, p := range points {
		fmt.Fprintf(&in, "%.12f %.12f\n", p.X, p.Y)
	}
	cmd := exec.Command(path, "-f", "%.11f", from, "+to", to)
	if strings.HasPrefix(from, "EPSG") {
		cmd = exec.Command(path, "-f", "%.11f", from, to)
	}
	cmd.Env = append(os.Environ(), "PROJ_NETWORK=OFF", "LC_ALL=C")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &problems
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, problems.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != len(points) {
		t.Fatalf("cs2cs answers %d lines for %d points: %s", len(lines), len(points), problems.String())
	}
	answer := make([]XY, len(lines))
	for i, line := range lines {
		if _, err := fmt.Sscan(line, &answer[i].X, &answer[i].Y); err != nil {
			t.Fatalf("cs2cs answers %q for %v: %v", line, points[i], err)
		}
	}
	return answer
}

// transform is Transform for any number of points.
func transform(t *testing.T, from, to string, points []XY) []XY {
	t.Helper()
	var all []XY
	for start := 0; start < len(points); start += Limit {
		got, err := Transform(from, to, points[start:min(start+Limit, len(points))])
		if err != nil {
			t.Fatalf("%s to %s: %s", from, to, explain(err))
		}
		all = append(all, got.Coordinates...)
	}
	return all
}

// gap returns the distance in metres between two positions of a system.
func (s *system) gap(a, b XY) float64 {
	if !s.geographic() {
		return math.Hypot(a.X-b.X, a.Y-b.Y) * s.unit.metres
	}
	const metres = 111320
	return math.Hypot(math.Remainder(a.X-b.X, 360)*math.Cos(a.Y/degrees), a.Y-b.Y) * metres
}

func worst(t *testing.T, s *system, points, got, want []XY) (metres float64) {
	t.Helper()
	for i := range got {
		g := s.gap(got[i], want[i])
		if math.IsNaN(g) || g > 100 {
			t.Fatalf("%v gives %v in %s, PROJ says %v", points[i], got[i], s.id(), want[i])
		}
		metres = math.Max(metres, g)
	}
	return metres
}

func scatter(r *rand.Rand, b box, n int) []XY {
	points := make([]XY, n)
	for i := range points {
		points[i] = XY{wrap(b.west + r.Float64()*(b.east-b.west)), b.south + r.Float64()*(b.north-b.south)}
	}
	return points
}

// TestAgainstPROJ compares every system with PROJ on the strings the table
// publishes, from WGS 84 and back.
func TestAgainstPROJ(t *testing.T) {
	wgs84 := find(4326)
	for i, s := range table() {
		t.Run(s.id(), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(i), 9))
			geographic := append(scatter(r, s.area, 300), scatter(r, s.shrunk(), 200)...)
			plane := transform(t, "4326", s.id(), geographic)
			forth := worst(t, &s, geographic, plane, cs2cs(t, wgs84.proj4, s.proj4, geographic))
			back := worst(t, wgs84, plane, transform(t, s.id(), "4326", plane), cs2cs(t, s.proj4, wgs84.proj4, plane))
			if forth > 0.001 || back > inverseWithin(s.code) {
				t.Errorf("PROJ is %.6f m away, %.6f m on the way back", forth, back)
			}
			t.Logf("%.9f m, back %.9f m", forth, back)
		})
	}
}

// inverseWithin returns how close the way back must come to PROJ in metres. PROJ
// cuts its series for the inverse of the equal-area projection after three
// terms and does not come back to its own point by 1.6 mm; ours does, as
// TestRoundTrip shows.
func inverseWithin(code int) float64 {
	if code == 3035 {
		return 0.002
	}
	return 0.001
}

// shrunk returns the domain less a sliver that keeps a datum shift inside, and
// less the last degree before the poles, where longitudes lose their meaning.
func (s *system) shrunk() box {
	b := s.domain
	return box{b.west + 0.01, math.Max(-89, b.south+0.01), b.east - 0.01, math.Min(89, b.north-0.01)}
}

func (b box) meet(o box) box {
	return box{math.Max(b.west, o.west), math.Max(b.south, o.south), math.Min(b.east, o.east), math.Min(b.north, o.north)}
}

// TestPairsAgainstPROJ compares pairs of systems, neither of them WGS 84.
func TestPairsAgainstPROJ(t *testing.T) {
	for i, pair := range [][2]int{
		{27700, 4277},
		{27700, 28992},
		{28992, 31370},
		{31370, 27700},
		{31370, 3812},
		{27700, 3857},
		{3857, 28992},
		{27700, 3035},
		{3035, 25831},
		{2154, 32631},
		{25832, 32632},
		{2263, 4269},
		{2263, 3857},
		{2263, 32618},
		{4277, 4258},
		{32633, 32733},
	} {
		from, to := find(pair[0]), find(pair[1])
		t.Run(from.id()+" to "+to.id(), func(t *testing.T) {
			t.Parallel()
			area := from.area.meet(to.shrunk())
			var points []XY
			for _, g := range scatter(rand.New(rand.NewPCG(uint64(i), 10)), area, 300) {
				p, err := from.project(g.X, g.Y)
				if err != nil {
					t.Fatal(err)
				}
				points = append(points, p)
			}
			got := transform(t, from.id(), to.id(), points)
			if d := worst(t, to, points, got, cs2cs(t, from.proj4, to.proj4, points)); d > inverseWithin(from.code) {
				t.Errorf("PROJ is %.6f m away", d)
			}
		})
	}
}

// TestAgainstEPSG compares the table with PROJ's own definition of each code,
// which may use a grid where one is installed: within the stated accuracy.
func TestAgainstEPSG(t *testing.T) {
	// Where the operations of choice apply; beyond, PROJ shifts nothing.
	conterminous, onshore := box{-120, 30, -75, 48}, box{-6, 50.2, 1.7, 58.5}
	for _, tt := range []struct {
		code     int
		area     box
		northing bool // PROJ gives y first, as the authority does
		within   float64
	}{
		{4258, find(4258).area, true, 0.01},
		{4269, conterminous, true, 4},
		{4277, onshore, true, 5},
		{3857, find(3857).area, false, 0.01},
		{3035, find(3035).area, true, 0.01},
		{2154, find(2154).area, false, 0.01},
		{2263, find(2263).area, false, 4},
		{3812, find(3812).area, false, 0.01},
		{27700, onshore, false, 5},
		{28992, find(28992).area, false, 1},
		{31370, find(31370).area, false, 1},
		{25828, find(25828).area, false, 0.01},
		{25838, find(25838).area, false, 0.01},
		{32601, find(32601).area, false, 0.01},
		{32760, find(32760).area, false, 0.01},
	} {
		s := find(tt.code)
		t.Run(s.id(), func(t *testing.T) {
			t.Parallel()
			points := scatter(rand.New(rand.NewPCG(uint64(tt.code), 11)), tt.area, 300)
			var swapped []XY
			for _, p := range points {
				swapped = append(swapped, XY{p.Y, p.X})
			}
			want := cs2cs(t, "EPSG:4326", s.id(), swapped)
			if tt.northing {
				for i, p := range want {
					want[i] = XY{p.Y, p.X}
				}
			}
			d := worst(t, s, points, transform(t, "4326", s.id(), points), want)
			if d > tt.within {
				t.Errorf("PROJ is %.3f m away, more than %g m", d, tt.within)
			}
			t.Logf("%.6f m", d)
		})
	}
}
