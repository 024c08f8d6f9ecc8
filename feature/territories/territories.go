// Package territories answers for offline packages: their signed index and
// manifests, and the files they are made of.
package territories

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/territory"
)

// Service reads a store that waygate territory publishes into. Its methods are safe
// for concurrent use.
type Service struct {
	Files blob.Reader
	Log   *slog.Logger

	mu        sync.Mutex
	manifests map[string]*territory.Manifest // by name; they never change
}

// manifestsKept bounds the manifests in memory, some kilobytes each.
const manifestsKept = 64

// Document is a signed file, or its signature.
type Document struct {
	Data []byte
	ETag string // strong, with its quotes
}

// Index returns the signed list of territories, or its signature. Where none was
// published the capability is not enabled.
func (s *Service) Index(ctx context.Context, signature bool) (*Document, error) {
	name := territory.IndexName
	if signature {
		name = territory.SignatureName(name)
	}
	d, err := s.document(ctx, name)
	if fault.Is(err, fault.NotFound) {
		return nil, none()
	}
	return d, err
}

func none() error {
	return fault.NotEnabled("territories", "no territory is published on this deployment: its operator can publish one with waygate territory build")
}

// Manifest returns that of a version, or its signature.
func (s *Service) Manifest(ctx context.Context, id string, version int64, signature bool) (*Document, error) {
	name, err := manifestName(id, version)
	if err != nil {
		return nil, err
	}
	if signature {
		name = territory.SignatureName(name)
	}
	d, err := s.document(ctx, name)
	if fault.Is(err, fault.NotFound) {
		return nil, unknown(id, version)
	}
	return d, err
}

func unknown(id string, version int64) error {
	return fault.New(fault.NotFound, "no version %d of a territory %q is published here; GET /territories lists them", version, fault.Clip(id))
}

func manifestName(id string, version int64) (string, error) {
	if !territory.ValidID(id) || version < 1 {
		return "", unknown(id, version)
	}
	return territory.ManifestName(id, version), nil
}

// Layer is a file of a version, to be read in parts.
type Layer struct {
	territory.Layer
	files blob.Reader
	info  blob.Info
}

// ETag of the file, with its quotes.
func (l *Layer) ETag() string { return strconv.Quote(l.Addr) }

// Open returns a part, at least one byte of the file, to be closed after use.
func (l *Layer) Open(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
	r, err := l.files.Read(ctx, territory.LayerName(l.Addr), blob.Span{Offset: offset, Length: length, ETag: l.info.ETag})
	if err != nil {
		return nil, unavailable(err)
	}
	return r, nil
}

// LogFailure reports to the operator that a file could not be sent to its end, unless it was
// the caller who left.
func (s *Service) LogFailure(ctx context.Context, l *Layer, why error) {
	if ctx.Err() == nil && s.Log != nil {
		s.Log.Warn("a layer of a territory was not sent to its end", "layer", l.Addr, "error", why)
	}
}

// Layer finds a file of a version by its address and name.
func (s *Service) Layer(ctx context.Context, id string, version int64, addr, file string) (*Layer, error) {
	m, err := s.manifest(ctx, id, version)
	if err != nil {
		return nil, err
	}
	l, ok := m.Layer(addr, file)
	if !ok {
		return nil, fault.New(fault.NotFound, "version %d of territory %s has no layer %s/%s; its manifest lists them", version, id, fault.Clip(addr), fault.Clip(file))
	}
	info, err := s.Files.Stat(ctx, territory.LayerName(addr))
	if err == nil && info.Size != l.Bytes {
		err = errors.New("layer " + addr + " has another size than its manifest says")
	}
	if err != nil {
		return nil, unavailable(err)
	}
	return &Layer{l, s.Files, info}, nil
}

// manifest reads one, or takes it from those read before.
func (s *Service) manifest(ctx context.Context, id string, version int64) (*territory.Manifest, error) {
	name, err := manifestName(id, version)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	m := s.manifests[name]
	s.mu.Unlock()
	if m != nil {
		return m, nil
	}
	d, err := s.Manifest(ctx, id, version, false)
	if err != nil {
		return nil, err
	}
	if m, err = territory.ReadManifest(d.Data); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.manifests == nil || len(s.manifests) >= manifestsKept {
		s.manifests = map[string]*territory.Manifest{}
	}
	s.manifests[name] = m
	return m, nil
}

func (s *Service) document(ctx context.Context, name string) (*Document, error) {
	if s == nil || s.Files == nil {
		return nil, none()
	}
	data, err := blob.All(ctx, s.Files, name, territory.MaxDocument)
	switch {
	case errors.Is(err, blob.ErrNotFound):
		return nil, fault.New(fault.NotFound, "%s is not published here", name)
	case err != nil:
		return nil, unavailable(err)
	}
	return &Document{data, strconv.Quote(territory.Sum(data)[:24])}, nil
}

// unavailable is the failure of a store.
func unavailable(err error) error {
	return fault.Wrap(err, fault.UpstreamUnavailable, "the store of territories cannot be read; try again shortly").With("retry_after", 10)
}

// keyTime bounds the reading of the public key.
const keyTime = 2 * time.Second

// PublicKey returns the public part of the key that signs, as text; "" where nothing is
// published or the store does not answer.
func (s *Service) PublicKey(ctx context.Context) string {
	if s == nil || s.Files == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, keyTime)
	defer cancel()
	key, err := territory.PublicKey(ctx, s.Files)
	if err != nil {
		if !errors.Is(err, blob.ErrNotFound) && s.Log != nil {
			s.Log.Warn("the key of territories cannot be read", "error", err)
		}
		return ""
	}
	return territory.PublicText(key)
}
