package clearance

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"time"

	"github.com/waygate/waygate/blob"
)

// Size and time of a file do not show that its bytes are the same: disks fail, and tools keep
// times. So each source is hashed again at times, slowly, while it counts as confirmed.
const (
	// RecheckAfter is how long a source counts as confirmed before it is hashed again.
	RecheckAfter = 24 * time.Hour
	// recheckPause follows each hashStep: at most 16 MiB a second are read.
	recheckPause = time.Second / 16
)

// recheckAll hashes sources again as they fall due, until the context ends.
func (s *Service) recheckAll(ctx context.Context) {
	every(ctx, Every, func() {
		for s.recheck(ctx, recheckPause) && ctx.Err() == nil {
		}
	})
}

// recheck hashes the source again that was not for the longest time, and reports whether one was
// due. Where its bytes are not those of before, its surveys are stale from then on.
func (s *Service) recheck(ctx context.Context, pause time.Duration) bool {
	file, before := s.due()
	if file == "" {
		return false
	}
	info, err := s.Clouds.Store.Stat(ctx, file)
	sum := ""
	switch {
	case err != nil:
	case info.ETag != before.etag:
		err = blob.ErrChanged // until the next look at the store hashes it
	default:
		sum, err = s.hashSlowly(ctx, file, info, pause)
	}
	if ctx.Err() != nil {
		return false
	}
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	switch now, ok := s.hashes[file]; {
	case !ok || now != before:
		return true
	case err != nil:
		s.warn("a source of a clearance artefact cannot be confirmed again", "file", file, "error", err)
		delete(s.hashes, file)
	default:
		if sum != before.sum {
			s.warn("a source of a clearance artefact has other bytes, though its size and time are the same", "file", file)
		}
		s.hashes[file] = hashed{before.etag, sum, s.now()}
	}
	held := s.held.Load()
	if held == nil {
		return true
	}
	s.judgeAll(held)
	return true
}

// due returns the file that was hashed first, where that is too long ago.
func (s *Service) due() (file string, first hashed) {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	now := s.now()
	for name, h := range s.hashes {
		if now.Sub(h.at) >= RecheckAfter && (file == "" || h.at.Before(first.at)) {
			file, first = name, h
		}
	}
	return file, first
}

// hashSlowly hashes a file with a pause after each step, in which it has no processor.
func (s *Service) hashSlowly(ctx context.Context, file string, info blob.Info, pause time.Duration) (string, error) {
	sum := sha256.New()
	if info.Size > 0 {
		r, err := s.Clouds.Store.Read(ctx, file, blob.Span{Offset: 0, Length: info.Size, ETag: info.ETag})
		if err != nil {
			return "", err
		}
		defer func() { _ = r.Close() }()
		wait := time.NewTimer(0)
		defer wait.Stop()
		for done := int64(0); done < info.Size; done += hashStep {
			if err := s.hashPart(ctx, sum, r, min(hashStep, info.Size-done)); err != nil {
				return "", err
			}
			wait.Reset(pause)
			select {
			case <-ctx.Done():
				return "", ctx.Err()
			case <-wait.C:
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func (s *Service) hashPart(ctx context.Context, to io.Writer, from io.Reader, size int64) error {
	working, done, err := s.share(ctx, hashStep)
	if err != nil {
		return err
	}
	defer done()
	return s.stream(working, to, from, size)
}
