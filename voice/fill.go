package voice

import (
	"context"
	"iter"
	"time"

	"github.com/waygate/waygate/fault"
)

// Filled counts what became of phrases.
type Filled struct {
	Held    int // before
	Added   int
	Failed  int   // which can be tried again
	Refused int   // which are no utterances
	Err     error // of the first that failed; nil without
}

// mostWaiting bounds how long a batch of phrases may take.
const mostWaiting = time.Hour

// Fill makes the clips of phrases that are not held. The request is theirs but for its utterances.
// done is called with the number of phrases that are through. Fill ends with the first batch of
// MostUtterances phrases whose missing clips all fail, and with its context.
func (s *Service) Fill(ctx context.Context, r Request, phrases iter.Seq[string], done func(n int)) (f Filled, err error) {
	n, batch := 0, &Plan{held: map[string]*Entry{}}
	for text := range phrases {
		if err := ctx.Err(); err != nil {
			return f, err
		}
		n++
		r.Utterances = []string{text}
		p, err := s.Read(r)
		switch {
		case fault.Is(err, fault.BadRequest) && n > 1:
			f.Refused++
			continue
		case err != nil:
			return f, err // the first one's language, voice or format may be what is wrong
		}
		if batch.clips = append(batch.clips, p.clips...); len(batch.clips) < MostUtterances {
			continue
		}
		if err := s.fill(ctx, batch, &f); err != nil {
			return f, err
		}
		batch = &Plan{held: map[string]*Entry{}}
		done(n)
	}
	if err := s.fill(ctx, batch, &f); err != nil {
		return f, err
	}
	done(n)
	return f, nil
}

// fill makes the missing clips of a batch.
func (s *Service) fill(ctx context.Context, batch *Plan, f *Filled) error {
	if err := s.Look(ctx, batch); err != nil {
		return err
	}
	list, _, err := s.Make(ctx, batch, mostWaiting)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	made, failed := 0, 0
	for i := range list {
		switch o := &list[i]; {
		case o.Entry == nil:
			failed++
			if f.Err == nil {
				f.Err = o.Err
			}
		case o.Cached:
			f.Held++
		default:
			made++
		}
	}
	f.Added, f.Failed = f.Added+made, f.Failed+failed
	if failed > 0 && made == 0 {
		return f.Err
	}
	return nil
}

// Held returns the entry of the clip of one utterance, nil where it is not held. It fails as
// Read does.
func (s *Service) Held(ctx context.Context, r Request) (*Entry, error) {
	list, err := s.clips(&r)
	if err != nil {
		return nil, err
	}
	return s.find(ctx, list[0])
}
