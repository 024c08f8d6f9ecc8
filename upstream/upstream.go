// Package upstream sends requests to other servers over HTTP. The
// error that a caller sees has neither the server's address nor its text; the
// cause, which has them, stays for the log.
package upstream

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"

	"github.com/waygate/waygate/fault"
)

// Server is a server that requests are sent to.
type Server struct {
	Name   string // in failures, such as "the routing engine"
	Client Doer
}

// Post sends JSON to an address, to which it must be harmless to send it twice, and
// gives the status and the body of the answer.
//
// The error is the context's where the caller went away, fault.UpstreamTimeout where
// no answer came in time, fault.UpstreamUnavailable where the server could not be
// reached, and fault.Upstream for an answer that broke off or is longer than most, in
// bytes.
func (s Server) Post(ctx context.Context, address string, request []byte, most int64) (status int, body []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(request))
	if err != nil {
		return 0, nil, fault.Wrap(err, fault.UpstreamUnavailable, "the address of %s is no URL", s.Name)
	}
	req.Header.Set("Content-Type", "application/json")
	return s.send(ctx, req, most)
}

// Get asks an address, and fails as Post does.
func (s Server) Get(ctx context.Context, address string, most int64) (status int, body []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return 0, nil, fault.Wrap(err, fault.UpstreamUnavailable, "the address of %s is no URL", s.Name)
	}
	return s.send(ctx, req, most)
}

func (s Server) send(ctx context.Context, req *http.Request, most int64) (status int, body []byte, err error) {
	// A connection that the server dropped while it idled may be replaced; a nil value
	// says so without sending a header.
	req.Header["Idempotency-Key"] = nil
	res, err := s.Client.Do(req)
	if err != nil {
		return 0, nil, s.unheard(ctx, err)
	}
	body, err = read(res, most)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		if err = s.unheard(ctx, err); fault.Is(err, fault.UpstreamUnavailable) {
			err = fault.Wrap(err, fault.Upstream, "%s broke off after %d bytes of its answer", s.Name, len(body)).With("upstream_status", res.StatusCode)
		}
		return 0, nil, err
	}
	if int64(len(body)) > most {
		return 0, nil, fault.Wrap(errTooLong, fault.Upstream, "the answer of %s is longer than %d bytes", s.Name, most).With("upstream_status", res.StatusCode)
	}
	return res.StatusCode, body, nil
}

// errTooLong is the cause of a failure for the length of an answer.
var errTooLong = errors.New("the answer is too long")

// read reads at most so many bytes of an answer and one more, which says that it is longer.
// Of one that says so itself it reads nothing but that byte.
func read(res *http.Response, most int64) ([]byte, error) {
	switch n := res.ContentLength; {
	case n > most:
		return make([]byte, most+1), nil
	case n >= 0:
		body := make([]byte, n)
		got, err := io.ReadFull(res.Body, body)
		return body[:got], err
	}
	return io.ReadAll(io.LimitReader(res.Body, most+1))
}

// unsent reports whether the server of a failed request cannot have received it.
func unsent(err error) bool {
	var dial *net.OpError
	return errors.As(err, &dial) && dial.Op == "dial"
}

// unheard returns the error of a request without an answer.
func (s Server) unheard(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err() // the caller went away, so it is no failure of the server
	}
	var slow net.Error
	if errors.As(err, &slow) && slow.Timeout() {
		return fault.Wrap(err, fault.UpstreamTimeout, "%s did not answer in time", s.Name)
	}
	return fault.Wrap(err, fault.UpstreamUnavailable, "%s could not be reached", s.Name)
}
