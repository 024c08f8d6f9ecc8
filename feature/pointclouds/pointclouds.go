// Package pointclouds hosts point clouds: it finds the files of datasets for keys that may read
// them, counts what reading costs, and lists datasets and hosting fees for operators.
package pointclouds

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// Service reads a store of datasets. Its methods are safe for concurrent use; nil hosts none.
type Service struct {
	Store blob.Store
	Log   *slog.Logger // nil logs nothing

	mu      sync.Mutex
	kept    map[string]kept // by dataset
	counter counter
}

// kept is a manifest that was read, or why it could not be.
type kept struct {
	etag     string
	manifest *Manifest
	err      error
}

// mostKept bounds the manifests in memory.
const mostKept = 64

// Manifests lie in a folder of their own, as a sidecar may have any name.
const manifests = "manifests"

const manifestSuffix = ".json"

// Suffixes of files. A name that ends in aliasSuffix is another name of a file in binarySuffix,
// for applications that recognise COPC files by it.
const (
	binarySuffix = ".bin"
	aliasSuffix  = ".copc.laz"
)

// none is the one answer for datasets and files that are unknown, and those that the key may not
// read.
func none() error {
	return fault.New(fault.NotFound, "there is no such file of a point cloud, or this key may not read it")
}

// unavailable is the failure of a store.
func unavailable(err error) error {
	return fault.Wrap(err, fault.UpstreamUnavailable, "the store of point clouds cannot be read; try again shortly").With("retry_after", 10)
}

// File is a hosted file, to be read in parts.
type File struct {
	Size int64

	service *Service
	part    part
	etag    string
}

// File finds a file of a dataset. It fails in the same way where there is none and where the
// viewer may not read it.
func (s *Service) File(ctx context.Context, viewer Viewer, dataset, name string) (*File, error) {
	if cloud, ok := strings.CutSuffix(name, aliasSuffix); ok {
		name = cloud + binarySuffix
	}
	if s == nil || !datasetName.MatchString(dataset) || !fileName.MatchString(name) {
		return nil, none()
	}
	m, err := s.manifest(ctx, dataset)
	var broken *brokenManifest
	switch {
	case errors.Is(err, blob.ErrNotFound), errors.As(err, &broken):
		return nil, none()
	case err != nil:
		return nil, unavailable(err)
	case !m.visible(viewer):
		return nil, none()
	}
	size, ok := m.Files[name]
	if !ok {
		return nil, none()
	}
	at := path.Join(dataset, name)
	info, err := s.Store.Stat(ctx, at)
	switch {
	case errors.Is(err, blob.ErrNotFound):
		s.warn("a file of a point cloud is in its manifest and not in the store", "file", at)
		return nil, none()
	case err == nil && info.Size != size:
		err = fmt.Errorf("%s has %d bytes; its manifest declares %d", at, info.Size, size)
		s.warn("a file of a point cloud has another size than its manifest declares", "error", err)
	}
	if err != nil {
		return nil, unavailable(err)
	}
	return &File{Size: size, service: s, part: part{viewer.Key, at, size}, etag: info.ETag}, nil
}

// ETag of the file, with its quotes.
func (f *File) ETag() string { return strconv.Quote(f.etag) }

// Media returns its media type.
func (f *File) Media() string {
	if strings.HasSuffix(f.part.file, binarySuffix) {
		return "application/octet-stream"
	}
	return "application/json"
}

// Open returns a part, at least one byte of the file, to be closed after use.
func (f *File) Open(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
	r, err := f.service.Store.Read(ctx, f.part.file, blob.Span{Offset: offset, Length: length, ETag: f.etag})
	if err != nil {
		return nil, unavailable(err)
	}
	return r, nil
}

// Count counts bytes that are about to be sent, at least one, and returns what they cost in
// units. See ChunkBytes.
func (f *File) Count(bytes int64) (units int64) { return f.service.counter.add(f.part, bytes) }

// Refund takes counted bytes that were not sent off the count, and returns what they cost.
func (f *File) Refund(bytes int64) (units int64) { return f.service.counter.remove(f.part, bytes) }

// LogFailure logs that the file could not be sent to its end, unless the caller has left.
func (f *File) LogFailure(ctx context.Context, why error) {
	if ctx.Err() == nil {
		f.service.warn("a file of a point cloud was not sent to its end", "file", f.part.file, "error", why)
	}
}

func (s *Service) warn(what string, about ...any) {
	if s.Log != nil {
		s.Log.Warn(what, about...)
	}
}

// brokenManifest is the error of a manifest that cannot be read as one.
type brokenManifest struct{ cause error }

func (b *brokenManifest) Error() string { return "the manifest is invalid: " + b.cause.Error() }
func (b *brokenManifest) Unwrap() error { return b.cause }

// manifest reads that of a dataset unless it is the one read before: a grant that was taken back
// has no effect from the next request on. It fails with blob.ErrNotFound, a brokenManifest or
// the failure of the store.
func (s *Service) manifest(ctx context.Context, dataset string) (*Manifest, error) {
	name := path.Join(manifests, dataset+manifestSuffix)
	info, err := s.Store.Stat(ctx, name)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	k, ok := s.kept[dataset]
	s.mu.Unlock()
	if ok && k.etag == info.ETag {
		return k.manifest, k.err
	}
	k = kept{etag: info.ETag}
	if info.Size > mostManifest {
		k.err = &brokenManifest{fmt.Errorf("it has %d bytes, above the limit of %d", info.Size, mostManifest)}
	} else {
		data, err := s.whole(ctx, name)
		if err != nil {
			return nil, err
		}
		k.manifest, err = parse(ctx, data)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			k.err = &brokenManifest{err}
		}
	}
	if k.err != nil {
		s.warn("a dataset of point clouds is not served", "dataset", dataset, "error", k.err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil || len(s.kept) >= mostKept {
		s.kept = map[string]kept{}
	}
	s.kept[dataset] = k
	return k.manifest, k.err
}

// mostReads is how often a manifest is read that changes each time while it is.
const mostReads = 5

// whole reads a manifest. One that is replaced meanwhile is read again.
func (s *Service) whole(ctx context.Context, name string) (data []byte, err error) {
	for range mostReads {
		if data, err = blob.All(ctx, s.Store, name, mostManifest); !errors.Is(err, blob.ErrChanged) {
			break
		}
	}
	return data, err
}

// largeManifest is from how many bytes on a manifest is read in a slot of the scheduler; each byte takes some
// nanoseconds.
const (
	largeManifest = 16 << 10
	byteWork      = 50 * time.Nanosecond
)

// parse reads a manifest, a large one in a slot of the scheduler.
func parse(ctx context.Context, data []byte) (*Manifest, error) {
	if len(data) < largeManifest {
		return ReadManifest(data)
	}
	effort := engine.Estimate{Kind: "pointcloud-manifest", Work: time.Duration(len(data)) * byteWork, Bytes: 8 * int64(len(data)), Cores: 1}
	return engine.WorkFor(ctx, effort, func(context.Context) (*Manifest, error) { return ReadManifest(data) })
}
