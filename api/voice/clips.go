package voice

import (
	"context"
	"io"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/edge/httpfile"
	"github.com/waygate/waygate/api/problem"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/voice"
	"github.com/waygate/waygate/voice/audio"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// clips is the endpoints.
type clips struct{ service *voice.Service }

// ClipsRequest has the texts to be spoken, and how.
type ClipsRequest struct {
	Utterances []string `json:"utterances" minItems:"1" maxItems:"50" of:"texts" minLength:"1" maxLength:"1000" doc:"plain texts, such as the spoken instructions of a route; 10,000 characters together"`
	Language   string   `json:"language,omitempty" maxLength:"64" default:"en-GB" doc:"BCP 47 tag of a language that the narration has"`
	Voice      string   `json:"voice,omitempty" maxLength:"64" doc:"ID of a voice of the language; by default the first"`
	Rate       float64  `json:"rate,omitempty" minimum:"0.5" maximum:"2" default:"1" doc:"speed, 1 being the usual one; two decimals count"`
	Format     string   `json:"format,omitempty" enum:"opus,m4a,wav" default:"opus" doc:"wav is beyond the contract; m4a needs ffmpeg on the server"`
}

type clipsIn struct {
	Warnings schema.Warnings
	Body     ClipsRequest

	plan *voice.Plan
}

// Price returns a unit for each clip that is not held.
func (in *clipsIn) Price() edge.Price { return edge.Price{Times: in.plan.Missing()} }

// SpokenClips are the results for the utterances of a request.
type SpokenClips struct {
	Clips    []SpokenClip           `json:"clips" nullable:"false" doc:"in the order of the utterances"`
	Pending  int                    `json:"pending" doc:"how many of them are still made"`
	Failed   int                    `json:"failed" doc:"how many of them have a problem"`
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

// SpokenClip is the result for one utterance.
type SpokenClip struct {
	Hash     string           `json:"hash" doc:"addresses the clip: of the text as it is spoken, language, voice, rate, format and engine"`
	Text     string           `json:"text" doc:"as it is spoken: numbers, roads, units and abbreviations in words"`
	URL      string           `json:"url" doc:"of the clip on this server, to which a key is sent, too; 404 while it is pending"`
	Format   string           `json:"format" enum:"opus,m4a,wav"`
	Duration *float64         `json:"duration_s" unit:"seconds" doc:"null while it is not made"`
	Bytes    *int64           `json:"bytes" doc:"null while it is not made"`
	Cached   bool             `json:"cached" doc:"the clip was held, or another caller had it made: it cost nothing"`
	Pending  bool             `json:"pending" doc:"the clip is still made; the same request again has it later, and costs nothing more"`
	Problem  *problem.Problem `json:"problem,omitempty" doc:"why it was not made; it cost nothing"`
}

const voiceAbsent = " 501 (voice-not-enabled) on a deployment without a speech engine."

var clipsDoc = edge.Doc{
	Summary: "Speak utterances", Tags: []string{"voice"}, Example: `{"utterances":["In 400 metres, turn right onto the A4042."],"language":"en-GB"}`,
	Fails: []int{http.StatusNotImplemented, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout},
	Description: "Each clip is made once for all callers and then held. One unit for each new clip; those that are held, and those that fail, cost nothing. " +
		"What is not made within a few seconds is pending. Markup is not read: its words are spoken." + voiceAbsent,
}

// lettersWork is the time to write out a letter as it is spoken. Fewer than fewLetters need no
// slot.
const (
	lettersWork = 2 * time.Microsecond
	fewLetters  = 400
)

// plan reads a request, in a slot where that takes long, and looks for its clips.
func (c clips) plan(ctx context.Context, r voice.Request) (*voice.Plan, error) {
	letters := 0
	for _, text := range r.Utterances {
		letters += utf8.RuneCountInString(text)
	}
	read := func(context.Context) (*voice.Plan, error) { return c.service.Read(r) }
	var p *voice.Plan
	var err error
	if letters < fewLetters {
		p, err = read(ctx)
	} else {
		p, err = engine.WorkFor(ctx, engine.Estimate{Kind: "voice-texts", Work: time.Duration(letters) * lettersWork, Bytes: 1 << 20, Cores: 1, Cheaper: "fewer utterances"}, read)
	}
	if err != nil {
		return nil, err
	}
	if err := c.service.Look(ctx, p); err != nil {
		return nil, err
	}
	if n := p.Missing(); n > 0 {
		each := min(p.Letters(), mostLetters) / float64(n)
		edge.CallOf(ctx).Expect(engine.Estimate{Kind: "voice", Work: time.Duration(each * float64(letterWork)), Bytes: int64(each * letterBytes), Cores: 1, Cheaper: "shorter utterances"})
	}
	return p, nil
}

// The time that a letter of a clip takes to be encoded. More than mostLetters are not encoded
// while their caller waits: such clips are pending.
const (
	letterWork  = 2500 * time.Microsecond
	letterBytes = 64 << 10
	mostLetters = 4000
)

func (c clips) prepare(ctx context.Context, in *clipsIn) (free bool, err error) {
	b := &in.Body
	in.plan, err = c.plan(ctx, voice.Request{Utterances: b.Utterances, Language: b.Language, Voice: b.Voice, Rate: b.Rate, Format: audio.Format(b.Format)})
	return err == nil && in.plan.Missing() == 0, err
}

func (c clips) make(ctx context.Context, in *clipsIn) (*SpokenClips, error) {
	list, units, err := c.service.Make(ctx, in.plan, c.service.Wait)
	if err != nil {
		return nil, err
	}
	edge.CallOf(ctx).Use(units)
	answer := &SpokenClips{Clips: make([]SpokenClip, len(list)), Warnings: native.AnswerWarnings(in.Warnings...)}
	for i := range list {
		o := &list[i]
		clip := SpokenClip{Hash: o.Hash, Text: o.Text, URL: voice.Path(o.Hash, o.Format), Format: string(o.Format), Cached: o.Cached}
		switch {
		case o.Err != nil:
			clip.Problem = problem.Of(o.Err)
			answer.Failed++
		case o.Entry == nil:
			clip.Pending = true
			answer.Pending++
		default:
			clip.Duration, clip.Bytes = &o.Entry.Seconds, &o.Entry.Bytes
		}
		answer.Clips[i] = clip
	}
	if answer.Failed == len(list) {
		return nil, list[0].Err
	}
	return answer, nil
}

type clipIn struct {
	Hash string `path:"hash" doc:"of the clip"`
	Ext  string `path:"ext" doc:"opus, m4a or wav"`
	httpfile.Request
}

func fileDoc(summary, description string) edge.Doc {
	return edge.Doc{
		Summary: summary, Description: description, Tags: []string{"voice"},
		Fails:   []int{http.StatusNotFound, http.StatusPreconditionFailed, http.StatusRequestedRangeNotSatisfiable, http.StatusNotImplemented, http.StatusServiceUnavailable},
		Headers: map[string]string{"ETag": "the hash of the clip", "Accept-Ranges": "bytes", "Content-Range": "of a part"},
		Answers: []edge.Answer{
			{Description: "the clip"},
			{Media: "audio/mp4"},
			{Media: "audio/wav"},
			{Status: http.StatusPartialContent, Description: "a part of the clip"},
			{Status: http.StatusPartialContent, Media: "audio/mp4"},
			{Status: http.StatusPartialContent, Media: "audio/wav"},
			{Status: http.StatusNotModified, Description: "not changed"},
		},
	}
}

var clipDoc = fileDoc("A clip", "A clip that is held. It never changes, takes one range of bytes, and costs nothing."+voiceAbsent)

func (c clips) file(w http.ResponseWriter, r *http.Request, in *clipIn) error {
	format := audio.Format(in.Ext)
	clip, err := c.service.Clip(r.Context(), in.Hash, format)
	if err != nil {
		return err
	}
	return httpfile.Send(w, r, &in.Request, &httpfile.File{Size: clip.Size, Tag: `"` + in.Hash + `"`, Media: format.Media(), Open: clip.Open})
}

type speechIn struct {
	Text     string  `query:"text" required:"true" minLength:"1" maxLength:"1000" doc:"plain text"`
	Language string  `query:"language" maxLength:"64" default:"en-GB" doc:"as of POST /v1/voice/clips"`
	Voice    string  `query:"voice" maxLength:"64" doc:"as of POST /v1/voice/clips"`
	Rate     float64 `query:"rate" minimum:"0.5" maximum:"2" default:"1" doc:"speed"`
	Format   string  `query:"format" enum:"opus,m4a,wav" default:"opus"`

	plan *voice.Plan
}

// Price returns a unit where the clip is not held.
func (in *speechIn) Price() edge.Price { return edge.Price{} }

var speechDoc = edge.Doc{
	Summary: "Speak a text", Tags: []string{"voice"},
	Fails:       []int{http.StatusNotImplemented, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout},
	Answers:     []edge.Answer{{Description: "the whole clip"}, {Media: "audio/mp4"}, {Media: "audio/wav"}},
	Description: "The clip itself, for apps that speak while driving, such as those with Ferrostar or MapLibre Navigation. It is made where it is not held, for one unit, and else costs nothing. 504 where it is not made in time: the same request has it later." + voiceAbsent,
}

// speechWait is how long a caller waits for a clip.
const speechWait = 20 * time.Second

func (c clips) prepareSpeech(ctx context.Context, in *speechIn) (free bool, err error) {
	in.plan, err = c.plan(ctx, voice.Request{Utterances: []string{in.Text}, Language: in.Language, Voice: in.Voice, Rate: in.Rate, Format: audio.Format(in.Format)})
	return err == nil && in.plan.Missing() == 0, err
}

func (c clips) speech(w http.ResponseWriter, r *http.Request, in *speechIn) error {
	list, units, err := c.service.Make(r.Context(), in.plan, speechWait)
	if err != nil {
		return err
	}
	o := &list[0]
	switch {
	case o.Err != nil:
		return o.Err
	case o.Entry == nil:
		return fault.New(fault.UpstreamTimeout, "the clip is still made; the same request has it in some seconds")
	}
	edge.CallOf(r.Context()).Use(units)
	clip, err := c.service.Clip(r.Context(), o.Hash, o.Format)
	if err != nil {
		return err
	}
	sound, err := clip.Open(r.Context(), 0, clip.Size)
	if err != nil {
		return err
	}
	defer sound.Close()
	body, err := io.ReadAll(io.LimitReader(sound, clip.Size))
	if err != nil {
		return err
	}
	return edge.SendAs(w, o.Format.Media(), body)
}

type bankIn struct {
	Voice  string `query:"voice" required:"true" minLength:"1" maxLength:"64" doc:"ID of a voice"`
	Format string `query:"format" enum:"opus,m4a,wav" default:"opus"`
	After  string `query:"after" maxLength:"64" doc:"hash of the last clip of the page before"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"1000"`
}

// ClipBank is a page of the clips that are held.
type ClipBank struct {
	Clips []BankClip `json:"clips" nullable:"false" doc:"in the order of their hashes"`
	Next  *string    `json:"next" doc:"hash to go on after; null at the end"`
}

// BankClip is a clip that is held.
type BankClip struct {
	Hash     string  `json:"hash"`
	Text     string  `json:"text" doc:"as it is spoken"`
	Language string  `json:"language"`
	Rate     float64 `json:"rate"`
	Duration float64 `json:"duration_s" unit:"seconds"`
	Bytes    int64   `json:"bytes"`
	URL      string  `json:"url" doc:"of the clip on this server"`
}

var bankDoc = edge.Doc{
	Summary: "The bank of clips", Tags: []string{"voice"}, Fails: []int{http.StatusNotImplemented, http.StatusServiceUnavailable},
	Description: "The clips that are held of a voice and a format, paged by hash. It costs nothing." + voiceAbsent,
}

// bankEffort is of reading the entries of a page, each an object of the store, and writing them.
var bankEffort = engine.Estimate{Kind: "voice-bank", Work: 20 * time.Millisecond, Bytes: 4 << 20, Cores: 1, Cheaper: "a smaller limit"}

func (c clips) bank(ctx context.Context, in *bankIn) (*ClipBank, error) {
	p, err := c.service.Bank(ctx, in.Voice, audio.Format(in.Format), in.After, in.Limit)
	if err != nil {
		return nil, err
	}
	answer := &ClipBank{Clips: make([]BankClip, 0, len(p.Entries))}
	for _, e := range p.Entries {
		answer.Clips = append(answer.Clips, BankClip{Hash: e.Hash, Text: e.Text, Language: e.Language, Rate: e.Rate, Duration: e.Seconds, Bytes: e.Bytes, URL: voice.Path(e.Hash, e.Format)})
	}
	if p.Next != "" {
		answer.Next = &p.Next
	}
	return answer, nil
}
