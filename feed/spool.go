package feed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// spool keeps the documents of the last poll that was good, so that a restart
// reads them at once. Without a folder it keeps them as long as they are read.
type spool struct {
	dir string // of the source; "" for none
}

const (
	goodName     = "good"
	manifestName = "manifest.json"
)

// manifest is the state of a folder of documents.
type manifest struct {
	Source    string     `json:"source"` // its address
	Format    string     `json:"format"`
	Fetched   time.Time  `json:"fetched"`
	Known     validators `json:"known"`
	Documents []document `json:"documents"`
}

// generation is the documents of one poll.
type generation struct {
	dir    string
	retain bool // in the spool, once it was good
	manifest
}

func (s *spool) begin(source *Source, now time.Time) (*generation, error) {
	if s.dir != "" {
		if err := os.MkdirAll(s.dir, 0o700); err != nil {
			return nil, err
		}
	}
	dir, err := os.MkdirTemp(s.dir, "poll-")
	if err != nil {
		return nil, err
	}
	return &generation{dir: dir, retain: s.dir != "", manifest: manifest{Source: source.URL, Format: source.Format, Fetched: now}}, nil
}

// next returns the file for the next document.
func (g *generation) next() (string, error) {
	if len(g.Documents) >= maxDocuments {
		return "", fmt.Errorf("it has more than %d documents", maxDocuments)
	}
	return filepath.Join(g.dir, strconv.Itoa(len(g.Documents))), nil
}

func (g *generation) drop() { _ = os.RemoveAll(g.dir) } // what is left is swept with the next good one

// commit makes a generation the one that a restart reads.
func (s *spool) commit(g *generation) error {
	if !g.retain {
		g.drop()
		return nil
	}
	for i := range g.Documents {
		g.Documents[i].File = filepath.Base(g.Documents[i].File)
	}
	text, err := json.Marshal(g.manifest)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(g.dir, manifestName), text, 0o600); err != nil {
		return err
	}
	good := filepath.Join(s.dir, goodName)
	if err := os.RemoveAll(good); err != nil {
		return err
	}
	if err := os.Rename(g.dir, good); err != nil {
		return err
	}
	return s.sweep()
}

// sweep removes what polls that were broken off have left.
func (s *spool) sweep() error {
	left, err := filepath.Glob(filepath.Join(s.dir, "poll-*"))
	for _, dir := range left {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return err
}

// last returns the generation that was good last; nil where there is none for the
// source as it is now.
func (s *spool) last(source *Source) *generation {
	if s.dir == "" {
		return nil
	}
	g := &generation{dir: filepath.Join(s.dir, goodName)}
	text, err := os.ReadFile(filepath.Join(g.dir, manifestName))
	if err != nil || json.Unmarshal(text, &g.manifest) != nil || g.Source != source.URL || g.Format != source.Format || len(g.Documents) == 0 {
		return nil
	}
	return g
}

// input opens a document of a generation.
func (g *generation) input(ctx context.Context, d document, source *Source, report *Report) (*Input, error) {
	f, err := os.Open(filepath.Join(g.dir, filepath.Base(d.File)))
	if err != nil {
		return nil, withoutPath(err)
	}
	in := &Input{Source: source, Header: d.Header, URL: d.URL, Now: g.Fetched, Report: report}
	if err := in.unpack(ctx, f); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return in, nil
}
