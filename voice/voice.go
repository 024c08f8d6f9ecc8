// Package voice makes clips of speech, each once, and keeps them. It addresses a clip by a
// hash of all that it is made of, has a speech engine make it behind a queue, and stores it where
// every replica finds it.
package voice

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/voice/audio"
	"github.com/waygate/waygate/voice/speech"
)

// Options are those of New. Engine, Store and Encoder are required.
type Options struct {
	Engine  speech.Engine
	Store   blob.Store
	Encoder *audio.Encoder
	Workers int           // clips that are made at once; 0 is 2
	Queue   int           // clips that wait or are made, at the most; 0 is 1,000
	Wait    time.Duration // how long a request waits for its clips; 0 is 3 s
	Limit   time.Duration // how long the making of one clip may take; 0 is 30 s
	Log     *slog.Logger  // nil is slog.Default
	// Share waits until so many bytes of sound may be encoded, and returns the context to look at
	// meanwhile, at which the work steps aside for calls. done must be called. nil waits for nothing.
	Share func(ctx context.Context, bytes int64) (working context.Context, done func(), err error)
}

// Service makes clips and keeps them. A nil one is not enabled. Its methods are safe for
// concurrent use.
type Service struct {
	Options
	ctx   context.Context //nolint:containedctx // that of the work behind the queue
	stop  context.CancelFunc
	work  parallel.Group
	seats chan struct{}

	mu    sync.Mutex
	now   map[string]*job // clips that wait or are made, by their hashes
	held  recent[*Entry]  // of those that were used last
	owing recent[bool]    // clips that were paid for and then could not be made
}

// job is a clip that waits or is made.
type job struct {
	*clip
	done      chan struct{}
	paid      bool   // one who did not wait for its end has paid
	entry     *Entry // once it is done; nil where it failed
	makesHere bool   // here, not by another replica
	err       error
}

// New returns a service that is to be closed.
func New(o Options) *Service {
	o.Workers = cmp.Or(o.Workers, 2)
	o.Queue = cmp.Or(o.Queue, 1000)
	o.Wait = cmp.Or(o.Wait, 3*time.Second)
	o.Limit = cmp.Or(o.Limit, 30*time.Second)
	o.Log = cmp.Or(o.Log, slog.Default())
	s := &Service{Options: o, seats: make(chan struct{}, o.Workers), now: map[string]*job{}}
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s
}

// Close ends the making of clips, and closes the engine if it can be closed; clips that wait are not
// made.
func (s *Service) Close() {
	s.stop()
	s.work.Wait()
	if c, ok := s.Engine.(io.Closer); ok {
		if err := c.Close(); err != nil {
			s.Log.Warn("the speech engine was not closed", "error", err)
		}
	}
}

// Enabled fails where there is no engine.
func (s *Service) Enabled() error {
	if s == nil {
		return fault.NotEnabled("voice", "voice is not enabled here: the deployment has no speech engine (SVC_VOICE_ENGINE)")
	}
	return nil
}

// Plan is a request that was read, with what is held of it.
type Plan struct {
	clips []*clip
	held  map[string]*Entry
	other int // clips that are not held, each counted once
}

// Missing returns how many clips are not held.
func (p *Plan) Missing() int { return p.other }

// Letters returns how many letters the clips that are not held have together, at their usual rate.
func (p *Plan) Letters() float64 {
	sum, seen := 0.0, map[string]bool{}
	for _, c := range p.clips {
		if p.held[c.hash] == nil && !seen[c.hash] {
			seen[c.hash] = true
			sum += float64(utf8.RuneCountInString(c.text)) / c.rate
		}
	}
	return sum
}

// Read reads a request.
func (s *Service) Read(r Request) (*Plan, error) {
	list, err := s.clips(&r)
	if err != nil {
		return nil, err
	}
	return &Plan{clips: list, held: map[string]*Entry{}}, nil
}

// Look looks for the clips of a plan, once.
func (s *Service) Look(ctx context.Context, p *Plan) error {
	for _, c := range p.clips {
		if _, seen := p.held[c.hash]; seen {
			continue
		}
		e, err := s.find(ctx, c)
		if err != nil {
			return err
		}
		if p.held[c.hash] = e; e == nil {
			p.other++
		}
	}
	return nil
}

// Outcome is the result for one utterance: an entry of the bank, a failure, or neither while it
// is made.
type Outcome struct {
	Hash, Text string
	Format     audio.Format
	Entry      *Entry
	Cached     bool // it was held, or another caller had it made
	Err        error
}

// Make has the missing clips of a plan made and waits for them, no longer than Options.Wait where
// the caller's patience is not greater. units are those that were begun for this caller and that
// were made or are being made. It fails where the queue is full.
func (s *Service) Make(ctx context.Context, p *Plan, wait time.Duration) (list []Outcome, units int, err error) {
	jobs, own := map[string]*job{}, map[string]bool{}
	for _, c := range p.clips {
		if p.held[c.hash] != nil || jobs[c.hash] != nil {
			continue
		}
		j, fresh, made, err := s.begin(c)
		if err != nil {
			return nil, 0, err
		}
		if p.held[c.hash] = made; j != nil {
			jobs[c.hash], own[c.hash] = j, fresh
		}
	}
	deadline := time.NewTimer(wait)
	defer deadline.Stop()
	over := false
	for _, j := range jobs {
		if over {
			break
		}
		select {
		case <-j.done:
		case <-deadline.C:
			over = true
		case <-ctx.Done():
			over = true
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	counted := map[string]bool{}
	for _, c := range p.clips {
		o := Outcome{Hash: c.hash, Text: c.text, Format: c.format, Entry: p.held[c.hash], Cached: p.held[c.hash] != nil}
		if j := jobs[c.hash]; j != nil {
			pays := own[c.hash] && !counted[c.hash]
			counted[c.hash] = true
			select {
			case <-j.done:
				o.Entry, o.Err, o.Cached = j.entry, j.err, j.err == nil && !(pays && j.makesHere)
				pays = pays && j.makesHere
			default:
				j.paid = j.paid || pays
			}
			if pays {
				units++
			}
		}
		list = append(list, o)
	}
	return list, units, nil
}

// heldNow returns the entry of a clip that was used lately.
func (s *Service) heldNow(hash string) *Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, _ := s.held.get(hash)
	return e
}

var errFull = fault.New(fault.UpstreamUnavailable, "too many clips wait to be spoken; try again in a few seconds, or with fewer utterances")

// begin joins the making of a clip, or begins it: fresh says that the caller pays for it. made is the
// entry of one that was made in the meantime.
func (s *Service) begin(c *clip) (j *job, fresh bool, made *Entry, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if j := s.now[c.hash]; j != nil {
		return j, false, nil, nil
	}
	if e, ok := s.held.get(c.hash); ok {
		return nil, false, e, nil
	}
	if len(s.now) >= s.Queue || s.ctx.Err() != nil {
		return nil, false, nil, errFull
	}
	_, owed := s.owing.get(c.hash)
	s.owing.drop(c.hash)
	j = &job{clip: c, done: make(chan struct{}), paid: owed}
	s.now[c.hash] = j
	s.work.Go(func() { s.finish(j, parallel.Try(func() error { return s.run(j) })) })
	return j, !owed, nil, nil
}

// run makes a clip in its turn.
func (s *Service) run(j *job) error {
	select {
	case s.seats <- struct{}{}:
		defer func() { <-s.seats }()
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
	ctx, cancel := context.WithTimeout(s.ctx, s.Limit)
	defer cancel()
	e, err := s.read(ctx, j.clip) // another replica may have made it while this one waited
	if err != nil || e != nil {
		j.entry = e
		return err
	}
	if j.entry, err = s.synthesise(ctx, j.clip); err != nil {
		return err
	}
	j.makesHere = true
	return nil
}

// finish ends a job and lets go of those who wait for it.
func (s *Service) finish(j *job, err error) {
	if j.err = failure(err); j.err != nil && s.ctx.Err() == nil {
		s.Log.Warn("a clip was not made", "language", j.language, "voice", j.voice.ID, "format", j.format, "error", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.now, j.hash)
	if j.err == nil {
		s.held.put(j.hash, j.entry)
	} else if j.entry = nil; j.paid {
		s.owing.put(j.hash, true)
	}
	close(j.done)
}

// failure is an error as callers may read it.
func failure(err error) error {
	var f *fault.Error
	switch {
	case err == nil, errors.As(err, &f):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return fault.Wrap(err, fault.UpstreamTimeout, "the clip was not made in time")
	case errors.Is(err, context.Canceled):
		return fault.Wrap(err, fault.UpstreamUnavailable, "the server is ending")
	}
	return fault.Wrap(err, fault.Upstream, "the clip could not be made")
}

// synthesise has the engine speak, makes the sound even, encodes and keeps it.
func (s *Service) synthesise(ctx context.Context, c *clip) (*Entry, error) {
	file, err := s.Engine.Speak(ctx, speech.Request{Text: c.text, Language: c.language, Voice: c.voice.ID, Rate: c.rate})
	if err != nil {
		return nil, err
	}
	sound, err := s.Encoder.Decode(ctx, file)
	switch {
	case errors.Is(err, audio.ErrNoEncoder):
		return nil, fault.Wrap(err, fault.Upstream, "the speech engine answered in another format than WAV, which needs ffmpeg")
	case errors.Is(err, audio.ErrNoSound):
		return nil, fault.Wrap(err, fault.Upstream, "the speech engine answered no sound")
	case err != nil && ctx.Err() == nil:
		return nil, fault.Wrap(err, fault.Upstream, "the speech engine answered a broken file")
	case err != nil:
		return nil, err
	}
	data, seconds, err := s.encode(ctx, sound, c.format)
	if err != nil {
		return nil, err
	}
	return s.store(ctx, c, data, seconds)
}

// encode trims a sound, makes it even and encodes it, which takes a fiftieth of its length.
func (s *Service) encode(ctx context.Context, sound audio.Sound, f audio.Format) (data []byte, length time.Duration, err error) {
	if s.Share != nil {
		working, done, err := s.Share(ctx, int64(len(sound))*soundBytes)
		if err != nil {
			return nil, 0, err
		}
		defer done()
		ctx = working
	}
	if sound = sound.Trimmed(); len(sound) == 0 {
		return nil, 0, fault.New(fault.Upstream, "the speech engine answered silence")
	}
	if sound, err = sound.Even(ctx); err != nil {
		return nil, 0, err
	}
	data, err = s.Encoder.Encode(ctx, sound, f)
	return data, sound.Duration(), err
}

// soundBytes is about how many bytes it takes to encode a sample.
const soundBytes = 16
