package clearance

// Verdict is the conclusion on an axis.
type Verdict string

// The verdicts.
const (
	// Pass: every station clears by more than its bound, over gap-free coverage.
	Pass Verdict = "pass"
	// Fail: at least one station does not clear by its measured figure.
	Fail Verdict = "fail"
	// Indeterminate: some station clears by its measured figure and not beyond doubt.
	Indeterminate Verdict = "indeterminate"
	// NoVerdict: gaps of coverage prevent an answer.
	NoVerdict Verdict = "no_verdict"
	// NotAssessed: of the width, which was not given, or where no height could be assessed.
	NotAssessed Verdict = "not_assessed"
)

// Reason is why an axis has its verdict.
type Reason string

// The reasons.
const (
	DoesNotClear      Reason = "does_not_clear"
	WithinUncertainty Reason = "within_uncertainty"
	DependsOnLane     Reason = "depends_on_lane"
	FoliageTooOld     Reason = "foliage_survey_too_old"
	Unconfirmed       Reason = "sources_unconfirmed"
	NotSurveyed       Reason = "not_surveyed"
	InsufficientData  Reason = "insufficient_data"
	NoWidth           Reason = "no_vehicle_width"
	NoHeight          Reason = "height_not_assessed"
)

// hints are the sentences of resolution_hint, by the reason that comes first among those of an
// axis, in this order.
var hints = []hint{
	{DoesNotClear, "Take another route, or a vehicle that fits: at the limiting station the measured clearance is less than the vehicle and its margin need."},
	{NotSurveyed, "Have the sections in not_surveyed surveyed, or drive a route that avoids them: nothing is known of clearances there."},
	{InsufficientData, "Have the sections in insufficient_data surveyed again from below and more densely: the survey there does not show what hangs over or stands beside the road."},
	{Unconfirmed, "Ask the operator to confirm the survey's files against the manifest, or to build the measurements again: until then nothing passes on them."},
	{FoliageTooOld, "Have the vegetation at the limiting station looked at or surveyed again: it has grown since the survey."},
	{DependsOnLane, "Find out which lane the vehicle takes at the limiting station: it clears in a part of the road's width only."},
	{WithinUncertainty, "Measure at the limiting station on site, or have it surveyed again more densely: the vehicle clears the measured figure by less than its uncertainty."},
	{NoHeight, "Have the route surveyed: the width is assessed only where the height is."},
	{NoWidth, "Send vehicle_width_m to have the width assessed."},
}

type hint struct {
	reason Reason
	text   string
}

// Report is whether a vehicle clears what was measured along a line.
type Report struct {
	Length   float64   `json:"route_m" decimals:"1" doc:"metres, length of the line"`
	Vehicle  Vehicle   `json:"vehicle" doc:"as it was assessed"`
	Margin   float64   `json:"margin_m" decimals:"3" doc:"that was added to the vehicle's height"`
	Height   Axis      `json:"height"`
	Width    Axis      `json:"width"`
	Enforced Enforced  `json:"enforcement"`
	Datasets []Dataset `json:"datasets" nullable:"false" doc:"surveys whose measurements were used, by name"`
}

// Vehicle gives the sizes that were assessed.
type Vehicle struct {
	Height    float64  `json:"height_m" decimals:"3"`
	Width     *float64 `json:"width_m" decimals:"3" doc:"null where none was given: heights are assessed for a vehicle of 2.6 m then"`
	Wheelbase float64  `json:"wheelbase_m" decimals:"3" doc:"of the longest rigid part, which rises over the road in a sag; beyond the contract"`
	Swept     float64  `json:"swept_width_m" decimals:"3" doc:"width across which heights are assessed around each place where the vehicle may drive: its own and 0.25 m on either side"`
}

// Axis is the verdict on the height or the width.
type Axis struct {
	Verdict    Verdict   `json:"verdict" enum:"pass,fail,indeterminate,no_verdict,not_assessed"`
	Required   *float64  `json:"required_m" decimals:"3" doc:"that has to be clear: the vehicle and its margin; null where none was given"`
	Limiting   *Worst    `json:"limiting" doc:"the worst station, to a centimetre where the vehicle passes it; null where nothing was measured, as under the open sky"`
	Failures   []Failure `json:"all_failures" nullable:"false" doc:"where the vehicle does not clear the measured figure, in the order of the line; neighbouring stations are one"`
	MoreFails  int       `json:"failures_omitted,omitempty" doc:"failures beyond the first 200"`
	Doubts     []Doubt   `json:"doubts" nullable:"false" doc:"where the vehicle clears the measured figure and not beyond doubt, in the order of the line; beyond the contract"`
	MoreDoubts int       `json:"doubts_omitted,omitempty" doc:"doubts beyond the first 200"`
	Coverage   *Coverage `json:"coverage" doc:"null where the axis is not assessed"`
	Reasons    []Reason  `json:"reasons" nullable:"false" enum:"does_not_clear,within_uncertainty,depends_on_lane,foliage_survey_too_old,sources_unconfirmed,not_surveyed,insufficient_data,no_vehicle_width,height_not_assessed" doc:"of the verdict, the weightiest first; none of a pass"`
	Hint       *string   `json:"resolution_hint" doc:"what would settle the matter, a sentence; null of a pass"`
}

// Figure is a measured clearance. It stands for all of the swept width.
type Figure struct {
	Headroom float64 `json:"headroom_m" decimals:"3" doc:"measured clearance, of the height square to the road's surface and less what a long vehicle rises in a sag; of the width the free width"`
	Safe     float64 `json:"safe_headroom_m" decimals:"3" doc:"headroom_m less two sigma_m and sampling_gap_m, by which passing is decided"`
	Sigma    float64 `json:"sigma_m" decimals:"4" doc:"standard deviation of headroom_m"`
	Gap      float64 `json:"sampling_gap_m" decimals:"4" doc:"how much further something could reach in between the returns of the survey"`
}

// Place is where on the line.
type Place struct {
	Arc float64 `json:"arc_m" decimals:"1" doc:"metres from the start"`
	Lat float64 `json:"lat" decimals:"6"`
	Lon float64 `json:"lon" decimals:"6"`
}

// Station is a place with what was measured there.
type Station struct {
	Place
	Figure
	Lift    float64 `json:"lift_m" decimals:"3" doc:"by which headroom_m was reduced, as a long vehicle rises over the road in a sag or at its ends; 0 of the width"`
	Surface string  `json:"surface" enum:"structure,wire,foliage,unknown" doc:"what is lowest, or nearest"`
	Dataset string  `json:"dataset"`
	Dates   string  `json:"survey_dates" doc:"from/to, ISO 8601"`
}

// Worst is the worst station, where something was measured.
type Worst struct {
	_ struct{} `nullable:"true"`
	Station
	Across []Across `json:"cross_section,omitempty" doc:"of the limiting station: what was measured across the road; beyond the contract"`
}

// Across is a part of a cross-section.
type Across struct {
	From     float64  `json:"from_m" decimals:"2" doc:"metres from the line, to the right in the direction of travel; negative is to the left"`
	To       float64  `json:"to_m" decimals:"2"`
	Headroom *float64 `json:"headroom_m" decimals:"3" doc:"of the lowest above; null is the open sky"`
	Surface  string   `json:"surface" enum:"structure,wire,foliage,unknown,sky,unseen" doc:"sky is nothing below the height that the survey looked up to; unseen is not known"`
	Lane     bool     `json:"carriageway" doc:"vehicles drive there"`
	Obstacle bool     `json:"obstacle" doc:"something stands there"`
}

// Failure is a section in which the vehicle does not clear.
type Failure struct {
	From  float64 `json:"from_arc_m" decimals:"1"`
	To    float64 `json:"to_arc_m" decimals:"1"`
	Worst Station `json:"worst"`
}

// Doubt is a section in which the vehicle does not clear beyond doubt.
type Doubt struct {
	From   float64 `json:"from_arc_m" decimals:"1"`
	To     float64 `json:"to_arc_m" decimals:"1"`
	Reason Reason  `json:"reason" enum:"within_uncertainty,depends_on_lane,foliage_survey_too_old,sources_unconfirmed"`
	Worst  *Worst  `json:"worst" doc:"null where nothing is overhead"`
}

// Coverage is how much of the line was assessed. A line is covered completely or partially; one
// that is covered completely has no lists of gaps.
type Coverage struct {
	_            struct{} `nullable:"true"`
	Kind         string   `json:"kind" enum:"complete,partial" doc:"only with complete an axis passes"`
	Assessed     float64  `json:"assessed_m" decimals:"1" doc:"metres of the line; of complete its length"`
	NotSurveyed  *[]Span  `json:"not_surveyed,omitempty" doc:"of partial: sections of which no survey is here, in the order of the line"`
	Insufficient *[]Span  `json:"insufficient_data,omitempty" doc:"of partial: sections where a survey does not show enough, as of a deck that was seen from above only"`
	Unlisted     *Omitted `json:"omitted,omitempty" doc:"of partial: what is beyond the first 200 sections of a list"`
}

// Omitted counts sections that a list has no room for.
type Omitted struct {
	NotSurveyed  int `json:"not_surveyed"`
	Insufficient int `json:"insufficient_data"`
}

// Span is a located section of the line.
type Span struct {
	From  float64 `json:"from_arc_m" decimals:"1"`
	To    float64 `json:"to_arc_m" decimals:"1"`
	Begin LonLat  `json:"from"`
	End   LonLat  `json:"to"`
}

// LonLat is a position in degrees.
type LonLat struct {
	Lat float64 `json:"lat" decimals:"6"`
	Lon float64 `json:"lon" decimals:"6"`
}

// Enforced is the statement of what a report is and what it is not.
type Enforced struct {
	Basis     string  `json:"basis" enum:"surveyed_pointcloud_within_survey_difference"`
	Certified bool    `json:"route_certified" doc:"always false"`
	Datum     *string `json:"vertical_datum" doc:"of the surveys that were used; null where none was, or they differ"`
	Caveat    string  `json:"caveat"`
}

// Dataset is a survey whose measurements were used.
type Dataset struct {
	Dataset string `json:"dataset"`
	Dates   string `json:"survey_dates" doc:"from/to, ISO 8601"`
	Stale   bool   `json:"stale" doc:"its sources could not be confirmed: nothing passes on it"`
}
