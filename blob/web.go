package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/internet"
)

// web reads files from a web server. Names are of files below an address.
type web struct {
	base   *url.URL
	client *http.Client
}

// Limits of requests to a web server.
const (
	maxHops     = 5
	webPatience = 10 * time.Second // until an answer begins
)

// ErrNoRanges is the error of a web server that sends only whole files.
var ErrNoRanges = errors.New("its server does not send parts of files (Range)")

// OpenFile opens the one file at a place, to be read: a path, an http or https
// address, or s3://bucket/key. The file need not be there yet.
func OpenFile(place string) (from Reader, name string, err error) {
	switch {
	case strings.HasPrefix(place, bucketScheme):
		bucket, key, ok := strings.Cut(strings.TrimPrefix(place, bucketScheme), "/")
		if !ok || bucket == "" || key == "" {
			return nil, "", fmt.Errorf("%s: want s3://bucket/key", place)
		}
		from, err = NewBucket(bucket, "")
		return from, key, err // as it stands: a key is not percent-encoded
	case strings.HasPrefix(place, "http://"), strings.HasPrefix(place, "https://"):
		u, err := url.Parse(place)
		if err != nil || u.Host == "" || u.Fragment != "" || strings.HasSuffix(u.Path, "/") || u.Path == "" {
			return nil, "", errors.New("want the address of a file")
		}
		return newWeb(u, nil), "file", nil
	}
	if at, err := filepath.EvalSymlinks(place); err == nil {
		place = at // which may lead to another folder
	}
	return NewFolder(filepath.Dir(place)), filepath.Base(place), nil
}

// newWeb reads the file at one address, whatever its name. It follows redirects to
// public addresses, to others only where its own is one. own connects to its own
// host, and is nil but in tests.
func newWeb(at *url.URL, own func(ctx context.Context, network, address string) (net.Conn, error)) *web {
	w := &web{base: at}
	open, public := &net.Dialer{Timeout: webPatience}, &net.Dialer{Timeout: webPatience, Control: internet.Only}
	if own == nil {
		own = open.DialContext
	}
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		switch {
		case address == hostPort(at):
			return own(ctx, network, address)
		case w.private(ctx):
			return open.DialContext(ctx, network, address)
		}
		return public.DialContext(ctx, network, address)
	}
	w.client = &http.Client{
		Transport: &http.Transport{
			DialContext: dial, TLSHandshakeTimeout: webPatience, ResponseHeaderTimeout: webPatience,
			MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true, DisableCompression: true,
		},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) > maxHops || r.URL.Scheme != "https" && r.URL.Scheme != at.Scheme {
				return errors.New("too many redirects, or one from https to http")
			}
			return nil
		},
	}
	return w
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// private reports whether the operator's own address is a private one.
func (w *web) private(ctx context.Context) bool {
	if ip, err := netip.ParseAddr(w.base.Hostname()); err == nil {
		return !internet.Public(ip)
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", w.base.Hostname())
	for _, ip := range found {
		if !internet.Public(ip) {
			return true
		}
	}
	return err == nil && len(found) == 0
}

// Stat requests the first byte; the answer has the size and tag.
func (w *web) Stat(ctx context.Context, _ string) (Info, error) {
	answer, err := w.ask(ctx, Span{0, 1, ""})
	if err != nil {
		return Info{}, err
	}
	defer func() { _ = answer.Body.Close() }()
	_, total, ok := strings.Cut(answer.Header.Get("Content-Range"), "/")
	size, err := strconv.ParseInt(total, 10, 64)
	if !ok || err != nil || size < 1 {
		return Info{}, ErrNoRanges
	}
	return Info{size, tagOf(answer)}, nil
}

// tagOf returns the tag of an answer, or where it has none when it was changed.
func tagOf(r *http.Response) string {
	if tag := r.Header.Get("ETag"); tag != "" {
		return strings.Trim(strings.TrimPrefix(tag, "W/"), `"`)
	}
	return r.Header.Get("Last-Modified")
}

// Read requests a part. A file that has changed is recognised by its tag, whether or not
// the server compares it.
func (w *web) Read(ctx context.Context, _ string, part Span) (io.ReadCloser, error) {
	answer, err := w.ask(ctx, part)
	if err != nil {
		return nil, err
	}
	if part.ETag != "" && tagOf(answer) != part.ETag {
		return nil, errors.Join(ErrChanged, answer.Body.Close())
	}
	if at := fmt.Sprintf("bytes %d-%d/", part.Offset, part.Offset+part.Length-1); !strings.HasPrefix(answer.Header.Get("Content-Range"), at) {
		return nil, errors.Join(fmt.Errorf("its server sent another part than the one asked for: %q", answer.Header.Get("Content-Range")), answer.Body.Close())
	}
	return section{io.LimitReader(answer.Body, part.Length), answer.Body}, nil
}

func (w *web) ask(ctx context.Context, part Span) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.base.String(), nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", part.Offset, part.Offset+part.Length-1))
	answer, err := w.client.Do(r)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err // without the address, which may contain a password
		}
		return nil, err
	}
	switch answer.StatusCode {
	case http.StatusPartialContent:
		return answer, nil
	case http.StatusNotFound, http.StatusGone:
		err = fmt.Errorf("%w: its server answers %d", ErrNotFound, answer.StatusCode)
	case http.StatusPreconditionFailed:
		err = ErrChanged
	case http.StatusRequestedRangeNotSatisfiable:
		err = ErrChanged
	case http.StatusOK:
		err = ErrNoRanges
	default:
		err = fmt.Errorf("its server answers %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	}
	return nil, errors.Join(err, answer.Body.Close())
}
