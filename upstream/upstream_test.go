package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
)

func TestPost(t *testing.T) {
	given := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked, _ := io.ReadAll(r.Body)
		switch r.URL.Path {
		case "/slow":
			<-given
		case "/broken":
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write(asked)
		default:
			w.WriteHeader(http.StatusTeapot)
			_, _ = fmt.Fprintf(w, "%s %s", r.Header.Get("Content-Type"), asked)
		}
	}))
	defer server.Close()
	defer close(given)
	gone, leave := context.WithCancel(t.Context())
	leave()
	late, end := context.WithDeadline(t.Context(), time.Now())
	defer end()
	away := httptest.NewServer(nil)
	away.Close()
	s := Server{"the server", &http.Client{}}
	for name, c := range map[string]struct {
		ctx     context.Context
		address string
		most    int64
		want    fault.Slug
	}{
		"no URL":       {t.Context(), "http://%zz", 99, fault.UpstreamUnavailable},
		"nobody there": {t.Context(), away.URL, 99, fault.UpstreamUnavailable},
		"too slow":     {late, server.URL + "/slow", 99, fault.UpstreamTimeout},
		"broken off":   {t.Context(), server.URL + "/broken", 99, fault.Upstream},
		"too long":     {t.Context(), server.URL, 18, fault.Upstream},
	} {
		_, body, err := s.Post(c.ctx, c.address, []byte("{}"), c.most)
		var f *fault.Error
		if !fault.Is(err, c.want) || !errors.As(err, &f) || body != nil {
			t.Errorf("%s: %v %s", name, err, body)
		} else if detail := f.Detail; strings.Contains(detail, "127.0.0.1") || !strings.Contains(detail, "the server") {
			t.Errorf("%s: the caller reads %q", name, detail)
		}
	}
	if _, _, err := s.Post(gone, server.URL+"/slow", nil, 99); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who left: %v", err)
	}
	status, body, err := s.Post(t.Context(), server.URL, []byte("{}"), 19)
	if status != http.StatusTeapot || string(body) != "application/json {}" || err != nil {
		t.Errorf("%d %s %v", status, body, err)
	}
}
