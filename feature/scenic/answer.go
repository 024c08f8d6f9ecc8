package scenic

import "encoding/json"

// Kind is a kind of scenery.
type Kind string

// Source is where a candidate came from.
type Source string

// The sources.
const (
	Alternate  Source = "alternate"
	NoMotorway Source = "no_motorway"
)

// Rejected is why a candidate is not called scenic.
type Rejected string

// The reasons, in the order in which they are checked.
const (
	SameRoute      Rejected = "same_route"
	OverTimeBudget Rejected = "over_time_budget"
	NoScenicGain   Rejected = "no_scenic_gain"
	NotEnough      Rejected = "not_scenic_enough"
	NothingToSay   Rejected = "nothing_to_say"
)

// The routes that may be chosen.
const (
	Fastest = "fastest"
	Scenic  = "scenic"
)

// Block reports the scenery of a route. One that is not available has a note alone.
type Block struct {
	Available     bool            `json:"available" doc:"whether the region has a map to read scenery from; without one the block has a note besides and nothing else, and nothing was computed"`
	Chosen        string          `json:"chosen" required:"false" enum:"fastest,scenic"`
	Reason        *string         `json:"reason" required:"false" doc:"why the other route is called scenic; null where none is"`
	Features      []Feature       `json:"features" required:"false" nullable:"false" doc:"of the chosen route, those that count most first"`
	Comparison    *Comparison     `json:"comparison" required:"false" nullable:"false"`
	Alternative   json.RawMessage `json:"alternative,omitempty" doc:"the scenic route"`
	Candidates    []Candidate     `json:"candidates" required:"false" nullable:"false" doc:"the routes that were compared with the fastest. Of those that are not rejected the one with the highest score is chosen"`
	Coverage      *Coverage       `json:"coverage" required:"false" nullable:"false"`
	Metering      *Metering       `json:"metering" required:"false" nullable:"false"`
	Caveats       []string        `json:"caveats" required:"false" nullable:"false"`
	CandidateNote *string         `json:"candidate_note" required:"false" doc:"which comparisons were not made or failed; null where all were made"`
	Note          *string         `json:"note" doc:"why scenery is not available or could not be compared; null otherwise"`
}

// MarshalJSON writes the note alone of a block that is not available.
func (b *Block) MarshalJSON() ([]byte, error) {
	if !b.Available {
		return json.Marshal(struct {
			Available bool    `json:"available"`
			Note      *string `json:"note"`
		}{false, b.Note})
	}
	type whole Block
	return json.Marshal((*whole)(b))
}

// Feature is a kind of scenery along a route.
type Feature struct {
	Kind    Kind    `json:"kind" enum:"coast,protected_landscape,open_water,woodland,watercourse,park,viewpoint,mountain_pass" doc:"coast: within 300 m of the sea; protected_landscape: inside a named national park, nature reserve or protected area; open_water: within 150 m of a lake, a pond or a wide river; woodland: within 50 m of a wood; watercourse: within 100 m of a named river or canal; park: inside a named one; viewpoint: within 200 m of a named one; mountain_pass: within 200 m of a named one. The last three have no weight in the score"`
	Metres  float64 `json:"metres" unit:"metres" doc:"of the route, by samples of 100 m"`
	Longest float64 `json:"longest_run_m" unit:"metres"`
	Share   float64 `json:"share_of_route" minimum:"0" maximum:"1" doc:"of what could be measured of the route"`
	Name    *string `json:"name" doc:"of what the most of these samples are near to; null where the map has none"`
}

// Sums is how long a route is.
type Sums struct {
	Seconds float64 `json:"time_s" unit:"seconds"`
	Metres  float64 `json:"length_m" unit:"metres"`
}

// Comparison gives the extra time and length of the chosen route beside the fastest.
type Comparison struct {
	Fastest      Sums    `json:"fastest"`
	Chosen       Sums    `json:"chosen"`
	ExtraSeconds float64 `json:"extra_time_s" unit:"seconds"`
	ExtraMinutes float64 `json:"extra_minutes" unit:"minutes"`
	ExtraMetres  float64 `json:"extra_length_m" unit:"metres" doc:"negative where the chosen route is shorter"`
	Spoken       string  `json:"spoken" doc:"a sentence in the language of the request"`
}

// Candidate is a route that was compared with the fastest.
type Candidate struct {
	Source   Source    `json:"source" enum:"alternate,no_motorway"`
	Score    float64   `json:"scenic_score" minimum:"-0.25" maximum:"1" doc:"shares of the route near or in scenery by their weights: coast 0.30, protected landscape 0.25, open water 0.20, woodland 0.15, watercourse 0.10; less 0.25 times the share on motorways"`
	Rejected *Rejected `json:"rejected" enum:"same_route,over_time_budget,no_scenic_gain,not_scenic_enough,nothing_to_say" doc:"same_route: as the fastest or as a candidate before; over_time_budget: takes more extra minutes than max_extra_minutes; no_scenic_gain: scores no more than the fastest; not_scenic_enough: scores below 0.15; nothing_to_say: no kind of scenery lies along it for 500 m more than along the fastest, or less than half of one of both could be measured. null for one that would do"`
}

// Coverage names the data that the block rests on.
type Coverage struct {
	Zoom     int     `json:"zoom" doc:"of the tiles"`
	Read     int     `json:"tiles_read"`
	Missing  int     `json:"tiles_missing" doc:"tiles along the routes that the map has not, that are damaged, or that are beyond the 1000 that are read for one answer"`
	Measured float64 `json:"route_share_measured" minimum:"0" maximum:"1" doc:"share of the chosen route around which all tiles were read; the rest counts in no other share"`
}

// Metering gives the price of the block.
type Metering struct {
	Route    int `json:"route_computations" doc:"the route itself"`
	Probes   int `json:"probe_computations" doc:"computations besides that were made and are charged"`
	MostEver int `json:"max_probe_computations" doc:"that were reserved"`
}
