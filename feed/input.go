package feed

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/waygate/waygate/geo"
)

// Input is one document of a source: a stream to be read once from its
// beginning, unpacked (gzip, or the first file of a zip) and within the bounds of
// the source. A read fails once the poll has taken too long.
type Input struct {
	*bufio.Reader
	Source *Source
	Header http.Header // of its answer; nil for a file
	URL    string
	Now    time.Time // of this poll
	Report *Report

	open    func(ctx context.Context, ref string) (*Input, error)
	counts  func(country string, p geo.Point) bool // as of Options; nil is never
	closers []io.Closer
}

// Open fetches a further document of the source, named relative to this one: the
// next page, a second file that belongs to the first. It must be closed.
func (in *Input) Open(ctx context.Context, ref string) (*Input, error) {
	if base, err := url.Parse(in.URL); err == nil && base.Host != "" {
		to, err := base.Parse(ref)
		if err != nil {
			return nil, errors.New("it links to what is no address")
		}
		ref = to.String()
	}
	return in.open(ctx, ref)
}

// Close closes the document.
func (in *Input) Close() error {
	var err error
	for _, c := range in.closers {
		err = errors.Join(err, c.Close())
	}
	in.closers = nil
	return err
}

// Reads returns the first bytes of the document, at most so many, without consuming them: formats
// are recognised by them.
func (in *Input) Reads(n int) []byte {
	b, _ := in.Peek(n) // a shorter document gives what it has
	return b
}

// unpackedEach is how many bytes a packed byte may become beyond the first
// megabytes: what real feeds pack is below 100.
const (
	unpackedEach = 1000
	unpackedFree = 64 << 20
)

// maxListing is how many bytes of a zip are read to find its first file, of which
// each file in it takes 46 and its name.
const maxListing = 4 << 20

// listing reads a zip, and while it is not known what is in it so many bytes at most.
type listing struct {
	from io.ReaderAt
	left int
}

// ReadAt implements io.ReaderAt.
func (l *listing) ReadAt(p []byte, off int64) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, errors.New("it holds too many files")
	}
	return l.from.ReadAt(p, off)
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// unpack gives the stream of a file.
func (in *Input) unpack(ctx context.Context, f *os.File) error {
	in.closers = append(in.closers, f)
	stat, err := f.Stat()
	if err != nil {
		return withoutPath(err)
	}
	limit := cmp.Or(in.Source.MaxBytes, defaultMaxBytes)
	in.Reader = bufio.NewReaderSize(f, 64<<10)
	packed := true
	for layer := 0; packed; layer++ {
		start := in.Reads(4)
		var unpacked io.Reader
		switch {
		case bytes.HasPrefix(start, []byte{0x1f, 0x8b}):
			z, err := gzip.NewReader(in.Reader)
			if err != nil {
				return fmt.Errorf("it is packed as gzip and cannot be unpacked: %w", err)
			}
			unpacked = z
		case layer == 0 && bytes.HasPrefix(start, []byte("PK\x03\x04")):
			listed := &listing{f, maxListing}
			z, err := zip.NewReader(listed, stat.Size())
			listed.left = math.MaxInt
			if err != nil || len(z.File) == 0 {
				return errors.New("it is packed as zip and cannot be unpacked")
			}
			first, err := z.File[0].Open()
			if err != nil {
				return fmt.Errorf("it is packed as zip and cannot be unpacked: %w", err)
			}
			in.closers = append(in.closers, first)
			unpacked = first
		default:
			packed = false
			continue
		}
		if layer > 1 {
			return errors.New("it is packed more than twice")
		}
		most := min(limit, unpackedFree+unpackedEach*stat.Size())
		in.Reader = bufio.NewReaderSize(&bounded{ctx, unpacked, most, most}, 64<<10)
	}
	if bytes.HasPrefix(in.Reads(3), byteOrderMark) {
		_, err = in.Discard(len(byteOrderMark))
	}
	return err
}

// bounded reads up to a limit.
type bounded struct {
	ctx         context.Context
	from        io.Reader
	left, limit int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.ctx.Err() != nil {
		return 0, context.Cause(b.ctx)
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.left+1)])
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("it unpacks to more than %d bytes", b.limit)
	}
	return n, err
}

// Report has the notes and rejections of reading a source.
type Report struct {
	published time.Time
	records   int // that were read
	rejects   map[string]*Reject
	order     []string
}

// Reject counts the records that were left out for one reason.
type Reject struct {
	Reason  string `json:"reason"`
	Count   int    `json:"count"`
	Example string `json:"example" doc:"the first of them"`
}

// maxReasons is the limit of reasons that are counted apart.
const maxReasons = 50

// Reject counts a record that is left out, by a reason that is the same for all
// of its like ("price out of range"); the first is shown as example.
func (r *Report) Reject(reason, example string, args ...any) {
	if r.rejects == nil {
		r.rejects = map[string]*Reject{}
	}
	one := r.rejects[reason]
	if one == nil {
		if len(r.rejects) >= maxReasons {
			reason = "other"
		}
		if one = r.rejects[reason]; one == nil {
			one = &Reject{Reason: reason, Example: clip(fmt.Sprintf(example, args...))}
			r.rejects[reason] = one
			r.order = append(r.order, reason)
		}
	}
	one.Count++
}

// record counts one more record, and fails where there are too many.
func (r *Report) record() error {
	if r.records++; r.records > MaxRecords {
		return fmt.Errorf("it has more than %d records", MaxRecords)
	}
	return nil
}

// Published sets when the document was made, by its source. A source that says
// several is as old as the newest.
func (r *Report) Published(t time.Time) {
	if t.After(r.published) {
		r.published = t
	}
}

// list returns the rejects in the order in which they were met first.
func (r *Report) list() []Reject {
	out := make([]Reject, 0, len(r.order))
	for _, reason := range r.order {
		out = append(out, *r.rejects[reason])
	}
	return out
}

// longestExample bounds what is shown of a feed, in bytes.
const longestExample = 200

func clip(s string) string {
	if len(s) > longestExample {
		return string(bytes.ToValidUTF8([]byte(s[:longestExample]), nil)) + "…"
	}
	return s
}
