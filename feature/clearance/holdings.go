package clearance

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/feature/pointclouds"
	"github.com/waygate/waygate/parallel"
)

// Service answers from the artefacts of hosted datasets. Clouds is required. Its methods are
// safe for concurrent use; nil has no artefacts.
type Service struct {
	Clouds *pointclouds.Service
	// Share waits for a processor for work in the background, and returns the context to do
	// it in, which is to be looked at often; nil does it at once.
	Share func(ctx context.Context, bytes int64) (working context.Context, done func(), err error)
	Dir   string           // for copies of artefacts, which have no names; "" is the usual one for temporary files
	Now   func() time.Time // nil is time.Now
	Log   *slog.Logger     // nil logs nothing

	refreshing sync.Mutex
	hashes     map[string]hashed // by file of the store; of refreshing
	held       atomic.Pointer[holdings]
}

// mostHeld bounds the bytes of all artefacts, which are copied into Dir.
const mostHeld = 16 << 30

// taken counts how much of the limits the artefacts use.
type taken struct {
	bytes int64
	tiles int
}

// Every is how often the store is looked at for what has changed.
const Every = time.Minute

// holdings are the artefacts that are configured at one moment.
type holdings struct {
	all []*holding // by dataset
}

// holding is the artefact of a dataset.
type holding struct {
	pointclouds.Surveyed
	etag      string // of the artefact
	bytes     int64
	opened    *ground // nil where it cannot be read
	err       error   // why not
	again     bool    // the store or this machine may be the reason
	confirmed int     // of the declared sources: those whose files have the declared SHA-256
	stale     bool
}

// hashed is the SHA-256 of a file as it was when its tag was etag.
type hashed struct {
	etag, sum string
	at        time.Time
}

// Run keeps up with the store until the context ends.
func (s *Service) Run(ctx context.Context) {
	if s == nil {
		return
	}
	var again parallel.Group
	defer again.Wait()
	again.Go(func() { s.recheckAll(ctx) })
	every(ctx, Every, func() {
		if err := s.Refresh(ctx); err != nil && ctx.Err() == nil {
			s.warn("the store of clearance artefacts cannot be read", "error", err)
		}
	})
}

// every calls a function at once and then each interval, until the context ends.
func every(ctx context.Context, interval time.Duration, call func()) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		call()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Refresh reads what has changed in the store, and confirms sources whose size or time has
// changed. Where the store cannot be read it fails, and what was known before stays.
func (s *Service) Refresh(ctx context.Context) error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	next, err := s.list(ctx)
	if err != nil {
		return err
	}
	s.held.Store(next) // sources that are still to be hashed are not confirmed
	return s.confirm(ctx, next)
}

// holdings returns what is configured, which the first caller reads if nobody has.
func (s *Service) holdings(ctx context.Context) (*holdings, error) {
	if s == nil {
		return &holdings{}, nil
	}
	if h := s.held.Load(); h != nil {
		return h, nil
	}
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	if h := s.held.Load(); h != nil {
		return h, nil
	}
	h, err := s.list(ctx)
	if err == nil {
		s.held.Store(h)
	}
	return h, err
}

// list reads the manifests and the artefacts that have changed.
func (s *Service) list(ctx context.Context) (*holdings, error) {
	surveys, err := s.Clouds.Surveys(ctx)
	if err != nil {
		return nil, err
	}
	before := map[string]*holding{}
	if old := s.held.Load(); old != nil {
		for _, h := range old.all {
			before[h.Dataset] = h
		}
	}
	next, room := &holdings{}, taken{}
	for _, one := range surveys {
		h := &holding{Surveyed: one, stale: true}
		if err := s.open(ctx, h, before[one.Dataset], &room); err != nil {
			return nil, err
		}
		if h.err != nil && (before[one.Dataset] == nil || before[one.Dataset].err == nil) {
			s.warn("a clearance artefact is not used", "dataset", h.Dataset, "artefact", h.Artefact, "error", h.err)
		}
		s.judge(h)
		next.all = append(next.all, h)
	}
	return next, nil
}

// open opens the artefact of a holding, unless it is as it was before. What is wrong with it is
// its err; the error is that the caller has left.
func (s *Service) open(ctx context.Context, h, before *holding, room *taken) error {
	info, err := s.Clouds.Store.Stat(ctx, h.ArtefactFile())
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, blob.ErrNotFound):
		h.err = errors.New("its file is missing in the store")
		return nil
	case err != nil:
		h.err, h.again = errors.New("the store cannot be read"), true
		return nil
	}
	h.etag, h.bytes = info.ETag, info.Size
	if info.Size > mostHeld-room.bytes {
		h.err = fmt.Errorf("it has %d bytes; all artefacts together may have %d, of which %d are left", info.Size, int64(mostHeld), mostHeld-room.bytes)
		return nil
	}
	room.bytes += info.Size
	if before != nil && before.etag == h.etag && before.Artefact == h.Artefact {
		h.opened, h.err = before.opened, before.err
		if h.opened != nil {
			room.tiles += h.opened.file.Tiles
			return nil
		}
		if !before.again {
			return nil
		}
	}
	working, done, err := s.share(ctx, 2*info.Size)
	if err != nil {
		return err
	}
	defer done()
	file, err := s.copied(working, h.ArtefactFile(), info)
	if h.again = err != nil; err == nil {
		h.opened, err = open(working, file, info.Size, mostTiles-room.tiles)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if h.err = err; err == nil {
		room.tiles += h.opened.file.Tiles
	}
	return nil
}

// copied copies a file of the store into one of this machine that has no name, so that parts of
// it are read fast, and its bytes are the same until it is no longer used.
func (s *Service) copied(ctx context.Context, name string, info blob.Info) (_ *os.File, err error) {
	file, err := os.CreateTemp(s.Dir, "waygate-clearance-*")
	if err != nil {
		return nil, errors.New("the folder for copies of artefacts cannot be written")
	}
	defer func() {
		if err = errors.Join(err, os.Remove(file.Name())); err != nil {
			_ = file.Close()
		}
	}()
	if info.Size == 0 {
		return file, nil
	}
	r, err := s.Clouds.Store.Read(ctx, name, blob.Span{Offset: 0, Length: info.Size, ETag: info.ETag})
	if err != nil {
		return nil, errors.New("the store cannot be read")
	}
	defer func() { _ = r.Close() }()
	return file, s.stream(ctx, file, r, info.Size)
}

// stream copies so many bytes, and looks at the context in between.
func (*Service) stream(ctx context.Context, to io.Writer, from io.Reader, size int64) error {
	for done := int64(0); done < size; {
		n, err := io.CopyN(to, from, min(hashStep, size-done))
		if done += n; err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// confirm hashes the sources of the holdings whose files have changed, and replaces what is
// held as each dataset is done.
func (s *Service) confirm(ctx context.Context, all *holdings) error {
	if err := s.forget(ctx, all); err != nil {
		return err
	}
	next := &holdings{slices.Clone(s.held.Load().all)}
	known := map[string]hashed{}
	for i, h := range all.all {
		for name := range h.Sources {
			file := h.SourceFile(name)
			info, err := s.Clouds.Store.Stat(ctx, file)
			if err == nil {
				known[file] = s.hashes[file]
				if known[file].etag != info.ETag {
					known[file], err = s.hash(ctx, file, info)
				}
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				delete(known, file)
				s.warn("a source of a clearance artefact cannot be confirmed", "file", file, "error", err)
			}
		}
		if s.hashes == nil {
			s.hashes = map[string]hashed{}
		}
		changed := *h
		for name := range h.Sources {
			file := h.SourceFile(name)
			if sum, ok := known[file]; ok {
				s.hashes[file] = sum
			} else {
				delete(s.hashes, file)
			}
		}
		s.judge(&changed)
		next.all[i] = &changed
		s.held.Store(&holdings{slices.Clone(next.all)})
	}
	maps.DeleteFunc(s.hashes, func(file string, _ hashed) bool { _, used := known[file]; return !used })
	return nil
}

// forget drops the hashes of sources whose files have changed or are gone, so that none counts as
// confirmed while it, or another before it, is hashed.
func (s *Service) forget(ctx context.Context, all *holdings) error {
	for _, h := range all.all {
		for name := range h.Sources {
			file := h.SourceFile(name)
			if s.hashes[file] == (hashed{}) {
				continue
			}
			info, err := s.Clouds.Store.Stat(ctx, file)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil || info.ETag != s.hashes[file].etag {
				delete(s.hashes, file)
			}
		}
	}
	s.judgeAll(all)
	return nil
}

// judgeAll judges holdings anew, and replaces what is held by them.
func (s *Service) judgeAll(all *holdings) {
	next := &holdings{slices.Clone(all.all)}
	for i, h := range next.all {
		changed := *h
		s.judge(&changed)
		next.all[i] = &changed
	}
	s.held.Store(next)
}

// judge counts the confirmed sources of a holding. It is stale unless every declared source is
// confirmed, and each that its artefact was built from is declared.
func (s *Service) judge(h *holding) {
	h.confirmed = 0
	declared := map[string]bool{}
	for name, sum := range h.Sources {
		declared[sum] = true
		if s.hashes[h.SourceFile(name)].sum == sum {
			h.confirmed++
		}
	}
	h.stale = h.opened == nil || len(declared) == 0 || h.confirmed < len(h.Sources) || !h.opened.builtFrom(declared)
}

// hashStep is how many bytes are hashed between two looks at the context.
const hashStep = 1 << 20

// hash reads a file for its SHA-256.
func (s *Service) hash(ctx context.Context, file string, info blob.Info) (_ hashed, err error) {
	sum := sha256.New()
	if info.Size > 0 {
		working, done, err := s.share(ctx, hashStep)
		if err != nil {
			return hashed{}, err
		}
		defer done()
		r, err := s.Clouds.Store.Read(working, file, blob.Span{Offset: 0, Length: info.Size, ETag: info.ETag})
		if err != nil {
			return hashed{}, err
		}
		defer func() { _ = r.Close() }()
		if err := s.stream(working, sum, r, info.Size); err != nil {
			return hashed{}, err
		}
	}
	return hashed{info.ETag, hex.EncodeToString(sum.Sum(nil)), s.now()}, nil
}

func (s *Service) share(ctx context.Context, bytes int64) (context.Context, func(), error) {
	if s.Share == nil {
		return ctx, func() {}, nil
	}
	return s.Share(ctx, bytes)
}

func (s *Service) now() time.Time {
	if s.Now == nil {
		return time.Now()
	}
	return s.Now()
}

func (s *Service) warn(what string, about ...any) {
	if s.Log != nil {
		s.Log.Warn(what, about...)
	}
}
