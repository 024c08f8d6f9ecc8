package answer

// The answer in OSRM's format as its clients read it.

type osrmAnswer struct {
	Code      string         `json:"code"`
	Routes    []osrmRoute    `json:"routes"`
	Waypoints []osrmWaypoint `json:"waypoints"`
}

type osrmRoute struct {
	Distance    float64   `json:"distance"`
	Duration    float64   `json:"duration"`
	Weight      float64   `json:"weight"`
	WeightName  string    `json:"weight_name"`
	VoiceLocale string    `json:"voiceLocale"`
	Geometry    any       `json:"geometry"` // string or line
	Legs        []osrmLeg `json:"legs"`
}

type osrmLeg struct {
	Distance   float64       `json:"distance"`
	Duration   float64       `json:"duration"`
	Weight     float64       `json:"weight"`
	Summary    string        `json:"summary"`
	Steps      []osrmStep    `json:"steps"`
	Annotation *annotation   `json:"annotation"`
	Via        []viaWaypoint `json:"via_waypoints"`
}

type viaWaypoint struct {
	Distance float64 `json:"distance_from_start"`
	Geometry int     `json:"geometry_index"`
	Waypoint int     `json:"waypoint_index"`
}

type annotation struct {
	Distance    []float64        `json:"distance"`
	Duration    []float64        `json:"duration"`
	Speed       []float64        `json:"speed"`
	Weight      []float64        `json:"weight"`
	Nodes       []*int64         `json:"nodes"`
	DataSources []int            `json:"datasources"`
	MaxSpeed    []map[string]any `json:"maxspeed"`
	Metadata    struct {
		Names []string `json:"datasource_names"`
	} `json:"metadata"`
}

type osrmStep struct {
	Geometry      any                `json:"geometry"`
	Maneuver      osrmManeuver       `json:"maneuver"`
	Name          string             `json:"name"`
	Ref           string             `json:"ref"`
	Destinations  string             `json:"destinations"`
	Exits         string             `json:"exits"`
	RotaryName    string             `json:"rotary_name"`
	Mode          string             `json:"mode"`
	DrivingSide   string             `json:"driving_side"`
	Distance      float64            `json:"distance"`
	Duration      float64            `json:"duration"`
	Weight        float64            `json:"weight"`
	Intersections []intersection     `json:"intersections"`
	Voice         []voiceInstruction `json:"voiceInstructions"`
	Banners       []banner           `json:"bannerInstructions"`
}

type osrmManeuver struct {
	Type          string     `json:"type"`
	Modifier      string     `json:"modifier"`
	Location      [2]float64 `json:"location"`
	BearingBefore int        `json:"bearing_before"`
	BearingAfter  int        `json:"bearing_after"`
	Exit          int        `json:"exit"`
	Instruction   string     `json:"instruction"`
}

type intersection struct {
	Location [2]float64 `json:"location"`
	Bearings []int      `json:"bearings"`
	Entry    []bool     `json:"entry"`
	In       *int       `json:"in"`
	Out      *int       `json:"out"`
	Classes  []string   `json:"classes"`
	Geometry *int       `json:"geometry_index"`
	Lanes    []struct {
		Indications   []string `json:"indications"`
		Valid, Active bool
	} `json:"lanes"`
}

type voiceInstruction struct {
	At           float64 `json:"distanceAlongGeometry"`
	Announcement string  `json:"announcement"`
	SSML         string  `json:"ssmlAnnouncement"`
}

type banner struct {
	At        float64        `json:"distanceAlongGeometry"`
	Primary   bannerContent  `json:"primary"`
	Secondary *bannerContent `json:"secondary"`
	Sub       *bannerContent `json:"sub"`
}

type bannerContent struct {
	Text       string `json:"text"`
	Type       string `json:"type"`
	Modifier   string `json:"modifier"`
	Degrees    int    `json:"degrees"`
	Components []struct {
		Text       string   `json:"text"`
		Type       string   `json:"type"`
		Directions []string `json:"directions"`
		Active     bool     `json:"active"`
		Direction  string   `json:"active_direction"`
	} `json:"components"`
}

type osrmWaypoint struct {
	Name     string     `json:"name"`
	Location [2]float64 `json:"location"`
	Distance float64    `json:"distance"`
}
