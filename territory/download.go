package territory

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/waygate/waygate/region"
)

// download fetches one layer and resumes after interruptions.
type download struct {
	server     *Server
	manifest   *Manifest
	layer      Layer
	part, path string // of the incomplete file, and of the complete one
	report     func(done int64)
}

// A download that breaks off is resumed at once. Where it breaks off without a new byte, it
// is tried again so many times, with pauses that double each time.
const (
	tries    = 6
	firstGap = 500 * time.Millisecond
	longGap  = time.Minute
	stall    = 60 * time.Second // longest time without a byte
)

// ErrTampered is the error of a layer whose size or hash differs from the manifest.
var ErrTampered = errors.New("the file that the server sent does not have the hash of the manifest")

// run fetches the layer unless it is already present.
func (d *download) run(ctx context.Context) error {
	if size, sum, err := region.Sum(ctx, d.path); err == nil && size == d.layer.Bytes && sum == d.layer.Addr {
		d.report(size)
		return nil
	}
	gap := firstGap
	for failed := 0; ; {
		before := d.have()
		err := d.attempt(ctx)
		if err == nil {
			return d.finish(ctx)
		}
		var refused *refusal
		passing := !errors.As(err, &refused) || refused.status == http.StatusTooManyRequests || refused.status >= http.StatusInternalServerError
		if d.have() > before {
			failed, gap = 0, firstGap
		}
		if failed++; ctx.Err() != nil || !passing || failed >= tries {
			return err
		}
		wait := gap
		if refused != nil && refused.wait > 0 {
			wait = min(refused.wait, longGap)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
		gap *= 2
	}
}

func (d *download) have() int64 {
	info, err := os.Stat(d.part)
	if err != nil {
		return 0
	}
	return info.Size()
}

// attempt fetches the rest of the layer, after the bytes that are present.
func (d *download) attempt(ctx context.Context) (err error) {
	have := d.have()
	if have > d.layer.Bytes {
		if err := os.Remove(d.part); err != nil {
			return err
		}
		have = 0
	}
	if have == d.layer.Bytes {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(stall, func() { cancel(fmt.Errorf("no byte came for %s", stall)) })
	defer watch.Stop()
	header := http.Header{"Range": {fmt.Sprintf("bytes=%d-", have)}, "If-Range": {`"` + d.layer.Addr + `"`}}
	answer, err := d.server.get(ctx, fmt.Sprintf("/territories/%s/%d/layers/%s/%s", d.manifest.ID, d.manifest.Version, d.layer.Addr, url.PathEscape(d.layer.File)), header)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	flag := os.O_APPEND
	if answer.StatusCode != http.StatusPartialContent {
		flag, have = os.O_TRUNC, 0
	}
	f, err := os.OpenFile(d.part, os.O_CREATE|os.O_WRONLY|flag, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	// One byte more than the layer has is read, so that a layer that is too long is
	// noticed.
	n, err := io.Copy(f, io.LimitReader(&progressReader{answer.Body, func(n int) {
		watch.Reset(stall)
		have += int64(n)
		d.report(min(have, d.layer.Bytes))
	}}, d.layer.Bytes-have+1))
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	if err == nil && n == 0 {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// finish moves the complete file to its path if its size and hash are those of the
// manifest.
func (d *download) finish(ctx context.Context) error {
	size, sum, err := region.Sum(ctx, d.part)
	if err != nil {
		return err
	}
	if size != d.layer.Bytes || sum != d.layer.Addr {
		return errors.Join(ErrTampered, os.Remove(d.part))
	}
	return os.Rename(d.part, d.path)
}

// progressReader reports the number of bytes of each read.
type progressReader struct {
	from   io.Reader
	report func(n int)
}

// Read reads from the underlying reader and reports the number of bytes.
func (t *progressReader) Read(p []byte) (int, error) {
	n, err := t.from.Read(p)
	t.report(n)
	return n, err
}
