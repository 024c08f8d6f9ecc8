package staticmap

import (
	"math"

	"github.com/waygate/waygate/geo"
)

// Camera is where a map is looked at from.
type Camera struct {
	Center  geo.Point
	Zoom    float64 // at 0 the world is 512 pixels wide
	Bearing float64 // degrees
	Pitch   float64 // degrees
}

const (
	world     = 512  // pixels of the world at zoom 0
	nearest   = 17.0 // zoom to which overlays are fitted at the most
	onePlace  = 15.0 // the same for a single place
	margin    = 36.0 // pixels round overlays, where there is room
	pinHeight = 40.0 // pixels that a pin stands above its place
	maxLat    = 85.051129
)

// flat is a place on the projected world, which is 1 wide and high.
type flat struct{ x, y float64 }

func project(lon, lat float64) flat {
	s := math.Sin(max(-maxLat, min(maxLat, lat)) * math.Pi / 180)
	return flat{lon/360 + 0.5, 0.5 - math.Log((1+s)/(1-s))/(4*math.Pi)}
}

func (f flat) point() geo.Point {
	lon := (f.x - 0.5) * 360
	lat := math.Atan(math.Sinh(math.Pi*(1-2*f.y))) * 180 / math.Pi
	return geo.Point{Lon: math.Mod(math.Mod(lon+180, 360)+360, 360) - 180, Lat: lat}
}

// rotated returns a place as it lies on an image with a bearing.
func (f flat) rotated(bearing float64) flat {
	sin, cos := math.Sincos(-bearing * math.Pi / 180)
	return flat{f.x*cos - f.y*sin, f.x*sin + f.y*cos}
}

// Camera returns that of the image: the one asked for, or one from which the box or
// all that is drawn on the map is seen.
func (r *Request) Camera() Camera {
	c := Camera{Zoom: r.Zoom, Bearing: r.Bearing, Pitch: r.Pitch}
	var corners []flat
	var left, top, right, bottom float64
	limit := float64(MaxZoom)
	switch {
	case r.Center != nil:
		c.Center = *r.Center
		return c
	case r.Box != nil:
		low, high := project(r.Box.Min.Lon, r.Box.Min.Lat), project(r.Box.Max.Lon, r.Box.Max.Lat)
		corners = []flat{low, high, {low.x, high.y}, {high.x, low.y}}
	default:
		corners = r.drawn()
		left, right = r.room(margin, r.Width), r.room(margin, r.Width)
		top, bottom = r.room(margin, r.Height), r.room(margin, r.Height)
		if len(r.Markers) > 0 {
			top += r.room(pinHeight-margin/2, r.Height)
		}
		limit = nearest
	}
	low, high := flat{math.Inf(1), math.Inf(1)}, flat{math.Inf(-1), math.Inf(-1)}
	for _, f := range corners {
		f = f.rotated(c.Bearing)
		low, high = flat{min(low.x, f.x), min(low.y, f.y)}, flat{max(high.x, f.x), max(high.y, f.y)}
	}
	wide, high2 := float64(r.Width)-left-right, float64(r.Height)-top-bottom
	if low == high {
		limit = onePlace
	}
	scale := min(wide/world/(high.x-low.x), high2/world/(high.y-low.y))
	c.Zoom = max(0, min(limit, math.Log2(scale)))
	pixel := 1 / (world * math.Exp2(c.Zoom))
	middle := flat{(low.x+high.x)/2 - (left-right)/2*pixel, (low.y+high.y)/2 - (top-bottom)/2*pixel}
	c.Center = middle.rotated(-c.Bearing).point()
	return c
}

// room returns a margin where there is room for it, and at most an eighth of a side.
func (r *Request) room(margin float64, side int) float64 { return min(margin, float64(side)/8) }

// drawn returns the places of overlays and markers, on that side of the
// antimeridian where they are closer together.
func (r *Request) drawn() (list []flat) {
	west, east, beyond := math.Inf(1), math.Inf(-1), [2]float64{math.Inf(1), math.Inf(-1)}
	add := func(lon, lat float64) {
		list = append(list, project(lon, lat))
		west, east = min(west, lon), max(east, lon)
		if lon < 0 {
			lon += 360
		}
		beyond = [2]float64{min(beyond[0], lon), max(beyond[1], lon)}
	}
	for _, o := range r.Overlays {
		for _, p := range o.points {
			add(p.Lon, p.Lat)
		}
	}
	for _, m := range r.Markers {
		add(m.At[0], m.At[1])
	}
	if beyond[1]-beyond[0] < east-west {
		for i := range list {
			if list[i].x < 0.5 {
				list[i].x++
			}
		}
	}
	return list
}

// View returns the box of the visible ground, as if from straight above: what a pitch
// shows beyond is far away.
func (c Camera) View(width, height int) geo.Bounds {
	middle := project(c.Center.Lon, c.Center.Lat)
	pixel := 1 / (world * math.Exp2(c.Zoom))
	b := geo.NoBounds()
	for _, corner := range [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		off := flat{corner[0] * float64(width) / 2 * pixel, corner[1] * float64(height) / 2 * pixel}.rotated(-c.Bearing)
		at := flat{middle.x + off.x, max(0, min(1, middle.y+off.y))}
		p := at.point()
		p.Lon = (at.x - 0.5) * 360
		b = b.Extend(p)
	}
	return b.Wrapped()
}
