// Package feed polls sources of live data: prices, chargers, cameras, weather, traffic. Each
// document of a source is read as a stream into an immutable snapshot with its age. While a
// source is down, slow, damaged or stale, the snapshot before stays in force, and the feed's
// status says so.
//
// Each kind of record has a package of its own below this one, with a Read for
// each format. docs/feeds.md shows how one is added.
package feed

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Source is one feed as an operator lists it.
type Source struct {
	ID     string `json:"id"`               // in answers, metrics and folders: lower-case letters, digits, - and _
	Kind   string `json:"kind"`             // of records: "fuel", "charging", "cameras", "weather", "traffic", "incidents"
	Format string `json:"format,omitempty"` // one that the kind reads; "" is recognised by the document
	URL    string `json:"url"`              // an http or https address, or the path of a file

	Every      Duration `json:"every,omitempty"`       // between two polls; 0 is the kind's
	StaleAfter Duration `json:"stale_after,omitempty"` // age from which it counts as stale; 0 is the kind's
	Timeout    Duration `json:"timeout,omitempty"`     // of one document; 0 is a minute
	MaxBytes   int64    `json:"max_bytes,omitempty"`   // of one document, unpacked; 0 is 512 MiB

	Headers map[string]string `json:"headers,omitempty"` // sent to the host of URL alone
	OAuth   *OAuth            `json:"oauth,omitempty"`   // where a token is needed

	Name        string   `json:"name,omitempty"`        // to show; "" is the id
	Licence     string   `json:"licence,omitempty"`     // SPDX identifier, or a name
	Attribution string   `json:"attribution,omitempty"` // to be shown with the records, verbatim
	Area        string   `json:"area,omitempty"`        // what the source covers, in words
	Country     string   `json:"country,omitempty"`     // ISO 3166-1 alpha-2, of sources that do not say it of each record
	Options     []string `json:"options,omitempty"`     // of the format, as its package documents them
}

// OAuth requests a token by client credentials (RFC 6749, 4.4).
type OAuth struct {
	TokenURL     string `json:"token_url"`
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	Scope        string `json:"scope,omitempty"`
}

// Duration is a time.Duration that is written as "15m".
type Duration time.Duration

// UnmarshalText reads it.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err == nil && v < 0 {
		err = fmt.Errorf("%s is below zero", text)
	}
	*d = Duration(v)
	return err
}

// MarshalText writes it.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// remote returns the address of a source that is fetched; nil for a file.
func (s *Source) remote() *url.URL {
	u, err := url.Parse(s.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil
	}
	return u
}

// Has reports whether an option of the format is given.
func (s *Source) Has(option string) bool { return slices.Contains(s.Options, option) }

// Title returns the source's name, or its id.
func (s *Source) Title() string {
	if s.Name != "" {
		return s.Name
	}
	return s.ID
}

// Shown returns where the source is, without passwords and queries, which may hold
// keys.
func (s *Source) Shown() string {
	u := s.remote()
	if u == nil {
		return filepath.Base(s.URL)
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// identifier matches the id of a source.
var identifier = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// check returns what is wrong with a source.
func (s *Source) check() error {
	switch {
	case !identifier.MatchString(s.ID):
		return fmt.Errorf("id %q must be 1 to 64 lower-case letters, digits, - and _, and begin with a letter or a digit", s.ID)
	case s.Kind == "":
		return errors.New("kind is missing")
	case s.URL == "":
		return errors.New("url is missing: an http or https address, or the path of a file")
	case s.remote() == nil && strings.Contains(s.URL, "://"):
		scheme, _, _ := strings.Cut(s.URL, "://")
		return fmt.Errorf("url begins with %s:// and names no server that can be fetched from: want an http or https address, or the path of a file", scheme)
	case s.MaxBytes < 0:
		return fmt.Errorf("max_bytes is %d and must not be below zero", s.MaxBytes)
	case s.OAuth != nil && (s.OAuth.TokenURL == "" || s.OAuth.ClientID == ""):
		return errors.New("oauth needs token_url and client_id")
	case s.OAuth != nil && s.remote() == nil:
		return errors.New("oauth is for an http or https address")
	}
	return nil
}

// maxList bounds a list of sources, in bytes.
const maxList = 1 << 20

// ReadList reads a list of sources: {"feeds": [{"id": …, "kind": …, "url": …}]}.
// ${NAME} in it stands for what look gives of that name, so that secrets can stay
// out of the file; paths are taken from dir. The failure names the entry.
func ReadList(r io.Reader, dir string, look func(name string) (string, bool)) ([]Source, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxList+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxList {
		return nil, fmt.Errorf("the list has more than %d bytes", maxList)
	}
	var missing []string
	expanded := variable.ReplaceAllFunc(text, func(m []byte) []byte {
		name := string(m[2 : len(m)-1])
		value, ok := look(name)
		if !ok {
			missing = append(missing, name)
		}
		quoted, _ := json.Marshal(value) // a string always marshals
		return quoted[1 : len(quoted)-1]
	})
	if missing != nil {
		return nil, fmt.Errorf("the list names ${%s}, which is not set", strings.Join(missing, "}, ${"))
	}
	var list struct {
		Feeds []Source `json:"feeds"`
	}
	d := json.NewDecoder(strings.NewReader(string(expanded)))
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i := range list.Feeds {
		s := &list.Feeds[i]
		err := s.check()
		if err == nil && seen[s.ID] {
			err = fmt.Errorf("id %q is there twice", s.ID)
		}
		if err != nil {
			return nil, fmt.Errorf("feeds[%d]: %w", i, err)
		}
		seen[s.ID] = true
		if s.remote() == nil && !filepath.IsAbs(s.URL) {
			s.URL = filepath.Join(dir, s.URL)
		}
	}
	return list.Feeds, nil
}

var variable = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// Listed makes sources of one kind out of plain places: addresses, files, and
// folders, of which every file is a source. Ids are made of their names.
func Listed(kind string, places ...string) ([]Source, error) {
	var list []Source
	seen := map[string]bool{}
	add := func(place string) {
		name := place
		s := Source{Kind: kind, URL: place}
		if u := s.remote(); u != nil {
			name = u.Host + "-" + u.Path
		}
		name = strings.Trim(unnamed.ReplaceAllString(strings.ToLower(strings.TrimSuffix(filepath.Base(name), ".gz")), "-"), "-_")
		s.ID = fmt.Sprintf("%.40s", kind+"-"+name)
		for n := 2; seen[s.ID]; n++ {
			s.ID = fmt.Sprintf("%.40s-%d", kind+"-"+name, n)
		}
		seen[s.ID] = true
		list = append(list, s)
	}
	for _, place := range places {
		if (&Source{URL: place}).remote() != nil {
			add(place)
			continue
		}
		stat, err := os.Stat(place)
		if err != nil {
			return nil, err
		}
		if !stat.IsDir() {
			add(place)
			continue
		}
		entries, err := os.ReadDir(place) // sorted by name
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
				add(filepath.Join(place, e.Name()))
			}
		}
	}
	return list, nil
}

var unnamed = regexp.MustCompile(`[^a-z0-9_]+`)
