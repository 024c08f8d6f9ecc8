package style

import (
	"reflect"
	"strings"
)

// palette is the colours of a look, by the names that themes give them.
type palette struct {
	Earth      string `colour:"earth"`
	Housing    string `colour:"housing"`
	Works      string `colour:"works"`
	Park       string `colour:"park"`
	Wood       string `colour:"wood"`
	Scrub      string `colour:"scrub"`
	Field      string `colour:"field"`
	Wetland    string `colour:"wetland"`
	Sand       string `colour:"sand"`
	Rock       string `colour:"rock"`
	Ice        string `colour:"ice"`
	School     string `colour:"school"`
	Hospital   string `colour:"hospital"`
	Airfield   string `colour:"airfield"`
	Pedestrian string `colour:"pedestrian"`

	Water        string `colour:"water"`
	WaterEdge    string `colour:"water_edge"`
	Flat         string `colour:"tidal_flat"`
	Shade        string `colour:"relief_shade"`
	Light        string `colour:"relief_light"`
	Contour      string `colour:"contour"`
	Building     string `colour:"building"`
	BuildingEdge string `colour:"building_edge"`

	Motorway     string `colour:"motorway"`
	MotorwayEdge string `colour:"motorway_edge"`
	Trunk        string `colour:"trunk"`
	TrunkEdge    string `colour:"trunk_edge"`
	Primary      string `colour:"primary"`
	PrimaryEdge  string `colour:"primary_edge"`
	Street       string `colour:"street"`
	StreetEdge   string `colour:"street_edge"`
	Path         string `colour:"path"`
	Track        string `colour:"track"`
	Tunnel       string `colour:"tunnel"`
	Rail         string `colour:"rail"`
	RailSleeper  string `colour:"rail_sleeper"`
	Ferry        string `colour:"ferry"`
	Runway       string `colour:"runway"`
	Border       string `colour:"border"`
	BorderHalo   string `colour:"border_halo"`

	Text          string `colour:"text"`
	TextSoft      string `colour:"text_soft"`
	TextHalo      string `colour:"text_halo"`
	TextWater     string `colour:"text_water"`
	TextWaterHalo string `colour:"text_water_halo"`
	TextPark      string `colour:"text_park"`
	TextRoad      string `colour:"text_road"`
	TextStation   string `colour:"text_station"`

	Shield             string `colour:"shield"`
	ShieldHalo         string `colour:"shield_halo"`
	MotorwayShield     string `colour:"motorway_shield"`
	MotorwayShieldHalo string `colour:"motorway_shield_halo"`
	EuropeanShield     string `colour:"european_shield"`
	EuropeanShieldHalo string `colour:"european_shield_halo"`
}

// alike names the colours that are as another one where a theme sets that alone.
func alike() map[string]string { return map[string]string{"scrub": "wood", "wetland": "field"} }

// ColourNames lists the colours that a theme may set.
func ColourNames() []string {
	var names []string
	for f := range reflect.TypeFor[palette]().Fields() {
		names = append(names, f.Tag.Get("colour"))
	}
	return names
}

// paletteOf takes the colours of a theme that has all.
func paletteOf(colours map[string]string) palette {
	var p palette
	v := reflect.ValueOf(&p).Elem()
	for i := range v.NumField() {
		v.Field(i).SetString(colours[v.Type().Field(i).Tag.Get("colour")])
	}
	return p
}

// Group is a part of the map that a theme may show or leave out.
type Group struct {
	Name  string
	Usual bool // shown where no theme says so
}

// Groups are the parts of the map.
//
//nolint:gochecknoglobals // a constant table
var Groups = []Group{
	{"landuse", true},
	{"relief", true},
	{"contours", false},
	{"buildings", true},
	{"buildings_3d", false},
	{"house_numbers", true},
	{"streets", true},
	{"paths", true},
	{"rails", true},
	{"ferries", true},
	{"runways", true},
	{"boundaries", true},
	{"water_names", true},
	{"road_names", true},
	{"one_ways", true},
	{"transit_lines", false},
	{"shields", true},
	{"pois", true},
	{"stations", true},
	{"place_names", true},
}

// Colours returns the colours of a look by their names.
func Colours(l *ResolvedTheme) map[string]string {
	out := map[string]string{}
	v := reflect.ValueOf(l.palette)
	for i, name := range ColourNames() {
		out[name] = v.Field(i).String()
	}
	return out
}

// Classes lists the classes of roads and other lines whose width a theme may set.
func Classes() []string {
	return []string{"motorway", "trunk", "primary", "secondary", "tertiary", "link", "street", "service", "path", "track", "pedestrian", "rail", "ferry"}
}

// Named lists the groups of names whose size a theme may set.
func Named() []string {
	return []string{"place_names", "road_names", "water_names", "pois", "stations", "house_numbers", "shields", "transit_lines", "contours"}
}

// Kinds lists the kinds of points of interest that a theme may leave out: those that have an
// icon, but for stations.
func Kinds() []string {
	return strings.Fields(`alcohol allotments alpine_hut apartment aquarium archaeological_site arts_centre artwork atm
		attraction bakery bank bar battlefield beach beauty bicycle bicycle_parking bicycle_rental books butcher cafe
		camp_site car_parts car_rental car_repair caravan_site castle cave_entrance cemetery chalet charging_station
		chemist childcare cinema clinic clothes college community_centre confectionery convenience courthouse dentist
		department_store doctors doityourself drinking_water fast_food fire_station florist forest fort fuel furniture
		gallery garden garden_centre gift golf_course greengrocer guest_house hairdresser hardware hospital hostel hotel
		ice_cream information jewelry kindergarten kiosk laundry library lighthouse mall marina marketplace memorial
		military mobile_phone monument motel museum national_park nature_reserve newsagent nightclub observatory optician
		park parking peak pet pharmacy picnic_site pitch place_of_worship playground police post_box post_office pub
		recreation_ground recycling restaurant ruins saddle school shelter shoes shop social_facility sports
		sports_centre spring square stadium supermarket swimming_pool telephone theatre theme_park toilets townhall
		university veterinary viewpoint village_green volcano water_park waterfall windmill wine wood zoo`)
}
