package schematic

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/waygate/waygate/index/vectortile"
)

// What is looked at of a place at the most.
const (
	maxTiles     = 36
	maxStreets   = 300
	maxLandmarks = 200
	maxPoints    = 60_000
)

// tile is one of the grid, with where it lies.
type tile struct {
	z, x, y int
	scene   *scene
}

// read gathers the streets and landmarks of the tiles round the place.
func (s *scene) read(ctx context.Context, t Tiles) error {
	z := min(15, t.MaxZoom)
	var x0, x1, y0, y1 int
	for ; ; z-- {
		n := math.Exp2(float64(z))
		cx, cy := n*(s.at.Lon/360+0.5), n*mercator(s.at.Lat)
		r := s.radius / (worldMetres * math.Cos(s.at.Lat*math.Pi/180)) * n
		x0, x1 = int(math.Floor(cx-r)), int(math.Floor(cx+r))
		y0, y1 = int(max(0, math.Floor(cy-r))), int(min(n-1, math.Floor(cy+r)))
		if (x1-x0+1)*(y1-y0+1) <= maxTiles {
			break
		}
	}
	of := map[[2]string]*street{}
	seen := map[string][]*landmark{}
	for x := x0; x <= x1; x++ {
		for y := y0; y <= y1; y++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			at := tile{z, x, y, s}
			n := 1 << z
			data, err := t.Tile(ctx, z, ((x%n)+n)%n, y)
			if err != nil {
				return err
			}
			err = vectortile.Each(data, func(f *vectortile.Feature) error {
				parts, err := f.Parts()
				if err != nil {
					return err
				}
				s.add(at, f, parts, of, seen)
				return nil
			}, "roads", "pois", "water", "places")
			if err != nil {
				return err
			}
		}
	}
	for _, list := range seen {
		s.landmarks = append(s.landmarks, list...)
	}
	return nil
}

// worldMetres is the world's girth.
const worldMetres = 40_075_016.7

// mercator returns how far south a latitude lies on the map, from 0 to 1.
func mercator(lat float64) float64 {
	sin := math.Sin(lat * math.Pi / 180)
	return 0.5 - math.Log((1+sin)/(1-sin))/(4*math.Pi)
}

// planePoint returns a place of a tile in metres from the middle.
func (t tile) planePoint(p vectortile.Point) planePoint {
	n := math.Exp2(float64(t.z))
	scale := worldMetres * math.Cos(t.scene.at.Lat*math.Pi/180)
	return planePoint{((float64(t.x)+p.X)/n - (t.scene.at.Lon/360 + 0.5)) * scale, (mercator(t.scene.at.Lat) - (float64(t.y)+p.Y)/n) * scale}
}

func (s *scene) add(t tile, f *vectortile.Feature, parts [][]vectortile.Point, of map[[2]string]*street, seen map[string][]*landmark) {
	switch f.Layer {
	case "roads":
		s.addRoad(t, f, parts, of)
	case "water":
		for _, part := range parts {
			if f.Kind == vectortile.Lines {
				s.water = append(s.water, s.clipToTile(t, part)...)
			}
		}
		s.addLandmark(t, f, parts, seen)
	default:
		s.addLandmark(t, f, parts, seen)
	}
}

// kindOf and kindDetail return the kind of a feature; builds before 2023 have other names
// for it.
func kindOf(f *vectortile.Feature) string { return cmp.Or(f.Text("kind"), f.Text("pmap:kind")) }

func kindDetail(f *vectortile.Feature) string {
	return cmp.Or(f.Text("kind_detail"), f.Text("pmap:kind_detail"), f.Text("highway"), f.Text("amenity"))
}

// roadKind returns what a road of the tiles is in words, and its weight; 0 is none that
// is named.
func roadKind(f *vectortile.Feature) (words string, weight float64) {
	detail := kindDetail(f)
	switch kindOf(f) {
	case "highway":
		return "motorway", 6
	case "major_road":
		return strings.TrimSuffix(cmp.Or(detail, "main"), "_link") + " road", 5
	case "medium_road":
		return cmp.Or(detail, "secondary") + " road", 4
	case "minor_road":
		if detail == "service" || detail == "track" {
			return detail + " road", 1.5
		}
		return "street", 3
	case "path":
		return strings.ReplaceAll(cmp.Or(detail, "path"), "_", " "), 2
	case "rail":
		return "railway", 1
	}
	return "", 0
}

func (s *scene) addRoad(t tile, f *vectortile.Feature, parts [][]vectortile.Point, of map[[2]string]*street) {
	kind, weight := roadKind(f)
	if weight == 0 || f.Kind != vectortile.Lines {
		return
	}
	name := plain(cmp.Or(f.Text("name"), f.Text("ref")))
	level := 0
	switch {
	case f.Is("is_bridge"):
		level = 1
	case f.Is("is_tunnel"):
		level = -1
	}
	for _, part := range parts {
		for _, points := range s.clipToTile(t, part) {
			if name == "" {
				if weight >= 3 {
					s.unnamed = append(s.unnamed, points)
				}
				continue
			}
			key := [2]string{name, kind}
			if weight > 2 {
				key[1] = "" // a street may change its class along the way
			}
			st := of[key]
			if st == nil {
				st = &street{name: name, kind: kind, weight: weight, near: math.Inf(1)}
				of[key] = st
				s.streets = append(s.streets, st)
			}
			if weight > st.weight {
				st.kind, st.weight = kind, weight
			}
			st.oneWay = st.oneWay || f.Text("oneway") == "yes" || f.Is("oneway")
			st.lines = append(st.lines, line{points, level})
		}
	}
}

// plain returns a name in one line without the characters that the text gives a meaning.
func plain(name string) string {
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == ';' }), " ")
}

func (s *scene) addLandmark(t tile, f *vectortile.Feature, parts [][]vectortile.Point, seen map[string][]*landmark) {
	name := plain(f.Text("name"))
	if name == "" || len(parts) == 0 || len(parts[0]) == 0 || f.Layer == "places" && kindOf(f) != "neighbourhood" && kindOf(f) != "locality" {
		return
	}
	var at planePoint
	for _, p := range parts[0] {
		q := t.planePoint(p)
		at.x, at.y = at.x+q.x/float64(len(parts[0])), at.y+q.y/float64(len(parts[0]))
	}
	if max(math.Abs(at.x), math.Abs(at.y)) > s.radius {
		return
	}
	kind := strings.ReplaceAll(cmp.Or(kindDetail(f), kindOf(f), f.Layer), "_", " ")
	if f.Layer == "water" {
		kind = "water: " + strings.ReplaceAll(kindOf(f), "_", " ")
	}
	l := &landmark{name: name, kind: kind, at: at, rank: cmp.Or(f.Number("min_zoom"), 14) + planePoint{}.to(at)/s.radius}
	// What is wide lies in several tiles, and is described once, where it is nearest.
	for i, other := range seen[name] {
		if other.kind == kind && (f.Layer != "pois" || other.at.to(at) < 30) {
			if (planePoint{}).to(at) < (planePoint{}).to(other.at) {
				seen[name][i] = l
			}
			return
		}
	}
	seen[name] = append(seen[name], l)
}

// clipToTile returns the pieces of a line that lie in its tile, which others have beyond
// it, and in the square.
func (s *scene) clipToTile(t tile, part []vectortile.Point) (pieces [][]planePoint) {
	var piece []planePoint
	end := func() {
		if len(piece) > 1 {
			pieces = append(pieces, piece)
		}
		piece = nil
	}
	for i := 1; i < len(part); i++ {
		a, b := part[i-1], part[i]
		lo, hi, ok := clip([4]float64{a.X, a.Y, b.X, b.Y}, 0, 1)
		if !ok {
			end()
			continue
		}
		p, q := t.planePoint(vectortile.Point{X: a.X + lo*(b.X-a.X), Y: a.Y + lo*(b.Y-a.Y)}), t.planePoint(vectortile.Point{X: a.X + hi*(b.X-a.X), Y: a.Y + hi*(b.Y-a.Y)})
		lo, hi, ok = clip([4]float64{p.x, p.y, q.x, q.y}, -s.radius, s.radius)
		if !ok {
			end()
			continue
		}
		p, q = planePoint{p.x + lo*(q.x-p.x), p.y + lo*(q.y-p.y)}, planePoint{p.x + hi*(q.x-p.x), p.y + hi*(q.y-p.y)}
		if len(piece) == 0 || piece[len(piece)-1].to(p) > 0.01 {
			end()
			piece = append(piece, p)
		}
		piece = append(piece, q)
	}
	end()
	return pieces
}

// clip returns the part of a segment (x, y, x, y) that lies in a square, as shares of
// its length.
func clip(s [4]float64, low, high float64) (from, to float64, ok bool) {
	from, to = 0, 1
	for axis := range 2 {
		a, d := s[axis], s[axis+2]-s[axis]
		for i, side := range [2][2]float64{{-d, a - low}, {d, high - a}} {
			switch p, q := side[0], side[1]; {
			case p == 0 && (q < 0 || q == 0 && i == 1): // on the far edge it is the next square's
				return 0, 0, false
			case p < 0:
				from = max(from, q/p)
			case p > 0:
				to = min(to, q/p)
			}
		}
	}
	return from, to, from < to
}

// rank puts what is of most weight first and leaves out what is too much.
func (s *scene) rank() {
	for _, st := range s.streets {
		st.measure()
	}
	// A footpath that bears the name of the street beside it says nothing new.
	score := func(st *street) float64 {
		return st.weight + min(2, st.length/s.radius) + 2*(1-min(1, st.near/s.radius)) + 0.2*float64(min(5, len(st.meets)))
	}
	slices.SortStableFunc(s.streets, func(a, b *street) int {
		return cmp.Or(cmp.Compare(score(b), score(a)), strings.Compare(a.name, b.name))
	})
	slices.SortStableFunc(s.landmarks, func(a, b *landmark) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(a.name, b.name))
	})
	s.dropped = s.dropped || len(s.streets) > maxStreets || len(s.landmarks) > maxLandmarks
	s.streets = s.streets[:min(len(s.streets), maxStreets)]
	s.landmarks = s.landmarks[:min(len(s.landmarks), maxLandmarks)]
}

// measure works out how long a street is and how near.
func (st *street) measure() {
	for _, l := range st.lines {
		for i := 1; i < len(l.points); i++ {
			st.length += l.points[i-1].to(l.points[i])
			st.near = min(st.near, away(planePoint{}, l.points[i-1], l.points[i]))
		}
	}
}

// away returns how far a place lies from a segment.
func away(p, a, b planePoint) float64 {
	dx, dy := b.x-a.x, b.y-a.y
	t := 0.0
	if n := dx*dx + dy*dy; n > 0 {
		t = max(0, min(1, ((p.x-a.x)*dx+(p.y-a.y)*dy)/n))
	}
	return p.to(planePoint{a.x + t*dx, a.y + t*dy})
}
