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

// Server is a gateway that territories are fetched from.
type Server struct {
	URL    string            // without a slash at the end
	Key    string            // API key, "" for none
	Public ed25519.PublicKey // that its documents are signed with
	Client *http.Client      // nil is one that waits as long as bytes come
}

// refusal is an answer that is none.
type refusal struct {
	status int
	wait   time.Duration // to wait before the next try; 0 where it does not say
	detail string
}

func (r *refusal) Error() string {
	if r.detail == "" {
		return "the server answers " + http.StatusText(r.status)
	}
	return fmt.Sprintf("the server answers %d: %s", r.status, r.detail)
}

// patience is how long a server may take to begin an answer.
const patience = 30 * time.Second

func (s *Server) client() *http.Client {
	if s.Client != nil {
		return s.Client
	}
	return http.DefaultClient
}

// ask sends a GET. The caller closes the body.
func (s *Server) ask(ctx context.Context, path string, header http.Header) (*http.Response, error) {
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
	var told struct {
		Detail, Code string
		Upgrade      *string
	}
	if body, err := io.ReadAll(io.LimitReader(answer.Body, 1<<16)); err == nil && json.Unmarshal(body, &told) == nil {
		refused.detail = told.Detail
		if told.Code == "download_allowance_exceeded" {
			refused.detail = "this month's download allowance is used up; what is here stays, and the same command goes on with it next month"
			if told.Upgrade != nil {
				refused.detail += " or after an upgrade at " + *told.Upgrade
			}
		}
	}
	return nil, refused
}

// document reads a small file.
func (s *Server) document(ctx context.Context, path string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer, err := s.ask(ctx, path, nil)
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

// proven reads a document and its signature, which must hold. A document that was
// published between the two is asked for once more.
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

// Told asks a server which key it signs with; nil where it tells none.
func (s *Server) Told(ctx context.Context) (ed25519.PublicKey, error) {
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

// Index reads the list of territories.
func (s *Server) Index(ctx context.Context) (*Index, error) {
	data, _, err := s.proven(ctx, "/territories", "/territories/index.sig")
	if err != nil {
		return nil, err
	}
	return ReadIndex(data)
}

// manifest reads that of a version, 0 for the newest.
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
