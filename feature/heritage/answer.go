package heritage

// Answer has the lines to speak, and counts how every entry was treated.
type Answer struct {
	Route       Route     `json:"route"`
	Corridor    *Corridor `json:"corridor" doc:"that has the most entries within reach; where none has any, the first that is served; null on a deployment without corridors"`
	Lines       []Line    `json:"lines" nullable:"false" doc:"by at_m; an entry is spoken once, where the route first comes nearest to its place"`
	Census      Census    `json:"census"`
	Attribution []string  `json:"attribution" nullable:"false" doc:"to be shown with the lines, word for word"`
	Caveat      string    `json:"caveat"`
}

// Route is the line of the request.
type Route struct {
	Length float64 `json:"length_m" decimals:"1"`
	Points int     `json:"shape_points"`
}

// Corridor is the corridor that an answer is about.
type Corridor struct {
	_          struct{} `nullable:"true"`
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	Road       string   `json:"road"`
	ReviewedOn string   `json:"reviewed_on" doc:"day of the last review, YYYY-MM-DD"`
}

// Line is one line to speak.
type Line struct {
	At        float64  `json:"at_m" decimals:"1" doc:"metres from the start of the route"`
	Offset    float64  `json:"offset_m" decimals:"1" doc:"metres from the place to the route"`
	Say       string   `json:"say"`
	Subject   string   `json:"subject"`
	Basis     string   `json:"basis" enum:"plaque,map,record" doc:"what the text rests on: the words of a plaque, other facts of a map, another published record"`
	PlaqueIDs []string `json:"plaque_ids" nullable:"false"`
	ID        string   `json:"id"`
	Corridor  string   `json:"corridor" doc:"beyond the contract: id of the line's corridor"`
	Source    string   `json:"source" doc:"beyond the contract: address of what the text was checked against"`
	Licence   string   `json:"licence" doc:"beyond the contract: of the source"`
	Clip      *Clip    `json:"clip,omitempty" doc:"of say, where voice_format is given"`
}

// Clip addresses the sound of a line. Nothing is spoken for it: POST /v1/voice/clips does.
type Clip struct {
	Hash   string `json:"hash"`
	URL    string `json:"url" doc:"of the clip on this server; 404 until it was made"`
	Format string `json:"format" enum:"opus,m4a"`
}

// Census counts what became of the entries. Those within and beyond reach are all; those
// spoken and silenced are all within reach.
type Census struct {
	Corridor  *string  `json:"corridor" doc:"id of the answer's corridor; the counts are of all corridors that are served"`
	Entries   int      `json:"corpus_entries"`
	Within    int      `json:"within_reach" doc:"no further from the route than max_offset_m"`
	Beyond    int      `json:"beyond_reach"`
	Spoken    int      `json:"spoken"`
	Budget    int      `json:"silenced_by_budget" doc:"within gap_m of the line before, or more than max_lines"`
	Direction int      `json:"silenced_by_direction" doc:"beyond the contract: for those who travel in another direction"`
	Gap       float64  `json:"gap_m" decimals:"1" doc:"least distance along the route between two lines"`
	Basis     string   `json:"gap_basis" enum:"time,distance" doc:"time: min_gap_s at the mean speed; distance: min_gap_m"`
	Speed     *float64 `json:"mean_speed_kph" decimals:"1" doc:"of the whole route; null without duration_s"`
}

// caveat stands in every answer.
const caveat = "Lines are reviewed texts about places near the route, as of the day of their review. None claims that a place can be seen, or on which side of the road it is. Silence says that there is no reviewed text here or that the budget was spent, not that there is nothing to see."
