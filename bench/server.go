package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/parallel"
)

// Protocol is the API that a server has.
type Protocol string

// The protocols. Waygate's endpoints in Valhalla's form are called as Valhalla's, except the
// matrix.
const (
	Waygate  Protocol = "waygate"
	Valhalla Protocol = "valhalla"
	OSRM     Protocol = "osrm"
)

// Server is one that is measured.
type Server struct {
	Name     string
	Protocol Protocol
	Address  string // without a slash at the end
	Key      string // API key, "" for none
	PID      int    // of its process, 0 for unknown
	client   *http.Client
}

// ParseServer reads NAME=PROTOCOL@ADDRESS or PROTOCOL=ADDRESS, with ,key=KEY and
// ,pid=PID behind it.
func ParseServer(text string) (*Server, error) {
	name, rest, ok := strings.Cut(text, "=")
	if !ok {
		return nil, fmt.Errorf("server %q: want PROTOCOL=ADDRESS or NAME=PROTOCOL@ADDRESS, as in waygate=http://127.0.0.1:8080", text)
	}
	s := &Server{Name: name, Protocol: Protocol(name)}
	parts := strings.Split(rest, ",")
	s.Address = strings.TrimRight(parts[0], "/")
	if protocol, address, ok := strings.Cut(s.Address, "@"); ok && !strings.Contains(protocol, "/") {
		s.Protocol, s.Address = Protocol(protocol), address
	}
	switch s.Protocol {
	case Waygate, Valhalla, OSRM:
	default:
		return nil, fmt.Errorf("server %q: %q is none of waygate, valhalla, osrm", text, s.Protocol)
	}
	if u, err := url.Parse(s.Address); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("server %q: %q is no address: it begins with http:// or https://, as in waygate=http://127.0.0.1:8080", text, s.Address)
	}
	for _, option := range parts[1:] {
		what, value, _ := strings.Cut(option, "=")
		switch what {
		case "key":
			s.Key = value
		case "pid":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return nil, fmt.Errorf("server %q: pid %q is not a process", text, value)
			}
			s.PID = n
		default:
			return nil, fmt.Errorf("server %q: %q is none of key, pid", text, what)
		}
	}
	s.client = &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 256, DisableCompression: true}}
	return s, nil
}

// Answer is a server's answer, as far as it can be compared. Seconds and
// Metres are of the whole, NaN-free; a matrix gives the sum of its cells.
type Answer struct {
	Seconds, Metres float64
	Line            []geo.Point // of a route or a matched drive
	Bytes           int
}

// longestAnswer bounds what is read of one.
const longestAnswer = 256 << 20

// Ask puts a request. The time is that from the first byte sent to the last
// byte read.
func (s *Server) Ask(ctx context.Context, q *Request) (a Answer, took time.Duration, err error) {
	r, err := s.request(ctx, q)
	if err != nil {
		return a, 0, err
	}
	began := time.Now()
	resp, err := s.do(r)
	if err != nil {
		return a, 0, err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, longestAnswer))
	took = time.Since(began)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return a, took, err
	}
	if resp.StatusCode != http.StatusOK {
		return a, took, fmt.Errorf("status %d: %.200s", resp.StatusCode, body)
	}
	a, err = s.understand(q, body)
	a.Bytes = len(body)
	return a, took, err
}

func (s *Server) request(ctx context.Context, q *Request) (*http.Request, error) {
	if s.Protocol == OSRM && !q.comparable() {
		return nil, fmt.Errorf("OSRM has no %s", q.Kind)
	}
	if s.Protocol == OSRM {
		return http.NewRequestWithContext(ctx, http.MethodGet, s.Address+osrmPath(q), http.NoBody)
	}
	path, body := valhallaBody(q)
	if s.Protocol == Waygate && q.Kind == Matrix {
		path = "/matrix"
	}
	return s.newRequest(ctx, http.MethodPost, path, body)
}

// newRequest has a body of JSON, or none for nil.
func (s *Server) newRequest(ctx context.Context, method, path string, body any) (*http.Request, error) {
	if body == nil {
		return http.NewRequestWithContext(ctx, method, s.Address+path, http.NoBody)
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, method, s.Address+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	return r, nil
}

// do sends a request with the server's key.
func (s *Server) do(r *http.Request) (*http.Response, error) {
	if s.Key != "" {
		r.Header.Set("Authorization", "Bearer "+s.Key)
	}
	return s.client.Do(r)
}

// Processor returns the processor time that all threads of the server's process have
// taken, 0 where it is not known. What threads took that have ended is not in it:
// neither Go nor Node end theirs.
func (s *Server) Processor() time.Duration {
	if s.PID == 0 {
		return 0
	}
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", s.PID))
	if err != nil {
		return 0
	}
	var sum time.Duration
	for _, t := range threads {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/schedstat", s.PID, t.Name()))
		if err != nil {
			continue
		}
		on, _, _ := strings.Cut(string(text), " ")
		if ns, err := strconv.ParseInt(on, 10, 64); err == nil {
			sum += time.Duration(ns)
		}
	}
	return sum
}

// Memory returns the resident memory of the server's process in bytes, mapped files
// included, 0 where it is not known.
func (s *Server) Memory() int64 { return s.status("VmRSS:") }

// Own returns its resident memory without mapped files.
func (s *Server) Own() int64 { return s.status("RssAnon:") }

// watch runs a function and returns the most memory of its own that the server had meanwhile.
func (s *Server) watch(something func()) int64 {
	done := make(chan struct{})
	var other parallel.Group
	other.Go(func() {
		defer close(done)
		something()
	})
	for most := s.Own(); ; most = max(most, s.Own()) {
		select {
		case <-done:
			other.Wait() // hands a panic on
			return max(most, s.Own())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// status reads a number of bytes that the system reports for the process.
func (s *Server) status(name string) int64 {
	if s.PID == 0 {
		return 0
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.PID))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err == nil {
				return kb << 10
			}
		}
	}
	return 0
}
