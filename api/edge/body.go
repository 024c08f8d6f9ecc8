package edge

import (
	"io"
	"net/http"
	"time"

	"github.com/waygate/waygate/fault"
)

// bodies bounds the bodies of requests, and how many large ones are worked on at once.
type bodies struct {
	edge        *Edge
	largeBodies chan struct{} // has a token for each that is worked on
}

// bounded limits the body and the time of a request.
func (b *bodies) bounded(row *Row, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !row.Streams {
			t := traceOf(r.Context())
			limit := newTimed(t.Context, time.Now().Add(b.edge.options.RequestTimeout))
			defer limit.end()
			t.Context = limit
		}
		longest := b.longest(row, r)
		r.Body = http.MaxBytesReader(w, r.Body, longest)
		if r.ContentLength > longest {
			w.Header().Set("Connection", "close")
			r.Body = tooLong{r.Body, longest}
		}
		next.ServeHTTP(w, r)
	})
}

// tooLong is a body whose request says that it is longer than it may be. It is refused
// before anything of it is read, so that a client that waits for leave to send it
// (Expect: 100-continue) sends nothing.
type tooLong struct {
	io.Closer
	limit int64
}

func (t tooLong) Read([]byte) (int, error) { return 0, &http.MaxBytesError{Limit: t.limit} }

// longest returns how many bytes a body may have: what a row takes above others it
// takes only of those who send a key.
func (b *bodies) longest(row *Row, r *http.Request) int64 {
	if r.Header.Get("Authorization") == "" && len(queryKeys(r.URL.RawQuery)) == 0 {
		return b.edge.options.MaxBody
	}
	return max(b.edge.options.MaxBody, row.MaxBody)
}

// largeBodies is how many bodies above the usual bound are read and worked on at
// once: each is in memory a few times over.
const largeBodies = 2

// large waits until a request with a body above the usual bound may go on. leave
// lets the next one in.
func (b *bodies) large(row *Row, r *http.Request) (leave func(), err error) {
	if row.MaxBody == 0 || r.ContentLength >= 0 && r.ContentLength <= b.edge.options.MaxBody {
		return func() {}, nil
	}
	select {
	case b.largeBodies <- struct{}{}:
		return func() { <-b.largeBodies }, nil
	case <-r.Context().Done():
		return nil, fault.New(fault.UpstreamUnavailable, "other large uploads are being read; try again shortly").With("retry_after", 5)
	}
}
