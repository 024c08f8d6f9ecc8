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

// download fetches one layer.
type download struct {
	server     *Server
	manifest   *Manifest
	layer      Layer
	part, path string // while it is not whole, and then
	report     func(done int64)
}

// How often a download that breaks off is begun again without a byte in between,
// and how long it waits before that, twice as long each time.
const (
	tries    = 6
	firstGap = 500 * time.Millisecond
	longGap  = time.Minute
	stall    = 60 * time.Second // without a byte
)

// ErrTampered says that a layer is not what the manifest says.
var ErrTampered = errors.New("the file that the server sent does not have the hash of the manifest")

// run fetches the layer unless it is there.
func (d *download) run(ctx context.Context) error {
	if size, sum, err := region.Sum(d.path); err == nil && size == d.layer.Bytes && sum == d.layer.Addr {
		d.report(size)
		return nil
	}
	gap := firstGap
	for failed := 0; ; {
		before := d.have()
		err := d.attempt(ctx)
		if err == nil {
			return d.finish()
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

// attempt goes on where the part ends.
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
	answer, err := d.server.ask(ctx, fmt.Sprintf("/territories/%s/%d/layers/%s/%s", d.manifest.ID, d.manifest.Version, d.layer.Addr, url.PathEscape(d.layer.File)), header)
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
	// One byte more than there should be is enough to know.
	n, err := io.Copy(f, io.LimitReader(&told{answer.Body, func(n int) {
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

// finish puts the part in its place, if it is what the manifest says.
func (d *download) finish() error {
	size, sum, err := region.Sum(d.part)
	if err != nil {
		return err
	}
	if size != d.layer.Bytes || sum != d.layer.Addr {
		return errors.Join(ErrTampered, os.Remove(d.part))
	}
	return os.Rename(d.part, d.path)
}

// told is a reader of which somebody hears.
type told struct {
	from io.Reader
	hear func(n int)
}

// Read reads and tells.
func (t *told) Read(p []byte) (int, error) {
	n, err := t.from.Read(p)
	t.hear(n)
	return n, err
}
