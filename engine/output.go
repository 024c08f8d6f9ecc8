package engine

// Format is the family of answers a caller wants.
type Format uint8

// The formats.
const (
	NoFormat Format = iota // nothing is written: the caller reads the values
	Native                 // Valhalla's JSON
	OSRM
)

// Directions is how much guidance a native answer carries.
type Directions string

// The amounts of guidance; "" is Instructions.
const (
	NoDirections Directions = "none"
	Manoeuvres   Directions = "maneuvers"
	Instructions Directions = "instructions"
)

// Detail sets how many manoeuvres legs have and which members they get.
type Detail struct {
	// JoinRoundabouts makes one manoeuvre of entering a roundabout and leaving it.
	JoinRoundabouts bool
	// TranslatedNames calls roads by their name in the language asked for wherever
	// there is one, not only where the language is official and signs bear it.
	TranslatedNames bool

	// Of the native format.
	TurnLanes bool // manoeuvres have the lanes before them
	Admins    bool // legs have the countries they go through
}

// Output is how routes are written. A remote engine requests with it bytes in
// that form; for any other engine the writer of the format heeds it.
type Output struct {
	Format   Format
	Language string // BCP 47; "" is en-GB. The names of roads are in it, too
	Miles    bool   // lengths in miles: of the native format, and of what is said and shown
	Detail

	// Of the native format.
	Directions  Directions
	ID          string // echoed
	ShapeFormat string // "polyline6" (default), "polyline5", "geojson", "no_shape"

	// Of OSRM's format. Of a trace an Overview of "" is the whole line in the
	// form of ShapeFormat, with steps.
	Steps         bool
	Overview      string // "simplified" (default), "full", "false"
	Geometries    string // "polyline" (default, precision 5), "polyline6", "geojson"
	SkipWaypoints bool   // leaves out where the locations lie on the roads
	// Annotations describe each piece of the line. Voice and Banners put
	// spoken and shown instructions into the steps, which they need.
	Annotations    Annotations
	Voice, Banners bool
	Urban          bool // intersections say whether the road after them is in town
}

// Speaks reports whether an answer is to hold instructions. What is to be said
// and shown needs them.
func (o *Output) Speaks() bool {
	worded := o.Directions == "" || o.Directions == Instructions
	switch o.Format {
	case Native:
		return worded
	case OSRM:
		return o.Steps && (worded || o.Voice || o.Banners)
	}
	return false
}

// Needs returns the parts of routes that the output requires.
func (o *Output) Needs() Want {
	var w Want
	add := func(part Want, needed bool) {
		if needed {
			w |= part
		}
	}
	switch o.Format {
	case NoFormat:
	case Native:
		w |= WantLine
		add(WantManoeuvres, o.Directions != NoDirections)
		add(WantAdmins, o.Admins)
		w |= WantLevels
	case OSRM:
		add(WantLine, o.Overview != "false")
		add(WantManoeuvres|WantIntersections, o.Steps)
		add(WantPieces, o.Annotations&^AnnotateNodes != 0)
		add(WantNodes, o.Annotations&AnnotateNodes != 0)
		w |= WantAdmins
	}
	return w
}
