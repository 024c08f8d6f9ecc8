// Package httpfile sends files over HTTP, whole or in ranges, and compares entity tags
// (RFC 9110).
package httpfile

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/waygate/waygate/fault"
)

// File is a file that callers may take whole or in parts.
type File struct {
	Size  int64
	Tag   string // strong entity tag, with its quotes, such as that of the file's hash
	Media string

	// Open returns length bytes from an offset on, at least one, to be closed after use.
	Open func(ctx context.Context, offset, length int64) (io.ReadCloser, error)

	// Take counts the bytes before they are sent, or refuses them. giveBack is then called
	// with how many of these were not sent. nil counts nothing.
	Take func(ctx context.Context, length int64) (giveBack func(unsent int64) error, err error)

	// Broke, where it is not nil, receives the reason why an answer that had begun was not
	// sent to its end.
	Broke func(ctx context.Context, err error)
}

// Request is embedded by the input of an endpoint that sends a File.
type Request struct {
	Range     string `header:"Range" doc:"one range of bytes, such as bytes=1000-"`
	IfMatch   string `header:"If-Match" doc:"entity tags, one of which the file must have; 412 where it has another"`
	IfRange   string `header:"If-Range" doc:"an entity tag; where it is another the whole file is sent"`
	NoneMatch string `header:"If-None-Match" doc:"entity tags that the caller has"`
}

// A file is sent in chunks of fileChunk bytes, and a client has chunkTime for each: at
// least 4 KiB a second.
const (
	fileChunk = 256 << 10
	chunkTime = time.Minute
)

// Send answers a GET or a HEAD with a file: 200 with all of it, 206 with the requested
// part, 304 where the caller has it. A file that has none of the tags of If-Match fails as
// fault.PreconditionFailed, a range that cannot be sent as fault.RangeNotSatisfiable. A HEAD is answered as for the whole file and takes nothing.
func Send(w http.ResponseWriter, r *http.Request, in *Request, f *File) error {
	h := w.Header()
	h.Set("Accept-Ranges", "bytes")
	if in.IfMatch != "" && !strictly(in.IfMatch, f.Tag) {
		h.Set("ETag", f.Tag)
		return fault.New(fault.PreconditionFailed, "the file has the entity tag %s now, and none of If-Match: %s; begin to read it anew", f.Tag, fault.Clip(in.IfMatch))
	}
	if NotModified(w, in.NoneMatch, f.Tag) {
		return nil
	}
	part := wholeFile(f.Size)
	if r.Method != http.MethodHead && (in.IfRange == "" || in.IfRange == f.Tag) {
		var err error
		if part, err = parseRange(in.Range, f.Size); err != nil {
			h.Set("Content-Range", "bytes */"+strconv.FormatInt(f.Size, 10))
			return err
		}
	}
	begin := func() {
		h.Set("Content-Type", f.Media)
		h.Set("Content-Length", strconv.FormatInt(part.length, 10))
		Uncompressed(w) // the bytes that are counted and hashed are the bytes sent
		if part.whole {
			w.WriteHeader(http.StatusOK)
			return
		}
		h.Set("Content-Range", part.header(f.Size))
		w.WriteHeader(http.StatusPartialContent)
	}
	if r.Method == http.MethodHead || part.length == 0 {
		begin()
		return nil
	}
	return f.send(w, r, part, begin)
}

// send counts a part, sends it, and gives back what was not sent.
func (f *File) send(w http.ResponseWriter, r *http.Request, p byteRange, begin func()) (err error) {
	content, err := f.Open(r.Context(), p.from, p.length)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }()
	sent := int64(0)
	if f.Take != nil {
		giveBack, err := f.Take(r.Context(), p.length)
		if err != nil {
			return err
		}
		defer func() {
			if e := giveBack(p.length - sent); err == nil {
				err = e
			}
		}()
	}
	begin()
	control := http.NewResponseController(w)
	for sent < p.length {
		if err := control.SetWriteDeadline(time.Now().Add(chunkTime)); err != nil && !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
		n, err := io.CopyN(w, content, min(fileChunk, p.length-sent))
		if sent += n; err != nil {
			// The server cuts an answer with fewer bytes than it announced.
			if f.Broke != nil {
				f.Broke(r.Context(), err)
			}
			return nil
		}
	}
	return nil
}
