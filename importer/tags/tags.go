// Package tags turns the OSM tags of ways and nodes into the facts of the road graph.
// It is the one place that interprets OSM's tags for travel; the decoder before it does
// not look at them, and the costing after it sees only facts.
//
// Defaults follow the OSM wiki's access hierarchy and, where the wiki leaves them open,
// Valhalla's reading of the same tags, so that both have the same network.
package tags

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/importer/country"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

// Way has the facts of a way's tags, whatever its place in the network. Names, signs
// and limits are pairs and a record that the graph's builder has yet to number.
type Way struct {
	Class    graph.Class
	Use      graph.Use
	Surface  graph.Surface
	Flags    graph.SegFlags
	Hiking   uint8
	Track    uint8    // km/h of a track that no tag limits, 0 where the way is none
	Oneway   int8     // 1 along, -1 against, 0 both, for motor traffic
	Names    []string // key, value, …
	Forward  Side
	Backward Side

	Ferry    bool
	either   [2]graph.Modes // who may travel its directions but for one-way rules
	Duration int            // seconds a ferry takes over the whole way, 0 where not tagged
}

// Side is one direction of a way.
type Side struct {
	Access, Destination graph.Modes
	Private             graph.Modes // of Destination, those who need leave of the owner
	// km/h. Speed is 0 if no tag gives it: it is decided when the density of roads
	// around is known, see DefaultSpeed.
	Speed, Limited, TruckSpeed uint8
	Flags                      graph.EdgeFlags
	Limits                     graph.Limits // without those that have conditions
	LastResort                 string       // the tags that make the road a last resort: hgv=unsuitable
	Attributes                 []string
	// Conditions are the tags whose conditions depend on the vehicle, and limits with
	// conditions, in pairs. Strict are the limits used if there is no room for them.
	Conditions []string
	Strict     graph.Limits
}

// Routable reports quickly whether a way may belong to the network, so that all others
// can be skipped.
func Routable(t osm.Tags) bool {
	if h := t.Get("highway"); h != "" {
		_, ok := highways[h]
		return (ok || opened(t)) && t.Get("area") != "yes"
	}
	switch t.Get("route") {
	case "ferry", "shuttle_train":
		return true
	}
	return pier(t) && t.Get("area") != "yes"
}

// unbuilt are values of highway that no access key opens.
var unbuilt = []string{"proposed", "planned", "abandoned", "disused", "razed", "demolished", "removed", "destroyed", "closed", "no", "none"}

// opened reports whether a way of an unknown kind, such as a runway, may be open to
// modes that an access key names.
func opened(t osm.Tags) bool {
	if slices.Contains(unbuilt, t.Get("highway")) {
		return false
	}
	return slices.ContainsFunc(t, func(tag osm.Tag) bool { return tag.Key != "access" && isAccess(tag.Key) || tag.Key == "cycleway" })
}

// pier reports whether a way is a pier to walk on.
func pier(t osm.Tags) bool {
	return t.Get("man_made") == "pier" && !t.Has("highway") && !t.Has("route")
}

// highway is the meaning of a value of the highway key by itself.
type highway struct {
	class  graph.Class
	use    graph.Use
	access graph.Modes
	link   bool
}

const (
	everybody = graph.AllModes
	noFeet    = graph.Motor &^ graph.MotorScooter
	onFoot    = graph.Pedestrian | graph.Wheelchair
	active    = onFoot | graph.Bicycle
)

var highways = map[string]highway{
	"motorway":         {graph.Motorway, graph.Road, noFeet, false},
	"motorway_link":    {graph.Motorway, graph.Ramp, noFeet, true},
	"trunk":            {graph.Trunk, graph.Road, everybody, false},
	"trunk_link":       {graph.Trunk, graph.Ramp, everybody, true},
	"primary":          {graph.Primary, graph.Road, everybody, false},
	"primary_link":     {graph.Primary, graph.Ramp, everybody, true},
	"secondary":        {graph.Secondary, graph.Road, everybody, false},
	"secondary_link":   {graph.Secondary, graph.Ramp, everybody, true},
	"tertiary":         {graph.Tertiary, graph.Road, everybody, false},
	"tertiary_link":    {graph.Tertiary, graph.Ramp, everybody, true},
	"unclassified":     {graph.Unclassified, graph.Road, everybody, false},
	"road":             {graph.ServiceOther, graph.Road, everybody, false},
	"residential":      {graph.Residential, graph.Road, everybody, false},
	"residential_link": {graph.Residential, graph.Ramp, everybody, true},
	"living_street":    {graph.ServiceOther, graph.LivingStreet, everybody, false},
	"service":          {graph.ServiceOther, graph.ServiceRoad, everybody, false},
	"track":            {graph.ServiceOther, graph.Track, everybody, false},
	"busway":           {graph.ServiceOther, graph.Road, graph.Bus | graph.Emergency, false},
	"bus_guideway":     {graph.ServiceOther, graph.Road, graph.Bus | graph.Emergency, false},
	"cycleway":         {graph.ServiceOther, graph.Cycleway, graph.Bicycle, false},
	"path":             {graph.ServiceOther, graph.Trail, active, false},
	"footway":          {graph.ServiceOther, graph.Footway, onFoot, false},
	"pedestrian":       {graph.ServiceOther, graph.PedestrianStreet, onFoot, false},
	"steps":            {graph.ServiceOther, graph.Steps, graph.Pedestrian | graph.Bicycle, false},
	"bridleway":        {graph.ServiceOther, graph.Bridleway, 0, false},
	"corridor":         {graph.ServiceOther, graph.Footway, onFoot, false},
	"elevator":         {graph.ServiceOther, graph.Elevator, onFoot, false},
	"platform":         {graph.ServiceOther, graph.Footway, onFoot, false},
	"construction":     {graph.ServiceOther, graph.Construction, 0, false},
}

// Read returns the facts of a way's tags; ok is false if no mode may use it.
func Read(t osm.Tags, c *country.Country) (w Way, ok bool) {
	h, known := highways[t.Get("highway")]
	ferry := false
	switch {
	case known:
	case t.Has("highway"):
		h = highway{class: graph.ServiceOther, use: graph.Road}
	case pier(t):
		h = highways["footway"]
	default:
		h, ferry = highway{class: graph.Primary, use: graph.Ferry, access: active}, true
		if t.Get("route") == "shuttle_train" {
			h.use = graph.RailFerry
			h.access = graph.Motor
		}
	}
	if h.use != graph.Construction && yes(t.Get("construction")) {
		h.use = graph.Construction
	}
	w = Way{Class: h.class, Use: h.use, Ferry: ferry}
	if t.Get("highway") == "construction" {
		under, known := highways[t.Get("construction")]
		if !known {
			return w, false
		}
		// Access of the future road, for the option that ignores construction.
		w.Class, h.access = under.class, under.access
	}
	h.access = byLaw(c, t.Get("highway"), h.access)
	w.use(t)
	w.flags(t, c, h.link)
	if c.Code == "GB" && britishRideable(t) {
		h.access |= graph.Bicycle
	}
	w.access(t, h.access)
	if w.Forward.Access|w.Backward.Access == 0 && w.Use != graph.Construction && !opensByCondition(t) {
		return w, false
	}
	w.surface(t)
	if t.Get("highway") == "track" {
		w.Track = poorestTrack
		if v, ok := trackSpeed[t.Get("tracktype")]; ok {
			w.Track = v
		}
	}
	if t.Get("junction") == "intersection" && w.Use != graph.Ramp {
		w.Forward.Flags |= graph.Internal
		w.Backward.Flags |= graph.Internal
	}
	w.speeds(t)
	w.limits(t)
	w.tolls(t)
	w.lastResort()
	w.bicycles(t)
	w.names(t)
	w.levels(t)
	w.signs(t)
	w.conditions(t)
	if ferry {
		w.Duration = Duration(t.Get("duration"))
	}
	return w, true
}

// britishRideable reports whether a path is one that Great Britain opens to bicycles:
// public bridleways by the Countryside Act 1968, and byways.
func britishRideable(t osm.Tags) bool {
	switch t.Get("highway") {
	case "path", "footway", "track":
		switch t.Get("designation") {
		case "public_bridleway", "restricted_byway", "byway_open_to_all_traffic", "core_path":
			return true
		}
	}
	return false
}

var services = map[string]graph.Use{
	"driveway": graph.Driveway, "alley": graph.Alley, "parking_aisle": graph.ParkingAisle,
	"emergency_access": graph.EmergencyAccess, "drive-through": graph.DriveThrough,
}

func (w *Way) use(t osm.Tags) {
	switch w.Use {
	case graph.ServiceRoad:
		if u, ok := services[t.Get("service")]; ok {
			w.Use = u
		}
	case graph.Footway:
		switch t.Get("footway") {
		case "sidewalk":
			w.Use = graph.Sidewalk
		case "crossing":
			w.Use = graph.Crossing
		}
	case graph.Steps:
		if conveying := t.Get("conveying"); conveying != "" && conveying != "no" {
			w.Use = graph.Escalator
		}
	}
}

func yes(v string) bool { return v == "yes" || v == "true" || v == "1" }

func (w *Way) flags(t osm.Tags, c *country.Country, link bool) {
	set := func(on bool, f graph.SegFlags) {
		if on {
			w.Flags |= f
		}
	}
	tunnel, bridge := t.Get("tunnel"), t.Get("bridge")
	junction := t.Get("junction")
	set(link, graph.Link)
	set(tunnel != "" && tunnel != "no" && tunnel != "culvert", graph.Tunnel)
	set(bridge != "" && bridge != "no", graph.Bridge)
	set(junction == "roundabout" || junction == "circular", graph.Roundabout)
	set(t.Get("lit") != "" && t.Get("lit") != "no", graph.Lit)
	set(!t.Has("lit"), graph.LitUnknown)
	set(yes(t.Get("seasonal")), graph.Seasonal)
	indoor := t.Get("indoor")
	set(indoor != "" && !no(indoor) || t.Get("highway") == "corridor", graph.Indoor)
	set(yes(t.Get("ford")), graph.Ford)
	set(t.Get("payment:cash") == "only", graph.CashToll)
	left := c.Left
	switch t.Get("driving_side") {
	case "left":
		left = true
	case "right":
		left = false
	}
	set(left, graph.DriveOnLeft)
	w.Hiking = hiking[t.Get("sac_scale")]
	if yes(t.Get("lcn")) || yes(t.Get("rcn")) || yes(t.Get("ncn")) {
		w.Flags |= graph.BikeNetwork
	}
}

var hiking = map[string]uint8{
	"hiking": 1, "mountain_hiking": 2, "demanding_mountain_hiking": 3, "alpine_hiking": 4,
	"demanding_alpine_hiking": 5, "difficult_alpine_hiking": 6,
}

// names keeps the names in all their languages, and as ref the road's own number with
// the international ones after it, because the signs of some streets show only those.
func (w *Way) names(t osm.Tags) {
	if ref := refs(t.Get("ref"), t.Get("int_ref")); ref != "" {
		w.Names = append(w.Names, "ref", ref)
	}
	for _, tag := range t {
		switch {
		case tag.Value == "":
		case tag.Key == "name", tag.Key == "alt_name", tag.Key == "official_name",
			tag.Key == "tunnel:name", tag.Key == "bridge:name", tag.Key == "junction:name", tag.Key == "operator" && w.Ferry,
			strings.HasPrefix(tag.Key, "name:") && len(tag.Key) <= len("name:zh-Hant"):
			w.Names = append(w.Names, tag.Key, tag.Value)
		}
	}
}

// refs joins the parts of two values, each once.
func refs(own, international string) string {
	joined := own
	for part := range strings.SplitSeq(international, ";") {
		if part = strings.TrimSpace(part); part == "" || slices.ContainsFunc(strings.Split(own, ";"), func(p string) bool { return strings.TrimSpace(p) == part }) {
			continue
		}
		if joined != "" {
			joined += ";"
		}
		joined += part
	}
	return joined
}

// levels keeps on which floors the way lies, where that can be read.
func (w *Way) levels(t osm.Tags) {
	level, name := t.Get(graph.LevelKey), t.Get(graph.LevelNameKey)
	l := graph.ParseLevels(level, name)
	if !l.Single && !l.Changes && l.Names == 0 {
		return
	}
	w.Flags |= graph.HasLevels
	for _, tag := range [...]osm.Tag{{Key: graph.LevelKey, Value: level}, {Key: graph.LevelNameKey, Value: name}} {
		if tag.Value != "" {
			w.Names = append(w.Names, tag.Key, tag.Value)
		}
	}
}
