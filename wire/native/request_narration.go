package native

import (
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/wire/schema"
)

// Narration is the language and the units of routes.
type Narration struct {
	Units             Units              `json:"units,omitempty" doc:"of lengths in the answer; kilometres where nothing is said"`
	Language          Language           `json:"language,omitempty"`
	DirectionsType    engine.Directions  `json:"directions_type,omitempty" enum:"none,maneuvers,instructions" doc:"instructions where nothing is said"`
	DirectionsOptions *DirectionsOptions `json:"directions_options,omitempty" doc:"former place of units, language, directions_type and format; what stands in the present place counts"`
	ShapeFormat       ShapeFormat        `json:"shape_format,omitempty" default:"polyline6"`
	ID                string             `json:"id,omitempty" maxLength:"256" doc:"echoed"`
}

// Units are those of lengths.
type Units string

// Words returns the units.
func (Units) Words() []string { return []string{"kilometers", "km", "miles", "mi"} }

func (u Units) miles() bool { return u == "miles" || u == "mi" }

// ShapeFormat is how lines are written.
type ShapeFormat string

// Words returns the formats.
func (ShapeFormat) Words() []string { return []string{"polyline6", "polyline5", "geojson", "no_shape"} }

// DirectionsOptions is the former place of four members.
type DirectionsOptions struct {
	Units          Units             `json:"units,omitempty"`
	Language       Language          `json:"language,omitempty"`
	DirectionsType engine.Directions `json:"directions_type,omitempty" enum:"none,maneuvers,instructions"`
	Format         string            `json:"format,omitempty" enum:"json,osrm"`
}

// former returns what the former place says.
func (n *Narration) former() (f DirectionsOptions) {
	if n.DirectionsOptions != nil {
		f = *n.DirectionsOptions
	}
	return f
}

func first[T comparable](list ...T) (v T) {
	var nothing T
	for _, one := range list {
		if one != nothing {
			return one
		}
	}
	return nothing
}

// osrm reports whether a format, or where there is none the former place, asks
// for OSRM's.
func (n *Narration) osrm(format string) bool { return first(format, n.former().Format) == "osrm" }

// output returns how routes are written; in OSRM's form there is more to be said.
func (n *Narration) output(format string) engine.Output {
	f := n.former()
	o := engine.Output{
		Format: engine.Native, Miles: first(n.Units, f.Units).miles(), Language: string(first(n.Language, f.Language)),
		Directions: first(n.DirectionsType, f.DirectionsType), ShapeFormat: string(unless(n.ShapeFormat, "polyline6")), ID: n.ID,
	}
	if n.osrm(format) {
		o.Format = engine.OSRM
	}
	return o
}

// Detail selects members of manoeuvres and legs.
type Detail struct {
	TurnLanes       bool  `json:"turn_lanes,omitempty" doc:"manoeuvres have the lanes before them"`
	RoundaboutExits *bool `json:"roundabout_exits,omitempty" default:"true" doc:"false makes one manoeuvre of entering a roundabout and leaving it"`
	TranslatedNames bool  `json:"translated_names,omitempty" doc:"roads are called by their name in the language asked for wherever the map has one; otherwise only where that language is official, so that signs bear it"`
	AdminCrossings  bool  `json:"admin_crossings,omitempty" doc:"summaries of legs have the countries on the way and where it crosses their borders"`
}

func (d *Detail) engine() engine.Detail {
	return engine.Detail{TurnLanes: d.TurnLanes, Admins: d.AdminCrossings, JoinRoundabouts: d.RoundaboutExits != nil && !*d.RoundaboutExits, TranslatedNames: d.TranslatedNames}
}

// Language is a BCP 47 tag. The engine decides whether it has that language.
type Language string

// longestTag bounds a language tag, in bytes.
const longestTag = 35

// Check refuses what is no tag.
func (l *Language) Check(c *schema.Context) {
	switch {
	case len(*l) > longestTag:
		c.Refuse("", string(*l), "has %d bytes and may have %d", len(*l), longestTag)
	case *l != "" && !narrate.IsTag(string(*l)):
		c.Refuse("", string(*l), "must be a BCP 47 language tag such as en-GB")
	}
}

// Describe returns which languages there are.
func (Language) Describe(*schema.Document) *schema.Schema {
	longest := longestTag
	return &schema.Schema{Type: schema.String, MaxLength: &longest, Description: narrate.About()}
}

// Receipted asks for a receipt.
type Receipted struct {
	Receipt bool `json:"receipt,omitempty" doc:"an extension: adds the receipt block, which reports of every parameter of the request whether it was honoured, clamped, ignored or is unknown"`
}

// WantsReceipt reports whether a receipt is requested.
func (r Receipted) WantsReceipt() bool { return r.Receipt }
