package native

import (
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/wire/schema"
)

// Narration is how routes are told.
type Narration struct {
	Units             string             `json:"units,omitempty" enum:"kilometers,km,miles,mi" doc:"of lengths in the answer; kilometres where nothing is said"`
	Language          Language           `json:"language,omitempty"`
	DirectionsType    engine.Directions  `json:"directions_type,omitempty" enum:"none,maneuvers,instructions" doc:"instructions where nothing is said"`
	DirectionsOptions *DirectionsOptions `json:"directions_options,omitempty" doc:"former place of units, language, directions_type and format; what stands in the present place counts"`
	ShapeFormat       string             `json:"shape_format,omitempty" enum:"polyline6,polyline5,geojson,no_shape" default:"polyline6"`
	ID                string             `json:"id,omitempty" maxLength:"256" doc:"echoed"`
}

// DirectionsOptions is the former place of four members.
type DirectionsOptions struct {
	Units          string            `json:"units,omitempty" enum:"kilometers,km,miles,mi"`
	Language       Language          `json:"language,omitempty"`
	DirectionsType engine.Directions `json:"directions_type,omitempty" enum:"none,maneuvers,instructions"`
	Format         string            `json:"format,omitempty" enum:"json,osrm"`
}

// former gives what the former place says.
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

func (n *Narration) miles() bool {
	units := first(n.Units, n.former().Units)
	return units == "miles" || units == "mi"
}

func (n *Narration) language() string {
	return string(first(n.Language, n.former().Language))
}

func (n *Narration) directions() engine.Directions {
	return first(n.DirectionsType, n.former().DirectionsType)
}

// Detail is what more or less manoeuvres and legs tell.
type Detail struct {
	TurnLanes       bool  `json:"turn_lanes,omitempty" doc:"manoeuvres tell the lanes before them"`
	RoundaboutExits *bool `json:"roundabout_exits,omitempty" default:"true" doc:"false makes one manoeuvre of entering a roundabout and leaving it"`
	AdminCrossings  bool  `json:"admin_crossings,omitempty" doc:"summaries of legs tell the countries on the way and where it crosses their borders"`
}

func (d *Detail) engine() engine.Telling {
	return engine.Telling{TurnLanes: d.TurnLanes, Admins: d.AdminCrossings, JoinRoundabouts: d.RoundaboutExits != nil && !*d.RoundaboutExits}
}

// Language is a BCP 47 tag. Whether the engine speaks it, the engine knows.
type Language string

// longestTag bounds a language tag, in bytes.
const longestTag = 35

// Check refuses what is no tag.
func (l *Language) Check(c *schema.Context) {
	switch {
	case len(*l) > longestTag:
		c.Refuse("", string(*l), "has %d bytes and may have %d", len(*l), longestTag)
	case *l != "" && !IsLanguage(string(*l)):
		c.Refuse("", string(*l), "must be a BCP 47 language tag such as en-GB")
	}
}

// Describe says which languages there are.
func (Language) Describe(*schema.Document) *schema.Schema {
	longest := longestTag
	return &schema.Schema{Type: schema.String, MaxLength: &longest, Description: LanguageDoc}
}

// LanguageDoc describes the language of a narration.
var LanguageDoc = "BCP 47 tag of the narration; the embedded engine words it in " + strings.Join(narrate.Languages(), ", ") +
	" (en-GB where none is named), takes the nearest for any other and says so"

// IsLanguage reports whether a tag has the form of BCP 47: parts of up to eight
// letters and digits, the first of them letters. An underscore passes for the
// hyphen between them.
func IsLanguage(tag string) bool {
	first := true
	for part := range strings.SplitSeq(strings.ReplaceAll(tag, "_", "-"), "-") {
		if part == "" || len(part) > 8 || first && len(part) == 1 && strings.IndexByte("iIxX", part[0]) < 0 {
			return false
		}
		if strings.ContainsFunc(part, func(c rune) bool {
			return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (first || c < '0' || c > '9')
		}) {
			return false
		}
		first = false
	}
	return true
}
