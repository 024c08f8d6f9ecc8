package feed

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// Defaults and bounds of fetching.
const (
	defaultTimeout  = time.Minute
	defaultMaxBytes = 512 << 20
	maxDocuments    = 10_000 // of one poll
)

// errUnchanged is returned for a source that has not changed.
var errUnchanged = errors.New("the source has not changed")

// refused is an HTTP status that is no document.
type refused struct {
	status int
	after  time.Duration // when to come back; 0 where it does not say
}

func (r *refused) Error() string {
	return fmt.Sprintf("the server answers %d %s", r.status, http.StatusText(r.status))
}

// Refusal returns the HTTP status that an error of Input.Open is about; 0 where it
// is about something else. Sources that end with a 404 page are read so.
func Refusal(err error) int {
	var r *refused
	if errors.As(err, &r) {
		return r.status
	}
	return 0
}

// validators are the tag and the date of a document by its server or file system, to ask
// whether it has changed.
type validators struct {
	ETag     string    `json:"etag,omitempty"`
	Modified string    `json:"last_modified,omitempty"`
	Time     time.Time `json:"time,omitzero"` // of a file
	Size     int64     `json:"size,omitempty"`
}

// document is a fetched document, packed as it came.
type document struct {
	URL    string      `json:"url"`
	File   string      `json:"file"` // in the spool
	Header http.Header `json:"header,omitempty"`
}

// fetcher gets documents of one source into files.
type fetcher struct {
	source *Source
	client *http.Client
	agent  string
	token  struct {
		value string
		until time.Time
	}
	now func() time.Time
}

// get fetches the document at an address or a path into a file. Where known says
// what is held already it fails with errUnchanged if that still holds. What was
// said of it comes back with how long it says it will stay as it is.
func (f *fetcher) get(ctx context.Context, ref, into string, known *validators) (document, validators, time.Duration, error) {
	timeout := cmp.Or(time.Duration(f.source.Timeout), defaultTimeout)
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("not answered within %s", timeout))
	defer cancel()
	u, err := url.Parse(ref)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		d, v, err := f.copyFile(ref, into, known)
		return d, v, 0, err
	}
	d, v, fresh, err := f.download(ctx, u, into, known)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err // its address may hold a key
		if errors.Is(err, io.EOF) {
			err = errors.New("the connection was closed without an answer")
		}
	}
	return d, v, fresh, err
}

func (f *fetcher) copyFile(path, into string, known *validators) (document, validators, error) {
	from, err := os.Open(path)
	if err != nil {
		return document{}, validators{}, withoutPath(err)
	}
	defer func() { _ = from.Close() }()
	stat, err := from.Stat()
	if err != nil {
		return document{}, validators{}, withoutPath(err)
	}
	v := validators{Time: stat.ModTime(), Size: stat.Size()}
	if known != nil && known.Time.Equal(v.Time) && known.Size == v.Size {
		return document{}, v, errUnchanged
	}
	return document{URL: path, File: into}, v, f.store(into, from, stat.Size())
}

// withoutPath is a failure of the file system without the path, which is the
// operator's own affair.
func withoutPath(err error) error {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

func (f *fetcher) download(ctx context.Context, u *url.URL, into string, known *validators) (d document, v validators, fresh time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return d, v, 0, err
	}
	r.Header.Set("User-Agent", f.agent)
	r.Header.Set("Accept-Encoding", "gzip")
	r.Header.Set("Accept", "*/*")
	if known != nil && known.ETag != "" {
		r.Header.Set("If-None-Match", known.ETag)
	}
	if known != nil && known.Modified != "" {
		r.Header.Set("If-Modified-Since", known.Modified)
	}
	if home := f.source.remote(); home != nil && sameServer(home, u) {
		for name, value := range f.source.Headers {
			r.Header.Set(name, value)
		}
		if err := f.authorise(ctx, r); err != nil {
			return d, v, 0, err
		}
	}
	answer, err := f.client.Do(r)
	if err != nil {
		return d, v, 0, err
	}
	defer func() { _ = answer.Body.Close() }()
	fresh = f.fresh(answer.Header)
	switch {
	case answer.StatusCode == http.StatusNotModified && known != nil:
		return d, *known, fresh, errUnchanged
	case answer.StatusCode == http.StatusUnauthorized:
		f.token.value = ""
		fallthrough
	case answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusNonAuthoritativeInfo:
		return d, v, 0, &refused{answer.StatusCode, f.after(answer.Header)}
	}
	v = validators{ETag: answer.Header.Get("ETag"), Modified: answer.Header.Get("Last-Modified")}
	d = document{URL: u.String(), File: into, Header: http.Header{}}
	for _, name := range []string{"Content-Type", "Last-Modified", "Date", "Link", "X-Total-Count", "X-Limit"} {
		if list := answer.Header.Values(name); list != nil {
			d.Header[name] = list
		}
	}
	return d, v, fresh, f.store(into, answer.Body, answer.ContentLength)
}

// store writes a document as it came; the bound of what it unpacks to is a bound
// of that too.
func (f *fetcher) store(path string, from io.Reader, size int64) error {
	limit := cmp.Or(f.source.MaxBytes, defaultMaxBytes)
	if size > limit {
		return fmt.Errorf("it has %d bytes, more than the %d allowed (max_bytes)", size, limit)
	}
	to, err := os.Create(path)
	if err != nil {
		return withoutPath(err)
	}
	n, err := io.Copy(to, io.LimitReader(from, limit+1))
	if err == nil && n > limit {
		err = fmt.Errorf("it has more than the %d bytes allowed (max_bytes)", limit)
	}
	if err == nil && size >= 0 && n != size {
		err = fmt.Errorf("it broke off after %d of %d bytes", n, size)
	}
	if err == nil && n == 0 {
		err = errors.New("it is empty")
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("it broke off after %d bytes", n)
	}
	return errors.Join(err, to.Close())
}

// longestFresh bounds how long a server can have us not come back.
const longestFresh = time.Hour

// fresh returns how long an answer says that it holds.
func (f *fetcher) fresh(h http.Header) time.Duration {
	for part := range strings.SplitSeq(h.Get("Cache-Control"), ",") {
		if n, ok := strings.CutPrefix(strings.TrimSpace(part), "max-age="); ok {
			if s, err := strconv.Atoi(n); err == nil {
				return min(max(0, time.Duration(min(s, 1<<20))*time.Second), longestFresh)
			}
		}
	}
	if t, err := http.ParseTime(h.Get("Expires")); err == nil {
		return min(max(0, t.Sub(f.now())), longestFresh)
	}
	return 0
}

// after returns when a server that refused wants to be asked again.
func (f *fetcher) after(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if s, err := strconv.Atoi(text); err == nil {
		return min(max(0, time.Duration(min(s, 1<<20))*time.Second), longestFresh)
	}
	if t, err := http.ParseTime(text); err == nil {
		return min(max(0, t.Sub(f.now())), longestFresh)
	}
	return 0
}

// authorise adds a token where the source needs one.
func (f *fetcher) authorise(ctx context.Context, r *http.Request) error {
	o := f.source.OAuth
	if o == nil {
		return nil
	}
	if f.token.value == "" || !f.now().Before(f.token.until) {
		if err := f.fetchToken(ctx, o); err != nil {
			return fmt.Errorf("no token: %w", err)
		}
	}
	r.Header.Set("Authorization", "Bearer "+f.token.value)
	return nil
}

// maxToken bounds the answer with a token, in bytes.
const maxToken = 64 << 10

func (f *fetcher) fetchToken(ctx context.Context, o *OAuth) error {
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {o.ClientID}, "client_secret": {o.ClientSecret}}
	if o.Scope != "" {
		form.Set("scope", o.Scope)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, o.TokenURL, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	r.Header.Set("User-Agent", f.agent)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := f.client.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return &refused{answer.StatusCode, f.after(answer.Header)}
	}
	var got struct {
		Token   string `json:"access_token"`
		Expires int64  `json:"expires_in"`
		Data    struct {
			Token   string `json:"access_token"`
			Expires int64  `json:"expires_in"`
		} `json:"data"` // where the answer stands in an envelope
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, maxToken)).Decode(&got); err != nil {
		return errors.New("the answer is no JSON with an access_token")
	}
	f.token.value = cmp.Or(got.Token, got.Data.Token)
	if f.token.value == "" {
		return errors.New("the answer has no access_token")
	}
	// A little before it ends, so that no call is made with one that has.
	life := time.Duration(min(max(0, cmp.Or(got.Expires, got.Data.Expires)), 1<<20)) * time.Second
	f.token.until = f.now().Add(life - life/10)
	return nil
}
