package osm

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// stallTimeout is how long a server may send nothing.
const stallTimeout = time.Minute

// Fetch downloads an extract from an http or https URL into the folder dir,
// which must exist, and gives the path of the file: the URL's last part with a
// few digits that distinguish one URL from another. A file that is there already is
// kept if the server says it has not changed. A download that was broken off
// is resumed, by the next call or at once, where the server supports ranges
// and the file is still the same (a strong ETag or Last-Modified). The file
// appears under its name only when complete. progress may be nil; size is 0
// where the server does not report it. Errors name the URL and the status, or how
// many bytes are missing. Two calls for one URL must not run at once.
func Fetch(ctx context.Context, rawURL, dir string, progress func(done, size int64)) (string, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return "", err
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return "", fmt.Errorf("%q is no http or https URL", rawURL)
	}
	d := newDownload(u, filepath.Join(dir, fileName(u)), progress)
	for {
		before := d.partSize()
		err := d.attempt(ctx)
		switch {
		case err == nil:
			return d.path, nil
		case ctx.Err() != nil:
			return "", context.Cause(ctx)
		case errors.Is(err, errBroken) && d.state.resumable() && d.partSize() > before:
			continue // it got further: go on from there
		}
		return "", fmt.Errorf("download of %s: %w", u.Redacted(), err)
	}
}

// fileName returns the last part of the URL's path, kept to plain characters, with
// a hash of the URL before its extensions.
func fileName(u *url.URL) string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '_'
	}, path.Base("/"+u.Path))
	name, extensions, _ := strings.Cut(strings.TrimLeft(plain, "."), ".")
	if name == "" {
		name = "extract"
	}
	if extensions != "" {
		extensions = "." + extensions
	}
	hash := sha256.Sum256([]byte(u.String()))
	return fmt.Sprintf("%.80s-%x%.40s", name, hash[:4], extensions)
}

// errBroken marks a transfer that began and ended early.
var errBroken = errors.New("the transfer broke off")

// download is one URL on its way to a file. Beside the file lie, while it is
// incomplete, NAME.part, and NAME.json with what the server said of it.
type download struct {
	url      string
	path     string
	progress func(done, size int64)
	client   *http.Client
	state    fetchState
}

// fetchState has the values that a download needs to be resumed or renewed.
type fetchState struct {
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"last_modified,omitempty"`
	Size     int64  `json:"size,omitempty"` // 0 where unknown
}

// validator returns the tag or date that a Range request is bound to. A weak ETag cannot vouch for
// equal bytes.
func (s *fetchState) validator() string {
	if s.ETag != "" && !strings.HasPrefix(s.ETag, "W/") {
		return s.ETag
	}
	return s.Modified
}

func (s *fetchState) resumable() bool { return s.validator() != "" }

func newDownload(u *url.URL, path string, progress func(done, size int64)) *download {
	if progress == nil {
		progress = func(int64, int64) {}
	}
	d := &download{url: u.String(), path: path, progress: progress, client: &http.Client{}}
	// A state that cannot be read is as good as none: the download starts anew.
	if b, err := os.ReadFile(d.statePath()); err == nil {
		if json.Unmarshal(b, &d.state) != nil {
			d.state = fetchState{}
		}
	}
	return d
}

func (d *download) part() string      { return d.path + ".part" }
func (d *download) statePath() string { return d.path + ".json" }

func (d *download) partSize() int64 {
	stat, err := os.Stat(d.part())
	if err != nil {
		return 0
	}
	return stat.Size()
}

// attempt makes one request and puts what it brings in the file.
func (d *download) attempt(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stalled := time.AfterFunc(stallTimeout, func() {
		cancel(fmt.Errorf("the server has sent nothing for %s: %w", stallTimeout, errBroken))
	})
	defer stalled.Stop()

	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.url, http.NoBody)
	if err != nil {
		return err
	}
	request.Header.Set("User-Agent", generator)
	request.Header.Set("Accept-Encoding", "identity") // or Range would count packed bytes
	offset, err := d.conditions(request.Header)
	if err != nil {
		return err
	}
	response, err := d.client.Do(request)
	if err != nil {
		return stallOr(ctx, err)
	}
	defer func() { _ = response.Body.Close() }()
	switch response.StatusCode {
	case http.StatusNotModified:
		stat, err := os.Stat(d.path)
		if err != nil {
			return err
		}
		d.progress(stat.Size(), stat.Size())
		return nil
	case http.StatusOK:
		offset = 0
		d.state = fetchState{
			ETag: response.Header.Get("ETag"), Modified: response.Header.Get("Last-Modified"),
			Size: max(0, response.ContentLength),
		}
		// While there is a part, the state speaks of it: never of the finished
		// file that it will replace, and not before the former part is gone.
		if err := os.WriteFile(d.part(), nil, 0o644); err != nil {
			return err
		}
		if err := d.saveState(); err != nil {
			return err
		}
	case http.StatusPartialContent:
		if err := d.checkRange(response.Header.Get("Content-Range"), offset); err != nil {
			return errors.Join(err, os.RemoveAll(d.part()))
		}
	case http.StatusRequestedRangeNotSatisfiable:
		if err := os.Remove(d.part()); err != nil {
			return err
		}
		return errors.New("what was downloaded before does not fit the file the server has now; it is discarded, try again")
	default:
		return fmt.Errorf("the server answers %s", response.Status)
	}
	body := &watched{ctx: ctx, r: response.Body, stalled: stalled}
	if err := d.receive(body, offset); err != nil {
		return stallOr(ctx, err)
	}
	return os.Rename(d.part(), d.path)
}

// stallOr gives the reason of a request's end where that was a stall.
func stallOr(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, errBroken) {
		return cause
	}
	return err
}

// conditions sets a request's headers for the missing part, and returns where that begins.
func (d *download) conditions(h http.Header) (offset int64, err error) {
	if _, err := os.Stat(d.part()); err == nil {
		offset = d.partSize()
		if offset == 0 || !d.state.resumable() || d.state.Size != 0 && offset >= d.state.Size {
			return 0, nil
		}
		h.Set("Range", fmt.Sprintf("bytes=%d-", offset))
		h.Set("If-Range", d.state.validator())
		return offset, nil
	}
	stat, err := os.Stat(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if d.state.Size == 0 || d.state.Size == stat.Size() {
		if d.state.ETag != "" {
			h.Set("If-None-Match", d.state.ETag)
		}
		if d.state.Modified != "" {
			h.Set("If-Modified-Since", d.state.Modified)
		}
	}
	return 0, nil
}

// checkRange checks that a partial answer is the requested part.
func (d *download) checkRange(contentRange string, offset int64) error {
	var first, last, size int64
	if _, err := fmt.Sscanf(contentRange, "bytes %d-%d/%d", &first, &last, &size); err != nil {
		return fmt.Errorf("the server sends a part of the file with Content-Range %q", contentRange)
	}
	if first != offset || last != size-1 || d.state.Size != 0 && size != d.state.Size {
		return fmt.Errorf("the server sends bytes %d to %d of %d, not %d to the end of %d", first, last, size, offset, d.state.Size)
	}
	d.state.Size = size
	return nil
}

// receive appends the body to the part and checks that it is all there.
func (d *download) receive(body io.Reader, offset int64) (err error) {
	file, err := os.OpenFile(d.part(), os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
	}()
	if err := file.Truncate(offset); err != nil {
		return err
	}
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return err
	}
	done := offset
	buf := make([]byte, 256<<10)
	for {
		n, readErr := body.Read(buf)
		if n > 0 {
			if _, err := file.Write(buf[:n]); err != nil {
				return err
			}
			done += int64(n)
			d.progress(done, d.state.Size)
		}
		if readErr == nil {
			continue
		}
		if !errors.Is(readErr, io.EOF) || done < d.state.Size {
			of := ""
			if d.state.Size > 0 {
				of = fmt.Sprintf(" of %d", d.state.Size)
			}
			return fmt.Errorf("%w after %d%s bytes (%w)", errBroken, done, of, readErr)
		}
		break
	}
	if d.state.Size > 0 && done > d.state.Size {
		return fmt.Errorf("the server sent %d bytes, it stated %d", done, d.state.Size)
	}
	return file.Sync()
}

func (d *download) saveState() error {
	b, err := json.Marshal(d.state)
	if err != nil {
		return err
	}
	return os.WriteFile(d.statePath(), b, 0o644)
}

// watched puts off the stall whenever bytes arrive, and ends with the context
// even where all bytes are already here.
type watched struct {
	ctx     context.Context
	r       io.Reader
	stalled *time.Timer
}

func (w *watched) Read(p []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	n, err := w.r.Read(p)
	if n > 0 {
		w.stalled.Reset(stallTimeout)
	}
	return n, err
}
