package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/cmd/waygate/offline"
	"github.com/waygate/waygate/cmd/waygate/regions"
	"github.com/waygate/waygate/cmd/waygate/version"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/territory"
	"github.com/waygate/waygate/voice"
	"github.com/waygate/waygate/voice/audio"
	"github.com/waygate/waygate/voice/pack"
)

type voiceCommand struct {
	Fill voiceFillCommand `cmd:"" help:"Make the clips of all phrases of the narration for a region, in the store of a server (SVC_VOICE_STORE). Existing clips are not made again."`
	Pack voicePackCommand `cmd:"" help:"Publish these clips as a signed layer of the region's territory."`
	Find voiceFindCommand `cmd:"" help:"Find the clips that speak a text in a pack."`
}

// repertoire is the phrases of a region and how they are spoken.
type repertoire struct {
	Region   string        `group:"Clips" required:"" type:"existingdir" help:"Folder of the region." placeholder:"DIR"`
	Language string        `group:"Clips" default:"en-GB" help:"Language of the narration (BCP 47)."`
	Voice    string        `group:"Clips" help:"ID of the voice; by default the first of the language." placeholder:"ID"`
	Rate     float64       `group:"Clips" default:"1" help:"Speed of speech, 0.5 to 2."`
	Media    audio.Format  `group:"Clips" name:"format" default:"opus" enum:"opus,m4a,wav" help:"Format of the clips (${enum})."`
	Miles    bool          `group:"Clips" help:"Miles and yards rather than kilometres and metres."`
	Costings []string      `group:"Clips" default:"auto" enum:"auto,bicycle,pedestrian" help:"Travellers (${enum}), separated by commas."`
	Roads    int           `group:"Clips" help:"Take the names of this many of the longest roads, and this many of the most frequent signs; 0 takes all." placeholder:"N"`
	Settings voiceSettings `embed:"" group:"Voice"`
}

// open returns what makes clips, to be closed.
func (c *repertoire) open(ctx context.Context, data string) (*voice.Service, error) {
	if err := c.Settings.validate(); err != nil {
		return nil, err
	}
	if c.Rate < 0.5 || c.Rate > 2 {
		return nil, fmt.Errorf("--rate is %g; it must be 0.5 to 2", c.Rate)
	}
	if c.Roads < 0 {
		return nil, fmt.Errorf("--roads is %d; it must be at least 0", c.Roads)
	}
	s, err := c.Settings.voice(ctx, data, slog.New(slog.DiscardHandler))
	if err == nil && s == nil {
		err = errors.New("there is no speech engine: set SVC_VOICE_URL, or install espeak-ng")
	}
	return s, err
}

func (c *repertoire) request() voice.Request {
	return voice.Request{Language: c.Language, Voice: c.Voice, Rate: c.Rate, Format: c.Media}
}

// mostPhrases bounds the phrases of a region.
const mostPhrases = 2_000_000

// phrases returns those of the region, and how many there are of each kind.
func (c *repertoire) phrases() (list iter.Seq[string], counts [pack.Kinds]int, err error) {
	all, err := pack.Of(c.Region, pack.Options{Language: c.Language, Miles: c.Miles, Costings: c.Costings, Most: c.Roads})
	if err != nil {
		return nil, counts, err
	}
	size := 0
	for k := range all {
		counts[k]++
		if size++; size > mostPhrases {
			return nil, counts, fmt.Errorf("there are more than %d phrases: take fewer --roads", mostPhrases)
		}
	}
	return func(yield func(string) bool) {
		for _, text := range all {
			if !yield(text) {
				return
			}
		}
	}, counts, nil
}

type voiceFillCommand struct {
	repertoire `embed:""`
	Data       string `env:"SVC_DATA_DIR" help:"Data folder of the server; by default waygate in the user's data folder." type:"path" placeholder:"DIR"`
}

// Run fills the bank.
func (c *voiceFillCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout, os.Stderr) }

func (c *voiceFillCommand) run(ctx context.Context, out, progress io.Writer) error {
	s, err := c.open(ctx, c.Data)
	if err != nil {
		return err
	}
	defer s.Close()
	phrases, counts, err := c.phrases()
	if err != nil {
		return err
	}
	size, said := int64(0), make([]string, 0, len(counts))
	for k, n := range counts {
		size += int64(n)
		said = append(said, fmt.Sprintf("%d %s", n, pack.Kind(k)))
	}
	if _, err := fmt.Fprintf(progress, "%d phrases: %s\n", size, strings.Join(said, ", ")); err != nil {
		return err
	}
	bar := regions.NewProgress(progress)
	f, err := s.Fill(ctx, c.request(), phrases, func(n int) {
		bar.Report(importer.Progress{Stage: "voice", Done: int64(n), Size: size})
	})
	bar.Finish()
	what := fmt.Sprintf("%d phrases: %d clips made, %d held before", size, f.Added, f.Held)
	switch {
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("%s; interrupted, run the same command again to continue", what)
	case err != nil:
		return fmt.Errorf("%s; then: %w", what, readable(err))
	case f.Failed > 0:
		return fmt.Errorf("%s, %d failed, the first because: %w; run the same command again to try these", what, f.Failed, f.Err)
	case f.Refused > 0:
		what += fmt.Sprintf(", %d that cannot be spoken", f.Refused)
	}
	_, err = fmt.Fprintln(out, what)
	return err
}

// readable is the error of a request with what is wrong with it.
func readable(err error) error {
	var f *fault.Error
	if !errors.As(err, &f) || len(f.Fields) == 0 {
		return err
	}
	return fmt.Errorf("%w (%v)", err, f.Fields)
}

type voicePackCommand struct {
	repertoire        `embed:""`
	offline.Publisher `embed:"" group:"Publication"`
	Territory         string `help:"ID of the territory; by default the region's." placeholder:"ID"`
}

// Run packs and publishes.
func (c *voicePackCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *voicePackCommand) run(ctx context.Context, out io.Writer) (err error) {
	s, err := c.repertoire.open(ctx, c.Data)
	if err != nil {
		return err
	}
	defer s.Close()
	store, place, key, err := c.Publisher.Open()
	if err != nil {
		return err
	}
	id := c.Territory
	if id == "" {
		m, err := region.ReadManifest(c.Region)
		if err != nil {
			return err
		}
		id = m.ID
	}
	phrases, _, err := c.phrases()
	if err != nil {
		return err
	}
	clips, about, missing, err := c.held(ctx, s, phrases)
	switch {
	case err != nil:
		return readable(err)
	case len(clips) == 0:
		return errors.New("no clip of these phrases is held: run waygate voice fill with the same options first")
	}
	file, err := os.CreateTemp("", "waygate-voice-*.zip")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(file.Name())) }()
	err = pack.Write(file, about, clips, func(clip pack.Clip) ([]byte, error) { return sound(ctx, s, clip.Hash, about.Media) })
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	m, fresh, err := territory.PublishVoice(ctx, store, territory.Publication{Key: key, Builder: version.Number}, id, file.Name(), about.FileName())
	if err != nil {
		return err
	}
	if missing > 0 {
		_, _ = fmt.Fprintf(out, "%d of %d phrases have no clip: run waygate voice fill with the same options for them\n", missing, missing+len(clips))
	}
	return c.Report(m, fresh, place, key)
}

// held lists the clips of phrases that are held, and counts the others.
func (c *voicePackCommand) held(ctx context.Context, s *voice.Service, phrases iter.Seq[string]) (clips []pack.Clip, about pack.About, missing int, err error) {
	r := c.request()
	for text := range phrases {
		if err := ctx.Err(); err != nil {
			return nil, about, 0, err
		}
		r.Utterances = []string{text}
		e, err := s.Held(ctx, r)
		switch {
		case fault.Is(err, fault.BadRequest) && len(clips)+missing > 0:
			continue // such as a name without a letter, which fill counts
		case err != nil:
			return nil, about, 0, err
		case e == nil:
			missing++
			continue
		}
		about = pack.About{Language: e.Language, Voice: e.Voice, Rate: e.Rate, Media: e.Format}
		clips = append(clips, pack.Clip{Phrase: text, Hash: e.Hash, Seconds: e.Seconds})
	}
	return clips, about, missing, nil
}

// sound reads a clip that is held.
func sound(ctx context.Context, s *voice.Service, hash string, f audio.Format) (_ []byte, err error) {
	clip, err := s.Clip(ctx, hash, f)
	if err != nil {
		return nil, err
	}
	r, err := clip.Open(ctx, 0, clip.Size)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return io.ReadAll(r)
}

type voiceFindCommand struct {
	Pack string `arg:"" type:"existingfile" help:"File of the pack, voice-….zip in the folder of a pulled territory." placeholder:"FILE"`
	Text string `arg:"" help:"Text as the narration writes it."`
	Out  string `help:"Folder to write the clips to." type:"path" placeholder:"DIR"`
}

// Run finds.
func (c *voiceFindCommand) Run() error { return c.run(os.Stdout) }

func (c *voiceFindCommand) run(out io.Writer) (err error) {
	p, err := pack.Open(c.Pack)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	list := p.Find(c.Text)
	if len(list) == 0 {
		return fmt.Errorf("no clip among the %d of this pack (%s, %s) speaks %q", p.Len(), p.Language, p.Voice, c.Text)
	}
	for _, clip := range list {
		name := clip.Hash + "." + string(p.Media)
		if c.Out != "" {
			data, err := p.Sound(clip)
			if err != nil {
				return err
			}
			if err := blob.NewFolder(c.Out).Write(context.Background(), name, strings.NewReader(string(data)), int64(len(data))); err != nil {
				return err
			}
			name = filepath.Join(c.Out, name)
		}
		if _, err := fmt.Fprintf(out, "%s\t%.1f s\t%s\n", name, clip.Seconds, clip.Phrase); err != nil {
			return err
		}
	}
	return nil
}
