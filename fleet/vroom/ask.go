package vroom

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/upstream"
)

// ask sends a problem and returns the answer, of at most so many bytes. It waits
// somewhat longer than the search may take. Errors for the caller contain neither the
// server's address nor its words.
func (s *Solver) ask(ctx context.Context, problem []byte, limit time.Duration, most int64) ([]byte, error) {
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit+grace)
		defer cancel()
	}
	status, body, err := upstream.Server{Name: "the optimisation server (VROOM)", Client: s.client}.Post(ctx, s.address, problem, most)
	switch {
	case err != nil:
		return nil, err
	case status == http.StatusRequestEntityTooLarge:
		return nil, fault.New(fault.Upstream, "the problem is too large for the optimisation server (VROOM), which was sent %d bytes: its operator can raise its limits", len(problem)).With("upstream_status", status)
	case status != http.StatusOK:
		var a answered
		if json.Unmarshal(body, &a) == nil && a.Code != nil && *a.Code != 0 {
			return nil, failed(&a, status)
		}
		return nil, fault.New(fault.Upstream, "the optimisation server (VROOM) answered with status %d", status).With("upstream_status", status)
	}
	return body, nil
}
