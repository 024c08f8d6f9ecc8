package tiles

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/index/tileset"
)

// Archive is where a territory's tiles are.
type Archive interface {
	// Now gives the archive as it is at present, or says why it cannot be read.
	Now(ctx context.Context) (*tileset.Reader, error)
}

// Fixed is an archive that does not change while it is open.
type Fixed struct{ *tileset.Reader }

// Now gives it.
func (f Fixed) Now(context.Context) (*tileset.Reader, error) { return f.Reader, nil }

// Hosted is an archive that is read in parts from where it is kept: a file, a web
// server or a bucket. It is followed when it is replaced there. What was read is
// kept in a cache that archives share.
type Hosted struct {
	files blob.Reader
	name  string
	shown string // for messages
	cache *Cache
	log   *slog.Logger
	now   func() time.Time

	opening singleflight.Group
	reading singleflight.Group

	mu      sync.Mutex
	reader  *tileset.Reader // nil while it was never read
	etag    string
	due     time.Time // when it is next compared with what is kept there
	failure error     // of the last try; nil where that went well
}

// How often an archive is looked at where it is kept, how soon again after a
// failure, how long it may take to answer, and what is read of it at first.
const (
	lookEvery   = time.Minute
	lookAgain   = 5 * time.Second
	answerTime  = 10 * time.Second
	firstBytes  = 16 << 10
	retryTiles  = 10 // seconds
	elsewhereIn = "the tile archive of territory %q"
)

// HostedOptions say what an archive is read with.
type HostedOptions struct {
	Place string // a path, http(s)://… or s3://bucket/key
	Shown string // the place as messages may show it
	Cache *Cache
	Log   *slog.Logger
	Now   func() time.Time // nil is time.Now
}

// Host opens an archive. It fails where what is kept there is none that can be
// served, or no file is there. One that cannot be reached is opened by the first request that finds it.
func Host(ctx context.Context, o HostedOptions) (*Hosted, error) {
	files, name, err := blob.OpenFile(o.Place)
	if err != nil {
		return nil, err
	}
	h := &Hosted{files: files, name: name, shown: o.Shown, cache: o.Cache, log: o.Log, now: o.Now}
	if h.now == nil {
		h.now = time.Now
	}
	_, err = h.Now(ctx)
	if missing := errors.Is(err, blob.ErrNotFound) && !strings.Contains(o.Place, "://"); away(err) && !missing {
		h.log.Warn("a tile archive cannot be read; its tiles are not served until it can", "archive", h.shown, "error", err)
		return h, nil
	}
	return h, err
}

// awayError is of an archive that is out of reach, not one that is wrong.
type awayError struct{ cause error }

// away reports whether a failure is of an archive out of reach.
func away(err error) bool { return errors.As(err, new(*awayError)) }

func (e *awayError) Error() string { return e.cause.Error() }
func (e *awayError) Unwrap() error { return e.cause }

// Now returns the archive as it was when it was last looked at, at most a minute ago.
// While it is out of reach it is the one before, whose parts may still be in the
// cache.
func (h *Hosted) Now(ctx context.Context) (*tileset.Reader, error) {
	h.mu.Lock()
	reader, failure, due := h.reader, h.failure, h.now().After(h.due)
	h.mu.Unlock()
	if !due {
		if reader == nil || failure != nil && !away(failure) {
			return nil, failure
		}
		return reader, nil
	}
	opened, err, _ := h.opening.Do("", func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
		defer cancel()
		return h.look(ctx)
	})
	if err != nil {
		return nil, err
	}
	return opened.(*tileset.Reader), nil
}

// look compares the archive with what is kept there, and opens that where it is
// another.
func (h *Hosted) look(ctx context.Context) (*tileset.Reader, error) {
	info, err := h.files.Stat(ctx, h.name)
	if err != nil && !errors.Is(err, blob.ErrNoRanges) {
		err = &awayError{err}
	}
	h.mu.Lock()
	reader, same := h.reader, h.reader != nil && h.etag == info.ETag
	h.mu.Unlock()
	if err == nil && !same {
		reader, err = h.open(ctx, info)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.due = h.now().Add(lookEvery)
	if h.failure = err; err != nil {
		h.due = h.now().Add(lookAgain)
		if away(err) && h.reader != nil {
			return h.reader, nil
		}
		return nil, err
	}
	h.reader, h.etag = reader, info.ETag
	return reader, nil
}

// peek returns the archive as it is known, nil where it is not, without waiting.
func (h *Hosted) peek() (*tileset.Reader, string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.reader, h.etag
}

// changed has the archive looked at by the next request.
func (h *Hosted) changed() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.due = time.Time{}
}

func (h *Hosted) open(ctx context.Context, info blob.Info) (*tileset.Reader, error) {
	if info.Size < 1 {
		return nil, fmt.Errorf("tile archive %s: it is empty", h.shown)
	}
	p := &parts{of: h, info: info}
	head, err := p.read(ctx, 0, min(firstBytes, info.Size))
	if err != nil {
		return nil, err
	}
	p.head = head
	r, err := tileset.Read(ctx, h.shown, p, info.Size)
	if err != nil {
		return nil, err
	}
	return r, servable(h.shown, r.Header())
}

// servable refuses archives of what is no vector tile, or packed as not every
// client can unpack it.
func servable(name string, h tileset.Header) error {
	switch {
	case h.TileType != tileset.TypeMVT:
		return fmt.Errorf("tile archive %s: it has no vector tiles (type %d)", name, h.TileType)
	case h.TileCompression != tileset.CompressionGzip && h.TileCompression != tileset.CompressionNone:
		return fmt.Errorf("tile archive %s: its tiles are packed with %s; those packed with gzip or not at all are served", name, h.TileCompression)
	}
	return nil
}

// parts are the parts of one state of an archive.
type parts struct {
	of   *Hosted
	info blob.Info
	head []byte // the first ones
}

// Part returns a part: of the beginning, from the cache, or from where it is kept.
func (p *parts) Part(ctx context.Context, offset, length int64) ([]byte, error) {
	if end := offset + length; end <= int64(len(p.head)) {
		return p.head[offset:end:end], nil
	}
	key := partKey{p.of, p.info.ETag, offset, length}
	if b, ok := p.of.cache.get(key); ok {
		return b, nil
	}
	read, err, _ := p.of.reading.Do(fmt.Sprint(p.info.ETag, " ", offset, " ", length), func() (any, error) {
		// Others may wait for it when this caller leaves.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
		defer cancel()
		b, err := p.read(ctx, offset, length)
		if err == nil {
			p.of.cache.put(key, b)
		}
		return b, err
	})
	if err != nil {
		return nil, err
	}
	return read.([]byte), nil
}

func (p *parts) read(ctx context.Context, offset, length int64) (_ []byte, err error) {
	r, err := p.of.files.Read(ctx, p.of.name, blob.Span{Offset: offset, Length: length, ETag: p.info.ETag})
	if err == nil {
		b := make([]byte, length)
		_, err = io.ReadFull(r, b)
		if err = errors.Join(err, r.Close()); err == nil {
			return b, nil
		}
	}
	if !errors.Is(err, blob.ErrChanged) && !errors.Is(err, blob.ErrNoRanges) {
		err = &awayError{err}
	}
	return nil, err
}

// unserved is the failure of an archive: out of reach, or wrong.
func unserved(err error, id string) error {
	if away(err) || errors.Is(err, blob.ErrChanged) {
		return fault.Wrap(err, fault.UpstreamUnavailable, elsewhereIn+" cannot be reached; try again shortly", id).With("retry_after", retryTiles)
	}
	return fault.Wrap(err, fault.Upstream, elsewhereIn+" cannot be read where it is kept", id)
}
