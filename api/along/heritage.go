package along

import (
	"context"
	"net/http"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/heritage"
	"github.com/waygate/waygate/voice"
	"github.com/waygate/waygate/voice/audio"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

type heritageIn struct {
	Warnings schema.Warnings
	Body     native.HeritageRequest
}

var heritageDoc = edge.Doc{
	Summary: "Reviewed lines about places along a route", Tags: []string{"analysis"}, Fails: []int{http.StatusNotImplemented},
	Example: "{\"geometry_polyline6\":\"s~wa}Azct{LpCicAvC{vAbBiiAbBc`Al@ej@j@yp@n@gd@rBmt@dEobAnGqcAxQ}sAh\\\\eyBpL{`BbLi}A\",\"duration_s\":300,\"min_gap_s\":30,\"max_offset_m\":60}",
	Description: "What the reviewed heritage corridors of this deployment have to say along a route, to be spoken. The texts were written and reviewed in advance; none is made up when a route comes. " +
		"A line is spoken where the route comes nearest to its place, and where it is for one direction of travel, by a route within 60 degrees of it. From the start on each line is taken that is at least census.gap_m behind the one before, up to max_lines. " +
		"census says what became of all entries, also where no line is spoken. No line claims that a place can be seen or on which side it is. voice_format adds the address of each line's clip, and is a 501 on a deployment without voice; nothing is spoken for it.",
}

// HeritageAnswer is the lines.
type HeritageAnswer struct {
	heritage.Answer
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

// heritage answers from the corridors of all regions in service, since a route without any
// is answered with a census and not refused.
func (d Deps) heritage(ctx context.Context, in *heritageIn) (*HeritageAnswer, error) {
	b := &in.Body
	if b.VoiceFormat != "" {
		if err := d.Voice.Enabled(); err != nil {
			return nil, err
		}
	}
	w, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, err
	}
	a, err := heritage.Along(ctx, w.Heritage(), &heritage.Request{
		Line: b.Line, Duration: b.Duration, GapSeconds: b.GapSeconds(), GapMetres: b.GapM, Offset: b.OffsetM, MostLines: b.MostLines,
	})
	if err != nil {
		return nil, err
	}
	for i := range a.Lines {
		if b.VoiceFormat == "" {
			break
		}
		format := audio.Format(b.VoiceFormat)
		hash, err := d.Voice.Hash(voice.Request{Utterances: []string{a.Lines[i].Say}, Rate: 1, Format: format})
		if err != nil {
			return nil, err
		}
		a.Lines[i].Clip = &heritage.Clip{Hash: hash, URL: voice.Path(hash, format), Format: b.VoiceFormat}
	}
	return &HeritageAnswer{*a, native.AnswerWarnings(in.Warnings...)}, nil
}
