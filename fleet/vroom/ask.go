package vroom

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/waygate/waygate/fault"
)

// ask sends a problem and gives the answer, of at most so many bytes, which is waited for
// somewhat longer than the search may take. What the caller is told has neither the
// server's address nor its words.
func (s *Solver) ask(ctx context.Context, problem []byte, limit time.Duration, most int64) ([]byte, error) {
	asking := ctx
	if limit > 0 {
		var cancel context.CancelFunc
		asking, cancel = context.WithTimeout(ctx, limit+grace)
		defer cancel()
	}
	req, err := http.NewRequestWithContext(asking, http.MethodPost, s.address, bytes.NewReader(problem))
	if err != nil {
		return nil, fault.Wrap(err, fault.UpstreamUnavailable, "the address of the optimisation server (VROOM) is no URL")
	}
	req.Header.Set("Content-Type", "application/json")
	// To ask twice is harmless: a connection that was dropped while it idled may be replaced.
	req.Header["Idempotency-Key"] = nil
	res, err := s.client.Do(req)
	if err != nil {
		return nil, unheard(ctx, err)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, most+1))
	err = errors.Join(err, res.Body.Close())
	switch {
	case err != nil:
		if err = unheard(ctx, err); fault.Is(err, fault.UpstreamUnavailable) {
			return nil, fault.Wrap(err, fault.Upstream, "the optimisation server (VROOM) broke off after %d bytes of its answer", len(body)).With("upstream_status", res.StatusCode)
		}
		return nil, err
	case int64(len(body)) > most:
		return nil, fault.New(fault.Upstream, "the answer of the optimisation server (VROOM) is longer than %d bytes", most).With("upstream_status", res.StatusCode)
	case res.StatusCode == http.StatusRequestEntityTooLarge:
		return nil, fault.New(fault.Upstream, "the problem is too large for the optimisation server (VROOM), which was sent %d bytes: its operator can raise its limits", len(problem)).With("upstream_status", res.StatusCode)
	case res.StatusCode != http.StatusOK:
		var a answered
		if json.Unmarshal(body, &a) == nil && a.Code != nil && *a.Code != 0 {
			return nil, failed(&a, res.StatusCode)
		}
		return nil, fault.New(fault.Upstream, "the optimisation server (VROOM) answered with status %d", res.StatusCode).With("upstream_status", res.StatusCode)
	}
	return body, nil
}

// unheard says why there was no answer.
func unheard(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err() // the caller went away
	}
	var slow net.Error
	if errors.As(err, &slow) && slow.Timeout() || errors.Is(err, context.DeadlineExceeded) {
		return fault.Wrap(err, fault.UpstreamTimeout, "the optimisation server (VROOM) did not answer in time")
	}
	return fault.Wrap(err, fault.UpstreamUnavailable, "the optimisation server (VROOM) could not be reached")
}
