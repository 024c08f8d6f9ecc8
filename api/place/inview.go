package place

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/inview"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

type inViewIn struct {
	edge.Regional
	Warnings    schema.Warnings
	Lat         float64 `query:"lat" required:"true" minimum:"-90" maximum:"90"`
	Lon         float64 `query:"lon" required:"true" minimum:"-180" maximum:"180"`
	Bearing     float64 `query:"bearing_deg" required:"true" minimum:"0" maximum:"360" doc:"where the observer looks, in degrees clockwise from true north; a compass points to magnetic north, and no declination is added"`
	Categories  string  `query:"categories" maxLength:"500" doc:"what the places are, with commas between: kinds as people say them in any of the languages of narration, such as pub, Schloss or railway station, or tokens of OpenStreetMap as reverse geocoding returns them; building reaches named buildings. Words that are neither are refused with the nearest known ones; a token that no place of the region has is warning 912. Categories or a name must be given"`
	Name        string  `query:"name" maxLength:"200" doc:"words that the name of a place must have; case and accents do not count. With categories, both must hold"`
	Width       float64 `query:"fov_deg" minimum:"1" maximum:"360" default:"60" doc:"full width of the sector, half of it on either side of the bearing"`
	Radius      float64 `query:"radius_m" minimum:"1" maximum:"5000" default:"1000"`
	Limit       int     `query:"limit" minimum:"1" maximum:"25" default:"5"`
	Eye         float64 `query:"eye_height_m" minimum:"0" maximum:"1000" default:"1.6" doc:"of the observer's eyes above the ground"`
	Target      float64 `query:"target_height_m" minimum:"0" maximum:"1000" default:"0" doc:"above its ground, of what is looked at; 0 is its foot"`
	VisibleOnly bool    `query:"visible_only" doc:"leaves places out that are hidden or could not be checked, and counts them; the nearest 100 in the sector are checked then"`
	Lang        string  `query:"lang" maxLength:"35" doc:"language of names (BCP 47), local names without it; beyond the contract"`
}

// Points choose the region.
func (in *inViewIn) Points() []geo.Point { return []geo.Point{{Lon: in.Lon, Lat: in.Lat}} }

// mostCategories is how many one look may ask for.
const mostCategories = 20

var inViewDoc = edge.Doc{
	Summary: "Places in a direction of view, and whether they can be seen", Tags: []string{"places"},
	Description: "Places within a sector, the nearest first, each with a verdict. The ground is sampled every 25 m along the line from the eyes to the place, with the curvature of the Earth less refraction (k = 0.13): " +
		"one known point above the line proves that a place is hidden, and a point that is not known never proves that it can be seen. Buildings are those of the map at zoom 14 (at most 32 tiles, the nearest first); those that hold the place or the observer are passed over. " +
		"clear needs all of the ground; whether buildings were looked at too is in basis and checks. Nothing is dropped without being counted in excluded. A call costs 5 Standard calls. 501 on a deployment without an index of places.",
}

// InView lists the places in view.
type InView struct {
	inview.Answer
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

var errNoView = fault.NotEnabled("in-view", "in-view is not enabled here: the region has no index of places; import it again")

func (h heights) inView(ctx context.Context, in *inViewIn) (*InView, error) {
	kinds, err := in.kinds()
	if err != nil {
		return nil, err
	}
	if in.Region.Places == nil {
		return nil, errNoView
	}
	var categories []string
	for _, k := range kinds {
		categories = append(categories, k.categories...)
	}
	s := inview.Service{Places: in.Region.Places}
	if h.service != nil {
		s.Heights, s.Dataset = h.service.Heights, h.service.Dataset
	}
	if m := in.Region.Tiles(); m != nil {
		s.Tiles = m
	}
	look := &inview.Request{
		At: in.Points()[0], Bearing: in.Bearing, Width: in.Width, Radius: in.Radius, Eye: in.Eye, Target: in.Target,
		Limit: in.Limit, Categories: categories, Name: in.Name, Lang: in.Lang, VisibleOnly: in.VisibleOnly,
	}
	var answer *inview.Answer
	var damaged []error
	err = engine.Work(ctx, look.Effort(), func(ctx context.Context) (err error) {
		answer, damaged, err = s.Look(ctx, look)
		return err
	})
	if err != nil {
		return nil, err
	}
	warnings := slices.Clone(in.Warnings)
	for _, k := range kinds {
		if !in.Region.Places.Has(k.categories) {
			warnings = append(warnings, engine.Warning{Code: engine.WarnCategory, Text: fmt.Sprintf("no place of this region is of the kind %s", k.said)})
		}
	}
	for _, err := range damaged {
		h.log.Error("a file of heights or a tile of the map cannot be read", "error", err)
	}
	if len(damaged) > 0 {
		warnings = append(warnings, engine.Warning{Code: engine.WarnHeights, Text: "some heights or buildings could not be read, and count as not known"})
	}
	return &InView{*answer, native.AnswerWarnings(warnings...)}, nil
}

// viewed is a kind of places that a look is for.
type viewed struct {
	said       string
	categories []string
}

// kinds reads the kinds of the request, each once, and refuses one without any and without a
// name, and words that are no kind.
func (in *inViewIn) kinds() (list []viewed, err error) {
	var wrong []fault.Violation
	said := map[string]bool{}
	for c := range strings.SplitSeq(in.Categories, ",") {
		c = strings.TrimSpace(c)
		if c == "" || said[strings.ToLower(c)] {
			continue
		}
		said[strings.ToLower(c)] = true
		categories, bad := geocode.KindOrToken(c, in.Region.Places, "categories")
		if bad != nil {
			wrong = append(wrong, *bad)
		}
		list = append(list, viewed{c, categories})
	}
	switch {
	case len(list) > mostCategories:
		return nil, fault.Invalid(fault.Violation{Location: "categories", Value: len(list), Message: fmt.Sprintf("are %d: at most %d", len(list), mostCategories)})
	case in.Name != "" && !inview.HasWords(in.Name):
		return nil, fault.Invalid(fault.Violation{Location: "name", Value: in.Name, Message: "has neither a letter nor a digit"})
	case len(list) == 0 && in.Name == "":
		return nil, fault.Invalid(fault.Violation{Location: "categories", Message: "is missing: categories or name must be given"})
	}
	return list, fault.Invalid(wrong...)
}
