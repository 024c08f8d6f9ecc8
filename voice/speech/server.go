package speech

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/fault"
)

// ServerOptions are those of NewServer. URL is required.
type ServerOptions struct {
	URL    string // of the server, or of its audio/speech
	Key    string // sent as a bearer token; "" sends none
	Model  string
	Voices []Voice
	Client *http.Client // nil has one of its own
}

// Server is a server with OpenAI's audio/speech
// (https://platform.openai.com/docs/api-reference/audio/createSpeech), as Kokoro-FastAPI, LocalAI and
// wrappers of Piper have it, too.
type Server struct {
	ServerOptions
	address string
}

// NewServer returns the engine of a server.
func NewServer(o ServerOptions) *Server {
	address := strings.TrimRight(o.URL, "/")
	switch {
	case strings.HasSuffix(address, "/audio/speech"):
	case strings.HasSuffix(address, "/v1"):
		address += "/audio/speech"
	default:
		address += "/v1/audio/speech"
	}
	if o.Client == nil {
		o.Client = &http.Client{}
	}
	return &Server{o, address}
}

// Version names the model. The server's own version is not known.
func (s *Server) Version() string { return "audio/speech " + s.Model }

// Voices lists the voices that the operator named.
func (s *Server) Voices() []Voice { return s.ServerOptions.Voices }

// Tries of a server that answers 429 or 503, and how long it is waited for at the most
// before each.
const (
	mostTries = 3
	mostWait  = 5 * time.Second
)

// Speak requests WAV from the server, and for MP3 where it refuses that format. The error is the
// context's, fault.UpstreamTimeout where no answer came in time, fault.UpstreamUnavailable where
// the server could not be reached or was too busy, and fault.Upstream for any other answer than
// sound.
func (s *Server) Speak(ctx context.Context, r Request) ([]byte, error) {
	sound, err := s.speak(ctx, r, "wav")
	if errors.Is(err, errFormat) {
		sound, err = s.speak(ctx, r, "mp3")
	}
	return sound, err
}

func (s *Server) speak(ctx context.Context, r Request, format string) ([]byte, error) {
	body, err := json.Marshal(map[string]any{"model": s.Model, "input": r.Text, "voice": r.Voice, "response_format": format, "speed": r.Rate})
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		sound, wait, err := s.once(ctx, body)
		if wait == 0 || try == mostTries {
			return sound, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(wait):
		}
	}
}

// errFormat is the cause of a refusal that is of the format.
var errFormat = errors.New("the format is refused")

// once requests once. wait is how long to wait before the next try; 0 has none.
func (s *Server) once(ctx context.Context, body []byte) (sound []byte, wait time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address, bytes.NewReader(body))
	if err != nil {
		return nil, 0, fault.Wrap(err, fault.UpstreamUnavailable, "the address of the speech server is no URL")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "audio/wav, audio/*")
	if s.Key != "" {
		req.Header.Set("Authorization", "Bearer "+s.Key)
	}
	res, err := s.Client.Do(req)
	if err != nil {
		return nil, 0, unheard(ctx, err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(res.Body, 500))
		cause := fmt.Errorf("status %d: %s", res.StatusCode, said)
		if (res.StatusCode == http.StatusBadRequest || res.StatusCode == http.StatusUnprocessableEntity) && bytes.Contains(said, []byte("format")) {
			cause = fmt.Errorf("%w: %w", errFormat, cause)
		}
		if res.StatusCode == http.StatusTooManyRequests || res.StatusCode == http.StatusServiceUnavailable {
			return nil, waitOf(res.Header.Get("Retry-After")), fault.Wrap(cause, fault.UpstreamUnavailable, "the speech server is too busy; try again later")
		}
		return nil, 0, fault.Wrap(cause, fault.Upstream, "the speech server refused the request").With("upstream_status", res.StatusCode)
	}
	sound, err = io.ReadAll(io.LimitReader(res.Body, mostSound+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, 0, fault.Wrap(err, fault.Upstream, "the speech server broke off after %d bytes of its answer", len(sound))
	case err != nil:
		return nil, 0, unheard(ctx, err)
	case len(sound) > mostSound:
		return nil, 0, fault.New(fault.Upstream, "the answer of the speech server is longer than %d bytes", mostSound)
	}
	return sound, 0, nil
}

// waitOf reads Retry-After in seconds; a date or nothing is half a second.
func waitOf(header string) time.Duration {
	if seconds, err := strconv.ParseFloat(strings.TrimSpace(header), 64); err == nil && seconds > 0 {
		return min(mostWait, time.Duration(seconds*float64(time.Second)))
	}
	return time.Second / 2
}

// unheard is the error of a request without an answer.
func unheard(ctx context.Context, err error) error {
	var slow net.Error
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	case errors.As(err, &slow) && slow.Timeout():
		return fault.Wrap(err, fault.UpstreamTimeout, "the speech server did not answer in time")
	}
	return fault.Wrap(err, fault.UpstreamUnavailable, "the speech server could not be reached")
}
