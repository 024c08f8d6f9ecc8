package territory

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Server is a gateway that serves territories.
type Server struct {
	URL    string            // without a slash at the end
	Key    string            // the API key, "" for none
	Public ed25519.PublicKey // the key that its documents must be signed with
	Client *http.Client      // nil is a client without a total time limit
}

// refusal is an answer with another status than 200.
type refusal struct {
	status int
	wait   time.Duration // before the next try, from Retry-After; 0 without
	detail string
}

func (r *refusal) Error() string {
	if r.detail == "" {
		return "the server answers " + http.StatusText(r.status)
	}
	return fmt.Sprintf("the server answers %d: %s", r.status, r.detail)
}

// patience is the longest time until the header of an answer.
const patience = 30 * time.Second

func (s *Server) client() *http.Client {
	if s.Client != nil {
		return s.Client
	}
	return http.DefaultClient
}

// get sends a GET request. The caller closes the body.
func (s *Server) get(ctx context.Context, path string, header http.Header) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(s.URL, "/")+path, nil)
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		r.Header[name] = values
	}
	if s.Key != "" {
		r.Header.Set("Authorization", "Bearer "+s.Key)
	}
	answer, err := s.client().Do(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode < 300 {
		return answer, nil
	}
	defer func() { _ = answer.Body.Close() }()
	refused := &refusal{status: answer.StatusCode}
	if n, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil {
		refused.wait = time.Duration(n) * time.Second
	}
	var problem struct {
		Detail, Code string
		Upgrade      *string
	}
	if body, err := io.ReadAll(io.LimitReader(answer.Body, 1<<16)); err == nil && json.Unmarshal(body, &problem) == nil {
		refused.detail = problem.Detail
		if problem.Code == "download_allowance_exceeded" {
			refused.detail = "this month's download allowance is used up; what is here stays, and the same command goes on with it next month"
			if problem.Upgrade != nil {
				refused.detail += " or after an upgrade at " + *problem.Upgrade
			}
		}
	}
	return nil, refused
}

// document reads a file of at most MaxDocument bytes.
func (s *Server) document(ctx context.Context, path string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer, err := s.get(ctx, path, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer func() { _ = answer.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(answer.Body, MaxDocument+1))
	if err == nil && len(data) > MaxDocument {
		err = fmt.Errorf("has more than %d bytes", MaxDocument)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

// proven reads a document and its signature and verifies it. Where the signature does not
// fit, both are read once more: the document may have been published between the two reads.
func (s *Server) proven(ctx context.Context, path, signaturePath string) (document, signature []byte, err error) {
	for range 2 {
		if document, err = s.document(ctx, path); err != nil {
			return nil, nil, err
		}
		if signature, err = s.document(ctx, signaturePath); err != nil {
			return nil, nil, err
		}
		if err = Verify(s.Public, document, signature); err == nil {
			return document, signature, nil
		}
	}
	return nil, nil, fmt.Errorf("%s: %w", path, err)
}

// SigningKey returns the public key that the server announces (/v1/platform), nil where it
// announces none.
func (s *Server) SigningKey(ctx context.Context) (ed25519.PublicKey, error) {
	data, err := s.document(ctx, "/v1/platform")
	if err != nil {
		return nil, err
	}
	var platform struct {
		Key *string `json:"territory_key"`
	}
	if err := json.Unmarshal(data, &platform); err != nil || platform.Key == nil {
		return nil, err
	}
	return ParsePublic([]byte(*platform.Key))
}

// Index reads and verifies the list of territories.
func (s *Server) Index(ctx context.Context) (*Index, error) {
	data, _, err := s.proven(ctx, "/territories", "/territories/index.sig")
	if err != nil {
		return nil, err
	}
	return ReadIndex(data)
}

// manifest reads and verifies the manifest of a version, 0 for the newest.
func (s *Server) manifest(ctx context.Context, id string, version int64) (m *Manifest, document, signature []byte, err error) {
	sum := ""
	if version == 0 {
		x, err := s.Index(ctx)
		if err != nil {
			return nil, nil, nil, err
		}
		e := x.Entry(id)
		if e == nil {
			var ids []string
			for _, other := range x.Territories {
				ids = append(ids, other.ID)
			}
			return nil, nil, nil, fmt.Errorf("the server has no territory %q; it has: %s", id, strings.Join(ids, ", "))
		}
		version, sum = e.Version, e.ManifestSHA256
	}
	path := fmt.Sprintf("/territories/%s/%d/manifest", id, version)
	if document, signature, err = s.proven(ctx, path, path+".sig"); err != nil {
		return nil, nil, nil, err
	}
	if m, err = ReadManifest(document); err != nil {
		return nil, nil, nil, err
	}
	if m.ID != id || m.Version != version || sum != "" && Sum(document) != sum {
		return nil, nil, nil, fmt.Errorf("%s: the manifest is of another version than the one asked for", path)
	}
	return m, document, signature, nil
}
