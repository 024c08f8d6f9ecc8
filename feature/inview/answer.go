package inview

import (
	"math"
	"slices"
)

// Answer lists the places in view.
type Answer struct {
	Observer Observer `json:"observer"`
	Results  []Result `json:"results" nullable:"false" doc:"the nearest first"`
	Excluded Excluded `json:"excluded"`
	Coverage Coverage `json:"coverage"`
	Caveat   string   `json:"caveat"`
}

// Observer is the place and the height from which the view is taken.
type Observer struct {
	Lat     float64  `json:"lat" unit:"degrees"`
	Lon     float64  `json:"lon" unit:"degrees"`
	Bearing float64  `json:"bearing_deg" unit:"degrees" doc:"clockwise from true north"`
	Width   float64  `json:"fov_deg" unit:"degrees" doc:"full width of the sector"`
	Half    float64  `json:"half_angle_deg" unit:"degrees"`
	Radius  float64  `json:"radius_m" unit:"metres"`
	Eye     float64  `json:"eye_height_m" unit:"metres"`
	Target  float64  `json:"target_height_m" unit:"metres"`
	Ground  *float64 `json:"ground_elevation_m" unit:"metres" doc:"null where it is not known"`
}

// Result is a place in the sector.
type Result struct {
	Name       string     `json:"name"`
	Lat        float64    `json:"lat" unit:"degrees"`
	Lon        float64    `json:"lon" unit:"degrees"`
	Categories []string   `json:"categories" nullable:"false"`
	Type       string     `json:"type" doc:"kind of place, as reverse geocoding has it"`
	Distance   float64    `json:"distance_m" unit:"metres"`
	Bearing    float64    `json:"bearing_deg" unit:"degrees" doc:"clockwise from true north"`
	Offset     float64    `json:"angular_offset_deg" unit:"degrees" minimum:"-180" maximum:"180" doc:"from the direction of view: negative is to the left of it, positive to the right"`
	Visibility Visibility `json:"visibility"`
}

// Excluded counts the places within the radius that are not among the results.
type Excluded struct {
	OutOfSector int `json:"out_of_sector"`
	Unchecked   int `json:"beyond_visibility_check" doc:"in the sector, and further away than the last place that was looked at"`
	Occluded    int `json:"occluded" doc:"with visible_only: hidden; beyond the contract"`
	Unknown     int `json:"unknown" doc:"with visible_only: could not be checked; beyond the contract"`
}

// Coverage names the data of the answer.
type Coverage struct {
	Found    int      `json:"places_within_radius" doc:"that have the categories and the name, in any direction"`
	Radius   float64  `json:"searched_radius_m" unit:"metres" doc:"how far places were looked for: radius_m, or less where there are more than 20,000"`
	Dataset  *string  `json:"elevation_dataset" doc:"what the heights are; null without any"`
	Ground   *float64 `json:"elevation_share" minimum:"0" maximum:"1" doc:"share of the points on the sight lines whose height is known; null where none was looked for"`
	Interval float64  `json:"sample_interval_m" unit:"metres" doc:"most between two points of a sight line"`
	Tiles    int      `json:"building_tiles_read"`
	Missing  int      `json:"building_tiles_missing" doc:"tiles on the sight lines that the map has not"`
	Beyond   int      `json:"building_tiles_beyond_range" doc:"tiles that were not read, for those nearer are the most that are read for one answer"`
}

// Verdict is whether a place can be seen.
type Verdict string

// The verdicts.
const (
	Clear    Verdict = "clear"
	Occluded Verdict = "occluded"
	Unknown  Verdict = "unknown"
)

// Visibility is the verdict on a place and what it rests on.
type Visibility struct {
	Verdict     Verdict      `json:"verdict" enum:"clear,occluded,unknown" doc:"clear needs the ground of the whole line; basis says whether buildings were looked at too"`
	Obstruction *Obstruction `json:"obstruction" doc:"what stands highest above the sight line; null unless occluded"`
	Checks      Checks       `json:"checks"`
	Basis       string       `json:"basis" enum:"terrain-and-buildings,terrain-only,buildings-only,nothing" doc:"what was looked at along the whole line, or hides the place"`
}

// Checks has a check for each kind of obstacle.
type Checks struct {
	Terrain   Check `json:"terrain"`
	Buildings Check `json:"buildings"`
}

// Check is the result for one kind of obstacle.
type Check struct {
	Verdict Verdict `json:"verdict" enum:"clear,occluded,unknown"`
	Reason  *string `json:"reason" enum:"no-elevation-data,beyond-building-range,no-building-data" doc:"why it is unknown, else null. no-elevation-data: a height on the line is not known; beyond-building-range: the line is longer than buildings are read for; no-building-data: the map has nothing there"`
}

// Why a check is unknown.
const (
	noElevation = "no-elevation-data"
	beyondRange = "beyond-building-range"
	noBuildings = "no-building-data"
)

// Obstruction is the obstacle that hides a place.
type Obstruction struct {
	_        struct{} `nullable:"true"`
	Kind     string   `json:"kind" enum:"terrain,building"`
	Distance float64  `json:"distance_m" unit:"metres" doc:"from the observer"`
	Above    float64  `json:"height_above_sightline_m" unit:"metres"`
	Height   *float64 `json:"building_height_m" unit:"metres" doc:"above its ground; null of terrain"`
	Basis    *string  `json:"building_height_basis" enum:"mapped,assumed" doc:"mapped: from a mapped height, or three metres for each mapped level; assumed: neither is mapped and it is taken to be 6 m high; null of terrain"`
}

const caveat = "Heights are of the bare ground: trees, walls and bridges are not in them, and they err by some metres. Of buildings without a mapped height two storeys are assumed. clear is a computed line of sight and no promise that something can be made out; bearings are from true north."

func observerOf(q *Request) Observer {
	return Observer{Lat: q.At.Lat, Lon: q.At.Lon, Bearing: q.Bearing, Width: q.Width, Half: q.Width / 2, Radius: q.Radius, Eye: q.Eye, Target: q.Target}
}

func resultOf(c *candidate, v Visibility) Result {
	r := Result{
		Name: c.Name, Lat: rounded(c.At.Lat, 1e7), Lon: rounded(c.At.Lon, 1e7), Categories: slices.Concat([]string{}, c.Categories), Type: c.Kind.String(),
		Distance: rounded(c.Metres, 10), Bearing: math.Mod(rounded(c.bearing, 10), 360), Offset: rounded(c.offset, 10), Visibility: v,
	}
	return r
}

func rounded(v, parts float64) float64 {
	if v = math.Round(v*parts) / parts; v == 0 {
		return 0 // without a sign
	}
	return v
}
